/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. GID table -> netdevs and scores. */
#ifndef RSCOPE_GIDS_H
#define RSCOPE_GIDS_H

#include <rdma/ib_verbs.h>
#include "record.h"
#include "text.h"

void rscope_gids_show(struct rscope_buf *b, struct ib_device *ib, u32 port);
int rscope_gid_best(struct ib_device *ib, u32 port);
bool rscope_gid_fill(struct rscope_gid *g, struct ib_device *ib, u32 port, u32 index,
		     struct net_device *port_ndev);

#endif /* RSCOPE_GIDS_H */
