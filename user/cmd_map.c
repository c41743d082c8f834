// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * links, gids, device: what belongs to what, and what is wrong with it.
 */
#include <stdlib.h>

#include <rdmascope/workload.h>

#include "cmd.h"
#include "exits.h"
#include "fail.h"
#include "map.h"
#include "out.h"

/* What each command reads and how it is shown. */
struct view {
	const char *name;
	int (*read)(struct map *m, struct rscope_error *e);
	const struct rscope_field *fields;
	size_t nr_fields;
	size_t size;
	const struct column *columns;
	size_t nr_columns;
	const char *empty;
	void (*notes)(const struct map *m);
};

static const struct column link_columns[] = {
	{ "ifname", "DEV", false },	    { "port", "PORT", true },
	{ "state", "STATE", false },	    { "physical_state", "PHYS", false },
	{ "protocol", "PROTO", false },	    { "rate_mbps", "MBIT/S", true },
	{ "active_mtu_bytes", "MTU", true },  { "netdev", "NETDEV", false },
	{ "netdev_index", "INDEX", true },  { "netdev_admin", "ADMIN", false },
	{ "netdev_carrier", "CARRIER", true }, { "netdev_master", "MASTER", false },
	{ "kverbs", "KVERBS", false },	    { "reason", "REASON", false },
};

static const struct column gid_columns[] = {
	{ "ifname", "DEV", false },  { "port", "PORT", true },	 { "index", "INDEX", true },
	{ "gid", "GID", false },     { "type", "TYPE", false },	 { "scope", "SCOPE", false },
	{ "netdev", "NETDEV", false }, { "vlan", "VLAN", true },   { "score", "SCORE", true },
};

#define REASON_HELP(s, w, h) h,
static const char *const reason_help[] = { RSCOPE_LINK_REASONS(REASON_HELP) };

/* DEV/PORT; a terminal must not be driven by a device name. */
static const char *name_of(const struct rscope_link *l)
{
	static char name[4 * RSCOPE_WORD_MAX + 24];
	struct rscope_text t = { .buf = name, .size = sizeof(name) };

	rscope_put_value(&t, l->ifname);
	rscope_putc(&t, '/');
	rscope_putu(&t, l->port);
	return name;
}

static void explain_reason(const struct rscope_link *l)
{
	size_t i;

	for (i = RSCOPE_LINK_OK + 1; i < RSCOPE_LINK_NR; i++)
		if (!strcmp(l->reason, rscope_words_LINK_REASONS[i]))
			out_line("%s: %s", name_of(l), reason_help[i]);
}

static void explain_netns(const struct rscope_link *l)
{
	if (l->netns != RSCOPE_NONE && l->netdev_netns != RSCOPE_NONE &&
	    l->netns != l->netdev_netns)
		out_line("%s: its netdev is in another network namespace (inode %llu)", name_of(l),
			 l->netdev_netns);
}

/* Two RDMA devices below one bond are no hardware LAG. Said once per bond. */
static void explain_bond(const struct map *m, const struct rscope_link *first)
{
	size_t n = 0;

	if (!*first->netdev_master)
		return;
	list_each(struct rscope_link, l, &m->items) {
		if (strcmp(l->netdev_master, first->netdev_master))
			continue;
		if (!n++ && l != first)
			return;
	}
	if (n > 1)
		out_line("%s spans %zu RDMA ports: each is a device of its own, no LAG device",
			 first->netdev_master, n);
}

/* Only the module sees netdevs of other network namespaces. */
static void explain_blind(const struct map *m, const struct rscope_link *l)
{
	if (!*l->netdev && strcmp(m->source, "module") && strcmp(l->link_layer, "infiniband"))
		out_line("%s: or its netdev is in another network namespace: load the module",
			 name_of(l));
}

static void link_notes(const struct map *m)
{
	list_each(struct rscope_link, l, &m->items) {
		explain_reason(l);
		explain_blind(m, l);
		explain_netns(l);
		explain_bond(m, l);
	}
}

#define VIEW(name_, read_, what, columns_, n_, empty_, notes_) \
	{ .name = name_, .read = read_, .fields = rscope_##what##_fields, \
	  .nr_fields = ARRAY_SIZE(rscope_##what##_fields), .size = sizeof(struct rscope_##what), \
	  .columns = columns_, .nr_columns = n_, .empty = empty_, .notes = notes_ }

static const struct view links_view =
	VIEW("links", map_links, link, link_columns, ARRAY_SIZE(link_columns), "no RDMA device",
	     link_notes);
static const struct view gids_view =
	VIEW("gids", map_gids, gid, gid_columns, ARRAY_SIZE(gid_columns), "no GID", NULL);
static const struct view device_view =
	VIEW("device", map_devices, device, NULL, 0, "no RDMA device", NULL);

static json_t *to_json(const struct view *v, const struct map *m)
{
	json_t *array = json_array(), *object;
	size_t i;

	for (i = 0; i < m->items.n; i++) {
		object = out_record(v->fields, v->nr_fields, (char *)m->items.v + i * v->size);
		out_text(object, "source", m->source);
		json_array_append_new(array, object);
	}
	return array;
}

static void print_source(const struct map *m)
{
	out_line("source: %s%s%s%s", m->source, m->passed.err ? " (" : "",
		 m->passed.err ? m->passed.msg : "", m->passed.err ? ")" : "");
}

static void print_text(const struct view *v, const struct map *m, json_t *array)
{
	json_t *object;
	size_t i;

	if (v->columns && json_array_size(array))
		out_table(array, v->columns, v->nr_columns);
	json_array_foreach(array, i, object) {
		if (v->columns)
			break;
		out_lines(object, "");
		out_line("%s", "");
	}
	if (!json_array_size(array))
		out_line("nothing to show: %s", v->empty);
	if (v->notes)
		v->notes(m);
	print_source(m);
	json_decref(array);
}

static bool no_rdma(const struct map *m, const struct facts *facts)
{
	return !m->forced && !*m->dev && !facts->rdma;
}

static int show(struct options *o, const struct view *v)
{
	struct map m = { .root = o->root, .forced = o->source, .dev = o->dev, .port = o->port };
	struct rscope_error e = { 0 };
	struct facts facts;
	int err = v->read(&m, &e);

	facts_read(o->root, &facts);
	if (err && no_rdma(&m, &facts)) {
		list_free(&m.items); /* nothing loaded: an empty map, and the reason on stderr */
		hints_print(v->name, STEP_DEVICE, &e, &facts);
		err = 0;
	}
	if (err) {
		map_free(&m);
		return fail_print(o, v->name, map_step(&m, err), &e);
	}
	if (o->json)
		out_json(to_json(v, &m));
	else
		print_text(v, &m, to_json(v, &m));
	map_free(&m);
	return EXIT_PASS;
}

/**
 * cmd_links() - ports and their netdevs
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_links(struct options *o)
{
	return show(o, &links_view);
}

/**
 * cmd_gids() - GID tables
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_gids(struct options *o)
{
	return show(o, &gids_view);
}

/**
 * cmd_device() - devices and their limits
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_device(struct options *o)
{
	return show(o, &device_view);
}
