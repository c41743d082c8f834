/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The network devices of this namespace, by rtnetlink.
 */
#ifndef RTNL_H
#define RTNL_H

#include <rdmascope/record.h>

#include "list.h"

/**
 * struct netdev - one network device
 * @index: its ifindex
 * @name: its name
 * @up: IFF_UP
 * @carrier: IFLA_CARRIER, RSCOPE_NONE when not told
 * @oper: operational state
 * @mtu: bytes
 * @addr: link-layer address, "" when there is none
 * @master: ifindex of its upper device, 0 when there is none
 * @vlan: VLAN id, RSCOPE_NONE when it is none
 * @link: ifindex of the netdev it stands on, or of its peer; 0 when there is none here
 * @type: ARPHRD_*
 * @kind: "bond", "vlan" and so on, "" for hardware
 * @slave_kind: what its master is
 * @active: 1 when it is the active slave of its bond, RSCOPE_NONE when it is no slave
 * @pkey: partition key of an IPoIB netdev, else RSCOPE_NONE
 */
struct netdev {
	u64 index;
	char name[16];
	bool up;
	u64 carrier;
	u32 oper;
	u64 mtu;
	char addr[64];
	u64 master;
	u64 vlan;
	u64 link;
	u32 type;
	char kind[16];
	char slave_kind[16];
	u64 active;
	u64 pkey;
};

#define NETDEV_BLANK \
	{ .carrier = RSCOPE_NONE, .mtu = RSCOPE_NONE, .vlan = RSCOPE_NONE, \
	  .active = RSCOPE_NONE, .pkey = RSCOPE_NONE }

int rtnl_load(struct list *netdevs);
void rtnl_sort(struct list *netdevs);
u64 rtnl_netns(void);
const struct netdev *rtnl_by_index(const struct list *netdevs, u64 index);
const struct netdev *rtnl_by_name(const struct list *netdevs, const char *name);
void rtnl_fill_link(const struct list *netdevs, struct rscope_link *l);

#endif /* RTNL_H */
