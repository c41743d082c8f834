// SPDX-License-Identifier: GPL-2.0
/*
 * The histogram against exact arithmetic: every bucket edge, the extremes, the
 * sums, and squares in 128 bits.
 */
#include <stdio.h>

#include "unit.h"
#include <rdmascope/hist.h>

#define u128 unsigned __int128

static struct rscope_hist hist;

/* What the histogram must hold after the same samples. */
struct exact {
	u64 count;
	u64 sum;
	u64 min;
	u64 max;
	u64 max_at;
	u64 pivot;
	u64 overflow;
	u128 squares;
};

static void exact_add(struct exact *x, u64 ns, u64 op)
{
	u128 d;

	if (!x->count++) {
		x->pivot = ns;
		x->min = ns;
		x->max_at = op;
	}
	x->sum += ns;
	if (ns < x->min)
		x->min = ns;
	if (ns > x->max) {
		x->max = ns;
		x->max_at = op;
	}
	d = ns > x->pivot ? ns - x->pivot : x->pivot - ns;
	x->squares += d * d;
	x->overflow += ns >> RSCOPE_HIST_MAX_BITS != 0;
}

static void assert_exact(const struct rscope_hist *h, const struct exact *x)
{
	assert_int_equal(h->count, x->count);
	assert_int_equal(h->sum, x->sum);
	assert_int_equal(h->min, x->min);
	assert_int_equal(h->max, x->max);
	assert_int_equal(h->max_at, x->max_at);
	assert_int_equal(h->pivot, x->pivot);
	assert_int_equal(h->overflow, x->overflow);
	assert_int_equal(h->sq_lo, (u64)x->squares);
	assert_int_equal(h->sq_hi, (u64)(x->squares >> 64));
}

static u64 total(const struct rscope_hist *h)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++)
		n += h->bucket[i];
	return n;
}

static void empty_has_no_minimum(void **state)
{
	(void)state;
	memset(&hist, 0x55, sizeof(hist));
	rscope_hist_init(&hist);
	assert_int_equal(hist.count, 0);
	assert_true(hist.min == ~0ULL);
	assert_int_equal(hist.max, 0);
	assert_int_equal(total(&hist), 0);
}

static void fits_the_memory_limit(void **state)
{
	(void)state;
	assert_true(sizeof(struct rscope_hist) <= 64 << 10);
}

static void edges_are_exact(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++) {
		u64 low = rscope_hist_low(i);
		u64 next = rscope_hist_low(i + 1);

		assert_true(next > low);
		assert_int_equal(rscope_hist_index(low), i);
		assert_int_equal(rscope_hist_index(next - 1), i);
		assert_int_equal(rscope_hist_index(low + (next - low) / 2), i);
	}
	assert_int_equal(rscope_hist_low(0), 0);
	assert_true(rscope_hist_low(RSCOPE_HIST_BUCKETS) == 1ULL << RSCOPE_HIST_MAX_BITS);
}

static void width_is_at_most_one_128th(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++) {
		u64 low = rscope_hist_low(i);
		u64 width = rscope_hist_low(i + 1) - low;

		assert_true(width == 1 || width * 128 <= low);
	}
}

static void small_values_have_their_own_bucket(void **state)
{
	u64 v;

	(void)state;
	for (v = 0; v < 256; v++) {
		assert_int_equal(rscope_hist_index(v), v);
		assert_int_equal(rscope_hist_low((u32)v), v);
	}
}

static void beyond_the_range_has_no_bucket(void **state)
{
	u32 bit;

	(void)state;
	assert_int_equal(rscope_hist_index((1ULL << RSCOPE_HIST_MAX_BITS) - 1),
			 RSCOPE_HIST_BUCKETS - 1);
	for (bit = RSCOPE_HIST_MAX_BITS; bit < 64; bit++) {
		assert_true(rscope_hist_index(1ULL << bit) >= RSCOPE_HIST_BUCKETS);
		assert_true(rscope_hist_index(~0ULL >> (63 - bit)) >= RSCOPE_HIST_BUCKETS);
	}
}

static void index_is_monotonic(void **state)
{
	u64 seed = 7;
	u32 n;

	(void)state;
	for (n = 0; n < 200000; n++) {
		u64 a = unit_scaled(&seed, 64);
		u64 b = unit_scaled(&seed, 64);

		if (a > b)
			assert_true(rscope_hist_index(a) >= rscope_hist_index(b));
		else
			assert_true(rscope_hist_index(a) <= rscope_hist_index(b));
	}
}

/* @count samples of @next against exact arithmetic. */
static void compare_samples(u64 (*next)(u64 *seed), u32 count)
{
	struct exact x = { 0 };
	u64 seed = 99;
	u32 n;

	rscope_hist_init(&hist);
	for (n = 0; n < count; n++) {
		u64 ns = next(&seed);

		rscope_hist_add(&hist, ns, n + 5);
		exact_add(&x, ns, n + 5);
	}
	assert_exact(&hist, &x);
	assert_int_equal(total(&hist) + hist.overflow, count);
}

static u64 next_any(u64 *seed)
{
	return unit_scaled(seed, 63);
}

static u64 next_narrow(u64 *seed)
{
	return 1000000000ULL + unit_range(seed, 0, 6) - 3;
}

static u64 next_usual(u64 *seed)
{
	return 20000 + unit_scaled(seed, 24);
}

static u64 next_hour(u64 *seed)
{
	return unit_range(seed, 0, 3600ULL * 1000000000ULL);
}

static u64 next_huge(u64 *seed)
{
	return INT64_MAX - unit_scaled(seed, 62);
}

/* Around the distance from the pivot where squares leave 64 bits. */
static u64 next_at_limit(u64 *seed)
{
	static const u64 distance[] = { 0x7ffffffeULL, 0x7fffffffULL, 0x80000000ULL, 0xffffffffULL,
					0x100000000ULL };
	u64 d = distance[unit_range(seed, 0, 4)];

	return unit_random(seed) & 1 ? 0x200000000ULL + d : 0x200000000ULL - d;
}

static void sums_of_any_values(void **state)
{
	(void)state;
	compare_samples(next_any, 300000);
}

static void sums_of_a_narrow_distribution(void **state)
{
	(void)state;
	compare_samples(next_narrow, 300000);
	/* Nothing to square but single nanoseconds. */
	assert_int_equal(hist.sq_hi, 0);
	assert_true(hist.sq_lo < 300000 * 36);
}

static void sums_of_usual_latencies(void **state)
{
	(void)state;
	compare_samples(next_usual, 300000);
}

static void sums_over_an_hour(void **state)
{
	(void)state;
	compare_samples(next_hour, 300000);
}

static void sums_of_huge_values(void **state)
{
	(void)state;
	compare_samples(next_huge, 300000);
}

static void squares_at_the_limit_of_64_bits(void **state)
{
	(void)state;
	compare_samples(next_at_limit, 100000);
	assert_true(hist.sq_hi > 0);
}

/* Two ways to the same squares: with a type of 128 bits, and without. */
static void squares_by_halves(void **state)
{
	static struct rscope_hist halves;
	u64 seed = 41;
	u32 n;

	(void)state;
	rscope_hist_init(&hist);
	rscope_hist_init(&halves);
	for (n = 0; n < 300000; n++) {
		u64 ns = n & 1 ? next_any(&seed) : next_at_limit(&seed);

		hist.pivot = next_any(&seed);
		halves.pivot = hist.pivot;
		rscope_hist_square(&hist, ns);
		rscope_hist_square_halves(&halves, ns);
		assert_int_equal(hist.sq_lo, halves.sq_lo);
		assert_int_equal(hist.sq_hi, halves.sq_hi);
	}
}

/* Threads share a pivot, so that their squares add up. */
static void merged_threads(void **state)
{
	static struct rscope_hist part[4], sum;
	struct exact x = { .count = 0 };
	u64 seed = 43;
	u32 n, t;

	(void)state;
	rscope_hist_init(&hist);
	rscope_hist_init(&sum);
	hist.pivot = 16384;
	sum.pivot = 16384;
	for (t = 0; t < 4; t++) {
		rscope_hist_init(&part[t]);
		part[t].pivot = 16384;
	}
	for (n = 0; n < 100000; n++) {
		u64 ns = next_usual(&seed);

		/* One thread may have nothing to do. */
		rscope_hist_add(&part[n % 3], ns, n);
		rscope_hist_add(&hist, ns, n);
		exact_add(&x, ns, n);
	}
	for (t = 0; t < 4; t++)
		rscope_hist_merge(&sum, &part[t]);
	assert_int_equal(hist.pivot, 16384);
	assert_int_equal(sum.max, x.max);
	/* Each counts operations of its own: of equal maxima any may be named. */
	sum.max_at = hist.max_at;
	assert_memory_equal(&sum, &hist, sizeof(sum));
	assert_int_equal(sum.count, x.count);
	assert_int_equal(sum.sum, x.sum);
}

static void first_and_only_sample(void **state)
{
	static const u64 values[] = { 0, 1, 255, 256, 1ULL << 42, INT64_MAX };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		struct exact x = { 0 };

		rscope_hist_init(&hist);
		rscope_hist_add(&hist, values[i], 3);
		exact_add(&x, values[i], 3);
		assert_exact(&hist, &x);
		assert_int_equal(hist.sq_lo | hist.sq_hi, 0);
	}
}

static void maximum_keeps_its_first_operation(void **state)
{
	(void)state;
	rscope_hist_init(&hist);
	rscope_hist_add(&hist, 500, 10);
	rscope_hist_add(&hist, 900, 11);
	rscope_hist_add(&hist, 900, 12);
	rscope_hist_add(&hist, 100, 13);
	assert_int_equal(hist.max_at, 11);
	assert_int_equal(hist.min, 100);
}

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* A million samples, sorted: each bucket counts exactly those within its edges. */
static void buckets_against_an_exact_sort(void **state)
{
	enum { N = 1000000 };
	u64 *sorted = malloc(N * sizeof(*sorted));
	u64 seed = 31;
	u32 i, n, at = 0;

	(void)state;
	assert_non_null(sorted);
	rscope_hist_init(&hist);
	for (n = 0; n < N; n++) {
		sorted[n] = unit_scaled(&seed, 43);
		rscope_hist_add(&hist, sorted[n], n);
	}
	qsort(sorted, N, sizeof(*sorted), compare_u64);
	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++) {
		u32 first = at;

		while (at < N && sorted[at] < rscope_hist_low(i + 1))
			at++;
		assert_int_equal(hist.bucket[i], at - first);
	}
	assert_int_equal(hist.overflow, N - at);
	assert_int_equal(hist.min, sorted[0]);
	assert_int_equal(hist.max, sorted[N - 1]);
	free(sorted);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(empty_has_no_minimum),
	cmocka_unit_test(fits_the_memory_limit),
	cmocka_unit_test(edges_are_exact),
	cmocka_unit_test(width_is_at_most_one_128th),
	cmocka_unit_test(small_values_have_their_own_bucket),
	cmocka_unit_test(beyond_the_range_has_no_bucket),
	cmocka_unit_test(index_is_monotonic),
	cmocka_unit_test(sums_of_any_values),
	cmocka_unit_test(sums_of_a_narrow_distribution),
	cmocka_unit_test(sums_of_usual_latencies),
	cmocka_unit_test(sums_over_an_hour),
	cmocka_unit_test(sums_of_huge_values),
	cmocka_unit_test(squares_at_the_limit_of_64_bits),
	cmocka_unit_test(squares_by_halves),
	cmocka_unit_test(merged_threads),
	cmocka_unit_test(first_and_only_sample),
	cmocka_unit_test(maximum_keeps_its_first_operation),
	cmocka_unit_test(buckets_against_an_exact_sort),
};

UNIT_MAIN(tests)
