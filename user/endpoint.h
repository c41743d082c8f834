/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a user run works with: context, PD, CQ, buffers, QP pairs in RTS.
 */
#ifndef ENDPOINT_H
#define ENDPOINT_H

#include <rdmascope/layout.h>
#include <rdmascope/report.h>

#include "cqueue.h"
#include "verbs.h"

/**
 * struct end - one QP of a pair and what it posts
 * @lane: thread that owns it
 * @qp: the QP
 * @sq_wrs: operations that may be outstanding, 0 when it never sends
 * @rq_wrs: receives that may be outstanding
 * @wr: ring of @sq_wrs prebuilt work requests, chained
 * @sge: their SGEs
 * @recv: ring of @rq_wrs prebuilt receives, chained
 * @recv_sge: their SGEs
 * @recv_head: ring slot of the next receive to post
 * @owed: receives consumed and not posted again
 * @received: receives completed in the life of the QP
 */
struct end {
	u32 lane;
	struct ibv_qp *qp;
	u32 sq_wrs;
	u32 rq_wrs;
	struct ibv_send_wr *wr;
	struct ibv_sge *sge;
	struct ibv_recv_wr *recv;
	struct ibv_sge *recv_sge;
	u32 recv_head;
	u32 owed;
	u64 received;
};

/**
 * struct pair - two QPs of the same port, connected to each other
 * @end: active and passive end; only in a ping-pong does the passive one send
 * @src: source region
 * @dst: destination region
 * @src_mr: registration of @src
 * @dst_mr: registration of @dst
 */
struct pair {
	struct end end[2];
	u8 *src;
	u8 *dst;
	struct ibv_mr *src_mr;
	struct ibv_mr *dst_mr;
};

/**
 * struct lane - share of one thread: a CQ and the pairs on it
 * @cq: CQ of all queues of these pairs, or of one end of its only one
 * @first: index of the first pair
 * @nr: pairs
 * @ended: ping-pong passes that the leader of a pair has ended
 */
struct lane {
	struct cqueue cq;
	u32 first;
	u32 nr;
	u64 ended;
};

/* Whose completion is it? The pair within its lane, the end, receive or not. */
#define WR_ID(qp, side, recv) ((u64)(qp) << 2 | (u64)(side) << 1 | (u64)(recv))
#define WR_ID_QP(id) ((u32)((id) >> 2))
#define WR_ID_SIDE(id) ((u16)((id) >> 1 & 1))
#define WR_ID_RECV(id) ((u16)((id) & 1))

/**
 * struct address - how the QPs of a port reach each other
 * @port: port number
 * @mtu: path MTU in bytes
 * @use_grh: with global routing header (RoCE always)
 * @gid_index: GID used
 * @gid: the GID
 * @lid: LID, InfiniBand
 */
struct address {
	u8 port;
	u32 mtu;
	bool use_grh;
	u8 gid_index;
	union ibv_gid gid;
	u16 lid;
};

/**
 * struct endpoint - everything a user run holds
 * @verbs: functions
 * @ctx: open device
 * @attr: its limits
 * @pd: protection domain
 * @lanes: shares of the threads
 * @nr_lanes: how many
 * @pairs: QP pairs
 * @nr_pairs: how many
 * @layout: geometry of the regions
 * @rd_atomic: outstanding reads per QP
 * @inline_bytes: inline capability granted
 * @sq_wrs: send queue granted
 * @rq_wrs: receive queue granted
 */
struct endpoint {
	const struct verbs *verbs;
	struct ibv_context *ctx;
	struct ibv_device_attr attr;
	struct ibv_pd *pd;
	struct lane *lanes;
	u32 nr_lanes;
	struct pair *pairs;
	u32 nr_pairs;
	struct rscope_layout layout;
	u8 rd_atomic;
	u32 inline_bytes;
	u32 sq_wrs;
	u32 rq_wrs;
};

u64 endpoint_now(void);
void endpoint_take_time(u64 *ns, u64 *since);
int endpoint_open(struct endpoint *ep, const char *dev, struct rscope_error *e);
int endpoint_create(struct endpoint *ep, const struct rscope_workload *w, struct rscope_report *r,
		    struct rscope_error *e);
int endpoint_connect(struct endpoint *ep, const struct rscope_workload *w, const struct address *a,
		     struct rscope_report *r, struct rscope_error *e);
void endpoint_states(struct endpoint *ep, struct rscope_report *r);
void endpoint_destroy(struct endpoint *ep);
void endpoint_close(struct endpoint *ep);

int buffers_create(struct endpoint *ep, const struct rscope_workload *w, struct rscope_error *e);
void buffers_destroy(struct endpoint *ep);

#endif /* ENDPOINT_H */
