/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The measured loop of a ping-pong: one message there, one back, half the round
 * trip is the latency, as in perftest's write and send latency.
 *
 * Include it after loop.h. It needs two more hooks:
 *
 *	int rscope_hook_ping(e, qp, side, serial)
 *		Post message number @serial from end @side of pair @qp,
 *		signalled.
 *	bool rscope_hook_landed(e, qp, side, serial)
 *		Writes: is message @serial in the memory of end @side? False for
 *		sends, whose arrival is a receive completion.
 *
 * A message counts when it has arrived and its own completion has been found,
 * so that one work request per queue is enough.
 */
#ifndef RDMASCOPE_PINGPONG_H
#define RDMASCOPE_PINGPONG_H

#include "loop.h"

/* The completion of a message and that of the receive it consumed. */
#define RSCOPE_PINGPONG_DONE 2

static __always_inline int rscope_pingpong_half(struct rscope_engine *e, struct rscope_loop *l,
						u32 q, u32 side, u64 serial,
						const enum rscope_pass pass)
{
	struct rscope_done done[RSCOPE_PINGPONG_DONE];
	bool sent = false, landed = false;
	u32 idle = 0;
	int i, n, err = rscope_hook_ping(e, q, side, serial);

	l->post_calls++;
	if (unlikely(err))
		return err;
	for (;;) {
		n = rscope_hook_poll(e, done, RSCOPE_PINGPONG_DONE);
		if (unlikely(n < 0))
			return n;
		for (i = 0; i < n; i++)
			*(done[i].recv ? &landed : &sent) = true;
		if (!landed)
			landed = rscope_hook_landed(e, q, !side, serial);
		if (sent && landed)
			return 0;
		if (n)
			continue;
		l->empty_polls++;
		rscope_hook_relax(e);
		if (++idle % RSCOPE_EMPTY_POLLS)
			continue;
		err = rscope_hook_stop(e, pass == RSCOPE_PASS_COUNT ? 0 : rscope_hook_now(e));
		if (unlikely(err))
			return err;
	}
}

/**
 * rscope_pingpong_run() - one pass of a ping-pong
 * @e: engine the hooks work on
 * @l: loop, reset for this pass; depth, batch and signal are 1
 * @pass: TIMED or COUNT, constant at each call site
 *
 * Context: the measuring thread.
 * Return: 0 when every round trip completed, else what a hook returned.
 */
static __always_inline int rscope_pingpong_run(struct rscope_engine *e, struct rscope_loop *l,
					       const enum rscope_pass pass)
{
	u64 start = 0, now = 0, op;
	u32 q = 0;
	int err;

	for (op = 0; l->ops ? op < l->ops : l->elapsed_ns < l->duration_ns; op++) {
		if (pass != RSCOPE_PASS_COUNT)
			start = rscope_hook_now(e);
		if (!op)
			l->start_ns = start;
		l->posted++;
		err = rscope_pingpong_half(e, l, q, 0, ++l->track[q].serial, pass);
		if (!err)
			err = rscope_pingpong_half(e, l, q, 1, ++l->track[q].serial, pass);
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

#endif /* RDMASCOPE_PINGPONG_H */
