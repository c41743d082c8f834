/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. Must this run end now, and why? */
#ifndef RSCOPE_STOP_H
#define RSCOPE_STOP_H

#include <linux/ktime.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

/**
 * struct rscope_stop - what ends a run early
 * @why: 0, or the negative errno somebody else asked for; written once per run
 * @deadline_ns: on the raw monotonic clock
 * @wait: woken when @why is set
 */
struct rscope_stop {
	int why;
	u64 deadline_ns;
	wait_queue_head_t wait;
};

static inline u64 rscope_now_ns(void)
{
	return ktime_get_raw_ns();
}

static inline void rscope_stop_init(struct rscope_stop *s)
{
	s->why = 0;
	s->deadline_ns = U64_MAX;
	init_waitqueue_head(&s->wait);
}

/* The first reason stays. Lock-free: .remove calls it before it waits. */
static inline void rscope_stop_set(struct rscope_stop *s, int why)
{
	cmpxchg(&s->why, 0, why);
	wake_up_all(&s->wait);
}

/*
 * A stopped or frozen task counts as signalled, so SIGSTOP and suspend abort a
 * run too: it does not hold the device while nobody can cancel it.
 */
static inline int rscope_stopped(const struct rscope_stop *s, u64 now)
{
	int why = READ_ONCE(s->why);

	if (unlikely(why))
		return why;
	if (unlikely(signal_pending(current)))
		return -EINTR;
	return unlikely(now > s->deadline_ns) ? -ETIMEDOUT : 0;
}

#endif /* RSCOPE_STOP_H */
