// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "nldev.h"

#include <unistd.h>

#include <rdma/rdma_netlink.h>

#include "nlsock.h"
#include "words.h"

#define NODE_CA 1 /* enum rdma_node_type, which user space headers lack */

struct attrs {
	const struct nlattr *v[RDMA_NLDEV_ATTR_MAX];
};

static int keep_attr(const struct nlattr *a, void *ctx)
{
	struct attrs *t = ctx;

	if (mnl_attr_get_type(a) < ARRAY_SIZE(t->v))
		t->v[mnl_attr_get_type(a)] = a;
	return MNL_CB_OK;
}

/* Numbers come as u8, u32 or u64. */
static u64 get_num(const struct attrs *t, u32 type)
{
	const struct nlattr *a = t->v[type];
	size_t len = a ? mnl_attr_get_payload_len(a) : 0;

	if (len >= 8)
		return mnl_attr_get_u64(a);
	if (len >= 4)
		return mnl_attr_get_u32(a);
	return len ? mnl_attr_get_u8(a) : RSCOPE_NONE;
}

static void get_text(const struct attrs *t, u32 type, char *to, size_t size)
{
	const struct nlattr *a = t->v[type];

	if (a)
		snprintf(to, size, "%.*s", (int)mnl_attr_get_payload_len(a), mnl_attr_get_str(a));
}

static void get_guid(const struct attrs *t, u32 type, char *to, size_t size)
{
	u64 g = get_num(t, type);

	if (t->v[type])
		snprintf(to, size, "%04llx:%04llx:%04llx:%04llx", g >> 48, g >> 32 & 0xffff,
			 g >> 16 & 0xffff, g & 0xffff);
}

static int take_device(const struct nlmsghdr *h, void *ctx)
{
	struct attrs a = { 0 };
	struct rscope_device d;
	u64 type;

	rscope_record_clear(rscope_device_fields, ARRAY_SIZE(rscope_device_fields), &d);
	mnl_attr_parse(h, 0, keep_attr, &a);
	d.ifindex = get_num(&a, RDMA_NLDEV_ATTR_DEV_INDEX);
	/* The core's "port index" of a device is its last port. */
	d.ports = get_num(&a, RDMA_NLDEV_ATTR_PORT_INDEX);
	get_text(&a, RDMA_NLDEV_ATTR_DEV_NAME, d.ifname, sizeof(d.ifname));
	get_text(&a, RDMA_NLDEV_ATTR_FW_VERSION, d.fw, sizeof(d.fw));
	get_guid(&a, RDMA_NLDEV_ATTR_NODE_GUID, d.node_guid, sizeof(d.node_guid));
	get_guid(&a, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, d.sys_image_guid, sizeof(d.sys_image_guid));
	type = get_num(&a, RDMA_NLDEV_ATTR_DEV_NODE_TYPE);
	if (type != RSCOPE_NONE)
		snprintf(d.node_type, sizeof(d.node_type), "%s", words_node_type((u32)type));
	return list_add(ctx, &d) ? MNL_CB_ERROR : MNL_CB_OK;
}

static void take_state(const struct attrs *a, u32 type, const char *(*word)(u32), char *to,
		       size_t size)
{
	u64 v = get_num(a, type);

	if (v != RSCOPE_NONE)
		snprintf(to, size, "%s", word((u32)v));
}

static int take_port(const struct nlmsghdr *h, void *ctx)
{
	struct attrs a = { 0 };
	struct rscope_link l;

	rscope_record_clear(rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &l);
	mnl_attr_parse(h, 0, keep_attr, &a);
	l.ifindex = get_num(&a, RDMA_NLDEV_ATTR_DEV_INDEX);
	l.port = get_num(&a, RDMA_NLDEV_ATTR_PORT_INDEX);
	get_text(&a, RDMA_NLDEV_ATTR_DEV_NAME, l.ifname, sizeof(l.ifname));
	take_state(&a, RDMA_NLDEV_ATTR_PORT_STATE, words_port_state, l.state, sizeof(l.state));
	take_state(&a, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, words_phys_state, l.physical_state,
		   sizeof(l.physical_state));
	l.lid = get_num(&a, RDMA_NLDEV_ATTR_LID);
	l.sm_lid = get_num(&a, RDMA_NLDEV_ATTR_SM_LID);
	/* The core may have 0 for one it did not look up. */
	if (get_num(&a, RDMA_NLDEV_ATTR_SUBNET_PREFIX))
		get_guid(&a, RDMA_NLDEV_ATTR_SUBNET_PREFIX, l.subnet_prefix,
			 sizeof(l.subnet_prefix));
	l.netdev_index = get_num(&a, RDMA_NLDEV_ATTR_NDEV_INDEX);
	get_text(&a, RDMA_NLDEV_ATTR_NDEV_NAME, l.netdev, sizeof(l.netdev));
	return list_add(ctx, &l) ? MNL_CB_ERROR : MNL_CB_OK;
}

static struct nlmsghdr *request(char *buf, u32 cmd, u16 flags)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);

	h->nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, cmd);
	h->nlmsg_flags = NLM_F_REQUEST | flags;
	h->nlmsg_seq = 1;
	return h;
}

static int failed(struct rscope_error *e, int err)
{
	return err ? rscope_fail(e, err, "RDMA netlink: %s", strerror(-err)) : 0;
}

static int ask_devices(struct nlsock *s, struct list *devices)
{
	char buf[256];

	return nlsock_query(s, request(buf, RDMA_NLDEV_CMD_GET, NLM_F_DUMP), take_device, devices);
}

/* The only port of an adapter without a dump, which is ended by a message more. */
static int ask_ports(struct nlsock *s, const struct rscope_device *d, struct list *links)
{
	bool one = d->ports == 1 && !strcmp(d->node_type, words_node_type(NODE_CA));
	char buf[256];
	struct nlmsghdr *h = request(buf, RDMA_NLDEV_CMD_PORT_GET, one ? 0 : NLM_F_DUMP);
	size_t had = links->n;
	int err;

	mnl_attr_put_u32(h, RDMA_NLDEV_ATTR_DEV_INDEX, (u32)d->ifindex);
	if (one)
		mnl_attr_put_u32(h, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
	err = nlsock_query(s, h, take_port, links);
	for (; had < links->n; had++)
		snprintf(list_at(struct rscope_link, links, had)->protocol,
			 sizeof(((struct rscope_link *)0)->protocol), "%s",
			 words_family(d->node_type));
	return err;
}

/**
 * nldev_devices() - all devices this namespace may see
 * @devices: list of struct rscope_device, added to
 * @e: reason
 *
 * Return: 0 or a negative errno; -EPROTONOSUPPORT without the RDMA core.
 */
int nldev_devices(struct list *devices, struct rscope_error *e)
{
	struct nlsock s = { 0 };
	int err = nlsock_open(&s, NETLINK_RDMA);

	if (!err)
		err = ask_devices(&s, devices);
	nlsock_close(&s);
	return failed(e, err);
}

/**
 * nldev_links() - all ports of all devices
 * @links: list of struct rscope_link, added to
 * @e: reason
 *
 * A device that goes away between the two questions is left out.
 *
 * Return: 0 or a negative errno.
 */
int nldev_links(struct list *links, struct rscope_error *e)
{
	struct list devices = LIST(struct rscope_device);
	struct nlsock s = { 0 };
	int err = nlsock_open(&s, NETLINK_RDMA);

	if (!err)
		err = ask_devices(&s, &devices);
	list_each(struct rscope_device, d, &devices) {
		if (err)
			break;
		err = ask_ports(&s, d, links);
		if (err == -EINVAL || err == -ENODEV)
			err = 0;
	}
	nlsock_close(&s);
	list_free(&devices);
	return failed(e, err);
}

static int take_driver_id(const struct nlmsghdr *h, void *ctx)
{
	struct attrs a = { 0 };

	mnl_attr_parse(h, 0, keep_attr, &a);
	*(u64 *)ctx = get_num(&a, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID);
	return MNL_CB_OK;
}

/**
 * nldev_driver_id() - which driver a device has
 * @ifindex: index of the device
 *
 * Only where ib_uverbs is loaded: else the kernel would load it to answer.
 *
 * Return: enum rdma_driver_id, RSCOPE_NONE when not told.
 */
u64 nldev_driver_id(u64 ifindex)
{
	char buf[256];
	struct nlmsghdr *h = request(buf, RDMA_NLDEV_CMD_GET_CHARDEV, 0);
	u64 id = RSCOPE_NONE;

	if (access("/sys/class/infiniband_verbs", F_OK))
		return id;
	mnl_attr_put_u32(h, RDMA_NLDEV_ATTR_DEV_INDEX, (u32)ifindex);
	mnl_attr_put_strz(h, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
	return nlsock_ask(NETLINK_RDMA, h, take_driver_id, &id) ? RSCOPE_NONE : id;
}
