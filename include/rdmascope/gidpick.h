/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which GID is best for a loopback on a RoCE port? One rule for the module,
 * the user path and the map.
 */
#ifndef RDMASCOPE_GIDPICK_H
#define RDMASCOPE_GIDPICK_H

#include "abi.h"
#include "env.h"

/**
 * struct rscope_gidinfo - what the rule looks at
 * @raw: the GID, network order
 * @type: enum rscope_gidt
 * @index: in the port's table
 * @has_netdev: the entry names a netdev
 * @netdev_up: that netdev is administratively up
 * @port_netdev: it is the port's own netdev or its bond master
 */
struct rscope_gidinfo {
	u8 raw[16];
	u8 type;
	u32 index;
	bool has_netdev;
	bool netdev_up;
	bool port_netdev;
};

static inline bool rscope_gid_is_zero(const u8 *raw)
{
	static const u8 zero[16];

	return !memcmp(raw, zero, 16);
}

static inline bool rscope_gid_is_ipv4(const u8 *raw)
{
	static const u8 mapped[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(raw, mapped, 12);
}

static inline bool rscope_gid_is_link_local(const u8 *raw)
{
	return raw[0] == 0xfe && (raw[1] & 0xc0) == 0x80;
}

/**
 * rscope_gid_scope() - word for the reach of a GID
 * @raw: the GID, network order
 *
 * Return: "zero", "ipv4", "link-local" or "global".
 */
static inline const char *rscope_gid_scope(const u8 *raw)
{
	if (rscope_gid_is_zero(raw))
		return "zero";
	if (rscope_gid_is_ipv4(raw))
		return "ipv4";
	return rscope_gid_is_link_local(raw) ? "link-local" : "global";
}

/**
 * rscope_gid_score() - how good an entry is for a loopback
 * @g: the entry
 *
 * RoCE v2 over v1 (v1 is not routed), addresses that routers know over
 * link-local ones (the default GID exists even where IPv6 is disabled, and
 * then nothing sent from it arrives), the port's own netdev over a VLAN or
 * macvlan on top of it. Equal scores: the lowest index wins.
 *
 * A port that is not RoCE addresses itself by LID or IP; where InfiniBand asks
 * for a global header as well, it takes the first entry, which has no netdev.
 *
 * Return: 0 for an entry that cannot work: zero GID, no netdev (its MAC is the
 * destination of a loopback), netdev down; else 1 for the first entry of a port
 * that is not RoCE, 2..9 on RoCE, more is better.
 */
static inline u32 rscope_gid_score(const struct rscope_gidinfo *g)
{
	u32 class;

	if (rscope_gid_is_zero(g->raw))
		return 0;
	if (g->type == RSCOPE_GIDT_IB)
		return !g->index;
	if (!g->has_netdev || !g->netdev_up)
		return 0;
	if (g->type != RSCOPE_GIDT_ROCE_V2)
		class = 1;
	else if (rscope_gid_is_link_local(g->raw))
		class = 2;
	else
		class = rscope_gid_is_ipv4(g->raw) ? 4 : 3;
	return class * 2 + g->port_netdev;
}

/**
 * rscope_gid_print() - write a GID as `rdma` and sysfs do
 * @raw: the GID, network order
 * @to: destination
 * @size: of @to, at least 40
 */
static inline void rscope_gid_print(const u8 *raw, char *to, size_t size)
{
	snprintf(to, size,
		 "%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x:%02x%02x",
		 raw[0], raw[1], raw[2], raw[3], raw[4], raw[5], raw[6], raw[7], raw[8], raw[9],
		 raw[10], raw[11], raw[12], raw[13], raw[14], raw[15]);
}

#endif /* RDMASCOPE_GIDPICK_H */
