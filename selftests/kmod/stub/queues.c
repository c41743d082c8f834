// SPDX-License-Identifier: GPL-2.0
/*
 * Posting and polling. No byte is moved: a send completes with the status the
 * shape asks for, and everything completes with a flush error in state ERR.
 */
#include "objects.h"

static bool stub_push(struct ib_cq *ib, const struct ib_wc *wc)
{
	struct stub_cq *cq = container_of(ib, struct stub_cq, cq);
	unsigned long flags;
	bool call = false, room;

	spin_lock_irqsave(&cq->lock, flags);
	room = cq->head - cq->tail < cq->size;
	if (room) {
		cq->wc[cq->head++ % cq->size] = *wc;
		call = cq->armed;
		cq->armed = false;
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	if (call)
		ib->comp_handler(ib, ib->cq_context);
	return room;
}

static int stub_complete(struct ib_qp *ib, struct ib_cq *cq, struct ib_cqe *cqe, u64 status)
{
	struct ib_wc wc = { .wr_cqe = cqe, .qp = ib, .status = status };

	return stub_push(cq, &wc) ? 0 : -ENOMEM;
}

static int stub_send_one(struct ib_qp *ib, const struct ib_send_wr *wr)
{
	struct stub_qp *qp = container_of(ib, struct stub_qp, qp);
	u64 status = stub_value(stub_of(ib->device), STUB_WC, 1);

	if (READ_ONCE(qp->state) == IB_QPS_ERR)
		return stub_complete(ib, ib->send_cq, wr->wr_cqe, IB_WC_WR_FLUSH_ERR);
	if (qp->state != IB_QPS_RTS)
		return -EINVAL;
	if (status != IB_WC_SUCCESS)
		WRITE_ONCE(qp->state, IB_QPS_ERR);
	else if (!(wr->send_flags & IB_SEND_SIGNALED))
		return 0;
	return stub_complete(ib, ib->send_cq, wr->wr_cqe, status);
}

static int stub_post_send(struct ib_qp *qp, const struct ib_send_wr *wr,
			  const struct ib_send_wr **bad)
{
	int err = stub_failure(qp->device, STUB_VERB_post_send);

	for (; wr && !err; wr = err ? wr : wr->next)
		err = stub_send_one(qp, wr);
	*bad = wr;
	return err;
}

/* A receive that nothing arrives for completes only when it is flushed. */
static int stub_recv_one(struct ib_qp *ib, const struct ib_recv_wr *wr)
{
	struct stub_qp *qp = container_of(ib, struct stub_qp, qp);

	if (READ_ONCE(qp->state) != IB_QPS_ERR)
		return 0;
	return stub_complete(ib, ib->recv_cq, wr->wr_cqe, IB_WC_WR_FLUSH_ERR);
}

static int stub_post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr,
			  const struct ib_recv_wr **bad)
{
	int err = stub_failure(qp->device, STUB_VERB_post_recv);

	for (; wr && !err; wr = err ? wr : wr->next)
		err = stub_recv_one(qp, wr);
	*bad = wr;
	return err;
}

static int stub_poll_cq(struct ib_cq *ib, int n, struct ib_wc *wc)
{
	struct stub_cq *cq = container_of(ib, struct stub_cq, cq);
	int i, err = stub_failure(ib->device, STUB_VERB_poll_cq);
	unsigned long flags;

	if (err)
		return err;
	spin_lock_irqsave(&cq->lock, flags);
	for (i = 0; i < n && cq->tail != cq->head; i++)
		wc[i] = cq->wc[cq->tail++ % cq->size];
	spin_unlock_irqrestore(&cq->lock, flags);
	return i;
}

static int stub_req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags flags)
{
	struct stub_cq *cq = container_of(ib, struct stub_cq, cq);
	unsigned long irq;
	bool missed;

	spin_lock_irqsave(&cq->lock, irq);
	cq->armed = true;
	missed = cq->tail != cq->head;
	spin_unlock_irqrestore(&cq->lock, irq);
	return missed && (flags & IB_CQ_REPORT_MISSED_EVENTS);
}

const struct ib_device_ops stub_queue_ops = {
	.post_send = stub_post_send,
	.post_recv = stub_post_recv,
	.poll_cq = stub_poll_cq,
	.req_notify_cq = stub_req_notify_cq,
};
