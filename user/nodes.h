/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The character devices through which user space reaches RDMA devices and ports.
 */
#ifndef NODES_H
#define NODES_H

#include <rdmascope/record.h>

#include "list.h"

/**
 * struct node - one character device
 * @name: "uverbs0", "umad0"
 * @dev: its RDMA device
 * @port: its port, RSCOPE_NONE where it is one of the whole device
 */
struct node {
	char name[32];
	char dev[RSCOPE_WORD_MAX];
	u64 port;
};

void nodes_uverbs(const char *root, struct list *nodes);
void nodes_umad(const char *root, struct list *nodes);
const struct node *nodes_find(const struct list *nodes, const char *dev);
int nodes_open(const char *root, const char *name);

#endif /* NODES_H */
