// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Which port and which GID does a run use when the user did not say?
 */
#include "pick.h"

#include "map.h"
#include "rtnl.h"
#include "sysfs.h"

static bool active(const struct rscope_link *l)
{
	return !strcmp(l->state, "ACTIVE");
}

static void name_ports(const struct list *links, bool only_active, char *to, size_t size)
{
	struct rscope_text t = { .buf = to, .size = size };

	to[0] = '\0';
	list_each(struct rscope_link, l, links) {
		if (only_active && !active(l))
			continue;
		rscope_putc(&t, ' ');
		rscope_put_value(&t, l->ifname);
		rscope_putc(&t, '/');
		rscope_putu(&t, l->port);
	}
}

static int choose(const struct map *m, struct rscope_link *l, struct rscope_error *e)
{
	char names[128];
	size_t n = 0;

	/* A port that was named is used as it is; the run tells what is wrong. */
	if (m->items.n == 1 && *m->dev) {
		*l = *list_at(struct rscope_link, &m->items, 0);
		return 0;
	}
	list_each(struct rscope_link, it, &m->items)
		if (active(it) && !n++)
			*l = *it;
	if (n == 1)
		return 0;
	name_ports(&m->items, n, names, sizeof(names));
	if (n)
		return rscope_fail(e, -ENOTUNIQ, "several ports are ACTIVE:%s", names);
	if (m->items.n)
		return rscope_fail(e, -ENETDOWN, "no port is ACTIVE:%s", names);
	return rscope_fail(e, -ENODEV, "there is no RDMA device");
}

/**
 * pick_port() - the port of a run
 * @root: prefix
 * @dev: device, "" when not named
 * @port: port, 0 when not named
 * @l: result
 * @source: where it was read
 * @e: reason
 *
 * A port that is not named must be the only ACTIVE one.
 *
 * Return: 0, -ENODEV, -ENOTUNIQ for several, -ENETDOWN for none.
 */
int pick_port(const char *root, const char *dev, unsigned int port, struct rscope_link *l,
	      const char **source, struct rscope_error *e)
{
	struct map m = { .root = root, .dev = dev, .port = port };
	int err = map_links(&m, e);

	*source = m.source;
	if (!err)
		err = choose(&m, l, e);
	map_free(&m);
	return err;
}

static const struct rscope_gid *best_gid(const struct list *gids, s64 index)
{
	const struct rscope_gid *best = NULL;

	list_each(struct rscope_gid, g, gids) {
		if (g->index >= RSCOPE_GID_SLOTS)
			continue;
		if (index >= 0 && g->index == (u64)index)
			return g;
		if (index < 0 && g->score && (!best || g->score > best->score))
			best = g;
	}
	return best;
}

/**
 * pick_gid() - the GID of a run
 * @root: prefix
 * @l: the port
 * @index: index asked for, -1 for the best
 * @g: result
 * @e: reason
 *
 * Reads sysfs, which has the kernel's own table and needs no privilege.
 *
 * Return: 0, -ERANGE beyond the table, -ENODATA for an empty slot or no usable
 * entry at all.
 */
int pick_gid(const char *root, const struct rscope_link *l, s64 index, struct rscope_gid *g,
	     struct rscope_error *e)
{
	struct map m = { .root = root, .forced = *root ? "sysfs" : "netlink", .dev = l->ifname,
			 .port = (unsigned int)l->port };
	const struct rscope_gid *best;
	int err;

	if (index >= 0 && l->gids != RSCOPE_NONE && (u64)index >= l->gids)
		return rscope_fail(e, -ERANGE, "gid_index=%lld: table of %s/%llu has %llu entries",
				   index, l->ifname, l->port, l->gids);
	err = map_gids(&m, e);
	if (err)
		return err;
	best = best_gid(&m.items, index);
	if (best)
		*g = *best;
	else if (index >= 0)
		err = rscope_fail(e, -ENODATA, "gid_index=%lld: empty slot", index);
	else
		err = rscope_fail(e, -ENODATA, "%s/%llu: none of %zu GIDs is usable", l->ifname,
				  l->port, m.items.n);
	map_free(&m);
	return err;
}
