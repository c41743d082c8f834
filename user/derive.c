// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Raw counts -> figures. Pure: no clock, no file, no device.
 */
#include "derive.h"

#include <math.h>

/* A percentile with fewer samples above it is an anecdote. */
#define SAMPLES_ABOVE 10

/* Twenty ticks of /proc/stat; what a shorter pass cost is anybody's guess. */
#define SYSTEM_CPU_MIN_NS 200000000ULL

static u64 clip(u64 v, u64 min, u64 max)
{
	return v < min ? min : v > max ? max : v;
}

/* The k-th of n samples (k from 1) spread evenly over bucket i. */
static u64 inside_bucket(u32 i, u64 k, u64 n)
{
	u64 low = rscope_hist_low(i);
	u64 width = rscope_hist_low(i + 1) - low;

	return low + (u64)((long double)width * ((long double)k - 0.5L) / (long double)n);
}

/**
 * derive_percentile() - a percentile by interpolation inside its bucket
 * @h: histogram
 * @num: numerator of the share, 99 of 99 %
 * @den: denominator, 100 of 99 %
 *
 * The sample of rank ceil(share * count); its value is exact to the width of
 * its bucket, 1/128, and never outside of [min, max].
 *
 * Return: ns, or RSCOPE_NONE unless at least 10 samples have a higher rank.
 */
u64 derive_percentile(const struct rscope_hist *h, u64 num, u64 den)
{
	u64 rank = (u64)(((__uint128_t)h->count * num + den - 1) / den);
	u64 before = 0;
	u32 i;

	if (!rank || h->count - rank < SAMPLES_ABOVE)
		return RSCOPE_NONE;
	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++) {
		if (before + h->bucket[i] >= rank)
			return clip(inside_bucket(i, rank - before, h->bucket[i]), h->min, h->max);
		before += h->bucket[i];
	}
	return h->max; /* among the overflows, of which only the largest is known */
}

/* Unsigned: figures of a malformed report wrap instead of overflowing. */
static long double variance_times_n2(const struct rscope_report *r)
{
	__uint128_t n = r->samples;
	__uint128_t sq = ((__uint128_t)r->sq_hi << 64) | r->sq_lo;
	__uint128_t sum = r->sum_ns - r->pivot_ns * n;
	__uint128_t magnitude = sum >> 127 ? -sum : sum;
	__uint128_t a, b;

	if (!__builtin_mul_overflow(sq, n, &a) && !__builtin_mul_overflow(magnitude, magnitude, &b))
		return (long double)(a > b ? a - b : 0);
	return (long double)sq * n - (long double)magnitude * magnitude;
}

/**
 * derive_stddev() - sample standard deviation out of exact sums
 * @r: report with sum_ns, pivot_ns, sq_hi and sq_lo
 *
 * With d = latency - pivot: n * sum(d^2) - (sum d)^2 in 128 bits, exact for
 * everything a run of an hour can hold.
 *
 * Return: ns, rounded; RSCOPE_NONE for fewer than two samples.
 */
u64 derive_stddev(const struct rscope_report *r)
{
	long double v;
	u64 n = r->samples;

	if (n == RSCOPE_NONE || n < 2 || r->pivot_ns == RSCOPE_NONE || r->sq_lo == RSCOPE_NONE)
		return RSCOPE_NONE;
	v = variance_times_n2(r) / n / (n - 1);
	return v > 0 ? (u64)(sqrtl(v) + 0.5L) : 0;
}

static bool known(u64 a, u64 b)
{
	return a != RSCOPE_NONE && b != RSCOPE_NONE && b;
}

/* a / b, rounded */
static u64 per(u64 a, u64 b)
{
	return known(a, b) ? (u64)((long double)a / b + 0.5L) : RSCOPE_NONE;
}

static double ratio(u64 a, u64 b)
{
	return known(a, b) ? (double)a / (double)b : (double)NAN;
}

static u64 rate(u64 count, u64 ns)
{
	return known(count, ns) ? (u64)((long double)count * 1e9L / ns + 0.5L) : RSCOPE_NONE;
}

static bool long_enough(const struct rscope_report *r)
{
	return r->elapsed_ns != RSCOPE_NONE && r->elapsed_ns >= SYSTEM_CPU_MIN_NS;
}

static u64 above_idle(const struct run *run)
{
	long double idle = run->idle_cpu_ns_per_s;
	const struct rscope_report *r = &run->r;

	if (derive_cpu_unknown(run))
		return RSCOPE_NONE;
	idle *= r->elapsed_ns / 1e9L;
	return idle < r->system_cpu_ns ? r->system_cpu_ns - (u64)idle : 0;
}

/**
 * derive_cpu_unknown() - why is not known what the machine did beyond idling?
 * @run: the run
 *
 * Return: the reason, NULL when it is known.
 */
const char *derive_cpu_unknown(const struct run *run)
{
	if (run->r.system_cpu_ns == RSCOPE_NONE)
		return "the CPU time of the machine was not read";
	if (!long_enough(&run->r))
		return "the timed pass took less than 200 ms, 20 ticks";
	if (run->idle_cpu_ns_per_s == RSCOPE_NONE)
		return "the idle machine was not measured, see --idle-ms";
	return NULL;
}

/**
 * derive() - all figures of a run
 * @run: the run
 * @d: result
 */
void derive(const struct run *run, struct derived *d)
{
	const struct rscope_report *r = &run->r;

	d->p50_ns = derive_percentile(&run->hist, 50, 100);
	d->p90_ns = derive_percentile(&run->hist, 90, 100);
	d->p99_ns = derive_percentile(&run->hist, 99, 100);
	d->p999_ns = derive_percentile(&run->hist, 999, 1000);
	d->p9999_ns = derive_percentile(&run->hist, 9999, 10000);
	d->mean_ns = per(r->sum_ns, r->samples);
	d->stddev_ns = derive_stddev(r);
	d->ops_per_s = rate(r->ops, r->elapsed_ns);
	d->bytes_per_s = rate(r->bytes, r->elapsed_ns);
	d->post_ns_per_call = per(r->post_ns, r->post_calls);
	d->poll_ns_per_call = per(r->poll_ns, r->poll_calls);
	d->cpu_ns_per_op = per(r->cpu_ns, r->ops);
	d->system_cpu_ns_per_op = long_enough(r) ? per(r->system_cpu_ns, r->ops) : RSCOPE_NONE;
	d->above_idle_cpu_ns_per_op = per(above_idle(run), r->ops);
	d->syscalls_per_op = ratio(run->syscalls, run->syscall_ops);
	d->syscalls_per_post_call = ratio(run->syscalls, run->syscall_posts);
	d->ctxsw_per_op = ratio(r->ctxsw, r->ops);
	d->faults_per_op = ratio(run->faults, r->ops);
}
