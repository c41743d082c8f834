/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. What a port can and cannot do. */
#ifndef RSCOPE_SUPPORT_H
#define RSCOPE_SUPPORT_H

#include <rdma/ib_verbs.h>
#include "layout.h"
#include "text.h"
#include "workload.h"

bool rscope_op_supported(struct ib_device *ib, u32 port, s64 op, s64 qp, struct rscope_error *e);
bool rscope_workload_supported(struct ib_device *ib, u32 port, const struct rscope_workload *w,
			       const struct rscope_layout *l, struct rscope_error *e);
void rscope_ops_show(struct rscope_buf *b, struct ib_device *ib, u32 port);

#endif /* RSCOPE_SUPPORT_H */
