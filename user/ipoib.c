// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "ipoib.h"

#include <linux/if_arp.h>

#include "sysread.h"

#define GUID_DIGITS 16
#define PORT "/sys/class/infiniband/%s/ports/%llu"

/* The last sixteen hexadecimal digits; false when there are fewer. */
static bool last_digits(const char *text, char *to)
{
	size_t i = strlen(text), n = GUID_DIGITS;

	to[n] = '\0';
	while (i && n)
		if (text[--i] != ':')
			to[--n] = text[i];
	return !n;
}

/**
 * ipoib_has_guid() - does a hardware address carry the GUID of a port?
 * @addr: 20 bytes: flags and QPN, then the port GID, whose second half is the GUID
 * @gid: a GID of the port
 *
 * The first half may lag behind the subnet manager. The node GUID is another number,
 * which a port of its own may bear.
 *
 * Return: true when it does.
 */
bool ipoib_has_guid(const char *addr, const char *gid)
{
	char have[GUID_DIGITS + 1], want[GUID_DIGITS + 1];

	return strlen(addr) == 3 * 20 - 1 && last_digits(addr, have) && last_digits(gid, want) &&
	       want[strspn(want, "0")] && !strcmp(have, want);
}

static bool has_gid_of(const char *root, const struct rscope_link *l, const struct netdev *d)
{
	char gid[64];
	u64 i;

	for (i = 0; l->gids != RSCOPE_NONE && i < l->gids; i++)
		if (sysread_line(gid, sizeof(gid), root, PORT "/gids/%llu", l->ifname, l->port,
				 i) > 0 && ipoib_has_guid(d->addr, gid))
			return true;
	return false;
}

/* The same function of the same adapter: the driver counts ports from 0. */
static bool has_port_of(const char *root, const struct rscope_link *l, const struct netdev *d)
{
	char own[256], others[256];

	sysread_link(own, sizeof(own), root, "/sys/class/infiniband/%s/device", l->ifname);
	sysread_link(others, sizeof(others), root, "/sys/class/net/%s/device", d->name);
	return *own && !strcmp(own, others) &&
	       sysread_num(root, "/sys/class/net/%s/dev_port", d->name) == l->port - 1;
}

static bool is_ipoib(const struct netdev *d)
{
	return d->type == ARPHRD_INFINIBAND;
}

/**
 * ipoib_of_port() - the IPoIB netdevs of a port, those of its partitions too
 * @root: prefix of all paths
 * @l: the port
 * @netdevs: of rtnl_load() or sysnet_load()
 * @found: list of const struct netdev *, added to
 *
 * By the GUID; where no GID of the port has it, such as a GUID set by hand, by
 * adapter and port number.
 *
 * Return: 0 or -ENOMEM.
 */
int ipoib_of_port(const char *root, const struct rscope_link *l, const struct list *netdevs,
		  struct list *found)
{
	const struct netdev *it;
	int err = 0;

	if (strcmp(l->link_layer, "infiniband"))
		return 0;
	list_each(struct netdev, d, netdevs) {
		it = d;
		if (!err && is_ipoib(d) && (has_gid_of(root, l, d) || has_port_of(root, l, d)))
			err = list_add(found, &it);
	}
	return err;
}
