/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Where do the bytes of a run lie? The same slots, guards and limits on every
 * path.
 *
 * Each QP pair has a source and a destination region. A region is a row of
 * slots, each between two guards:
 *
 *	| guard | slot 0 | guard | slot 1 | guard | ...
 *
 * The timed pass uses slot 0 only, as perftest does with its one buffer. The
 * verify pass gives each outstanding operation a slot of its own: operation n
 * of a QP uses slot n % depth. Receives stay posted from one pass to the next,
 * so the n-th receive of a QP's life always lies in slot n % dst_slots, and
 * operation n of the verify pass lands in slot (received before + n) % dst_slots.
 */
#ifndef RDMASCOPE_LAYOUT_H
#define RDMASCOPE_LAYOUT_H

#include "abi.h"
#include "env.h"
#include "workload.h"

#define RSCOPE_GUARD_BYTES 64

/**
 * struct rscope_layout - geometry of the regions of one QP pair
 * @size: bytes of one message
 * @stride: from one slot to the next
 * @src_slots: slots of the source region
 * @dst_slots: slots of the destination region
 * @src_bytes: length of the source region, guards included
 * @dst_bytes: length of the destination region, guards included
 * @total_bytes: of all QP pairs together
 * @sq_wrs: send queue entries the workload needs per sending QP
 * @rq_wrs: receive queue entries it needs per receiving QP, 0 for one-sided
 */
struct rscope_layout {
	u64 size;
	u64 stride;
	u64 src_slots;
	u64 dst_slots;
	u64 src_bytes;
	u64 dst_bytes;
	u64 total_bytes;
	u32 sq_wrs;
	u32 rq_wrs;
};

static inline u64 rscope_slot_offset(const struct rscope_layout *l, u64 slot)
{
	return RSCOPE_GUARD_BYTES + slot * l->stride;
}

/* Side 0 is active, 1 passive. In a ping-pong both send and both receive. */
static inline u32 rscope_layout_sends(const struct rscope_layout *l,
				      const struct rscope_workload *w, u32 side)
{
	return !side || w->pattern == RSCOPE_PATTERN_PINGPONG ? l->sq_wrs : 0;
}

static inline u32 rscope_layout_recvs(const struct rscope_layout *l,
				      const struct rscope_workload *w, u32 side)
{
	return side || w->pattern == RSCOPE_PATTERN_PINGPONG ? l->rq_wrs : 0;
}

/**
 * rscope_layout_init() - lay out a workload and hold it to the limits
 * @l: result
 * @w: validated workload
 * @e: reason
 *
 * Receives are twice the depth: a receive that was consumed is posted again
 * only after the next send has left, so that posting it costs no latency.
 *
 * Return: 0, or -ERANGE when the buffers would exceed RSCOPE_MEMORY_MAX_BYTES;
 * nothing has been allocated then.
 */
static inline int rscope_layout_init(struct rscope_layout *l, const struct rscope_workload *w,
				     struct rscope_error *e)
{
	memset(l, 0, sizeof(*l));
	l->size = (u64)w->size;
	l->stride = (l->size + RSCOPE_GUARD_BYTES + 63) & ~63ULL;
	l->sq_wrs = (u32)w->depth;
	l->rq_wrs = rscope_op_takes_recv(w->op) ? 2 * (u32)w->depth : 0;
	l->src_slots = w->verify ? l->sq_wrs : 1;
	l->dst_slots = !w->verify ? 1 : l->rq_wrs ? l->rq_wrs : l->sq_wrs;
	l->src_bytes = RSCOPE_GUARD_BYTES + l->src_slots * l->stride;
	l->dst_bytes = RSCOPE_GUARD_BYTES + l->dst_slots * l->stride;
	l->total_bytes = (l->src_bytes + l->dst_bytes) * (u64)w->qps;
	if (l->total_bytes > RSCOPE_MEMORY_MAX_BYTES)
		return rscope_fail(e, -ERANGE,
				   "buffers of %llu bytes exceed the limit of %llu: lower size, depth or qps",
				   l->total_bytes, RSCOPE_MEMORY_MAX_BYTES);
	return 0;
}

#endif /* RDMASCOPE_LAYOUT_H */
