/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which netdev stands on which? Bonds, bridges, VLANs and so on as edges, and
 * walks along them.
 */
#ifndef NETREL_H
#define NETREL_H

#include "rtnl.h"

/**
 * struct netrel_edge - one netdev on another
 * @upper: ifindex
 * @lower: ifindex
 * @relation: "bond", "bridge", "vlan", "macvlan" and so on
 * @active: 1 when @lower is the active slave of @upper, 0 when it is not,
 *	RSCOPE_NONE where there is no such thing
 */
struct netrel_edge {
	u64 upper;
	u64 lower;
	char relation[16];
	u64 active;
};

/** enum netrel_way - along the edges or against them */
enum netrel_way { NETREL_UP, NETREL_DOWN };

/**
 * struct netrel_step - a netdev that a walk came to
 * @index: its ifindex
 * @from: position of the step before it, RSCOPE_NONE at the start
 * @edge: what was walked along
 */
struct netrel_step {
	u64 index;
	u64 from;
	struct netrel_edge edge;
};

int netrel_edges(const struct list *netdevs, struct list *edges);
int netrel_walk(const struct list *edges, u64 start, enum netrel_way way, struct list *steps);
int netrel_path(const struct list *edges, u64 from, u64 to, struct list *path);
const struct netrel_step *netrel_find(const struct list *steps, u64 index);

#endif /* NETREL_H */
