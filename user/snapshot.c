// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "snapshot.h"

/* Asking a core that is not there makes the kernel look for its module, each time. */
static bool no_rdma(const struct map *m)
{
	struct facts facts;

	facts_read(m->root, &facts);
	return !m->forced && !facts.rdma;
}

/**
 * snapshot_read() - read links and GIDs
 * @root: prefix, "" as a rule
 * @forced: the only source to use, or NULL
 * @s: result; empty on error
 * @e: reason
 *
 * No RDMA core is no error: it may be loaded while we watch.
 *
 * Return: 0 or a negative errno.
 */
int snapshot_read(const char *root, const char *forced, struct snapshot *s,
		  struct rscope_error *e)
{
	int err;

	*s = (struct snapshot){
		.links = { .root = root, .forced = forced, .dev = "" },
		.gids = { .root = root, .dev = "" },
	};
	if (no_rdma(&s->links))
		return 0;
	err = map_links(&s->links, e);
	s->gids.forced = s->links.source;
	if (!err)
		err = map_gids(&s->gids, e);
	if (err)
		snapshot_free(s);
	return err;
}

/**
 * snapshot_source() - where does it come from?
 * @s: of snapshot_read()
 *
 * Return: module, netlink, sysfs, or none.
 */
const char *snapshot_source(const struct snapshot *s)
{
	return s->links.source ? s->links.source : "none";
}

/**
 * snapshot_free() - free what was read
 * @s: the snapshot
 */
void snapshot_free(struct snapshot *s)
{
	map_free(&s->links);
	map_free(&s->gids);
}
