// SPDX-License-Identifier: GPL-2.0
/*
 * How does a port address itself? GID with its netdev's own MAC on RoCE, LID
 * on InfiniBand. No reference is kept: the entry is looked up again when the
 * address vector is made, and the QP then holds its own.
 */
#include <linux/etherdevice.h>
#include <rdma/ib_cache.h>
#include "addr.h"
#include "compat.h"
#include "gids.h"

static int rscope_addr_mtu(struct rscope_addr *a, const struct rscope_workload *w,
			   const struct ib_port_attr *attr, struct rscope_error *e)
{
	int active = ib_mtu_enum_to_int(attr->active_mtu);

	a->mtu = attr->active_mtu;
	if (!w->mtu)
		return 0;
	if (w->mtu > active)
		return rscope_fail(e, -ERANGE, "mtu=%lld exceeds the port's active MTU %d", w->mtu,
				   active);
	a->mtu = ib_mtu_int_to_enum(w->mtu);
	return 0;
}

static int rscope_addr_gid(struct rscope_addr *a, const struct rscope_workload *w, int slots,
			   struct rscope_error *e)
{
	struct net_device *port_ndev;
	int index = w->gid_index;
	bool found;

	if (index < 0)
		index = rscope_gid_best(a->ib, a->port);
	if (index < 0)
		return rscope_fail(e, -ENODATA,
				   "no usable GID: the netdev needs to be up and have an address");
	if (index >= slots)
		return rscope_fail(e, -ENODATA, "gid_index=%d: the table has %d entries", index,
				   slots);
	port_ndev = rscope_port_netdev(a->ib, a->port);
	found = rscope_gid_fill(&a->gid, a->ib, a->port, index, port_ndev);
	if (port_ndev)
		dev_put(port_ndev);
	if (!found)
		return rscope_fail(e, -ENODATA, "gid_index=%d: the entry is empty, table of %d",
				   index, slots);
	if (!a->gid.score)
		return rscope_fail(e, -ENODATA, "gid_index=%d: its netdev is missing or down",
				   index);
	a->gid_index = index;
	return 0;
}

/* Two limited members of a partition cannot talk: find a full one, bit 15. */
static int rscope_addr_pkey(struct rscope_addr *a, int slots, struct rscope_error *e)
{
	int i;
	u16 pkey;

	for (i = 0; i < slots; i++) {
		if (ib_get_cached_pkey(a->ib, a->port, i, &pkey) || !(pkey & 0x8000))
			continue;
		a->pkey_index = i;
		return 0;
	}
	return rscope_fail(e, -ENODATA, "no full-member P_Key in a table of %d", slots);
}

static int rscope_addr_lid(struct rscope_addr *a, const struct ib_port_attr *attr,
			   struct rscope_error *e)
{
	a->lid = attr->lid;
	if (!a->lid)
		return rscope_fail(e, -ENETDOWN,
				   "the port has no LID: no subnet manager has seen it");
	return rscope_addr_pkey(a, attr->pkey_tbl_len, e);
}

/**
 * rscope_addr_resolve() - find the address of a loopback
 * @a: result
 * @ib: device, kept registered by the caller
 * @port: port number
 * @w: workload: mtu, gid_index
 * @e: reason
 *
 * Context: may sleep.
 * Return: 0, -ENETDOWN when the port is not ACTIVE, -ENODATA without a usable
 * GID or P_Key, -ERANGE for an MTU above the active one.
 */
int rscope_addr_resolve(struct rscope_addr *a, struct ib_device *ib, u32 port,
			const struct rscope_workload *w, struct rscope_error *e)
{
	struct ib_port_attr attr = {};
	int err = ib_query_port(ib, port, &attr);

	memset(a, 0, sizeof(*a));
	a->ib = ib;
	a->port = port;
	if (err)
		return rscope_fail(e, err, "the driver cannot query the port: %d", err);
	if (attr.state != IB_PORT_ACTIVE)
		return rscope_fail(e, -ENETDOWN, "the port is not ACTIVE: is its netdev up?");
	err = rscope_addr_mtu(a, w, &attr, e);
	if (err)
		return err;
	if (rdma_protocol_roce(ib, port))
		return rscope_addr_gid(a, w, attr.gid_tbl_len, e);
	return rscope_addr_lid(a, &attr, e);
}

/*
 * The core does not resolve the MAC for kernel QPs (ib_modify_qp in
 * core/verbs.c). For a loopback it is the own MAC of the entry's netdev. Flow
 * label 0 keeps the core from asking a bond for a slave.
 */
static int rscope_addr_ah_roce(const struct rscope_addr *a, struct rdma_ah_attr *ah)
{
	const struct ib_gid_attr *attr = rdma_get_gid_attr(a->ib, a->port, a->gid_index);
	union ib_gid dgid;
	u8 mac[ETH_ALEN];
	u16 vlan;
	int err;

	if (IS_ERR(attr))
		return PTR_ERR(attr);
	err = rdma_read_gid_l2_fields(attr, &vlan, mac);
	if (err) {
		rdma_put_gid_attr(attr);
		return err;
	}
	dgid = attr->gid;
	rdma_move_grh_sgid_attr(ah, &dgid, 0, 64, 0, attr);
	ether_addr_copy(ah->roce.dmac, mac);
	return 0;
}

static int rscope_addr_ah_ib(const struct rscope_addr *a, struct rdma_ah_attr *ah)
{
	const struct ib_gid_attr *attr;
	union ib_gid dgid;

	rdma_ah_set_dlid(ah, a->lid);
	if (!rdma_is_grh_required(a->ib, a->port))
		return 0;
	attr = rdma_get_gid_attr(a->ib, a->port, 0);
	if (IS_ERR(attr))
		return PTR_ERR(attr);
	dgid = attr->gid;
	rdma_move_grh_sgid_attr(ah, &dgid, 0, 64, 0, attr);
	return 0;
}

/**
 * rscope_addr_ah() - address vector of the port's own self
 * @a: resolved address
 * @ah: result; the caller ends its reference with rdma_destroy_ah_attr()
 *
 * Context: process.
 * Return: 0, or -ENODATA when the GID has vanished meanwhile.
 */
int rscope_addr_ah(const struct rscope_addr *a, struct rdma_ah_attr *ah)
{
	memset(ah, 0, sizeof(*ah));
	ah->type = rdma_ah_find_type(a->ib, a->port);
	rdma_ah_set_port_num(ah, a->port);
	if (rdma_protocol_roce(a->ib, a->port))
		return rscope_addr_ah_roce(a, ah);
	return rscope_addr_ah_ib(a, ah);
}
