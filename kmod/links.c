// SPDX-License-Identifier: GPL-2.0
/*
 * Which netdev does an RDMA port belong to, and how are both? One link record
 * per port.
 */
#include <linux/module.h>
#include <rdma/ib_cache.h>
#include "compat.h"
#include "linkjudge.h"
#include "links.h"
#include "netdev.h"

/* The words of `rdma link`, which this must agree with. */
static const char *const rscope_port_states[] = {
	"NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER",
};

static const char *const rscope_phys_states[] = {
	"NOP", "SLEEP", "POLLING", "DISABLED", "ARMED", "LINK_UP",
	"LINK_ERROR_RECOVER", "PHY_TEST", "UNKNOWN", "OPA_OFFLINE", "UNKNOWN", "OPA_TEST",
};

/* Speed of a lane as drivers/infiniband/core/sysfs.c counts it, in Mb/s. */
static const struct {
	u32 speed;
	u32 mbps;
} rscope_lane_speeds[] = {
	{ IB_SPEED_SDR, 2500 }, { IB_SPEED_DDR, 5000 }, { IB_SPEED_QDR, 10000 },
	{ IB_SPEED_FDR10, 10000 }, { IB_SPEED_FDR, 14000 }, { IB_SPEED_EDR, 25000 },
	{ IB_SPEED_HDR, 50000 }, { 128 /* NDR */, 100000 }, { 256 /* XDR */, 200000 },
};

static const char *rscope_word(const char *const *words, u32 n, u32 i)
{
	return i < n ? words[i] : "UNKNOWN";
}

static u32 rscope_lane_mbps(u32 speed)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rscope_lane_speeds); i++)
		if (rscope_lane_speeds[i].speed == speed)
			return rscope_lane_speeds[i].mbps;
	return 0;
}

/**
 * rscope_port_protocol() - what a port speaks
 * @ib: device
 * @port: port number
 *
 * Context: any.
 * Return: RSCOPE_PROTO_NONE for EFA, representors and raw packet ports.
 */
enum rscope_proto rscope_port_protocol(const struct ib_device *ib, u32 port)
{
	if (rdma_protocol_roce(ib, port))
		return RSCOPE_PROTO_ROCE;
	if (rdma_protocol_ib(ib, port))
		return RSCOPE_PROTO_IB;
	if (rdma_protocol_iwarp(ib, port))
		return RSCOPE_PROTO_IWARP;
	return RSCOPE_PROTO_NONE;
}

static const char *rscope_link_layer(struct ib_device *ib, u32 port)
{
	switch (rdma_port_get_link_layer(ib, port)) {
	case IB_LINK_LAYER_INFINIBAND:
		return "infiniband";
	case IB_LINK_LAYER_ETHERNET:
		return "ethernet";
	default:
		return "unspecified";
	}
}

/**
 * rscope_driver_name() - driver module of a device
 * @ib: device
 * @to: destination
 * @size: of @to
 *
 * Context: any; the device is registered, so its driver stays loaded.
 */
void rscope_driver_name(const struct ib_device *ib, char *to, size_t size)
{
	if (ib->ops.owner)
		strscpy(to, module_name(ib->ops.owner), size);
	else if (ib->dev.parent && ib->dev.parent->driver)
		strscpy(to, ib->dev.parent->driver->name, size);
	else
		to[0] = '\0';
}

/**
 * rscope_guid_print() - write a GUID, or half a GID, as rdma(8) does
 * @guid: host order
 * @to: destination
 * @size: of @to, at least 20
 *
 * Context: any.
 */
void rscope_guid_print(u64 guid, char *to, size_t size)
{
	snprintf(to, size, "%04x:%04x:%04x:%04x", (u32)(guid >> 48), (u32)(guid >> 32) & 0xffff,
		 (u32)(guid >> 16) & 0xffff, (u32)guid & 0xffff);
}

static void rscope_link_attr(struct rscope_link *l, const struct ib_port_attr *a)
{
	int width = ib_width_enum_to_int(a->active_width);
	u32 mbps = rscope_lane_mbps(a->active_speed);

	strscpy(l->state, rscope_word(rscope_port_states, ARRAY_SIZE(rscope_port_states), a->state),
		sizeof(l->state));
	strscpy(l->physical_state,
		rscope_word(rscope_phys_states, ARRAY_SIZE(rscope_phys_states), a->phys_state),
		sizeof(l->physical_state));
	if (width > 0)
		snprintf(l->width, sizeof(l->width), "%dX", width);
	if (width > 0 && mbps)
		l->rate_mbps = (u64)width * mbps;
	l->active_mtu_bytes = ib_mtu_enum_to_int(a->active_mtu);
	l->max_mtu_bytes = ib_mtu_enum_to_int(a->max_mtu);
	l->lid = a->lid;
	l->sm_lid = a->sm_lid;
	l->gids = a->gid_tbl_len;
}

/* Out of the first GID: the port attributes may have 0. */
static void rscope_link_prefix(struct rscope_link *l, struct ib_device *ib, u32 port)
{
	union ib_gid gid;

	if (rdma_protocol_ib(ib, port) && !rdma_query_gid(ib, port, 0, &gid))
		rscope_guid_print(be64_to_cpu(gid.global.subnet_prefix), l->subnet_prefix,
				  sizeof(l->subnet_prefix));
}

/**
 * rscope_link_fill() - describe one port
 * @l: record
 * @ib: device, kept registered by the caller
 * @port: valid port number
 *
 * Reference on the netdev held for this call only, so that nothing of ours
 * delays `ip link del`.
 *
 * Context: may sleep; drivers take rtnl in their port query.
 */
void rscope_link_fill(struct rscope_link *l, struct ib_device *ib, u32 port)
{
	struct ib_port_attr attr = {};
	struct net_device *ndev;

	rscope_record_clear(rscope_link_fields, ARRAY_SIZE(rscope_link_fields), l);
	l->ifindex = ib->index;
	strscpy(l->ifname, ib->name, sizeof(l->ifname));
	l->port = port;
	l->netns = rscope_netns(read_pnet(&ib->coredev.rdma_net));
	strscpy(l->protocol, rscope_words_PROTOCOLS[rscope_port_protocol(ib, port)],
		sizeof(l->protocol));
	strscpy(l->link_layer, rscope_link_layer(ib, port), sizeof(l->link_layer));
	rscope_driver_name(ib, l->driver, sizeof(l->driver));
	strscpy(l->kverbs, ib->kverbs_provider ? "yes" : "no", sizeof(l->kverbs));
	if (!ib_query_port(ib, port, &attr))
		rscope_link_attr(l, &attr);
	rscope_link_prefix(l, ib, port);
	ndev = rscope_port_netdev(ib, port);
	if (ndev) {
		rscope_link_netdev(l, ndev);
		dev_put(ndev);
	}
	rscope_link_judge(l);
}
