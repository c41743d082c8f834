/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How are latencies kept? A log-linear histogram of fixed size with exact
 * extremes and exact sums.
 *
 * Values below 256 have a bucket each; above, every power of two is divided
 * into 128 buckets, so that a bucket is never wider than 1/128 of its lower
 * bound. The idea of log-linear buckets is that of HdrHistogram and fio's
 * stat.h.
 */
#ifndef RDMASCOPE_HIST_H
#define RDMASCOPE_HIST_H

#include "env.h"

#define RSCOPE_HIST_SUB_BITS 7
#define RSCOPE_HIST_SUB (1U << RSCOPE_HIST_SUB_BITS)
#define RSCOPE_HIST_MAX_BITS 42 /* 2^42 ns = 73 min, beyond the longest run */
#define RSCOPE_HIST_BUCKETS \
	((RSCOPE_HIST_MAX_BITS - RSCOPE_HIST_SUB_BITS + 1) * RSCOPE_HIST_SUB)

/**
 * struct rscope_hist - latencies of one thread
 * @count: samples
 * @sum: of all samples in ns
 * @min: smallest sample, ~0 when there is none
 * @max: largest sample
 * @max_at: operation number of the first sample that is @max
 * @pivot: value near the samples: set beforehand, else the first one
 * @sq_lo: lower 64 bits of the sum of (sample - pivot)^2
 * @sq_hi: its upper 64 bits
 * @overflow: samples that have no bucket
 * @bucket: counts; see rscope_hist_index()
 *
 * Squares around the first sample keep the variance of a narrow distribution
 * exact, which squares around zero in 64 bits would not.
 */
struct rscope_hist {
	u64 count;
	u64 sum;
	u64 min;
	u64 max;
	u64 max_at;
	u64 pivot;
	u64 sq_lo;
	u64 sq_hi;
	u64 overflow;
	u64 bucket[RSCOPE_HIST_BUCKETS];
};

static inline void rscope_hist_init(struct rscope_hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = ~0ULL;
}

/**
 * rscope_hist_index() - bucket of a value
 * @ns: the value
 *
 * Return: index into bucket[]; RSCOPE_HIST_BUCKETS or more when there is none.
 */
static __always_inline u32 rscope_hist_index(u64 ns)
{
	u32 shift = fls64(ns | RSCOPE_HIST_SUB) - (RSCOPE_HIST_SUB_BITS + 1);

	return (shift << RSCOPE_HIST_SUB_BITS) + (u32)(ns >> shift);
}

/**
 * rscope_hist_low() - smallest value of a bucket
 * @index: bucket, also RSCOPE_HIST_BUCKETS for the end of the range
 */
static inline u64 rscope_hist_low(u32 index)
{
	u32 shift;

	if (index < 2 * RSCOPE_HIST_SUB)
		return index;
	shift = (index >> RSCOPE_HIST_SUB_BITS) - 1;
	return (u64)(index - (shift << RSCOPE_HIST_SUB_BITS)) << shift;
}

/* (sample - pivot)^2 by halves, where there is no type of 128 bits. */
static inline void rscope_hist_square_halves(struct rscope_hist *h, u64 ns)
{
	u64 d = ns > h->pivot ? ns - h->pivot : h->pivot - ns;
	u64 mid = (d >> 32) * (u32)d;
	u64 lo = (u64)(u32)d * (u32)d;
	u64 hi = (d >> 32) * (d >> 32) + (mid >> 31);

	mid <<= 33;
	lo += mid;
	hi += lo < mid;
	h->sq_lo += lo;
	h->sq_hi += hi + (h->sq_lo < lo);
}

static __always_inline void rscope_hist_square(struct rscope_hist *h, u64 ns)
{
#ifdef __SIZEOF_INT128__
	/* One signed multiplication: latencies are less than 2^63 ns apart. */
	__int128 d = (s64)(ns - h->pivot);
	u64 lo;

	d *= d;
	lo = (u64)d;
	h->sq_lo += lo;
	h->sq_hi += (u64)(d >> 64) + (h->sq_lo < lo);
#else
	rscope_hist_square_halves(h, ns);
#endif
}

static inline void rscope_hist_minimum(struct rscope_hist *h, u64 ns, u64 op)
{
	h->min = ns;
	if (h->count)
		return;
	h->max_at = op;
	if (!h->pivot)
		h->pivot = ns;
}

/**
 * rscope_hist_add() - count one latency
 * @h: histogram of the calling thread
 * @ns: latency, below 2^63
 * @op: number of the operation, for max_at
 */
static __always_inline void rscope_hist_add(struct rscope_hist *h, u64 ns, u64 op)
{
	u32 index = rscope_hist_index(ns);

	/* The first sample passes here. */
	if (unlikely(ns < h->min))
		rscope_hist_minimum(h, ns, op);
	if (unlikely(ns > h->max)) {
		h->max = ns;
		h->max_at = op;
	}
	/* Sums are added to in memory, where they would crowd the caller's registers. */
	barrier();
	h->count++;
	h->sum += ns;
	rscope_hist_square(h, ns);
	if (likely(index < RSCOPE_HIST_BUCKETS))
		h->bucket[index]++;
	else
		h->overflow++;
}

/**
 * rscope_hist_merge() - add the samples of another thread
 * @to: destination
 * @from: source, with the same pivot: then the squares add up too
 */
static inline void rscope_hist_merge(struct rscope_hist *to, const struct rscope_hist *from)
{
	u32 i;

	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
	to->overflow += from->overflow;
	to->count += from->count;
	to->sum += from->sum;
	to->sq_lo += from->sq_lo;
	to->sq_hi += from->sq_hi + (to->sq_lo < from->sq_lo);
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max) {
		to->max = from->max;
		to->max_at = from->max_at;
	}
}

#endif /* RDMASCOPE_HIST_H */
