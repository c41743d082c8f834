// SPDX-License-Identifier: GPL-2.0
/*
 * How do two QPs of one port find each other? Created, moved through INIT and
 * RTR to RTS, each addressed to the other.
 */
#include "connect.h"
#include "support.h"

/* These say that the driver does not do RC, rather than that it failed. */
static int rscope_no_qp(long err, struct rscope_error *e)
{
	if (err == -EOPNOTSUPP || err == -EINVAL)
		return rscope_fail(e, -EOPNOTSUPP, "the driver refuses an RC QP: %ld", err);
	return rscope_fail(e, (int)err, "cannot create a QP: %ld", err);
}

static u32 rscope_wanted_inline(const struct rscope_endpoint *ep, const struct rscope_end *end)
{
	return ep->w->inline_data && end->sq_wrs ? ep->w->size : 0;
}

static struct ib_qp *rscope_open_qp(struct rscope_endpoint *ep, struct rscope_end *end,
				    u32 inline_bytes)
{
	struct ib_qp_cap cap = {
		.max_send_wr = end->sq_wrs + RSCOPE_WR_RESERVE,
		.max_recv_wr = end->rq_wrs + RSCOPE_WR_RESERVE,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.max_inline_data = inline_bytes,
	};
	struct ib_qp *qp = rscope_qp_create(ep->pd, end->lane->cq.cq, &cap);

	end->cap = cap;
	if (inline_bytes && !IS_ERR(qp) && cap.max_inline_data >= inline_bytes)
		end->send_flags = IB_SEND_INLINE;
	return qp;
}

/* Inline data is asked for; a device that refuses it gets a QP without. */
static int rscope_open_end(struct rscope_endpoint *ep, struct rscope_pair *p, u32 side,
			   struct rscope_error *e)
{
	struct rscope_end *end = &p->end[side];
	struct ib_qp *qp;
	u32 want;

	end->sq_wrs = rscope_layout_sends(ep->l, ep->w, side);
	end->rq_wrs = rscope_layout_recvs(ep->l, ep->w, side);
	want = rscope_wanted_inline(ep, end);
	qp = rscope_open_qp(ep, end, want);
	if (IS_ERR(qp) && want)
		qp = rscope_open_qp(ep, end, 0);
	if (IS_ERR(qp))
		return rscope_no_qp(PTR_ERR(qp), e);
	end->qp = qp;
	return 0;
}

/**
 * rscope_open_qps() - create both QPs of a pair
 * @ep: endpoint
 * @pair: index of the pair
 * @e: reason
 *
 * Context: may sleep.
 * Return: 0, -EOPNOTSUPP when the driver does not do it, or its errno.
 */
int rscope_open_qps(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e)
{
	int err = rscope_open_end(ep, &ep->pair[pair], 0, e);

	return err ? err : rscope_open_end(ep, &ep->pair[pair], 1, e);
}

/* Any PSN will do; one that cannot be guessed keeps strays of old QPs out. */
static u32 rscope_psn(const struct rscope_end *end)
{
	return (end->qp->qp_num * 2654435761U ^ (u32)(uintptr_t)end) & 0xffffff;
}

/* The passive end goes first: it must be ready when the active one sends. */
static int rscope_pair_to(struct rscope_endpoint *ep, u32 pair, enum ib_qp_state to)
{
	struct rscope_end *end = ep->pair[pair].end;
	int side, err = 0;

	for (side = 1; !err && side >= 0; side--) {
		struct rscope_end *own = &end[side], *peer = &end[!side];

		err = rscope_qp_to(own->qp, to, &ep->plan, peer->qp->qp_num,
				   rscope_psn(to == IB_QPS_RTR ? peer : own));
	}
	return err;
}

/**
 * rscope_to_init() - both QPs of a pair to INIT
 * @ep: endpoint
 * @pair: index of the pair
 * @e: reason
 *
 * Context: may sleep.
 * Return: 0 or what the driver says.
 */
int rscope_to_init(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e)
{
	int err = rscope_pair_to(ep, pair, IB_QPS_INIT);

	return err ? rscope_fail(e, err, "QP to INIT on port %u: %d", ep->plan.addr.port, err) : 0;
}

/**
 * rscope_to_rtr() - both QPs of a pair to RTR
 * @ep: endpoint
 * @pair: index of the pair
 * @e: reason
 *
 * Context: may sleep.
 * Return: 0 or what the driver says.
 */
int rscope_to_rtr(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e)
{
	int err = rscope_pair_to(ep, pair, IB_QPS_RTR);

	if (!err)
		return 0;
	return rscope_fail(e, err, "QP to RTR with GID index %u, MTU %d: %d",
			   ep->plan.addr.gid_index, ib_mtu_enum_to_int(ep->plan.addr.mtu), err);
}

/**
 * rscope_to_rts() - both QPs of a pair to RTS
 * @ep: endpoint
 * @pair: index of the pair
 * @e: reason
 *
 * Context: may sleep.
 * Return: 0 or what the driver says.
 */
int rscope_to_rts(struct rscope_endpoint *ep, u32 pair, struct rscope_error *e)
{
	int err = rscope_pair_to(ep, pair, IB_QPS_RTS);

	return err ? rscope_fail(e, err, "QP to RTS: %d", err) : 0;
}
