/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. Queue pairs and their states. */
#ifndef RSCOPE_QP_H
#define RSCOPE_QP_H

#include <rdma/ib_verbs.h>
#include "addr.h"
#include "layout.h"
#include "workload.h"

/**
 * struct rscope_qp_plan - what all QPs of a run have in common
 * @addr: address
 * @w: workload
 * @rd_atomic: outstanding reads per QP
 */
struct rscope_qp_plan {
	struct rscope_addr addr;
	const struct rscope_workload *w;
	u8 rd_atomic;
};

struct ib_qp *rscope_qp_create(struct ib_pd *pd, struct ib_cq *cq, struct ib_qp_cap *cap);
int rscope_qp_to(struct ib_qp *qp, enum ib_qp_state to, const struct rscope_qp_plan *plan,
		 u32 peer_qpn, u32 psn);
const char *rscope_qp_state(struct ib_qp *qp);

#endif /* RSCOPE_QP_H */
