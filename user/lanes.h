/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Several threads that do the same at the same time.
 */
#ifndef LANES_H
#define LANES_H

#include <pthread.h>
#include <sched.h>

#include <rdmascope/env.h>

/**
 * struct gate - where the lanes of a run wait for each other
 * @nr: lanes
 * @arrived: arrivals so far, over all meetings
 * @broken: errno of the first lane that failed; ends the others
 * @lock: of @arrived and @broken
 * @cond: told about arrivals and failures
 */
struct gate {
	u32 nr;
	u32 arrived;
	int broken;
	pthread_mutex_t lock;
	pthread_cond_t cond;
};

typedef int (*lane_fn)(void *arg, u32 lane);

int lanes_run(struct gate *gate, u32 nr, int cpu, const cpu_set_t *allowed, lane_fn fn, void *arg);
int gate_meet(struct gate *gate);

#endif /* LANES_H */
