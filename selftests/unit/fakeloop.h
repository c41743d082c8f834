/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A device that exists only in memory, under the measured loop: completions in
 * random bursts, in order within a queue and in any order between queues, on a
 * clock that goes on by itself. It keeps its own books, and every hook asserts
 * what the loop owes it.
 */
#ifndef RDMASCOPE_FAKELOOP_H
#define RDMASCOPE_FAKELOOP_H

#include <errno.h>
#include <stdio.h>

#include "unit.h"
#include <rdmascope/abi.h>
#include <rdmascope/hist.h>
#include <rdmascope/pass.h>

#define FAKE_QPS 3
#define FAKE_DEPTH 128
/* Operations of one QP the books can hold; a longer run is a loop that does not end. */
#define FAKE_OPS 4096

/* One QP pair: all numbers count operations since the pass began. */
struct fake_qp {
	u64 posted;
	u64 sent; /* send completions polled cover so many */
	u64 received;
	u64 complete; /* both are known */
	u64 prepared;
	u64 checked;
	u64 reposted; /* receives posted again */
	u64 signalled_nr; /* signalled operations posted */
	u32 next_slot;
	u64 next_signal; /* search for the next send completion from here */
	bool signalled[FAKE_OPS];
	u64 stamp[FAKE_OPS];
};

struct rscope_engine {
	/* What the loop was told. */
	u32 depth;
	u32 batch;
	u32 signal;
	u32 qps;
	bool two_sided;
	enum rscope_pass pass;
	/* The device. */
	u64 seed;
	u64 clock;
	u32 burst;
	u64 jump_at; /* what this successful poll, from 1, finds came late; 0 = none */
	u64 jump_ns; /* by so much */
	u32 lazy; /* one poll of so many finds something */
	struct fake_qp qp[FAKE_QPS];
	/* Errors on demand: the n-th call fails, 0 = never. */
	u64 fail_post;
	u64 fail_poll;
	u64 fail_stop;
	int fail_with;
	/* The books. */
	u64 posts;
	u64 polls;
	u64 stops;
	u64 relaxes;
	u64 nows;
	u64 idle; /* empty polls since the last stop hook */
	u64 retired;
	u64 found_polls;
	u64 post_time;
	u64 poll_time;
	u64 clock_at_call;
	bool in_post;
	bool after_poll;
	u32 fresh_nr;
	struct rscope_done fresh[RSCOPE_POLL_MAX]; /* polled, not yet clocked */
	struct rscope_hist hist; /* the truth */
};

static inline bool fake_outstanding(const struct rscope_engine *e)
{
	u32 q;

	for (q = 0; q < e->qps; q++)
		if (e->qp[q].complete < e->qp[q].posted)
			return true;
	return false;
}

static inline int rscope_hook_post(struct rscope_engine *e, u32 q, u32 slot, u32 n, u64 signalled,
				   enum rscope_pass pass)
{
	struct fake_qp *qp = &e->qp[q];
	u32 i;

	assert_int_equal(pass, e->pass);
	assert_in_range(q, 0, e->qps - 1);
	assert_in_range(n, 1, e->batch);
	assert_int_equal(slot, qp->next_slot);
	assert_true(n == 64 || !(signalled >> n));
	if (++e->posts == e->fail_post)
		return e->fail_with;
	for (i = 0; i < n; i++) {
		u64 op = qp->posted++;

		assert_true(op < FAKE_OPS);
		qp->signalled[op] = signalled >> i & 1;
		qp->signalled_nr += signalled >> i & 1;
		qp->stamp[op] = e->clock;
	}
	qp->next_slot = (slot + n) % e->depth;
	assert_true(qp->posted - qp->complete <= e->depth);
	/* Sends arrive at once: the worst case for the receive queue. */
	assert_true(qp->posted <= 2 * (u64)e->depth + qp->reposted || !e->two_sided);
	qp->reposted = qp->received;
	if (pass == RSCOPE_PASS_VERIFY)
		assert_int_equal(qp->prepared, qp->posted);
	e->clock_at_call = e->clock;
	e->in_post = true;
	return 0;
}

/* The next send completion of a QP, if it has one under way. */
static inline bool fake_send_done(struct fake_qp *qp)
{
	while (qp->next_signal < qp->posted) {
		if (qp->signalled[qp->next_signal++]) {
			qp->sent = qp->next_signal;
			return true;
		}
	}
	return false;
}

static inline bool fake_one(struct rscope_engine *e, struct rscope_done *done)
{
	u32 start = (u32)unit_range(&e->seed, 0, 2 * e->qps - 1), i;

	for (i = 0; i < 2 * e->qps; i++) {
		u32 pick = (start + i) % (2 * e->qps);
		struct fake_qp *qp = &e->qp[pick / 2];

		done->qp = pick / 2;
		done->recv = pick % 2;
		if (!done->recv && fake_send_done(qp))
			return true;
		if (done->recv && e->two_sided && qp->received < qp->posted) {
			qp->received++;
			return true;
		}
	}
	return false;
}

static inline void fake_complete(struct rscope_engine *e, u32 q)
{
	struct fake_qp *qp = &e->qp[q];
	u64 limit = e->two_sided && qp->received < qp->sent ? qp->received : qp->sent;

	for (; qp->complete < limit; qp->complete++, e->retired++)
		if (e->pass == RSCOPE_PASS_TIMED && qp->signalled[qp->complete])
			rscope_hist_add(&e->hist, e->clock - qp->stamp[qp->complete], e->retired);
}

/* What the last poll found is complete now, in the order it was found. */
static inline void fake_settle(struct rscope_engine *e)
{
	struct fake_qp *qp;
	u64 sent[FAKE_QPS], received[FAKE_QPS], back;
	u32 i;

	/* Replay: each completion counts with those found before it only. */
	for (i = 0; i < e->qps; i++) {
		sent[i] = e->qp[i].sent;
		received[i] = e->qp[i].received;
	}
	for (i = e->fresh_nr; i--;) {
		qp = &e->qp[e->fresh[i].qp];
		if (e->fresh[i].recv) {
			qp->received--;
			continue;
		}
		for (back = qp->sent - 1; back && !qp->signalled[back - 1];)
			back--;
		qp->sent = back;
	}
	for (i = 0; i < e->fresh_nr; i++) {
		qp = &e->qp[e->fresh[i].qp];
		if (e->fresh[i].recv) {
			qp->received++;
		} else {
			while (!qp->signalled[qp->sent++])
				;
		}
		fake_complete(e, e->fresh[i].qp);
	}
	for (i = 0; i < e->qps; i++) {
		assert_int_equal(e->qp[i].sent, sent[i]);
		assert_int_equal(e->qp[i].received, received[i]);
	}
	e->fresh_nr = 0;
}

static inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done, u32 max,
				   const enum rscope_pass pass)
{
	u32 n = 0, most;

	assert_int_equal(e->fresh_nr, 0);
	assert_in_range(max, 1, RSCOPE_POLL_MAX);
	e->in_post = false;
	if (++e->polls == e->fail_poll)
		return e->fail_with;
	/* Nothing outstanding: a loop that polls now would do so for ever. */
	assert_true(fake_outstanding(e));
	e->clock_at_call = e->clock;
	if (unit_range(&e->seed, 1, e->lazy) == 1) {
		most = (u32)unit_range(&e->seed, 1, e->burst < max ? e->burst : max);
		while (n < most && fake_one(e, &done[n])) {
			e->fresh[n] = done[n];
			n++;
		}
	}
	e->fresh_nr = n;
	e->after_poll = n;
	e->found_polls += n != 0;
	e->idle += !n;
	if (e->pass == RSCOPE_PASS_COUNT)
		fake_settle(e);
	return (int)n;
}

static inline u64 rscope_hook_now(struct rscope_engine *e)
{
	/* The pass that counts system calls must not make any. */
	assert_int_not_equal(e->pass, RSCOPE_PASS_COUNT);
	e->nows++;
	e->clock += unit_range(&e->seed, 1, 1000);
	if (e->after_poll && e->found_polls == e->jump_at)
		e->clock += e->jump_ns;
	if (e->in_post)
		e->post_time += e->clock - e->clock_at_call;
	if (e->after_poll && e->pass == RSCOPE_PASS_COST)
		e->poll_time += e->clock - e->clock_at_call;
	/* In the cost pass the first read ends the poll, the second the operation. */
	if (e->pass != RSCOPE_PASS_COST || !e->after_poll)
		fake_settle(e);
	e->in_post = false;
	e->after_poll = false;
	return e->clock;
}

static inline int rscope_hook_stop(struct rscope_engine *e, u64 now)
{
	if (e->pass == RSCOPE_PASS_COUNT)
		assert_int_equal(now, 0);
	else
		assert_int_equal(now, e->clock);
	e->idle = 0;
	return ++e->stops == e->fail_stop ? e->fail_with : 0;
}

static inline void rscope_hook_relax(struct rscope_engine *e)
{
	/* Waiting for what will never come is the loop's fault: fail, do not hang. */
	assert_true(++e->relaxes < 1000000);
	/* A deadline is never looked at later than this. */
	assert_in_range(e->idle, 1, RSCOPE_EMPTY_POLLS);
}

static inline void rscope_hook_prepare(struct rscope_engine *e, u32 q, u64 op)
{
	struct fake_qp *qp = &e->qp[q];

	assert_int_equal(e->pass, RSCOPE_PASS_VERIFY);
	assert_int_equal(op, qp->prepared);
	qp->prepared++;
	/* The slot of operation op - depth must have been looked at. */
	assert_true(qp->prepared - qp->checked <= e->depth);
}

static inline void rscope_hook_check(struct rscope_engine *e, u32 q, u64 op)
{
	struct fake_qp *qp = &e->qp[q];

	assert_int_equal(e->pass, RSCOPE_PASS_VERIFY);
	assert_int_equal(op, qp->checked);
	assert_true(op < qp->posted);
	qp->checked++;
}

#include <rdmascope/loop.h>

#endif /* RDMASCOPE_FAKELOOP_H */
