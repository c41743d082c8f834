/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. Waiting for one work request, and for all of them to be flushed. */
#ifndef RSCOPE_FLUSH_H
#define RSCOPE_FLUSH_H

#include "endpoint.h"

int rscope_post_and_wait(struct rscope_end *end, struct ib_send_wr *wr);
void rscope_flush(struct rscope_endpoint *ep);

#endif /* RSCOPE_FLUSH_H */
