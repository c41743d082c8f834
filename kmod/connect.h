/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. Setup steps that create and connect the QPs of a pair. */
#ifndef RSCOPE_CONNECT_H
#define RSCOPE_CONNECT_H

#include "endpoint.h"

int rscope_open_qps(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e);
int rscope_to_init(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e);
int rscope_to_rtr(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e);
int rscope_to_rts(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e);

#endif /* RSCOPE_CONNECT_H */
