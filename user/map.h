/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Links, GIDs and devices from the best source there is: the module, the RDMA
 * core by netlink, sysfs.
 */
#ifndef MAP_H
#define MAP_H

#include <rdmascope/record.h>

#include "hints.h"
#include "list.h"

/**
 * struct map - what to read, and what was found
 * @root: prefix of debugfs and sysfs, "" as a rule
 * @forced: the only source to use, or NULL
 * @dev: device wanted, "" for all
 * @port: port wanted, 0 for all
 * @brief: of links, leave out what no table shows and sysfs has to be read for: driver, LIDs,
 *	length of the GID table
 * @items: records: struct rscope_link, rscope_gid or rscope_device
 * @source: module, netlink or sysfs: where they came from
 * @passed: why the better sources were not used
 */
struct map {
	const char *root;
	const char *forced;
	const char *dev;
	unsigned int port;
	bool brief;
	struct list items;
	const char *source;
	struct rscope_error passed;
};

int map_links(struct map *m, struct rscope_error *e);
int map_gids(struct map *m, struct rscope_error *e);
int map_devices(struct map *m, struct rscope_error *e);
enum step map_step(const struct map *m, int err);
void map_free(struct map *m);

#endif /* MAP_H */
