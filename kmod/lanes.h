/* SPDX-License-Identifier: GPL-2.0 */
/* Level 3. Several threads that do the same at the same time. */
#ifndef RSCOPE_LANES_H
#define RSCOPE_LANES_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/wait.h>
#include "stop.h"

/**
 * struct rscope_gate - where the lanes of a run wait for each other
 * @nr: lanes
 * @arrived: arrivals so far, over all meetings
 * @broken: errno of the first lane that failed; ends the others
 * @wait: woken by arrivals and failures
 * @stop: what ends the run from outside
 */
struct rscope_gate {
	u32 nr;
	atomic_t arrived;
	int broken;
	wait_queue_head_t wait;
	struct rscope_stop *stop;
};

typedef int (*rscope_lane_fn)(void *arg, u32 lane);

int rscope_lanes_run(struct rscope_gate *gate, u32 nr, s64 cpu, const struct cpumask *allowed,
		     rscope_lane_fn fn, void *arg);
int rscope_gate_meet(struct rscope_gate *gate);
void rscope_gate_break(struct rscope_gate *gate, int err);

#endif /* RSCOPE_LANES_H */
