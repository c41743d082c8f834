// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How is a workload executed and measured over user verbs? The order of the
 * passes on every lane, and the sum of the lanes. The loop itself is the
 * module's, compiled once more.
 */
#include "engine.h"

#include <sched.h>
#include <stdlib.h>

#include "bypass.h"
#include "cost.h"
#include "hooks.h"

#include <rdmascope/loop.h>
#include <rdmascope/pingpong.h>

#define COST_OPS 1000 /* operations of the cost pass, as in the module */
#define COUNT_POSTS 256 /* post calls of the counting pass ... */
#define COUNT_BYTES (64ULL << 20) /* ... unless that would move more than this */
#define COUNT_POSTS_MIN 16
#define LANES_PIVOT 16384 /* ns; the same on every lane, so that squares add up */

/* ------------------------------------------------------------------ passes */

/* Point the ring of an end at slot 0, or at one slot per ring entry. */
static void aim(struct rscope_engine *e, struct end *end, u8 *local, u8 *remote, bool spread)
{
	u32 i;

	for (i = 0; i < end->sq_wrs; i++) {
		u64 at = rscope_slot_offset(&e->ep->layout, spread ? i : 0);

		end->sge[i].addr = (uintptr_t)local + at;
		if (rscope_op_is_atomic(e->job->w->op))
			end->wr[i].wr.atomic.remote_addr = (uintptr_t)remote + at;
		else
			end->wr[i].wr.rdma.remote_addr = (uintptr_t)remote + at;
	}
}

static void aim_all(struct rscope_engine *e, bool spread)
{
	bool inbound = rscope_op_is_inbound(e->job->w->op);
	u32 q;

	for (q = 0; q < e->loop.qps; q++) {
		struct pair *p = &e->first[q];
		u8 *a = inbound ? p->dst : p->src, *b = inbound ? p->src : p->dst;

		aim(e, &p->end[0], a, b, spread);
		aim(e, &p->end[1], b, a, spread);
	}
}

static int loop_of(struct rscope_engine *e, enum rscope_pass pass)
{
	switch (pass) {
	case RSCOPE_PASS_COST:
		return rscope_loop_run(e, &e->loop, RSCOPE_PASS_COST);
	case RSCOPE_PASS_VERIFY:
		return rscope_loop_run(e, &e->loop, RSCOPE_PASS_VERIFY);
	case RSCOPE_PASS_COUNT:
		return rscope_loop_run(e, &e->loop, RSCOPE_PASS_COUNT);
	default:
		return rscope_loop_run(e, &e->loop, RSCOPE_PASS_TIMED);
	}
}

static int pingpong_of(struct rscope_engine *e, enum rscope_pass pass)
{
	switch (pass) {
	case RSCOPE_PASS_COST:
		return rscope_pingpong_run(e, &e->loop, RSCOPE_PASS_COST);
	case RSCOPE_PASS_COUNT:
		return rscope_pingpong_run(e, &e->loop, RSCOPE_PASS_COUNT);
	default:
		return rscope_pingpong_run(e, &e->loop, RSCOPE_PASS_TIMED);
	}
}

/* A thread without operations still follows the other end of its pair. */
static int run_pass(struct rscope_engine *e, enum rscope_pass pass)
{
	if (e->job->w->pattern == RSCOPE_PATTERN_PINGPONG && pass != RSCOPE_PASS_VERIFY)
		return pingpong_of(e, pass);
	return e->loop.ops || e->loop.duration_ns ? loop_of(e, pass) : 0;
}

/* This lane's share of operations that all lanes do together. */
static u64 share(const struct rscope_engine *e, u64 ops)
{
	u64 first = (u64)(e->first - e->ep->pairs), nr = e->ep->nr_pairs;

	return ops * (first + e->loop.qps) / nr - ops * first / nr;
}

static int pass_through(struct rscope_engine *e, const char *stage, u64 ops, u64 duration_ns,
			enum rscope_pass pass)
{
	int err;

	rscope_loop_reset(&e->loop, ops, duration_ns);
	err = gate_meet(e->gate);
	if (err)
		return err;
	rscope_report_text(&e->f->run->r, stage, stage);
	err = run_pass(e, pass);
	e->f->posted = e->loop.posted;
	e->f->completed = e->loop.retired;
	if (e->f->wc_status)
		e->f->run->r.failed_op = e->loop.retired;
	return err;
}

static u64 count_ops(const struct rscope_engine *e)
{
	const struct rscope_workload *w = e->job->w;
	u64 posts = COUNT_BYTES / (u64)w->size / (u64)w->batch;

	if (posts > COUNT_POSTS)
		posts = COUNT_POSTS;
	if (posts < COUNT_POSTS_MIN)
		posts = COUNT_POSTS_MIN;
	return posts * (u64)w->batch * e->loop.qps;
}

static int pass_counted(struct rscope_engine *e, u64 ops)
{
	bool sleeps = e->sleeps;
	int err;

	e->sleeps = false;
	err = pass_through(e, "warmup", ops, 0, RSCOPE_PASS_COUNT);
	e->sleeps = sleeps;
	return err;
}

/*
 * Before everything timed: afterwards the counter is closed. Lane 0 speaks for
 * the others, which only meet it at the gate.
 */
static int pass_count(struct rscope_engine *e)
{
	struct run *run = e->f->run;
	struct bypass b;
	int err;

	if (!e->job->count)
		return 0;
	if (e->lane)
		return pass_counted(e, 0);
	if (bypass_open(&b)) {
		rscope_report_text(run, bypass, "unknown");
		return pass_counted(e, 0);
	}
	bypass_start(&b);
	err = pass_counted(e, count_ops(e));
	run->syscalls = bypass_stop(&b);
	bypass_close(&b);
	run->syscall_posts = e->loop.post_calls;
	run->syscall_ops = e->loop.retired;
	rscope_report_text(run, bypass, bypass_level(run->syscalls, run->syscall_posts));
	return err;
}

static int pass_warmup(struct rscope_engine *e)
{
	u64 n = share(e, (u64)e->job->w->warmup);
	int err = pass_through(e, "warmup", n, 0, RSCOPE_PASS_TIMED);

	rscope_hist_init(e->loop.hist);
	e->loop.hist->pivot = e->ep->nr_lanes > 1 ? LANES_PIVOT : 0;
	return err;
}

static void cost_to_report(struct rscope_engine *e, const struct cost *from, const struct cost *to)
{
	struct run *run = e->f->run;
	struct rscope_report *r = &run->r;

	r->cpu_ns = to->thread_ns - from->thread_ns;
	r->ctxsw = to->ctxsw - from->ctxsw;
	run->faults = to->faults - from->faults;
	r->cpu = (u64)sched_getcpu();
	if (!e->lane && from->system_ns)
		r->system_cpu_ns = to->system_ns - from->system_ns;
}

static int pass_timed(struct rscope_engine *e)
{
	const struct rscope_workload *w = e->job->w;
	struct rscope_report *r = &e->f->run->r;
	u64 wakeups = e->cq->wakeups, lost = e->cq->lost_wakeups;
	struct cost from, to;
	int err;

	r->clock_ns = cost_clock_ns();
	e->delay_ns = e->lane ? 0 : e->job->delay_ns;
	e->cq->deaf = e->lane ? 0 : e->job->lost_wakeup;
	cost_read(&from);
	err = pass_through(e, "timed", w->duration_ms ? 0 : share(e, (u64)w->iters),
			   (u64)w->duration_ms * 1000000ULL, RSCOPE_PASS_TIMED);
	cost_read(&to);
	e->delay_ns = 0;
	e->cq->deaf = 0;
	r->ops = e->loop.retired;
	r->bytes = r->ops * (u64)w->size;
	e->f->start_ns = e->loop.start_ns;
	r->elapsed_ns = e->loop.elapsed_ns;
	r->empty_polls = e->loop.empty_polls;
	r->wakeups = e->cq->wakeups - wakeups;
	r->lost_wakeups = e->cq->lost_wakeups - lost;
	cost_to_report(e, &from, &to);
	return err;
}

static int pass_cost(struct rscope_engine *e)
{
	struct rscope_report *r = &e->f->run->r;
	u64 n = r->ops < COST_OPS ? r->ops : COST_OPS;
	int err = pass_through(e, "cost", n, 0, RSCOPE_PASS_COST);

	r->cost_ops = e->loop.retired;
	r->post_calls = e->loop.post_calls;
	r->post_ns = e->loop.post_sum_ns;
	r->poll_calls = e->loop.poll_calls;
	r->poll_ns = e->loop.poll_sum_ns;
	return err;
}

static int pass_verify(struct rscope_engine *e)
{
	if (!e->job->w->verify)
		return 0;
	/* One way: the leader does it for both ends. */
	if (e->loop.side)
		return pass_through(e, "verify", 0, 0, RSCOPE_PASS_VERIFY);
	/* What arrives completes in the CQ of a thread that has nothing to do. */
	if (e->loop.ended)
		e->other = &e->ep->lanes[e->lane + 1].cq;
	aim_all(e, true);
	verify_begin(&e->verify);
	return pass_through(e, "verify", e->f->run->r.ops, 0, RSCOPE_PASS_VERIFY);
}

/* No lane may be judged while another still measures. */
static int pass_end(struct rscope_engine *e)
{
	return gate_meet(e->gate);
}

/* ------------------------------------------------------------------- lanes */

/**
 * struct crew - what all lanes of a run share
 * @job: what to run
 * @f: figures, one a lane
 * @gate: where lanes meet
 */
struct crew {
	struct engine_job *job;
	struct figures *f;
	struct gate gate;
};

static int verify_init(struct rscope_engine *e, u64 seed)
{
	e->verify = (struct verify){
		.ep = e->ep,
		.first = e->first,
		.nr = e->loop.qps,
		.report = &e->f->run->r,
		.bytes.seed = seed,
		.op = e->job->w->op,
		.depth = e->loop.depth,
		.corrupt = e->lane ? RSCOPE_NONE : e->job->corrupt,
		.wrong_effect = e->lane ? 0 : e->job->wrong_effect,
		.before = calloc(e->loop.qps, sizeof(*e->verify.before)),
	};
	return e->verify.before ? 0 : -ENOMEM;
}

static int engine_init(struct rscope_engine *e, struct crew *crew, u32 number)
{
	struct endpoint *ep = crew->job->ep;
	const struct rscope_workload *w = crew->job->w;
	struct rscope_loop *l = &e->loop;

	e->ep = ep;
	e->job = crew->job;
	e->gate = &crew->gate;
	e->lane = number;
	e->cq = &ep->lanes[number].cq;
	e->first = &ep->pairs[ep->lanes[number].first];
	e->f = &crew->f[number];
	e->sleeps = rscope_cq_sleeps(w->cq);
	if (w->inline_data && ep->inline_bytes >= (u64)w->size)
		e->send_flags = IBV_SEND_INLINE;
	l->depth = (u32)w->depth;
	l->batch = (u32)w->batch;
	l->signal = (u32)w->signal;
	l->qps = ep->lanes[number].nr;
	l->two_sided = rscope_op_takes_recv(w->op);
	if (rscope_workload_is_split(w)) {
		l->side = number % 2;
		l->ended = &ep->lanes[number - l->side].ended;
	}
	l->hist = &e->f->run->hist;
	l->track = calloc(l->qps, sizeof(*l->track));
	l->post_ns = calloc((size_t)l->qps * l->depth, sizeof(*l->post_ns));
	if (!l->track || !l->post_ns)
		return -ENOMEM;
	return verify_init(e, rscope_pattern_seed(crew->f[0].run->r.run_id));
}

static int engine_lane(void *arg, u32 lane)
{
	static int (*const passes[])(struct rscope_engine *) = {
		pass_count, pass_warmup, pass_timed, pass_cost, pass_verify, pass_end,
	};
	struct rscope_engine engine = { 0 };
	int err = engine_init(&engine, arg, lane);
	size_t i;

	for (i = 0; !err && i < ARRAY_SIZE(passes); i++)
		err = passes[i](&engine);
	free(engine.loop.track);
	free(engine.loop.post_ns);
	free(engine.verify.before);
	return err;
}

static struct figures *alloc_figures(u32 lanes, struct run *run)
{
	struct figures *f = calloc(lanes, sizeof(*f));
	u32 i;

	if (!f)
		return NULL;
	f[0].run = run;
	for (i = 1; i < lanes; i++) {
		f[i].run = malloc(sizeof(*f[i].run));
		if (!f[i].run)
			break;
		run_init(f[i].run);
	}
	if (i == lanes)
		return f;
	while (--i)
		free(f[i].run);
	free(f);
	return NULL;
}

static void sum_figures(struct figures *f, u32 lanes, struct engine_job *job, int err)
{
	struct rscope_report *r = &f[0].run->r;
	u32 i;

	for (i = 1; i < lanes; i++) {
		figures_add(&f[0], &f[i]);
		free(f[i].run);
	}
	job->wc_status = (enum ibv_wc_status)f[0].wc_status;
	if (r->ops != RSCOPE_NONE)
		rscope_report_hist(r, &f[0].run->hist);
	if (!err)
		return;
	r->posted = f[0].posted;
	r->completed = f[0].completed;
}

/**
 * engine_run() - all passes of a run on all lanes
 * @job: what to run
 * @run: figures; complete up to the stage its report names
 * @e: reason
 *
 * Return: 0, -EIO on a failed completion (job->wc_status), -EINTR, -ENODEV or
 * -ETIMEDOUT when stopped, or what posting returned.
 */
int engine_run(struct engine_job *job, struct run *run, struct rscope_error *e)
{
	u32 lanes = job->ep->nr_lanes;
	struct crew crew = { .job = job, .f = alloc_figures(lanes, run) };
	int err;

	job->wc_status = IBV_WC_SUCCESS;
	if (!crew.f)
		return rscope_fail(e, -ENOMEM, "no memory for %u histograms", lanes);
	err = lanes_run(&crew.gate, lanes, (int)job->w->cpu, &job->allowed, engine_lane, &crew);
	sum_figures(crew.f, lanes, job, err);
	if (err)
		rscope_fail(e, err, "%s pass after %llu operations: %s", run->r.stage,
			    crew.f[0].completed, strerror(-err));
	free(crew.f);
	return err;
}
