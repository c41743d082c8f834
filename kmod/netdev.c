// SPDX-License-Identifier: GPL-2.0
/*
 * What is there to know about a netdev? The keys netdev* of a link record.
 */
#include <linux/if_arp.h>
#include <net/net_namespace.h>
#include "netdev.h"

/* RFC 2863 ifOperStatus, in the order of IF_OPER_*. */
static const char *const rscope_oper_words[] = {
	"unknown", "notpresent", "down", "lowerlayerdown", "testing", "dormant", "up",
};

/**
 * rscope_netns() - number people know a network namespace by
 * @net: namespace
 *
 * Context: any; the caller keeps @net alive.
 * Return: inode of /proc/PID/ns/net of its members.
 */
u64 rscope_netns(const struct net *net)
{
	return net->ns.inum;
}

static void rscope_link_master(struct rscope_link *l, struct net_device *ndev)
{
	struct net_device *master;

	rcu_read_lock();
	master = netdev_master_upper_dev_get_rcu(ndev);
	if (master)
		strscpy(l->netdev_master, master->name, sizeof(l->netdev_master));
	rcu_read_unlock();
}

/**
 * rscope_link_netdev() - describe the netdev of a port
 * @l: record to fill
 * @ndev: netdev, referenced by the caller
 *
 * Names and states are read without rtnl, which a handler of ours never takes:
 * a record is a snapshot anyway.
 *
 * Context: process.
 */
void rscope_link_netdev(struct rscope_link *l, struct net_device *ndev)
{
	u8 oper = READ_ONCE(ndev->operstate);

	strscpy(l->netdev, ndev->name, sizeof(l->netdev));
	l->netdev_index = ndev->ifindex;
	l->netdev_netns = rscope_netns(dev_net(ndev));
	l->netdev_carrier = netif_carrier_ok(ndev);
	l->netdev_mtu_bytes = READ_ONCE(ndev->mtu);
	strscpy(l->netdev_admin, ndev->flags & IFF_UP ? "up" : "down", sizeof(l->netdev_admin));
	if (oper < ARRAY_SIZE(rscope_oper_words))
		strscpy(l->netdev_oper, rscope_oper_words[oper], sizeof(l->netdev_oper));
	if (ndev->addr_len)
		snprintf(l->netdev_addr, sizeof(l->netdev_addr), "%*phC", ndev->addr_len,
			 ndev->dev_addr);
	rscope_link_master(l, ndev);
}

/**
 * rscope_netdev_belongs() - is this a port's netdev or the bond above it?
 * @ndev: netdev of a GID
 * @port_ndev: netdev of the port, may be NULL
 *
 * Context: RCU read side or references on both.
 * Return: whether traffic of @ndev leaves through the port without a tag.
 */
bool rscope_netdev_belongs(struct net_device *ndev, struct net_device *port_ndev)
{
	bool same;

	if (!port_ndev)
		return false;
	rcu_read_lock();
	same = ndev == port_ndev || netdev_master_upper_dev_get_rcu(port_ndev) == ndev;
	rcu_read_unlock();
	return same;
}
