/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Every byte of a message, its source and the guards around both.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include <rdmascope/pattern.h>
#include <rdmascope/report.h>

#include "endpoint.h"

/**
 * struct verify - state of the verify pass
 * @ep: endpoint
 * @first: pairs of the lane
 * @nr: how many
 * @report: where findings go
 * @bytes: payload of the operation being prepared or checked
 * @op: enum rscope_op
 * @depth: outstanding operations per QP
 * @before: receives of each pair before this pass
 * @wrong_effect: this many operations from now, one is asked for something else than
 *	is checked; 0 = none
 * @corrupt: offset to damage in the next destination, RSCOPE_NONE for none
 */
struct verify {
	struct endpoint *ep;
	struct pair *first;
	u32 nr;
	struct rscope_report *report;
	struct rscope_bytes bytes;
	s64 op;
	u32 depth;
	u64 *before;
	u64 wrong_effect;
	u64 corrupt;
};

void verify_begin(struct verify *v);
void verify_prepare(struct verify *v, u32 qp, u64 op);
void verify_imm(struct verify *v, u32 qp, u64 nth, const struct ibv_wc *wc, u64 number);
void verify_check(struct verify *v, u32 qp, u64 op, u64 number);

#endif /* VERIFY_H */
