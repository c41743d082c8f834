// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Lanes of one run, added up by the rules of the module. Pure.
 */
#include "figures.h"

#define FIELD(k) offsetof(struct rscope_report, k)

/* What is simply a sum. */
static const size_t sums[] = {
	FIELD(ops), FIELD(bytes), FIELD(empty_polls), FIELD(cpu_ns), FIELD(ctxsw), FIELD(wakeups),
	FIELD(lost_wakeups),
	FIELD(cost_ops), FIELD(post_calls), FIELD(post_ns), FIELD(poll_calls), FIELD(poll_ns),
	FIELD(verify_ops), FIELD(verify_bytes),
};

static void add(u64 *to, u64 from)
{
	if (from != RSCOPE_NONE)
		*to = from + (*to == RSCOPE_NONE ? 0 : *to);
}

static void add_sums(struct rscope_report *to, const struct rscope_report *from)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sums); i++)
		add((u64 *)(void *)((char *)to + sums[i]),
		    *(const u64 *)(const void *)((const char *)from + sums[i]));
}

/* The details are those of the first lane that found something. */
static void add_mismatches(struct rscope_report *to, const struct rscope_report *from)
{
	bool first = from->mismatches != RSCOPE_NONE && from->mismatches &&
		     (to->mismatches == RSCOPE_NONE || !to->mismatches);

	add(&to->mismatches, from->mismatches);
	if (!first)
		return;
	to->first_mismatch = from->first_mismatch;
	to->mismatch_op = from->mismatch_op;
	to->mismatch_expected = from->mismatch_expected;
	to->mismatch_got = from->mismatch_got;
	memcpy(to->mismatch_where, from->mismatch_where, sizeof(to->mismatch_where));
}

/* First post of any lane to last completion of any; a follower has no time of its own. */
static void add_time(struct figures *to, const struct figures *from)
{
	struct rscope_report *a = &to->run->r;
	const struct rscope_report *b = &from->run->r;
	u64 end_a, end_b;

	if (b->elapsed_ns == RSCOPE_NONE || a->elapsed_ns == RSCOPE_NONE || !b->ops)
		return;
	end_a = to->start_ns + a->elapsed_ns;
	end_b = from->start_ns + b->elapsed_ns;
	if (from->start_ns < to->start_ns)
		to->start_ns = from->start_ns;
	a->elapsed_ns = (end_a > end_b ? end_a : end_b) - to->start_ns;
}

static void add_failure(struct figures *to, const struct figures *from)
{
	struct rscope_report *a = &to->run->r;
	const struct rscope_report *b = &from->run->r;

	if (to->wc_status || !from->wc_status)
		return;
	to->wc_status = from->wc_status;
	memcpy(a->wc_status, b->wc_status, sizeof(a->wc_status));
	memcpy(a->stage, b->stage, sizeof(a->stage));
	a->vendor_err = b->vendor_err;
	a->failed_op = b->failed_op;
}

/**
 * figures_add() - add what another lane measured
 * @to: sum
 * @from: another lane of the same run
 */
void figures_add(struct figures *to, const struct figures *from)
{
	rscope_hist_merge(&to->run->hist, &from->run->hist);
	add_time(to, from);
	add_sums(&to->run->r, &from->run->r);
	add(&to->run->faults, from->run->faults);
	add_mismatches(&to->run->r, &from->run->r);
	add_failure(to, from);
	to->posted += from->posted;
	to->completed += from->completed;
}
