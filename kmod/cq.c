// SPDX-License-Identifier: GPL-2.0
/*
 * How does a completion reach the measuring thread? It polls the CQ itself
 * (poll, direct), or the core calls back in softirq or from a workqueue and the
 * thread sleeps until something is in the ring.
 *
 * The ring has one producer, because the core runs the callbacks of one CQ from
 * one context at a time, and one consumer. head is released by the producer
 * after the entry is written and acquired by the consumer before it is read.
 */
#include <linux/log2.h>
#include <linux/slab.h>
#include "cq.h"
#include "fault.h"

static enum ib_poll_context rscope_poll_context(s64 kind)
{
	switch (kind) {
	case RSCOPE_CQ_SOFTIRQ:
	case RSCOPE_CQ_EVENT:
		return IB_POLL_SOFTIRQ;
	case RSCOPE_CQ_WORKQUEUE:
		return IB_POLL_WORKQUEUE;
	default:
		return IB_POLL_DIRECT;
	}
}

/* Fault point: is this the wake-up to leave out? */
static bool rscope_cq_muted(struct rscope_cqueue *c)
{
	return static_branch_unlikely(&rscope_fault_key) && c->mute && !--c->mute;
}

/**
 * rscope_cq_done() - completion callback of every work request
 * @cq: CQ, its context is our struct
 * @wc: completion
 *
 * Context: softirq or worker, one at a time per CQ.
 */
void rscope_cq_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rscope_cqueue *c = cq->cq_context;
	struct rscope_wc *to = &c->ring[c->head & c->mask];

	to->cqe = wc->wr_cqe;
	to->status = wc->status;
	to->vendor_err = wc->status == IB_WC_SUCCESS ? 0 : wc->vendor_err;
	to->flags = wc->wc_flags;
	to->imm = wc->ex.imm_data;
	/* Pairs with rscope_cq_empty(): the entry is written before it counts. */
	smp_store_release(&c->head, c->head + 1);
	/* The full barrier of wq_has_sleeper() pairs with prepare_to_wait(). */
	if (wq_has_sleeper(&c->wait) && !rscope_cq_muted(c))
		wake_up(&c->wait);
	/* Pairs with rscope_cq_untold(): who had to be woken has been by now. */
	smp_store_release(&c->told, c->head);
}

/**
 * struct rscope_bell - one sleep of the consumer
 * @entry: in the wait queue
 * @rung: somebody woke it, whether it still slept or not
 */
struct rscope_bell {
	struct wait_queue_entry entry;
	bool rung;
};

static int rscope_bell_ring(struct wait_queue_entry *entry, unsigned int mode, int flags,
			    void *key)
{
	struct rscope_bell *bell = container_of(entry, struct rscope_bell, entry);

	WRITE_ONCE(bell->rung, true);
	return autoremove_wake_function(entry, mode, flags, key);
}

/*
 * The producer is done with an entry that the consumer has not taken. The
 * consumer was in the queue when it found the ring empty, so it was to be woken.
 */
static bool rscope_cq_untold(const struct rscope_cqueue *c)
{
	u32 told;

	if (rscope_cq_empty(c))
		return false;
	/* Pairs with rscope_cq_done(): its wake-up came before. */
	told = smp_load_acquire(&c->told);
	return (s32)(told - c->tail) > 0;
}

/**
 * rscope_cq_sleep() - wait for an announced completion, or a reason to stop
 * @c: CQ with a ring
 * @stop: stop flag of the run; NULL while tearing down
 *
 * With a signal pending an interruptible sleep would not sleep: then it only
 * gives way, and the caller finds out when it looks at the stop flag.
 *
 * A sleep has a time limit, so that a stop is noticed. A completion that is found
 * after a sleep which it did not end would have waited for ever without that
 * limit: it counts as a lost wake-up.
 *
 * Context: process.
 */
void rscope_cq_sleep(struct rscope_cqueue *c, const struct rscope_stop *stop)
{
	struct rscope_bell bell = {};

	if (signal_pending(current)) {
		rscope_relax();
		return;
	}
	init_wait(&bell.entry);
	bell.entry.func = rscope_bell_ring;
	prepare_to_wait(&c->wait, &bell.entry, TASK_INTERRUPTIBLE);
	if (rscope_cq_empty(c) && !(stop && READ_ONCE(stop->why))) {
		schedule_timeout(msecs_to_jiffies(RSCOPE_IDLE_MS));
		c->wakeups += !rscope_cq_empty(c);
		c->lost_wakeups += rscope_cq_untold(c) && !READ_ONCE(bell.rung);
	}
	finish_wait(&c->wait, &bell.entry);
}

/**
 * rscope_cq_open() - create a CQ
 * @c: zeroed; rscope_cq_close() it whatever is returned
 * @ib: device
 * @entries: completions that can be outstanding
 * @kind: enum rscope_cq
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM or what the driver says.
 */
int rscope_cq_open(struct rscope_cqueue *c, struct ib_device *ib, u32 entries, s64 kind)
{
	struct ib_cq *cq;

	init_waitqueue_head(&c->wait);
	if (rscope_cq_sleeps(kind)) {
		c->mask = roundup_pow_of_two(entries) - 1;
		c->ring = kvcalloc(c->mask + 1, sizeof(*c->ring), GFP_KERNEL);
		if (!c->ring)
			return -ENOMEM;
	}
	cq = ib_alloc_cq_any(ib, c, entries, rscope_poll_context(kind));
	if (IS_ERR(cq))
		return PTR_ERR(cq);
	c->cq = cq;
	return 0;
}

/**
 * rscope_cq_close() - destroy a CQ
 * @c: CQ, also one that was never opened
 *
 * Context: may sleep. No callback runs afterwards.
 */
void rscope_cq_close(struct rscope_cqueue *c)
{
	if (c->cq)
		ib_free_cq(c->cq);
	kvfree(c->ring);
	c->cq = NULL;
	c->ring = NULL;
}
