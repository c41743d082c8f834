// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The hooks of <rdmascope/loop.h> over libibverbs, and the order of the passes.
 * The loop itself is the module's, compiled once more.
 */
#include "engine.h"

#include <sched.h>
#include <stdlib.h>

#include <rdmascope/pass.h>

#include "bypass.h"
#include "cost.h"
#include "verify.h"
#include "words.h"

#define COST_OPS 1000 /* operations of the cost pass, as in the module */
#define COUNT_POSTS 256 /* post calls of the counting pass ... */
#define COUNT_BYTES (64ULL << 20) /* ... unless that would move more than this */
#define COUNT_POSTS_MIN 16
#define SYSTEM_CPU_MIN_NS 200000000ULL /* twenty ticks: below, /proc/stat says nothing */

/**
 * struct rscope_engine - what the hooks work on
 * @ep: endpoint
 * @job: what to run
 * @run: where figures go
 * @loop: the loop
 * @verify: the verify pass
 * @send_flags: of every work request
 */
struct rscope_engine {
	struct endpoint *ep;
	struct engine_job *job;
	struct run *run;
	struct rscope_loop loop;
	struct verify verify;
	unsigned int send_flags;
};

/* ------------------------------------------------------------------- hooks */

static __always_inline int post_receives(struct rscope_engine *e, struct pair *p)
{
	u32 n = e->ep->layout.rq_wrs, last = p->recv_head + p->owed - 1;
	struct ibv_recv_wr *tail = &p->recv[last >= n ? last - n : last], *next = tail->next, *bad;
	int err;

	tail->next = NULL;
	err = ibv_post_recv(p->passive, &p->recv[p->recv_head], &bad);
	tail->next = next;
	p->recv_head += p->owed;
	if (p->recv_head >= n)
		p->recv_head -= n;
	p->owed = 0;
	return -err;
}

/* The ring is chained for good; a post cuts it behind its last entry. */
static __always_inline int rscope_hook_post(struct rscope_engine *e, u32 qp, u32 slot, u32 n,
					    u64 signalled, const enum rscope_pass pass)
{
	struct pair *p = &e->ep->pairs[qp];
	struct ibv_send_wr *first = &p->wr[slot], *wr = first, *next, *bad;
	int err;

	for (;; wr = wr->next, signalled >>= 1) {
		wr->send_flags = e->send_flags | (signalled & 1 ? IBV_SEND_SIGNALED : 0);
		if (!--n)
			break;
	}
	next = wr->next;
	wr->next = NULL;
	err = ibv_post_send(p->active, first, &bad);
	wr->next = next;
	if (unlikely(err))
		return -err;
	return p->owed ? post_receives(e, p) : 0;
}

static void note_failure(struct rscope_engine *e, const struct ibv_wc *wc)
{
	struct rscope_report *r = &e->run->r;

	e->job->wc_status = wc->status;
	rscope_report_text(r, wc_status, words_wc_status(wc->status));
	r->vendor_err = wc->vendor_err;
	r->failed_op = e->loop.retired;
}

static __always_inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done)
{
	struct ibv_wc wc[RSCOPE_POLL_MAX];
	int i, n = ibv_poll_cq(e->ep->cq, RSCOPE_POLL_MAX, wc);

	for (i = 0; i < n; i++) {
		if (unlikely(wc[i].status != IBV_WC_SUCCESS)) {
			note_failure(e, &wc[i]);
			return -EIO;
		}
		done[i].qp = (u32)wc[i].wr_id >> 1;
		done[i].recv = wc[i].wr_id & 1;
		e->ep->pairs[done[i].qp].owed += done[i].recv;
		e->ep->pairs[done[i].qp].received += done[i].recv;
	}
	return n < 0 ? -EIO : n;
}

static __always_inline u64 rscope_hook_now(struct rscope_engine *e)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (u64)t.tv_sec * 1000000000ULL + (u64)t.tv_nsec;
}

static __always_inline int rscope_hook_stop(struct rscope_engine *e, u64 now)
{
	return watch_why(e->job->watch, now);
}

static __always_inline void rscope_hook_relax(struct rscope_engine *e)
{
}

/* ------------------------------------------------------- hooks of the check */

static void rscope_hook_prepare(struct rscope_engine *e, u32 qp, u64 op)
{
	verify_prepare(&e->verify, qp, op);
}

static void rscope_hook_check(struct rscope_engine *e, u32 qp, u64 op)
{
	verify_check(&e->verify, qp, op, e->loop.retired);
}

#include <rdmascope/loop.h>

/* ------------------------------------------------------------------ passes */

/* Point the ring of a pair at slot 0, or at one slot per ring entry. */
static void aim(struct rscope_engine *e, struct pair *p, bool spread)
{
	bool inbound = rscope_op_is_inbound(e->job->w->op);
	u8 *local = inbound ? p->dst : p->src, *remote = inbound ? p->src : p->dst;
	u32 i;

	for (i = 0; i < e->loop.depth; i++) {
		u64 at = rscope_slot_offset(&e->ep->layout, spread ? i : 0);

		p->sge[i].addr = (uintptr_t)local + at;
		p->wr[i].wr.rdma.remote_addr = (uintptr_t)remote + at;
	}
}

static int pass_through(struct rscope_engine *e, const char *stage, u64 ops, u64 duration_ns,
			enum rscope_pass pass)
{
	struct rscope_report *r = &e->run->r;
	int err;

	rscope_report_text(r, stage, stage);
	rscope_loop_reset(&e->loop, ops, duration_ns);
	switch (pass) {
	case RSCOPE_PASS_COST:
		err = rscope_loop_run(e, &e->loop, RSCOPE_PASS_COST);
		break;
	case RSCOPE_PASS_VERIFY:
		err = rscope_loop_run(e, &e->loop, RSCOPE_PASS_VERIFY);
		break;
	case RSCOPE_PASS_COUNT:
		err = rscope_loop_run(e, &e->loop, RSCOPE_PASS_COUNT);
		break;
	default:
		err = rscope_loop_run(e, &e->loop, RSCOPE_PASS_TIMED);
		break;
	}
	if (err) {
		r->posted = e->loop.posted;
		r->completed = e->loop.retired;
	}
	return err;
}

static u64 count_ops(const struct rscope_workload *w)
{
	u64 posts = COUNT_BYTES / (u64)w->size / (u64)w->batch;

	if (posts > COUNT_POSTS)
		posts = COUNT_POSTS;
	if (posts < COUNT_POSTS_MIN)
		posts = COUNT_POSTS_MIN;
	return posts * (u64)w->batch * (u64)w->qps;
}

/* Before everything timed: afterwards the counter is closed. */
static int pass_count(struct rscope_engine *e)
{
	struct run *run = e->run;
	struct bypass b;
	int err;

	if (!e->job->count)
		return 0;
	if (bypass_open(&b)) {
		rscope_report_text(run, bypass, "unknown");
		return 0;
	}
	bypass_start(&b);
	err = pass_through(e, "warmup", count_ops(e->job->w), 0, RSCOPE_PASS_COUNT);
	run->syscalls = bypass_stop(&b);
	bypass_close(&b);
	run->syscall_posts = e->loop.post_calls;
	run->syscall_ops = e->loop.retired;
	rscope_report_text(run, bypass, bypass_level(run->syscalls, run->syscall_posts));
	return err;
}

static int pass_warmup(struct rscope_engine *e)
{
	u64 n = (u64)e->job->w->warmup;
	int err = n ? pass_through(e, "warmup", n, 0, RSCOPE_PASS_TIMED) : 0;

	rscope_hist_init(e->loop.hist);
	return err;
}

static void cost_to_report(struct run *run, const struct cost *from, const struct cost *to)
{
	struct rscope_report *r = &run->r;

	r->cpu_ns = to->thread_ns - from->thread_ns;
	r->ctxsw = to->ctxsw - from->ctxsw;
	r->cpu = (u64)sched_getcpu();
	if (r->elapsed_ns >= SYSTEM_CPU_MIN_NS && from->system_ns)
		run->system_cpu_ns = to->system_ns - from->system_ns;
}

static int pass_timed(struct rscope_engine *e)
{
	const struct rscope_workload *w = e->job->w;
	struct rscope_report *r = &e->run->r;
	struct cost from, to;
	int err;

	r->clock_ns = cost_clock_ns();
	cost_read(&from);
	err = pass_through(e, "timed", w->duration_ms ? 0 : (u64)w->iters,
			   (u64)w->duration_ms * 1000000ULL, RSCOPE_PASS_TIMED);
	cost_read(&to);
	r->ops = e->loop.retired;
	r->bytes = r->ops * (u64)w->size;
	r->elapsed_ns = e->loop.elapsed_ns;
	r->empty_polls = e->loop.empty_polls;
	cost_to_report(e->run, &from, &to);
	rscope_report_hist(r, e->loop.hist);
	return err;
}

static int pass_cost(struct rscope_engine *e)
{
	struct rscope_report *r = &e->run->r;
	u64 n = r->ops < COST_OPS ? r->ops : COST_OPS;
	int err = n ? pass_through(e, "cost", n, 0, RSCOPE_PASS_COST) : 0;

	r->cost_ops = e->loop.retired;
	r->post_calls = e->loop.post_calls;
	r->post_ns = e->loop.post_sum_ns;
	r->poll_calls = e->loop.poll_calls;
	r->poll_ns = e->loop.poll_sum_ns;
	return err;
}

static int pass_verify(struct rscope_engine *e)
{
	struct rscope_report *r = &e->run->r;
	u32 q;

	if (!e->job->w->verify || !r->ops)
		return 0;
	for (q = 0; q < e->ep->nr_pairs; q++)
		aim(e, &e->ep->pairs[q], true);
	verify_begin(&e->verify);
	return pass_through(e, "verify", r->ops, 0, RSCOPE_PASS_VERIFY);
}

/* --------------------------------------------------------------------- run */

static int engine_init(struct rscope_engine *e, struct engine_job *job, struct run *run)
{
	const struct rscope_workload *w = job->w;
	struct rscope_loop *l = &e->loop;

	e->ep = job->ep;
	e->job = job;
	e->run = run;
	if (w->inline_data && job->ep->inline_bytes >= (u64)w->size)
		e->send_flags = IBV_SEND_INLINE;
	l->depth = (u32)w->depth;
	l->batch = (u32)w->batch;
	l->signal = (u32)w->signal;
	l->qps = job->ep->nr_pairs;
	l->two_sided = rscope_op_takes_recv(w->op);
	l->hist = &run->hist;
	l->track = calloc(l->qps, sizeof(*l->track));
	l->post_ns = calloc((size_t)l->qps * l->depth, sizeof(*l->post_ns));
	rscope_hist_init(l->hist);
	return l->track && l->post_ns ? 0 : -ENOMEM;
}

static int verify_init(struct rscope_engine *e)
{
	e->verify = (struct verify){
		.ep = e->ep,
		.report = &e->run->r,
		.bytes.seed = rscope_pattern_seed(e->run->r.run_id),
		.two_sided = e->loop.two_sided,
		.depth = e->loop.depth,
		.corrupt = e->job->corrupt,
		.before = calloc(e->loop.qps, sizeof(*e->verify.before)),
	};
	return e->verify.before ? 0 : -ENOMEM;
}

/**
 * engine_run() - all passes of a run
 * @job: what to run
 * @run: figures; complete up to the stage its report names
 * @e: reason
 *
 * Return: 0, -EIO on a failed completion (job->wc_status), -EINTR, -ENODEV or
 * -ETIMEDOUT when stopped, or what posting returned.
 */
int engine_run(struct engine_job *job, struct run *run, struct rscope_error *e)
{
	static int (*const passes[])(struct rscope_engine *) = {
		pass_count, pass_warmup, pass_timed, pass_cost, pass_verify,
	};
	struct rscope_engine engine = { 0 };
	int err = engine_init(&engine, job, run);
	size_t i;

	if (!err)
		err = verify_init(&engine);
	job->wc_status = IBV_WC_SUCCESS;
	for (i = 0; !err && i < ARRAY_SIZE(passes); i++)
		err = passes[i](&engine);
	free(engine.loop.track);
	free(engine.loop.post_ns);
	free(engine.verify.before);
	if (err)
		rscope_fail(e, err, "%s pass after %llu operations: %s", run->r.stage,
			    engine.loop.retired, strerror(-err));
	return err;
}
