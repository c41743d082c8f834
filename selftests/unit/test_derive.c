// SPDX-License-Identifier: GPL-2.0
/*
 * Figures out of raw counts: percentiles against an exact sort, deviations
 * against 128-bit arithmetic, and what is not known stays unknown.
 */
#include <math.h>
#include <stdio.h>

#include "unit.h"
#include "derive.h"

static struct run run;
static struct derived derived;

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* The sample of rank ceil(share * n), of sorted samples. */
static u64 exact_percentile(const u64 *sorted, u64 n, u64 num, u64 den)
{
	return sorted[(n * num + den - 1) / den - 1];
}

static void assert_near(u64 got, u64 exact)
{
	u64 d = got > exact ? got - exact : exact - got;

	if (d * 128 > exact && d > 0)
		fail_msg("%llu is further than 1/128 from %llu", got, exact);
}

static const u64 shares[][2] = { { 50, 100 }, { 90, 100 }, { 99, 100 }, { 999, 1000 },
				 { 9999, 10000 } };

static void compare_percentiles(u64 (*next)(u64 *seed), u32 n)
{
	u64 *sorted = malloc(n * sizeof(*sorted));
	u64 seed = 55;
	size_t i;

	assert_non_null(sorted);
	run_init(&run);
	for (i = 0; i < n; i++) {
		sorted[i] = next(&seed);
		rscope_hist_add(&run.hist, sorted[i], i);
	}
	qsort(sorted, n, sizeof(*sorted), compare_u64);
	for (i = 0; i < ARRAY_SIZE(shares); i++) {
		u64 got = derive_percentile(&run.hist, shares[i][0], shares[i][1]);
		u64 rank = (n * shares[i][0] + shares[i][1] - 1) / shares[i][1];

		if (n - rank < 10) {
			assert_true(got == RSCOPE_NONE);
			continue;
		}
		assert_near(got, exact_percentile(sorted, n, shares[i][0], shares[i][1]));
		assert_in_range(got, sorted[0], sorted[n - 1]);
	}
	free(sorted);
}

static u64 next_scaled(u64 *seed)
{
	return unit_scaled(seed, 41);
}

static u64 next_bimodal(u64 *seed)
{
	return unit_range(seed, 0, 9) ? unit_range(seed, 26000, 28000) :
		unit_range(seed, 8000000, 9000000);
}

static u64 next_narrow(u64 *seed)
{
	return 1000000000ULL + unit_range(seed, 0, 10);
}

static void percentiles_of_a_million(void **state)
{
	(void)state;
	compare_percentiles(next_scaled, 1000000);
	compare_percentiles(next_bimodal, 1000000);
	compare_percentiles(next_narrow, 1000000);
}

static void percentiles_of_any_count(void **state)
{
	u32 n;

	(void)state;
	for (n = 1; n < 300; n++)
		compare_percentiles(next_scaled, n);
	for (n = 900; n < 120000; n += 4999)
		compare_percentiles(next_bimodal, n);
}

static void ten_samples_must_lie_above(void **state)
{
	static const struct {
		u32 n;
		u64 num, den;
		bool known;
	} rows[] = {
		{ 0, 50, 100, false }, { 1, 50, 100, false }, { 19, 50, 100, false },
		{ 20, 50, 100, true }, { 99, 90, 100, false }, { 100, 90, 100, true },
		{ 999, 99, 100, false }, { 1000, 99, 100, true }, { 9999, 999, 1000, false },
		{ 10000, 999, 1000, true }, { 99999, 9999, 10000, false },
		{ 100000, 9999, 10000, true },
	};
	size_t i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		run_init(&run);
		for (k = 0; k < rows[i].n; k++)
			rscope_hist_add(&run.hist, 1000 + k, k);
		assert_int_equal(derive_percentile(&run.hist, rows[i].num, rows[i].den) !=
				 RSCOPE_NONE, rows[i].known);
	}
}

static void clipped_to_the_extremes(void **state)
{
	u32 i;

	(void)state;
	run_init(&run);
	/* All in one bucket, [64512, 65024), at its very end. */
	for (i = 0; i < 100; i++)
		rscope_hist_add(&run.hist, 65020 + i % 2, i);
	assert_in_range(derive_percentile(&run.hist, 50, 100), 65020, 65021);
	run_init(&run);
	for (i = 0; i < 100; i++)
		rscope_hist_add(&run.hist, 64512, i);
	assert_int_equal(derive_percentile(&run.hist, 90, 100), 64512);
}

static void percentile_among_the_overflows(void **state)
{
	u32 i;

	(void)state;
	run_init(&run);
	for (i = 0; i < 100; i++)
		rscope_hist_add(&run.hist, (1ULL << 43) + i, i);
	assert_int_equal(derive_percentile(&run.hist, 50, 100), (1ULL << 43) + 99);
}

static u64 stddev_of(u64 (*next)(u64 *seed, u64 i), u64 n)
{
	u64 seed = 3, i;

	run_init(&run);
	for (i = 0; i < n; i++)
		rscope_hist_add(&run.hist, next(&seed, i), i);
	rscope_report_hist(&run.r, &run.hist);
	return derive_stddev(&run.r);
}

/* Half the samples 3 below, half 3 above a second: deviation 3, whatever the n. */
static u64 next_second(u64 *seed, u64 i)
{
	(void)seed;
	return 1000000000ULL + (i & 1 ? 3 : -3ULL);
}

static u64 next_constant(u64 *seed, u64 i)
{
	(void)seed;
	(void)i;
	return 1000000000ULL;
}

/* 0 and an hour in turn: deviation half an hour. */
static u64 next_hours(u64 *seed, u64 i)
{
	(void)seed;
	return i & 1 ? 3600000000000ULL : 0;
}

static void stddev_of_a_narrow_distribution(void **state)
{
	(void)state;
	assert_int_equal(stddev_of(next_second, 1000000), 3);
	assert_int_equal(stddev_of(next_constant, 1000000), 0);
}

static void stddev_of_a_wide_distribution(void **state)
{
	u64 half = 1800000000000ULL, got = stddev_of(next_hours, 1000000);

	(void)state;
	/* n / (n - 1) makes it larger by one part in two million. */
	assert_in_range(got, half, half + half / 1000000);
}

static u64 next_any_latency(u64 *seed, u64 i)
{
	(void)i;
	return 20000 + unit_scaled(seed, 36);
}

static void stddev_against_two_passes(void **state)
{
	enum { N = 20000 };
	long double mean = 0, squares = 0;
	u64 seed = 3, i, got = stddev_of(next_any_latency, N);

	(void)state;
	for (i = 0; i < N; i++)
		mean += next_any_latency(&seed, i);
	mean /= N;
	seed = 3;
	for (i = 0; i < N; i++) {
		long double d = next_any_latency(&seed, i) - mean;

		squares += d * d;
	}
	assert_in_range(got, (u64)sqrtl(squares / (N - 1)) - 1, (u64)sqrtl(squares / (N - 1)) + 1);
}

static void stddev_needs_two_samples(void **state)
{
	(void)state;
	assert_true(stddev_of(next_second, 0) == RSCOPE_NONE);
	assert_true(stddev_of(next_second, 1) == RSCOPE_NONE);
	/* -3 and +3: sample deviation sqrt(18) */
	assert_int_equal(stddev_of(next_second, 2), 4);
}

/* Sums of a run no machine can do: nothing wraps, nothing traps. */
static void long_runs(void **state)
{
	(void)state;
	run_init(&run);
	run.r.samples = 100000000000ULL;
	run.r.sum_ns = run.r.samples * 100000000ULL;
	run.r.pivot_ns = 100000000ULL;
	run.r.sq_hi = 5;
	run.r.sq_lo = 0;
	/* 5 * 2^64 / 10^11 = 922337203.7, its root 30370.0 */
	assert_int_equal(derive_stddev(&run.r), 30370);
	run.r.ops = 100000000000ULL;
	run.r.bytes = ~0ULL - 1;
	run.r.elapsed_ns = 3600000000000ULL;
	derive(&run, &derived);
	assert_int_equal(derived.ops_per_s, 27777778);
	assert_int_equal(derived.bytes_per_s, 5124095576030431ULL);
	assert_int_equal(derived.mean_ns, 100000000);
}

static void hostile_figures_do_not_trap(void **state)
{
	u64 seed = 88;
	size_t i;
	int n;

	(void)state;
	for (n = 0; n < 20000; n++) {
		run_init(&run);
		for (i = 0; i < ARRAY_SIZE(rscope_report_fields); i++)
			if (rscope_report_fields[i].kind == RSCOPE_KIND_NUM &&
			    unit_range(&seed, 0, 2))
				*rscope_field_num(&rscope_report_fields[i], &run.r) =
					unit_scaled(&seed, 64);
		run.hist.count = unit_scaled(&seed, 64);
		run.hist.bucket[unit_range(&seed, 0, RSCOPE_HIST_BUCKETS - 1)] =
			unit_scaled(&seed, 64);
		derive(&run, &derived);
	}
}

static void nothing_measured_is_nothing_known(void **state)
{
	(void)state;
	run_init(&run);
	derive(&run, &derived);
#define UNKNOWN_N(key, help) assert_true(derived.key == RSCOPE_NONE);
#define UNKNOWN_R(key, help) assert_true(isnan(derived.key));
	DERIVED_KEYS(UNKNOWN_N, UNKNOWN_R)
	/* Zero operations are a fact, a rate of them is none. */
	run.r.ops = 0;
	run.r.elapsed_ns = 0;
	run.r.cpu_ns = 5;
	run.r.samples = 0;
	run.r.sum_ns = 0;
	derive(&run, &derived);
	DERIVED_KEYS(UNKNOWN_N, UNKNOWN_R)
}

static void figures_of_a_run(void **state)
{
	u64 i;

	(void)state;
	run_init(&run);
	for (i = 1; i <= 1000; i++)
		rscope_hist_add(&run.hist, i * 100, i);
	rscope_report_hist(&run.r, &run.hist);
	run.r.ops = 1000;
	run.r.bytes = 64000;
	run.r.elapsed_ns = 50050000;
	run.r.cpu_ns = 50000000;
	run.r.ctxsw = 5;
	run.r.post_ns = 3000;
	run.r.post_calls = 7;
	run.r.poll_ns = 999;
	run.r.poll_calls = 1000;
	run.syscalls = 1001;
	run.syscall_ops = 1000;
	run.syscall_posts = 500;
	run.r.system_cpu_ns = 90000000;
	derive(&run, &derived);
	assert_near(derived.p50_ns, 50000);
	assert_near(derived.p90_ns, 90000);
	assert_near(derived.p99_ns, 99000);
	assert_true(derived.p999_ns == RSCOPE_NONE);
	assert_int_equal(derived.mean_ns, 50050);
	assert_int_equal(derived.stddev_ns, 28882);
	assert_int_equal(derived.ops_per_s, 19980);
	assert_int_equal(derived.bytes_per_s, 1278721);
	assert_int_equal(derived.post_ns_per_call, 429);
	assert_int_equal(derived.poll_ns_per_call, 1);
	assert_int_equal(derived.cpu_ns_per_op, 50000);
	assert_true(derived.system_cpu_ns_per_op == RSCOPE_NONE);
	assert_true(derived.syscalls_per_op == 1.001);
	assert_true(derived.syscalls_per_post_call == 2.002);
	assert_true(derived.ctxsw_per_op == 0.005);
}

/* Busy time of the machine is counted in ticks: said only where it says something. */
static void system_cpu_above_idle(void **state)
{
	(void)state;
	run_init(&run);
	run.r.ops = 1000;
	run.r.elapsed_ns = 500000000;
	derive(&run, &derived);
	assert_true(derived.system_cpu_ns_per_op == RSCOPE_NONE);
	assert_non_null(strstr(derive_cpu_unknown(&run), "not read"));
	run.r.system_cpu_ns = 600000000;
	derive(&run, &derived);
	assert_int_equal(derived.system_cpu_ns_per_op, 600000);
	assert_true(derived.above_idle_cpu_ns_per_op == RSCOPE_NONE);
	assert_non_null(strstr(derive_cpu_unknown(&run), "--idle-ms"));
	run.idle_cpu_ns_per_s = 200000000;
	derive(&run, &derived);
	assert_int_equal(derived.above_idle_cpu_ns_per_op, 500000);
	assert_null(derive_cpu_unknown(&run));
	/* Busier before than during the run: nothing is left, and nothing wraps. */
	run.idle_cpu_ns_per_s = 2000000000;
	derive(&run, &derived);
	assert_int_equal(derived.above_idle_cpu_ns_per_op, 0);
	run.r.elapsed_ns = 199999999;
	derive(&run, &derived);
	assert_true(derived.above_idle_cpu_ns_per_op == RSCOPE_NONE);
	assert_non_null(strstr(derive_cpu_unknown(&run), "200 ms"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(percentiles_of_a_million),
	cmocka_unit_test(percentiles_of_any_count),
	cmocka_unit_test(ten_samples_must_lie_above),
	cmocka_unit_test(clipped_to_the_extremes),
	cmocka_unit_test(percentile_among_the_overflows),
	cmocka_unit_test(stddev_of_a_narrow_distribution),
	cmocka_unit_test(stddev_of_a_wide_distribution),
	cmocka_unit_test(stddev_against_two_passes),
	cmocka_unit_test(stddev_needs_two_samples),
	cmocka_unit_test(long_runs),
	cmocka_unit_test(hostile_figures_do_not_trap),
	cmocka_unit_test(nothing_measured_is_nothing_known),
	cmocka_unit_test(figures_of_a_run),
	cmocka_unit_test(system_cpu_above_idle),
};

UNIT_MAIN(tests)
