// SPDX-License-Identifier: GPL-2.0
/*
 * Can this port do that? Decided from capabilities and limits, never by
 * posting: siw keeps a send queue broken after an operation it refused.
 */
#include <linux/sizes.h>
#include "device.h"
#include "links.h"
#include "support.h"

/* What the page allocator can be expected to find in one piece. */
#define RSCOPE_CONTIGUOUS_MAX_BYTES SZ_1M

#define rscope_no(e, ...) (rscope_fail(e, -EOPNOTSUPP, __VA_ARGS__), false)

static bool rscope_has_kverbs(const struct ib_device *ib, struct rscope_error *e)
{
	const char *missing = rscope_kverb_missing(ib);

	if (missing)
		return rscope_no(e, "the driver offers no kernel verbs: %s is missing", missing);
	return true;
}

static bool rscope_has_protocol(const struct ib_device *ib, u32 port, struct rscope_error *e)
{
	switch (rscope_port_protocol(ib, port)) {
	case RSCOPE_PROTO_ROCE:
	case RSCOPE_PROTO_IB:
		return true;
	case RSCOPE_PROTO_IWARP:
		return rscope_no(e, "iWARP needs rdma_cm, which version %s does not use yet",
				 RSCOPE_VERSION);
	default:
		return rscope_no(e, "the port speaks no RDMA protocol");
	}
}

static bool rscope_has_fastreg(const struct ib_device *ib, struct rscope_error *e)
{
	if ((ib->attrs.device_cap_flags & IB_DEVICE_MEM_MGT_EXTENSIONS) && ib->ops.alloc_mr &&
	    ib->ops.map_mr_sg)
		return true;
	return rscope_no(e, "the device has no memory management extensions (fast registration)");
}

static bool rscope_has_atomics(const struct ib_device *ib, s64 op, struct rscope_error *e)
{
	if (rscope_op_is_atomic(op) && ib->attrs.atomic_cap == IB_ATOMIC_NONE)
		return rscope_no(e, "the device has no atomics");
	return true;
}

static bool rscope_in_engine(s64 op, s64 qp, struct rscope_error *e)
{
	if (qp != RSCOPE_QPT_RC)
		return rscope_no(e, "qp=%s is not built into version %s yet",
				 rscope_words_QP_TYPES[qp], RSCOPE_VERSION);
	if (op == RSCOPE_OP_SEND_INV)
		return rscope_no(e, "op=%s is not built into version %s yet", rscope_words_OPS[op],
				 RSCOPE_VERSION);
	return true;
}

/**
 * rscope_op_supported() - can a port run an operation at all?
 * @ib: device, kept registered by the caller
 * @port: port number
 * @op: enum rscope_op
 * @qp: enum rscope_qpt
 * @e: the reason when not
 *
 * Context: any.
 * Return: whether it can.
 */
bool rscope_op_supported(struct ib_device *ib, u32 port, s64 op, s64 qp, struct rscope_error *e)
{
	return rscope_has_kverbs(ib, e) && rscope_has_protocol(ib, port, e) &&
	       rscope_in_engine(op, qp, e) && rscope_has_fastreg(ib, e) &&
	       rscope_has_atomics(ib, op, e);
}

static bool rscope_options_supported(const struct rscope_workload *w,
				     const struct rscope_layout *l, struct rscope_error *e)
{
	bool contiguous = w->inline_data || w->mr == RSCOPE_MR_DMA;

	if (*w->peer)
		return rscope_no(e, "peer is reserved: runs between two ports are not built yet");
	if (w->inline_data && rscope_op_is_inbound(w->op))
		return rscope_no(e, "inline=1: op=%s carries no data", rscope_words_OPS[w->op]);
	if (contiguous && max(l->src_bytes, l->dst_bytes) > RSCOPE_CONTIGUOUS_MAX_BYTES)
		return rscope_no(e, "inline=1 and mr=dma need one piece of %llu bytes, limit %u",
				 max(l->src_bytes, l->dst_bytes), (u32)RSCOPE_CONTIGUOUS_MAX_BYTES);
	return true;
}

static bool rscope_limits_allow(const struct ib_device *ib, const struct rscope_workload *w,
				const struct rscope_layout *l, struct rscope_error *e)
{
	const struct ib_device_attr *a = &ib->attrs;
	u64 cqe = (u64)DIV_ROUND_UP((u32)w->qps, (u32)w->threads) * rscope_pair_cqes(w, l);
	u64 page_bytes = (u64)rscope_mr_pages(ib) << PAGE_SHIFT;

	if (l->sq_wrs + RSCOPE_WR_RESERVE > (u32)a->max_qp_wr ||
	    l->rq_wrs + RSCOPE_WR_RESERVE > (u32)a->max_qp_wr)
		return rscope_no(e, "depth=%lld needs queues of %u WRs, the device allows %u",
				 w->depth, max(l->sq_wrs, l->rq_wrs) + RSCOPE_WR_RESERVE,
				 (u32)a->max_qp_wr);
	if (cqe > (u32)a->max_cqe)
		return rscope_no(e, "qps=%lld, depth=%lld: %llu CQ entries, the device allows %u",
				 w->qps, w->depth, cqe, (u32)a->max_cqe);
	if (2 * w->qps > (u32)a->max_qp)
		return rscope_no(e, "qps=%lld needs %lld QPs, the device allows %u", w->qps,
				 2 * w->qps, (u32)a->max_qp);
	if (l->size + PAGE_SIZE > page_bytes)
		return rscope_no(e, "size=%lld exceeds one fast registration of at most %u pages",
				 w->size, rscope_mr_pages(ib));
	if (rscope_op_is_inbound(w->op) && (!a->max_qp_rd_atom || !a->max_qp_init_rd_atom))
		return rscope_no(e, "the device allows no outstanding RDMA reads or atomics");
	return true;
}

/**
 * rscope_workload_supported() - can a port run this workload?
 * @ib: device, kept registered by the caller
 * @port: port number
 * @w: validated workload
 * @l: its layout
 * @e: the reason when not, with the limit that is exceeded
 *
 * Context: any.
 * Return: whether it can; a "no" is the verdict unsupported.
 */
bool rscope_workload_supported(struct ib_device *ib, u32 port, const struct rscope_workload *w,
			       const struct rscope_layout *l, struct rscope_error *e)
{
	if (w->op == RSCOPE_OP_NOP)
		return rscope_no(e, "op=nop crosses into the kernel only: mediated path");
	return rscope_op_supported(ib, port, w->op, w->qp, e) &&
	       rscope_options_supported(w, l, e) && rscope_limits_allow(ib, w, l, e);
}

static void rscope_op_show(struct rscope_buf *b, struct ib_device *ib, u32 port, s64 op, s64 qp)
{
	struct rscope_error e = {};
	struct rscope_oprec r = {};
	bool yes = rscope_op_supported(ib, port, op, qp, &e);

	strscpy(r.op, rscope_words_OPS[op], sizeof(r.op));
	strscpy(r.qp, rscope_words_QP_TYPES[qp], sizeof(r.qp));
	strscpy(r.supported, yes ? "yes" : "no", sizeof(r.supported));
	strscpy(r.reason, e.msg, sizeof(r.reason));
	rscope_buf_record(b, "op", rscope_oprec_fields, ARRAY_SIZE(rscope_oprec_fields), &r);
}

/**
 * rscope_ops_show() - every operation on every QP type, and why not
 * @b: destination
 * @ib: device, kept registered by the caller
 * @port: port number
 *
 * Context: may sleep.
 */
void rscope_ops_show(struct rscope_buf *b, struct ib_device *ib, u32 port)
{
	s64 op, qp;

	for (op = 0; op < RSCOPE_OP_NOP; op++)
		for (qp = 0; qp < RSCOPE_QPT_NR; qp++)
			rscope_op_show(b, ib, port, op, qp);
}
