// SPDX-License-Identifier: GPL-2.0
/*
 * What is a device and what are its limits? The content of <dev>/device.
 */
#include <linux/device.h>
#include "device.h"
#include "links.h"
#include "netdev.h"

#define RSCOPE_KVERB(verb) { #verb, offsetof(struct ib_device, ops.verb) }

/*
 * The verbs drivers/infiniband/core/device.c demands before it calls a driver
 * a provider of kernel verbs (setup_device / ib_device_check_mandatory).
 */
static const struct {
	const char *name;
	size_t offset;
} rscope_kverbs[] = {
	RSCOPE_KVERB(query_device), RSCOPE_KVERB(query_port), RSCOPE_KVERB(alloc_pd),
	RSCOPE_KVERB(dealloc_pd), RSCOPE_KVERB(create_qp), RSCOPE_KVERB(modify_qp),
	RSCOPE_KVERB(destroy_qp), RSCOPE_KVERB(post_send), RSCOPE_KVERB(post_recv),
	RSCOPE_KVERB(create_cq), RSCOPE_KVERB(destroy_cq), RSCOPE_KVERB(poll_cq),
	RSCOPE_KVERB(req_notify_cq), RSCOPE_KVERB(get_dma_mr), RSCOPE_KVERB(reg_user_mr),
	RSCOPE_KVERB(dereg_mr), RSCOPE_KVERB(get_port_immutable),
};

static const char *const rscope_node_types[] = {
	[RDMA_NODE_IB_CA] = "ca", [RDMA_NODE_IB_SWITCH] = "switch",
	[RDMA_NODE_IB_ROUTER] = "router", [RDMA_NODE_RNIC] = "rnic",
	[RDMA_NODE_USNIC] = "usnic", [RDMA_NODE_USNIC_UDP] = "usnic_udp",
	[RDMA_NODE_UNSPECIFIED] = "unspecified",
};

static const char *const rscope_atomic_caps[] = {
	[IB_ATOMIC_NONE] = "none", [IB_ATOMIC_HCA] = "hca", [IB_ATOMIC_GLOB] = "glob",
};

/**
 * rscope_kverb_missing() - why kernel consumers cannot use a device
 * @ib: device
 *
 * Context: any.
 * Return: name of the first mandatory verb its driver lacks, NULL when it has
 * all of them.
 */
const char *rscope_kverb_missing(const struct ib_device *ib)
{
	u32 i;

	if (ib->kverbs_provider)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(rscope_kverbs); i++)
		if (!*(void *const *)((const char *)ib + rscope_kverbs[i].offset))
			return rscope_kverbs[i].name;
	return "unknown";
}

static void rscope_device_limits(struct rscope_device *d, const struct ib_device_attr *a)
{
	d->max_qp = (u32)a->max_qp;
	d->max_qp_wr = (u32)a->max_qp_wr;
	d->max_send_sge = (u32)a->max_send_sge;
	d->max_recv_sge = (u32)a->max_recv_sge;
	d->max_cq = (u32)a->max_cq;
	d->max_cqe = (u32)a->max_cqe;
	d->max_mr = (u32)a->max_mr;
	d->max_mr_bytes = a->max_mr_size;
	d->max_fast_reg_pages = a->max_fast_reg_page_list_len;
	d->max_qp_rd_atom = (u32)a->max_qp_rd_atom;
	d->max_qp_init_rd_atom = (u32)a->max_qp_init_rd_atom;
	if (a->atomic_cap < ARRAY_SIZE(rscope_atomic_caps))
		strscpy(d->atomic, rscope_atomic_caps[a->atomic_cap], sizeof(d->atomic));
	strscpy(d->fast_reg,
		a->device_cap_flags & IB_DEVICE_MEM_MGT_EXTENSIONS ? "yes" : "no",
		sizeof(d->fast_reg));
}

static void rscope_device_parent(struct rscope_device *d, struct ib_device *ib)
{
	if (!ib->dev.parent)
		return;
	strscpy(d->parent, dev_name(ib->dev.parent), sizeof(d->parent));
	if (dev_to_node(ib->dev.parent) != NUMA_NO_NODE)
		d->numa_node = dev_to_node(ib->dev.parent);
}

/**
 * rscope_device_fill() - describe a device
 * @d: record
 * @ib: device, kept registered by the caller
 *
 * Context: may sleep.
 */
void rscope_device_fill(struct rscope_device *d, struct ib_device *ib)
{
	const char *missing = rscope_kverb_missing(ib);
	char fw[IB_FW_VERSION_NAME_MAX] = "";

	rscope_record_clear(rscope_device_fields, ARRAY_SIZE(rscope_device_fields), d);
	d->ifindex = ib->index;
	strscpy(d->ifname, ib->name, sizeof(d->ifname));
	rscope_driver_name(ib, d->driver, sizeof(d->driver));
	if (ib->node_type < ARRAY_SIZE(rscope_node_types) && rscope_node_types[ib->node_type])
		strscpy(d->node_type, rscope_node_types[ib->node_type], sizeof(d->node_type));
	rscope_guid_print(be64_to_cpu(ib->node_guid), d->node_guid, sizeof(d->node_guid));
	rscope_guid_print(be64_to_cpu(ib->attrs.sys_image_guid), d->sys_image_guid,
			  sizeof(d->sys_image_guid));
	if (ib->ops.get_dev_fw_str)
		ib_get_device_fw_str(ib, fw);
	strscpy(d->fw, fw, sizeof(d->fw));
	d->netns = rscope_netns(read_pnet(&ib->coredev.rdma_net));
	d->ports = rdma_end_port(ib) - rdma_start_port(ib) + 1;
	strscpy(d->kverbs, missing ? "no" : "yes", sizeof(d->kverbs));
	if (missing)
		strscpy(d->kverbs_missing, missing, sizeof(d->kverbs_missing));
	rscope_device_parent(d, ib);
	rscope_device_limits(d, &ib->attrs);
}
