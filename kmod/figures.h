/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. What a run measures. */
#ifndef RSCOPE_FIGURES_H
#define RSCOPE_FIGURES_H

#include "hist.h"
#include "pattern.h"

/**
 * struct rscope_figures - what the passes of one lane, then of a run, measured
 * @hist: latencies of the timed pass
 * @progress: operations of the pass under way; readable while running
 * @posted: work requests posted in the pass that ended last
 * @completed: operations completed in it
 * @ops: operations of the timed pass
 * @start_ns: clock at its first post
 * @elapsed_ns: its length
 * @empty_polls: its polls that found nothing
 * @cpu_ns: CPU time of the thread in it
 * @system_cpu_ns: busy time of all CPUs in it; on the first lane only
 * @ctxsw: context switches of the thread in it
 * @wakeups: its sleeps that a completion ended
 * @lost_wakeups: its sleeps after which there was a completion that had not ended them
 * @cpu: CPU it ended on
 * @clock_ns: cost of one clock read
 * @cost_ops: operations of the cost pass
 * @post_calls: its post calls
 * @post_ns: time inside them
 * @poll_calls: its polls that found something
 * @poll_ns: time inside them
 * @verify_ops: operations of the verify pass
 * @verify_bytes: bytes it looked at
 * @bad: mismatches; the first one's details
 * @bad_op: operation of the first mismatch
 * @bad_where: region of the first mismatch
 */
struct rscope_figures {
	struct rscope_hist hist;
	u64 progress;
	u64 posted;
	u64 completed;
	u64 ops;
	u64 start_ns;
	u64 elapsed_ns;
	u64 empty_polls;
	u64 cpu_ns;
	u64 system_cpu_ns;
	u64 ctxsw;
	u64 wakeups;
	u64 lost_wakeups;
	u32 cpu;
	u64 clock_ns;
	u64 cost_ops;
	u64 post_calls;
	u64 post_ns;
	u64 poll_calls;
	u64 poll_ns;
	u64 verify_ops;
	u64 verify_bytes;
	struct rscope_mismatch bad;
	u64 bad_op;
	const char *bad_where;
};

void rscope_figures_add(struct rscope_figures *to, const struct rscope_figures *from);

#endif /* RSCOPE_FIGURES_H */
