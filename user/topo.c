// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "topo.h"

#include "ipoib.h"
#include "rtaddr.h"
#include "sysnet.h"

/**
 * topo_load() - read the netdevs
 * @t: result; topo_free() it in any case
 * @root: prefix of all paths
 * @sysfs: do not ask rtnetlink
 *
 * Return: 0 or a negative errno.
 */
int topo_load(struct topo *t, const char *root, bool sysfs)
{
	int err = 0;

	*t = (struct topo){
		.root = root, .loaded = true, .netns = RSCOPE_NONE,
		.netdevs = LIST(struct netdev), .edges = LIST(struct netrel_edge),
		.addrs = LIST(struct netaddr),
	};
	if (*root || sysfs) {
		sysnet_load(root, &t->netdevs);
	} else {
		err = rtnl_load(&t->netdevs);
		t->netns = rtnl_netns();
		t->addressed = !err && !rtaddr_load(&t->addrs);
	}
	return err ? err : netrel_edges(&t->netdevs, &t->edges);
}

/**
 * topo_free() - free what was read
 * @t: the netdevs
 */
void topo_free(struct topo *t)
{
	list_free(&t->netdevs);
	list_free(&t->edges);
	list_free(&t->addrs);
}

/**
 * topo_netdev() - the netdev of a port
 * @t: the netdevs
 * @l: the port
 *
 * The same ifindex means another netdev in another namespace.
 *
 * Return: the netdev, NULL when it has none in this namespace.
 */
const struct netdev *topo_netdev(const struct topo *t, const struct rscope_link *l)
{
	const struct netdev *d;

	if (!*l->netdev || l->netdev_index == RSCOPE_NONE ||
	    (l->netdev_netns != RSCOPE_NONE && t->netns != RSCOPE_NONE &&
	     l->netdev_netns != t->netns))
		return NULL;
	d = rtnl_by_index(&t->netdevs, l->netdev_index);
	return d && !strcmp(d->name, l->netdev) ? d : NULL;
}

/**
 * topo_bases() - the netdevs right on a port: its own, or those of IPoIB
 * @t: the netdevs
 * @l: the port
 * @bases: list of const struct netdev *, added to
 *
 * Return: 0 or -ENOMEM.
 */
int topo_bases(const struct topo *t, const struct rscope_link *l, struct list *bases)
{
	const struct netdev *d = topo_netdev(t, l);

	if (d)
		return list_add(bases, &d);
	return ipoib_of_port(t->root, l, &t->netdevs, bases);
}

/* The netdev itself before one that it stands on: a partition stands on IPoIB too. */
static int nearest_base(const struct topo *t, const struct list *bases,
			const struct netdev *target, const struct netdev **base, struct list *path)
{
	int err = -ENOENT;
	size_t i;

	*base = target;
	for (i = 0; i < bases->n; i++)
		if (*list_at(const struct netdev *, bases, i) == target)
			return 0;
	for (i = 0; err == -ENOENT && i < bases->n; i++) {
		*base = *list_at(const struct netdev *, bases, i);
		err = netrel_path(&t->edges, (*base)->index, target->index, path);
	}
	return err;
}

/**
 * topo_serves() - do packets of a netdev go through a port?
 * @t: the netdevs
 * @l: the port
 * @target: the netdev
 * @base: result: the netdev right on the port
 * @path: list of struct netrel_step, added to: from there to @target; empty when that
 *	is it
 *
 * Return: 0, -ENOENT when they do not, -ENOMEM.
 */
int topo_serves(const struct topo *t, const struct rscope_link *l, const struct netdev *target,
		const struct netdev **base, struct list *path)
{
	struct list bases = LIST(const struct netdev *);
	int err = topo_bases(t, l, &bases);

	if (!err)
		err = nearest_base(t, &bases, target, base, path);
	list_free(&bases);
	return err;
}
