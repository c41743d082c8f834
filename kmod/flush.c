// SPDX-License-Identifier: GPL-2.0
/*
 * When has a queue nothing left? A signalled marker behind everything else
 * tells. ib_drain_qp() is not used: it waits without limit, takes 100 ms per
 * queue on a directly polled CQ and warns on UD.
 */
#include "flush.h"

/* What the slowest device may take to flush; destroying is safe anyway. */
#define RSCOPE_FLUSH_NS (2ULL * NSEC_PER_SEC)

/**
 * struct rscope_marker - a work request waited for
 * @c: its cookie
 * @done: its completion has been seen
 * @status: status of that completion
 */
struct rscope_marker {
	struct rscope_cqe c;
	bool done;
	enum ib_wc_status status;
};

static void rscope_marker_init(struct rscope_marker *m)
{
	memset(m, 0, sizeof(*m));
	m->c.kind = RSCOPE_CQE_OTHER;
}

/* Completions of the workload that arrive here belong to an ending run. */
static void rscope_take(const struct ib_wc *wc)
{
	struct rscope_cqe *c = container_of(wc->wr_cqe, struct rscope_cqe, cqe);
	struct rscope_marker *m;

	if (c->kind != RSCOPE_CQE_OTHER)
		return;
	m = container_of(c, struct rscope_marker, c);
	m->status = wc->status;
	m->done = true;
}

static bool rscope_drain(struct ib_cq *cq)
{
	struct ib_wc wc[RSCOPE_POLL_MAX];
	int i, n = ib_poll_cq(cq, ARRAY_SIZE(wc), wc);

	for (i = 0; i < n; i++)
		rscope_take(&wc[i]);
	return n > 0;
}

/* Stop may be NULL: a teardown is not interrupted, it has its own deadline. */
static int rscope_wait_marker(struct ib_cq *cq, const struct rscope_marker *m,
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
		rscope_relax();
	}
	return 0;
}

/**
 * rscope_post_and_wait() - post one signalled work request and wait for it
 * @ep: endpoint
 * @qp: one of its QPs, nothing else outstanding on it
 * @wr: work request; wr_cqe and the signalled flag are set here
 *
 * Context: may sleep. The marker lives on the stack: when the wait ends early
 * the completion may still come, so the QP is moved to the error state and the
 * marker flushed first.
 * Return: 0, -EIO on a bad completion (kept in ep->wc_error), or why it ended.
 */
int rscope_post_and_wait(struct rscope_endpoint *ep, struct ib_qp *qp, struct ib_send_wr *wr)
{
	struct rscope_marker m;
	struct ib_wc bad = {};
	int err;

	rscope_marker_init(&m);
	wr->wr_cqe = &m.c.cqe;
	wr->send_flags |= IB_SEND_SIGNALED;
	err = ib_post_send(qp, wr, NULL);
	if (err)
		return err;
	err = rscope_wait_marker(ep->cq, &m, ep->stop, U64_MAX);
	if (err) {
		rscope_qp_to(qp, IB_QPS_ERR, NULL, 0, 0);
		rscope_wait_marker(ep->cq, &m, NULL, rscope_now_ns() + RSCOPE_FLUSH_NS);
		return err;
	}
	if (m.status == IB_WC_SUCCESS)
		return 0;
	bad.status = m.status;
	rscope_wc_failed(ep, &bad, 0);
	return -EIO;
}

/**
 * struct rscope_pair_flush - markers of one pair
 * @send: behind the operations of the active QP
 * @recv: behind the receives of the passive QP
 * @send_posted: @send is on its way
 * @recv_posted: @recv is on its way
 */
struct rscope_pair_flush {
	struct rscope_marker send;
	struct rscope_marker recv;
	bool send_posted;
	bool recv_posted;
};

static void rscope_flush_post(struct rscope_pair *p, struct rscope_pair_flush *f)
{
	struct ib_send_wr swr = { .opcode = IB_WR_SEND, .send_flags = IB_SEND_SIGNALED };
	struct ib_recv_wr rwr = {};

	rscope_marker_init(&f->send);
	rscope_marker_init(&f->recv);
	swr.wr_cqe = &f->send.c.cqe;
	rwr.wr_cqe = &f->recv.c.cqe;
	f->send_posted = p->sends_posted && p->active && !ib_post_send(p->active, &swr, NULL);
	f->recv_posted = p->recvs_posted && p->passive && !ib_post_recv(p->passive, &rwr, NULL);
}

static void rscope_flush_pair(struct rscope_endpoint *ep, struct rscope_pair *p, u64 deadline)
{
	struct rscope_pair_flush f;

	rscope_flush_post(p, &f);
	if (f.send_posted)
		rscope_wait_marker(ep->cq, &f.send, NULL, deadline);
	if (f.recv_posted)
		rscope_wait_marker(ep->cq, &f.recv, NULL, deadline);
	/*
	 * A marker that is not back is on this stack: the QP must be gone, and
	 * with it the completion, before the stack is.
	 */
	if ((f.send_posted && !f.send.done) || (f.recv_posted && !f.recv.done)) {
		ib_destroy_qp(p->active);
		ib_destroy_qp(p->passive);
		p->active = NULL;
		p->passive = NULL;
	}
}

static void rscope_flush_error(struct rscope_pair *p)
{
	if (p->active)
		rscope_qp_to(p->active, IB_QPS_ERR, NULL, 0, 0);
	if (p->passive)
		rscope_qp_to(p->passive, IB_QPS_ERR, NULL, 0, 0);
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

	for (i = 0; i < ep->nr; i++)
		rscope_flush_error(&ep->pair[i]);
	for (i = 0; i < ep->nr; i++)
		rscope_flush_pair(ep, &ep->pair[i], deadline);
}
