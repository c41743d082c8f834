// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * links, gids, device: what belongs to what, and what is wrong with it.
 */
#include <stdlib.h>

#include "cmd.h"
#include "exits.h"
#include "fail.h"
#include "mapnotes.h"
#include "out.h"
#include "outdev.h"
#include "outmap.h"

/* What is shown: the map, and what is added to its records. */
struct shown {
	const struct options *o;
	struct map m;
	struct map ports;
	struct topo topo;
	struct outdev user;
	const struct netdev *target;
};

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
	int (*prepare)(struct shown *s, struct rscope_error *e);
	bool (*add)(const struct shown *s, const void *record, json_t *object);
	void (*text)(const struct shown *s, json_t *object);
	void (*notes)(const struct shown *s);
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

/* --------------------------------------------------------------------- links */

static int load_netdevs(struct shown *s, struct rscope_error *e)
{
	bool sysfs = s->o->source && !strcmp(s->o->source, "sysfs");
	int err = topo_load(&s->topo, s->o->root, sysfs);

	return err ? rscope_fail(e, err, "network devices: %s", strerror(-err)) : 0;
}

/* The table alone needs no netdevs beside those in its records. */
static bool needs_netdevs(const struct shown *s)
{
	if (s->o->json || s->o->details || s->o->netdev)
		return true;
	list_each(struct rscope_link, l, &s->m.items)
		if (*l->netdev_master)
			return true;
	return false;
}

static int find_target(struct shown *s, struct rscope_error *e)
{
	s->target = rtnl_by_name(&s->topo.netdevs, s->o->netdev);
	if (!s->target)
		return rscope_fail(e, -ENODEV, "%s: no such network device here", s->o->netdev);
	return 0;
}

static int prepare_links(struct shown *s, struct rscope_error *e)
{
	int err = needs_netdevs(s) ? load_netdevs(s, e) : 0;

	return !err && s->o->netdev ? find_target(s, e) : err;
}

static bool add_to_link(const struct shown *s, const void *record, json_t *object)
{
	const struct rscope_link *l = record;

	if (s->target && !outmap_serves(object, &s->topo, l, s->target))
		return false;
	if (s->topo.loaded)
		outmap_link(object, &s->topo, l);
	return true;
}

static void link_text(const struct shown *s, json_t *object)
{
	char name[RSCOPE_WORD_MAX * 4], port[24];

	if (!s->o->details && !s->target)
		return;
	out_line("%s/%s", out_shown(json_object_get(object, "ifname"), name, sizeof(name)),
		 out_shown(json_object_get(object, "port"), port, sizeof(port)));
	if (s->target)
		outmap_serves_text(object);
	if (s->o->details)
		outmap_link_text(object);
}

/* What a filter left out needs no explanation. */
static void link_notes(const struct shown *s)
{
	if (!s->target)
		mapnotes_links(&s->m, &s->topo);
}

/* ---------------------------------------------------------------------- GIDs */

/* Programs are told what a GID's netdev is to the port's. */
static int prepare_gids(struct shown *s, struct rscope_error *e)
{
	s->ports = (struct map){ .root = s->o->root, .forced = s->m.source, .dev = s->o->dev,
				 .port = s->o->port };
	if (!s->o->json || !s->m.items.n || map_links(&s->ports, e))
		return 0;
	return load_netdevs(s, e);
}

static bool add_to_gid(const struct shown *s, const void *record, json_t *object)
{
	const struct rscope_gid *g = record;

	out_text(object, "netdev_relation", "");
	list_each(struct rscope_link, l, &s->ports.items)
		if (l->port == g->port && !strcmp(l->ifname, g->ifname))
			outmap_gid(object, &s->topo, l, g);
	return true;
}

/* ------------------------------------------------------------------- devices */

static int prepare_devices(struct shown *s, struct rscope_error *e)
{
	outdev_load(&s->user, s->o->root);
	return 0;
}

static bool add_to_device(const struct shown *s, const void *record, json_t *object)
{
	outdev_add(object, &s->user, record);
	return true;
}

static void device_text(const struct shown *s, json_t *object)
{
	out_lines(object, "");
	outdev_text(object);
	out_line("%s", "");
}

/* --------------------------------------------------------------------- views */

#define RECORDS(read_, what) \
	.read = read_, .fields = rscope_##what##_fields, \
	.nr_fields = ARRAY_SIZE(rscope_##what##_fields), .size = sizeof(struct rscope_##what)
#define TABLE(columns_) .columns = columns_, .nr_columns = ARRAY_SIZE(columns_)

static const struct view links_view = {
	.name = "links", RECORDS(map_links, link), TABLE(link_columns), .empty = "no RDMA device",
	.prepare = prepare_links, .add = add_to_link, .text = link_text, .notes = link_notes,
};

static const struct view gids_view = {
	.name = "gids", RECORDS(map_gids, gid), TABLE(gid_columns), .empty = "no GID",
	.prepare = prepare_gids, .add = add_to_gid,
};

static const struct view device_view = {
	.name = "device", RECORDS(map_devices, device), .empty = "no RDMA device",
	.prepare = prepare_devices, .add = add_to_device, .text = device_text,
};

static json_t *to_json(const struct view *v, const struct shown *s)
{
	json_t *array = json_array(), *object;
	const char *record = s->m.items.v;
	size_t i;

	for (i = 0; i < s->m.items.n; i++, record += v->size) {
		object = out_record(v->fields, v->nr_fields, record);
		out_text(object, "source", s->m.source);
		if (!v->add || v->add(s, record, object))
			json_array_append_new(array, object);
		else
			json_decref(object);
	}
	return array;
}

static void print_source(const struct map *m)
{
	out_line("source: %s%s%s%s", m->source, m->passed.err ? " (" : "",
		 m->passed.err ? m->passed.msg : "", m->passed.err ? ")" : "");
}

/* A table that nothing is added to is printed without objects. */
static bool is_plain(const struct view *v, const struct shown *s)
{
	return v->columns && !s->o->json && !s->o->details && !s->target;
}

static void print_text(const struct view *v, const struct shown *s, json_t *array)
{
	bool any = is_plain(v, s) ? s->m.items.n : json_array_size(array);
	json_t *object;
	size_t i;

	if (!any)
		out_line("nothing to show: %s", v->empty);
	else if (is_plain(v, s))
		out_records(&s->m.items, v->fields, v->nr_fields, v->columns, v->nr_columns);
	else if (v->columns)
		out_table(array, v->columns, v->nr_columns);
	json_array_foreach(array, i, object)
		if (v->text)
			v->text(s, object);
	if (v->notes)
		v->notes(s);
	print_source(&s->m);
}

static bool no_rdma(const struct map *m, const struct facts *facts)
{
	return !m->forced && !*m->dev && !facts->rdma;
}

static int read_map(struct shown *s, const struct view *v, struct rscope_error *e)
{
	struct facts facts;
	int err = v->read(&s->m, e);

	if (!err)
		return 0;
	facts_read(s->o->root, &facts);
	if (!no_rdma(&s->m, &facts))
		return err;
	list_free(&s->m.items); /* nothing loaded: an empty map, and the reason on stderr */
	hints_print(v->name, STEP_DEVICE, e, &facts);
	return 0;
}

/* No link for the netdev that was asked for is an error, as no such device is. */
static int show_map(const struct shown *s, const struct view *v, struct rscope_error *e)
{
	json_t *array = is_plain(v, s) ? json_array() : to_json(v, s);
	int err = 0;

	if (s->target && !json_array_size(array))
		err = rscope_fail(e, -ENXIO, "%s: no RDMA link serves it", s->o->netdev);
	else if (s->o->json)
		out_json(json_incref(array));
	else
		print_text(v, s, array);
	json_decref(array);
	return err;
}

static int show(const struct options *o, const struct view *v)
{
	struct shown s = { .o = o, .m = { .root = o->root, .forced = o->source, .dev = o->dev,
					  .port = o->port, .brief = !o->json } };
	struct rscope_error e = { 0 };
	enum step step = STEP_NETDEV;
	int err = read_map(&s, v, &e);

	if (err)
		step = map_step(&s.m, err);
	else if (v->prepare)
		err = v->prepare(&s, &e);
	if (!err)
		err = show_map(&s, v, &e);
	map_free(&s.m);
	map_free(&s.ports);
	topo_free(&s.topo);
	outdev_free(&s.user);
	return err ? fail_print(o, v->name, step, &e) : EXIT_PASS;
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
