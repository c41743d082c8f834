/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Links and GIDs of one moment, out of one source.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "map.h"

/**
 * struct snapshot - everything there is
 * @links: ports
 * @gids: GIDs, from the same source
 */
struct snapshot {
	struct map links;
	struct map gids;
};

int snapshot_read(const char *root, const char *forced, struct snapshot *s,
		  struct rscope_error *e);
const char *snapshot_source(const struct snapshot *s);
void snapshot_free(struct snapshot *s);

#endif /* SNAPSHOT_H */
