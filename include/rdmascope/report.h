/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What came out of a run? The struct both engines fill, and its text form.
 */
#ifndef RDMASCOPE_REPORT_H
#define RDMASCOPE_REPORT_H

#include "abi.h"
#include "env.h"
#include "hist.h"
#include "record.h"
#include "workload.h"

#define RSCOPE_MEMBER_RU(key, req, unit, help) u64 key;
#define RSCOPE_MEMBER_RT(key, req, size, help) char key[size];
#define RSCOPE_REPORT_ROW_U(k, req, u, h) RSCOPE_ROW(rscope_report, k, RSCOPE_KIND_NUM, req)
#define RSCOPE_REPORT_ROW_T(k, req, s, h) RSCOPE_ROW(rscope_report, k, RSCOPE_KIND_TEXT, req)

/* RSCOPE_NONE and empty texts are values that were not measured. */
/** struct rscope_report - one run; members as in RSCOPE_REPORT_KEYS */
struct rscope_report {
	RSCOPE_REPORT_KEYS(RSCOPE_MEMBER_RU, RSCOPE_MEMBER_RT)
};

static const struct rscope_field rscope_report_fields[] __maybe_unused = {
	RSCOPE_REPORT_KEYS(RSCOPE_REPORT_ROW_U, RSCOPE_REPORT_ROW_T)
};

static inline void rscope_report_init(struct rscope_report *r)
{
	rscope_record_clear(rscope_report_fields, ARRAY_SIZE(rscope_report_fields), r);
}

#define rscope_report_text(r, member, s) \
	((void)snprintf((r)->member, sizeof((r)->member), "%s", s))

/**
 * rscope_report_hist() - take over the exact figures of a histogram
 * @r: report
 * @h: histogram of the timed pass
 */
static inline void rscope_report_hist(struct rscope_report *r, const struct rscope_hist *h)
{
	r->samples = h->count;
	r->overflow = h->overflow;
	if (!h->count)
		return;
	r->min_ns = h->min;
	r->max_ns = h->max;
	r->max_at_op = h->max_at;
	r->sum_ns = h->sum;
	r->pivot_ns = h->pivot;
	r->sq_hi = h->sq_hi;
	r->sq_lo = h->sq_lo;
}

/**
 * rscope_report_print() - write a report
 * @t: destination
 * @r: report
 * @h: histogram, or NULL when nothing was timed
 */
static inline void rscope_report_print(struct rscope_text *t, struct rscope_report *r,
				       const struct rscope_hist *h)
{
	u32 i;

	rscope_print_head(t, "result");
	rscope_print_lines(t, rscope_report_fields, ARRAY_SIZE(rscope_report_fields), r, false);
	for (i = 0; h && i < RSCOPE_HIST_BUCKETS; i++) {
		if (!h->bucket[i])
			continue;
		rscope_puts(t, "hist: low_ns=");
		rscope_putu(t, rscope_hist_low(i));
		rscope_puts(t, " count=");
		rscope_putu(t, h->bucket[i]);
		rscope_putc(t, '\n');
	}
	rscope_print_end(t);
}

#endif /* RDMASCOPE_REPORT_H */
