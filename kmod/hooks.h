/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Level 3. The hooks of loop.h and pingpong.h over kernel verbs: how to post, poll,
 * prepare and check. Included once, by engine.c, so that all of it is inlined
 * into the loop.
 */
#ifndef RSCOPE_HOOKS_H
#define RSCOPE_HOOKS_H

#include "effect.h"
#include "engine.h"
#include "fault.h"
#include "lanes.h"
#include "pass.h"

/**
 * struct rscope_engine - what the hooks of one lane work on
 * @ep: endpoint
 * @lane: share of this thread
 * @other: lane of the other end while its thread rests, else NULL
 * @gate: where lanes meet, and what ends all of them
 * @first: pairs of the lane
 * @f: figures
 * @bytes: payload of the operation being prepared or checked
 * @loop: the loop
 * @delay_ns: added to each post of the timed pass, 0 = nothing
 * @corrupt: offset to damage in the next destination checked, or RSCOPE_NONE
 */
struct rscope_engine {
	struct rscope_endpoint *ep;
	struct rscope_lane *lane;
	struct rscope_lane *other;
	struct rscope_gate *gate;
	struct rscope_pair *first;
	struct rscope_figures *f;
	struct rscope_bytes bytes;
	struct rscope_loop loop;
	u64 delay_ns;
	u64 corrupt;
};

/* ------------------------------------------------------------------- hooks */

/* Link the next @n ring entries into one list and say which are signalled. */
static __always_inline void rscope_chain(struct rscope_engine *e, struct rscope_end *end, u32 slot,
					 u32 n, u64 signalled)
{
	union rscope_send_wr *wr = &end->wr[slot];
	u32 depth = e->loop.depth;

	for (;; signalled >>= 1) {
		wr->wr.send_flags = end->send_flags | (signalled & 1 ? IB_SEND_SIGNALED : 0);
		if (!--n)
			break;
		slot = slot + 1 == depth ? 0 : slot + 1;
		wr->wr.next = &end->wr[slot].wr;
		wr = &end->wr[slot];
	}
	wr->wr.next = NULL;
}

static __always_inline int rscope_post_owed(struct rscope_end *end)
{
	u32 n = end->owed;

	end->owed = 0;
	return n ? rscope_end_post_recvs(end, n) : 0;
}

/* For calibration: a known cost in every operation. */
static noinline void rscope_delay(u64 ns)
{
	u64 until = rscope_now_ns() + ns;

	while (rscope_now_ns() < until)
		cpu_relax();
}

static __always_inline int rscope_hook_post(struct rscope_engine *e, u32 qp, u32 slot, u32 n,
					    u64 signalled, const enum rscope_pass pass)
{
	struct rscope_pair *p = &e->first[qp];
	int err;

	rscope_chain(e, &p->end[0], slot, n, signalled);
	if (static_branch_unlikely(&rscope_fault_key)) {
		if (rscope_fault_count(RSCOPE_FAULT_POST))
			return -ENOMEM;
		if (e->delay_ns)
			rscope_delay(e->delay_ns * n);
	}
	err = ib_post_send(p->end[0].qp, &p->end[0].wr[slot].wr, NULL);
	return unlikely(err) ? err : rscope_post_owed(&p->end[1]);
}

/* What a successful completion means; false for one that is not the loop's. */
static __always_inline bool rscope_done(struct rscope_engine *e, const struct ib_wc *wc,
					struct rscope_done *done)
{
	struct rscope_cqe *c = rscope_cqe_of(wc);

	if (unlikely(c->kind == RSCOPE_CQE_OTHER))
		return false;
	done->qp = c->qp;
	done->side = c->side;
	done->recv = c->kind == RSCOPE_CQE_RECV;
	if (done->recv) {
		e->first[c->qp].end[c->side].owed++;
		e->first[c->qp].end[c->side].received++;
	}
	return true;
}

static void rscope_note_bad(struct rscope_engine *e, const struct rscope_mismatch *m,
			    const char *where)
{
	struct rscope_figures *f = e->f;

	if (!m->count)
		return;
	if (!f->bad.count) {
		f->bad = *m;
		f->bad_op = e->loop.retired;
		f->bad_where = where;
		return;
	}
	f->bad.count += m->count;
}

/* Receives complete in order, so the count of those before tells the operation. */
static void rscope_check_imm(struct rscope_engine *e, const struct ib_wc *wc)
{
	struct rscope_cqe *c = rscope_cqe_of(wc);
	struct rscope_end *end = &e->first[c->qp].end[c->side];
	struct rscope_bytes b = { .seed = e->bytes.seed, .qp = c->qp,
				  .op = end->received - end->received_before };
	struct rscope_mismatch m = {};
	__be32 want = cpu_to_be32(rscope_effect_imm(&b));

	if (c->kind != RSCOPE_CQE_RECV)
		return;
	if (wc->wc_flags & IB_WC_WITH_IMM)
		rscope_effect_compare(&want, &wc->ex.imm_data, sizeof(want), &m);
	else
		m.count = sizeof(want);
	rscope_note_bad(e, &m, "immediate");
}

static __always_inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done,
					    u32 max, const enum rscope_pass pass)
{
	struct ib_wc wc[RSCOPE_POLL_MAX];
	int i, n, found = 0;

	/* What came before the error has counted; this poll ends the pass. */
	if (unlikely(e->lane->wc_error.status != IB_WC_SUCCESS))
		return -EIO;
	n = rscope_cq_take(&e->lane->cq, wc, max);
	for (i = 0; i < n; i++) {
		if (unlikely(wc[i].status != IB_WC_SUCCESS)) {
			rscope_wc_failed(e->lane, &wc[i], rscope_cqe_of(&wc[i])->qp);
			return found ? found : -EIO;
		}
		if (pass == RSCOPE_PASS_VERIFY && rscope_op_has_imm(e->ep->w->op))
			rscope_check_imm(e, &wc[i]);
		found += rscope_done(e, &wc[i], &done[found]);
	}
	return n < 0 ? n : found;
}

static __always_inline u64 rscope_hook_now(struct rscope_engine *e)
{
	return rscope_now_ns();
}

static __always_inline int rscope_hook_stop(struct rscope_engine *e, u64 now)
{
	WRITE_ONCE(e->f->progress, e->loop.retired);
	/* A device that is never empty would keep others off this CPU. */
	if (unlikely(rscope_should_yield()))
		schedule();
	if (unlikely(READ_ONCE(e->gate->broken)))
		return e->gate->broken;
	return rscope_stopped(e->ep->stop, now);
}

static __always_inline void rscope_hook_relax(struct rscope_engine *e)
{
	if (unlikely(e->other)) {
		swap(e->lane, e->other);
		rscope_relax();
		return;
	}
	rscope_cq_idle(&e->lane->cq, e->ep->stop);
}

/* ------------------------------------------------------- hooks of the check */

static u64 rscope_src_slot(struct rscope_engine *e, u64 op)
{
	u32 slot;

	div_u64_rem(op, e->loop.depth, &slot);
	return slot;
}

/* Receives are consumed in order, so the count of all before tells the slot. */
static u64 rscope_dst_slot(struct rscope_engine *e, struct rscope_pair *p, u64 op)
{
	u32 slot;

	if (!rscope_op_is_send(e->ep->w->op))
		return rscope_src_slot(e, op);
	div_u64_rem(p->end[1].received_before + op, e->ep->l->dst_slots, &slot);
	return slot;
}

static void rscope_fill(struct rscope_engine *e, struct rscope_region *r, u64 slot,
			enum rscope_fill fill)
{
	e->bytes.fill = fill;
	rscope_region_fill(r, &e->bytes, rscope_slot_offset(r->layout, slot), r->layout->size);
}

/* What the operation is to do beside moving bytes; its payload is e->bytes. */
static void rscope_prepare_effect(struct rscope_engine *e, union rscope_send_wr *wr)
{
	s64 op = e->ep->w->op;

	e->bytes.fill = RSCOPE_FILL_PAYLOAD;
	if (rscope_op_has_imm(op))
		wr->wr.ex.imm_data = cpu_to_be32(rscope_effect_imm(&e->bytes));
	if (!rscope_op_is_atomic(op))
		return;
	wr->atomic.compare_add = rscope_effect_operand(op, &e->bytes);
	wr->atomic.swap = rscope_effect_swap(&e->bytes);
}

/* Fault point: what is asked for is not what is checked. */
static void rscope_spoil_effect(struct rscope_engine *e, union rscope_send_wr *wr)
{
	if (rscope_op_has_imm(e->ep->w->op))
		wr->wr.ex.imm_data ^= cpu_to_be32(1);
	if (rscope_op_is_atomic(e->ep->w->op))
		wr->atomic.compare_add = ~wr->atomic.compare_add;
}

static void rscope_hook_prepare(struct rscope_engine *e, u32 qp, u64 op)
{
	struct rscope_pair *p = &e->first[qp];
	union rscope_send_wr *wr = &p->end[0].wr[rscope_src_slot(e, op)];

	e->bytes.qp = qp;
	e->bytes.op = op;
	rscope_prepare_effect(e, wr);
	if (static_branch_unlikely(&rscope_fault_key) && rscope_fault_count(RSCOPE_FAULT_EFFECT))
		rscope_spoil_effect(e, wr);
	rscope_fill(e, &p->src, rscope_src_slot(e, op), RSCOPE_FILL_PAYLOAD);
	rscope_fill(e, &p->dst, rscope_dst_slot(e, p, op), RSCOPE_FILL_POISON);
}

/* What an atomic left behind. */
static void rscope_check_atomic(struct rscope_engine *e, struct rscope_region *r, u64 at,
				struct rscope_mismatch *m)
{
	u64 want = rscope_effect_new(e->ep->w->op, &e->bytes), got;
	u8 *byte = (u8 *)&got;
	u32 i;

	for (i = 0; i < sizeof(got); i++)
		byte[i] = rscope_region_peek(r, at + i);
	rscope_effect_compare(&want, &got, sizeof(got), m);
}

static void rscope_check_slot(struct rscope_engine *e, struct rscope_region *r, u64 slot,
			      const char *where)
{
	u64 at = rscope_slot_offset(r->layout, slot), size = r->layout->size;
	bool changed = r == &e->first[e->bytes.qp].src && rscope_op_is_atomic(e->ep->w->op);
	struct rscope_mismatch m = {}, guard = {};

	e->bytes.fill = RSCOPE_FILL_PAYLOAD;
	if (changed)
		rscope_check_atomic(e, r, at, &m);
	else
		rscope_region_check(r, &e->bytes, at, size, &m);
	rscope_note_bad(e, &m, where);
	e->bytes.fill = RSCOPE_FILL_GUARD;
	rscope_region_check(r, &e->bytes, at - RSCOPE_GUARD_BYTES, RSCOPE_GUARD_BYTES, &guard);
	rscope_region_check(r, &e->bytes, at + size, r->layout->stride - size, &guard);
	rscope_note_bad(e, &guard, "guard");
	e->f->verify_bytes += r->layout->stride + RSCOPE_GUARD_BYTES;
}

static void rscope_hook_check(struct rscope_engine *e, u32 qp, u64 op)
{
	struct rscope_pair *p = &e->first[qp];
	u64 slot = rscope_dst_slot(e, p, op);

	e->bytes.qp = qp;
	e->bytes.op = op;
	if (unlikely(e->corrupt < p->dst.layout->size)) {
		rscope_region_flip(&p->dst, rscope_slot_offset(p->dst.layout, slot) + e->corrupt);
		e->corrupt = RSCOPE_NONE;
	}
	rscope_check_slot(e, &p->dst, slot, "destination");
	rscope_check_slot(e, &p->src, rscope_src_slot(e, op), "source");
	e->f->verify_ops++;
}

/* -------------------------------------------------------- hooks of ping-pong */

/*
 * Writes are found by looking at the last byte of the message, which devices
 * write last; perftest relies on the same. Each message counts it up.
 */
static __always_inline int rscope_hook_ping(struct rscope_engine *e, u32 qp, u32 side, u64 serial)
{
	struct rscope_pair *p = &e->first[qp];
	struct rscope_region *own = side ? &p->dst : &p->src;
	int err;

	if (!e->loop.two_sided)
		rscope_region_poke(own, rscope_slot_offset(own->layout, 0) + own->layout->size - 1,
				   (u8)serial);
	rscope_chain(e, &p->end[side], 0, 1, 1);
	err = ib_post_send(p->end[side].qp, &p->end[side].wr[0].wr, NULL);
	return unlikely(err) ? err : rscope_post_owed(&p->end[side]);
}

static __always_inline bool rscope_hook_landed(struct rscope_engine *e, u32 qp, u32 side,
					       u64 serial)
{
	struct rscope_pair *p = &e->first[qp];
	struct rscope_region *own = side ? &p->dst : &p->src;

	if (e->loop.two_sided)
		return false;
	return rscope_region_peek(own, rscope_slot_offset(own->layout, 0) + own->layout->size -
				  1) == (u8)serial;
}

#endif /* RSCOPE_HOOKS_H */
