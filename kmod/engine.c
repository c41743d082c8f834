// SPDX-License-Identifier: GPL-2.0
/*
 * How is a workload executed and measured over kernel verbs? The order of the
 * passes on every lane (warm-up, timed, cost, verify), and the sum of the lanes.
 */
#include <linux/slab.h>
#include "buffers.h"
#include "cputime.h"
#include "engine.h"
#include "hooks.h"
#include "loop.h"
#include "pingpong.h"

/* Operations of the cost pass: enough for a mean, short beside the rest. */
#define RSCOPE_COST_OPS 1000

#define RSCOPE_CLOCK_READS 64

/* ------------------------------------------------------------------ passes */

static void rscope_aim_all(struct rscope_engine *e, bool spread)
{
	u32 q;

	/* A leader does it for both ends; the gate is behind it. */
	for (q = 0; q < e->lane->nr && !e->loop.side; q++)
		rscope_pair_aim(e->ep, &e->first[q], spread);
}

static int rscope_loop_of(struct rscope_engine *e, enum rscope_stage stage)
{
	switch (stage) {
	case RSCOPE_STAGE_COST:
		return rscope_loop_run(e, &e->loop, RSCOPE_PASS_COST);
	case RSCOPE_STAGE_VERIFY:
		return rscope_loop_run(e, &e->loop, RSCOPE_PASS_VERIFY);
	default:
		return rscope_loop_run(e, &e->loop, RSCOPE_PASS_TIMED);
	}
}

static int rscope_pingpong_of(struct rscope_engine *e, enum rscope_stage stage)
{
	if (stage == RSCOPE_STAGE_COST)
		return rscope_pingpong_run(e, &e->loop, RSCOPE_PASS_COST);
	return rscope_pingpong_run(e, &e->loop, RSCOPE_PASS_TIMED);
}

/* A thread without operations still follows the other end of its pair. */
static int rscope_pass_of(struct rscope_engine *e, enum rscope_stage stage)
{
	if (e->ep->w->pattern == RSCOPE_PATTERN_PINGPONG && stage != RSCOPE_STAGE_VERIFY)
		return rscope_pingpong_of(e, stage);
	return e->loop.ops || e->loop.duration_ns ? rscope_loop_of(e, stage) : 0;
}

/* This lane's share of operations that all lanes do together. */
static u64 rscope_share(const struct rscope_engine *e, u64 ops)
{
	u64 before = div_u64(ops * e->lane->first, e->ep->nr);

	return div_u64(ops * (e->lane->first + e->lane->nr), e->ep->nr) - before;
}

static int rscope_pass(struct rscope_engine *e, enum rscope_stage stage, u64 ops, u64 duration_ns)
{
	int err;

	rscope_loop_reset(&e->loop, ops, duration_ns);
	err = rscope_gate_meet(e->gate);
	if (err)
		return err;
	WRITE_ONCE(e->ep->stage, stage);
	WRITE_ONCE(e->f->progress, 0);
	err = rscope_pass_of(e, stage);
	e->f->posted = e->loop.posted;
	e->f->completed = e->loop.retired;
	return err;
}

static int rscope_pass_warmup(struct rscope_engine *e)
{
	int err;

	rscope_aim_all(e, false);
	err = rscope_pass(e, RSCOPE_STAGE_WARMUP, rscope_share(e, e->ep->w->warmup), 0);
	rscope_hist_init(&e->f->hist);
	/* The same on every lane, so that squares add up; near enough for 64 bits. */
	e->f->hist.pivot = e->ep->nr_lanes > 1 ? 16384 : 0;
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

static void rscope_take_faults(struct rscope_engine *e)
{
	if (!static_branch_unlikely(&rscope_fault_key))
		return;
	rscope_fault_take(RSCOPE_FAULT_DELAY, &e->delay_ns);
	/* It spins: however large the argument, a batch stays below 64 ms. */
	e->delay_ns = min_t(u64, e->delay_ns, NSEC_PER_MSEC);
	rscope_fault_take(RSCOPE_FAULT_WAKEUP, &e->lane->cq.mute);
}

static int rscope_pass_timed(struct rscope_engine *e)
{
	const struct rscope_workload *w = e->ep->w;
	struct rscope_figures *f = e->f;
	int err;

	rscope_measure_clock(f);
	rscope_take_faults(e);
	f->cpu_ns = READ_ONCE(current->se.sum_exec_runtime);
	f->system_cpu_ns = rscope_system_cpu_ns();
	f->ctxsw = current->nvcsw + current->nivcsw;
	f->wakeups = e->lane->cq.wakeups;
	f->lost_wakeups = e->lane->cq.lost_wakeups;
	err = rscope_pass(e, RSCOPE_STAGE_TIMED, w->duration_ms ? 0 : rscope_share(e, w->iters),
			  w->duration_ms * NSEC_PER_MSEC);
	e->delay_ns = 0;
	e->lane->cq.mute = 0;
	f->cpu_ns = READ_ONCE(current->se.sum_exec_runtime) - f->cpu_ns;
	f->system_cpu_ns = rscope_system_cpu_ns() - f->system_cpu_ns;
	f->ctxsw = current->nvcsw + current->nivcsw - f->ctxsw;
	f->wakeups = e->lane->cq.wakeups - f->wakeups;
	f->lost_wakeups = e->lane->cq.lost_wakeups - f->lost_wakeups;
	f->cpu = raw_smp_processor_id();
	f->ops = e->loop.retired;
	f->start_ns = e->loop.start_ns;
	f->elapsed_ns = e->loop.elapsed_ns;
	f->empty_polls = e->loop.empty_polls;
	return err;
}

static int rscope_pass_cost(struct rscope_engine *e)
{
	int err = rscope_pass(e, RSCOPE_STAGE_COST, min_t(u64, e->f->ops, RSCOPE_COST_OPS), 0);

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

	if (!e->ep->w->verify)
		return 0;
	/* One way: the leader does it for both ends. */
	if (e->loop.side)
		return rscope_pass(e, RSCOPE_STAGE_VERIFY, 0, 0);
	if (static_branch_unlikely(&rscope_fault_key))
		rscope_fault_take(RSCOPE_FAULT_CORRUPT, &e->corrupt);
	/* What arrives completes in the CQ of a thread that has nothing to do. */
	if (e->loop.ended)
		e->other = e->lane + 1;
	rscope_aim_all(e, true);
	for (q = 0; q < e->lane->nr; q++) {
		rscope_fill_guards(e, &e->first[q].src);
		rscope_fill_guards(e, &e->first[q].dst);
	}
	return rscope_pass(e, RSCOPE_STAGE_VERIFY, e->f->ops, 0);
}

/* No lane may tear down, or report, while another still measures. */
static int rscope_pass_end(struct rscope_engine *e)
{
	return rscope_gate_meet(e->gate);
}

/* ------------------------------------------------------------------- lanes */

/**
 * struct rscope_crew - what all lanes of a run share
 * @ep: endpoint
 * @seed: of the payload
 * @f: figures, one a lane
 * @gate: where lanes meet
 */
struct rscope_crew {
	struct rscope_endpoint *ep;
	u64 seed;
	struct rscope_figures *f;
	struct rscope_gate gate;
};

static int rscope_engine_init(struct rscope_engine *e, struct rscope_crew *crew, u32 lane)
{
	const struct rscope_workload *w = crew->ep->w;
	struct rscope_loop *l = &e->loop;

	e->ep = crew->ep;
	e->lane = &crew->ep->lane[lane];
	e->gate = &crew->gate;
	e->first = &crew->ep->pair[e->lane->first];
	e->f = &crew->f[lane];
	e->corrupt = RSCOPE_NONE;
	e->bytes.seed = crew->seed;
	l->depth = w->depth;
	l->batch = w->batch;
	l->signal = w->signal;
	l->qps = e->lane->nr;
	l->two_sided = rscope_op_takes_recv(w->op);
	if (rscope_workload_is_split(w)) {
		l->side = lane % 2;
		l->ended = &e->lane[-(int)l->side].ended;
	}
	l->hist = &e->f->hist;
	l->track = kvcalloc(l->qps, sizeof(*l->track), GFP_KERNEL);
	l->post_ns = kvcalloc((size_t)l->qps * l->depth, sizeof(*l->post_ns), GFP_KERNEL);
	rscope_hist_init(&e->f->hist);
	return l->track && l->post_ns ? 0 : -ENOMEM;
}

static int rscope_engine_lane(void *arg, u32 lane)
{
	static int (*const passes[])(struct rscope_engine *) = {
		rscope_pass_warmup, rscope_pass_timed, rscope_pass_cost, rscope_pass_verify,
		rscope_pass_end,
	};
	struct rscope_engine *e = kzalloc(sizeof(*e), GFP_KERNEL);
	int err = e ? rscope_engine_init(e, arg, lane) : -ENOMEM;
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

/**
 * rscope_engine_run() - all passes of a run on all lanes
 * @ep: open endpoint
 * @seed: of the payload
 * @f: one zeroed struct a lane; the first one holds the sum afterwards, complete
 *	up to the stage that ep->stage names
 * @allowed: CPUs the lanes may use
 *
 * Context: the writer's thread; schedules between polls when asked to.
 * Return: 0, -EIO on a failed completion (rscope_endpoint_error()), -EINTR,
 * -ECANCELED, -ENODEV or -ETIMEDOUT when stopped, or what posting returned.
 */
int rscope_engine_run(struct rscope_endpoint *ep, u64 seed, struct rscope_figures *f,
		      const struct cpumask *allowed)
{
	struct rscope_crew crew = { .ep = ep, .seed = seed, .f = f, .gate.stop = ep->stop };
	int err = rscope_lanes_run(&crew.gate, ep->nr_lanes, ep->w->cpu, allowed,
				   rscope_engine_lane, &crew);
	u32 i;

	for (i = 1; i < ep->nr_lanes; i++)
		rscope_figures_add(f, &f[i]);
	return err;
}

/* -------------------------------------------------- one operation at a time */

/**
 * struct rscope_solo - an engine that is told when to run an operation
 * @crew: a crew of one
 * @engine: its engine
 */
struct rscope_solo {
	struct rscope_crew crew;
	struct rscope_engine engine;
};

/**
 * rscope_solo_open() - engine for single operations
 * @ep: open endpoint with one pair
 * @seed: of the payload of a read
 * @f: zeroed figures
 *
 * Context: may sleep.
 * Return: engine or NULL without memory.
 */
struct rscope_solo *rscope_solo_open(struct rscope_endpoint *ep, u64 seed,
				     struct rscope_figures *f)
{
	struct rscope_solo *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return NULL;
	s->crew = (struct rscope_crew){ .ep = ep, .seed = seed, .f = f, .gate.stop = ep->stop };
	if (rscope_engine_init(&s->engine, &s->crew, 0)) {
		rscope_solo_close(s);
		return NULL;
	}
	rscope_aim_all(&s->engine, false);
	s->engine.bytes.fill = RSCOPE_FILL_PAYLOAD;
	rscope_region_fill(&ep->pair[0].src, &s->engine.bytes,
			   rscope_slot_offset(ep->l, 0), ep->l->size);
	rscope_measure_clock(f);
	ep->stage = RSCOPE_STAGE_TIMED;
	return s;
}

/**
 * rscope_solo_op() - post one operation and wait for it
 * @s: engine
 *
 * Context: may sleep.
 * Return: as rscope_engine_run().
 */
int rscope_solo_op(struct rscope_solo *s)
{
	struct rscope_figures *f = s->engine.f;
	struct rscope_loop *l = &s->engine.loop;
	u64 max = f->hist.max;
	int err;

	rscope_loop_reset(l, 1, 0);
	err = rscope_loop_run(&s->engine, l, RSCOPE_PASS_TIMED);
	if (!f->ops)
		f->start_ns = l->start_ns;
	if (f->hist.max != max)
		f->hist.max_at = f->ops;
	f->posted += l->posted;
	f->completed += l->retired;
	f->ops += l->retired;
	f->empty_polls += l->empty_polls;
	f->elapsed_ns = l->start_ns + l->elapsed_ns - f->start_ns;
	f->cpu = raw_smp_processor_id();
	WRITE_ONCE(f->progress, f->ops);
	return err;
}

/**
 * rscope_solo_close() - give the engine back
 * @s: engine or NULL
 *
 * Context: may sleep; before the endpoint is closed.
 */
void rscope_solo_close(struct rscope_solo *s)
{
	if (!s)
		return;
	kvfree(s->engine.loop.track);
	kvfree(s->engine.loop.post_ns);
	kfree(s);
}
