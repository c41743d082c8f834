// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "sysnet.h"

#include <net/if_arp.h>
#include <net/if.h>
#include <stdio.h>

#include "rtnl.h"
#include "sysread.h"

#define NET "/sys/class/net/%s"
#define VLAN_FILE "/proc/net/vlan/%s"

static void read_kind(const char *root, struct netdev *d)
{
	char path[512], line[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s" NET "/uevent", root, d->name);
	f = fopen(path, "re");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "DEVTYPE=%15s", d->kind) == 1)
			break;
	fclose(f);
}

/* "eth0.5  VID: 5	 REORDER_HDR: 1  dev->priv_flags: 1001" */
static void read_vlan(const char *root, struct netdev *d)
{
	char line[128];
	const char *id;

	if (strcmp(d->kind, "vlan") ||
	    sysread_line(line, sizeof(line), root, VLAN_FILE, d->name) <= 0)
		return;
	id = strstr(line, "VID: ");
	if (id)
		d->vlan = strtoull(id + 5, NULL, 10);
}

/* A veth names its peer as its link; only what is stacked has a lower_ entry too. */
static bool is_stacked(const char *root, const char *name)
{
	struct list names = LIST(struct sysname);
	bool found = false;

	sysread_dir(&names, root, NET, name);
	list_each(struct sysname, it, &names)
		found = found || !strncmp(it->name, "lower_", 6);
	list_free(&names);
	return found;
}

static void read_link(const char *root, struct netdev *d)
{
	u64 link = sysread_num(root, NET "/iflink", d->name);

	if (link != RSCOPE_NONE && link != d->index && is_stacked(root, d->name))
		d->link = link;
}

/* Of the slave itself, or of the bond where that file is older than the kernel. */
static void read_active(const char *root, struct netdev *d, const char *master)
{
	char line[64];

	if (sysread_line(line, sizeof(line), root, NET "/bonding_slave/state", d->name) > 0)
		d->active = !strcmp(line, "active");
	else if (sysread_line(line, sizeof(line), root, NET "/bonding/active_slave", master) > 0)
		d->active = !strcmp(line, d->name);
}

static void read_master(const char *root, struct netdev *d)
{
	char master[256];
	u64 index;

	sysread_link(master, sizeof(master), root, NET "/master", d->name);
	if (!*master)
		return;
	index = sysread_num(root, NET "/ifindex", master);
	d->master = index == RSCOPE_NONE ? 0 : index;
	read_active(root, d, master);
}

static void read_netdev(const char *root, struct netdev *d)
{
	u64 flags = sysread_num(root, NET "/flags", d->name);
	u64 type = sysread_num(root, NET "/type", d->name);

	d->index = sysread_num(root, NET "/ifindex", d->name);
	d->up = flags != RSCOPE_NONE && flags & IFF_UP;
	d->type = type == RSCOPE_NONE ? 0 : (u32)type;
	d->carrier = sysread_num(root, NET "/carrier", d->name);
	d->mtu = sysread_num(root, NET "/mtu", d->name);
	d->pkey = sysread_num(root, NET "/pkey", d->name);
	sysread_line(d->addr, sizeof(d->addr), root, NET "/address", d->name);
	read_kind(root, d);
	if (d->type == ARPHRD_INFINIBAND && !*d->kind)
		snprintf(d->kind, sizeof(d->kind), "ipoib");
	read_vlan(root, d);
	read_link(root, d);
	read_master(root, d);
}

/* What a master is, its slaves are told by no file of their own. */
static void name_slave_kinds(struct list *netdevs)
{
	const struct netdev *master;

	list_each(struct netdev, d, netdevs) {
		master = d->master ? rtnl_by_index(netdevs, d->master) : NULL;
		if (master)
			snprintf(d->slave_kind, sizeof(d->slave_kind), "%s", master->kind);
	}
}

/**
 * sysnet_load() - all network devices below a root
 * @root: prefix
 * @netdevs: list of struct netdev, added to; sorted
 */
void sysnet_load(const char *root, struct list *netdevs)
{
	struct list names = LIST(struct sysname);

	sysread_dir(&names, root, "/sys/class/net");
	list_each(struct sysname, name, &names) {
		struct netdev d = NETDEV_BLANK;

		snprintf(d.name, sizeof(d.name), "%s", name->name);
		read_netdev(root, &d);
		/* Files such as bonding_masters lie there too. */
		if (d.index != RSCOPE_NONE && list_add(netdevs, &d))
			break;
	}
	list_free(&names);
	rtnl_sort(netdevs);
	name_slave_kinds(netdevs);
}
