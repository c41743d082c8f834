/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. Everything verbs a run needs, from PD to RTS and back. */
#ifndef RSCOPE_ENDPOINT_H
#define RSCOPE_ENDPOINT_H

#include <rdma/ib_verbs.h>
#include "cq.h"
#include "layout.h"
#include "mem.h"
#include "qp.h"
#include "stop.h"

/**
 * enum rscope_cqe_kind - whose completion it is
 * @RSCOPE_CQE_SEND: an operation of the active QP
 * @RSCOPE_CQE_RECV: a receive of the passive QP
 * @RSCOPE_CQE_OTHER: registration or flush marker
 */
enum rscope_cqe_kind { RSCOPE_CQE_SEND, RSCOPE_CQE_RECV, RSCOPE_CQE_OTHER };

/**
 * struct rscope_cqe - what a completion points back to
 * @cqe: for the core
 * @qp: index of the QP pair within its lane
 * @side: 0 = active, 1 = passive end of the pair
 * @kind: whose it is
 */
struct rscope_cqe {
	struct ib_cqe cqe;
	u32 qp;
	u8 side;
	enum rscope_cqe_kind kind;
};

/**
 * struct rscope_marker - a work request somebody waits for
 * @c: its cookie
 * @done: its completion has been seen
 * @status: status of that completion
 *
 * Lives in the pair, not on a stack: a completion may arrive after the wait was
 * given up, until the CQ is freed.
 */
struct rscope_marker {
	struct rscope_cqe c;
	bool done;
	enum ib_wc_status status;
};

/**
 * union rscope_send_wr - a prepared operation
 * @wr: what all have
 * @rdma: write or read
 * @atomic: cas or faa
 */
union rscope_send_wr {
	struct ib_send_wr wr;
	struct ib_rdma_wr rdma;
	struct ib_atomic_wr atomic;
};

/**
 * struct rscope_end - one QP of a pair and what it posts
 * @lane: thread that owns it
 * @qp: the QP
 * @send: completion cookie of operations
 * @recv: completion cookie of receives
 * @reg: registration under way
 * @last_send: flush marker behind the operations
 * @last_recv: flush marker behind the receives
 * @cap: queue lengths and inline data the device granted
 * @send_flags: of every operation: inline or nothing
 * @sq_wrs: operations that may be outstanding
 * @rq_wrs: receives that may be outstanding
 * @wr: ring of prepared operations, @sq_wrs of them
 * @sge: their SGEs
 * @rwr: ring of prepared receives, @rq_wrs of them
 * @rsge: their SGEs
 * @rhead: ring slot of the next receive to post
 * @owed: receives consumed and not posted again
 * @received: receives consumed in the QP's life
 * @received_before: of them, before the pass under way
 * @sends_posted: something may sit in the send queue
 * @recvs_posted: something may sit in the receive queue
 */
struct rscope_end {
	struct rscope_lane *lane;
	struct ib_qp *qp;
	struct rscope_cqe send;
	struct rscope_cqe recv;
	struct rscope_marker reg;
	struct rscope_marker last_send;
	struct rscope_marker last_recv;
	struct ib_qp_cap cap;
	int send_flags;
	u32 sq_wrs;
	u32 rq_wrs;
	union rscope_send_wr *wr;
	struct ib_sge *sge;
	struct ib_recv_wr *rwr;
	struct ib_sge *rsge;
	u32 rhead;
	u32 owed;
	u64 received;
	u64 received_before;
	bool sends_posted;
	bool recvs_posted;
};

/**
 * struct rscope_pair - two QPs of the same port, connected to each other
 * @end: active and passive end; only in a ping-pong does the passive one send
 * @src: where the bytes come from
 * @dst: where they must arrive
 */
struct rscope_pair {
	struct rscope_end end[2];
	struct rscope_region src;
	struct rscope_region dst;
};

/**
 * struct rscope_wc_error - first completion that was not a success
 * @status: its status, IB_WC_SUCCESS when there was none
 * @vendor_err: what the driver adds
 * @qp: index of the QP pair in the endpoint
 */
struct rscope_wc_error {
	enum ib_wc_status status;
	u32 vendor_err;
	u32 qp;
};

/**
 * struct rscope_lane - share of one thread: a CQ and the pairs on it
 * @ep: endpoint
 * @cq: CQ of all queues of these pairs, or of one end of its only one
 * @first: index of the first pair
 * @nr: pairs
 * @ended: ping-pong passes that the leader of a pair has ended
 * @wc_error: first failed completion
 */
struct rscope_lane {
	struct rscope_endpoint *ep;
	struct rscope_cqueue cq;
	u32 first;
	u32 nr;
	u64 ended;
	struct rscope_wc_error wc_error;
};

/**
 * struct rscope_endpoint - verbs objects of one run
 * @ib: device; kept by .remove, which waits for the run
 * @w: workload
 * @l: layout
 * @plan: what all QPs share
 * @stop: what ends the run early
 * @pd: protection domain
 * @nr_lanes: threads
 * @lane: their shares
 * @nr: QP pairs
 * @pair: the pairs
 * @stage: what is being done, for the report
 * @setup_ns: by stage, time spent setting up
 * @teardown_ns: time of teardown
 */
struct rscope_endpoint {
	struct ib_device *ib;
	const struct rscope_workload *w;
	const struct rscope_layout *l;
	struct rscope_qp_plan plan;
	struct rscope_stop *stop;
	struct ib_pd *pd;
	u32 nr_lanes;
	struct rscope_lane *lane;
	u32 nr;
	struct rscope_pair *pair;
	enum rscope_stage stage;
	u64 setup_ns[RSCOPE_STAGE_NR];
	u64 teardown_ns;
};

int rscope_endpoint_open(struct rscope_endpoint *ep, struct rscope_error *e);
void rscope_endpoint_close(struct rscope_endpoint *ep);
int rscope_end_post_recvs(struct rscope_end *end, u32 n);
const struct rscope_wc_error *rscope_endpoint_error(const struct rscope_endpoint *ep);

static inline struct rscope_cqe *rscope_cqe_of(const struct ib_wc *wc)
{
	return container_of(wc->wr_cqe, struct rscope_cqe, cqe);
}

/* Remember the first completion error; flushes after it say nothing new. */
static inline void rscope_wc_failed(struct rscope_lane *lane, const struct ib_wc *wc, u32 qp)
{
	if (lane->wc_error.status != IB_WC_SUCCESS)
		return;
	lane->wc_error.status = wc->status;
	lane->wc_error.vendor_err = wc->vendor_err;
	lane->wc_error.qp = lane->first + qp;
}

#endif /* RSCOPE_ENDPOINT_H */
