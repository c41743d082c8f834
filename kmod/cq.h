/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. How completions reach the thread that waits for them. */
#ifndef RSCOPE_CQ_H
#define RSCOPE_CQ_H

#include <linux/sched/signal.h>
#include <linux/wait.h>
#include <rdma/ib_verbs.h>
#include "compat.h"
#include "stop.h"
#include "workload.h"

/* Longest sleep without looking around; 64 of them pass between two looks. */
#define RSCOPE_IDLE_MS 10

/**
 * struct rscope_wc - what is kept of an announced completion
 * @cqe: whose it is
 * @vendor_err: what the driver adds to an error
 * @status: its status
 * @flags: of these, whether there is immediate data
 * @imm: immediate data
 */
struct rscope_wc {
	struct ib_cqe *cqe;
	u32 vendor_err;
	enum ib_wc_status status;
	int flags;
	__be32 imm;
};

/**
 * struct rscope_cqueue - a CQ and its one consumer
 * @cq: the CQ
 * @ring: announced completions; NULL when the consumer polls the CQ itself
 * @mask: length of @ring - 1; no fewer than the CQ has entries
 * @head: next to write; the core calls back from one context at a time
 * @tail: next to read; the consumer's
 * @wait: where the consumer sleeps
 * @told: entries the consumer has been told of, or did not wait for; the
 *	producer's
 * @mute: fault point: this many wake-ups from now, one is left out; 0 = none
 * @wakeups: sleeps of the consumer that a completion ended
 * @lost_wakeups: sleeps after which there was a completion that had not woken it
 */
struct rscope_cqueue {
	struct ib_cq *cq;
	struct rscope_wc *ring;
	u32 mask;
	u32 head;
	u32 tail;
	wait_queue_head_t wait;
	u32 told;
	u64 mute;
	u64 wakeups;
	u64 lost_wakeups;
};

int rscope_cq_open(struct rscope_cqueue *c, struct ib_device *ib, u32 entries, s64 kind);
void rscope_cq_close(struct rscope_cqueue *c);
void rscope_cq_done(struct ib_cq *cq, struct ib_wc *wc);
void rscope_cq_sleep(struct rscope_cqueue *c, const struct rscope_stop *stop);

/* Let the softirq or worker of a soft device run on this CPU. */
static __always_inline void rscope_relax(void)
{
	if (rscope_should_yield())
		schedule();
	else
		cpu_relax();
}

static inline bool rscope_cq_empty(const struct rscope_cqueue *c)
{
	/* Pairs with rscope_cq_done(). */
	return smp_load_acquire(&c->head) == c->tail;
}

static inline int rscope_cq_take_ring(struct rscope_cqueue *c, struct ib_wc *wc, u32 max)
{
	u32 n = 0;

	for (; n < max && !rscope_cq_empty(c); n++, c->tail++) {
		const struct rscope_wc *from = &c->ring[c->tail & c->mask];

		wc[n].wr_cqe = from->cqe;
		wc[n].status = from->status;
		wc[n].vendor_err = from->vendor_err;
		wc[n].wc_flags = from->flags;
		wc[n].ex.imm_data = from->imm;
	}
	return (int)n;
}

/*
 * Up to @max completions, RSCOPE_POLL_MAX at most: how many, or what the driver says. Only
 * wr_cqe, status, vendor_err and immediate data are valid.
 */
static __always_inline int rscope_cq_take(struct rscope_cqueue *c, struct ib_wc *wc, u32 max)
{
	if (unlikely(c->ring))
		return rscope_cq_take_ring(c, wc, max);
	return ib_poll_cq(c->cq, (int)max, wc);
}

/* After an empty take: give way, or sleep until something is announced. */
static __always_inline void rscope_cq_idle(struct rscope_cqueue *c, const struct rscope_stop *stop)
{
	if (unlikely(c->ring))
		rscope_cq_sleep(c, stop);
	else
		rscope_relax();
}

#endif /* RSCOPE_CQ_H */
