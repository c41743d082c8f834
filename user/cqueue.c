// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A CQ that is polled, or slept on. No wake-up is lost: the consumer sleeps only
 * when the CQ was armed before the poll that found it empty.
 */
#include "cqueue.h"

#include <fcntl.h>
#include <poll.h>

#include "signals.h"

#define IDLE_MS 10 /* longest sleep without looking around, as in the module */
#define GRACE_MS 200 /* after which an announcement that is due is lost */
#define ACK_AT 1024 /* acknowledging takes a lock: do it for many at once */

static int open_channel(struct cqueue *c, struct ibv_context *ctx, struct rscope_error *e)
{
	c->channel = c->verbs->ibv_create_comp_channel(ctx);
	if (!c->channel)
		return rscope_fail(e, errno ? -errno : -EIO, "create a completion channel: %s",
				   strerror(errno));
	/* An announcement may have been taken back: never block in reading it. */
	fcntl(c->channel->fd, F_SETFL, fcntl(c->channel->fd, F_GETFL) | O_NONBLOCK);
	return 0;
}

/**
 * cqueue_open() - create a CQ
 * @c: zeroed; cqueue_close() it whatever is returned
 * @v: functions
 * @ctx: open device
 * @entries: completions that can be outstanding
 * @event: with a completion channel
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int cqueue_open(struct cqueue *c, const struct verbs *v, struct ibv_context *ctx, u32 entries,
		bool event, struct rscope_error *e)
{
	c->verbs = v;
	if (event && open_channel(c, ctx, e))
		return e->err;
	c->cq = v->ibv_create_cq(ctx, (int)entries, NULL, c->channel, 0);
	if (!c->cq)
		return rscope_fail(e, errno ? -errno : -EIO, "create a CQ of %u entries: %s",
				   entries, strerror(errno));
	return 0;
}

static void acknowledge(struct cqueue *c)
{
	if (c->unacked)
		c->verbs->ibv_ack_cq_events(c->cq, c->unacked);
	c->unacked = 0;
}

/**
 * cqueue_close() - destroy a CQ
 * @c: CQ, also one that was never opened
 *
 * Destruction waits until everything announced has been acknowledged.
 */
void cqueue_close(struct cqueue *c)
{
	if (c->cq) {
		acknowledge(c);
		c->verbs->ibv_destroy_cq(c->cq);
	}
	if (c->channel)
		c->verbs->ibv_destroy_comp_channel(c->channel);
	c->cq = NULL;
	c->channel = NULL;
}

static void take_event(struct cqueue *c)
{
	struct ibv_cq *cq;
	void *context;

	if (c->verbs->ibv_get_cq_event(c->channel, &cq, &context))
		return;
	c->armed = false;
	c->slept = SLEPT_WOKEN;
	if (++c->unacked == ACK_AT)
		acknowledge(c);
}

/* Fault point: is this the arming to leave out? */
static bool is_deaf(struct cqueue *c)
{
	return c->deaf && !--c->deaf;
}

/**
 * cqueue_sleep() - after a poll that found nothing
 * @c: CQ with a channel
 * @stop: eventfd that ends every sleep, once readable
 *
 * The first call arms the CQ and returns, so that it is polled once more; only
 * the next one sleeps. A signal ends the sleep, and with one pending it does
 * not begin: the caller finds out when it looks at its stop flag.
 */
void cqueue_sleep(struct cqueue *c, int stop)
{
	struct pollfd fd[] = {
		{ .fd = c->channel->fd, .events = POLLIN },
		{ .fd = stop, .events = POLLIN },
	};

	int n;

	if (!c->armed) {
		c->armed = is_deaf(c) || !ibv_req_notify_cq(c->cq, 0);
		return;
	}
	if (signals_caught())
		return;
	n = poll(fd, ARRAY_SIZE(fd), IDLE_MS);
	if (n > 0 && fd[0].revents & POLLIN)
		take_event(c);
	else if (!n)
		c->slept = SLEPT_LIMIT;
}

/**
 * cqueue_judge() - there is a completion after a sleep: did it end the sleep?
 * @c: CQ with a channel
 *
 * A sleep has a time limit, so that a stop is noticed. A completion found after
 * that limit may have come just then: its announcement is on its way. One that
 * does not come would never have ended the sleep: a lost wake-up.
 */
void cqueue_judge(struct cqueue *c)
{
	struct pollfd fd = { .fd = c->channel->fd, .events = POLLIN };

	if (c->slept == SLEPT_WOKEN) {
		c->wakeups++;
	} else if (!poll(&fd, 1, GRACE_MS)) {
		c->lost_wakeups++;
		c->armed = false;
	}
	c->slept = SLEPT_NOT;
}
