/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A workload executed and measured over user verbs.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <sched.h>

#include "endpoint.h"
#include "report.h"
#include "watch.h"

/**
 * struct engine_job - what to run, on what
 * @ep: endpoint, QPs in RTS
 * @w: resolved workload
 * @watch: tells when to stop
 * @corrupt: offset to damage in one destination, RSCOPE_NONE for none
 * @wrong_effect: this operation of the verify pass of lane 0 is given other immediate
 *	data or another operand than is checked, 0 = none
 * @extra_calls: system calls added to each post of the counting pass
 * @delay_ns: added to each post of the timed pass of lane 0
 * @lost_wakeup: this sleep of the timed pass of lane 0 is not announced, 0 = none
 * @allowed: CPUs that lanes beside the first may use
 * @count: count system calls in a pass of its own first
 * @wc_status: out: status of the first failed completion
 */
struct engine_job {
	struct endpoint *ep;
	const struct rscope_workload *w;
	struct watch *watch;
	u64 corrupt;
	u64 wrong_effect;
	u64 extra_calls;
	u64 delay_ns;
	u64 lost_wakeup;
	cpu_set_t allowed;
	bool count;
	enum ibv_wc_status wc_status;
};

int engine_run(struct engine_job *job, struct run *run, struct rscope_error *e);

#endif /* ENGINE_H */
