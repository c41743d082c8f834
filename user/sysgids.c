// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The GID table out of sysfs, scored by the rule module and tool share.
 */
#include <unistd.h>

#include <rdmascope/gidpick.h>
#include <rdmascope/workload.h>

#include "facts.h"
#include "rtnl.h"
#include "sysfs.h"
#include "sysread.h"

#define PORT "/sys/class/infiniband/%s/ports/%llu"

/* Eight groups of four hexadecimal digits. */
static bool parse_gid(const char *text, u8 *raw)
{
	unsigned int v;
	int i, used;

	for (i = 0; i < 8; i++, text += used) {
		if (sscanf(text, i ? ":%4x%n" : "%4x%n", &v, &used) != 1)
			return false;
		raw[2 * i] = (u8)(v >> 8);
		raw[2 * i + 1] = (u8)v;
	}
	return !*text;
}

/* "IB/RoCE v1" is RoCE v1 on a RoCE port and nothing of RoCE on any other. */
static u8 parse_type(const char *text, const struct rscope_link *l)
{
	if (!strcmp(text, "RoCE v2"))
		return RSCOPE_GIDT_ROCE_V2;
	return !strcmp(l->protocol, "roce") ? RSCOPE_GIDT_ROCE_V1 : RSCOPE_GIDT_IB;
}

static void score(struct rscope_gid *g, const struct rscope_link *l, struct rscope_gidinfo *info,
		  const struct netdev *d)
{
	info->has_netdev = *g->netdev;
	info->netdev_up = d && d->up;
	info->port_netdev = !strcmp(g->netdev, l->netdev) ||
			    (*l->netdev_master && !strcmp(g->netdev, l->netdev_master));
	g->score = rscope_gid_score(info);
}

static bool read_gid(const char *root, int dir, const struct rscope_link *l, u64 i,
		     struct rscope_gid *g, const struct list *netdevs)
{
	struct rscope_gidinfo info = { 0 };
	const struct netdev *d;
	char gid[sizeof(g->gid)], slot[24], type[32];

	/* Most slots are empty: nothing but this is done for them. */
	snprintf(slot, sizeof(slot), "%llu", i);
	if (facts_line_at(dir, slot, gid, sizeof(gid)) <= 0 || !gid[strspn(gid, "0:")] ||
	    !parse_gid(gid, info.raw))
		return false;
	rscope_record_clear(rscope_gid_fields, ARRAY_SIZE(rscope_gid_fields), g);
	snprintf(g->gid, sizeof(g->gid), "%s", gid);
	sysread_line(type, sizeof(type), root, PORT "/gid_attrs/types/%llu", l->ifname, l->port, i);
	sysread_line(g->netdev, sizeof(g->netdev), root, PORT "/gid_attrs/ndevs/%llu", l->ifname,
		     l->port, i);
	info.type = parse_type(type, l);
	info.index = (u32)i;
	d = *g->netdev ? rtnl_by_name(netdevs, g->netdev) : NULL;
	g->ifindex = l->ifindex;
	snprintf(g->ifname, sizeof(g->ifname), "%s", l->ifname);
	g->port = l->port;
	g->index = i;
	snprintf(g->type, sizeof(g->type), "%s", rscope_words_GID_TYPES[info.type]);
	snprintf(g->scope, sizeof(g->scope), "%s", rscope_gid_scope(info.raw));
	g->netdev_index = d ? d->index : RSCOPE_NONE;
	g->netdev_netns = d ? l->netdev_netns : RSCOPE_NONE;
	g->vlan = d ? d->vlan : RSCOPE_NONE;
	score(g, l, &info, d);
	return true;
}

/**
 * sysfs_gids() - GID table of a port
 * @root: prefix
 * @l: the port, netdev and link layer known
 * @netdevs: of rtnl_load(), also for their state
 * @gids: list of struct rscope_gid, added to
 *
 * Return: 0 or -ENOMEM.
 */
int sysfs_gids(const char *root, const struct rscope_link *l, const struct list *netdevs,
	       struct list *gids)
{
	int dir = sysread_open(root, PORT "/gids", l->ifname, l->port), err = 0;
	struct rscope_gid g;
	u64 i;

	if (dir < 0)
		return 0;
	for (i = 0; !err && l->gids != RSCOPE_NONE && i < l->gids; i++)
		if (read_gid(root, dir, l, i, &g, netdevs))
			err = list_add(gids, &g);
	close(dir);
	return err;
}
