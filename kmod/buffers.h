/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. Setup steps that give a pair its memory and work requests. */
#ifndef RSCOPE_BUFFERS_H
#define RSCOPE_BUFFERS_H

#include "endpoint.h"

int rscope_open_mrs(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e);
int rscope_open_rings(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e);
int rscope_open_recvs(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e);
void rscope_pair_free(struct rscope_pair *p);
void rscope_pair_aim(struct rscope_endpoint *ep, struct rscope_pair *p, bool spread);

#endif /* RSCOPE_BUFFERS_H */
