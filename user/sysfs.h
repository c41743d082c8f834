/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What sysfs tells about devices, ports and GIDs: the last source of the map,
 * and what the others lack.
 */
#ifndef SYSFS_H
#define SYSFS_H

#include <rdmascope/record.h>

#include "list.h"

int sysfs_links(const char *root, struct list *links, struct rscope_error *e);
int sysfs_devices(const char *root, struct list *devices, struct rscope_error *e);
int sysfs_gids(const char *root, const struct rscope_link *l, const struct list *netdevs,
	       struct list *gids);
void sysfs_fill_port(const char *root, struct rscope_link *l, bool brief);
void sysfs_fill_netdev(const char *root, struct rscope_link *l);
void sysfs_fill_device(const char *root, struct rscope_device *d);
bool sysfs_unseen_netdev(const char *root, const struct rscope_link *l, char *name, size_t size);
int sysfs_numa_node(const char *root, const char *dev);

#endif /* SYSFS_H */
