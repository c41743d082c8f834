// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The QPs of an endpoint on their way from RESET to RTS.
 */
#include "endpoint.h"

#define stage(r, word) rscope_report_text(r, stage, word)

/* What a transition needs to know; the masks are those of the RC state table. */
struct transition {
	const struct endpoint *ep;
	const struct rscope_workload *w;
	const struct address *a;
};

static int modify(const struct transition *t, struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	errno = t->ep->verbs->ibv_modify_qp(qp, attr, mask);
	return -errno;
}

static int to_init(const struct transition *t, struct ibv_qp *qp, struct ibv_qp *peer)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = t->a->port,
		.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				   IBV_ACCESS_REMOTE_READ,
	};

	/* Devices without atomics refuse the right to them. */
	if (rscope_op_is_atomic(t->w->op))
		attr.qp_access_flags |= IBV_ACCESS_REMOTE_ATOMIC;

	return modify(t, qp, &attr,
		      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

static enum ibv_mtu mtu_code(u32 mtu)
{
	return (enum ibv_mtu)(fls64(mtu) - 8); /* 256 -> 1 ... 4096 -> 5 */
}

static int to_rtr(const struct transition *t, struct ibv_qp *qp, struct ibv_qp *peer)
{
	const struct address *a = t->a;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = mtu_code(a->mtu),
		.dest_qp_num = peer->qp_num,
		.max_dest_rd_atomic = t->ep->rd_atomic,
		.min_rnr_timer = (u8)t->w->min_rnr_timer,
		.ah_attr = {
			.port_num = a->port,
			.dlid = a->lid,
			.is_global = a->use_grh,
			.grh = { .dgid = a->gid, .sgid_index = a->gid_index, .hop_limit = 64 },
		},
	};

	return modify(t, qp, &attr,
		      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
		      IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
}

static int to_rts(const struct transition *t, struct ibv_qp *qp, struct ibv_qp *peer)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.timeout = (u8)t->w->ack_timeout,
		.retry_cnt = (u8)t->w->retry_cnt,
		.rnr_retry = (u8)t->w->rnr_retry,
		.max_rd_atomic = t->ep->rd_atomic,
	};

	return modify(t, qp, &attr,
		      IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
		      IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
}

typedef int (*transition_fn)(const struct transition *t, struct ibv_qp *qp, struct ibv_qp *peer);

static int all_qps(const struct transition *t, transition_fn fn, const char *name,
		   struct rscope_error *e)
{
	int err = 0;
	u32 q;

	for (q = 0; q < t->ep->nr_pairs && !err; q++) {
		struct pair *p = &t->ep->pairs[q];

		err = fn(t, p->end[0].qp, p->end[1].qp);
		if (!err)
			err = fn(t, p->end[1].qp, p->end[0].qp);
	}
	if (!err)
		return 0;
	return rscope_fail(e, err, "QP to %s (port %u, mtu %u, gid_index %u): %s", name, t->a->port,
			   t->a->mtu, t->a->gid_index, strerror(-err));
}

static int fill_receives(struct end *end, struct rscope_error *e)
{
	u32 n = end->rq_wrs;
	struct ibv_recv_wr *bad;
	int err;

	if (!n)
		return 0;
	end->recv[n - 1].next = NULL;
	err = ibv_post_recv(end->qp, end->recv, &bad);
	end->recv[n - 1].next = end->recv;
	return err ? rscope_fail(e, -err, "post receives: %s", strerror(err)) : 0;
}

static int post_all_receives(struct endpoint *ep, struct rscope_error *e)
{
	u32 q;

	for (q = 0; q < ep->nr_pairs; q++)
		if (fill_receives(&ep->pairs[q].end[0], e) ||
		    fill_receives(&ep->pairs[q].end[1], e))
			return e->err;
	return 0;
}

/**
 * endpoint_connect() - all QPs to RTS, receives posted before
 * @ep: created endpoint
 * @w: workload
 * @a: address of the port
 * @r: timings and stage
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int endpoint_connect(struct endpoint *ep, const struct rscope_workload *w, const struct address *a,
		     struct rscope_report *r, struct rscope_error *e)
{
	struct transition t = { .ep = ep, .w = w, .a = a };
	u64 since = endpoint_now();

	stage(r, "init");
	if (all_qps(&t, to_init, "INIT", e) || post_all_receives(ep, e))
		return e->err;
	endpoint_take_time(&r->setup_init_ns, &since);
	stage(r, "rtr");
	if (all_qps(&t, to_rtr, "RTR", e))
		return e->err;
	endpoint_take_time(&r->setup_rtr_ns, &since);
	stage(r, "rts");
	if (all_qps(&t, to_rts, "RTS", e))
		return e->err;
	endpoint_take_time(&r->setup_rts_ns, &since);
	return 0;
}
