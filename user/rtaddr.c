// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "rtaddr.h"

#include <arpa/inet.h>
#include <linux/rtnetlink.h>

#include "nlsock.h"

struct attrs {
	const struct nlattr *v[IFA_MAX + 1];
};

static int keep_attr(const struct nlattr *a, void *ctx)
{
	struct attrs *t = ctx;

	if (mnl_attr_get_type(a) <= IFA_MAX)
		t->v[mnl_attr_get_type(a)] = a;
	return MNL_CB_OK;
}

static size_t length_of(int family)
{
	return family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0;
}

static int take_addr(const struct nlmsghdr *h, void *ctx)
{
	const struct ifaddrmsg *ifa = mnl_nlmsg_get_payload(h);
	struct netaddr addr = { .index = ifa->ifa_index };
	struct attrs a = { 0 };
	const struct nlattr *own;
	char text[INET6_ADDRSTRLEN];

	mnl_attr_parse(h, sizeof(*ifa), keep_attr, &a);
	/* On a point-to-point netdev IFA_ADDRESS is the peer's. */
	own = a.v[IFA_LOCAL] ? a.v[IFA_LOCAL] : a.v[IFA_ADDRESS];
	if (!own || !length_of(ifa->ifa_family) ||
	    mnl_attr_get_payload_len(own) < length_of(ifa->ifa_family) ||
	    !inet_ntop(ifa->ifa_family, mnl_attr_get_payload(own), text, sizeof(text)))
		return MNL_CB_OK;
	snprintf(addr.text, sizeof(addr.text), "%s/%u", text, ifa->ifa_prefixlen);
	return list_add(ctx, &addr) ? MNL_CB_ERROR : MNL_CB_OK;
}

/**
 * rtaddr_load() - all IP addresses of this namespace
 * @addrs: list of struct netaddr, added to in the order of the kernel
 *
 * Return: 0 or a negative errno.
 */
int rtaddr_load(struct list *addrs)
{
	char buf[256];
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifaddrmsg *ifa;

	h->nlmsg_type = RTM_GETADDR;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	h->nlmsg_seq = 1;
	ifa = mnl_nlmsg_put_extra_header(h, sizeof(*ifa));
	ifa->ifa_family = AF_UNSPEC;
	return nlsock_ask(NETLINK_ROUTE, h, take_addr, addrs);
}
