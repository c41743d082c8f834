// SPDX-License-Identifier: GPL-2.0
/*
 * What does a run need from verbs? PD, CQs, QP pairs connected to each other,
 * registered buffers, prepared work requests; each step timed, each undone by
 * one teardown that copes with any half of them.
 */
#include <linux/slab.h>
#include "buffers.h"
#include "connect.h"
#include "endpoint.h"
#include "fault.h"
#include "flush.h"
#include "support.h"

static int rscope_open_pd(struct rscope_endpoint *ep, u32 unused, struct rscope_error *e)
{
	struct ib_pd *pd = rscope_fault_hit(RSCOPE_FAULT_PD) ? ERR_PTR(-ENOMEM) :
			   ib_alloc_pd(ep->ib, 0);

	if (IS_ERR(pd))
		return rscope_fail(e, PTR_ERR(pd), "cannot allocate a PD: %ld", PTR_ERR(pd));
	ep->pd = pd;
	return 0;
}

static int rscope_open_cq(struct rscope_endpoint *ep, u32 lane, struct rscope_error *e)
{
	struct rscope_lane *l = &ep->lane[lane];
	u32 entries = l->nr * rscope_pair_cqes(ep->w, ep->l);
	int err = rscope_fault_hit(RSCOPE_FAULT_CQ) ? -ENOMEM :
		  rscope_cq_open(&l->cq, ep->ib, entries, ep->w->cq);

	if (err)
		return rscope_fail(e, err, "cannot create a CQ of %u entries: %d", entries, err);
	return 0;
}

enum rscope_each { RSCOPE_ONCE, RSCOPE_EACH_LANE, RSCOPE_EACH_PAIR };

/* The order of a run's setup. */
static const struct {
	enum rscope_stage stage;
	enum rscope_each each;
	int (*step)(struct rscope_endpoint *ep, u32 i, struct rscope_error *e);
} rscope_steps[] = {
	{ RSCOPE_STAGE_PD, RSCOPE_ONCE, rscope_open_pd },
	{ RSCOPE_STAGE_CQ, RSCOPE_EACH_LANE, rscope_open_cq },
	{ RSCOPE_STAGE_QP, RSCOPE_EACH_PAIR, rscope_open_qps },
	{ RSCOPE_STAGE_INIT, RSCOPE_EACH_PAIR, rscope_to_init },
	{ RSCOPE_STAGE_RTR, RSCOPE_EACH_PAIR, rscope_to_rtr },
	{ RSCOPE_STAGE_RTS, RSCOPE_EACH_PAIR, rscope_to_rts },
	{ RSCOPE_STAGE_MR, RSCOPE_EACH_PAIR, rscope_open_mrs },
	{ RSCOPE_STAGE_MR, RSCOPE_EACH_PAIR, rscope_open_rings },
	{ RSCOPE_STAGE_MR, RSCOPE_EACH_PAIR, rscope_open_recvs },
};

static u32 rscope_step_times(const struct rscope_endpoint *ep, enum rscope_each each)
{
	if (each == RSCOPE_EACH_PAIR)
		return ep->nr;
	return each == RSCOPE_EACH_LANE ? ep->nr_lanes : 1;
}

static int rscope_do_step(struct rscope_endpoint *ep, u32 step, struct rscope_error *e)
{
	u32 i, n = rscope_step_times(ep, rscope_steps[step].each);
	u64 start = rscope_now_ns();
	int err = 0;

	ep->stage = rscope_steps[step].stage;
	for (i = 0; !err && i < n; i++) {
		err = rscope_stopped(ep->stop, rscope_now_ns());
		if (err)
			rscope_fail(e, err, "stopped while setting up");
		else
			err = rscope_steps[step].step(ep, i, e);
		/* Driver calls may be long; a soft device needs the CPU. */
		cond_resched();
	}
	ep->setup_ns[ep->stage] += rscope_now_ns() - start;
	return err;
}

static void rscope_end_init(struct rscope_end *end, struct rscope_lane *lane, u32 qp, u8 side)
{
	end->lane = lane;
	end->send = (struct rscope_cqe){
		.cqe.done = rscope_cq_done, .qp = qp, .side = side, .kind = RSCOPE_CQE_SEND,
	};
	end->recv = (struct rscope_cqe){
		.cqe.done = rscope_cq_done, .qp = qp, .side = side, .kind = RSCOPE_CQE_RECV,
	};
}

/* Each end of a pair has a lane, the active one the first. */
static void rscope_deal_ends(struct rscope_endpoint *ep)
{
	u32 lane;

	for (lane = 0; lane < ep->nr_lanes; lane++) {
		struct rscope_lane *l = &ep->lane[lane];

		l->ep = ep;
		l->first = lane / 2;
		l->nr = 1;
		rscope_end_init(&ep->pair[lane / 2].end[lane % 2], l, 0, lane % 2);
	}
}

/* Pairs are dealt out to the lanes in order; shares differ by one at most. */
static void rscope_deal_pairs(struct rscope_endpoint *ep)
{
	u32 lane, i, first = 0;

	for (lane = 0; lane < ep->nr_lanes; lane++) {
		struct rscope_lane *l = &ep->lane[lane];

		l->ep = ep;
		l->first = first;
		l->nr = (ep->nr - first) / (ep->nr_lanes - lane);
		first += l->nr;
		for (i = 0; i < l->nr; i++) {
			struct rscope_pair *p = &ep->pair[l->first + i];

			rscope_end_init(&p->end[0], l, i, 0);
			rscope_end_init(&p->end[1], l, i, 1);
		}
	}
}

/**
 * rscope_endpoint_open() - set everything up
 * @ep: ib, w, l, plan and stop are set, the rest is zero
 * @e: reason
 *
 * Context: may sleep; the thread that writes the command line.
 * Return: 0, -EOPNOTSUPP when the driver cannot do it, or the errno of the
 * step named by ep->stage. rscope_endpoint_close() it in any case.
 */
int rscope_endpoint_open(struct rscope_endpoint *ep, struct rscope_error *e)
{
	int err = 0;
	u32 i;

	ep->nr_lanes = ep->w->threads;
	ep->nr = ep->w->qps;
	ep->lane = kvcalloc(ep->nr_lanes, sizeof(*ep->lane), GFP_KERNEL);
	ep->pair = kvcalloc(ep->nr, sizeof(*ep->pair), GFP_KERNEL);
	if (!ep->pair || !ep->lane) {
		ep->nr = 0;
		return rscope_fail(e, -ENOMEM, "no memory for %lld QP pairs", ep->w->qps);
	}
	if (rscope_workload_is_split(ep->w))
		rscope_deal_ends(ep);
	else
		rscope_deal_pairs(ep);
	for (i = 0; !err && i < ARRAY_SIZE(rscope_steps); i++)
		err = rscope_do_step(ep, i, e);
	return err;
}

/**
 * rscope_endpoint_error() - first failed completion of any lane
 * @ep: endpoint
 *
 * Context: process; no lane is running.
 * Return: the error, or NULL when every completion was a success.
 */
const struct rscope_wc_error *rscope_endpoint_error(const struct rscope_endpoint *ep)
{
	u32 i;

	for (i = 0; ep->lane && i < ep->nr_lanes; i++)
		if (ep->lane[i].wc_error.status != IB_WC_SUCCESS)
			return &ep->lane[i].wc_error;
	return NULL;
}

static void rscope_destroy_qps(struct rscope_pair *p)
{
	u32 side;

	for (side = 0; side < 2; side++)
		if (p->end[side].qp)
			ib_destroy_qp(p->end[side].qp);
}

/**
 * rscope_endpoint_close() - flush and destroy whatever exists
 * @ep: endpoint, also one whose opening failed half-way
 *
 * QPs and CQs go first: after that no driver callback and no DMA can reach the
 * memory, even when the flush ran into its deadline.
 *
 * Context: may sleep.
 */
void rscope_endpoint_close(struct rscope_endpoint *ep)
{
	u64 start = rscope_now_ns();
	u32 i;

	rscope_flush(ep);
	for (i = 0; i < ep->nr; i++)
		rscope_destroy_qps(&ep->pair[i]);
	for (i = 0; ep->lane && i < ep->nr_lanes; i++)
		rscope_cq_close(&ep->lane[i].cq);
	for (i = 0; i < ep->nr; i++)
		rscope_pair_free(&ep->pair[i]);
	if (ep->pd)
		ib_dealloc_pd(ep->pd);
	kvfree(ep->pair);
	kvfree(ep->lane);
	ep->pair = NULL;
	ep->lane = NULL;
	ep->nr = 0;
	ep->teardown_ns = rscope_now_ns() - start;
}
