// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "survey.h"

#include <sys/stat.h>

#include "judges.h"
#include "nodes.h"
#include "sysfs.h"
#include "uside.h"

static u64 own_netns(const char *root)
{
	struct stat st;

	return *root || stat("/proc/self/ns/net", &st) ? RSCOPE_NONE : st.st_ino;
}

/* Addresses are those of this namespace only. */
static bool unowned(const char *root, const struct rscope_gid *g)
{
	u64 own = own_netns(root);

	if (!strcmp(g->scope, "ipv4") || !*g->netdev)
		return false;
	if (own != RSCOPE_NONE && g->netdev_netns != RSCOPE_NONE && g->netdev_netns != own)
		return false;
	return uside_has_inet6(root, g->gid, g->netdev) == 0;
}

/* As for a run: the highest score, then the lowest index. */
static void take_gids(struct port_facts *f, const struct list *gids)
{
	rscope_record_clear(rscope_gid_fields, ARRAY_SIZE(rscope_gid_fields), &f->gid);
	f->gid.score = 0;
	list_each(struct rscope_gid, g, gids) {
		if (strcmp(g->ifname, f->link.ifname) || g->port != f->link.port)
			continue;
		f->gids++;
		if (g->index < RSCOPE_GID_SLOTS && g->score > f->gid.score)
			f->gid = *g;
	}
}

static void take_device(struct port_facts *f, const struct list *devices)
{
	rscope_record_clear(rscope_device_fields, ARRAY_SIZE(rscope_device_fields), &f->device);
	list_each(struct rscope_device, d, devices)
		if (!strcmp(d->ifname, f->link.ifname))
			f->device = *d;
	list_each(struct rscope_device, d, devices)
		if (*d->node_guid && strcmp(d->ifname, f->link.ifname) &&
		    !strcmp(d->node_guid, f->device.node_guid))
			snprintf(f->guid_twin, sizeof(f->guid_twin), "%s", d->ifname);
}

static void take_user(struct port_facts *f, const char *root, const struct list *nodes)
{
	const struct node *node = nodes_find(nodes, f->link.ifname);

	f->uverbs_err = node ? nodes_open(root, node->name) : -ENODEV;
	if (node)
		snprintf(f->uverbs, sizeof(f->uverbs), "%s", node->name);
	provider_find(root, *f->device.driver ? f->device.driver : f->link.driver, &f->provider);
}

static void take_netdev(struct port_facts *f, const char *root)
{
	const struct rscope_link *l = &f->link;

	if (!*l->netdev && !sysfs_unseen_netdev(root, l, f->unseen_netdev,
						sizeof(f->unseen_netdev)))
		f->unseen_netdev[0] = '\0';
	f->fits_mtu_bytes = RSCOPE_NONE;
	if (l->max_mtu_bytes != RSCOPE_NONE)
		f->fits_mtu_bytes = judge_fitting_mtu(l->netdev_mtu_bytes, l->max_mtu_bytes);
}

/* What is read once for all ports. */
struct common {
	struct host host;
	struct list nodes;
	const struct list *gids;
	const struct list *devices;
};

static int add_port(struct survey *s, const struct rscope_link *l, const struct common *c)
{
	struct port_facts f = { .link = *l, .host = c->host };

	take_gids(&f, c->gids);
	take_device(&f, c->devices);
	f.gid_unowned = unowned(s->root, &f.gid);
	take_netdev(&f, s->root);
	take_user(&f, s->root, &c->nodes);
	return list_add(&s->ports, &f);
}

static int join(struct survey *s, const struct list *gids, const struct list *devices,
		struct rscope_error *e)
{
	struct common c = { .nodes = LIST(struct node), .gids = gids, .devices = devices };
	int err = 0;

	host_read(s->root, &c.host);
	nodes_uverbs(s->root, &c.nodes);
	list_each(struct rscope_link, l, &s->links.items)
		err = err ? err : add_port(s, l, &c);
	list_free(&c.nodes);
	return err ? rscope_fail(e, err, "out of memory") : 0;
}

/**
 * survey_ports() - look at ports, devices, GIDs, user space and machine
 * @s: what to look at, and the result
 * @e: reason
 *
 * What only makes the picture richer may be missing: a device that cannot be
 * queried still has ports. Twins are looked for among all devices.
 *
 * Return: 0 or a negative errno, -ENODEV when the wanted port is not there.
 */
int survey_ports(struct survey *s, struct rscope_error *e)
{
	struct map gids = { .root = s->root, .forced = s->forced, .dev = s->dev, .port = s->port };
	struct map devices = { .root = s->root, .forced = s->forced, .dev = "" };
	struct rscope_error ignored;
	int err;

	s->ports.size = sizeof(struct port_facts);
	s->links = gids;
	err = map_links(&s->links, e);
	if (err)
		return err;
	map_gids(&gids, &ignored);
	map_devices(&devices, &ignored);
	err = join(s, &gids.items, &devices.items, e);
	map_free(&gids);
	map_free(&devices);
	return err;
}

/**
 * survey_free() - free what was found
 * @s: the survey
 */
void survey_free(struct survey *s)
{
	map_free(&s->links);
	list_free(&s->ports);
}
