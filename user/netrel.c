// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "netrel.h"

/* The link of these is their other end, not what they stand on. */
static bool is_pair(const struct netdev *d)
{
	return !strcmp(d->kind, "veth") || !strcmp(d->kind, "vxcan") || !strcmp(d->kind, "netkit");
}

static int add_edge(struct list *edges, u64 upper, u64 lower, const char *relation, u64 active)
{
	struct netrel_edge edge = { .upper = upper, .lower = lower, .active = active };

	snprintf(edge.relation, sizeof(edge.relation), "%s", *relation ? relation : "upper");
	return list_add(edges, &edge);
}

static int add_master(const struct list *netdevs, const struct netdev *d, struct list *edges)
{
	const struct netdev *master = rtnl_by_index(netdevs, d->master);

	if (!master)
		return 0;
	return add_edge(edges, master->index, d->index,
			*d->slave_kind ? d->slave_kind : master->kind, d->active);
}

static int add_link(const struct list *netdevs, const struct netdev *d, struct list *edges)
{
	if (!d->link || d->link == d->index || is_pair(d) || !rtnl_by_index(netdevs, d->link))
		return 0;
	return add_edge(edges, d->index, d->link, d->kind, RSCOPE_NONE);
}

/**
 * netrel_edges() - what stands on what
 * @netdevs: of rtnl_load() or sysnet_load()
 * @edges: list of struct netrel_edge, added to
 *
 * Return: 0 or -ENOMEM.
 */
int netrel_edges(const struct list *netdevs, struct list *edges)
{
	int err = 0;

	list_each(struct netdev, d, netdevs) {
		err = err ? err : add_master(netdevs, d, edges);
		err = err ? err : add_link(netdevs, d, edges);
	}
	return err;
}

static int add_step(struct list *steps, const struct netrel_edge *edge, u64 index, u64 from)
{
	struct netrel_step step = { .index = index, .from = from, .edge = *edge };

	/* Reached twice: the shorter way is there already. */
	return netrel_find(steps, index) ? 0 : list_add(steps, &step);
}

static int add_next(const struct list *edges, u64 index, enum netrel_way way, u64 from,
		    struct list *steps)
{
	int err = 0;

	list_each(struct netrel_edge, edge, edges) {
		if (err || (way == NETREL_UP ? edge->lower : edge->upper) != index)
			continue;
		err = add_step(steps, edge, way == NETREL_UP ? edge->upper : edge->lower, from);
	}
	return err;
}

/**
 * netrel_walk() - everything above or below a netdev
 * @edges: of netrel_edges()
 * @start: its ifindex
 * @way: up or down
 * @steps: list of struct netrel_step, added to, the nearest first
 *
 * Return: 0 or -ENOMEM.
 */
int netrel_walk(const struct list *edges, u64 start, enum netrel_way way, struct list *steps)
{
	int err = add_next(edges, start, way, RSCOPE_NONE, steps);
	size_t i;

	for (i = 0; !err && i < steps->n; i++)
		err = add_next(edges, list_at(struct netrel_step, steps, i)->index, way, i, steps);
	return err;
}

/**
 * netrel_find() - was a netdev reached?
 * @steps: of netrel_walk()
 * @index: its ifindex
 *
 * Return: the step that came there, NULL when none did.
 */
const struct netrel_step *netrel_find(const struct list *steps, u64 index)
{
	list_each(struct netrel_step, step, steps)
		if (step->index == index)
			return step;
	return NULL;
}

static int take_path(const struct list *steps, const struct netrel_step *last, struct list *path)
{
	int err = 0;

	if (last->from != RSCOPE_NONE)
		err = take_path(steps, list_at(struct netrel_step, steps, last->from), path);
	return err ? err : list_add(path, last);
}

static int path_along(const struct list *edges, u64 from, u64 to, enum netrel_way way,
		      struct list *path)
{
	struct list steps = LIST(struct netrel_step);
	int err = netrel_walk(edges, from, way, &steps);
	const struct netrel_step *last = err ? NULL : netrel_find(&steps, to);

	if (last)
		err = take_path(&steps, last, path);
	list_free(&steps);
	return err ? err : last ? 0 : -ENOENT;
}

/**
 * netrel_path() - how one netdev stands on another, or the other way round
 * @edges: of netrel_edges()
 * @from: ifindex
 * @to: ifindex
 * @path: list of struct netrel_step, added to: what comes after @from, up to @to
 *
 * Return: 0, -ENOENT when neither is above the other, -ENOMEM.
 */
int netrel_path(const struct list *edges, u64 from, u64 to, struct list *path)
{
	int err = path_along(edges, from, to, NETREL_UP, path);

	return err == -ENOENT ? path_along(edges, from, to, NETREL_DOWN, path) : err;
}
