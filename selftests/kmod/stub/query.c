// SPDX-License-Identifier: GPL-2.0
/*
 * What is this device? Everything the core and its clients ask about a device
 * and its ports, answered from the shape.
 */
#include <linux/netdevice.h>
#include "stub.h"

static const struct {
	u32 cap;
	enum rdma_link_layer layer;
} stub_layer_kinds[] = {
	/* No MAD, SA or CM: the core makes no QP of its own on such a port. */
	[STUB_IB] = { RDMA_CORE_CAP_PROT_IB, IB_LINK_LAYER_INFINIBAND },
	[STUB_ROCE] = { RDMA_CORE_CAP_PROT_ROCE_UDP_ENCAP, IB_LINK_LAYER_ETHERNET },
	[STUB_IWARP] = { RDMA_CORE_CAP_PROT_IWARP, IB_LINK_LAYER_ETHERNET },
	[STUB_RAW] = { RDMA_CORE_CAP_PROT_RAW_PACKET, IB_LINK_LAYER_ETHERNET },
	[STUB_NO_LAYER] = { 0, IB_LINK_LAYER_UNSPECIFIED },
};

static u64 stub_layer_of(struct ib_device *ib, u32 port)
{
	return stub_value(stub_of(ib), STUB_LAYER, port);
}

static int stub_query_device(struct ib_device *ib, struct ib_device_attr *attr,
			     struct ib_udata *udata)
{
	const struct stub_dev *dev = stub_of(ib);

	attr->sys_image_guid = cpu_to_be64(stub_value(dev, STUB_SYS_GUID, 1));
	attr->max_mr_size = U64_MAX;
	attr->max_qp = 256;
	attr->max_qp_wr = stub_value(dev, STUB_MAX_QP_WR, 1);
	attr->max_send_sge = 4;
	attr->max_recv_sge = 3;
	attr->max_cq = 128;
	attr->max_cqe = 4096;
	attr->max_mr = 512;
	attr->max_pd = 64;
	attr->max_qp_rd_atom = 8;
	attr->max_qp_init_rd_atom = 7;
	attr->max_fast_reg_page_list_len = 256;
	attr->max_pkeys = 1;
	attr->atomic_cap = IB_ATOMIC_GLOB;
	if (stub_value(dev, STUB_FAST_REG, 1))
		attr->device_cap_flags = IB_DEVICE_MEM_MGT_EXTENSIONS;
	return 0;
}

static int stub_query_port(struct ib_device *ib, stub_port_t port, struct ib_port_attr *attr)
{
	const struct stub_dev *dev = stub_of(ib);
	int err = stub_failure(ib, STUB_VERB_query_port);

	if (err)
		return err;
	attr->state = stub_value(dev, STUB_STATE, port);
	attr->phys_state = stub_value(dev, STUB_PHYS, port);
	attr->active_speed = stub_value(dev, STUB_SPEED, port);
	attr->active_width = stub_value(dev, STUB_WIDTH, port);
	attr->active_mtu = stub_value(dev, STUB_MTU, port);
	attr->max_mtu = IB_MTU_4096;
	attr->lid = stub_value(dev, STUB_LID, port);
	attr->sm_lid = stub_value(dev, STUB_SM_LID, port);
	attr->gid_tbl_len = stub_value(dev, STUB_GIDS, port);
	attr->pkey_tbl_len = 1;
	attr->max_msg_sz = 1U << 31;
	return 0;
}

static int stub_get_port_immutable(struct ib_device *ib, stub_port_t port,
				   struct ib_port_immutable *immutable)
{
	immutable->gid_tbl_len = stub_value(stub_of(ib), STUB_GIDS, port);
	immutable->pkey_tbl_len = 1;
	immutable->core_cap_flags = stub_layer_kinds[stub_layer_of(ib, port)].cap;
	return 0;
}

static enum rdma_link_layer stub_get_link_layer(struct ib_device *ib, stub_port_t port)
{
	return stub_layer_kinds[stub_layer_of(ib, port)].layer;
}

/* By index and not by reference: a netdev that goes is not kept. */
static struct net_device *stub_get_netdev(struct ib_device *ib, stub_port_t port)
{
	u64 index = stub_value(stub_of(ib), STUB_NETDEV, port);

	return index ? dev_get_by_index(&init_net, index) : NULL;
}

static int stub_query_gid(struct ib_device *ib, stub_port_t port, int index, union ib_gid *gid)
{
	const struct stub_dev *dev = stub_of(ib);
	u64 guid = stub_value(dev, STUB_GUID, 1);

	memset(gid, 0, sizeof(*gid));
	if (index || !guid)
		return 0;
	gid->global.subnet_prefix = cpu_to_be64(stub_value(dev, STUB_PREFIX, port));
	gid->global.interface_id = cpu_to_be64(guid + port);
	return 0;
}

static int stub_query_pkey(struct ib_device *ib, stub_port_t port, u16 index, u16 *pkey)
{
	*pkey = stub_value(stub_of(ib), STUB_PKEY, port);
	return 0;
}

static void stub_get_dev_fw_str(struct ib_device *ib, char *str)
{
	snprintf(str, IB_FW_VERSION_NAME_MAX, "stub-1.2.3");
}

const struct ib_device_ops stub_query_ops = {
	.owner = THIS_MODULE,
	.query_device = stub_query_device,
	.query_port = stub_query_port,
	.get_port_immutable = stub_get_port_immutable,
	.get_link_layer = stub_get_link_layer,
	.get_netdev = stub_get_netdev,
	.query_gid = stub_query_gid,
	.query_pkey = stub_query_pkey,
	.get_dev_fw_str = stub_get_dev_fw_str,
};
