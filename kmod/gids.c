// SPDX-License-Identifier: GPL-2.0
/*
 * Which GIDs does a port have, on which netdevs, and which is best for a
 * loopback? One gid record per valid entry.
 */
#include <linux/if_vlan.h>
#include <rdma/ib_cache.h>
#include "compat.h"
#include "gidpick.h"
#include "gids.h"
#include "netdev.h"
#include "workload.h"

/* IB_GID_TYPE_IB and IB_GID_TYPE_ROCE share a value in older kernels. */
static enum rscope_gidt rscope_gid_port_type(const struct ib_gid_attr *attr)
{
	if (!rdma_protocol_roce(attr->device, attr->port_num))
		return RSCOPE_GIDT_IB;
	if (attr->gid_type == IB_GID_TYPE_ROCE_UDP_ENCAP)
		return RSCOPE_GIDT_ROCE_V2;
	return RSCOPE_GIDT_ROCE_V1;
}

/* Netdev part of an entry; none on InfiniBand ports. */
static void rscope_gid_netdev(struct rscope_gid *g, struct rscope_gidinfo *info,
			      const struct ib_gid_attr *attr, struct net_device *port_ndev)
{
	struct net_device *ndev;

	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(attr);
	if (!IS_ERR(ndev)) {
		strscpy(g->netdev, ndev->name, sizeof(g->netdev));
		g->netdev_index = ndev->ifindex;
		g->netdev_netns = rscope_netns(dev_net(ndev));
		info->has_netdev = true;
		info->netdev_up = ndev->flags & IFF_UP;
		info->port_netdev = rscope_netdev_belongs(ndev, port_ndev);
		if (is_vlan_dev(ndev))
			g->vlan = vlan_dev_vlan_id(ndev);
	}
	rcu_read_unlock();
}

/**
 * rscope_gid_fill() - describe one GID table entry
 * @g: record
 * @ib: device, kept registered by the caller
 * @port: valid port number
 * @index: index into the table
 * @port_ndev: netdev of the port, may be NULL
 *
 * The reference on the entry is held for this call only.
 *
 * Context: process.
 * Return: false when the entry is empty.
 */
bool rscope_gid_fill(struct rscope_gid *g, struct ib_device *ib, u32 port, u32 index,
		     struct net_device *port_ndev)
{
	const struct ib_gid_attr *attr = rdma_get_gid_attr(ib, port, index);
	struct rscope_gidinfo info = {};

	if (IS_ERR(attr))
		return false;
	rscope_record_clear(rscope_gid_fields, ARRAY_SIZE(rscope_gid_fields), g);
	g->ifindex = ib->index;
	strscpy(g->ifname, ib->name, sizeof(g->ifname));
	g->port = port;
	g->index = index;
	memcpy(info.raw, attr->gid.raw, sizeof(info.raw));
	info.type = rscope_gid_port_type(attr);
	info.index = index;
	rscope_gid_print(info.raw, g->gid, sizeof(g->gid));
	strscpy(g->type, rscope_words_GID_TYPES[info.type], sizeof(g->type));
	strscpy(g->scope, rscope_gid_scope(info.raw), sizeof(g->scope));
	rscope_gid_netdev(g, &info, attr, port_ndev);
	g->score = rscope_gid_score(&info);
	rdma_put_gid_attr(attr);
	return true;
}

static u32 rscope_gid_slots(struct ib_device *ib, u32 port)
{
	return ib->port_data[port].immutable.gid_tbl_len;
}

/**
 * rscope_gids_show() - one record per valid entry of a port
 * @b: destination
 * @ib: device, kept registered by the caller
 * @port: valid port number
 *
 * Context: may sleep.
 */
void rscope_gids_show(struct rscope_buf *b, struct ib_device *ib, u32 port)
{
	struct net_device *port_ndev = rscope_port_netdev(ib, port);
	u32 i, slots = rscope_gid_slots(ib, port);
	struct rscope_gid g;

	for (i = 0; i < slots; i++)
		if (rscope_gid_fill(&g, ib, port, i, port_ndev))
			rscope_buf_record(b, "gid", rscope_gid_fields,
					  ARRAY_SIZE(rscope_gid_fields), &g);
	if (port_ndev)
		dev_put(port_ndev);
}

/**
 * rscope_gid_best() - the entry a loopback should use
 * @ib: device, kept registered by the caller
 * @port: valid port number
 *
 * Context: process.
 * Return: index of the best entry an address vector can name, -ENODATA when
 * none is usable.
 */
int rscope_gid_best(struct ib_device *ib, u32 port)
{
	struct net_device *port_ndev = rscope_port_netdev(ib, port);
	u32 i, slots = min_t(u32, rscope_gid_slots(ib, port), RSCOPE_GID_SLOTS);
	struct rscope_gid g;
	u64 score = 0;
	int best = -ENODATA;

	for (i = 0; i < slots; i++) {
		if (!rscope_gid_fill(&g, ib, port, i, port_ndev) || g.score <= score)
			continue;
		score = g.score;
		best = i;
	}
	if (port_ndev)
		dev_put(port_ndev);
	return best;
}
