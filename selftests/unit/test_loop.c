// SPDX-License-Identifier: GPL-2.0
/*
 * The measured loop over a device in memory: it ends, counts exactly, keeps to
 * depth and credits, and its latencies are those of the device's own books.
 */
#include "fakeloop.h"

static struct rscope_engine engine;
static struct rscope_hist hist;
static struct rscope_track track[FAKE_QPS];
static u64 stamps[FAKE_QPS * FAKE_DEPTH];

struct geometry {
	u32 depth;
	u32 signal;
	u32 batch;
	u32 qps;
	bool two_sided;
};

static struct rscope_loop loop_of(const struct geometry *g, enum rscope_pass pass, u64 seed)
{
	struct rscope_loop l = {
		.depth = g->depth, .batch = g->batch, .signal = g->signal, .qps = g->qps,
		.two_sided = g->two_sided, .track = track, .post_ns = stamps, .hist = &hist,
	};

	memset(&engine, 0, sizeof(engine));
	engine.depth = g->depth;
	engine.batch = g->batch;
	engine.signal = g->signal;
	engine.qps = g->qps;
	engine.two_sided = g->two_sided;
	engine.pass = pass;
	engine.seed = seed | 1;
	engine.clock = unit_range(&engine.seed, 0, 1 << 30);
	engine.burst = (u32)unit_range(&engine.seed, 1, RSCOPE_POLL_MAX);
	engine.lazy = (u32)unit_range(&engine.seed, 1, 4);
	rscope_hist_init(&engine.hist);
	rscope_hist_init(&hist);
	return l;
}

/* Each pass has its own call site, as in the engines. */
static int run_pass(struct rscope_loop *l)
{
	switch (engine.pass) {
	case RSCOPE_PASS_TIMED:
		return rscope_loop_run(&engine, l, RSCOPE_PASS_TIMED);
	case RSCOPE_PASS_COST:
		return rscope_loop_run(&engine, l, RSCOPE_PASS_COST);
	case RSCOPE_PASS_VERIFY:
		return rscope_loop_run(&engine, l, RSCOPE_PASS_VERIFY);
	default:
		return rscope_loop_run(&engine, l, RSCOPE_PASS_COUNT);
	}
}

static void assert_books(const struct rscope_loop *l)
{
	u64 posted = 0, signalled = 0;
	u32 q;

	for (q = 0; q < l->qps; q++) {
		const struct fake_qp *qp = &engine.qp[q];

		posted += qp->posted;
		signalled += qp->signalled_nr;
		/* Nothing is left whose completion was never asked for. */
		assert_true(!qp->posted || qp->signalled[qp->posted - 1]);
		assert_int_equal(qp->complete, qp->posted);
		assert_int_equal(l->track[q].posted, qp->posted);
		assert_int_equal(l->track[q].retired, qp->posted);
		assert_int_equal(l->track[q].signals, 0);
		if (engine.pass == RSCOPE_PASS_VERIFY)
			assert_int_equal(qp->checked, qp->posted);
	}
	assert_int_equal(l->open, 0);
	assert_int_equal(l->posted, posted);
	assert_int_equal(l->retired, posted);
	assert_int_equal(l->post_calls, engine.posts);
	assert_int_equal(l->poll_calls, engine.found_polls);
	assert_int_equal(l->empty_polls, engine.relaxes);
	assert_int_equal(l->poll_calls + l->empty_polls, engine.polls);
	assert_int_equal(hist.count, engine.pass == RSCOPE_PASS_TIMED ? signalled : 0);
	/* Not just as many samples: the same ones, in the same order. */
	assert_memory_equal(&hist, &engine.hist, sizeof(hist));
}

static void assert_cost(const struct rscope_loop *l)
{
	bool cost = engine.pass == RSCOPE_PASS_COST;

	assert_int_equal(l->post_sum_ns, cost ? engine.post_time : 0);
	assert_int_equal(l->poll_sum_ns, cost ? engine.poll_time : 0);
}

static void assert_shares(const struct rscope_loop *l, u64 ops)
{
	u32 q;

	for (q = 0; q < l->qps; q++) {
		assert_in_range(engine.qp[q].posted, ops / l->qps, (ops + l->qps - 1) / l->qps);
		/* One completion per signal operations, and one for the rest. */
		assert_int_equal(engine.qp[q].signalled_nr,
				 (engine.qp[q].posted + l->signal - 1) / l->signal);
	}
}

static void run_ops(const struct geometry *g, enum rscope_pass pass, u64 ops, u64 seed)
{
	struct rscope_loop l = loop_of(g, pass, seed);
	u64 begin = engine.clock;

	rscope_loop_reset(&l, ops, 0);
	assert_int_equal(run_pass(&l), 0);
	assert_books(&l);
	assert_cost(&l);
	assert_int_equal(l.posted, ops);
	assert_shares(&l, ops);
	if (pass == RSCOPE_PASS_COUNT)
		return;
	assert_in_range(l.start_ns, begin + 1, begin + 1000);
	assert_int_equal(l.start_ns + l.elapsed_ns, engine.clock);
}

static const u32 depths[] = { 1, 3, 16, 128 };
static const u32 signals[] = { 1, 7, 64 };
static const u32 batches[] = { 1, 4 };

static void run_geometries(enum rscope_pass pass, u64 most, u64 step)
{
	u32 n, total = 4 * 3 * 2 * 3 * 2;
	u64 ops;

	for (n = 0; n < total; n++) {
		struct geometry g = {
			.depth = depths[n % 4], .signal = signals[n / 4 % 3],
			.batch = batches[n / 12 % 2], .qps = n / 24 % 3 + 1,
			.two_sided = n / 72,
		};

		if (g.signal > g.depth || g.batch > g.depth)
			continue;
		for (ops = 1; ops <= most; ops += step)
			run_ops(&g, pass, ops, n * 1000 + ops);
	}
}

static void timed_pass(void **state)
{
	(void)state;
	run_geometries(RSCOPE_PASS_TIMED, 200, 1);
}

static void cost_pass(void **state)
{
	(void)state;
	run_geometries(RSCOPE_PASS_COST, 200, 7);
}

static void verify_pass(void **state)
{
	(void)state;
	run_geometries(RSCOPE_PASS_VERIFY, 200, 7);
}

static struct geometry random_geometry(u64 *seed)
{
	struct geometry g;

	g.depth = (u32)unit_range(seed, 1, unit_range(seed, 0, 1) ? 8 : FAKE_DEPTH);
	g.signal = (u32)unit_range(seed, 1, g.depth);
	g.batch = (u32)unit_range(seed, 1, g.depth < 64 ? g.depth : 64);
	g.qps = (u32)unit_range(seed, 1, FAKE_QPS);
	g.two_sided = unit_range(seed, 0, 1);
	return g;
}

static void any_geometry(void **state)
{
	u64 seed = 17;
	int n;

	(void)state;
	for (n = 0; n < 5000; n++) {
		struct geometry g = random_geometry(&seed);

		run_ops(&g, RSCOPE_PASS_TIMED, unit_range(&seed, 1, 2000), unit_random(&seed));
	}
}

static void duration(void **state)
{
	u64 seed = 23;
	u32 q;
	int n;

	(void)state;
	for (n = 0; n < 5000; n++) {
		struct geometry g = random_geometry(&seed);
		u64 ns = unit_range(&seed, 1, 20000);
		struct rscope_loop l = loop_of(&g, RSCOPE_PASS_TIMED, unit_random(&seed));

		rscope_loop_reset(&l, 0, ns);
		assert_int_equal(run_pass(&l), 0);
		assert_books(&l);
		assert_true(l.elapsed_ns >= ns);
		assert_true(l.posted >= g.qps);
		for (q = 0; q < g.qps; q++)
			assert_int_equal(engine.qp[q].posted,
					 engine.qp[q].signalled_nr * g.signal);
	}
}

/* After its end a duration goes on to the next signalled post and no further. */
static void duration_ends_soon(void **state)
{
	struct geometry g = { .depth = 16, .signal = 7, .batch = 4, .qps = 2 };
	struct rscope_loop l = loop_of(&g, RSCOPE_PASS_TIMED, 5);
	u64 posted;
	u32 q;

	(void)state;
	rscope_loop_reset(&l, 0, 1);
	assert_int_equal(run_pass(&l), 0);
	for (q = 0; q < g.qps; q++) {
		posted = engine.qp[q].posted;
		/* The first fill, and what was missing to a multiple of 7. */
		assert_in_range(posted, 16, 21);
		assert_int_equal(posted % 7, 0);
	}
}

static void fewer_operations_than_qps(void **state)
{
	struct geometry g = { .depth = 3, .signal = 2, .batch = 2, .qps = 3 };

	(void)state;
	run_ops(&g, RSCOPE_PASS_TIMED, 1, 3);
	run_ops(&g, RSCOPE_PASS_TIMED, 2, 3);
}

/* The hooks assert that this pass reads no clock. */
static void count_pass(void **state)
{
	(void)state;
	run_geometries(RSCOPE_PASS_COUNT, 200, 7);
	assert_int_equal(engine.nows, 0);
	assert_true(engine.stops > 0);
}

/* Several passes with one loop, as a run does: nothing of the last one is left. */
static void reset_forgets(void **state)
{
	struct geometry g = { .depth = 16, .signal = 7, .batch = 4, .qps = 3, .two_sided = true };
	struct rscope_loop l = loop_of(&g, RSCOPE_PASS_TIMED, 9);
	struct rscope_loop fresh;

	(void)state;
	rscope_loop_reset(&l, 57, 0);
	fresh = l;
	assert_int_equal(run_pass(&l), 0);
	rscope_loop_reset(&l, 57, 0);
	fresh.start_ns = l.start_ns;
	assert_memory_equal(&l, &fresh, sizeof(l));
	loop_of(&g, RSCOPE_PASS_VERIFY, 10);
	assert_int_equal(run_pass(&l), 0);
	assert_books(&l);
}

static const int errors[] = { -EINTR, -ECANCELED, -ENODEV, -ETIMEDOUT, -EIO, -ENOMEM };

static void errors_pass_through(void **state)
{
	u64 seed = 77;
	int n;

	(void)state;
	for (n = 0; n < 3000; n++) {
		struct geometry g = random_geometry(&seed);
		enum rscope_pass pass = (enum rscope_pass)unit_range(&seed, 0, 2);
		struct rscope_loop l = loop_of(&g, pass, unit_random(&seed));
		u64 at = unit_range(&seed, 1, 20);

		engine.fail_with = errors[n % 6];
		engine.fail_post = n % 3 == 0 ? at : 0;
		engine.fail_poll = n % 3 == 1 ? at : 0;
		engine.fail_stop = n % 3 == 2 ? at : 0;
		/* Enough for the failing call to come, whatever the batch and burst. */
		rscope_loop_reset(&l, 20 * 64 * FAKE_QPS, 0);
		assert_int_equal(run_pass(&l), engine.fail_with);
		/* The failing call is the last one. */
		assert_true(engine.posts == at || engine.polls == at || engine.stops == at);
		assert_true(l.retired <= l.posted);
		assert_true(l.posted < 20 * 64 * FAKE_QPS || l.retired < l.posted ||
			    engine.fail_stop);
	}
}

/* A failed post is not counted as posted. */
static void failed_post_is_not_counted(void **state)
{
	struct geometry g = { .depth = 16, .signal = 1, .batch = 4, .qps = 1 };
	struct rscope_loop l = loop_of(&g, RSCOPE_PASS_TIMED, 4);

	(void)state;
	engine.fail_post = 2;
	engine.fail_with = -ENOMEM;
	rscope_loop_reset(&l, 100, 0);
	assert_int_equal(run_pass(&l), -ENOMEM);
	assert_int_equal(l.posted, 4);
	assert_int_equal(l.post_calls, 2);
	assert_int_equal(l.retired, 0);
}

/* A device that never completes anything: the stop hook is still asked. */
static void dead_device_is_left(void **state)
{
	struct geometry g = { .depth = 4, .signal = 1, .batch = 1, .qps = 2 };
	struct rscope_loop l = loop_of(&g, RSCOPE_PASS_TIMED, 4);

	(void)state;
	engine.lazy = 1U << 31;
	engine.fail_stop = 10;
	engine.fail_with = -ETIMEDOUT;
	rscope_loop_reset(&l, 100, 0);
	assert_int_equal(run_pass(&l), -ETIMEDOUT);
	assert_int_equal(engine.polls, 10 * RSCOPE_EMPTY_POLLS);
	assert_int_equal(l.empty_polls, engine.polls);
	assert_int_equal(l.posted, 8);
	assert_int_equal(l.retired, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(timed_pass),
	cmocka_unit_test(cost_pass),
	cmocka_unit_test(verify_pass),
	cmocka_unit_test(any_geometry),
	cmocka_unit_test(duration),
	cmocka_unit_test(duration_ends_soon),
	cmocka_unit_test(fewer_operations_than_qps),
	cmocka_unit_test(count_pass),
	cmocka_unit_test(reset_forgets),
	cmocka_unit_test(errors_pass_through),
	cmocka_unit_test(failed_post_is_not_counted),
	cmocka_unit_test(dead_device_is_left),
};

UNIT_MAIN(tests)
