// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "verify.h"

#include <endian.h>

#include <rdmascope/effect.h>

static u64 src_slot(const struct verify *v, u64 op)
{
	return op % v->depth;
}

/* Receives are consumed in order, so the count of all before tells the slot. */
static u64 dst_slot(const struct verify *v, u32 qp, u64 op)
{
	if (!rscope_op_is_send(v->op))
		return src_slot(v, op);
	return (v->before[qp] + op) % v->ep->layout.dst_slots;
}

static void fill(struct verify *v, u8 *region, u64 slot, enum rscope_fill what)
{
	const struct rscope_layout *l = &v->ep->layout;

	v->bytes.fill = what;
	rscope_pattern_fill(&v->bytes, region + rscope_slot_offset(l, slot), 0, l->size);
}

static void fill_guards(struct verify *v, u8 *region, u64 slots)
{
	const struct rscope_layout *l = &v->ep->layout;
	u64 slot;

	v->bytes.fill = RSCOPE_FILL_GUARD;
	rscope_pattern_fill(&v->bytes, region, 0, RSCOPE_GUARD_BYTES);
	for (slot = 0; slot < slots; slot++)
		rscope_pattern_fill(&v->bytes, region + rscope_slot_offset(l, slot) + l->size, 0,
				    l->stride - l->size);
}

/**
 * verify_begin() - prepare a verify pass
 * @v: state
 */
void verify_begin(struct verify *v)
{
	u32 q;

	v->report->verify_ops = 0;
	v->report->verify_bytes = 0;
	v->report->mismatches = 0;
	for (q = 0; q < v->nr; q++) {
		struct pair *p = &v->first[q];

		fill_guards(v, p->src, v->ep->layout.src_slots);
		fill_guards(v, p->dst, v->ep->layout.dst_slots);
		v->before[q] = p->end[1].received;
	}
}

/* What the operation is to do beside moving bytes; its payload is v->bytes. */
static void prepare_effect(struct verify *v, struct ibv_send_wr *wr)
{
	v->bytes.fill = RSCOPE_FILL_PAYLOAD;
	if (rscope_op_has_imm(v->op))
		wr->imm_data = htobe32(rscope_effect_imm(&v->bytes));
	if (!rscope_op_is_atomic(v->op))
		return;
	wr->wr.atomic.compare_add = rscope_effect_operand(v->op, &v->bytes);
	wr->wr.atomic.swap = rscope_effect_swap(&v->bytes);
}

/* Fault point: what is asked for is not what is checked. */
static void spoil_effect(const struct verify *v, struct ibv_send_wr *wr)
{
	if (rscope_op_has_imm(v->op))
		wr->imm_data ^= htobe32(1);
	if (rscope_op_is_atomic(v->op))
		wr->wr.atomic.compare_add = ~wr->wr.atomic.compare_add;
}

/**
 * verify_prepare() - fill the source and poison the destination of an operation
 * @v: state
 * @qp: pair
 * @op: operation within the pair
 */
void verify_prepare(struct verify *v, u32 qp, u64 op)
{
	struct pair *p = &v->first[qp];
	struct ibv_send_wr *wr = &p->end[0].wr[src_slot(v, op)];

	v->bytes.qp = qp;
	v->bytes.op = op;
	prepare_effect(v, wr);
	if (v->wrong_effect && !--v->wrong_effect)
		spoil_effect(v, wr);
	fill(v, p->src, src_slot(v, op), RSCOPE_FILL_PAYLOAD);
	fill(v, p->dst, dst_slot(v, qp, op), RSCOPE_FILL_POISON);
}

static void note_bad(struct verify *v, const struct rscope_mismatch *m, const char *where,
		     u64 number)
{
	struct rscope_report *r = v->report;

	if (!m->count)
		return;
	if (!r->mismatches) {
		r->first_mismatch = m->offset;
		r->mismatch_op = number;
		r->mismatch_expected = m->expected;
		r->mismatch_got = m->got;
		rscope_report_text(r, mismatch_where, where);
	}
	r->mismatches += m->count;
}

/* What an atomic left behind. */
static void check_atomic(const struct verify *v, const u8 *at, struct rscope_mismatch *m)
{
	u64 want = rscope_effect_new(v->op, &v->bytes);

	rscope_effect_compare(&want, at, sizeof(want), m);
}

static void check_slot(struct verify *v, const u8 *region, u64 slot, const char *where, u64 number)
{
	const struct rscope_layout *l = &v->ep->layout;
	const u8 *at = region + rscope_slot_offset(l, slot);
	struct rscope_mismatch m = { 0 }, guard = { 0 };

	v->bytes.fill = RSCOPE_FILL_PAYLOAD;
	if (region == v->first[v->bytes.qp].src && rscope_op_is_atomic(v->op))
		check_atomic(v, at, &m);
	else
		rscope_pattern_check(&v->bytes, at, 0, l->size, &m);
	note_bad(v, &m, where, number);
	v->bytes.fill = RSCOPE_FILL_GUARD;
	rscope_pattern_check(&v->bytes, at - RSCOPE_GUARD_BYTES, 0, RSCOPE_GUARD_BYTES, &guard);
	rscope_pattern_check(&v->bytes, at + l->size, 0, l->stride - l->size, &guard);
	note_bad(v, &guard, "guard", number);
	v->report->verify_bytes += l->stride + RSCOPE_GUARD_BYTES;
}

/**
 * verify_imm() - a receive is complete: is its immediate data what was sent?
 * @v: state
 * @qp: pair
 * @nth: receives of the pair before it
 * @wc: its completion
 * @number: operations complete within the run, for the report
 *
 * Receives complete in order, so those before it in the pass tell the operation.
 */
void verify_imm(struct verify *v, u32 qp, u64 nth, const struct ibv_wc *wc, u64 number)
{
	struct rscope_bytes b = { .seed = v->bytes.seed, .qp = qp, .op = nth - v->before[qp] };
	u32 want = htobe32(rscope_effect_imm(&b));
	struct rscope_mismatch m = { 0 };

	if (wc->wc_flags & IBV_WC_WITH_IMM)
		rscope_effect_compare(&want, &wc->imm_data, sizeof(want), &m);
	else
		m.count = sizeof(want);
	note_bad(v, &m, "immediate", number);
}

/**
 * verify_check() - an operation is complete: is everything as it must be?
 * @v: state
 * @qp: pair
 * @op: operation within the pair
 * @number: its number within the run, for the report
 */
void verify_check(struct verify *v, u32 qp, u64 op, u64 number)
{
	const struct rscope_layout *l = &v->ep->layout;
	struct pair *p = &v->first[qp];
	u64 slot = dst_slot(v, qp, op);

	v->bytes.qp = qp;
	v->bytes.op = op;
	if (v->corrupt < l->size) {
		p->dst[rscope_slot_offset(l, slot) + v->corrupt] ^= 0xff;
		v->corrupt = RSCOPE_NONE;
	}
	check_slot(v, p->dst, slot, "destination", number);
	check_slot(v, p->src, src_slot(v, op), "source", number);
	v->report->verify_ops++;
}
