/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How completions reach the thread that waits for them.
 */
#ifndef CQUEUE_H
#define CQUEUE_H

#include "verbs.h"

/**
 * struct cqueue - a CQ and its one consumer
 * @verbs: functions
 * @cq: the CQ
 * @channel: where it announces completions; NULL when the consumer only polls
 * @armed: the next completion will be announced
 * @woken: an announcement ended the last sleep, nothing was polled since
 * @unacked: announcements taken and not acknowledged
 * @wakeups: sleeps that a completion ended
 */
struct cqueue {
	const struct verbs *verbs;
	struct ibv_cq *cq;
	struct ibv_comp_channel *channel;
	bool armed;
	bool woken;
	unsigned int unacked;
	u64 wakeups;
};

int cqueue_open(struct cqueue *c, const struct verbs *v, struct ibv_context *ctx, u32 entries,
		bool event, struct rscope_error *e);
void cqueue_close(struct cqueue *c);
void cqueue_sleep(struct cqueue *c, int stop);

/* Up to @max completions, as ibv_poll_cq(). */
static __always_inline int cqueue_take(struct cqueue *c, int max, struct ibv_wc *wc)
{
	int n = ibv_poll_cq(c->cq, max, wc);

	if (unlikely(c->woken) && n > 0) {
		c->woken = false;
		c->wakeups++;
	}
	return n;
}

#endif /* CQUEUE_H */
