// SPDX-License-Identifier: GPL-2.0
/*
 * How is a workload executed and measured over kernel verbs? The hooks of
 * loop.h, and the order of the passes: warm-up, timed, cost, verify.
 */
#include <linux/slab.h>
#include "engine.h"
#include "fault.h"
#include "pass.h"

/* Operations of the cost pass: enough for a mean, short beside the rest. */
#define RSCOPE_COST_OPS 1000

#define RSCOPE_CLOCK_READS 64

/**
 * struct rscope_engine - what the hooks work on
 * @ep: endpoint
 * @f: figures
 * @bytes: payload of the operation being prepared or checked
 * @loop: the loop
 * @corrupt: offset to damage in the next destination checked, or RSCOPE_NONE
 */
struct rscope_engine {
	struct rscope_endpoint *ep;
	struct rscope_figures *f;
	struct rscope_bytes bytes;
	struct rscope_loop loop;
	u64 corrupt;
};

/* ------------------------------------------------------------------- hooks */

/* Link the next @n ring entries into one list and say which are signalled. */
static __always_inline void rscope_chain(struct rscope_engine *e, struct rscope_pair *p, u32 slot,
					 u32 n, u64 signalled)
{
	struct ib_rdma_wr *wr = &p->wr[slot];
	u32 depth = e->loop.depth;

	for (;; signalled >>= 1) {
		wr->wr.send_flags = signalled & 1 ? IB_SEND_SIGNALED : 0;
		if (!--n)
			break;
		slot = slot + 1 == depth ? 0 : slot + 1;
		wr->wr.next = &p->wr[slot].wr;
		wr = &p->wr[slot];
	}
	wr->wr.next = NULL;
}

static __always_inline int rscope_hook_post(struct rscope_engine *e, u32 qp, u32 slot, u32 n,
					    u64 signalled, const enum rscope_pass pass)
{
	struct rscope_pair *p = &e->ep->pair[qp];
	int err;

	rscope_chain(e, p, slot, n, signalled);
	if (static_branch_unlikely(&rscope_fault_key) && rscope_fault_count(RSCOPE_FAULT_POST))
		return -ENOMEM;
	err = ib_post_send(p->active, &p->wr[slot].wr, NULL);
	if (unlikely(err) || !p->owed)
		return err;
	n = p->owed;
	p->owed = 0;
	return rscope_endpoint_post_recvs(p, n, e->ep->l->rq_wrs);
}

/* What a successful completion means; false for one that is not the loop's. */
static __always_inline bool rscope_done(struct rscope_engine *e, const struct ib_wc *wc,
					struct rscope_done *done)
{
	struct rscope_cqe *c = rscope_cqe_of(wc);

	if (unlikely(c->kind == RSCOPE_CQE_OTHER))
		return false;
	done->qp = c->qp;
	done->recv = c->kind == RSCOPE_CQE_RECV;
	if (done->recv) {
		e->ep->pair[c->qp].owed++;
		e->ep->pair[c->qp].received++;
	}
	return true;
}

static __always_inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done)
{
	struct ib_wc wc[RSCOPE_POLL_MAX];
	int i, found = 0, n = ib_poll_cq(e->ep->cq, RSCOPE_POLL_MAX, wc);

	for (i = 0; i < n; i++) {
		if (unlikely(wc[i].status != IB_WC_SUCCESS)) {
			rscope_wc_failed(e->ep, &wc[i], rscope_cqe_of(&wc[i])->qp);
			return -EIO;
		}
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
	return rscope_stopped(e->ep->stop, now);
}

static __always_inline void rscope_hook_relax(struct rscope_engine *e)
{
	rscope_relax();
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

	if (!e->loop.two_sided)
		return rscope_src_slot(e, op);
	div_u64_rem(p->received_before + op, e->ep->l->dst_slots, &slot);
	return slot;
}

static void rscope_fill(struct rscope_engine *e, struct rscope_region *r, u64 slot,
			enum rscope_fill fill)
{
	e->bytes.fill = fill;
	rscope_region_fill(r, &e->bytes, rscope_slot_offset(r->layout, slot), r->layout->size);
}

static void rscope_hook_prepare(struct rscope_engine *e, u32 qp, u64 op)
{
	struct rscope_pair *p = &e->ep->pair[qp];

	e->bytes.qp = qp;
	e->bytes.op = op;
	rscope_fill(e, &p->src, rscope_src_slot(e, op), RSCOPE_FILL_PAYLOAD);
	rscope_fill(e, &p->dst, rscope_dst_slot(e, p, op), RSCOPE_FILL_POISON);
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

static void rscope_check_slot(struct rscope_engine *e, struct rscope_region *r, u64 slot,
			      const char *where)
{
	u64 at = rscope_slot_offset(r->layout, slot), size = r->layout->size;
	struct rscope_mismatch m = {}, guard = {};

	e->bytes.fill = RSCOPE_FILL_PAYLOAD;
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
	struct rscope_pair *p = &e->ep->pair[qp];
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

#include "loop.h"

/* ------------------------------------------------------------------ passes */

static const enum ib_wr_opcode rscope_opcodes[RSCOPE_OP_NR] = {
	[RSCOPE_OP_SEND] = IB_WR_SEND,
	[RSCOPE_OP_WRITE] = IB_WR_RDMA_WRITE,
	[RSCOPE_OP_READ] = IB_WR_RDMA_READ,
};

/* Point the ring of a pair at slot 0, or at one slot per ring entry. */
static void rscope_aim(struct rscope_endpoint *ep, struct rscope_pair *p, bool spread)
{
	bool inbound = rscope_op_is_inbound(ep->w->op);
	struct rscope_region *local = inbound ? &p->dst : &p->src;
	struct rscope_region *remote = inbound ? &p->src : &p->dst;
	u32 i;

	for (i = 0; i < ep->l->sq_wrs; i++) {
		struct ib_rdma_wr *wr = &p->wr[i];

		rscope_region_sge(local, spread ? i : 0, &p->sge[i]);
		if (!rscope_op_is_send(ep->w->op))
			rscope_region_remote(remote, spread ? i : 0, &wr->remote_addr, &wr->rkey);
		wr->wr.wr_cqe = &p->send.cqe;
		wr->wr.sg_list = &p->sge[i];
		wr->wr.num_sge = 1;
		wr->wr.opcode = rscope_opcodes[ep->w->op];
	}
	p->sends_posted = true;
	p->received_before = p->received;
}

static void rscope_aim_all(struct rscope_engine *e, bool spread)
{
	u32 q;

	for (q = 0; q < e->ep->nr; q++)
		rscope_aim(e->ep, &e->ep->pair[q], spread);
}

static int rscope_pass(struct rscope_engine *e, enum rscope_stage stage, u64 ops, u64 duration_ns)
{
	int err;

	e->ep->stage = stage;
	WRITE_ONCE(e->f->progress, 0);
	rscope_loop_reset(&e->loop, ops, duration_ns);
	switch (stage) {
	case RSCOPE_STAGE_COST:
		err = rscope_loop_run(e, &e->loop, RSCOPE_PASS_COST);
		break;
	case RSCOPE_STAGE_VERIFY:
		err = rscope_loop_run(e, &e->loop, RSCOPE_PASS_VERIFY);
		break;
	default:
		err = rscope_loop_run(e, &e->loop, RSCOPE_PASS_TIMED);
		break;
	}
	e->f->posted = e->loop.posted;
	e->f->completed = e->loop.retired;
	return err;
}

static int rscope_pass_warmup(struct rscope_engine *e)
{
	int err = 0;

	rscope_aim_all(e, false);
	if (e->ep->w->warmup)
		err = rscope_pass(e, RSCOPE_STAGE_WARMUP, e->ep->w->warmup, 0);
	rscope_hist_init(&e->f->hist);
	return err;
}

static void rscope_measure_clock(struct rscope_figures *f)
{
	u64 start = rscope_now_ns(), end = start;
	u32 i;

	for (i = 0; i < RSCOPE_CLOCK_READS; i++)
		end = rscope_now_ns();
	f->clock_ns = (end - start) / RSCOPE_CLOCK_READS;
}

static int rscope_pass_timed(struct rscope_engine *e)
{
	const struct rscope_workload *w = e->ep->w;
	struct rscope_figures *f = e->f;
	int err;

	rscope_measure_clock(f);
	f->cpu_ns = READ_ONCE(current->se.sum_exec_runtime);
	f->ctxsw = current->nvcsw + current->nivcsw;
	err = rscope_pass(e, RSCOPE_STAGE_TIMED, w->duration_ms ? 0 : w->iters,
			  w->duration_ms * NSEC_PER_MSEC);
	f->cpu_ns = READ_ONCE(current->se.sum_exec_runtime) - f->cpu_ns;
	f->ctxsw = current->nvcsw + current->nivcsw - f->ctxsw;
	f->cpu = raw_smp_processor_id();
	f->ops = e->loop.retired;
	f->elapsed_ns = e->loop.elapsed_ns;
	f->empty_polls = e->loop.empty_polls;
	return err;
}

static int rscope_pass_cost(struct rscope_engine *e)
{
	u64 ops = min_t(u64, e->f->ops, RSCOPE_COST_OPS);
	int err = ops ? rscope_pass(e, RSCOPE_STAGE_COST, ops, 0) : 0;

	e->f->cost_ops = e->loop.retired;
	e->f->post_calls = e->loop.post_calls;
	e->f->post_ns = e->loop.post_sum_ns;
	e->f->poll_calls = e->loop.poll_calls;
	e->f->poll_ns = e->loop.poll_sum_ns;
	return err;
}

static void rscope_fill_guards(struct rscope_engine *e, struct rscope_region *r)
{
	u64 slot, at, size = r->layout->size;

	e->bytes.fill = RSCOPE_FILL_GUARD;
	for (slot = 0; slot < r->slots; slot++) {
		at = rscope_slot_offset(r->layout, slot);
		rscope_region_fill(r, &e->bytes, at + size, r->layout->stride - size);
	}
	rscope_region_fill(r, &e->bytes, 0, RSCOPE_GUARD_BYTES);
}

static int rscope_pass_verify(struct rscope_engine *e)
{
	u32 q;

	if (!e->ep->w->verify || !e->f->ops)
		return 0;
	if (static_branch_unlikely(&rscope_fault_key))
		rscope_fault_take(RSCOPE_FAULT_CORRUPT, &e->corrupt);
	rscope_aim_all(e, true);
	for (q = 0; q < e->ep->nr; q++) {
		rscope_fill_guards(e, &e->ep->pair[q].src);
		rscope_fill_guards(e, &e->ep->pair[q].dst);
	}
	return rscope_pass(e, RSCOPE_STAGE_VERIFY, e->f->ops, 0);
}

static int rscope_engine_init(struct rscope_engine *e, struct rscope_endpoint *ep, u64 seed,
			      struct rscope_figures *f)
{
	struct rscope_loop *l = &e->loop;

	e->ep = ep;
	e->f = f;
	e->corrupt = RSCOPE_NONE;
	e->bytes.seed = seed;
	l->depth = ep->w->depth;
	l->batch = ep->w->batch;
	l->signal = ep->w->signal;
	l->qps = ep->nr;
	l->two_sided = rscope_op_takes_recv(ep->w->op);
	l->hist = &f->hist;
	l->track = kvcalloc(l->qps, sizeof(*l->track), GFP_KERNEL);
	l->post_ns = kvcalloc((size_t)l->qps * l->depth, sizeof(*l->post_ns), GFP_KERNEL);
	rscope_hist_init(&f->hist);
	return l->track && l->post_ns ? 0 : -ENOMEM;
}

/**
 * rscope_engine_run() - all passes of a run
 * @ep: open endpoint
 * @seed: of the payload
 * @f: result; complete up to the stage that ep->stage names
 *
 * Context: the measuring thread; schedules between polls when asked to.
 * Return: 0, -EIO on a failed completion (ep->wc_error), -EINTR, -ECANCELED,
 * -ENODEV or -ETIMEDOUT when stopped, or what posting returned.
 */
int rscope_engine_run(struct rscope_endpoint *ep, u64 seed, struct rscope_figures *f)
{
	static int (*const passes[])(struct rscope_engine *) = {
		rscope_pass_warmup, rscope_pass_timed, rscope_pass_cost, rscope_pass_verify,
	};
	struct rscope_engine *e = kzalloc(sizeof(*e), GFP_KERNEL);
	int err = e ? rscope_engine_init(e, ep, seed, f) : -ENOMEM;
	u32 i;

	for (i = 0; !err && i < ARRAY_SIZE(passes); i++)
		err = passes[i](e);
	if (e) {
		kvfree(e->loop.track);
		kvfree(e->loop.post_ns);
	}
	kfree(e);
	return err;
}
