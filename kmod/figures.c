// SPDX-License-Identifier: GPL-2.0
/*
 * What did all lanes of a run measure together?
 */
#include <linux/minmax.h>
#include "figures.h"

/* Operation numbers of a mismatch count within its lane. */
static void rscope_add_mismatch(struct rscope_figures *to, const struct rscope_figures *from)
{
	u64 count = to->bad.count + from->bad.count;

	if (!to->bad.count && from->bad.count) {
		to->bad = from->bad;
		to->bad_op = from->bad_op;
		to->bad_where = from->bad_where;
	}
	to->bad.count = count;
}

/* First post of any lane to last completion of any; a follower has no time of its own. */
static void rscope_add_time(struct rscope_figures *to, const struct rscope_figures *from)
{
	u64 end = max(to->start_ns + to->elapsed_ns, from->start_ns + from->elapsed_ns);

	if (!from->ops)
		return;
	to->start_ns = min(to->start_ns, from->start_ns);
	to->elapsed_ns = end - to->start_ns;
}

/**
 * rscope_figures_add() - add what another lane measured
 * @to: sum
 * @from: another lane of the same run
 *
 * Context: any.
 */
void rscope_figures_add(struct rscope_figures *to, const struct rscope_figures *from)
{
	rscope_hist_merge(&to->hist, &from->hist);
	rscope_add_time(to, from);
	rscope_add_mismatch(to, from);
	to->posted += from->posted;
	to->completed += from->completed;
	to->ops += from->ops;
	to->empty_polls += from->empty_polls;
	to->cpu_ns += from->cpu_ns;
	to->ctxsw += from->ctxsw;
	to->wakeups += from->wakeups;
	to->lost_wakeups += from->lost_wakeups;
	to->cost_ops += from->cost_ops;
	to->post_calls += from->post_calls;
	to->post_ns += from->post_ns;
	to->poll_calls += from->poll_calls;
	to->poll_ns += from->poll_ns;
	to->verify_ops += from->verify_ops;
	to->verify_bytes += from->verify_bytes;
}
