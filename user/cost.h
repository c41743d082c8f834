/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What does a stretch of a program cost the processors?
 */
#ifndef COST_H
#define COST_H

#include <rdmascope/env.h>

/**
 * struct cost - counters of now; the difference of two is a cost
 * @thread_ns: CPU time of the calling thread
 * @ctxsw: its context switches
 * @faults: its page faults
 * @system_ns: CPU time of the whole machine, in steps of a tick
 */
struct cost {
	u64 thread_ns;
	u64 ctxsw;
	u64 faults;
	u64 system_ns;
};

void cost_read(struct cost *c);
u64 cost_clock_ns(void);
bool cost_clock_is_slow(const char *clocksource);
u64 cost_idle_ns_per_s(unsigned int ms);

#endif /* COST_H */
