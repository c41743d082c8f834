// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Report text -> struct run.
 */
#include "report.h"

#include "parse.h"

struct hist_line {
	u64 low_ns;
	u64 count;
};

static const struct rscope_field hist_fields[] = {
	RSCOPE_ROW(hist_line, low_ns, RSCOPE_KIND_NUM, 1)
	RSCOPE_ROW(hist_line, count, RSCOPE_KIND_NUM, 1)
};

static int take_bucket(void *ctx, const void *rec, struct rscope_error *e)
{
	struct rscope_hist *h = ctx;
	const struct hist_line *l = rec;
	u32 i = rscope_hist_index(l->low_ns);

	if (i >= RSCOPE_HIST_BUCKETS || rscope_hist_low(i) != l->low_ns)
		return rscope_fail(e, -EBADMSG, "hist: low_ns=%llu is not the start of a bucket",
				   l->low_ns);
	if (h->bucket[i])
		return rscope_fail(e, -EBADMSG, "hist: low_ns=%llu is given twice", l->low_ns);
	if (!l->count || __builtin_add_overflow(h->count, l->count, &h->count))
		return rscope_fail(e, -EBADMSG, "hist: low_ns=%llu has an impossible count",
				   l->low_ns);
	h->bucket[i] = l->count;
	return 0;
}

static const struct parse_spec report_spec = {
	.kind = "result",
	.fields = rscope_report_fields,
	.nr_fields = ARRAY_SIZE(rscope_report_fields),
	.tag = "hist",
	.rec_fields = hist_fields,
	.nr_rec_fields = ARRAY_SIZE(hist_fields),
	.rec_size = sizeof(struct hist_line),
	.record = take_bucket,
};

/**
 * run_init() - nothing measured yet
 * @run: the run
 */
void run_init(struct run *run)
{
	memset(run, 0, sizeof(*run));
	rscope_report_init(&run->r);
	rscope_hist_init(&run->hist);
	run->syscalls = RSCOPE_NONE;
	run->active_mtu_bytes = RSCOPE_NONE;
	run->max_mtu_bytes = RSCOPE_NONE;
	run->idle_cpu_ns_per_s = RSCOPE_NONE;
	run->faults = RSCOPE_NONE;
	run->crossing_ns = RSCOPE_NONE;
	run->syscall_ns = RSCOPE_NONE;
}

static u64 or_zero(u64 v)
{
	return v == RSCOPE_NONE ? 0 : v;
}

/* The exact figures travel as report keys, the buckets as lines. */
static int complete_hist(struct run *run, struct rscope_error *e)
{
	struct rscope_hist *h = &run->hist;
	const struct rscope_report *r = &run->r;

	h->overflow = or_zero(r->overflow);
	if (h->count + h->overflow != or_zero(r->samples))
		return rscope_fail(e, -EBADMSG, "histogram of %llu samples, report of %llu",
				   h->count + h->overflow, or_zero(r->samples));
	h->count += h->overflow;
	h->sum = or_zero(r->sum_ns);
	h->min = r->min_ns;
	h->max = or_zero(r->max_ns);
	h->max_at = or_zero(r->max_at_op);
	h->pivot = or_zero(r->pivot_ns);
	h->sq_hi = or_zero(r->sq_hi);
	h->sq_lo = or_zero(r->sq_lo);
	return 0;
}

/**
 * report_parse() - read a report
 * @text: as read from `run` or `result`
 * @len: length of @text
 * @run: result
 * @e: what is wrong, with the line
 *
 * Return: 0 or a negative errno of parse_text().
 */
int report_parse(const char *text, size_t len, struct run *run, struct rscope_error *e)
{
	int err;

	run_init(run);
	err = parse_text(&report_spec, text, len, &run->r, &run->hist, e);
	return err ? err : complete_hist(run, e);
}

static void merge_hist(struct rscope_hist *to, const struct rscope_hist *from)
{
	size_t i;

	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
	to->count += from->count;
	to->overflow += from->overflow;
	/* Percentiles are clipped to these. */
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
}

static void merge_extremes(struct rscope_report *to, const struct rscope_report *from)
{
	if (from->min_ns < to->min_ns)
		to->min_ns = from->min_ns;
	if (from->max_ns != RSCOPE_NONE &&
	    (to->max_ns == RSCOPE_NONE || from->max_ns > to->max_ns)) {
		to->max_ns = from->max_ns;
		to->max_at_op = from->max_at_op;
	}
}

/**
 * report_merge() - add the timed pass of one round to the sum of several
 * @to: the sum, run_init() or a copy of the first round
 * @from: a round
 *
 * Counts, sums, buckets and extremes are added; squares are taken around
 * different pivots and cannot be, so that the sum has no deviation.
 */
void report_merge(struct run *to, const struct run *from)
{
	to->r.ops = or_zero(to->r.ops) + or_zero(from->r.ops);
	to->r.bytes = or_zero(to->r.bytes) + or_zero(from->r.bytes);
	to->r.elapsed_ns = or_zero(to->r.elapsed_ns) + or_zero(from->r.elapsed_ns);
	to->r.samples = or_zero(to->r.samples) + or_zero(from->r.samples);
	to->r.sum_ns = or_zero(to->r.sum_ns) + or_zero(from->r.sum_ns);
	to->r.overflow = or_zero(to->r.overflow) + or_zero(from->r.overflow);
	merge_extremes(&to->r, &from->r);
	to->r.pivot_ns = RSCOPE_NONE;
	merge_hist(&to->hist, &from->hist);
}
