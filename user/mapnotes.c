// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "mapnotes.h"

#include <rdmascope/workload.h>

#include "out.h"
#include "sysfs.h"

#define REASON_HELP(s, w, h) h,
static const char *const reason_help[] = { RSCOPE_LINK_REASONS(REASON_HELP) };

/**
 * mapnotes_name() - DEV/PORT; a terminal must not be driven by a device name
 * @l: the port
 *
 * Return: text that the next call overwrites.
 */
const char *mapnotes_name(const struct rscope_link *l)
{
	static char name[4 * RSCOPE_WORD_MAX + 24];
	struct rscope_text t = { .buf = name, .size = sizeof(name) };

	rscope_put_value(&t, l->ifname);
	rscope_putc(&t, '/');
	rscope_putu(&t, l->port);
	return name;
}

static const char *plain(const char *netdev)
{
	static char name[4 * 16 + 1];
	struct rscope_text t = { .buf = name, .size = sizeof(name) };

	rscope_put_value(&t, netdev);
	return name;
}

static void explain_reason(const struct rscope_link *l)
{
	size_t i;

	for (i = RSCOPE_LINK_OK + 1; i < RSCOPE_LINK_NR; i++)
		if (!strcmp(l->reason, rscope_words_LINK_REASONS[i]))
			out_line("%s: %s", mapnotes_name(l), reason_help[i]);
}

static void explain_netns(const struct rscope_link *l)
{
	if (l->netns != RSCOPE_NONE && l->netdev_netns != RSCOPE_NONE &&
	    l->netns != l->netdev_netns)
		out_line("%s: its netdev is in another network namespace (inode %llu)",
			 mapnotes_name(l), l->netdev_netns);
}

static bool is_bond(const struct topo *t, const char *name)
{
	const struct netdev *d = rtnl_by_name(&t->netdevs, name);

	return d && (!strcmp(d->kind, "bond") || !strcmp(d->kind, "team"));
}

/* Two RDMA devices below one bond are no hardware LAG. Said once per bond. */
static void explain_bond(const struct map *m, const struct topo *t,
			 const struct rscope_link *first)
{
	size_t n = 0;

	if (!*first->netdev_master || !is_bond(t, first->netdev_master))
		return;
	list_each(struct rscope_link, l, &m->items) {
		if (strcmp(l->netdev_master, first->netdev_master))
			continue;
		if (!n++ && l != first)
			return;
	}
	if (n > 1)
		out_line("%s spans %zu RDMA ports: each is a device of its own, no LAG device",
			 plain(first->netdev_master), n);
}

/* Only the module sees netdevs of other network namespaces; sysfs may name one. */
static void explain_blind(const struct map *m, const struct rscope_link *l)
{
	char name[sizeof(l->netdev)];

	if (*l->netdev || !strcmp(m->source, "module") || !strcmp(l->link_layer, "infiniband"))
		return;
	if (sysfs_unseen_netdev(m->root, l, name, sizeof(name)))
		out_line("%s: its netdev, %s, is in another network namespace", mapnotes_name(l),
			 plain(name));
	else
		out_line("%s: or its netdev is in another network namespace: load the module",
			 mapnotes_name(l));
}

/**
 * mapnotes_links() - reasons, namespaces, bonds
 * @m: the links
 * @t: the netdevs; needed where a link has a master
 */
void mapnotes_links(const struct map *m, const struct topo *t)
{
	list_each(struct rscope_link, l, &m->items) {
		explain_reason(l);
		explain_blind(m, l);
		explain_netns(l);
		explain_bond(m, t, l);
	}
}
