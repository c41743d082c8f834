/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. What a port can and cannot do. */
#ifndef RSCOPE_SUPPORT_H
#define RSCOPE_SUPPORT_H

#include <rdma/ib_verbs.h>
#include "layout.h"
#include "text.h"
#include "workload.h"

/* Work requests the engine keeps for registration and flush markers. */
#define RSCOPE_WR_RESERVE 2

/* Pages of one MR: what the device allows, and never more than 4 MiB of 4 KiB pages. */
static inline u32 rscope_mr_pages(const struct ib_device *ib)
{
	return min_t(u32, ib->attrs.max_fast_reg_page_list_len, 1024);
}

/* Completions of one QP pair that can be outstanding. */
static inline u32 rscope_pair_cqes(const struct rscope_workload *w, const struct rscope_layout *l)
{
	u32 side, n = 0;

	for (side = 0; side < 2; side++)
		n += rscope_layout_sends(l, w, side) + rscope_layout_recvs(l, w, side) +
		     2 * RSCOPE_WR_RESERVE;
	return n;
}

bool rscope_op_supported(struct ib_device *ib, u32 port, s64 op, s64 qp, struct rscope_error *e);
bool rscope_workload_supported(struct ib_device *ib, u32 port, const struct rscope_workload *w,
			       const struct rscope_layout *l, struct rscope_error *e);
void rscope_ops_show(struct rscope_buf *b, struct ib_device *ib, u32 port);

#endif /* RSCOPE_SUPPORT_H */
