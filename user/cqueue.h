/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How completions reach the thread that waits for them.
 */
#ifndef CQUEUE_H
#define CQUEUE_H

#include "verbs.h"

/**
 * enum slept - what ended a sleep
 * @SLEPT_NOT: there was none, or it has been judged
 * @SLEPT_WOKEN: an announcement
 * @SLEPT_LIMIT: its time limit
 */
enum slept { SLEPT_NOT, SLEPT_WOKEN, SLEPT_LIMIT };

/**
 * struct cqueue - a CQ and its one consumer
 * @verbs: functions
 * @cq: the CQ
 * @channel: where it announces completions; NULL when the consumer only polls
 * @armed: the next completion will be announced
 * @slept: what ended the last sleep; nothing was polled since
 * @unacked: announcements taken and not acknowledged
 * @deaf: fault point: this many armings from now, one is left out; 0 = none
 * @wakeups: sleeps that a completion ended
 * @lost_wakeups: sleeps after which there was a completion that nobody announced
 */
struct cqueue {
	const struct verbs *verbs;
	struct ibv_cq *cq;
	struct ibv_comp_channel *channel;
	bool armed;
	enum slept slept;
	unsigned int unacked;
	u64 deaf;
	u64 wakeups;
	u64 lost_wakeups;
};

int cqueue_open(struct cqueue *c, const struct verbs *v, struct ibv_context *ctx, u32 entries,
		bool event, struct rscope_error *e);
void cqueue_close(struct cqueue *c);
void cqueue_sleep(struct cqueue *c, int stop);
void cqueue_judge(struct cqueue *c);

/* Up to @max completions, as ibv_poll_cq(). */
static __always_inline int cqueue_take(struct cqueue *c, int max, struct ibv_wc *wc)
{
	int n = ibv_poll_cq(c->cq, max, wc);

	if (unlikely(c->slept) && n > 0)
		cqueue_judge(c);
	return n;
}

#endif /* CQUEUE_H */
