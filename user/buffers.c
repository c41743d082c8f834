// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Regions, registrations and the prebuilt work requests of an endpoint.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "endpoint.h"

#define ACCESS_DST (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)

/* Read: the remote side is the source. Ping-pong: answers land in the source. */
static int src_access(const struct rscope_workload *w)
{
	if (w->pattern == RSCOPE_PATTERN_PINGPONG)
		return ACCESS_DST;
	if (rscope_op_is_atomic(w->op))
		return IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
	return rscope_op_is_inbound(w->op) ? IBV_ACCESS_REMOTE_READ : 0;
}

static u8 *region(u64 bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static struct ibv_mr *reg(struct endpoint *ep, u8 *p, u64 bytes, int access, struct rscope_error *e)
{
	struct ibv_mr *mr = ep->verbs->ibv_reg_mr(ep->pd, p, bytes, access);

	if (!mr)
		rscope_fail(e, -errno, "register %llu bytes: %s", bytes, strerror(errno));
	return mr;
}

static int create_regions(struct endpoint *ep, struct pair *p, const struct rscope_workload *w,
			  struct rscope_error *e)
{
	const struct rscope_layout *l = &ep->layout;

	p->src = region(l->src_bytes);
	p->dst = region(l->dst_bytes);
	if (!p->src || !p->dst)
		return rscope_fail(e, -ENOMEM, "buffers of %llu bytes: %s",
				   l->src_bytes + l->dst_bytes, strerror(errno));
	p->src_mr = reg(ep, p->src, l->src_bytes, src_access(w), e);
	p->dst_mr = p->src_mr ? reg(ep, p->dst, l->dst_bytes, ACCESS_DST, e) : NULL;
	return p->dst_mr ? 0 : e->err;
}

static enum ibv_wr_opcode opcode(const struct rscope_workload *w)
{
	static const enum ibv_wr_opcode of[RSCOPE_OP_NR] = {
		[RSCOPE_OP_SEND] = IBV_WR_SEND,
		[RSCOPE_OP_SEND_IMM] = IBV_WR_SEND_WITH_IMM,
		[RSCOPE_OP_WRITE] = IBV_WR_RDMA_WRITE,
		[RSCOPE_OP_WRITE_IMM] = IBV_WR_RDMA_WRITE_WITH_IMM,
		[RSCOPE_OP_READ] = IBV_WR_RDMA_READ,
		[RSCOPE_OP_CAS] = IBV_WR_ATOMIC_CMP_AND_SWP,
		[RSCOPE_OP_FAA] = IBV_WR_ATOMIC_FETCH_AND_ADD,
	};

	return of[w->op];
}

static void set_remote(struct ibv_send_wr *wr, s64 op, u64 addr, u32 rkey)
{
	if (rscope_op_is_atomic(op)) {
		wr->wr.atomic.remote_addr = addr;
		wr->wr.atomic.rkey = rkey;
		return;
	}
	wr->wr.rdma.remote_addr = addr;
	wr->wr.rdma.rkey = rkey;
}

/* Ring slot i of the sends of an end; the slot of the buffers is set per pass. */
static void build_send(struct endpoint *ep, const struct rscope_workload *w, u32 q, u32 side, u32 i)
{
	struct pair *p = &ep->pairs[q];
	struct end *end = &p->end[side];
	bool swap = rscope_op_is_inbound(w->op) != !!side;
	struct ibv_mr *local = swap ? p->dst_mr : p->src_mr;
	struct ibv_mr *remote = swap ? p->src_mr : p->dst_mr;
	struct ibv_send_wr *wr = &end->wr[i];

	end->sge[i].length = (u32)w->size;
	end->sge[i].lkey = local->lkey;
	end->sge[i].addr = (uintptr_t)local->addr + RSCOPE_GUARD_BYTES;
	wr->wr_id = WR_ID(q - ep->lanes[end->lane].first, side, 0);
	wr->sg_list = &end->sge[i];
	wr->num_sge = 1;
	wr->opcode = opcode(w);
	set_remote(wr, w->op, (uintptr_t)remote->addr + RSCOPE_GUARD_BYTES, remote->rkey);
	wr->next = &end->wr[i + 1 == end->sq_wrs ? 0 : i + 1];
}

/* Receive i of a QP's life lies in slot i modulo the slots of its region. */
static void build_recv(struct endpoint *ep, u32 q, u32 side, u32 i)
{
	const struct rscope_layout *l = &ep->layout;
	struct pair *p = &ep->pairs[q];
	struct end *end = &p->end[side];
	struct ibv_mr *mr = side ? p->dst_mr : p->src_mr;
	u64 slot = i % (side ? l->dst_slots : l->src_slots);
	struct ibv_recv_wr *wr = &end->recv[i];

	end->recv_sge[i].addr = (uintptr_t)mr->addr + rscope_slot_offset(l, slot);
	end->recv_sge[i].length = (u32)l->size;
	end->recv_sge[i].lkey = mr->lkey;
	wr->wr_id = WR_ID(q - ep->lanes[end->lane].first, side, 1);
	wr->sg_list = &end->recv_sge[i];
	wr->num_sge = 1;
	wr->next = &end->recv[i + 1 == end->rq_wrs ? 0 : i + 1];
}

static int create_rings(struct endpoint *ep, const struct rscope_workload *w, u32 q, u32 side,
			struct rscope_error *e)
{
	struct end *end = &ep->pairs[q].end[side];
	u32 i;

	end->wr = calloc(end->sq_wrs + 1, sizeof(*end->wr));
	end->sge = calloc(end->sq_wrs + 1, sizeof(*end->sge));
	end->recv = calloc(end->rq_wrs + 1, sizeof(*end->recv));
	end->recv_sge = calloc(end->rq_wrs + 1, sizeof(*end->recv_sge));
	if (!end->wr || !end->sge || !end->recv || !end->recv_sge)
		return rscope_fail(e, -ENOMEM, "work requests: out of memory");
	for (i = 0; i < end->sq_wrs; i++)
		build_send(ep, w, q, side, i);
	for (i = 0; i < end->rq_wrs; i++)
		build_recv(ep, q, side, i);
	return 0;
}

/**
 * buffers_create() - regions, registrations and work requests of all pairs
 * @ep: endpoint with PD, QPs and layout
 * @w: workload
 * @e: reason
 *
 * Return: 0 or a negative errno; buffers_destroy() in both cases.
 */
int buffers_create(struct endpoint *ep, const struct rscope_workload *w, struct rscope_error *e)
{
	u32 q;
	int err = 0;

	for (q = 0; q < ep->nr_pairs && !err; q++) {
		err = create_regions(ep, &ep->pairs[q], w, e);
		if (!err)
			err = create_rings(ep, w, q, 0, e);
		if (!err)
			err = create_rings(ep, w, q, 1, e);
	}
	return err;
}

static void free_rings(struct end *end)
{
	free(end->wr);
	free(end->sge);
	free(end->recv);
	free(end->recv_sge);
}

static void unmap(u8 *p, u64 bytes)
{
	if (p)
		munmap(p, bytes);
}

/**
 * buffers_destroy() - undo buffers_create(), also a failed one
 * @ep: endpoint
 */
void buffers_destroy(struct endpoint *ep)
{
	u32 q;

	for (q = 0; ep->pairs && q < ep->nr_pairs; q++) {
		struct pair *p = &ep->pairs[q];

		if (p->src_mr)
			ep->verbs->ibv_dereg_mr(p->src_mr);
		if (p->dst_mr)
			ep->verbs->ibv_dereg_mr(p->dst_mr);
		unmap(p->src, ep->layout.src_bytes);
		unmap(p->dst, ep->layout.dst_bytes);
		free_rings(&p->end[0]);
		free_rings(&p->end[1]);
	}
}
