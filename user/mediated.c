// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What would the kernel in the data path cost? The loop of the other paths,
 * whose post hook is one pwrite or pread that returns with the operation done;
 * the poll behind it has nothing to wait for. Two smaller loops tell what such
 * a call costs when it does nothing, and what any system call costs.
 */
#include "mediated.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <rdmascope/pass.h>

#include "bypass.h"
#include "cost.h"
#include "cpus.h"
#include "kpath.h"
#include "signals.h"

#define COST_OPS 1000
#define COUNT_OPS 256
#define CALLS 2000 /* of the loops that only cross */
#define PATH_BYTES 256

enum call { CALL_PWRITE, CALL_PREAD, CALL_GETPPID };

/**
 * struct rscope_engine - what the hooks work on
 * @call: system call that is one operation
 * @fd: armed file
 * @data: the message
 * @size: its length
 * @done: the call has returned and was not polled
 * @loop: the loop
 */
struct rscope_engine {
	enum call call;
	int fd;
	void *data;
	size_t size;
	bool done;
	struct rscope_loop loop;
};

/* ------------------------------------------------------------------- hooks */

static __always_inline int rscope_hook_post(struct rscope_engine *e, u32 qp, u32 slot, u32 n,
					    u64 signalled, const enum rscope_pass pass)
{
	ssize_t ret;

	if (e->call == CALL_PWRITE)
		ret = pwrite(e->fd, e->data, e->size, 0);
	else if (e->call == CALL_PREAD)
		ret = pread(e->fd, e->data, e->size, 0);
	else
		ret = syscall(SYS_getppid);
	if (unlikely(ret < 0))
		return -errno;
	e->done = true;
	return 0;
}

static __always_inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done,
					    u32 max, const enum rscope_pass pass)
{
	done[0] = (struct rscope_done){ 0 };
	e->done = false;
	return 1;
}

static __always_inline u64 rscope_hook_now(struct rscope_engine *e)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (u64)t.tv_sec * 1000000000ULL + (u64)t.tv_nsec;
}

/* The module watches deadline, cancel and removal: the call returns them. */
static __always_inline int rscope_hook_stop(struct rscope_engine *e, u64 now)
{
	return signals_caught() ? -EINTR : 0;
}

static __always_inline void rscope_hook_relax(struct rscope_engine *e)
{
}

static void rscope_hook_prepare(struct rscope_engine *e, u32 qp, u64 op)
{
}

static void rscope_hook_check(struct rscope_engine *e, u32 qp, u64 op)
{
}

#include <rdmascope/loop.h>

/* ------------------------------------------------------------------ passes */

static int pass_timed(struct rscope_engine *e, u64 ops, u64 duration_ns)
{
	rscope_loop_reset(&e->loop, ops, duration_ns);
	return ops || duration_ns ? rscope_loop_run(e, &e->loop, RSCOPE_PASS_TIMED) : 0;
}

static int pass_count(struct rscope_engine *e, struct run *run)
{
	struct bypass b;
	int err;

	if (bypass_open(&b)) {
		rscope_report_text(run, bypass, "unknown");
		return 0;
	}
	rscope_loop_reset(&e->loop, COUNT_OPS, 0);
	bypass_start(&b);
	err = rscope_loop_run(e, &e->loop, RSCOPE_PASS_COUNT);
	run->syscalls = bypass_stop(&b);
	bypass_close(&b);
	run->syscall_posts = e->loop.post_calls;
	run->syscall_ops = e->loop.retired;
	rscope_report_text(run, bypass, bypass_level(run->syscalls, run->syscall_posts));
	return err;
}

static int pass_measured(struct rscope_engine *e, const struct rscope_workload *w, struct run *run)
{
	struct rscope_report *r = &run->r;
	struct cost from, to;
	int err;

	cost_read(&from);
	err = pass_timed(e, w->duration_ms ? 0 : (u64)w->iters, (u64)w->duration_ms * 1000000ULL);
	cost_read(&to);
	r->ops = e->loop.retired;
	r->bytes = r->ops * (u64)w->size;
	r->elapsed_ns = e->loop.elapsed_ns;
	r->cpu_ns = to.thread_ns - from.thread_ns;
	if (from.system_ns)
		r->system_cpu_ns = to.system_ns - from.system_ns;
	r->ctxsw = to.ctxsw - from.ctxsw;
	run->faults = to.faults - from.faults;
	r->cpu = (u64)sched_getcpu();
	return err;
}

static int pass_cost(struct rscope_engine *e, struct run *run)
{
	struct rscope_report *r = &run->r;
	int err;

	rscope_loop_reset(&e->loop, r->ops < COST_OPS ? r->ops : COST_OPS, 0);
	err = r->ops ? rscope_loop_run(e, &e->loop, RSCOPE_PASS_COST) : 0;
	r->cost_ops = e->loop.retired;
	r->post_calls = e->loop.post_calls;
	r->post_ns = e->loop.post_sum_ns;
	r->poll_calls = e->loop.poll_calls;
	r->poll_ns = e->loop.poll_sum_ns;
	return err;
}

static int all_passes(struct rscope_engine *e, const struct plan *p, bool count, struct run *run)
{
	int err = count ? pass_count(e, run) : 0;

	if (!err)
		err = pass_timed(e, (u64)p->w.warmup, 0);
	rscope_hist_init(&run->hist);
	if (!err)
		err = pass_measured(e, &p->w, run);
	return err ? err : pass_cost(e, run);
}

/* ----------------------------------------------------------------- engine */

static int engine_open(struct rscope_engine *e, enum call call, size_t size,
		       struct rscope_hist *hist)
{
	struct rscope_loop *l = &e->loop;

	memset(e, 0, sizeof(*e));
	e->call = call;
	e->fd = -1;
	e->size = size;
	e->data = calloc(1, size);
	l->depth = 1;
	l->batch = 1;
	l->signal = 1;
	l->qps = 1;
	l->hist = hist;
	l->track = calloc(1, sizeof(*l->track));
	l->post_ns = calloc(1, sizeof(*l->post_ns));
	rscope_hist_init(hist);
	return e->data && l->track && l->post_ns ? 0 : -ENOMEM;
}

static void engine_close(struct rscope_engine *e)
{
	if (e->fd >= 0)
		close(e->fd);
	e->fd = -1;
	free(e->data);
	free(e->loop.track);
	free(e->loop.post_ns);
}

/* -------------------------------------------------------------- crossings */

static u64 median(const struct rscope_hist *h)
{
	u64 before = 0;
	u32 i;

	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++) {
		before += h->bucket[i];
		if (2 * before >= h->count)
			return rscope_hist_low(i);
	}
	return RSCOPE_NONE;
}

static u64 measure_call(const struct plan *p, const char *dir, enum call call)
{
	struct rscope_hist *hist = malloc(sizeof(*hist));
	struct plan nop = *p;
	char line[RSCOPE_WORKLOAD_MAX + 2];
	struct rscope_error e;
	struct rscope_engine engine;
	u64 ns = RSCOPE_NONE;
	int err;

	if (!hist)
		return ns;
	nop.w.op = RSCOPE_OP_NOP;
	nop.w.size = 1;
	plan_line(&nop, line, sizeof(line));
	err = engine_open(&engine, call, 1, hist);
	if (!err && call != CALL_GETPPID)
		err = kpath_arm(p->root, dir, (unsigned int)p->link.port, line, &engine.fd, &e);
	if (!err && !pass_timed(&engine, CALLS, 0))
		ns = median(hist);
	engine_close(&engine);
	free(hist);
	return ns;
}

/* --------------------------------------------------------------------- run */

/* Set-up, driver, address and verdict are the module's; the times are ours. */
static int take_report(const struct plan *p, const char *dir, struct run *run,
		       struct rscope_error *e)
{
	struct run *theirs = malloc(sizeof(*theirs));
	const struct rscope_report ours = run->r;
	char file[PATH_BYTES];
	struct ktext t = { 0 };
	int err;

	snprintf(file, sizeof(file), "%s/%llu/result", dir, p->link.port);
	err = theirs ? kpath_read(p->root, file, &t, e) : -ENOMEM;
	if (!err)
		err = report_parse(t.text, t.len, theirs, e);
	if (!err && strcmp(theirs->r.path, "mediated"))
		err = rscope_fail(e, -EBUSY, "another run has replaced the report");
	if (!err) {
		run->r = theirs->r;
#define TAKE(k) run->r.k = ours.k
		TAKE(ops), TAKE(bytes), TAKE(elapsed_ns), TAKE(cpu_ns), TAKE(ctxsw), TAKE(cpu);
		TAKE(system_cpu_ns);
		TAKE(clock_ns), TAKE(cost_ops), TAKE(post_calls), TAKE(post_ns), TAKE(poll_calls);
		TAKE(poll_ns);
#undef TAKE
		run->r.wakeups = RSCOPE_NONE;
		run->r.lost_wakeups = RSCOPE_NONE;
		run->r.empty_polls = RSCOPE_NONE;
		rscope_report_hist(&run->r, &run->hist);
	}
	free(t.text);
	free(theirs);
	return err;
}

static int measure(const struct plan *p, const char *dir, bool count, struct run *run,
		   enum step *step, struct rscope_error *e)
{
	char line[RSCOPE_WORKLOAD_MAX + 2];
	struct rscope_engine engine;
	int err = engine_open(&engine, rscope_op_is_inbound(p->w.op) ? CALL_PREAD : CALL_PWRITE,
			      (size_t)p->w.size, &run->hist);

	*step = STEP_START;
	plan_line(p, line, sizeof(line));
	if (err)
		rscope_fail(e, err, "out of memory");
	else
		err = kpath_arm(p->root, dir, (unsigned int)p->link.port, line, &engine.fd, e);
	if (!err) {
		run->r.clock_ns = cost_clock_ns();
		err = all_passes(&engine, p, count, run);
		*step = STEP_PASS;
		if (err)
			rscope_fail(e, err, "operation %llu: %s", engine.loop.retired,
				    strerror(-err));
	}
	engine_close(&engine);
	return err;
}

/* These errors of an operation come with a report that says so. */
static bool publishes(int err)
{
	return err == -EINTR || err == -ECANCELED || err == -ETIMEDOUT || err == -EIO ||
	       err == -EOPNOTSUPP || err == -ESHUTDOWN;
}

static void tell_unsupported(const struct plan *p, struct run *run, const char *why)
{
	struct rscope_text t = { .buf = run->r.workload, .size = sizeof(run->r.workload) };
	struct rscope_workload w = p->w;

	rscope_workload_print(&t, &w);
	run->r.run_id = 0;
	run->r.port = p->link.port;
	rscope_report_text(&run->r, path, "mediated");
	rscope_report_text(&run->r, dev, p->link.ifname);
	rscope_report_text(&run->r, stage, "check");
	rscope_report_text(&run->r, verdict, "unsupported");
	rscope_report_text(&run->r, reason, why);
}

/* Stopped between two calls, the module has seen a session that ended well. */
static void tell_stopped(struct run *run)
{
	if (strcmp(run->r.verdict, "pass"))
		return;
	rscope_report_text(&run->r, verdict, "aborted");
	rscope_report_text(&run->r, reason, "signal");
	rscope_report_text(&run->r, stage, "timed");
}

/**
 * mediated_run() - one run by one system call per operation
 * @p: plan
 * @dir: of the device
 * @count: count system calls, and measure what a crossing costs
 * @run: result
 * @step: what failed
 * @e: why
 *
 * Return: 0 when the report has a verdict, else a negative errno.
 */
int mediated_run(const struct plan *p, const char *dir, bool count, struct run *run,
		 enum step *step, struct rscope_error *e)
{
	cpu_set_t own;
	int err, stopped;

	run_init(run);
	if (!plan_mediated(p, e)) {
		tell_unsupported(p, run, e->msg);
		return 0;
	}
	err = cpus_pin((int)p->w.cpu, &own);
	if (err)
		return rscope_fail(e, err, "cpu=%lld: %s", p->w.cpu, strerror(-err));
	if (count) {
		run->syscall_ns = measure_call(p, dir, CALL_GETPPID);
		run->crossing_ns = measure_call(p, dir, CALL_PWRITE);
	}
	err = measure(p, dir, count, run, step, e);
	cpus_restore(&own);
	if (!err || (*step == STEP_PASS && publishes(err))) {
		*step = STEP_TEXT;
		stopped = err;
		err = take_report(p, dir, run, e);
		if (!err && stopped)
			tell_stopped(run);
	}
	return err;
}
