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
 *	int rscope_hook_poll(e, done, max, pass)
 *		Take at most @max completions into @done. How many, or a
 *		negative errno when one of them is an error. In the verify pass
 *		it looks at immediate data, too.
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
 *
 * Every instruction of the loop is in the figure. For the shapes of a latency and
 * of a message rate, one QP with a post call and a completion of each operation,
 * the compiler makes loops of their own, in which what is always 1 is a constant.
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

/*
 * Constant at each call site: what a pass is for, whether there is one QP whose
 * operations each have a post call and a completion, and whether there is also
 * only one of them at a time.
 */
struct rscope_how {
	enum rscope_pass pass;
	bool single;
	bool serial;
};

static __always_inline u32 rscope_loop_depth(const struct rscope_loop *l,
					     const struct rscope_how how)
{
	return how.serial ? 1 : l->depth;
}

/* As many as can be there: looking for more costs a latency something. */
static __always_inline u32 rscope_loop_poll_max(const struct rscope_loop *l,
						const struct rscope_how how)
{
	return how.serial ? 1 + l->two_sided : RSCOPE_POLL_MAX;
}

static __always_inline bool rscope_loop_is_single(const struct rscope_loop *l)
{
	return l->qps == 1 && l->batch == 1 && l->signal == 1;
}

/* How many of the @room free slots to post in one call. */
static __always_inline u32 rscope_loop_batch(const struct rscope_loop *l,
					     const struct rscope_track *t, u32 room,
					     const struct rscope_how how)
{
	u64 left = t->quota - t->posted;
	u32 n;

	if (how.single)
		return left != 0;
	n = left < l->batch ? (u32)left : l->batch;
	if (likely(n <= room))
		return n;
	/* Wait for a whole batch, unless nothing signalled is on its way. */
	return t->signals ? 0 : room;
}

/* Bit i: the i-th of the next @n posts asks for a completion. */
static __always_inline u64 rscope_loop_signals(const struct rscope_loop *l,
					       struct rscope_track *t, u32 n,
					       const struct rscope_how how)
{
	u64 mask = 0;
	u32 i;

	if (how.single)
		return 1;
	for (i = 0; i < n; i++) {
		if (--t->to_signal && t->posted + i + 1 != t->quota)
			continue;
		t->to_signal = l->signal;
		t->signals++;
		mask |= 1ULL << i;
	}
	return mask;
}

static __always_inline u32 rscope_loop_next(const struct rscope_loop *l, u32 slot,
					    const struct rscope_how how)
{
	return ++slot == rscope_loop_depth(l, how) ? 0 : slot;
}

static __always_inline void rscope_loop_stamp(struct rscope_loop *l, struct rscope_track *t,
					      u32 q, u32 n, u64 now,
					      const struct rscope_how how)
{
	u64 *stamp = &l->post_ns[(size_t)q * rscope_loop_depth(l, how)];
	u32 slot = t->head;

	for (; n; n--, slot = rscope_loop_next(l, slot, how))
		stamp[slot] = now;
}

static __always_inline bool rscope_loop_is_clocked(enum rscope_pass pass)
{
	return pass == RSCOPE_PASS_TIMED || pass == RSCOPE_PASS_COST;
}

static __always_inline int rscope_loop_post(struct rscope_engine *e, struct rscope_loop *l, u32 q,
					    u32 n, const struct rscope_how how)
{
	struct rscope_track *t = &l->track[q];
	u64 mask = rscope_loop_signals(l, t, n, how);
	u64 now = 0;
	u32 i;
	int err;

	if (how.pass == RSCOPE_PASS_VERIFY)
		for (i = 0; i < n; i++)
			rscope_hook_prepare(e, q, t->posted + i);
	if (rscope_loop_is_clocked(how.pass)) {
		now = rscope_hook_now(e);
		rscope_loop_stamp(l, t, q, n, now, how);
	}
	err = rscope_hook_post(e, q, t->head, n, mask, how.pass);
	l->post_calls++;
	if (how.pass == RSCOPE_PASS_COST)
		l->post_sum_ns += rscope_hook_now(e) - now;
	if (unlikely(err))
		return err;
	t->posted += n;
	if (how.serial)
		return 0;
	t->head += n;
	if (t->head >= l->depth)
		t->head -= l->depth;
	return 0;
}

static __always_inline int rscope_loop_fill_qp(struct rscope_engine *e, struct rscope_loop *l,
					       u32 q, const struct rscope_how how)
{
	struct rscope_track *t = &l->track[q];
	u32 n, room = rscope_loop_depth(l, how) - (u32)(t->posted - t->retired);

	for (; room; room -= n) {
		int err;

		n = rscope_loop_batch(l, t, room, how);
		if (!n)
			break;
		err = rscope_loop_post(e, l, q, n, how);
		if (unlikely(err))
			return err;
	}
	return 0;
}

/* Post on every QP until it is full. */
static __always_inline int rscope_loop_fill(struct rscope_engine *e, struct rscope_loop *l,
					    const struct rscope_how how)
{
	u32 q;

	if (how.single)
		return rscope_loop_fill_qp(e, l, 0, how);
	for (q = 0; q < l->qps; q++) {
		int err = rscope_loop_fill_qp(e, l, q, how);

		if (unlikely(err))
			return err;
	}
	return 0;
}

/* Poll until something completed; -errno on an error or a stop. */
static __always_inline int rscope_loop_wait(struct rscope_engine *e, struct rscope_loop *l,
					    struct rscope_done *done, const struct rscope_how how)
{
	u32 idle = 0;

	for (;;) {
		u64 before = how.pass == RSCOPE_PASS_COST ? rscope_hook_now(e) : 0;
		int n = rscope_hook_poll(e, done, rscope_loop_poll_max(l, how), how.pass);

		if (likely(n)) {
			if (how.pass == RSCOPE_PASS_COST)
				l->poll_sum_ns += rscope_hook_now(e) - before;
			l->poll_calls++;
			return n;
		}
		l->empty_polls++;
		rscope_hook_relax(e);
		if (++idle % RSCOPE_EMPTY_POLLS)
			continue;
		n = rscope_hook_stop(e, how.pass == RSCOPE_PASS_COUNT ? 0 : rscope_hook_now(e));
		if (n)
			return n;
	}
}

/* Is the operation to retire next a signalled one? */
static __always_inline bool rscope_loop_is_sample(const struct rscope_loop *l,
						  struct rscope_track *t,
						  const struct rscope_how how)
{
	if (how.single)
		return true;
	if (--t->to_sample && t->retired + 1 != t->quota)
		return false;
	t->to_sample = l->signal;
	t->signals--;
	return true;
}

static __always_inline void rscope_loop_retire(struct rscope_engine *e, struct rscope_loop *l,
					       u32 q, u64 limit, u64 now,
					       const struct rscope_how how)
{
	struct rscope_track *t = &l->track[q];
	const u64 *stamp = &l->post_ns[(size_t)q * rscope_loop_depth(l, how)];

	if (t->retired == limit)
		return;
	do {
		if (how.pass == RSCOPE_PASS_VERIFY)
			rscope_hook_check(e, q, t->retired);
		if (rscope_loop_is_sample(l, t, how) && how.pass == RSCOPE_PASS_TIMED)
			rscope_hist_add(l->hist, now - stamp[t->tail], l->retired);
		t->tail = rscope_loop_next(l, t->tail, how);
		l->retired++;
	} while (++t->retired < limit && !how.single);
	l->open -= t->retired == t->quota;
}

/* Completions of one QP arrive in order, so each one names its operation. */
static __always_inline void rscope_loop_credit(struct rscope_engine *e, struct rscope_loop *l,
					       const struct rscope_done *done, u64 now,
					       const struct rscope_how how)
{
	u32 q = how.single ? 0 : done->qp;
	struct rscope_track *t = &l->track[q];
	u64 sent = t->sent + (how.single ? 1 : l->signal);

	if (done->recv)
		t->received++;
	else
		t->sent = how.single || sent < t->quota ? sent : t->quota;
	sent = t->sent;
	if (l->two_sided && t->received < sent)
		sent = t->received;
	rscope_loop_retire(e, l, q, sent, now, how);
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
					     const struct rscope_how how)
{
	struct rscope_done done[RSCOPE_POLL_MAX];
	u64 now = l->start_ns;
	int i, n, err;

	while (l->open) {
		err = rscope_loop_fill(e, l, how);
		if (unlikely(err))
			return err;
		n = rscope_loop_wait(e, l, done, how);
		if (unlikely(n < 0))
			return n;
		if (how.pass != RSCOPE_PASS_COUNT)
			now = rscope_hook_now(e);
		for (i = 0; i < n; i++)
			rscope_loop_credit(e, l, &done[i], now, how);
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
	if (!rscope_loop_is_single(l))
		err = rscope_loop_turns(e, l, (struct rscope_how){ pass, false, false });
	else if (l->depth == 1)
		err = rscope_loop_turns(e, l, (struct rscope_how){ pass, true, true });
	else
		err = rscope_loop_turns(e, l, (struct rscope_how){ pass, true, false });
	for (q = 0; q < l->qps; q++)
		l->posted += l->track[q].posted;
	return err;
}

#endif /* RDMASCOPE_LOOP_H */
