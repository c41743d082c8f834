/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The port and the GID of a run, when the user did not name them.
 */
#ifndef PICK_H
#define PICK_H

#include <rdmascope/record.h>

int pick_port(const char *root, const char *dev, unsigned int port, struct rscope_link *l,
	      const char **source, struct rscope_error *e);
int pick_gid(const char *root, const struct rscope_link *l, s64 index, struct rscope_gid *g,
	     struct rscope_error *e);

#endif /* PICK_H */
