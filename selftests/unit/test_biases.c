// SPDX-License-Identifier: GPL-2.0
/*
 * Where perftest is known to be biased, and that we are not: one test for each.
 * module/evidence.sh has the same on a device.
 */
#include "fakeloop.h"

#include "derive.h"
#include "sweep.h"

#define JUMP 7777777 /* ns; no edge of a bucket */

static struct rscope_engine engine;
static struct rscope_track track[FAKE_QPS];
static u64 stamps[FAKE_QPS * FAKE_DEPTH];
static struct run run;

static struct rscope_loop one_at_a_time(u64 jump_at)
{
	struct rscope_loop l = {
		.depth = 1, .batch = 1, .signal = 1, .qps = 1, .track = track, .post_ns = stamps,
		.hist = &run.hist,
	};

	memset(&engine, 0, sizeof(engine));
	engine.depth = 1;
	engine.batch = 1;
	engine.signal = 1;
	engine.qps = 1;
	engine.pass = RSCOPE_PASS_TIMED;
	engine.seed = 41;
	engine.burst = 1;
	engine.lazy = 1;
	engine.jump_at = jump_at;
	engine.jump_ns = JUMP;
	rscope_hist_init(&engine.hist);
	run_init(&run);
	return l;
}

static void pass(struct rscope_loop *l, u64 ops, u64 duration_ns)
{
	memset(engine.qp, 0, sizeof(engine.qp));
	rscope_loop_reset(l, ops, duration_ns);
	assert_int_equal(rscope_loop_run(&engine, l, RSCOPE_PASS_TIMED), 0);
	run.r.ops = l->retired;
	run.r.elapsed_ns = l->elapsed_ns;
	rscope_report_hist(&run.r, &run.hist);
}

/* perftest's is the second largest sample; a bucket's edge would be as wrong. */
static void maximum_is_the_largest_sample(void **state)
{
	struct rscope_loop l = one_at_a_time(1000);
	u64 edge;

	(void)state;
	pass(&l, 2000, 0);
	edge = rscope_hist_low(rscope_hist_index(run.r.max_ns));
	assert_int_equal(run.r.max_ns, engine.hist.max);
	assert_int_equal(run.r.max_at_op, engine.hist.max_at);
	assert_in_range(run.r.max_ns, JUMP, JUMP + 2000);
	assert_true(edge < run.r.max_ns && run.r.max_ns < rscope_hist_low(1 +
		    rscope_hist_index(run.r.max_ns)));
	/* There is one such sample only, and it moves no percentile. */
	assert_int_equal(run.hist.bucket[rscope_hist_index(run.r.max_ns)], 1);
	assert_true(derive_percentile(&run.hist, 99, 100) < 2000);
}

/* perftest's goes through an int; squares around zero would cancel. */
static void deviation_of_a_narrow_distribution(void **state)
{
	static const u64 centres[] = { 1000000, 1000000000, 1000000000000ULL };
	size_t i;
	u64 k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(centres); i++) {
		run_init(&run);
		/* Half of them 40 below, half 40 above. */
		for (k = 0; k < 1000000; k++)
			rscope_hist_add(&run.hist, centres[i] + (k & 1 ? 40 : -40), k);
		rscope_report_hist(&run.r, &run.hist);
		assert_int_equal(derive_stddev(&run.r), 40);
	}
}

/* perftest has none there. */
static void percentiles_when_a_duration_ends_the_run(void **state)
{
	struct rscope_loop l = one_at_a_time(0);
	struct derived d;

	(void)state;
	pass(&l, 0, 1000000);
	derive(&run, &d);
	assert_true(run.r.elapsed_ns >= 1000000);
	assert_true(run.r.ops > 500);
	assert_int_equal(run.r.samples, run.r.ops);
	assert_true(run.r.min_ns <= d.p50_ns && d.p50_ns <= d.p90_ns);
	assert_true(d.p90_ns <= d.p99_ns || d.p99_ns == RSCOPE_NONE);
	assert_true(d.p90_ns <= run.r.max_ns);
	assert_true(d.stddev_ns != RSCOPE_NONE);
}

/* perftest prints a table a size; here one list makes one document's rows. */
static void sweep_is_one_list(void **state)
{
	struct sweep s;
	size_t i;

	(void)state;
	assert_true(sweep_parse("1:1M:x2", 1 << 30, &s));
	assert_int_equal(s.n, 21);
	for (i = 0; i < s.n; i++)
		assert_int_equal(s.size[i], 1ULL << i);
}

/* The first operation finds nothing warm: the warm-up takes it, as in the engines. */
static void warm_up_takes_the_first_sample(void **state)
{
	struct rscope_loop l = one_at_a_time(1);

	(void)state;
	pass(&l, 1, 0);
	assert_true(run.r.max_ns > JUMP);
	rscope_hist_init(&run.hist);
	pass(&l, 500, 0);
	assert_int_equal(run.r.samples, 500);
	assert_true(run.r.max_ns < JUMP);
	assert_true(run.r.sum_ns < JUMP);
}

static void double_hist(void)
{
	static struct rscope_hist same;

	same = run.hist;
	rscope_hist_merge(&run.hist, &same);
}

static void assert_long_run(u64 ops)
{
	struct derived d;

	derive(&run, &d);
	assert_int_equal(run.r.samples, ops);
	assert_int_equal(d.mean_ns, 10000);
	assert_int_equal(d.stddev_ns, 1000);
	assert_in_range(d.p50_ns, 9000, 9070);
	assert_in_range(d.p99_ns, 10920, 11000);
	assert_int_equal(d.ops_per_s, (ops + 1800) / 3600);
	assert_int_equal(d.bytes_per_s, (ops * 65536 + 1800) / 3600);
	assert_true(run.r.min_ns == 9000 && run.r.max_ns == 11000);
}

/* 2^36 operations in an hour: no count, sum or square ends at 32 bits, or at 64. */
static void long_run_overflows_nothing(void **state)
{
	static char text[65536];
	struct rscope_text t = { .buf = text, .size = sizeof(text) };
	struct rscope_error e;
	u64 ops = 1ULL << 36;
	int i;

	(void)state;
	run_init(&run);
	rscope_hist_add(&run.hist, 9000, 0);
	rscope_hist_add(&run.hist, 11000, 1);
	for (i = 1; i < 36; i++)
		double_hist();
	run.r.ops = ops;
	run.r.bytes = ops * 65536;
	run.r.elapsed_ns = 3600ULL * 1000000000;
	run.r.run_id = 1;
	run.r.port = 1;
	rscope_report_text(&run.r, path, "kernel");
	rscope_report_text(&run.r, dev, "rxe0");
	rscope_report_text(&run.r, workload, "op=write");
	rscope_report_text(&run.r, verdict, "pass");
	rscope_report_hist(&run.r, &run.hist);
	assert_long_run(ops);
	/* And through the text of the module. */
	rscope_report_print(&t, &run.r, &run.hist);
	assert_int_equal(report_parse(text, t.len, &run, &e), 0);
	assert_long_run(ops);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(maximum_is_the_largest_sample),
	cmocka_unit_test(deviation_of_a_narrow_distribution),
	cmocka_unit_test(percentiles_when_a_duration_ends_the_run),
	cmocka_unit_test(sweep_is_one_list),
	cmocka_unit_test(warm_up_takes_the_first_sample),
	cmocka_unit_test(long_run_overflows_nothing),
};

UNIT_MAIN(tests)
