// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How do several threads share a run? Lane 0 is the calling thread; all meet at
 * the gate before and after each pass. A lane that fails breaks the gate, which
 * the others see in their loop or at the next meeting; each lane looks at the
 * stop flag itself, so nobody waits at the gate for one that cannot end.
 */
#include "lanes.h"

#include <stdlib.h>

#include "signals.h"

/**
 * struct lane_thread - one thread
 * @gate: gate of the run
 * @fn: what to do
 * @arg: for @fn
 * @lane: number of the lane
 * @cpus: where it may run
 * @thread: the thread
 * @running: there is one
 */
struct lane_thread {
	struct gate *gate;
	lane_fn fn;
	void *arg;
	u32 lane;
	cpu_set_t cpus;
	pthread_t thread;
	bool running;
};

static void gate_break(struct gate *gate, int err)
{
	pthread_mutex_lock(&gate->lock);
	if (!gate->broken)
		WRITE_ONCE(gate->broken, err);
	pthread_cond_broadcast(&gate->cond);
	pthread_mutex_unlock(&gate->lock);
}

/**
 * gate_meet() - wait until all lanes are here
 * @gate: gate
 *
 * Return: 0, or why the lanes end.
 */
int gate_meet(struct gate *gate)
{
	u32 all;
	int err;

	pthread_mutex_lock(&gate->lock);
	all = (gate->arrived++ / gate->nr + 1) * gate->nr;
	pthread_cond_broadcast(&gate->cond);
	while (gate->arrived < all && !gate->broken)
		pthread_cond_wait(&gate->cond, &gate->lock);
	err = gate->broken;
	pthread_mutex_unlock(&gate->lock);
	return err;
}

static void *lane_main(void *arg)
{
	struct lane_thread *t = arg;
	int err;

	signals_block();
	sched_setaffinity(0, sizeof(t->cpus), &t->cpus);
	err = t->fn(t->arg, t->lane);
	if (err)
		gate_break(t->gate, err);
	return NULL;
}

static int next_cpu(int cpu, const cpu_set_t *allowed)
{
	int i;

	for (i = 1; i <= CPU_SETSIZE; i++)
		if (CPU_ISSET((cpu + i) % CPU_SETSIZE, allowed))
			return (cpu + i) % CPU_SETSIZE;
	return cpu;
}

/* Lane n runs on the n-th CPU behind the one asked for, as in the module. */
static void place(struct lane_thread *t, int cpu, const cpu_set_t *allowed)
{
	u32 n = t->lane;

	t->cpus = *allowed;
	if (cpu < 0)
		return;
	while (n--)
		cpu = next_cpu(cpu, allowed);
	CPU_ZERO(&t->cpus);
	CPU_SET(cpu, &t->cpus);
}

static int start(struct lane_thread *t, int cpu, const cpu_set_t *allowed)
{
	int err;

	place(t, cpu, allowed);
	err = pthread_create(&t->thread, NULL, lane_main, t);
	t->running = !err;
	return -err;
}

static void join(struct lane_thread *t, u32 nr)
{
	u32 i;

	for (i = 1; i < nr; i++)
		if (t[i].running)
			pthread_join(t[i].thread, NULL);
}

/**
 * lanes_run() - do something on several threads
 * @gate: result
 * @nr: threads, this one included
 * @cpu: CPU of this thread, -1 when it is not pinned
 * @allowed: CPUs the others may use
 * @fn: what to do; meets the others at the gate, at the end too
 * @arg: for @fn
 *
 * Return: 0 or the errno of the first lane that failed; all threads are gone.
 */
int lanes_run(struct gate *gate, u32 nr, int cpu, const cpu_set_t *allowed, lane_fn fn, void *arg)
{
	struct lane_thread *t = calloc(nr, sizeof(*t));
	int err = t ? 0 : -ENOMEM;
	u32 i;

	*gate = (struct gate){ .nr = nr, .lock = PTHREAD_MUTEX_INITIALIZER,
			       .cond = PTHREAD_COND_INITIALIZER };
	for (i = 1; !err && i < nr; i++) {
		t[i] = (struct lane_thread){ .gate = gate, .fn = fn, .arg = arg, .lane = i };
		err = start(&t[i], cpu, allowed);
	}
	if (!err)
		err = fn(arg, 0);
	if (err)
		gate_break(gate, err);
	if (t)
		join(t, nr);
	free(t);
	return gate->broken;
}
