/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the measured loop and its hooks hand each other: kinds of passes,
 * completions, and the state of a loop. Apart from loop.h, which needs the
 * hooks, because the hooks need these types.
 */
#ifndef RDMASCOPE_PASS_H
#define RDMASCOPE_PASS_H

#include "env.h"
#include "hist.h"

/**
 * enum rscope_pass - what a pass through the loop is for
 * @RSCOPE_PASS_TIMED: latencies into the histogram (also used to warm up)
 * @RSCOPE_PASS_COST: time single post and poll calls; disturbs the latencies
 * @RSCOPE_PASS_VERIFY: check every byte; not timed
 * @RSCOPE_PASS_COUNT: no clock reads at all, for counting system calls
 */
enum rscope_pass { RSCOPE_PASS_TIMED, RSCOPE_PASS_COST, RSCOPE_PASS_VERIFY, RSCOPE_PASS_COUNT };

/**
 * struct rscope_done - one completion
 * @qp: index of the QP pair
 * @recv: a receive, else an operation
 * @side: end of the pair, 0 = active; of interest in a ping-pong only
 */
struct rscope_done {
	u32 qp;
	u16 recv;
	u16 side;
};

/**
 * struct rscope_track - progress of one QP pair; owned by the loop
 * @quota: operations to post; ~0 until a duration ends
 * @posted: operations posted
 * @sent: operations known complete at the active side
 * @received: operations known complete at the passive side (two-sided only)
 * @retired: operations complete
 * @head: ring slot of the next post
 * @tail: ring slot of the next operation to retire
 * @to_signal: posts up to and including the next signalled one
 * @to_sample: operations to retire up to and including the next signalled one
 * @signals: signalled operations outstanding
 * @serial: messages of a ping-pong so far, over all passes
 * @unsent: ping-pong, by end: its message has not completed yet
 * @landed: ping-pong, by end: a message to it has arrived and is not answered yet
 */
struct rscope_track {
	u64 quota;
	u64 posted;
	u64 sent;
	u64 received;
	u64 retired;
	u32 head;
	u32 tail;
	u32 to_signal;
	u32 to_sample;
	u32 signals;
	u64 serial;
	bool unsent[2];
	bool landed[2];
};

/**
 * struct rscope_loop - one thread's share of a run
 * @ops: operations to do, split over the QPs; 0 = until @duration_ns
 * @duration_ns: how long to post when @ops is 0
 * @depth: outstanding operations per QP
 * @batch: work requests per post call
 * @signal: every n-th operation is signalled
 * @qps: QP pairs
 * @two_sided: operations consume receives
 * @side: end this thread plays when each end of a ping-pong has one, else 0
 * @ended: passes that the leader of such a pair has ended, else NULL
 * @passes: ping-pong passes that this thread has ended
 * @track: @qps elements
 * @post_ns: @qps * @depth clock reads
 * @hist: where samples go
 * @open: QPs that have not completed their quota
 * @posted: out: operations posted
 * @retired: out: operations complete; readable by others while running
 * @post_calls: out: post calls
 * @post_sum_ns: out: time inside them (cost pass)
 * @poll_calls: out: polls that found something
 * @poll_sum_ns: out: time inside them (cost pass)
 * @empty_polls: out: polls that found nothing
 * @start_ns: out: clock before the first post
 * @elapsed_ns: out: first post to last completion
 */
struct rscope_loop {
	u64 ops;
	u64 duration_ns;
	u32 depth;
	u32 batch;
	u32 signal;
	u32 qps;
	bool two_sided;
	u32 side;
	u64 *ended;
	u64 passes;
	struct rscope_track *track;
	u64 *post_ns;
	struct rscope_hist *hist;

	u32 open;
	u64 posted;
	u64 retired;
	u64 post_calls;
	u64 post_sum_ns;
	u64 poll_calls;
	u64 poll_sum_ns;
	u64 empty_polls;
	u64 start_ns;
	u64 elapsed_ns;
};

#endif /* RDMASCOPE_PASS_H */
