// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Statistics and fairness of a comparison. Pure.
 *
 * Each round runs both paths and gives one ratio; machine-wide drift hits both
 * and cancels. The result is the median of these ratios with the order-statistic
 * interval of a median, which assumes nothing about their distribution.
 */
#include "compare.h"

#include <math.h>
#include <stdlib.h>

#include "derive.h"

#define CONFIDENCE 0.95
#define EQUAL_WITHIN 0.02

/**
 * compare_rank() - order statistics that bound a median
 * @rounds: number of samples n
 *
 * [k, n + 1 - k] covers the median unless fewer than k of n fall on one side:
 * the coverage is 1 - 2 * P(Binomial(n, 1/2) < k).
 *
 * Return: the largest k with a coverage of at least 95 %, 0 when there is none.
 */
size_t compare_rank(size_t rounds)
{
	long double p = powl(0.5L, (long double)rounds), tail = 0;
	size_t k;

	for (k = 0; k <= rounds / 2; k++) {
		tail += p; /* P(Binomial <= k) */
		if (1 - 2 * tail < CONFIDENCE)
			return k;
		p = p * (long double)(rounds - k) / (long double)(k + 1);
	}
	return k;
}

/**
 * compare_by_latency() - what a ratio is taken of
 * @w: workload
 *
 * Return: true for the median latency, which is what one operation at a time is
 * about; false for elapsed time per operation, where operations overlap.
 */
bool compare_by_latency(const struct rscope_workload *w)
{
	return w->depth == 1 && w->qps == 1;
}

static double per_op(const struct run *run)
{
	const struct rscope_report *r = &run->r;

	if (r->ops == RSCOPE_NONE || r->elapsed_ns == RSCOPE_NONE || !r->ops)
		return NAN;
	return (double)r->elapsed_ns / (double)r->ops;
}

static double p50(const struct run *run)
{
	u64 v = derive_percentile(&run->hist, 50, 100);

	return v == RSCOPE_NONE ? (double)NAN : (double)v;
}

/**
 * compare_value() - what a run is compared by
 * @run: the run
 * @latency: by median latency, else by time per operation; too few samples for
 *	a median leave time per operation
 *
 * Return: ns, NAN when it cannot be told.
 */
double compare_value(const struct run *run, bool latency)
{
	double v = latency ? p50(run) : NAN;

	return isnan(v) ? per_op(run) : v;
}

/**
 * compare_round() - ratio of one round
 * @kernel: its kernel run
 * @user: its user run
 * @latency: as for compare_value(); both by the same
 *
 * Return: kernel / user, NAN when it cannot be told.
 */
double compare_round(const struct run *kernel, const struct run *user, bool latency)
{
	double k, u;

	latency = latency && !isnan(p50(kernel)) && !isnan(p50(user));
	k = compare_value(kernel, latency);
	u = compare_value(user, latency);
	return u > 0 ? k / u : NAN;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static const char *judge(const struct ratio *r)
{
	if (isnan(r->low))
		return "too few rounds";
	if (r->low >= 1 - EQUAL_WITHIN && r->high <= 1 + EQUAL_WITHIN)
		return "equal";
	if (r->low <= 1 && r->high >= 1)
		return "no difference";
	return r->low > 1 ? "user faster" : "kernel faster";
}

/* Rounds that told nothing are left out: NAN has no place in an order. */
static size_t drop_unknown(double *ratios, size_t n)
{
	size_t i, known = 0;

	for (i = 0; i < n; i++)
		if (!isnan(ratios[i]))
			ratios[known++] = ratios[i];
	return known;
}

/**
 * compare_interval() - median of rounds and its interval
 * @values: one per round, sorted here; NAN when a round told nothing
 * @n: how many
 * @i: result
 */
void compare_interval(double *values, size_t n, struct interval *i)
{
	size_t k;

	n = drop_unknown(values, n);
	k = compare_rank(n);
	*i = (struct interval){ .median = NAN, .low = NAN, .high = NAN, .rounds = n };
	if (n) {
		qsort(values, n, sizeof(*values), by_value);
		i->median = (values[(n - 1) / 2] + values[n / 2]) / 2;
	}
	if (k) {
		i->low = values[k - 1];
		i->high = values[n - k];
	}
}

/**
 * compare_ratios() - median of per-round ratios, its interval, and a verdict
 * @ratios: one per round, sorted here; NAN when a round told nothing
 * @n: how many
 * @r: result
 */
void compare_ratios(double *ratios, size_t n, struct ratio *r)
{
	struct interval i;

	compare_interval(ratios, n, &i);
	*r = (struct ratio){ .median = i.median, .low = i.low, .high = i.high,
			     .rounds = i.rounds };
	r->verdict = judge(r);
}

/**
 * compare_parts() - what the kernel in the data path costs, and what does not
 *	belong to that
 * @kernel: ns per operation, one per round; NAN where there is none
 * @user: the same
 * @mediated: the same
 * @n: rounds, at most COMPARE_ROUNDS_MAX
 * @p: result; medians of per-round differences and ratios, so that
 *	machine-wide drift cancels
 */
void compare_parts(const double *kernel, const double *user, const double *mediated, size_t n,
		   struct parts *p)
{
	double crossing[COMPARE_ROUNDS_MAX], implementation[COMPARE_ROUNDS_MAX];
	double total[COMPARE_ROUNDS_MAX];
	size_t i;

	for (i = 0; i < n; i++) {
		crossing[i] = mediated[i] - kernel[i];
		implementation[i] = kernel[i] - user[i];
		total[i] = user[i] > 0 ? mediated[i] / user[i] : NAN;
	}
	compare_interval(crossing, n, &p->crossing);
	compare_interval(implementation, n, &p->implementation);
	compare_interval(total, n, &p->total);
}

/**
 * compare_spread() - how far do the rounds of one path lie apart?
 * @values: one per round, NAN when a round told nothing
 * @n: rounds, at most COMPARE_ROUNDS_MAX
 *
 * The distance of the quartiles over the median: half of the rounds lie
 * within, so that one outlier does not make a path noisy.
 *
 * Return: share of the median, NAN with fewer than four rounds.
 */
double compare_spread(const double *values, size_t n)
{
	double sorted[COMPARE_ROUNDS_MAX];
	struct interval i;

	memcpy(sorted, values, n * sizeof(*values));
	compare_interval(sorted, n, &i);
	n = i.rounds;
	if (n < 4 || !(i.median > 0))
		return NAN;
	return (sorted[n - 1 - (n - 1) / 4] - sorted[(n - 1) / 4]) / i.median;
}

/* ---------------------------------------------------------------- fairness */

/* Keys of the workload that must be the same; the kind of CQ is a class. */
static const enum rscope_workload_key same_keys[] = {
	RSCOPE_W_op, RSCOPE_W_qp, RSCOPE_W_pattern, RSCOPE_W_size, RSCOPE_W_mtu,
	RSCOPE_W_inline_data, RSCOPE_W_iters, RSCOPE_W_duration_ms, RSCOPE_W_warmup,
	RSCOPE_W_depth, RSCOPE_W_batch, RSCOPE_W_signal, RSCOPE_W_qps, RSCOPE_W_threads,
	RSCOPE_W_cpu, RSCOPE_W_gid_index, RSCOPE_W_verify, RSCOPE_W_ack_timeout,
	RSCOPE_W_retry_cnt, RSCOPE_W_rnr_retry, RSCOPE_W_min_rnr_timer,
};

#define FIELD(k) { #k, offsetof(struct rscope_report, k) }

/* What the device was really given. */
static const struct {
	const char *key;
	size_t offset;
} same_fields[] = { FIELD(mtu), FIELD(gid_index), FIELD(lid), FIELD(rd_atomic), FIELD(slots) };

static int parse_line(const struct rscope_report *r, struct rscope_workload *w,
		      struct rscope_error *e)
{
	char line[RSCOPE_WORKLOAD_MAX + 1];
	int n = snprintf(line, sizeof(line), "%s\n", r->workload);

	return rscope_workload_parse(line, (size_t)n, w, e);
}

static int fail_differs(struct rscope_error *e, const char *key, s64 kernel, s64 user)
{
	return rscope_fail(e, -EDOM, "%s differs: kernel %lld, user %lld", key, kernel, user);
}

static int compare_workloads(const struct rscope_report *kernel, const struct rscope_report *user,
			     struct rscope_error *e)
{
	struct rscope_workload k, u;
	size_t i;

	if (parse_line(kernel, &k, e) || parse_line(user, &u, e))
		return e->err;
	for (i = 0; i < ARRAY_SIZE(same_keys); i++) {
		const struct rscope_workload_row *row = &rscope_workload_rows[same_keys[i]];
		s64 a = *rscope_workload_value(&k, row), b = *rscope_workload_value(&u, row);

		if (a != b)
			return fail_differs(e, row->key, a, b);
	}
	if (rscope_cq_sleeps(k.cq) != rscope_cq_sleeps(u.cq))
		return fail_differs(e, "cq", k.cq, u.cq);
	return 0;
}

/**
 * compare_effective() - were both paths given the same?
 * @kernel: report of the kernel path
 * @user: report of the user path
 * @e: the first attribute that differs
 *
 * Return: 0, or -EDOM.
 */
int compare_effective(const struct rscope_report *kernel, const struct rscope_report *user,
		      struct rscope_error *e)
{
	size_t i;

	if (compare_workloads(kernel, user, e))
		return e->err;
	for (i = 0; i < ARRAY_SIZE(same_fields); i++) {
		u64 a = *(const u64 *)(const void *)((const char *)kernel + same_fields[i].offset);
		u64 b = *(const u64 *)(const void *)((const char *)user + same_fields[i].offset);

		if (a != b)
			return fail_differs(e, same_fields[i].key, (s64)a, (s64)b);
	}
	return 0;
}
