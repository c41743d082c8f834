// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "rtnl.h"

#include <linux/if_bonding.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <sys/stat.h>

#include "nlsock.h"
#include "words.h"

/* Attributes of a level, by type; a type beyond the table is not wanted. */
struct attrs {
	const struct nlattr *v[IFLA_MAX + 1];
};

static int keep_attr(const struct nlattr *a, void *ctx)
{
	struct attrs *t = ctx;

	if (mnl_attr_get_type(a) <= IFLA_MAX)
		t->v[mnl_attr_get_type(a)] = a;
	return MNL_CB_OK;
}

static u64 get_u32(const struct nlattr *a, u64 otherwise)
{
	return a && mnl_attr_get_payload_len(a) >= 4 ? mnl_attr_get_u32(a) : otherwise;
}

static u64 get_u8(const struct nlattr *a, u64 otherwise)
{
	return a && mnl_attr_get_payload_len(a) >= 1 ? mnl_attr_get_u8(a) : otherwise;
}

static void get_name(const struct nlattr *a, char *to, size_t size)
{
	if (a)
		snprintf(to, size, "%.*s", (int)mnl_attr_get_payload_len(a), mnl_attr_get_str(a));
}

static void get_addr(const struct nlattr *a, char *to, size_t size)
{
	const u8 *p = a ? mnl_attr_get_payload(a) : NULL;
	size_t i, n = a ? mnl_attr_get_payload_len(a) : 0;

	for (i = 0; i < n && 3 * i + 3 < size; i++)
		snprintf(to + 3 * i, size - 3 * i, "%02x:", p[i]);
	if (i)
		to[3 * i - 1] = '\0';
}

/* A nested attribute, its own ones by type; none when it is not there. */
static void get_nest(const struct nlattr *a, struct attrs *nest)
{
	memset(nest, 0, sizeof(*nest));
	if (a)
		mnl_attr_parse_nested(a, keep_attr, nest);
}

static void take_data(struct netdev *d, const struct nlattr *data)
{
	struct attrs a;

	get_nest(data, &a);
	if (!strcmp(d->kind, "vlan") && a.v[IFLA_VLAN_ID])
		d->vlan = mnl_attr_get_u16(a.v[IFLA_VLAN_ID]);
	if (!strcmp(d->kind, "ipoib") && a.v[IFLA_IPOIB_PKEY])
		d->pkey = mnl_attr_get_u16(a.v[IFLA_IPOIB_PKEY]);
}

/* The state of a slave is right in every mode; an active slave is named in few. */
static void take_slave_data(struct netdev *d, const struct nlattr *data)
{
	struct attrs a;
	u64 state;

	if (strcmp(d->slave_kind, "bond"))
		return;
	get_nest(data, &a);
	state = get_u8(a.v[IFLA_BOND_SLAVE_STATE], RSCOPE_NONE);
	if (state != RSCOPE_NONE)
		d->active = state == BOND_STATE_ACTIVE;
}

static void take_info(struct netdev *d, const struct nlattr *linkinfo)
{
	struct attrs info;

	get_nest(linkinfo, &info);
	get_name(info.v[IFLA_INFO_KIND], d->kind, sizeof(d->kind));
	get_name(info.v[IFLA_INFO_SLAVE_KIND], d->slave_kind, sizeof(d->slave_kind));
	take_data(d, info.v[IFLA_INFO_DATA]);
	take_slave_data(d, info.v[IFLA_INFO_SLAVE_DATA]);
}

static int take_netdev(const struct nlmsghdr *h, void *ctx)
{
	const struct ifinfomsg *ifi = mnl_nlmsg_get_payload(h);
	struct attrs a = { 0 };
	struct netdev d = NETDEV_BLANK;

	d.index = (u64)ifi->ifi_index;
	d.type = ifi->ifi_type;
	d.up = ifi->ifi_flags & IFF_UP;
	mnl_attr_parse(h, sizeof(*ifi), keep_attr, &a);
	get_name(a.v[IFLA_IFNAME], d.name, sizeof(d.name));
	get_addr(a.v[IFLA_ADDRESS], d.addr, sizeof(d.addr));
	d.carrier = get_u8(a.v[IFLA_CARRIER], RSCOPE_NONE);
	d.oper = (u32)get_u8(a.v[IFLA_OPERSTATE], 0);
	d.mtu = get_u32(a.v[IFLA_MTU], RSCOPE_NONE);
	d.master = get_u32(a.v[IFLA_MASTER], 0);
	/* The index is one of another namespace when that is named too. */
	if (!a.v[IFLA_LINK_NETNSID])
		d.link = get_u32(a.v[IFLA_LINK], 0);
	take_info(&d, a.v[IFLA_LINKINFO]);
	return list_add(ctx, &d) ? MNL_CB_ERROR : MNL_CB_OK;
}

static int by_index(const void *a, const void *b)
{
	const struct netdev *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

/**
 * rtnl_sort() - put netdevs in the order rtnl_by_index() needs
 * @netdevs: list of struct netdev
 */
void rtnl_sort(struct list *netdevs)
{
	if (netdevs->n)
		qsort(netdevs->v, netdevs->n, netdevs->size, by_index);
}

/**
 * rtnl_load() - all network devices of this namespace
 * @netdevs: list of struct netdev, added to; sorted
 *
 * Return: 0 or a negative errno.
 */
int rtnl_load(struct list *netdevs)
{
	char buf[256];
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *ifi;
	int err;

	h->nlmsg_type = RTM_GETLINK;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	h->nlmsg_seq = 1;
	ifi = mnl_nlmsg_put_extra_header(h, sizeof(*ifi));
	ifi->ifi_family = AF_UNSPEC;
	mnl_attr_put_u32(h, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	err = nlsock_ask(NETLINK_ROUTE, h, take_netdev, netdevs);
	rtnl_sort(netdevs);
	return err;
}

/**
 * rtnl_by_index() - find a netdev
 * @netdevs: of rtnl_load()
 * @index: ifindex
 *
 * Return: the netdev, NULL when there is none.
 */
const struct netdev *rtnl_by_index(const struct list *netdevs, u64 index)
{
	const struct netdev key = { .index = index };

	return netdevs->n ? bsearch(&key, netdevs->v, netdevs->n, netdevs->size, by_index) : NULL;
}

/**
 * rtnl_by_name() - find a netdev
 * @netdevs: of rtnl_load()
 * @name: its name
 *
 * Return: the netdev, NULL when there is none.
 */
const struct netdev *rtnl_by_name(const struct list *netdevs, const char *name)
{
	list_each(struct netdev, d, netdevs)
		if (!strcmp(d->name, name))
			return d;
	return NULL;
}

/**
 * rtnl_netns() - the network namespace these netdevs are in
 *
 * Return: its inode, RSCOPE_NONE when not known.
 */
u64 rtnl_netns(void)
{
	static u64 own;
	struct stat st;

	/* A process stays where it is. */
	if (!own)
		own = stat("/proc/self/ns/net", &st) ? RSCOPE_NONE : st.st_ino;
	return own;
}

/**
 * rtnl_fill_link() - the netdev's half of a link
 * @netdevs: of rtnl_load()
 * @l: link whose netdev_index is set
 */
void rtnl_fill_link(const struct list *netdevs, struct rscope_link *l)
{
	const struct netdev *d = rtnl_by_index(netdevs, l->netdev_index), *master;

	if (l->netdev_index == RSCOPE_NONE || !d)
		return;
	snprintf(l->netdev, sizeof(l->netdev), "%s", d->name);
	snprintf(l->netdev_admin, sizeof(l->netdev_admin), "%s", d->up ? "up" : "down");
	snprintf(l->netdev_oper, sizeof(l->netdev_oper), "%s", words_operstate(d->oper));
	snprintf(l->netdev_addr, sizeof(l->netdev_addr), "%s", d->addr);
	l->netdev_carrier = d->carrier;
	l->netdev_mtu_bytes = d->mtu;
	l->netdev_netns = rtnl_netns();
	master = d->master ? rtnl_by_index(netdevs, d->master) : NULL;
	if (master)
		snprintf(l->netdev_master, sizeof(l->netdev_master), "%s", master->name);
}
