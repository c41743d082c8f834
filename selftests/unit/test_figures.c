// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes of a user run, added up: sums, extremes, the time from the first post of
 * any to the last completion of any, the details of the first finding.
 */
#include "unit.h"
#include "figures.h"

static struct run runs[2];
static struct figures f[2];

static int begin(void **state)
{
	int i;

	(void)state;
	memset(f, 0, sizeof(f));
	for (i = 0; i < 2; i++) {
		run_init(&runs[i]);
		runs[i].hist.pivot = 16384;
		f[i].run = &runs[i];
	}
	return 0;
}

static void sample(int lane, u64 ns, u64 op)
{
	rscope_hist_add(&runs[lane].hist, ns, op);
}

static void sums(void **state)
{
	(void)state;
	runs[0].r.ops = 3;
	runs[1].r.ops = 4;
	runs[1].r.wakeups = 7;
	runs[0].r.lost_wakeups = 1;
	runs[1].r.lost_wakeups = 2;
	runs[0].faults = 1;
	runs[1].faults = 2;
	f[0].posted = 5;
	f[1].posted = 6;
	figures_add(&f[0], &f[1]);
	assert_int_equal(runs[0].r.ops, 7);
	assert_int_equal(runs[0].r.wakeups, 7);
	assert_int_equal(runs[0].r.lost_wakeups, 3);
	assert_int_equal(runs[0].faults, 3);
	assert_int_equal(f[0].posted, 11);
	/* What nobody measured stays unknown. */
	assert_true(runs[0].r.cpu_ns == RSCOPE_NONE);
	assert_true(runs[0].r.verify_ops == RSCOPE_NONE);
}

static void squares_around_one_pivot(void **state)
{
	struct rscope_hist one;

	(void)state;
	rscope_hist_init(&one);
	one.pivot = 16384;
	sample(0, 20000, 0);
	sample(0, 30000, 1);
	sample(1, 10, 0);
	sample(1, 70000, 1);
	rscope_hist_add(&one, 20000, 0);
	rscope_hist_add(&one, 30000, 1);
	rscope_hist_add(&one, 10, 0);
	rscope_hist_add(&one, 70000, 1);
	figures_add(&f[0], &f[1]);
	assert_memory_equal(&runs[0].hist, &one, sizeof(one));
}

static void time_spans_all_lanes(void **state)
{
	(void)state;
	f[0].start_ns = 1000;
	runs[0].r.elapsed_ns = 50;
	f[1].start_ns = 990;
	runs[1].r.elapsed_ns = 100;
	figures_add(&f[0], &f[1]);
	assert_int_equal(f[0].start_ns, 990);
	assert_int_equal(runs[0].r.elapsed_ns, 100);
	f[1].start_ns = 1080;
	figures_add(&f[0], &f[1]);
	assert_int_equal(runs[0].r.elapsed_ns, 190);
}

static void first_finding_stays(void **state)
{
	(void)state;
	runs[0].r.mismatches = 0;
	runs[1].r.mismatches = 3;
	runs[1].r.first_mismatch = 17;
	rscope_report_text(&runs[1].r, mismatch_where, "source");
	figures_add(&f[0], &f[1]);
	assert_int_equal(runs[0].r.mismatches, 3);
	assert_int_equal(runs[0].r.first_mismatch, 17);
	assert_string_equal(runs[0].r.mismatch_where, "source");
	runs[1].r.first_mismatch = 99;
	figures_add(&f[0], &f[1]);
	assert_int_equal(runs[0].r.mismatches, 6);
	assert_int_equal(runs[0].r.first_mismatch, 17);
}

static void failure_of_any_lane(void **state)
{
	(void)state;
	f[1].wc_status = 12;
	runs[1].r.failed_op = 8;
	rscope_report_text(&runs[1].r, wc_status, "transport retry counter exceeded");
	figures_add(&f[0], &f[1]);
	assert_int_equal(f[0].wc_status, 12);
	assert_int_equal(runs[0].r.failed_op, 8);
	assert_string_equal(runs[0].r.wc_status, "transport retry counter exceeded");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(sums, begin),
	cmocka_unit_test_setup(squares_around_one_pivot, begin),
	cmocka_unit_test_setup(time_spans_all_lanes, begin),
	cmocka_unit_test_setup(first_finding_stays, begin),
	cmocka_unit_test_setup(failure_of_any_lane, begin),
};

UNIT_MAIN(tests)
