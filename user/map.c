// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Each kind of record has a row per source; sources are asked in order until
 * one answers.
 */
#include "map.h"

#include <limits.h>

#include <rdmascope/linkjudge.h>

#include "kpath.h"
#include "nldev.h"
#include "parse.h"
#include "provider.h"
#include "rtnl.h"
#include "sysfs.h"
#include "sysnet.h"

enum source { SOURCE_MODULE, SOURCE_NETLINK, SOURCE_SYSFS, SOURCE_NR };

static const char *const source_words[] = { "module", "netlink", "sysfs" };

typedef int (*source_fn)(struct map *m, struct rscope_error *e);

/* ------------------------------------------------------------------ module */

static int take_record(void *ctx, const void *rec, struct rscope_error *e)
{
	return list_add(ctx, rec) ? rscope_fail(e, -ENOMEM, "out of memory") : 0;
}

#define RECORDS(kind_, tag_, name) \
	{ .kind = kind_, .tag = tag_, .rec_fields = rscope_##name##_fields, \
	  .nr_rec_fields = ARRAY_SIZE(rscope_##name##_fields), \
	  .rec_size = sizeof(struct rscope_##name), .record = take_record }

static const struct parse_spec links_spec = RECORDS("links", "link", link);
static const struct parse_spec gids_spec = RECORDS("gids", "gid", gid);

static const struct parse_spec device_spec = {
	.kind = "device",
	.fields = rscope_device_fields,
	.nr_fields = ARRAY_SIZE(rscope_device_fields),
};

static int module_records(struct map *m, const char *file, const struct parse_spec *spec,
			  struct rscope_error *e)
{
	struct ktext t;
	int err = kpath_read(m->root, file, &t, e);

	if (err)
		return err;
	err = parse_text(spec, t.text, t.len, NULL, &m->items, e);
	free(t.text);
	return err;
}

static int module_links(struct map *m, struct rscope_error *e)
{
	return module_records(m, "links", &links_spec, e);
}

static int module_gids(struct map *m, struct rscope_error *e)
{
	return module_records(m, "gids", &gids_spec, e);
}

static int module_device(struct map *m, const struct rscope_link *l, struct rscope_error *e)
{
	char dir[RSCOPE_WORD_MAX + 24], file[PATH_MAX / 2];
	struct rscope_device d;
	struct ktext t;
	int err;

	if (kpath_dir(m->root, l->ifname, l->ifindex, dir, sizeof(dir)))
		return 0; /* gone since the list was read */
	snprintf(file, sizeof(file), "%s/device", dir);
	err = kpath_read(m->root, file, &t, e);
	if (err)
		return err;
	err = parse_text(&device_spec, t.text, t.len, &d, NULL, e);
	free(t.text);
	return err ? err : list_add(&m->items, &d);
}

/* The module's list of devices is its list of ports. */
static int module_devices(struct map *m, struct rscope_error *e)
{
	struct map ports = { .root = m->root, .items.size = sizeof(struct rscope_link) };
	int err = module_links(&ports, e);
	u64 last = RSCOPE_NONE;

	list_each(struct rscope_link, l, &ports.items) {
		if (!err && l->ifindex != last)
			err = module_device(m, l, e);
		last = l->ifindex;
	}
	list_free(&ports.items);
	return err;
}

static bool wanted(const struct map *m, const char *dev, u64 port)
{
	return (!*m->dev || !strcmp(m->dev, dev)) && (!m->port || m->port == port);
}

/* ------------------------------------------------------- netlink and sysfs */

static void load_netdevs(const char *root, struct list *netdevs)
{
	if (*root)
		sysnet_load(root, netdevs);
	else
		rtnl_load(netdevs);
}

static int netlink_links(struct map *m, struct rscope_error *e)
{
	struct list netdevs = LIST(struct netdev);
	int err = nldev_links(&m->items, e);

	rtnl_load(&netdevs);
	list_each(struct rscope_link, l, &m->items) {
		sysfs_fill_port(m->root, l, m->brief);
		rtnl_fill_link(&netdevs, l);
		rscope_link_judge(l);
	}
	list_free(&netdevs);
	return err;
}

static int sysfs_judged_links(struct map *m, struct rscope_error *e)
{
	int err = sysfs_links(m->root, &m->items, e);

	list_each(struct rscope_link, l, &m->items)
		rscope_link_judge(l);
	return err;
}

static int gids_of_links(struct map *m, source_fn links, struct rscope_error *e)
{
	struct map ports = { .root = m->root, .items.size = sizeof(struct rscope_link) };
	struct list netdevs = LIST(struct netdev);
	int err = links(&ports, e);

	load_netdevs(m->root, &netdevs);
	list_each(struct rscope_link, l, &ports.items)
		if (!err && wanted(m, l->ifname, l->port))
			err = sysfs_gids(m->root, l, &netdevs, &m->items);
	list_free(&netdevs);
	list_free(&ports.items);
	return err;
}

static int netlink_gids(struct map *m, struct rscope_error *e)
{
	return gids_of_links(m, netlink_links, e);
}

static int sysfs_scored_gids(struct map *m, struct rscope_error *e)
{
	return gids_of_links(m, sysfs_judged_links, e);
}

static int netlink_devices(struct map *m, struct rscope_error *e)
{
	int err = nldev_devices(&m->items, e);

	list_each(struct rscope_device, d, &m->items) {
		sysfs_fill_device(m->root, d);
		if (!*d->driver)
			snprintf(d->driver, sizeof(d->driver), "%s",
				 provider_driver(nldev_driver_id(d->ifindex)));
	}
	return err;
}

static int plain_sysfs_devices(struct map *m, struct rscope_error *e)
{
	return sysfs_devices(m->root, &m->items, e);
}

/* ----------------------------------------------------------------- sources */

static bool may_use(const struct map *m, enum source s)
{
	if (m->forced)
		return !strcmp(m->forced, source_words[s]);
	return s != SOURCE_NETLINK || !*m->root;
}

/* The first source that answers; what a better one said is kept in passed. */
static int try_sources(struct map *m, const source_fn *fn, size_t size, struct rscope_error *e)
{
	int s, err = rscope_fail(e, -ENOENT, "no source");

	m->items.size = size;
	for (s = 0; s < SOURCE_NR; s++) {
		if (!may_use(m, s))
			continue;
		list_free(&m->items);
		err = fn[s](m, e);
		m->source = source_words[s];
		if (!err)
			return 0;
		if (s == SOURCE_MODULE)
			m->passed = *e;
	}
	return err;
}

#define KEEP_WANTED(m, type, port_of) \
	do { \
		size_t kept_ = 0; \
		list_each(type, item_, &(m)->items) \
			if (wanted(m, item_->ifname, port_of)) \
				*list_at(type, &(m)->items, kept_++) = *item_; \
		(m)->items.n = kept_; \
	} while (0)

static int check_found(struct map *m, struct rscope_error *e)
{
	if (m->items.n || !*m->dev)
		return 0;
	if (m->port)
		return rscope_fail(e, -ENODEV, "%s/%u: no such port", m->dev, m->port);
	return rscope_fail(e, -ENODEV, "%s: no such device", m->dev);
}

/**
 * map_links() - ports and their netdevs
 * @m: what to read; items become struct rscope_link
 * @e: reason
 *
 * Return: 0 or a negative errno, -ENODEV when the wanted one is not there.
 */
int map_links(struct map *m, struct rscope_error *e)
{
	static const source_fn fn[] = { module_links, netlink_links, sysfs_judged_links };
	int err = try_sources(m, fn, sizeof(struct rscope_link), e);

	if (err)
		return err;
	KEEP_WANTED(m, struct rscope_link, item_->port);
	return check_found(m, e);
}

/* Nothing to show is an error when it was asked of a port that is not there. */
static int port_exists(const struct map *m, struct rscope_error *e)
{
	struct map ports = { .root = m->root, .forced = m->source, .dev = m->dev, .port = m->port };
	int err = map_links(&ports, e);

	map_free(&ports);
	return err;
}

/**
 * map_gids() - GID tables
 * @m: what to read; items become struct rscope_gid
 * @e: reason
 *
 * Return: 0 or a negative errno; a port without GIDs is no error.
 */
int map_gids(struct map *m, struct rscope_error *e)
{
	static const source_fn fn[] = { module_gids, netlink_gids, sysfs_scored_gids };
	int err = try_sources(m, fn, sizeof(struct rscope_gid), e);

	if (err)
		return err;
	KEEP_WANTED(m, struct rscope_gid, item_->port);
	return m->items.n ? 0 : port_exists(m, e);
}

/**
 * map_devices() - devices and their limits
 * @m: what to read; items become struct rscope_device
 * @e: reason
 *
 * Return: 0 or a negative errno, -ENODEV when the wanted one is not there.
 */
int map_devices(struct map *m, struct rscope_error *e)
{
	static const source_fn fn[] = { module_devices, netlink_devices, plain_sysfs_devices };
	int err = try_sources(m, fn, sizeof(struct rscope_device), e);

	if (err)
		return err;
	m->port = 0;
	KEEP_WANTED(m, struct rscope_device, 0);
	return check_found(m, e);
}

/**
 * map_step() - what failed, for the hint
 * @m: a map that could not be read
 * @err: why
 *
 * Return: the step.
 */
enum step map_step(const struct map *m, int err)
{
	if (err == -ENODEV)
		return STEP_DEVICE;
	if (m->source && !strcmp(m->source, "netlink"))
		return STEP_NETLINK;
	if (m->source && !strcmp(m->source, "sysfs"))
		return STEP_DEVICE;
	return err == -EBADMSG || err == -EPROTONOSUPPORT ? STEP_TEXT : STEP_MODULE;
}

/**
 * map_free() - free what was found
 * @m: the map
 */
void map_free(struct map *m)
{
	list_free(&m->items);
}
