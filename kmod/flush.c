// SPDX-License-Identifier: GPL-2.0
/*
 * When has a queue nothing left? A signalled marker behind everything else
 * tells. ib_drain_qp() is not used: it waits without limit, takes 100 ms per
 * queue on a directly polled CQ and warns on UD.
 */
#include "flush.h"

/* What the slowest device may take to flush; destroying is safe anyway. */
#define RSCOPE_FLUSH_NS (2ULL * NSEC_PER_SEC)

static void rscope_marker_init(struct rscope_marker *m)
{
	memset(m, 0, sizeof(*m));
	m->c.cqe.done = rscope_cq_done;
	m->c.kind = RSCOPE_CQE_OTHER;
}

/* Completions of the workload that arrive here belong to an ending run. */
static void rscope_take(const struct ib_wc *wc)
{
	struct rscope_cqe *c = rscope_cqe_of(wc);
	struct rscope_marker *m;

	if (c->kind != RSCOPE_CQE_OTHER)
		return;
	m = container_of(c, struct rscope_marker, c);
	m->status = wc->status;
	m->done = true;
}

static bool rscope_drain(struct rscope_cqueue *cq)
{
	struct ib_wc wc[RSCOPE_POLL_MAX];
	int i, n = rscope_cq_take(cq, wc, RSCOPE_POLL_MAX);

	for (i = 0; i < n; i++)
		rscope_take(&wc[i]);
	return n > 0;
}

/* Stop may be NULL: a teardown is not interrupted, it has its own deadline. */
static int rscope_wait_marker(struct rscope_cqueue *cq, const struct rscope_marker *m,
			      const struct rscope_stop *stop, u64 deadline)
{
	while (!m->done) {
		u64 now = rscope_now_ns();
		int err = stop ? rscope_stopped(stop, now) : 0;

		if (rscope_drain(cq))
			continue;
		if (err)
			return err;
		if (now > deadline)
			return -ETIMEDOUT;
		rscope_cq_idle(cq, stop);
	}
	return 0;
}

/**
 * rscope_post_and_wait() - post one signalled work request and wait for it
 * @end: end whose registration marker is free
 * @wr: work request; wr_cqe and the signalled flag are set here
 *
 * Context: may sleep.
 * Return: 0, -EIO on a bad completion (kept in lane->wc_error), or why the wait
 * ended; the endpoint can only be closed then.
 */
int rscope_post_and_wait(struct rscope_end *end, struct ib_send_wr *wr)
{
	struct rscope_lane *lane = end->lane;
	struct ib_wc bad = {};
	int err;

	rscope_marker_init(&end->reg);
	wr->wr_cqe = &end->reg.c.cqe;
	wr->send_flags |= IB_SEND_SIGNALED;
	err = ib_post_send(end->qp, wr, NULL);
	if (!err)
		err = rscope_wait_marker(&lane->cq, &end->reg, lane->ep->stop, U64_MAX);
	if (err || end->reg.status == IB_WC_SUCCESS)
		return err;
	bad.status = end->reg.status;
	rscope_wc_failed(lane, &bad, end->send.qp);
	return -EIO;
}

static bool rscope_flush_post_send(struct rscope_end *end)
{
	struct ib_send_wr wr = {
		.wr_cqe = &end->last_send.c.cqe,
		.opcode = IB_WR_SEND,
		.send_flags = IB_SEND_SIGNALED,
	};

	rscope_marker_init(&end->last_send);
	return end->sends_posted && !ib_post_send(end->qp, &wr, NULL);
}

static bool rscope_flush_post_recv(struct rscope_end *end)
{
	struct ib_recv_wr wr = { .wr_cqe = &end->last_recv.c.cqe };

	rscope_marker_init(&end->last_recv);
	return end->recvs_posted && !ib_post_recv(end->qp, &wr, NULL);
}

/* A marker that cannot be posted, or is late, is no reason to wait longer. */
static void rscope_flush_end(struct rscope_end *end, u64 deadline)
{
	if (!end->qp)
		return;
	if (rscope_flush_post_send(end))
		rscope_wait_marker(&end->lane->cq, &end->last_send, NULL, deadline);
	if (rscope_flush_post_recv(end))
		rscope_wait_marker(&end->lane->cq, &end->last_recv, NULL, deadline);
}

static void rscope_flush_error(struct rscope_end *end)
{
	if (end->qp)
		rscope_qp_to(end->qp, IB_QPS_ERR, NULL, 0, 0);
}

/**
 * rscope_flush() - let every posted work request complete
 * @ep: endpoint, also half-open
 *
 * Context: may sleep, RSCOPE_FLUSH_NS for all QPs together at most.
 */
void rscope_flush(struct rscope_endpoint *ep)
{
	u64 deadline = rscope_now_ns() + RSCOPE_FLUSH_NS;
	u32 i;

	for (i = 0; i < 2 * ep->nr; i++)
		rscope_flush_error(&ep->pair[i / 2].end[i % 2]);
	for (i = 0; i < 2 * ep->nr; i++)
		rscope_flush_end(&ep->pair[i / 2].end[i % 2], deadline);
}
