/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the map adds to the record of a device: how user space reaches it.
 */
#ifndef OUTDEV_H
#define OUTDEV_H

#include <jansson.h>

#include "nodes.h"

/**
 * struct outdev - the character devices of all RDMA devices
 * @root: prefix of all paths
 * @uverbs: struct node
 * @umad: struct node
 */
struct outdev {
	const char *root;
	struct list uverbs;
	struct list umad;
};

void outdev_load(struct outdev *u, const char *root);
void outdev_free(struct outdev *u);
void outdev_add(json_t *object, const struct outdev *u, const struct rscope_device *d);
void outdev_text(json_t *object);

#endif /* OUTDEV_H */
