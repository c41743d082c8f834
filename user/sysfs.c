// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "sysfs.h"

#include <ctype.h>
#include <limits.h>
#include <net/if.h>

#include "rtnl.h"
#include "sysread.h"
#include "words.h"

#define IB "/sys/class/infiniband/%s"
#define PORT IB "/ports/%llu"
#define NET "/sys/class/net/%s"

/* "4: ACTIVE" -> 4 */
static void fill_state(const char *root, struct rscope_link *l)
{
	u64 v = sysread_num(root, PORT "/state", l->ifname, l->port);

	if (v != RSCOPE_NONE)
		snprintf(l->state, sizeof(l->state), "%s", words_port_state((u32)v));
	v = sysread_num(root, PORT "/phys_state", l->ifname, l->port);
	if (v != RSCOPE_NONE)
		snprintf(l->physical_state, sizeof(l->physical_state), "%s",
			 words_phys_state((u32)v));
}

static void lower(char *s)
{
	for (; *s; s++)
		*s = (char)tolower((unsigned char)*s);
}

/* "100 Gb/sec (4X EDR)", "2.5 Gb/sec (1X SDR)" */
static void fill_rate(const char *root, struct rscope_link *l)
{
	char line[64], width[8];
	double gbps;

	if (sysread_line(line, sizeof(line), root, PORT "/rate", l->ifname, l->port) <= 0)
		return;
	if (sscanf(line, "%lf Gb/sec (%7[0-9X]", &gbps, width) != 2)
		return;
	l->rate_mbps = (u64)(gbps * 1000 + 0.5);
	snprintf(l->width, sizeof(l->width), "%s", width);
}

static bool has_slot(const char *root, const struct rscope_link *l, u64 i)
{
	return sysread_exists(root, PORT "/gids/%llu", l->ifname, l->port, i);
}

/* Slots are numbered without gaps, and there may be a thousand: halve, do not list. */
static u64 search_slots(const char *root, const struct rscope_link *l)
{
	u64 low = 0, high = 1, middle;

	while (has_slot(root, l, high - 1)) {
		low = high;
		high *= 2;
	}
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (has_slot(root, l, middle - 1))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Tables of the ports of a machine are of one length, as a rule. */
static u64 count_slots(const char *root, const struct rscope_link *l)
{
	static u64 last;

	if (last && has_slot(root, l, last - 1) && !has_slot(root, l, last))
		return last;
	if (!sysread_exists(root, PORT "/gids", l->ifname, l->port))
		return RSCOPE_NONE;
	last = search_slots(root, l);
	return last;
}

/* The sort of device and the link layer tell the protocol; netlink told the sort. */
static void fill_protocol(const char *root, struct rscope_link *l)
{
	u64 type;

	if (!*l->protocol) {
		type = sysread_num(root, IB "/node_type", l->ifname);
		if (type == RSCOPE_NONE || !*l->link_layer)
			return;
		snprintf(l->protocol, sizeof(l->protocol), "%s",
			 words_family(words_node_type((u32)type)));
	}
	if (!strcmp(l->protocol, "ib") && strcmp(l->link_layer, "infiniband"))
		snprintf(l->protocol, sizeof(l->protocol), "%s",
			 !strcmp(l->link_layer, "ethernet") ? "roce" : "none");
}

/* The upper half of the first GID, where there is one. */
static void fill_prefix(const char *root, struct rscope_link *l)
{
	char gid[64];

	if (*l->subnet_prefix || strcmp(l->protocol, "ib"))
		return;
	if (sysread_line(gid, sizeof(gid), root, PORT "/gids/0", l->ifname, l->port) > 19 &&
	    gid[strspn(gid, "0:")])
		snprintf(l->subnet_prefix, sizeof(l->subnet_prefix), "%.19s", gid);
}

/* A soft device has no parent; only rxe names its netdev. */
static void fill_driver(const char *root, const char *dev, char *to, size_t size)
{
	sysread_link(to, size, root, IB "/device/driver", dev);
	if (!*to && sysread_exists(root, IB "/parent", dev))
		snprintf(to, size, "rdma_rxe");
}

static void fill_link_layer(const char *root, struct rscope_link *l)
{
	if (sysread_line(l->link_layer, sizeof(l->link_layer), root, PORT "/link_layer", l->ifname,
			 l->port) > 0)
		lower(l->link_layer);
	else if (*l->state)
		snprintf(l->link_layer, sizeof(l->link_layer), "unspecified");
	if (!strcmp(l->link_layer, "unknown"))
		snprintf(l->link_layer, sizeof(l->link_layer), "unspecified");
}

/**
 * sysfs_fill_port() - what netlink does not tell about a port
 * @root: prefix
 * @l: link with ifname and port set
 * @brief: leave out what no table shows: driver, length of the GID table, LIDs
 */
void sysfs_fill_port(const char *root, struct rscope_link *l, bool brief)
{
	/* Only such a port has a netdev of its own. */
	if (brief && l->netdev_index != RSCOPE_NONE)
		snprintf(l->link_layer, sizeof(l->link_layer), "ethernet");
	else
		fill_link_layer(root, l);
	fill_rate(root, l);
	fill_protocol(root, l);
	if (brief)
		return;
	fill_prefix(root, l);
	if (l->lid == RSCOPE_NONE)
		l->lid = sysread_num(root, PORT "/lid", l->ifname, l->port);
	if (l->sm_lid == RSCOPE_NONE)
		l->sm_lid = sysread_num(root, PORT "/sm_lid", l->ifname, l->port);
	l->gids = count_slots(root, l);
	fill_driver(root, l->ifname, l->driver, sizeof(l->driver));
}

/* rxe names its netdev, other devices have those of their GIDs; of any namespace. */
static void find_netdev(const char *root, const struct rscope_link *l, char *name, size_t size)
{
	u64 i;

	if (sysread_line(name, size, root, IB "/parent", l->ifname) > 0)
		return;
	for (i = 0; i < l->gids && i < RSCOPE_GID_SLOTS && l->gids != RSCOPE_NONE; i++)
		if (sysread_line(name, size, root, PORT "/gid_attrs/ndevs/%llu", l->ifname,
				 l->port, i) > 0)
			return;
}

/**
 * sysfs_unseen_netdev() - the netdev of a port that is in another namespace
 * @root: prefix
 * @l: port without a netdev, so far
 * @name: result
 * @size: of @name
 *
 * Return: true when the kernel names one that does not exist here.
 */
bool sysfs_unseen_netdev(const char *root, const struct rscope_link *l, char *name, size_t size)
{
	find_netdev(root, l, name, size);
	return *name && !sysread_exists(root, NET, name);
}

/**
 * sysfs_fill_netdev() - the netdev's half of a link
 * @root: prefix
 * @l: link whose netdev is set
 */
void sysfs_fill_netdev(const char *root, struct rscope_link *l)
{
	u64 flags = sysread_num(root, NET "/flags", l->netdev);

	if (!*l->netdev || flags == RSCOPE_NONE)
		return;
	l->netdev_index = sysread_num(root, NET "/ifindex", l->netdev);
	snprintf(l->netdev_admin, sizeof(l->netdev_admin), "%s", flags & IFF_UP ? "up" : "down");
	sysread_line(l->netdev_oper, sizeof(l->netdev_oper), root, NET "/operstate", l->netdev);
	sysread_line(l->netdev_addr, sizeof(l->netdev_addr), root, NET "/address", l->netdev);
	l->netdev_carrier = sysread_num(root, NET "/carrier", l->netdev);
	l->netdev_mtu_bytes = sysread_num(root, NET "/mtu", l->netdev);
	sysread_link(l->netdev_master, sizeof(l->netdev_master), root, NET "/master", l->netdev);
}

static int add_port(const char *root, const char *dev, const char *port, struct list *links)
{
	struct rscope_link l;
	char *end;

	rscope_record_clear(rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &l);
	l.port = strtoull(port, &end, 10);
	if (*end)
		return 0;
	snprintf(l.ifname, sizeof(l.ifname), "%s", dev);
	l.ifindex = sysread_num(root, IB "/index", dev);
	fill_state(root, &l);
	sysfs_fill_port(root, &l, false);
	find_netdev(root, &l, l.netdev, sizeof(l.netdev));
	if (*l.netdev && !sysread_exists(root, NET, l.netdev))
		l.netdev[0] = '\0';
	sysfs_fill_netdev(root, &l);
	return list_add(links, &l);
}

static int list_devices(const char *root, struct list *names, struct rscope_error *e)
{
	int err = sysread_dir(names, root, "/sys/class/infiniband");

	return err ? rscope_fail(e, err, "%s/sys/class/infiniband: %s", root, strerror(-err)) : 0;
}

/**
 * sysfs_links() - all ports of all devices
 * @root: prefix
 * @links: list of struct rscope_link, added to
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int sysfs_links(const char *root, struct list *links, struct rscope_error *e)
{
	struct list devs = LIST(struct sysname);
	int err = list_devices(root, &devs, e);

	list_each(struct sysname, dev, &devs) {
		struct list ports = LIST(struct sysname);

		sysread_dir(&ports, root, IB "/ports", dev->name);
		list_each(struct sysname, port, &ports)
			err = err ? err : add_port(root, dev->name, port->name, links);
		list_free(&ports);
	}
	list_free(&devs);
	return err;
}

/**
 * sysfs_numa_node() - node of the device's parent
 * @root: prefix
 * @dev: RDMA device
 *
 * Return: the node, -1 when it has none.
 */
int sysfs_numa_node(const char *root, const char *dev)
{
	u64 node = sysread_num(root, IB "/device/numa_node", dev);

	return node < INT_MAX ? (int)node : -1;
}

static void fill_text(char *to, size_t size, const char *root, const char *dev, const char *file)
{
	if (!*to)
		sysread_line(to, size, root, IB "/%s", dev, file);
}

/**
 * sysfs_fill_device() - what netlink does not tell about a device
 * @root: prefix
 * @d: device with ifname set
 */
void sysfs_fill_device(const char *root, struct rscope_device *d)
{
	struct list ports = LIST(struct sysname);
	int node = sysfs_numa_node(root, d->ifname);
	u64 type;

	fill_driver(root, d->ifname, d->driver, sizeof(d->driver));
	sysread_link(d->parent, sizeof(d->parent), root, IB "/device", d->ifname);
	fill_text(d->node_guid, sizeof(d->node_guid), root, d->ifname, "node_guid");
	fill_text(d->sys_image_guid, sizeof(d->sys_image_guid), root, d->ifname, "sys_image_guid");
	fill_text(d->fw, sizeof(d->fw), root, d->ifname, "fw_ver");
	type = *d->node_type ? RSCOPE_NONE : sysread_num(root, IB "/node_type", d->ifname);
	if (type != RSCOPE_NONE)
		snprintf(d->node_type, sizeof(d->node_type), "%s", words_node_type((u32)type));
	if (node >= 0)
		d->numa_node = (u64)node;
	if (d->ports == RSCOPE_NONE && !sysread_dir(&ports, root, IB "/ports", d->ifname))
		d->ports = ports.n;
	list_free(&ports);
}

/**
 * sysfs_devices() - all devices
 * @root: prefix
 * @devices: list of struct rscope_device, added to
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int sysfs_devices(const char *root, struct list *devices, struct rscope_error *e)
{
	struct list devs = LIST(struct sysname);
	int err = list_devices(root, &devs, e);
	struct rscope_device d;

	list_each(struct sysname, dev, &devs) {
		rscope_record_clear(rscope_device_fields, ARRAY_SIZE(rscope_device_fields), &d);
		snprintf(d.ifname, sizeof(d.ifname), "%s", dev->name);
		d.ifindex = sysread_num(root, IB "/index", dev->name);
		sysfs_fill_device(root, &d);
		err = err ? err : list_add(devices, &d);
	}
	list_free(&devs);
	return err;
}
