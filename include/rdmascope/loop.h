/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The measured loop. One source for kernel verbs and user verbs, so that a
 * difference between two figures is not a difference between two loops.
 *
 * The includer includes pass.h, defines struct rscope_engine and these static
 * inline hooks, and then includes this file:
 *
 *	int rscope_hook_post(e, qp, slot, n, signalled, pass)
 *		Post @n work requests on QP @qp in one call, the first one in
 *		ring slot @slot (wrapping at depth); bit i of @signalled: the
 *		i-th asks for a completion. Then post the receives that were
 *		consumed. 0 or a negative errno.
 *	int rscope_hook_poll(e, done)
 *		Take at most RSCOPE_POLL_MAX completions into @done. How many,
 *		or a negative errno when one of them is an error.
 *	u64 rscope_hook_now(e)
 *		Raw monotonic clock in ns.
 *	int rscope_hook_stop(e, now)
 *		0 to go on, or the negative errno the run ends with.
 *	void rscope_hook_relax(e)
 *		Called after every empty poll.
 *
 * and, for the verify pass, which is not timed:
 *
 *	void rscope_hook_prepare(e, qp, op)
 *		Fill the source and poison the destination of operation @op.
 *	void rscope_hook_check(e, qp, op)
 *		Operation @op is complete: check destination, source, guards.
 *
 * Latency of an operation: from the clock read before its post call to the one
 * after the poll that found it complete; a send is complete when the
 * completions of both sides have been found. Only signalled operations are
 * samples: the completion of the others is not observed.
 */
#ifndef RDMASCOPE_LOOP_H
#define RDMASCOPE_LOOP_H

#include "abi.h"
#include "env.h"
#include "hist.h"
#include "pass.h"

/**
 * rscope_loop_reset() - prepare a pass
 * @l: loop; the geometry is set and stays
 * @ops: operations of this pass, 0 to go by @duration_ns
 * @duration_ns: how long to post
 */
static inline void rscope_loop_reset(struct rscope_loop *l, u64 ops, u64 duration_ns)
{
	u64 left = ops;
	u32 q;

	l->ops = ops;
	l->duration_ns = duration_ns;
	l->open = 0;
	l->posted = 0;
	l->post_calls = 0;
	l->post_sum_ns = 0;
	l->poll_calls = 0;
	l->poll_sum_ns = 0;
	l->empty_polls = 0;
	l->elapsed_ns = 0;
	WRITE_ONCE(l->retired, 0);
	for (q = 0; q < l->qps; q++) {
		struct rscope_track *t = &l->track[q];
		u64 serial = t->serial;

		memset(t, 0, sizeof(*t));
		t->serial = serial;
		/* Shares differ by one at most. */
		t->quota = ops ? div_u64(left, l->qps - q) : ~0ULL;
		left -= ops ? t->quota : 0;
		t->to_signal = l->signal;
		t->to_sample = l->signal;
		l->open += t->quota != 0;
	}
}

/* How many of the @room free slots to post in one call. */
static __always_inline u32 rscope_loop_batch(const struct rscope_loop *l,
					     const struct rscope_track *t, u32 room)
{
	u64 left = t->quota - t->posted;
	u32 n = left < l->batch ? (u32)left : l->batch;

	if (likely(n <= room))
		return n;
	/* Wait for a whole batch, unless nothing signalled is on its way. */
	return t->signals ? 0 : room;
}

/* Bit i: the i-th of the next @n posts asks for a completion. */
static __always_inline u64 rscope_loop_signals(const struct rscope_loop *l,
					       struct rscope_track *t, u32 n)
{
	u64 mask = 0;
	u32 i;

	for (i = 0; i < n; i++) {
		if (--t->to_signal && t->posted + i + 1 != t->quota)
			continue;
		t->to_signal = l->signal;
		t->signals++;
		mask |= 1ULL << i;
	}
	return mask;
}

static __always_inline u32 rscope_loop_next(const struct rscope_loop *l, u32 slot)
{
	return ++slot == l->depth ? 0 : slot;
}

static __always_inline void rscope_loop_stamp(struct rscope_loop *l, struct rscope_track *t,
					      u32 q, u32 n, u64 now)
{
	u64 *stamp = &l->post_ns[(size_t)q * l->depth];
	u32 slot = t->head;

	for (; n; n--, slot = rscope_loop_next(l, slot))
		stamp[slot] = now;
}

static __always_inline bool rscope_loop_is_clocked(enum rscope_pass pass)
{
	return pass == RSCOPE_PASS_TIMED || pass == RSCOPE_PASS_COST;
}

static __always_inline int rscope_loop_post(struct rscope_engine *e, struct rscope_loop *l, u32 q,
					    u32 n, const enum rscope_pass pass)
{
	struct rscope_track *t = &l->track[q];
	u64 mask = rscope_loop_signals(l, t, n);
	u64 now = 0;
	u32 i;
	int err;

	if (pass == RSCOPE_PASS_VERIFY)
		for (i = 0; i < n; i++)
			rscope_hook_prepare(e, q, t->posted + i);
	if (rscope_loop_is_clocked(pass)) {
		now = rscope_hook_now(e);
		rscope_loop_stamp(l, t, q, n, now);
	}
	err = rscope_hook_post(e, q, t->head, n, mask, pass);
	l->post_calls++;
	if (pass == RSCOPE_PASS_COST)
		l->post_sum_ns += rscope_hook_now(e) - now;
	if (unlikely(err))
		return err;
	t->posted += n;
	t->head += n;
	if (t->head >= l->depth)
		t->head -= l->depth;
	return 0;
}

/* Post on every QP until it is full. */
static __always_inline int rscope_loop_fill(struct rscope_engine *e, struct rscope_loop *l,
					    const enum rscope_pass pass)
{
	u32 q, n, room;
	int err;

	for (q = 0; q < l->qps; q++) {
		struct rscope_track *t = &l->track[q];

		for (room = l->depth - (u32)(t->posted - t->retired); room; room -= n) {
			n = rscope_loop_batch(l, t, room);
			if (!n)
				break;
			err = rscope_loop_post(e, l, q, n, pass);
			if (unlikely(err))
				return err;
		}
	}
	return 0;
}

/* Poll until something completed; -errno on an error or a stop. */
static __always_inline int rscope_loop_wait(struct rscope_engine *e, struct rscope_loop *l,
					    struct rscope_done *done, const enum rscope_pass pass)
{
	u32 idle = 0;

	for (;;) {
		u64 before = pass == RSCOPE_PASS_COST ? rscope_hook_now(e) : 0;
		int n = rscope_hook_poll(e, done);

		if (likely(n)) {
			if (pass == RSCOPE_PASS_COST)
				l->poll_sum_ns += rscope_hook_now(e) - before;
			l->poll_calls++;
			return n;
		}
		l->empty_polls++;
		rscope_hook_relax(e);
		if (++idle % RSCOPE_EMPTY_POLLS)
			continue;
		n = rscope_hook_stop(e, pass == RSCOPE_PASS_COUNT ? 0 : rscope_hook_now(e));
		if (n)
			return n;
	}
}

static __always_inline void rscope_loop_retire(struct rscope_engine *e, struct rscope_loop *l,
					       u32 q, u64 now, const enum rscope_pass pass)
{
	struct rscope_track *t = &l->track[q];
	u64 limit = t->sent;

	if (l->two_sided && t->received < limit)
		limit = t->received;
	if (t->retired == limit)
		return;
	for (; t->retired < limit; t->retired++, l->retired++) {
		if (pass == RSCOPE_PASS_VERIFY)
			rscope_hook_check(e, q, t->retired);
		if (!--t->to_sample || t->retired + 1 == t->quota) {
			t->to_sample = l->signal;
			t->signals--;
			if (pass == RSCOPE_PASS_TIMED)
				rscope_hist_add(l->hist,
						now - l->post_ns[(size_t)q * l->depth + t->tail],
						l->retired);
		}
		t->tail = rscope_loop_next(l, t->tail);
	}
	l->open -= t->retired == t->quota;
}

/* Completions of one QP arrive in order, so each one names its operation. */
static __always_inline void rscope_loop_credit(struct rscope_engine *e, struct rscope_loop *l,
					       const struct rscope_done *done, u64 now,
					       const enum rscope_pass pass)
{
	struct rscope_track *t = &l->track[done->qp];
	u64 sent = t->sent + l->signal;

	if (done->recv)
		t->received++;
	else
		t->sent = sent < t->quota ? sent : t->quota;
	rscope_loop_retire(e, l, done->qp, now, pass);
}

/*
 * The duration is over: every QP goes on to its next signalled post, so that
 * each operation is known complete at the end.
 */
static inline void rscope_loop_close(struct rscope_loop *l)
{
	u32 q;

	for (q = 0; q < l->qps; q++) {
		struct rscope_track *t = &l->track[q];

		if (t->quota != ~0ULL)
			continue;
		t->quota = t->posted + (t->to_signal == l->signal ? 0 : t->to_signal);
		l->open -= t->quota == t->retired;
	}
}

static __always_inline int rscope_loop_turns(struct rscope_engine *e, struct rscope_loop *l,
					     const enum rscope_pass pass)
{
	struct rscope_done done[RSCOPE_POLL_MAX];
	u64 now = l->start_ns;
	int i, n, err;

	while (l->open) {
		err = rscope_loop_fill(e, l, pass);
		if (unlikely(err))
			return err;
		n = rscope_loop_wait(e, l, done, pass);
		if (unlikely(n < 0))
			return n;
		if (pass != RSCOPE_PASS_COUNT)
			now = rscope_hook_now(e);
		for (i = 0; i < n; i++)
			rscope_loop_credit(e, l, &done[i], now, pass);
		l->elapsed_ns = now - l->start_ns;
		err = rscope_hook_stop(e, now);
		if (unlikely(err))
			return err;
		if (unlikely(l->duration_ns && l->elapsed_ns >= l->duration_ns)) {
			l->duration_ns = 0;
			rscope_loop_close(l);
		}
	}
	return 0;
}

/**
 * rscope_loop_run() - one pass
 * @e: engine the hooks work on
 * @l: loop, reset for this pass
 * @pass: constant at each call site; the compiler drops what it does not need
 *
 * Context: the measuring thread; may schedule when the relax hook does.
 * Return: 0 when every operation completed, else what a hook returned; posted
 * and retired tell how far it got.
 */
static __always_inline int rscope_loop_run(struct rscope_engine *e, struct rscope_loop *l,
					   const enum rscope_pass pass)
{
	int err;
	u32 q;

	l->start_ns = pass == RSCOPE_PASS_COUNT ? 0 : rscope_hook_now(e);
	err = rscope_loop_turns(e, l, pass);
	for (q = 0; q < l->qps; q++)
		l->posted += l->track[q].posted;
	return err;
}

#endif /* RDMASCOPE_LOOP_H */
