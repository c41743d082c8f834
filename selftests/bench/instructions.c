// SPDX-License-Identifier: GPL-2.0
/*
 * instructions MODE COUNT: what hist.sh counts the instructions of.
 *
 *	hist	one sample of random magnitude into the histogram per round
 *	loop	one operation of the measured loop per round, over a device that
 *		completes at once, no clock read and no sample
 *	timed	the same as a timed pass with a sample, on a clock that is a counter
 *	each	loop, with 64 operations outstanding, each with its own post call
 *		and completion
 *	deep	loop, with 64 operations outstanding, 16 a post call, one of 16
 *		signalled
 */
#include <stdio.h>
#include <stdlib.h>

#include <rdmascope/pass.h>

#define VALUES 4096
#define DEPTH 64
#define BATCH 16

/*
 * With OPAQUE the hooks stand for calls into a driver, across which nothing stays
 * in registers.
 */
#ifdef OPAQUE
#define hook_call() barrier()
#else
#define hook_call() ((void)0)
#endif

/* A device that has always completed everything posted so far. */
struct rscope_engine {
	u64 posted;
	u64 found;
	u64 step;
	u64 clock;
};

static inline int rscope_hook_post(struct rscope_engine *e, u32 qp, u32 slot, u32 n,
				   u64 signalled, enum rscope_pass pass)
{
	e->posted += n;
	hook_call();
	return 0;
}

static inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done, u32 max,
				   const enum rscope_pass pass)
{
	hook_call();
	if (e->found == e->posted)
		return 0;
	e->found += e->step;
	done->qp = 0;
	done->recv = 0;
	return 1;
}

static inline u64 rscope_hook_now(struct rscope_engine *e)
{
	return e->clock += 1000;
}

static inline int rscope_hook_stop(struct rscope_engine *e, u64 now)
{
	return 0;
}

static inline void rscope_hook_relax(struct rscope_engine *e)
{
}

static inline void rscope_hook_prepare(struct rscope_engine *e, u32 qp, u64 op)
{
}

static inline void rscope_hook_check(struct rscope_engine *e, u32 qp, u64 op)
{
}

#include <rdmascope/loop.h>

static struct rscope_hist hist;

/* Latencies between 1 us and 8 ms, every magnitude alike. */
static void fill_values(u64 *values)
{
	u64 state = 88172645463325252ULL;
	u32 i;

	for (i = 0; i < VALUES; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		values[i] = 1000 + ((state & 0x7fffff) >> (state >> 32) % 14);
	}
}

/* Not into main(), which is compiled for size. */
__attribute__((__noinline__))
static void run_hist(struct rscope_hist *h, const u64 *values, u64 count)
{
	u64 i;

	for (i = 0; i < count; i++)
		rscope_hist_add(h, values[i % VALUES], i);
}

__attribute__((__noinline__))
static int run_loop(struct rscope_engine *e, struct rscope_loop *l)
{
	return rscope_loop_run(e, l, RSCOPE_PASS_COUNT);
}

__attribute__((__noinline__))
static int run_timed(struct rscope_engine *e, struct rscope_loop *l)
{
	return rscope_loop_run(e, l, RSCOPE_PASS_TIMED);
}

int main(int argc, char **argv)
{
	static u64 values[VALUES], stamps[DEPTH];
	static struct rscope_engine engine = { .step = 1 };
	static struct rscope_track track[1];
	static struct rscope_loop l = {
		.depth = 1, .batch = 1, .signal = 1, .qps = 1,
		.track = track, .post_ns = stamps, .hist = &hist,
	};
	u64 count = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	int err = 0;

	if (!count)
		return 2;
	if (!strcmp(argv[1], "each"))
		l.depth = DEPTH;
	if (!strcmp(argv[1], "deep")) {
		l.depth = DEPTH;
		l.batch = BATCH;
		l.signal = BATCH;
		engine.step = BATCH;
	}
	fill_values(values);
	rscope_hist_init(&hist);
	rscope_loop_reset(&l, count, 0);
	if (!strcmp(argv[1], "hist"))
		run_hist(&hist, values, count);
	else if (!strcmp(argv[1], "timed"))
		err = run_timed(&engine, &l);
	else
		err = run_loop(&engine, &l);
	/* Read what was counted, so that nothing of it is optimised away. */
	printf("%llu %llu\n", hist.count, hist.sum);
	return err;
}
