// SPDX-License-Identifier: GPL-2.0
/*
 * What is told about a run? Structs in, report out; the only place that turns
 * figures of a run into text.
 */
#include <linux/utsname.h>
#include "links.h"
#include "report.h"

/**
 * rscope_report_begin() - what is known before anything is done
 * @r: report, initialised here
 * @ib: device
 * @port: port number
 * @run_id: number of the run
 * @w: effective workload
 *
 * Context: process.
 */
void rscope_report_begin(struct rscope_report *r, struct ib_device *ib, u32 port, u64 run_id,
			 struct rscope_workload *w)
{
	struct rscope_text t = { .buf = r->workload, .size = sizeof(r->workload) };

	rscope_report_init(r);
	r->run_id = run_id;
	r->port = port;
	rscope_report_text(r, dev, ib->name);
	rscope_report_text(r, kernel, init_utsname()->release);
	rscope_driver_name(ib, r->driver, sizeof(r->driver));
	rscope_workload_print(&t, w);
}

static void rscope_report_address(struct rscope_report *r, const struct rscope_addr *a)
{
	r->mtu = ib_mtu_enum_to_int(a->mtu);
	if (a->lid) {
		r->lid = a->lid;
		return;
	}
	r->gid_index = a->gid_index;
	rscope_report_text(r, gid, a->gid.gid);
	rscope_report_text(r, gid_type, a->gid.type);
	rscope_report_text(r, gid_netdev, a->gid.netdev);
}

static const struct {
	enum rscope_stage stage;
	size_t offset;
} rscope_setup_keys[] = {
	{ RSCOPE_STAGE_PD, offsetof(struct rscope_report, setup_pd_ns) },
	{ RSCOPE_STAGE_CQ, offsetof(struct rscope_report, setup_cq_ns) },
	{ RSCOPE_STAGE_MR, offsetof(struct rscope_report, setup_mr_ns) },
	{ RSCOPE_STAGE_QP, offsetof(struct rscope_report, setup_qp_ns) },
	{ RSCOPE_STAGE_INIT, offsetof(struct rscope_report, setup_init_ns) },
	{ RSCOPE_STAGE_RTR, offsetof(struct rscope_report, setup_rtr_ns) },
	{ RSCOPE_STAGE_RTS, offsetof(struct rscope_report, setup_rts_ns) },
};

static void rscope_report_setup(struct rscope_report *r, const struct rscope_endpoint *ep)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rscope_setup_keys); i++)
		*(u64 *)((char *)r + rscope_setup_keys[i].offset) =
			ep->setup_ns[rscope_setup_keys[i].stage];
}

/**
 * rscope_report_endpoint() - effective attributes and setup times
 * @r: report
 * @ep: endpoint that was opened, not yet closed
 *
 * Context: process.
 */
void rscope_report_endpoint(struct rscope_report *r, const struct rscope_endpoint *ep)
{
	const struct rscope_end *end = ep->nr ? &ep->pair[0].end[0] : NULL;
	u32 q;

	rscope_report_address(r, &ep->plan.addr);
	rscope_report_setup(r, ep);
	rscope_report_text(r, link, "internal-loopback");
	rscope_report_text(r, local_key, rscope_words_MR_KINDS[ep->w->mr]);
	r->slots = 1;
	r->rd_atomic = ep->plan.rd_atomic;
	r->inline_bytes = end && ep->w->inline_data ? end->cap.max_inline_data : 0;
	r->sq_wrs = end ? end[0].cap.max_send_wr : RSCOPE_NONE;
	r->rq_wrs = end ? end[1].cap.max_recv_wr : RSCOPE_NONE;
	r->cq_entries = ep->lane && ep->lane[0].cq.cq ? ep->lane[0].cq.cq->cqe : RSCOPE_NONE;
	r->memory_bytes = ep->l->total_bytes;
	r->page_bytes = PAGE_SIZE;
	r->mrs = 0;
	for (q = 0; q < ep->nr; q++)
		r->mrs += ep->pair[q].src.nr_mrs + ep->pair[q].dst.nr_mrs;
}

static void rscope_report_mismatch(struct rscope_report *r, const struct rscope_figures *f)
{
	r->verify_ops = f->verify_ops;
	r->verify_bytes = f->verify_bytes;
	r->mismatches = f->bad.count;
	if (!f->bad.count)
		return;
	r->first_mismatch = f->bad.offset;
	r->mismatch_op = f->bad_op;
	r->mismatch_expected = f->bad.expected;
	r->mismatch_got = f->bad.got;
	rscope_report_text(r, mismatch_where, f->bad_where);
}

static void rscope_report_timed(struct rscope_report *r, const struct rscope_endpoint *ep,
				const struct rscope_figures *f)
{
	r->ops = f->ops;
	r->bytes = f->ops * (u64)ep->w->size;
	r->elapsed_ns = f->elapsed_ns;
	r->empty_polls = f->empty_polls;
	if (f->cpu_ns) {
		r->cpu_ns = f->cpu_ns;
		r->system_cpu_ns = f->system_cpu_ns;
		r->ctxsw = f->ctxsw;
	}
	if (rscope_cq_sleeps(ep->w->cq)) {
		r->wakeups = f->wakeups;
		r->lost_wakeups = f->lost_wakeups;
	}
	r->cpu = f->cpu;
	r->clock_ns = f->clock_ns;
	rscope_report_hist(r, &f->hist);
}

/**
 * rscope_report_figures() - what the passes that ended measured
 * @r: report
 * @ep: endpoint
 * @f: figures
 *
 * Context: process.
 */
void rscope_report_figures(struct rscope_report *r, const struct rscope_endpoint *ep,
			   const struct rscope_figures *f)
{
	r->teardown_ns = ep->teardown_ns;
	if (ep->stage < RSCOPE_STAGE_TIMED)
		return;
	rscope_report_timed(r, ep, f);
	if (ep->stage < RSCOPE_STAGE_COST)
		return;
	r->cost_ops = f->cost_ops;
	r->post_calls = f->post_calls;
	r->post_ns = f->post_ns;
	r->poll_calls = f->poll_calls;
	r->poll_ns = f->poll_ns;
	if (ep->w->verify)
		rscope_report_mismatch(r, f);
}

/**
 * rscope_report_states() - how a run looked when it ended early
 * @r: report
 * @ep: endpoint, before it is closed
 * @f: figures
 *
 * Context: may sleep.
 */
void rscope_report_states(struct rscope_report *r, struct rscope_endpoint *ep,
			  const struct rscope_figures *f)
{
	const struct rscope_wc_error *bad = rscope_endpoint_error(ep);
	struct rscope_pair *p = ep->nr ? &ep->pair[bad ? bad->qp : 0] : NULL;

	rscope_report_text(r, stage, rscope_words_STAGES[ep->stage]);
	r->posted = f->posted;
	r->completed = f->completed;
	if (p && p->end[0].qp)
		rscope_report_text(r, qp_state, rscope_qp_state(p->end[0].qp));
	if (p && p->end[1].qp)
		rscope_report_text(r, peer_qp_state, rscope_qp_state(p->end[1].qp));
	if (!bad)
		return;
	rscope_report_text(r, wc_status, ib_wc_status_msg(bad->status));
	r->vendor_err = bad->vendor_err;
	r->failed_op = f->completed;
}

/**
 * rscope_report_verdict() - the verdict
 * @r: report
 * @v: verdict
 * @reason: why, NULL for pass
 *
 * Context: any.
 */
void rscope_report_verdict(struct rscope_report *r, enum rscope_verdict v, const char *reason)
{
	rscope_report_text(r, verdict, rscope_words_VERDICTS[v]);
	if (reason)
		rscope_report_text(r, reason, reason);
	if (v == RSCOPE_VERDICT_PASS)
		rscope_report_text(r, stage, rscope_words_STAGES[RSCOPE_STAGE_DONE]);
}

/**
 * rscope_report_text_out() - write a report into memory of the right size
 * @b: empty buffer
 * @r: report
 * @h: histogram or NULL
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rscope_report_text_out(struct rscope_buf *b, struct rscope_report *r,
			   const struct rscope_hist *h)
{
	struct rscope_text t = {};

	rscope_report_print(&t, r, h);
	b->size = t.len + 1;
	b->buf = kvmalloc(b->size, GFP_KERNEL);
	if (!b->buf)
		return -ENOMEM;
	b->len = t.len;
	t = (struct rscope_text){ .buf = b->buf, .size = b->size };
	rscope_report_print(&t, r, h);
	return 0;
}
