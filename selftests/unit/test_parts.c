// SPDX-License-Identifier: GPL-2.0
/*
 * What mediated over user is made of, and when a path is called noisy.
 */
#include <math.h>

#include "unit.h"
#include "compare.h"

#define ROUNDS 6

static void parts_of_constant_rounds(void **state)
{
	const double kernel[] = { 300, 300, 300, 300, 300, 300 };
	const double user[] = { 200, 200, 200, 200, 200, 200 };
	const double mediated[] = { 500, 500, 500, 500, 500, 500 };
	struct parts p;

	(void)state;
	compare_parts(kernel, user, mediated, ROUNDS, &p);
	assert_true(p.crossing.median == 200 && p.crossing.low == 200 && p.crossing.high == 200);
	assert_true(p.implementation.median == 100);
	assert_true(p.total.median == 2.5);
	assert_int_equal(p.total.rounds, ROUNDS);
}

/* Drift of the whole machine hits all paths of a round, and cancels. */
static void drift_cancels(void **state)
{
	double kernel[ROUNDS], user[ROUNDS], mediated[ROUNDS];
	struct parts p;
	int i;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		kernel[i] = 1000 * i + 300;
		user[i] = 1000 * i + 350;
		mediated[i] = 1000 * i + 330;
	}
	compare_parts(kernel, user, mediated, ROUNDS, &p);
	assert_true(p.crossing.low == 30 && p.crossing.high == 30);
	assert_true(p.implementation.low == -50 && p.implementation.high == -50);
}

static void unknown_rounds(void **state)
{
	const double kernel[] = { 300, NAN, 300 }, user[] = { 200, 200, 0 };
	const double mediated[] = { 500, 400, NAN };
	struct parts p;

	(void)state;
	compare_parts(kernel, user, mediated, 3, &p);
	assert_int_equal(p.crossing.rounds, 1);
	assert_int_equal(p.implementation.rounds, 2);
	assert_int_equal(p.total.rounds, 2);
	assert_true(p.total.median == 2.25);
	assert_true(isnan(p.total.low));
	compare_parts(kernel, user, mediated, 0, &p);
	assert_int_equal(p.total.rounds, 0);
	assert_true(isnan(p.total.median));
}

static void spread_is_that_of_the_quartiles(void **state)
{
	const double even[] = { 100, 100, 100, 100, 100, 100, 100, 100 };
	/* One outlier is none of the quartiles'. */
	const double outlier[] = { 100, 100, 100, 100, 9000, 100, 100, 100 };
	const double wide[] = { 90, 91, 92, 100, 100, 108, 109, 110 };
	const double few[] = { 1, 2, NAN, 3 };

	(void)state;
	assert_true(compare_spread(even, 8) == 0);
	assert_true(compare_spread(outlier, 8) == 0);
	assert_true(compare_spread(wide, 8) > COMPARE_NOISE);
	assert_true(compare_spread(wide, 8) < 0.2);
	assert_true(isnan(compare_spread(few, 4)));
	assert_true(isnan(compare_spread(even, 0)));
}

static void interval_of_a_median(void **state)
{
	double values[] = { 6, 5, NAN, 4, 3, 2, 1 };
	struct interval i;

	(void)state;
	compare_interval(values, 7, &i);
	assert_int_equal(i.rounds, 6);
	assert_true(i.median == 3.5 && i.low == 1 && i.high == 6);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(parts_of_constant_rounds),
	cmocka_unit_test(drift_cancels),
	cmocka_unit_test(unknown_rounds),
	cmocka_unit_test(spread_is_that_of_the_quartiles),
	cmocka_unit_test(interval_of_a_median),
};

UNIT_MAIN(tests)
