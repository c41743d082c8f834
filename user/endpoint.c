// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Verbs objects of a user run. Each function undoes only what it did; after a
 * failure endpoint_destroy() takes down what there is.
 */
#include "endpoint.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* IBTA allows 16 outstanding reads in the responder's resources of most devices. */
#define RD_ATOMIC_MAX 16

/**
 * endpoint_now() - raw monotonic clock
 *
 * Return: ns.
 */
u64 endpoint_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (u64)t.tv_sec * 1000000000ULL + (u64)t.tv_nsec;
}

static int fail(struct rscope_error *e, const char *what)
{
	int err = errno ? errno : EIO;

	return rscope_fail(e, -err, "%s: %s", what, strerror(err));
}

static u8 rd_atomic(const struct ibv_device_attr *a)
{
	int n = a->max_qp_rd_atom < a->max_qp_init_rd_atom ? a->max_qp_rd_atom :
							     a->max_qp_init_rd_atom;

	return (u8)(n < 1 ? 1 : n > RD_ATOMIC_MAX ? RD_ATOMIC_MAX : n);
}

/**
 * endpoint_open() - open the device and learn its limits
 * @ep: endpoint, zeroed
 * @dev: RDMA device
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int endpoint_open(struct endpoint *ep, const char *dev, struct rscope_error *e)
{
	ep->verbs = verbs_load(e);
	if (!ep->verbs)
		return e->err;
	ep->ctx = verbs_open(ep->verbs, dev, e);
	if (!ep->ctx)
		return e->err;
	errno = ep->verbs->ibv_query_device(ep->ctx, &ep->attr);
	if (errno)
		return fail(e, "query the device");
	ep->rd_atomic = rd_atomic(&ep->attr);
	return 0;
}

static int create_pd(struct endpoint *ep, struct rscope_error *e)
{
	ep->pd = ep->verbs->ibv_alloc_pd(ep->ctx);
	return ep->pd ? 0 : fail(e, "allocate a PD");
}

/* One CQ for all QPs: room for every work request and every receive. */
static u32 cq_entries(const struct endpoint *ep)
{
	return ep->nr_pairs * (ep->layout.sq_wrs + ep->layout.rq_wrs);
}

/* What the device cannot do is a verdict; decided by its limits, not by trying. */
static int check_limits(const struct endpoint *ep, struct rscope_error *e)
{
	const struct ibv_device_attr *a = &ep->attr;
	u32 wrs = ep->layout.rq_wrs ? ep->layout.rq_wrs : ep->layout.sq_wrs;

	if (wrs > (u32)a->max_qp_wr)
		return rscope_fail(e, -EOPNOTSUPP, "a queue of %u WRs: the device allows %d", wrs,
				   a->max_qp_wr);
	if (cq_entries(ep) > (u32)a->max_cqe)
		return rscope_fail(e, -EOPNOTSUPP, "a CQ of %u entries: the device allows %d",
				   cq_entries(ep), a->max_cqe);
	if (2 * ep->nr_pairs > (u32)a->max_qp)
		return rscope_fail(e, -EOPNOTSUPP, "%u QPs: the device allows %d", 2 * ep->nr_pairs,
				   a->max_qp);
	return 0;
}

static int create_cq(struct endpoint *ep, struct rscope_error *e)
{
	ep->cq = ep->verbs->ibv_create_cq(ep->ctx, (int)cq_entries(ep), NULL, NULL, 0);
	return ep->cq ? 0 : fail(e, "create the CQ");
}

static struct ibv_qp *create_qp(struct endpoint *ep, const struct rscope_workload *w, bool active,
				struct ibv_qp_cap *cap, struct rscope_error *e)
{
	struct ibv_qp_init_attr init = {
		.send_cq = ep->cq, .recv_cq = ep->cq, .qp_type = IBV_QPT_RC, .sq_sig_all = 0,
		.cap = {
			.max_send_wr = active ? ep->layout.sq_wrs : 1,
			.max_recv_wr = active || !ep->layout.rq_wrs ? 1 : ep->layout.rq_wrs,
			.max_send_sge = 1,
			.max_recv_sge = 1,
			.max_inline_data = active && w->inline_data ? (u32)w->size : 0,
		},
	};
	struct ibv_qp *qp = ep->verbs->ibv_create_qp(ep->pd, &init);

	if (!qp && init.cap.max_inline_data) { /* more than the device takes: do without */
		init.cap.max_inline_data = 0;
		qp = ep->verbs->ibv_create_qp(ep->pd, &init);
	}
	if (!qp)
		rscope_fail(e, errno ? -errno : -EIO,
			    "create a QP (%u sends, %u receives; device max %d): %s",
			    init.cap.max_send_wr, init.cap.max_recv_wr, ep->attr.max_qp_wr,
			    strerror(errno));
	*cap = init.cap;
	return qp;
}

static int create_qps(struct endpoint *ep, const struct rscope_workload *w, struct rscope_error *e)
{
	struct ibv_qp_cap active, passive;
	u32 q;

	for (q = 0; q < ep->nr_pairs; q++) {
		struct pair *p = &ep->pairs[q];

		p->active = create_qp(ep, w, true, &active, e);
		p->passive = p->active ? create_qp(ep, w, false, &passive, e) : NULL;
		if (!p->passive)
			return e->err;
	}
	ep->sq_wrs = active.max_send_wr;
	ep->rq_wrs = passive.max_recv_wr;
	ep->inline_bytes = active.max_inline_data;
	return 0;
}

static void caps_to_report(const struct endpoint *ep, struct rscope_report *r)
{
	r->inline_bytes = ep->inline_bytes;
	r->sq_wrs = ep->sq_wrs;
	r->rq_wrs = ep->rq_wrs;
	r->cq_entries = (u64)ep->cq->cqe;
	r->rd_atomic = ep->rd_atomic;
	r->mrs = 2ULL * ep->nr_pairs;
	r->memory_bytes = ep->layout.total_bytes;
	r->page_bytes = (u64)sysconf(_SC_PAGESIZE);
}

static void take_time(u64 *ns, u64 *since)
{
	u64 now = endpoint_now();

	*ns = now - *since;
	*since = now;
}

#define stage(r, word) rscope_report_text(r, stage, word)

/**
 * endpoint_create() - PD, CQ, buffers and QPs
 * @ep: open endpoint with its layout
 * @w: workload
 * @r: timings, stage and what the device granted
 * @e: reason
 *
 * Return: 0 or a negative errno; endpoint_destroy() in both cases.
 */
int endpoint_create(struct endpoint *ep, const struct rscope_workload *w, struct rscope_report *r,
		    struct rscope_error *e)
{
	u64 t = endpoint_now();

	ep->nr_pairs = (u32)w->qps;
	ep->pairs = calloc(ep->nr_pairs, sizeof(*ep->pairs));
	if (!ep->pairs)
		return rscope_fail(e, -ENOMEM, "QP pairs: out of memory");
	stage(r, "check");
	if (check_limits(ep, e))
		return e->err;
	stage(r, "pd");
	if (create_pd(ep, e))
		return e->err;
	take_time(&r->setup_pd_ns, &t);
	stage(r, "cq");
	if (create_cq(ep, e))
		return e->err;
	take_time(&r->setup_cq_ns, &t);
	stage(r, "mr");
	if (buffers_create(ep, w, e))
		return e->err;
	take_time(&r->setup_mr_ns, &t);
	stage(r, "qp");
	if (create_qps(ep, w, e))
		return e->err;
	take_time(&r->setup_qp_ns, &t);
	caps_to_report(ep, r);
	return 0;
}

/* ------------------------------------------------------------- transitions */

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

		err = fn(t, p->active, p->passive);
		if (!err)
			err = fn(t, p->passive, p->active);
	}
	if (!err)
		return 0;
	return rscope_fail(e, err, "QP to %s (port %u, mtu %u, gid_index %u): %s", name, t->a->port,
			   t->a->mtu, t->a->gid_index, strerror(-err));
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
	if (all_qps(&t, to_init, "INIT", e) || endpoint_post_receives(ep, e))
		return e->err;
	take_time(&r->setup_init_ns, &since);
	stage(r, "rtr");
	if (all_qps(&t, to_rtr, "RTR", e))
		return e->err;
	take_time(&r->setup_rtr_ns, &since);
	stage(r, "rts");
	if (all_qps(&t, to_rts, "RTS", e))
		return e->err;
	take_time(&r->setup_rts_ns, &since);
	return 0;
}

/**
 * endpoint_post_receives() - fill the receive queues of the passive QPs
 * @ep: endpoint, QPs in INIT
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int endpoint_post_receives(struct endpoint *ep, struct rscope_error *e)
{
	u32 q, n = ep->layout.rq_wrs;
	struct ibv_recv_wr *bad;

	for (q = 0; n && q < ep->nr_pairs; q++) {
		struct pair *p = &ep->pairs[q];

		p->recv[n - 1].next = NULL;
		errno = ibv_post_recv(p->passive, p->recv, &bad);
		p->recv[n - 1].next = p->recv;
		if (errno)
			return fail(e, "post receives");
	}
	return 0;
}
