/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. What a mapping record says about a netdev. */
#ifndef RSCOPE_NETDEV_H
#define RSCOPE_NETDEV_H

#include <linux/netdevice.h>
#include "record.h"

u64 rscope_netns(const struct net *net);
void rscope_link_netdev(struct rscope_link *l, struct net_device *ndev);
bool rscope_netdev_belongs(struct net_device *ndev, struct net_device *port_ndev);

#endif /* RSCOPE_NETDEV_H */
