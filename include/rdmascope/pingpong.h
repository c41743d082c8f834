/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The measured loop of a ping-pong: one message there, one back, half the round
 * trip is the latency, as in perftest's write and send latency.
 *
 * Include it after loop.h. It needs two more hooks:
 *
 *	int rscope_hook_ping(e, qp, side, serial)
 *		Post message number @serial from end @side of pair @qp,
 *		signalled, then the receives that end has consumed.
 *	bool rscope_hook_landed(e, qp, side, serial)
 *		Writes: is message @serial in the memory of end @side? False for
 *		sends, whose arrival is a receive completion.
 *
 * An end answers when a message has landed at it and the completion of its own
 * last one has been found; so one work request per queue is enough, and the
 * answer does not wait for the acknowledgment of the question.
 *
 * One thread plays both ends, or each end has a thread, as perftest's client and
 * server: then the one of end 0 leads and measures, the other one follows until
 * its leader has ended the pass. The leader has the answer to its last message
 * by then, so the follower has nothing left to answer.
 */
#ifndef RDMASCOPE_PINGPONG_H
#define RDMASCOPE_PINGPONG_H

#include "loop.h"

/* Each end: the completion of its message and that of a receive. */
#define RSCOPE_PINGPONG_DONE 4

/* What a follower's wait returns when its leader has ended the pass. */
#define RSCOPE_PINGPONG_OVER 1

static __always_inline int rscope_pingpong_look(struct rscope_engine *e, struct rscope_loop *l,
						const enum rscope_pass pass)
{
	u64 before = pass == RSCOPE_PASS_COST ? rscope_hook_now(e) : 0;
	struct rscope_done done[RSCOPE_PINGPONG_DONE];
	int i, n = rscope_hook_poll(e, done, RSCOPE_PINGPONG_DONE, pass);

	if (n > 0 && pass == RSCOPE_PASS_COST)
		l->poll_sum_ns += rscope_hook_now(e) - before;
	l->poll_calls += n > 0;
	l->empty_polls += !n;
	for (i = 0; i < n; i++) {
		struct rscope_track *t = &l->track[done[i].qp];

		if (done[i].recv)
			t->landed[done[i].side] = true;
		else
			t->unsent[done[i].side] = false;
	}
	return n;
}

static __always_inline int rscope_pingpong_idle(struct rscope_engine *e, struct rscope_loop *l,
						u32 *idle, const enum rscope_pass pass)
{
	rscope_hook_relax(e);
	/* Each time: where relax sleeps, a look every 64th would cost most of a second. */
	if (l->side && READ_ONCE(*l->ended) != l->passes)
		return RSCOPE_PINGPONG_OVER;
	if (++*idle % RSCOPE_EMPTY_POLLS)
		return 0;
	return rscope_hook_stop(e, pass == RSCOPE_PASS_COUNT ? 0 : rscope_hook_now(e));
}

/* Is there something that a poll could find? */
static __always_inline bool rscope_pingpong_polls(const struct rscope_loop *l,
						  const struct rscope_track *t)
{
	return l->two_sided || t->unsent[0] || t->unsent[1];
}

/* Until end @side may send: the message to it has landed, its own has completed. */
static __always_inline int rscope_pingpong_wait(struct rscope_engine *e, struct rscope_loop *l,
						u32 q, u32 side, u64 serial,
						const enum rscope_pass pass)
{
	struct rscope_track *t = &l->track[q];
	u32 idle = 0;
	int n;

	for (;;) {
		if (!t->landed[side])
			t->landed[side] = rscope_hook_landed(e, q, side, serial);
		if (t->landed[side] && !t->unsent[side])
			break;
		n = rscope_pingpong_polls(l, t) ? rscope_pingpong_look(e, l, pass) : 0;
		if (!n)
			n = rscope_pingpong_idle(e, l, &idle, pass);
		else if (n > 0)
			n = 0;
		if (unlikely(n))
			return n;
	}
	t->landed[side] = false;
	return 0;
}

static __always_inline int rscope_pingpong_send(struct rscope_engine *e, struct rscope_loop *l,
						u32 q, u32 side, u64 serial,
						const enum rscope_pass pass)
{
	u64 before = pass == RSCOPE_PASS_COST ? rscope_hook_now(e) : 0;
	int err;

	l->track[q].unsent[side] = true;
	err = rscope_hook_ping(e, q, side, serial);
	l->post_calls++;
	if (pass == RSCOPE_PASS_COST)
		l->post_sum_ns += rscope_hook_now(e) - before;
	return err;
}

/* There and back; the answer is somebody else's when each end has a thread. */
static __always_inline int rscope_pingpong_round(struct rscope_engine *e, struct rscope_loop *l,
						 u32 q, const enum rscope_pass pass)
{
	u64 serial = l->track[q].serial;
	int err = rscope_pingpong_send(e, l, q, 0, serial + 1, pass);

	if (!err && !l->ended)
		err = rscope_pingpong_wait(e, l, q, 1, serial + 1, pass);
	if (!err && !l->ended)
		err = rscope_pingpong_send(e, l, q, 1, serial + 2, pass);
	if (!err)
		err = rscope_pingpong_wait(e, l, q, 0, serial + 2, pass);
	l->track[q].serial = serial + 2;
	return err;
}

/* A round trip lasts from the end of the one before, with one clock read, as in perftest. */
static __always_inline int rscope_pingpong_lead(struct rscope_engine *e, struct rscope_loop *l,
						const enum rscope_pass pass)
{
	u64 start, now = pass == RSCOPE_PASS_COUNT ? 0 : rscope_hook_now(e), op;
	u32 q = 0;
	int err;

	l->start_ns = now;
	for (op = 0; l->ops ? op < l->ops : l->elapsed_ns < l->duration_ns; op++) {
		start = now;
		l->posted++;
		err = rscope_pingpong_round(e, l, q, pass);
		if (unlikely(err))
			return err;
		if (pass != RSCOPE_PASS_COUNT)
			now = rscope_hook_now(e);
		if (pass == RSCOPE_PASS_TIMED)
			rscope_hist_add(l->hist, (now - start) >> 1, op);
		l->elapsed_ns = now - l->start_ns;
		l->retired++;
		q = q + 1 == l->qps ? 0 : q + 1;
		err = rscope_hook_stop(e, now);
		if (unlikely(err))
			return err;
	}
	return 0;
}

/* The other end of a leader's only pair. */
static __always_inline int rscope_pingpong_follow(struct rscope_engine *e, struct rscope_loop *l,
						  const enum rscope_pass pass)
{
	struct rscope_track *t = &l->track[0];
	int err;

	for (;;) {
		err = rscope_pingpong_wait(e, l, 0, 1, t->serial + 1, pass);
		if (!err)
			err = rscope_pingpong_send(e, l, 0, 1, t->serial + 2, pass);
		if (err)
			return err == RSCOPE_PINGPONG_OVER ? 0 : err;
		t->serial += 2;
	}
}

/* So that the next pass finds no completion of this one. */
static __always_inline int rscope_pingpong_drain(struct rscope_engine *e, struct rscope_loop *l,
						 const enum rscope_pass pass)
{
	u32 q, idle = 0;
	int n;

	for (q = 0; q < l->qps; q++) {
		while (l->track[q].unsent[0] || l->track[q].unsent[1]) {
			n = rscope_pingpong_look(e, l, pass);
			if (!n)
				n = rscope_pingpong_idle(e, l, &idle, pass);
			if (unlikely(n < 0))
				return n;
		}
	}
	return 0;
}

/**
 * rscope_pingpong_run() - one pass of a ping-pong
 * @e: engine the hooks work on
 * @l: loop, reset for this pass; depth, batch and signal are 1
 * @pass: TIMED, COST or COUNT, constant at each call site
 *
 * When each end has a thread, both call it for the same passes, also for one
 * without operations.
 *
 * Context: the measuring thread.
 * Return: 0 when every round trip completed, else what a hook returned.
 */
static __always_inline int rscope_pingpong_run(struct rscope_engine *e, struct rscope_loop *l,
					       const enum rscope_pass pass)
{
	int err;

	if (l->side)
		err = rscope_pingpong_follow(e, l, pass);
	else
		err = rscope_pingpong_lead(e, l, pass);
	if (err)
		return err;
	l->passes++;
	if (l->ended && !l->side)
		WRITE_ONCE(*l->ended, l->passes);
	return rscope_pingpong_drain(e, l, pass);
}

#endif /* RDMASCOPE_PINGPONG_H */
