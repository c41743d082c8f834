// SPDX-License-Identifier: GPL-2.0
/*
 * The statistics of a comparison: ranks that bound a median, what may be called
 * a difference, and what makes two runs unfit to be compared.
 */
#include <math.h>
#include <stdio.h>

#include "unit.h"
#include "compare.h"

static struct rscope_error err;

static void ranks_of_the_plan(void **state)
{
	static const size_t rows[][2] = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 5, 0 }, { 6, 1 },
					  { 8, 1 }, { 9, 2 }, { 10, 2 }, { 11, 2 }, { 12, 3 },
					  { 15, 4 }, { 20, 6 }, { 30, 10 }, { 100, 40 } };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(compare_rank(rows[i][0]), rows[i][1]);
	assert_int_equal(COMPARE_ROUNDS_MIN, 6);
}

/* C(n, i) exactly, for n up to 30 */
static u64 binomial(u64 n, u64 i)
{
	u64 c = 1, k;

	for (k = 1; k <= i; k++)
		c = c * (n - k + 1) / k;
	return c;
}

/* The largest rank that still covers 95 %, in integers: 40 * below <= 2^n. */
static void ranks_against_exact_counts(void **state)
{
	u64 n, k, i;

	(void)state;
	for (n = 1; n <= 30; n++) {
		u64 below = 0, best = 0;

		for (k = 1; k <= n / 2; k++) {
			below = 0;
			for (i = 0; i < k; i++)
				below += binomial(n, i);
			if (40 * below <= 1ULL << n)
				best = k;
		}
		assert_int_equal(compare_rank(n), best);
	}
}

/* Coverage seen in the wild: of medians of random ratios, 95 % at least. */
static void interval_covers_the_median(void **state)
{
	static const size_t counts[] = { 6, 10, 15, 20, 30 };
	u64 seed = 5;
	size_t i, n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		u32 covered = 0, trial;

		for (trial = 0; trial < 4000; trial++) {
			double ratios[30];
			struct ratio r;

			/* Skewed, with a median of 1. */
			for (n = 0; n < counts[i]; n++)
				ratios[n] = pow((double)unit_range(&seed, 1, 999999) / 500000, 3);
			compare_ratios(ratios, counts[i], &r);
			covered += r.low <= 1 && r.high >= 1;
		}
		assert_in_range(covered, 4000 * 94 / 100, 4000);
	}
}

static void medians(void **state)
{
	double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 }, one[] = { 7 };
	struct ratio r;

	(void)state;
	compare_ratios(odd, 3, &r);
	assert_true(r.median == 2);
	assert_true(isnan(r.low) && isnan(r.high));
	compare_ratios(even, 4, &r);
	assert_true(r.median == 2.5);
	compare_ratios(one, 1, &r);
	assert_true(r.median == 1 * 7 && r.rounds == 1);
	compare_ratios(one, 0, &r);
	assert_true(isnan(r.median));
	assert_string_equal(r.verdict, "too few rounds");
}

static void interval_is_made_of_rounds(void **state)
{
	double ratios[15];
	struct ratio r;
	size_t i;

	(void)state;
	for (i = 0; i < 15; i++)
		ratios[i] = (double)((i * 7) % 15 + 1);
	compare_ratios(ratios, 15, &r);
	assert_true(r.median == 8 && r.low == 4 && r.high == 12);
	for (i = 0; i < 6; i++)
		ratios[i] = (double)(6 - i);
	compare_ratios(ratios, 6, &r);
	assert_true(r.median == 3.5 && r.low == 1 && r.high == 6);
}

struct verdict_row {
	double low, middle, high; /* ratios of six rounds: [1,6] is the interval */
	const char *verdict;
};

static const struct verdict_row verdicts[] = {
	{ 1.1, 1.2, 1.3, "user faster" },
	{ 0.7, 0.8, 0.9, "kernel faster" },
	{ 0.9, 1.0, 1.1, "no difference" },
	{ 0.5, 1.5, 2.5, "no difference" },
	{ 1.0, 1.1, 1.2, "no difference" },
	{ 0.8, 0.9, 1.0, "no difference" },
	{ 0.99, 1.0, 1.01, "equal" },
	{ 0.98, 1.0, 1.02, "equal" },
	{ 1.005, 1.01, 1.015, "equal" },
	{ 1.0, 1.0, 1.0, "equal" },
	{ 0.979, 1.0, 1.0, "no difference" },
	{ 1.0, 1.0, 1.021, "no difference" },
	{ 1.001, 1.01, 1.021, "user faster" },
};

static void verdicts_follow_the_interval(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(verdicts); i++) {
		const struct verdict_row *v = &verdicts[i];
		double ratios[] = { v->high, v->middle, v->low, v->middle, v->middle, v->middle };
		struct ratio r;

		compare_ratios(ratios, 6, &r);
		if (strcmp(r.verdict, v->verdict))
			fail_msg("row %zu: %s, not %s", i, r.verdict, v->verdict);
	}
}

static void few_rounds_prove_nothing(void **state)
{
	double ratios[] = { 2, 2, 2, 2, 2 };
	struct ratio r;

	(void)state;
	compare_ratios(ratios, 5, &r);
	assert_string_equal(r.verdict, "too few rounds");
	assert_true(r.median == 2);
}

static void unknown_rounds_are_left_out(void **state)
{
	double ratios[] = { 3, NAN, 1, 6, 5, NAN, 2, 4, NAN };
	struct ratio r;

	(void)state;
	compare_ratios(ratios, 9, &r);
	assert_int_equal(r.rounds, 6);
	assert_true(r.median == 3.5 && r.low == 1 && r.high == 6);
	ratios[0] = NAN;
	compare_ratios(ratios, 1, &r);
	assert_int_equal(r.rounds, 0);
	assert_true(isnan(r.median));
}

static struct run kernel, user;

static void fill(struct run *run, u64 ns, u32 samples)
{
	u32 i;

	run_init(run);
	for (i = 0; i < samples; i++)
		rscope_hist_add(&run->hist, ns, i);
	rscope_report_hist(&run->r, &run->hist);
	run->r.ops = samples;
	run->r.elapsed_ns = 3 * ns * samples;
}

static void round_is_kernel_over_user(void **state)
{
	(void)state;
	fill(&kernel, 200, 100);
	fill(&user, 100, 100);
	assert_true(compare_round(&kernel, &user, true) == 2);
	assert_true(compare_round(&kernel, &user, false) == 2);
	assert_true(compare_round(&user, &kernel, true) == 0.5);
	kernel.r.elapsed_ns *= 5;
	assert_true(compare_round(&kernel, &user, true) == 2);
	assert_true(compare_round(&kernel, &user, false) == 10);
}

static void round_without_a_median(void **state)
{
	(void)state;
	fill(&kernel, 200, 5);
	fill(&user, 100, 5);
	kernel.r.elapsed_ns *= 2;
	assert_true(compare_round(&kernel, &user, true) == 4);
	/* Nor does one side's median go with the other's elapsed time. */
	fill(&kernel, 200, 100);
	kernel.r.elapsed_ns *= 2;
	assert_true(compare_round(&kernel, &user, true) == 4);
}

static void round_that_cannot_be_told(void **state)
{
	(void)state;
	fill(&kernel, 200, 5);
	run_init(&user);
	assert_true(isnan(compare_round(&kernel, &user, true)));
	assert_true(isnan(compare_round(&user, &kernel, false)));
	user.r.ops = 5;
	user.r.elapsed_ns = 0;
	assert_true(isnan(compare_round(&kernel, &user, false)));
	user.r.ops = 0;
	user.r.elapsed_ns = 5;
	assert_true(isnan(compare_round(&kernel, &user, false)));
}

static void latency_or_rate(void **state)
{
	struct rscope_workload w;

	(void)state;
	rscope_workload_init(&w);
	assert_true(compare_by_latency(&w));
	w.depth = 2;
	assert_false(compare_by_latency(&w));
	w.depth = 1;
	w.qps = 2;
	assert_false(compare_by_latency(&w));
}

/* Two reports of one workload, the second with @change put in front. */
static int compare_lines(const char *a, const char *b)
{
	const char *const lines[] = { a, b };
	struct run *const runs[] = { &kernel, &user };
	size_t i;

	for (i = 0; i < 2; i++) {
		struct rscope_text t = { .buf = runs[i]->r.workload, .size = RSCOPE_WORKLOAD_MAX };
		struct rscope_workload w;

		run_init(runs[i]);
		assert_int_equal(rscope_workload_parse(lines[i], strlen(lines[i]), &w, &err), 0);
		rscope_workload_print(&t, &w);
		runs[i]->r.mtu = 1024;
		runs[i]->r.slots = 1;
	}
	memset(&err, 0, sizeof(err));
	return compare_effective(&kernel.r, &user.r, &err);
}

#define LINE "size=8 depth=4 qps=2 "
#define LINE_1 "size=8 qps=2 "

static void equal_workloads_compare(void **state)
{
	(void)state;
	assert_int_equal(compare_lines(LINE "\n", LINE "\n"), 0);
	/* Names of busy polling on the two sides, and keys that only one side has. */
	assert_int_equal(compare_lines(LINE "cq=direct\n", LINE "cq=poll\n"), 0);
	assert_int_equal(compare_lines(LINE "cq=softirq\n", LINE "cq=event\n"), 0);
	assert_int_equal(compare_lines(LINE "mr=dma\n", LINE "mr=fastreg\n"), 0);
	assert_int_equal(compare_lines(LINE "timeout_ms=5\n", LINE "timeout_ms=6\n"), 0);
}

static void different_workloads_do_not(void **state)
{
	static const char *const changes[] = {
		"op=read", "qp=uc", "mtu=512", "inline=1", "iters=5",
		"duration_ms=5", "warmup=5", "batch=2", "signal=2", "threads=2", "cpu=3",
		"gid_index=2", "verify=1", "ack_timeout=5", "retry_cnt=5", "rnr_retry=5",
		"min_rnr_timer=5", "cq=event",
	};
	char line[200];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		snprintf(line, sizeof(line), LINE "%s\n", changes[i]);
		assert_int_equal(compare_lines(LINE "\n", line), -EDOM);
		if (strncmp(changes[i], "duration", 8))
			assert_memory_equal(err.msg, changes[i], strcspn(changes[i], "="));
		assert_int_equal(compare_lines(line, LINE "\n"), -EDOM);
	}
	assert_int_equal(compare_lines(LINE_1 "\n", LINE_1 "pattern=pingpong\n"), -EDOM);
	assert_int_equal(compare_lines(LINE "\n", "size=16 depth=4 qps=2\n"), -EDOM);
	assert_int_equal(compare_lines(LINE "\n", "size=8 depth=5 qps=2\n"), -EDOM);
	assert_int_equal(compare_lines(LINE "\n", "size=8 depth=4 qps=3\n"), -EDOM);
}

static void different_effects_do_not(void **state)
{
	static const size_t offsets[] = {
		offsetof(struct rscope_report, mtu), offsetof(struct rscope_report, gid_index),
		offsetof(struct rscope_report, lid), offsetof(struct rscope_report, rd_atomic),
		offsetof(struct rscope_report, slots),
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(offsets); i++) {
		assert_int_equal(compare_lines(LINE "\n", LINE "\n"), 0);
		*(u64 *)((char *)&user.r + offsets[i]) = 4242;
		assert_int_equal(compare_effective(&kernel.r, &user.r, &err), -EDOM);
		assert_non_null(strstr(err.msg, "4242"));
	}
}

static void unreadable_workload_does_not(void **state)
{
	(void)state;
	assert_int_equal(compare_lines(LINE "\n", LINE "\n"), 0);
	rscope_report_text(&user.r, workload, "op=read frobnicate=1");
	assert_true(compare_effective(&kernel.r, &user.r, &err) < 0);
	assert_true(err.msg[0]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(ranks_of_the_plan),
	cmocka_unit_test(ranks_against_exact_counts),
	cmocka_unit_test(interval_covers_the_median),
	cmocka_unit_test(medians),
	cmocka_unit_test(interval_is_made_of_rounds),
	cmocka_unit_test(verdicts_follow_the_interval),
	cmocka_unit_test(few_rounds_prove_nothing),
	cmocka_unit_test(unknown_rounds_are_left_out),
	cmocka_unit_test(round_is_kernel_over_user),
	cmocka_unit_test(round_without_a_median),
	cmocka_unit_test(round_that_cannot_be_told),
	cmocka_unit_test(latency_or_rate),
	cmocka_unit_test(equal_workloads_compare),
	cmocka_unit_test(different_workloads_do_not),
	cmocka_unit_test(different_effects_do_not),
	cmocka_unit_test(unreadable_workload_does_not),
};

UNIT_MAIN(tests)
