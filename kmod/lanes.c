// SPDX-License-Identifier: GPL-2.0
/*
 * How do several threads share a run? Lane 0 is the writer's own thread, the
 * others are kernel threads; all meet at the gate before and after each pass.
 * Only lane 0 has signals: it breaks the gate for the others.
 */
#include <linux/kthread.h>
#include <linux/slab.h>
#include "cq.h"
#include "lanes.h"

/**
 * struct rscope_lane_thread - one kernel thread
 * @gate: gate of the run
 * @fn: what to do
 * @arg: for @fn
 * @lane: number of the lane
 * @cpu: CPU of lane 0, -1 when it is not pinned
 * @allowed: CPUs the writer may use
 * @task: referenced until it has been stopped
 */
struct rscope_lane_thread {
	struct rscope_gate *gate;
	rscope_lane_fn fn;
	void *arg;
	u32 lane;
	s64 cpu;
	const struct cpumask *allowed;
	struct task_struct *task;
};

/**
 * rscope_gate_break() - end all lanes
 * @gate: gate
 * @err: why; the first one stays
 *
 * Context: any.
 */
void rscope_gate_break(struct rscope_gate *gate, int err)
{
	cmpxchg(&gate->broken, 0, err);
	wake_up_all(&gate->wait);
}

/**
 * rscope_gate_meet() - wait until all lanes are here
 * @gate: gate
 *
 * Context: a lane; sleeps.
 * Return: 0, or why the lanes end.
 */
int rscope_gate_meet(struct rscope_gate *gate)
{
	int mine = atomic_inc_return(&gate->arrived);
	int all = roundup(mine, (int)gate->nr), err = 0;

	wake_up_all(&gate->wait);
	while (!err && atomic_read(&gate->arrived) < all) {
		wait_event_interruptible_timeout(gate->wait, atomic_read(&gate->arrived) >= all ||
						 READ_ONCE(gate->broken),
						 msecs_to_jiffies(RSCOPE_IDLE_MS));
		err = READ_ONCE(gate->broken);
		/* Not once all are here: kthread_stop() of the last meeting looks like a signal. */
		if (!err && atomic_read(&gate->arrived) < all)
			err = rscope_stopped(gate->stop, rscope_now_ns());
	}
	if (err)
		rscope_gate_break(gate, err);
	return err ? err : READ_ONCE(gate->broken);
}

/* Lane n runs on the n-th CPU behind the one asked for, in the writer's mask. */
static int rscope_lane_place(const struct rscope_lane_thread *t)
{
	u32 n = t->lane;
	s64 cpu = t->cpu;

	if (cpu < 0)
		return set_cpus_allowed_ptr(current, t->allowed);
	while (n--) {
		cpu = cpumask_next(cpu, t->allowed);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(t->allowed);
	}
	return set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

/* Placed by itself: since 6.14 a kthread forgets what it was given before. */
static int rscope_lane_main(void *data)
{
	struct rscope_lane_thread *t = data;
	int err = rscope_lane_place(t);

	if (!err)
		err = t->fn(t->arg, t->lane);
	if (err)
		rscope_gate_break(t->gate, err);
	return err;
}

static int rscope_lane_start(struct rscope_lane_thread *t)
{
	struct task_struct *task = kthread_create(rscope_lane_main, t, "rdmascope/%u", t->lane);

	if (IS_ERR(task))
		return PTR_ERR(task);
	get_task_struct(task);
	t->task = task;
	wake_up_process(task);
	return 0;
}

/* A thread that never ran answers -EINTR: somebody else broke the gate. */
static void rscope_lanes_join(struct rscope_lane_thread *t, u32 nr)
{
	u32 i;

	for (i = 1; i < nr; i++) {
		if (!t[i].task)
			continue;
		kthread_stop(t[i].task);
		put_task_struct(t[i].task);
	}
}

/**
 * rscope_lanes_run() - do something on several threads
 * @gate: zeroed but for @stop
 * @nr: threads, this one included
 * @cpu: CPU of this thread, -1 when it is not pinned
 * @allowed: CPUs the others may use
 * @fn: what to do; meets the others at the gate, at the end too
 * @arg: for @fn
 *
 * Context: process; sleeps. All threads are gone when it returns, so that
 * nothing of the module runs without a reference.
 * Return: 0 or the errno of the first lane that failed.
 */
int rscope_lanes_run(struct rscope_gate *gate, u32 nr, s64 cpu, const struct cpumask *allowed,
		     rscope_lane_fn fn, void *arg)
{
	struct rscope_lane_thread *t = kcalloc(nr, sizeof(*t), GFP_KERNEL);
	int err = t ? 0 : -ENOMEM;
	u32 i;

	gate->nr = nr;
	init_waitqueue_head(&gate->wait);
	for (i = 1; !err && i < nr; i++) {
		t[i] = (struct rscope_lane_thread){
			.gate = gate, .fn = fn, .arg = arg, .lane = i, .cpu = cpu,
			.allowed = allowed,
		};
		err = rscope_lane_start(&t[i]);
	}
	if (!err)
		err = fn(arg, 0);
	if (err)
		rscope_gate_break(gate, err);
	if (t)
		rscope_lanes_join(t, nr);
	kfree(t);
	return gate->broken;
}
