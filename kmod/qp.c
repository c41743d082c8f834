// SPDX-License-Identifier: GPL-2.0
/*
 * How does an RC QP come to life? All state transitions of the module go
 * through rscope_qp_to(), called by the one thread that owns the run.
 */
#include "fault.h"
#include "qp.h"

static const char *const rscope_qp_states[] = {
	[IB_QPS_RESET] = "RESET", [IB_QPS_INIT] = "INIT", [IB_QPS_RTR] = "RTR",
	[IB_QPS_RTS] = "RTS", [IB_QPS_SQD] = "SQD", [IB_QPS_SQE] = "SQE", [IB_QPS_ERR] = "ERR",
};

/**
 * rscope_qp_create() - one RC QP
 * @pd: protection domain
 * @cq: CQ of both queues
 * @cap: queue lengths and inline data wanted; what the device granted
 *
 * Signalling is chosen per work request, explicitly: its default differs
 * between providers.
 *
 * Context: may sleep.
 * Return: QP in RESET or ERR_PTR.
 */
struct ib_qp *rscope_qp_create(struct ib_pd *pd, struct ib_cq *cq, struct ib_qp_cap *cap)
{
	struct ib_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = *cap,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.qp_type = IB_QPT_RC,
	};
	struct ib_qp *qp;

	if (rscope_fault_hit(RSCOPE_FAULT_QP))
		return ERR_PTR(-ENOMEM);
	qp = ib_create_qp(pd, &init);
	*cap = init.cap;
	return qp;
}

static int rscope_qp_to_init(struct ib_qp *qp, const struct rscope_qp_plan *plan)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.pkey_index = plan->addr.pkey_index,
		.port_num = plan->addr.port,
		.qp_access_flags = IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE |
				   IB_ACCESS_REMOTE_READ,
	};

	/* Devices without atomics refuse the right to them. */
	if (rscope_op_is_atomic(plan->w->op))
		attr.qp_access_flags |= IB_ACCESS_REMOTE_ATOMIC;

	if (rscope_fault_hit(RSCOPE_FAULT_INIT))
		return -EINVAL;
	return ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT |
			    IB_QP_ACCESS_FLAGS);
}

static int rscope_qp_to_rtr(struct ib_qp *qp, const struct rscope_qp_plan *plan, u32 peer_qpn,
			    u32 psn)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_RTR,
		.path_mtu = plan->addr.mtu,
		.dest_qp_num = peer_qpn,
		.rq_psn = psn,
		.max_dest_rd_atomic = plan->rd_atomic,
		.min_rnr_timer = plan->w->min_rnr_timer,
	};
	int err;

	if (rscope_fault_hit(RSCOPE_FAULT_RTR))
		return -EINVAL;
	err = rscope_addr_ah(&plan->addr, &attr.ah_attr);
	if (err)
		return err;
	err = ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN |
			   IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER);
	rdma_destroy_ah_attr(&attr.ah_attr);
	return err;
}

static int rscope_qp_to_rts(struct ib_qp *qp, const struct rscope_qp_plan *plan, u32 psn)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_RTS,
		.sq_psn = psn,
		.timeout = plan->w->ack_timeout,
		.retry_cnt = plan->w->retry_cnt,
		.rnr_retry = plan->w->rnr_retry,
		.max_rd_atomic = plan->rd_atomic,
	};

	if (rscope_fault_hit(RSCOPE_FAULT_RTS))
		return -EINVAL;
	return ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_SQ_PSN | IB_QP_TIMEOUT |
			    IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_MAX_QP_RD_ATOMIC);
}

/**
 * rscope_qp_to() - one state transition
 * @qp: QP
 * @to: INIT, RTR, RTS or ERR
 * @plan: attributes; unused for ERR
 * @peer_qpn: RTR: the other QP
 * @psn: RTR: first PSN to expect; RTS: first PSN to send
 *
 * Attributes per step: InfiniBand specification 1.4, section 11.2.5.2, and
 * qp_state_table in drivers/infiniband/core/verbs.c.
 *
 * Context: may sleep; only the thread that created the QP.
 * Return: 0 or what the driver says.
 */
int rscope_qp_to(struct ib_qp *qp, enum ib_qp_state to, const struct rscope_qp_plan *plan,
		 u32 peer_qpn, u32 psn)
{
	struct ib_qp_attr err = { .qp_state = IB_QPS_ERR };

	might_sleep();
	switch (to) {
	case IB_QPS_INIT:
		return rscope_qp_to_init(qp, plan);
	case IB_QPS_RTR:
		return rscope_qp_to_rtr(qp, plan, peer_qpn, psn);
	case IB_QPS_RTS:
		return rscope_qp_to_rts(qp, plan, psn);
	default:
		return ib_modify_qp(qp, &err, IB_QP_STATE);
	}
}

/**
 * rscope_qp_state() - state of a QP as the driver reports it
 * @qp: QP
 *
 * Context: may sleep.
 * Return: word; "unknown" when the driver cannot tell (siw up to 6.1).
 */
const char *rscope_qp_state(struct ib_qp *qp)
{
	struct ib_qp_init_attr init = {};
	struct ib_qp_attr attr = {};

	if (ib_query_qp(qp, &attr, IB_QP_STATE, &init) ||
	    attr.qp_state >= ARRAY_SIZE(rscope_qp_states))
		return "unknown";
	return rscope_qp_states[attr.qp_state];
}
