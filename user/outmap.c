// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outmap.h"

#include "ipoib.h"
#include "out.h"
#include "rtaddr.h"

/* --------------------------------------------------------------- into values */

static json_t *addresses(const struct topo *t, u64 index)
{
	json_t *array;

	if (!t->addressed)
		return json_null();
	array = json_array();
	list_each(struct netaddr, a, &t->addrs)
		if (a->index == index)
			json_array_append_new(array, out_string(a->text));
	return array;
}

static json_t *flag(u64 value)
{
	return value == RSCOPE_NONE ? json_null() : json_boolean(value);
}

static const char *name_of(const struct topo *t, u64 index)
{
	const struct netdev *d = rtnl_by_index(&t->netdevs, index);

	return d ? d->name : "";
}

static json_t *step_json(const struct topo *t, const struct netrel_step *s, enum netrel_way way)
{
	const struct netdev *d = rtnl_by_index(&t->netdevs, s->index);
	json_t *object = json_object();

	out_text(object, "netdev", d->name);
	out_num(object, "ifindex", d->index);
	out_text(object, "relation", s->edge.relation);
	out_text(object, way == NETREL_UP ? "over" : "under",
		 name_of(t, way == NETREL_UP ? s->edge.lower : s->edge.upper));
	json_object_set_new(object, "active", flag(s->edge.active));
	out_num(object, "vlan", d->vlan);
	json_object_set_new(object, "addresses", addresses(t, d->index));
	return object;
}

static json_t *related(const struct topo *t, u64 index, enum netrel_way way)
{
	struct list steps = LIST(struct netrel_step);
	json_t *array = json_array();

	netrel_walk(&t->edges, index, way, &steps);
	list_each(struct netrel_step, s, &steps)
		json_array_append_new(array, step_json(t, s, way));
	list_free(&steps);
	return array;
}

static json_t *ipoib_json(const struct topo *t, const struct netdev *d)
{
	json_t *object = json_object();
	char pkey[16] = "";

	if (d->pkey != RSCOPE_NONE)
		snprintf(pkey, sizeof(pkey), "0x%04llx", d->pkey);
	out_text(object, "netdev", d->name);
	out_num(object, "ifindex", d->index);
	out_text(object, "pkey", pkey);
	out_text(object, "parent", d->link == d->index ? "" : name_of(t, d->link));
	out_text(object, "admin", d->up ? "up" : "down");
	out_num(object, "carrier", d->carrier);
	out_num(object, "mtu_bytes", d->mtu);
	out_text(object, "addr", d->addr);
	json_object_set_new(object, "uppers", related(t, d->index, NETREL_UP));
	json_object_set_new(object, "addresses", addresses(t, d->index));
	return object;
}

static json_t *ipoib_array(const struct topo *t, const struct rscope_link *l)
{
	struct list found = LIST(const struct netdev *);
	json_t *array = json_array();
	size_t i;

	ipoib_of_port(t->root, l, &t->netdevs, &found);
	for (i = 0; i < found.n; i++)
		json_array_append_new(array,
				      ipoib_json(t, *list_at(const struct netdev *, &found, i)));
	list_free(&found);
	return array;
}

/**
 * outmap_link() - add the network side of a port
 * @object: its record
 * @t: the netdevs
 * @l: the port
 *
 * All is null where the netdev is not in this namespace.
 */
void outmap_link(json_t *object, const struct topo *t, const struct rscope_link *l)
{
	const struct netdev *d = topo_netdev(t, l);
	bool ib = !strcmp(l->link_layer, "infiniband");

	json_object_set_new(object, "netdev_uppers",
			    d ? related(t, d->index, NETREL_UP) : json_null());
	json_object_set_new(object, "netdev_lowers",
			    d ? related(t, d->index, NETREL_DOWN) : json_null());
	json_object_set_new(object, "addresses", d ? addresses(t, d->index) : json_null());
	json_object_set_new(object, "ipoib", ib ? ipoib_array(t, l) : json_null());
}

/* Not active when one slave on the way is not; null where there is no slave. */
static u64 active_path(const struct list *path)
{
	u64 active = RSCOPE_NONE;

	list_each(struct netrel_step, s, path)
		if (s->edge.active != RSCOPE_NONE && active)
			active = s->edge.active;
	return active;
}

/* The relation of the last step; of none, what the netdev is to the port. */
static json_t *serves_json(const struct topo *t, const struct rscope_link *l,
			   const struct netdev *target, const struct netdev *base,
			   const struct list *path)
{
	const struct netrel_step *last = NULL;
	json_t *object = json_object(), *names = json_array();

	json_array_append_new(names, out_string(base->name));
	list_each(struct netrel_step, s, path) {
		json_array_append_new(names, out_string(name_of(t, s->index)));
		last = s;
	}
	out_text(object, "netdev", target->name);
	out_text(object, "relation",
		 last ? last->edge.relation : *l->netdev ? "port" : "ipoib");
	json_object_set_new(object, "active", flag(active_path(path)));
	json_object_set_new(object, "path", names);
	return object;
}

/**
 * outmap_serves() - add how a port serves a netdev
 * @object: record of the port
 * @t: the netdevs
 * @l: the port
 * @target: the netdev
 *
 * Return: false, and nothing is added, when it does not.
 */
bool outmap_serves(json_t *object, const struct topo *t, const struct rscope_link *l,
		   const struct netdev *target)
{
	struct list path = LIST(struct netrel_step);
	const struct netdev *base = NULL;
	bool found = !topo_serves(t, l, target, &base, &path);

	if (found)
		json_object_set_new(object, "serves", serves_json(t, l, target, base, &path));
	list_free(&path);
	return found;
}

/**
 * outmap_gid() - add what the netdev of a GID is to that of its port
 * @object: record of the GID
 * @t: the netdevs
 * @l: the port
 * @g: the GID
 *
 * "port", or the relation of the netdev next to it; null where either is not in this
 * namespace, or neither stands on the other.
 */
void outmap_gid(json_t *object, const struct topo *t, const struct rscope_link *l,
		const struct rscope_gid *g)
{
	const struct netdev *d = topo_netdev(t, l);
	struct list path = LIST(struct netrel_step);
	const char *relation = "";

	if (d && l->netdev_netns != g->netdev_netns)
		d = NULL;
	if (d && d->index == g->netdev_index)
		relation = "port";
	else if (d && !netrel_path(&t->edges, d->index, g->netdev_index, &path))
		relation = list_at(struct netrel_step, &path, path.n - 1)->edge.relation;
	out_text(object, "netdev_relation", relation);
	list_free(&path);
}

/* ----------------------------------------------------------------- for people */

static const char *shown(json_t *object, const char *key, char *buf, size_t size)
{
	return out_shown(json_object_get(object, key), buf, size);
}

static void put_array(struct rscope_text *t, json_t *array, const char *between)
{
	char text[128];
	json_t *word;
	size_t i;

	json_array_foreach(array, i, word) {
		rscope_puts(t, i ? between : "");
		rscope_puts(t, out_shown(word, text, sizeof(text)));
	}
}

static const char *active_word(json_t *object)
{
	json_t *active = json_object_get(object, "active");

	return json_is_true(active) ? ", active" : json_is_false(active) ? ", not active" : "";
}

/* "  above b0: bond on t2, active, 192.0.2.1/28" */
static void print_related(json_t *array, const char *where, const char *neighbour,
			  const char *word)
{
	char name[64], relation[32], vlan[24], next[64], addrs[512];
	json_t *object;
	size_t i;

	json_array_foreach(array, i, object) {
		struct rscope_text t = { .buf = addrs, .size = sizeof(addrs) };
		bool tagged = json_is_integer(json_object_get(object, "vlan"));

		addrs[0] = '\0';
		put_array(&t, json_object_get(object, "addresses"), ", ");
		out_line("  %s %s: %s%s%s %s %s%s%s%s", where,
			 shown(object, "netdev", name, sizeof(name)),
			 shown(object, "relation", relation, sizeof(relation)), tagged ? " " : "",
			 tagged ? shown(object, "vlan", vlan, sizeof(vlan)) : "", word,
			 shown(object, neighbour, next, sizeof(next)), active_word(object),
			 *addrs ? ", " : "", addrs);
	}
}

static void print_ipoib(json_t *array)
{
	char name[64], pkey[16], addrs[512];
	json_t *object;
	size_t i;

	json_array_foreach(array, i, object) {
		struct rscope_text t = { .buf = addrs, .size = sizeof(addrs) };

		addrs[0] = '\0';
		put_array(&t, json_object_get(object, "addresses"), ", ");
		out_line("  ipoib %s: pkey %s%s%s", shown(object, "netdev", name, sizeof(name)),
			 shown(object, "pkey", pkey, sizeof(pkey)), *addrs ? ", " : "", addrs);
		print_related(json_object_get(object, "uppers"), "above", "over", "on");
	}
}

/**
 * outmap_link_text() - print what outmap_link() added, indented
 * @object: the record
 */
void outmap_link_text(json_t *object)
{
	char addrs[512] = "";
	struct rscope_text t = { .buf = addrs, .size = sizeof(addrs) };

	put_array(&t, json_object_get(object, "addresses"), ", ");
	if (*addrs)
		out_line("  addresses: %s", addrs);
	print_related(json_object_get(object, "netdev_uppers"), "above", "over", "on");
	print_related(json_object_get(object, "netdev_lowers"), "below", "under", "of");
	print_ipoib(json_object_get(object, "ipoib"));
}

/**
 * outmap_serves_text() - print what outmap_serves() added
 * @object: the record
 */
void outmap_serves_text(json_t *object)
{
	json_t *serves = json_object_get(object, "serves");
	char name[64], relation[32], path[512] = "";
	struct rscope_text t = { .buf = path, .size = sizeof(path) };

	put_array(&t, json_object_get(serves, "path"), " - ");
	out_line("  serves %s: %s%s, %s", shown(serves, "netdev", name, sizeof(name)),
		 shown(serves, "relation", relation, sizeof(relation)), active_word(serves), path);
}
