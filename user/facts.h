/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What about this machine decides which errors are likely?
 */
#ifndef FACTS_H
#define FACTS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct facts - the situation, for hints
 * @root: effective user is root
 * @lockdown: kernel lockdown forbids writing debugfs
 * @debugfs: debugfs is mounted
 * @module: the rdmascope module is loaded
 * @rdma: the RDMA core is loaded
 * @uverbs: a uverbs device node exists
 */
struct facts {
	bool root;
	bool lockdown;
	bool debugfs;
	bool module;
	bool rdma;
	bool uverbs;
};

void facts_read(const char *root, struct facts *f);
int facts_line_at(int dir, const char *name, char *to, size_t size);
int facts_line(const char *path, char *to, size_t size);

#endif /* FACTS_H */
