/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The network side of the map: netdevs, what stands on what, addresses.
 */
#ifndef TOPO_H
#define TOPO_H

#include <rdmascope/record.h>

#include "list.h"
#include "netrel.h"

/**
 * struct topo - the netdevs of this namespace
 * @root: prefix of all paths, "" as a rule
 * @loaded: the rest is filled
 * @addressed: @addrs is filled too; sysfs has no addresses
 * @netns: inode of the namespace, RSCOPE_NONE when not known
 * @netdevs: struct netdev, sorted by ifindex
 * @edges: struct netrel_edge
 * @addrs: struct netaddr
 */
struct topo {
	const char *root;
	bool loaded;
	bool addressed;
	u64 netns;
	struct list netdevs;
	struct list edges;
	struct list addrs;
};

int topo_load(struct topo *t, const char *root, bool sysfs);
void topo_free(struct topo *t);
const struct netdev *topo_netdev(const struct topo *t, const struct rscope_link *l);
int topo_bases(const struct topo *t, const struct rscope_link *l, struct list *bases);
int topo_serves(const struct topo *t, const struct rscope_link *l, const struct netdev *target,
		const struct netdev **base, struct list *path);

#endif /* TOPO_H */
