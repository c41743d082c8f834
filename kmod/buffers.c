// SPDX-License-Identifier: GPL-2.0
/*
 * What do the QPs of a pair work on? Regions, their registration, rings of
 * prepared work requests, and the receives posted before the first send.
 */
#include <linux/slab.h>
#include "buffers.h"
#include "flush.h"

static const enum ib_wr_opcode rscope_opcodes[RSCOPE_OP_NR] = {
	[RSCOPE_OP_SEND] = IB_WR_SEND,
	[RSCOPE_OP_SEND_IMM] = IB_WR_SEND_WITH_IMM,
	[RSCOPE_OP_WRITE] = IB_WR_RDMA_WRITE,
	[RSCOPE_OP_WRITE_IMM] = IB_WR_RDMA_WRITE_WITH_IMM,
	[RSCOPE_OP_READ] = IB_WR_RDMA_READ,
	[RSCOPE_OP_CAS] = IB_WR_ATOMIC_CMP_AND_SWP,
	[RSCOPE_OP_FAA] = IB_WR_ATOMIC_FETCH_AND_ADD,
};

/*
 * Local and remote write go together: strict drivers refuse the one without
 * the other. A source that is only read locally needs no right at all, but
 * local write costs nothing and keeps one rule.
 */
static int rscope_access(const struct rscope_workload *w, bool source)
{
	bool back = w->pattern == RSCOPE_PATTERN_PINGPONG;

	if (rscope_op_is_send(w->op))
		return IB_ACCESS_LOCAL_WRITE;
	if (rscope_op_is_atomic(w->op) && source)
		return IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_ATOMIC;
	if (rscope_op_is_inbound(w->op) && source)
		return IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_READ;
	if (source && !back)
		return IB_ACCESS_LOCAL_WRITE;
	return IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE;
}

static int rscope_register(struct rscope_end *end, struct rscope_region *r, int access,
			   struct rscope_error *e)
{
	u32 i;

	for (i = 0; i < r->nr_mrs; i++) {
		struct ib_reg_wr reg = {
			.wr.opcode = IB_WR_REG_MR,
			.mr = r->mr[i],
			.key = r->mr[i]->rkey,
			.access = access,
		};
		int err = rscope_post_and_wait(end, &reg.wr);

		if (err)
			return rscope_fail(e, err, "REG_MR of %u pages: %d, %s", r->nr_pages, err,
					   ib_wc_status_msg(end->lane->wc_error.status));
	}
	return 0;
}

/**
 * rscope_open_mrs() - allocate, map and register the regions of a pair
 * @ep: endpoint, QPs in RTS
 * @pair: index of the pair
 * @e: reason
 *
 * The active end owns the source of a write or send, the destination of a read.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or why the registration failed or was stopped.
 */
int rscope_open_mrs(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e)
{
	struct rscope_pair *p = &ep->pair[pair];
	bool inbound = rscope_op_is_inbound(ep->w->op);
	int err;

	p->src.contiguous = ep->w->inline_data || ep->w->mr == RSCOPE_MR_DMA;
	p->dst.contiguous = p->src.contiguous;
	err = rscope_region_alloc(&p->src, ep->pd, ep->l, ep->l->src_slots, e);
	if (!err)
		err = rscope_region_alloc(&p->dst, ep->pd, ep->l, ep->l->dst_slots, e);
	if (!err)
		err = rscope_register(&p->end[inbound], &p->src, rscope_access(ep->w, true), e);
	if (!err)
		err = rscope_register(&p->end[!inbound], &p->dst, rscope_access(ep->w, false), e);
	return err;
}

static int rscope_end_rings(struct rscope_end *end, struct rscope_error *e)
{
	end->wr = kvcalloc(max(end->sq_wrs, 1U), sizeof(*end->wr), GFP_KERNEL);
	end->sge = kvcalloc(max(end->sq_wrs, 1U), sizeof(*end->sge), GFP_KERNEL);
	end->rwr = kvcalloc(max(end->rq_wrs, 1U), sizeof(*end->rwr), GFP_KERNEL);
	end->rsge = kvcalloc(max(end->rq_wrs, 1U), sizeof(*end->rsge), GFP_KERNEL);
	if (end->wr && end->sge && end->rwr && end->rsge)
		return 0;
	return rscope_fail(e, -ENOMEM, "no memory for %u operations and %u receives", end->sq_wrs,
			   end->rq_wrs);
}

/**
 * rscope_open_rings() - memory for the work requests of a pair
 * @ep: endpoint
 * @pair: index of the pair
 * @e: reason
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rscope_open_rings(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e)
{
	int err = rscope_end_rings(&ep->pair[pair].end[0], e);

	return err ? err : rscope_end_rings(&ep->pair[pair].end[1], e);
}

/* Inline data is copied from where the CPU finds it; no key is looked at. */
static void rscope_aim_local(struct rscope_endpoint *ep, const struct rscope_end *end,
			     const struct rscope_region *r, u64 slot, struct ib_sge *sge)
{
	if (ep->w->mr == RSCOPE_MR_DMA)
		rscope_region_sge_dma(r, slot, sge);
	else
		rscope_region_sge(r, slot, sge);
	if (end->send_flags & IB_SEND_INLINE)
		sge->addr = (uintptr_t)rscope_region_slot(r, slot);
}

static void rscope_aim_remote(s64 op, struct rscope_region *remote, u64 slot,
			      union rscope_send_wr *wr)
{
	if (rscope_op_is_atomic(op))
		rscope_region_remote(remote, slot, &wr->atomic.remote_addr, &wr->atomic.rkey);
	else if (!rscope_op_is_send(op))
		rscope_region_remote(remote, slot, &wr->rdma.remote_addr, &wr->rdma.rkey);
}

/* Point the ring of an end at slot 0, or at one slot per ring entry. */
static void rscope_aim(struct rscope_endpoint *ep, struct rscope_end *end,
		       struct rscope_region *local, struct rscope_region *remote, bool spread)
{
	u32 i;

	for (i = 0; i < end->sq_wrs; i++) {
		union rscope_send_wr *wr = &end->wr[i];

		rscope_aim_local(ep, end, local, spread ? i : 0, &end->sge[i]);
		rscope_aim_remote(ep->w->op, remote, spread ? i : 0, wr);
		wr->wr.wr_cqe = &end->send.cqe;
		wr->wr.sg_list = &end->sge[i];
		wr->wr.num_sge = 1;
		wr->wr.opcode = rscope_opcodes[ep->w->op];
	}
	end->sends_posted = end->sends_posted || end->sq_wrs;
	end->received_before = end->received;
}

/**
 * rscope_pair_aim() - say where the operations of a pair work
 * @ep: endpoint
 * @p: pair, its rings allocated
 * @spread: one slot for each ring entry, else slot 0 for all
 *
 * Context: process; nothing is posted.
 */
void rscope_pair_aim(struct rscope_endpoint *ep, struct rscope_pair *p, bool spread)
{
	bool inbound = rscope_op_is_inbound(ep->w->op);
	struct rscope_region *a = inbound ? &p->dst : &p->src;
	struct rscope_region *b = inbound ? &p->src : &p->dst;

	rscope_aim(ep, &p->end[0], a, b, spread);
	rscope_aim(ep, &p->end[1], b, a, spread);
}

/* Receive i of the ring always lies in slot i modulo the slots of its region. */
static void rscope_prepare_recvs(struct rscope_endpoint *ep, struct rscope_end *end,
				 const struct rscope_region *r)
{
	u32 i, slot = 0;

	for (i = 0; i < end->rq_wrs; i++) {
		if (ep->w->mr == RSCOPE_MR_DMA)
			rscope_region_sge_dma(r, slot, &end->rsge[i]);
		else
			rscope_region_sge(r, slot, &end->rsge[i]);
		end->rwr[i].wr_cqe = &end->recv.cqe;
		end->rwr[i].sg_list = &end->rsge[i];
		end->rwr[i].num_sge = 1;
		slot = slot + 1 == r->slots ? 0 : slot + 1;
	}
}

/**
 * rscope_end_post_recvs() - post the next receives of the ring
 * @end: end of a pair
 * @n: how many, at most the ring
 *
 * Context: any.
 * Return: 0 or what the driver says.
 */
int rscope_end_post_recvs(struct rscope_end *end, u32 n)
{
	struct ib_recv_wr *first = &end->rwr[end->rhead], *wr = first;

	for (;;) {
		end->rhead = end->rhead + 1 == end->rq_wrs ? 0 : end->rhead + 1;
		if (!--n)
			break;
		wr->next = &end->rwr[end->rhead];
		wr = &end->rwr[end->rhead];
	}
	wr->next = NULL;
	end->recvs_posted = true;
	return ib_post_recv(end->qp, first, NULL);
}

/**
 * rscope_open_recvs() - fill the receive queues of a pair
 * @ep: endpoint
 * @pair: index of the pair
 * @e: reason
 *
 * Receives come before the first send. They need MRs registered by a QP in
 * RTS, so they cannot come before RTS; both ends are ours, and nothing is sent
 * yet.
 *
 * Context: may sleep.
 * Return: 0 or what the driver says.
 */
int rscope_open_recvs(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e)
{
	struct rscope_pair *p = &ep->pair[pair];
	int side, err = 0;

	for (side = 0; !err && side < 2; side++) {
		struct rscope_end *end = &p->end[side];

		if (!end->rq_wrs)
			continue;
		rscope_prepare_recvs(ep, end, side ? &p->dst : &p->src);
		err = rscope_end_post_recvs(end, end->rq_wrs);
		if (err)
			rscope_fail(e, err, "cannot post %u receives: %d", end->rq_wrs, err);
	}
	return err;
}

static void rscope_end_free(struct rscope_end *end)
{
	kvfree(end->wr);
	kvfree(end->sge);
	kvfree(end->rwr);
	kvfree(end->rsge);
}

/**
 * rscope_pair_free() - give back the memory of a pair
 * @p: pair, its QPs destroyed; half-open is fine
 *
 * Context: may sleep.
 */
void rscope_pair_free(struct rscope_pair *p)
{
	rscope_region_free(&p->src);
	rscope_region_free(&p->dst);
	rscope_end_free(&p->end[0]);
	rscope_end_free(&p->end[1]);
}
