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

/* Room for every work request and every receive of both ends. */
static u32 pair_entries(const struct endpoint *ep, const struct rscope_workload *w)
{
	const struct rscope_layout *l = &ep->layout;

	return rscope_layout_sends(l, w, 0) + rscope_layout_sends(l, w, 1) +
	       rscope_layout_recvs(l, w, 0) + rscope_layout_recvs(l, w, 1);
}

/* What the device cannot do is a verdict; decided by its limits, not by trying. */
static int check_limits(const struct endpoint *ep, const struct rscope_workload *w,
			struct rscope_error *e)
{
	const struct ibv_device_attr *a = &ep->attr;
	u32 wrs = ep->layout.rq_wrs ? ep->layout.rq_wrs : ep->layout.sq_wrs;
	u32 entries = (ep->nr_pairs + ep->nr_lanes - 1) / ep->nr_lanes * pair_entries(ep, w);

	if (wrs > (u32)a->max_qp_wr)
		return rscope_fail(e, -EOPNOTSUPP, "a queue of %u WRs: the device allows %d", wrs,
				   a->max_qp_wr);
	if (entries > (u32)a->max_cqe)
		return rscope_fail(e, -EOPNOTSUPP, "a CQ of %u entries: the device allows %d",
				   entries, a->max_cqe);
	if (rscope_op_is_atomic(w->op) && a->atomic_cap == IBV_ATOMIC_NONE)
		return rscope_fail(e, -EOPNOTSUPP, "the device has no atomics");
	if (2 * ep->nr_pairs > (u32)a->max_qp)
		return rscope_fail(e, -EOPNOTSUPP, "%u QPs: the device allows %d", 2 * ep->nr_pairs,
				   a->max_qp);
	return 0;
}

/* Each end of a pair has a lane, the active one the first. */
static void deal_ends(struct endpoint *ep)
{
	u32 lane;

	for (lane = 0; lane < ep->nr_lanes; lane++) {
		ep->lanes[lane].first = lane / 2;
		ep->lanes[lane].nr = 1;
		ep->pairs[lane / 2].end[lane % 2].lane = lane;
	}
}

/* Pairs are dealt out to the lanes in order, as the module does it. */
static void deal_pairs(struct endpoint *ep)
{
	u32 lane, i, first = 0;

	for (lane = 0; lane < ep->nr_lanes; lane++) {
		struct lane *l = &ep->lanes[lane];

		l->first = first;
		l->nr = (ep->nr_pairs - first) / (ep->nr_lanes - lane);
		first += l->nr;
		for (i = 0; i < l->nr; i++) {
			ep->pairs[l->first + i].end[0].lane = lane;
			ep->pairs[l->first + i].end[1].lane = lane;
		}
	}
}

static int alloc_shares(struct endpoint *ep, const struct rscope_workload *w,
			struct rscope_error *e)
{
	ep->nr_pairs = (u32)w->qps;
	ep->nr_lanes = (u32)w->threads;
	ep->pairs = calloc(ep->nr_pairs, sizeof(*ep->pairs));
	ep->lanes = calloc(ep->nr_lanes, sizeof(*ep->lanes));
	if (!ep->pairs || !ep->lanes)
		return rscope_fail(e, -ENOMEM, "QP pairs: out of memory");
	if (rscope_workload_is_split(w))
		deal_ends(ep);
	else
		deal_pairs(ep);
	return 0;
}

static int create_cqs(struct endpoint *ep, const struct rscope_workload *w, struct rscope_error *e)
{
	u32 i;
	int err = 0;

	for (i = 0; i < ep->nr_lanes && !err; i++)
		err = cqueue_open(&ep->lanes[i].cq, ep->verbs, ep->ctx,
				  ep->lanes[i].nr * pair_entries(ep, w), rscope_cq_sleeps(w->cq),
				  e);
	return err;
}

static int create_qp(struct endpoint *ep, const struct rscope_workload *w, struct pair *p, u32 side,
		     struct ibv_qp_cap *cap, struct rscope_error *e)
{
	u32 sends = rscope_layout_sends(&ep->layout, w, side);
	u32 receives = rscope_layout_recvs(&ep->layout, w, side);
	struct ibv_cq *cq = ep->lanes[p->end[side].lane].cq.cq;
	struct ibv_qp_init_attr init = {
		.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC, .sq_sig_all = 0,
		.cap = {
			.max_send_wr = sends ? sends : 1,
			.max_recv_wr = receives ? receives : 1,
			.max_send_sge = 1,
			.max_recv_sge = 1,
			.max_inline_data = sends && w->inline_data ? (u32)w->size : 0,
		},
	};
	struct ibv_qp *qp = ep->verbs->ibv_create_qp(ep->pd, &init);

	if (!qp && init.cap.max_inline_data) { /* more than the device takes: do without */
		init.cap.max_inline_data = 0;
		qp = ep->verbs->ibv_create_qp(ep->pd, &init);
	}
	p->end[side].qp = qp;
	p->end[side].sq_wrs = sends;
	p->end[side].rq_wrs = receives;
	*cap = init.cap;
	if (qp)
		return 0;
	return rscope_fail(e, errno ? -errno : -EIO,
			   "create a QP (%u sends, %u receives; device max %d): %s",
			   init.cap.max_send_wr, init.cap.max_recv_wr, ep->attr.max_qp_wr,
			   strerror(errno));
}

static int create_qps(struct endpoint *ep, const struct rscope_workload *w, struct rscope_error *e)
{
	struct ibv_qp_cap active, passive;
	u32 q;

	for (q = 0; q < ep->nr_pairs; q++) {
		struct pair *p = &ep->pairs[q];

		if (create_qp(ep, w, p, 0, &active, e) || create_qp(ep, w, p, 1, &passive, e))
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
	r->cq_entries = (u64)ep->lanes[0].cq.cq->cqe;
	r->rd_atomic = ep->rd_atomic;
	r->mrs = 2ULL * ep->nr_pairs;
	r->memory_bytes = ep->layout.total_bytes;
	r->page_bytes = (u64)sysconf(_SC_PAGESIZE);
}

/**
 * endpoint_take_time() - time since the last step
 * @ns: result
 * @since: when that was; now
 */
void endpoint_take_time(u64 *ns, u64 *since)
{
	u64 now = endpoint_now();

	*ns = now - *since;
	*since = now;
}

#define stage(r, word) rscope_report_text(r, stage, word)

/**
 * endpoint_create() - PD, CQs, QPs and buffers
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

	if (alloc_shares(ep, w, e))
		return e->err;
	stage(r, "check");
	if (check_limits(ep, w, e))
		return e->err;
	stage(r, "pd");
	if (create_pd(ep, e))
		return e->err;
	endpoint_take_time(&r->setup_pd_ns, &t);
	stage(r, "cq");
	if (create_cqs(ep, w, e))
		return e->err;
	endpoint_take_time(&r->setup_cq_ns, &t);
	stage(r, "qp");
	if (create_qps(ep, w, e))
		return e->err;
	endpoint_take_time(&r->setup_qp_ns, &t);
	stage(r, "mr");
	if (buffers_create(ep, w, e))
		return e->err;
	endpoint_take_time(&r->setup_mr_ns, &t);
	caps_to_report(ep, r);
	return 0;
}
