/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The hooks of <rdmascope/loop.h> and <rdmascope/pingpong.h> over libibverbs.
 * Included once, by engine.c, so that all of it is inlined into the loop.
 */
#ifndef HOOKS_H
#define HOOKS_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <rdmascope/pass.h>

#include "engine.h"
#include "figures.h"
#include "lanes.h"
#include "verify.h"
#include "words.h"

/**
 * struct rscope_engine - what the hooks of one lane work on
 * @ep: endpoint
 * @job: what to run
 * @gate: where lanes meet, and what ends all of them
 * @lane: number of this lane
 * @cq: its CQ
 * @other: CQ of the other end's thread while that one rests, else NULL
 * @first: its pairs
 * @f: where figures go
 * @loop: the loop
 * @verify: the verify pass
 * @send_flags: of every work request: inline or nothing
 * @delay_ns: added to each post of the timed pass, 0 = nothing
 * @sleeps: sleep after an empty poll; never while system calls are counted
 */
struct rscope_engine {
	struct endpoint *ep;
	struct engine_job *job;
	struct gate *gate;
	u32 lane;
	struct cqueue *cq;
	struct cqueue *other;
	struct pair *first;
	struct figures *f;
	struct rscope_loop loop;
	struct verify verify;
	unsigned int send_flags;
	u64 delay_ns;
	bool sleeps;
};

/* ------------------------------------------------------------------- hooks */

static __always_inline int post_owed(struct end *end)
{
	u32 n = end->rq_wrs, last = end->recv_head + end->owed - 1;
	struct ibv_recv_wr *tail, *next, *bad;
	int err;

	if (!end->owed)
		return 0;
	tail = &end->recv[last >= n ? last - n : last];
	next = tail->next;
	tail->next = NULL;
	err = ibv_post_recv(end->qp, &end->recv[end->recv_head], &bad);
	tail->next = next;
	end->recv_head += end->owed;
	if (end->recv_head >= n)
		end->recv_head -= n;
	end->owed = 0;
	return -err;
}

/* For calibration: a known cost in every operation. */
static void delay(u64 ns)
{
	u64 until = endpoint_now() + ns;

	while (endpoint_now() < until)
		;
}

/* So that a test can show that the count would notice. */
static void extra_calls(u64 n)
{
	while (n--)
		syscall(SYS_getppid);
}

/* The ring is chained for good; a post cuts it behind its last entry. */
static __always_inline int rscope_hook_post(struct rscope_engine *e, u32 qp, u32 slot, u32 n,
					    u64 signalled, const enum rscope_pass pass)
{
	struct pair *p = &e->first[qp];
	struct ibv_send_wr *first = &p->end[0].wr[slot], *wr = first, *next, *bad;
	int err;

	if (pass == RSCOPE_PASS_TIMED && unlikely(e->delay_ns))
		delay(e->delay_ns * n);
	if (pass == RSCOPE_PASS_COUNT)
		extra_calls(e->job->extra_calls);
	for (;; wr = wr->next, signalled >>= 1) {
		wr->send_flags = e->send_flags | (signalled & 1 ? IBV_SEND_SIGNALED : 0);
		if (!--n)
			break;
	}
	next = wr->next;
	wr->next = NULL;
	err = ibv_post_send(p->end[0].qp, first, &bad);
	wr->next = next;
	return unlikely(err) ? -err : post_owed(&p->end[1]);
}

static void note_failure(struct rscope_engine *e, const struct ibv_wc *wc)
{
	struct rscope_report *r = &e->f->run->r;

	e->f->wc_status = (int)wc->status;
	rscope_report_text(r, wc_status, words_wc_status(wc->status));
	r->vendor_err = wc->vendor_err;
}

static __always_inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done,
					    u32 max, const enum rscope_pass pass)
{
	struct ibv_wc wc[RSCOPE_POLL_MAX];
	int i, n;

	/* What came before the error has counted; this poll ends the pass. */
	if (unlikely(e->f->wc_status))
		return -EIO;
	n = cqueue_take(e->cq, (int)max, wc);
	for (i = 0; i < n; i++) {
		struct end *end;

		if (unlikely(wc[i].status != IBV_WC_SUCCESS)) {
			note_failure(e, &wc[i]);
			return i ? i : -EIO;
		}
		done[i].qp = WR_ID_QP(wc[i].wr_id);
		done[i].side = WR_ID_SIDE(wc[i].wr_id);
		done[i].recv = WR_ID_RECV(wc[i].wr_id);
		end = &e->first[done[i].qp].end[done[i].side];
		if (pass == RSCOPE_PASS_VERIFY && done[i].recv && rscope_op_has_imm(e->job->w->op))
			verify_imm(&e->verify, done[i].qp, end->received, &wc[i], e->loop.retired);
		end->owed += done[i].recv;
		end->received += done[i].recv;
	}
	return n < 0 ? -EIO : n;
}

static void swap_cqs(struct rscope_engine *e)
{
	struct cqueue *cq = e->cq;

	e->cq = e->other;
	e->other = cq;
}

static __always_inline u64 rscope_hook_now(struct rscope_engine *e)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (u64)t.tv_sec * 1000000000ULL + (u64)t.tv_nsec;
}

static __always_inline int rscope_hook_stop(struct rscope_engine *e, u64 now)
{
	if (unlikely(READ_ONCE(e->gate->broken)))
		return e->gate->broken;
	return watch_why(e->job->watch, now);
}

static __always_inline void rscope_hook_relax(struct rscope_engine *e)
{
	if (unlikely(e->other))
		swap_cqs(e);
	else if (unlikely(e->sleeps))
		cqueue_sleep(e->cq, e->job->watch->stop);
}

/* ------------------------------------------------------- hooks of the check */

static void rscope_hook_prepare(struct rscope_engine *e, u32 qp, u64 op)
{
	verify_prepare(&e->verify, qp, op);
}

static void rscope_hook_check(struct rscope_engine *e, u32 qp, u64 op)
{
	verify_check(&e->verify, qp, op, e->loop.retired);
}

/* -------------------------------------------------------- hooks of ping-pong */

/* The last byte of slot 0, which devices write last; perftest relies on the same. */
static __always_inline volatile u8 *last_byte(struct rscope_engine *e, u32 qp, u32 side)
{
	struct pair *p = &e->first[qp];
	const struct rscope_layout *l = &e->ep->layout;

	return (side ? p->dst : p->src) + rscope_slot_offset(l, 0) + l->size - 1;
}

/* Writes are found by looking at the last byte: each message counts it up. */
static __always_inline int rscope_hook_ping(struct rscope_engine *e, u32 qp, u32 side, u64 serial)
{
	struct pair *p = &e->first[qp];
	struct end *end = &p->end[side];
	struct ibv_send_wr *bad;
	int err;

	if (!e->loop.two_sided)
		*last_byte(e, qp, side) = (u8)serial;
	end->wr->send_flags = e->send_flags | IBV_SEND_SIGNALED;
	end->wr->next = NULL;
	err = ibv_post_send(end->qp, end->wr, &bad);
	end->wr->next = end->wr;
	return unlikely(err) ? -err : post_owed(end);
}

static __always_inline bool rscope_hook_landed(struct rscope_engine *e, u32 qp, u32 side,
					       u64 serial)
{
	return !e->loop.two_sided && *last_byte(e, qp, side) == (u8)serial;
}

#endif /* HOOKS_H */
