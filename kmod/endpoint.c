// SPDX-License-Identifier: GPL-2.0
/*
 * What does a run need from verbs? PD, CQ, QP pairs connected to each other,
 * registered buffers, prepared work requests; each step timed, each undone by
 * one teardown that copes with any half of them.
 */
#include <linux/slab.h>
#include "endpoint.h"
#include "fault.h"
#include "flush.h"
#include "support.h"

typedef int (*rscope_step)(struct rscope_endpoint *ep, struct rscope_pair *p,
			   struct rscope_error *e);

static int rscope_open_pd(struct rscope_endpoint *ep, struct rscope_pair *p,
			  struct rscope_error *e)
{
	struct ib_pd *pd = rscope_fault_hit(RSCOPE_FAULT_PD) ? ERR_PTR(-ENOMEM) :
			   ib_alloc_pd(ep->ib, 0);

	if (IS_ERR(pd))
		return rscope_fail(e, PTR_ERR(pd), "cannot allocate a PD: %ld", PTR_ERR(pd));
	ep->pd = pd;
	return 0;
}

static int rscope_open_cq(struct rscope_endpoint *ep, struct rscope_pair *p,
			  struct rscope_error *e)
{
	int entries = ep->nr * (ep->l->sq_wrs + ep->l->rq_wrs + 2 * RSCOPE_WR_RESERVE);
	struct ib_cq *cq = rscope_fault_hit(RSCOPE_FAULT_CQ) ? ERR_PTR(-ENOMEM) :
			   ib_alloc_cq_any(ep->ib, ep, entries, IB_POLL_DIRECT);

	if (IS_ERR(cq))
		return rscope_fail(e, PTR_ERR(cq), "cannot create a CQ of %d entries: %ld", entries,
				   PTR_ERR(cq));
	ep->cq = cq;
	return 0;
}

/* These say that the driver does not do RC, rather than that it failed. */
static int rscope_no_qp(long err, struct rscope_error *e)
{
	if (err == -EOPNOTSUPP || err == -EINVAL)
		return rscope_fail(e, -EOPNOTSUPP, "the driver refuses an RC QP: %ld", err);
	return rscope_fail(e, (int)err, "cannot create a QP: %ld", err);
}

static int rscope_open_qps(struct rscope_endpoint *ep, struct rscope_pair *p,
			   struct rscope_error *e)
{
	struct ib_qp *qp;

	qp = rscope_qp_create(ep->pd, ep->cq, ep->l->sq_wrs + RSCOPE_WR_RESERVE, 1);
	if (IS_ERR(qp))
		return rscope_no_qp(PTR_ERR(qp), e);
	p->active = qp;
	qp = rscope_qp_create(ep->pd, ep->cq, RSCOPE_WR_RESERVE,
			      ep->l->rq_wrs + RSCOPE_WR_RESERVE);
	if (IS_ERR(qp))
		return rscope_no_qp(PTR_ERR(qp), e);
	p->passive = qp;
	return 0;
}

static int rscope_to_init(struct rscope_endpoint *ep, struct rscope_pair *p,
			  struct rscope_error *e)
{
	int err = rscope_qp_to(p->active, IB_QPS_INIT, &ep->plan, 0, 0);

	if (!err)
		err = rscope_qp_to(p->passive, IB_QPS_INIT, &ep->plan, 0, 0);
	return err ? rscope_fail(e, err, "QP to INIT on port %u: %d", ep->plan.addr.port, err) : 0;
}

/* Any PSN will do; one that cannot be guessed keeps strays of old QPs out. */
static u32 rscope_psn(const struct ib_qp *qp, const struct rscope_endpoint *ep)
{
	return (qp->qp_num * 2654435761U ^ (u32)(uintptr_t)ep) & 0xffffff;
}

static int rscope_to_rtr(struct rscope_endpoint *ep, struct rscope_pair *p,
			 struct rscope_error *e)
{
	int err = rscope_qp_to(p->passive, IB_QPS_RTR, &ep->plan, p->active->qp_num,
			       rscope_psn(p->active, ep));

	if (!err)
		err = rscope_qp_to(p->active, IB_QPS_RTR, &ep->plan, p->passive->qp_num,
				   rscope_psn(p->passive, ep));
	if (err)
		return rscope_fail(e, err, "QP to RTR with GID index %u, MTU %d: %d",
				   ep->plan.addr.gid_index, ib_mtu_enum_to_int(ep->plan.addr.mtu),
				   err);
	return 0;
}

static int rscope_to_rts(struct rscope_endpoint *ep, struct rscope_pair *p,
			 struct rscope_error *e)
{
	int err = rscope_qp_to(p->passive, IB_QPS_RTS, &ep->plan, 0, rscope_psn(p->passive, ep));

	if (!err)
		err = rscope_qp_to(p->active, IB_QPS_RTS, &ep->plan, 0, rscope_psn(p->active, ep));
	return err ? rscope_fail(e, err, "QP to RTS: %d", err) : 0;
}

/*
 * Local and remote write go together: strict drivers refuse the one without
 * the other. A source that is only read locally needs no right at all, but
 * local write costs nothing and keeps one rule.
 */
static int rscope_access(const struct rscope_workload *w, bool source)
{
	if (rscope_op_is_inbound(w->op))
		return source ? IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_READ :
				IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE;
	if (source || rscope_op_is_send(w->op))
		return IB_ACCESS_LOCAL_WRITE;
	return IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE;
}

static int rscope_register(struct rscope_endpoint *ep, struct rscope_pair *p, bool active,
			   struct rscope_region *r, int access, struct rscope_error *e)
{
	struct ib_qp *qp = active ? p->active : p->passive;
	u32 i;

	for (i = 0; i < r->nr_mrs; i++) {
		struct ib_reg_wr reg = {
			.wr.opcode = IB_WR_REG_MR,
			.mr = r->mr[i],
			.key = r->mr[i]->rkey,
			.access = access,
		};
		int err = rscope_post_and_wait(ep, p, qp, &reg.wr);

		if (err)
			return rscope_fail(e, err, "REG_MR of %u pages: %d, %s", r->nr_pages, err,
					   ib_wc_status_msg(ep->wc_error.status));
	}
	return 0;
}

/* The active side owns the source of a write or send, the destination of a read. */
static int rscope_open_mrs(struct rscope_endpoint *ep, struct rscope_pair *p,
			   struct rscope_error *e)
{
	bool inbound = rscope_op_is_inbound(ep->w->op);
	int err;

	err = rscope_region_alloc(&p->src, ep->pd, ep->l, ep->l->src_slots, e);
	if (!err)
		err = rscope_region_alloc(&p->dst, ep->pd, ep->l, ep->l->dst_slots, e);
	if (!err)
		err = rscope_register(ep, p, !inbound, &p->src, rscope_access(ep->w, true), e);
	if (!err)
		err = rscope_register(ep, p, inbound, &p->dst, rscope_access(ep->w, false), e);
	return err;
}

static int rscope_open_rings(struct rscope_endpoint *ep, struct rscope_pair *p,
			     struct rscope_error *e)
{
	p->wr = kvcalloc(ep->l->sq_wrs, sizeof(*p->wr), GFP_KERNEL);
	p->sge = kvcalloc(ep->l->sq_wrs, sizeof(*p->sge), GFP_KERNEL);
	if (!p->wr || !p->sge)
		return rscope_fail(e, -ENOMEM, "no memory for %u work requests", ep->l->sq_wrs);
	if (!ep->l->rq_wrs)
		return 0;
	p->rwr = kvcalloc(ep->l->rq_wrs, sizeof(*p->rwr), GFP_KERNEL);
	p->rsge = kvcalloc(ep->l->rq_wrs, sizeof(*p->rsge), GFP_KERNEL);
	if (!p->rwr || !p->rsge)
		return rscope_fail(e, -ENOMEM, "no memory for %u receives", ep->l->rq_wrs);
	return 0;
}

/* Receive i of the ring always lies in slot i % dst_slots. */
static void rscope_prepare_recvs(struct rscope_endpoint *ep, struct rscope_pair *p)
{
	u32 i, slot = 0;

	for (i = 0; i < ep->l->rq_wrs; i++) {
		rscope_region_sge(&p->dst, slot, &p->rsge[i]);
		p->rwr[i].wr_cqe = &p->recv.cqe;
		p->rwr[i].sg_list = &p->rsge[i];
		p->rwr[i].num_sge = 1;
		slot = slot + 1 == ep->l->dst_slots ? 0 : slot + 1;
	}
}

/**
 * rscope_endpoint_post_recvs() - post the next receives of the ring
 * @p: pair
 * @n: how many, at most the ring
 * @ring: length of the ring
 *
 * Context: any.
 * Return: 0 or what the driver says.
 */
int rscope_endpoint_post_recvs(struct rscope_pair *p, u32 n, u32 ring)
{
	struct ib_recv_wr *first = &p->rwr[p->rhead], *wr = first;

	for (;;) {
		p->rhead = p->rhead + 1 == ring ? 0 : p->rhead + 1;
		if (!--n)
			break;
		wr->next = &p->rwr[p->rhead];
		wr = &p->rwr[p->rhead];
	}
	wr->next = NULL;
	p->recvs_posted = true;
	return ib_post_recv(p->passive, first, NULL);
}

/*
 * Receives before the first send. They need MRs registered by a QP in RTS, so
 * they cannot come before RTS; both ends are ours, and nothing is sent yet.
 */
static int rscope_open_recvs(struct rscope_endpoint *ep, struct rscope_pair *p,
			     struct rscope_error *e)
{
	int err;

	if (!ep->l->rq_wrs)
		return 0;
	rscope_prepare_recvs(ep, p);
	err = rscope_endpoint_post_recvs(p, ep->l->rq_wrs, ep->l->rq_wrs);
	return err ? rscope_fail(e, err, "cannot post %u receives: %d", ep->l->rq_wrs, err) : 0;
}

/* The order of a run's setup. per_pair steps are done for every pair. */
static const struct {
	enum rscope_stage stage;
	bool per_pair;
	rscope_step step;
} rscope_steps[] = {
	{ RSCOPE_STAGE_PD, false, rscope_open_pd },
	{ RSCOPE_STAGE_CQ, false, rscope_open_cq },
	{ RSCOPE_STAGE_QP, true, rscope_open_qps },
	{ RSCOPE_STAGE_INIT, true, rscope_to_init },
	{ RSCOPE_STAGE_RTR, true, rscope_to_rtr },
	{ RSCOPE_STAGE_RTS, true, rscope_to_rts },
	{ RSCOPE_STAGE_MR, true, rscope_open_mrs },
	{ RSCOPE_STAGE_MR, true, rscope_open_rings },
	{ RSCOPE_STAGE_MR, true, rscope_open_recvs },
};

static int rscope_do_step(struct rscope_endpoint *ep, u32 i, struct rscope_error *e)
{
	u32 q, n = rscope_steps[i].per_pair ? ep->nr : 1;
	u64 start = rscope_now_ns();
	int err = 0;

	ep->stage = rscope_steps[i].stage;
	for (q = 0; !err && q < n; q++) {
		err = rscope_stopped(ep->stop, rscope_now_ns());
		if (err)
			rscope_fail(e, err, "stopped while setting up");
		else
			err = rscope_steps[i].step(ep, &ep->pair[q], e);
		/* Driver calls may be long; a soft device needs the CPU. */
		cond_resched();
	}
	ep->setup_ns[ep->stage] += rscope_now_ns() - start;
	return err;
}

static void rscope_pair_init(struct rscope_pair *p, u32 q)
{
	p->send.qp = q;
	p->send.kind = RSCOPE_CQE_SEND;
	p->recv.qp = q;
	p->recv.kind = RSCOPE_CQE_RECV;
}

/**
 * rscope_endpoint_open() - set everything up
 * @ep: ib, w, l, plan and stop are set, the rest is zero
 * @e: reason
 *
 * Context: may sleep; the thread that will run the loop.
 * Return: 0, -EOPNOTSUPP when the driver cannot do it, or the errno of the
 * step named by ep->stage. rscope_endpoint_close() it in any case.
 */
int rscope_endpoint_open(struct rscope_endpoint *ep, struct rscope_error *e)
{
	int err = 0;
	u32 i;

	ep->nr = ep->w->qps;
	ep->pair = kvcalloc(ep->nr, sizeof(*ep->pair), GFP_KERNEL);
	if (!ep->pair)
		return rscope_fail(e, -ENOMEM, "no memory for %u QP pairs", ep->nr);
	for (i = 0; i < ep->nr; i++)
		rscope_pair_init(&ep->pair[i], i);
	for (i = 0; !err && i < ARRAY_SIZE(rscope_steps); i++)
		err = rscope_do_step(ep, i, e);
	return err;
}

static void rscope_pair_free(struct rscope_pair *p)
{
	rscope_region_free(&p->src);
	rscope_region_free(&p->dst);
	kvfree(p->wr);
	kvfree(p->sge);
	kvfree(p->rwr);
	kvfree(p->rsge);
}

/**
 * rscope_endpoint_close() - flush and destroy whatever exists
 * @ep: endpoint, also one whose opening failed half-way
 *
 * QPs and CQ go first: after that no driver callback and no DMA can reach the
 * memory, even when the flush ran into its deadline.
 *
 * Context: may sleep.
 */
void rscope_endpoint_close(struct rscope_endpoint *ep)
{
	u64 start = rscope_now_ns();
	u32 i;

	if (!ep->pair)
		return;
	rscope_flush(ep);
	for (i = 0; i < ep->nr; i++) {
		if (ep->pair[i].active)
			ib_destroy_qp(ep->pair[i].active);
		if (ep->pair[i].passive)
			ib_destroy_qp(ep->pair[i].passive);
	}
	if (ep->cq)
		ib_free_cq(ep->cq);
	for (i = 0; i < ep->nr; i++)
		rscope_pair_free(&ep->pair[i]);
	if (ep->pd)
		ib_dealloc_pd(ep->pd);
	kvfree(ep->pair);
	ep->pair = NULL;
	ep->teardown_ns = rscope_now_ns() - start;
}
