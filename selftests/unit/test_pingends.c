// SPDX-License-Identifier: GPL-2.0
/*
 * A ping-pong with a thread for each end, over a wire in memory: strictly in turn,
 * the follower ends with its leader, nothing is left over for the next pass, and
 * what breaks one ends both.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "unit.h"
#include <rdmascope/pass.h>

struct wire {
	pthread_mutex_t lock;
	bool by_write;
	u64 landed[2]; /* last message that arrived at this end */
	bool recv[2]; /* its completion has not been found yet */
	bool unsent[2];
	u64 pings[2];
	u64 fail_ping; /* the n-th message of all fails, 0 = never */
	int broken;
};

struct rscope_engine {
	struct wire *wire;
	u32 side;
};

static inline int rscope_hook_ping(struct rscope_engine *e, u32 qp, u32 side, u64 serial)
{
	struct wire *w = e->wire;
	int err = 0;

	assert_int_equal(qp, 0);
	assert_int_equal(side, e->side);
	pthread_mutex_lock(&w->lock);
	assert_false(w->unsent[side]);
	assert_false(w->recv[side]);
	assert_int_equal(serial, 2 * w->pings[side] + side + 1);
	assert_int_equal(w->pings[0] - w->pings[1], side);
	if (w->pings[0] + w->pings[1] + 1 == w->fail_ping) {
		w->broken = -EIO;
		err = -EIO;
	} else {
		w->pings[side]++;
		w->unsent[side] = true;
		w->landed[!side] = serial;
		w->recv[!side] = !w->by_write;
	}
	pthread_mutex_unlock(&w->lock);
	return err;
}

static inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done, u32 max,
				   const enum rscope_pass pass)
{
	struct wire *w = e->wire;
	u16 side = (u16)e->side;
	int n = 0;

	assert_true(max >= 2);
	pthread_mutex_lock(&w->lock);
	if (w->unsent[side])
		done[n++] = (struct rscope_done){ .side = side };
	if (w->recv[side])
		done[n++] = (struct rscope_done){ .side = side, .recv = 1 };
	w->unsent[side] = false;
	w->recv[side] = false;
	pthread_mutex_unlock(&w->lock);
	return n;
}

static inline bool rscope_hook_landed(struct rscope_engine *e, u32 qp, u32 side, u64 serial)
{
	struct wire *w = e->wire;
	bool landed;

	assert_int_equal(side, e->side);
	pthread_mutex_lock(&w->lock);
	landed = w->by_write && w->landed[side] == serial;
	pthread_mutex_unlock(&w->lock);
	return landed;
}

static inline u64 rscope_hook_now(struct rscope_engine *e)
{
	struct timespec t;

	(void)e;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ULL + (u64)t.tv_nsec;
}

static inline int rscope_hook_stop(struct rscope_engine *e, u64 now)
{
	(void)now;
	return READ_ONCE(e->wire->broken);
}

static inline void rscope_hook_relax(struct rscope_engine *e)
{
	(void)e;
	sched_yield();
}

/* The other loop's hooks; nothing calls them here. */
static inline int rscope_hook_post(struct rscope_engine *e, u32 qp, u32 slot, u32 n,
				   u64 signalled, enum rscope_pass pass)
{
	fail();
	return 0;
}

static inline void rscope_hook_prepare(struct rscope_engine *e, u32 qp, u64 op)
{
	fail();
}

static inline void rscope_hook_check(struct rscope_engine *e, u32 qp, u64 op)
{
	fail();
}

#include <rdmascope/pingpong.h>

/* What each pass does: operations, or nanoseconds, or nothing at all. */
static const struct {
	u64 ops;
	u64 duration_ns;
} passes[] = { { 0, 0 }, { 1, 0 }, { 200, 0 }, { 0, 2000000 }, { 0, 0 }, { 7, 0 } };

struct player {
	struct rscope_engine engine;
	struct rscope_loop loop;
	struct rscope_track track;
	struct rscope_hist hist;
	pthread_barrier_t *gate;
	u64 retired;
	int err;
};

static void *play(void *arg)
{
	struct player *p = arg;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(passes); i++) {
		rscope_loop_reset(&p->loop, passes[i].ops, passes[i].duration_ns);
		pthread_barrier_wait(p->gate);
		if (!p->err)
			p->err = rscope_pingpong_run(&p->engine, &p->loop, RSCOPE_PASS_TIMED);
		p->retired += p->loop.retired;
		if (!p->err)
			assert_false(p->track.unsent[0] || p->track.unsent[1]);
		if (!p->err && !p->loop.side && passes[i].ops)
			assert_int_equal(p->loop.retired, passes[i].ops);
	}
	return NULL;
}

static void set(struct player *p, u32 side, struct wire *w, u64 *ended, pthread_barrier_t *gate)
{
	p->engine = (struct rscope_engine){ .wire = w, .side = side };
	p->gate = gate;
	p->loop = (struct rscope_loop){
		.depth = 1, .batch = 1, .signal = 1, .qps = 1, .two_sided = !w->by_write,
		.side = side, .ended = ended, .track = &p->track, .hist = &p->hist,
	};
	rscope_hist_init(&p->hist);
}

static void game(struct wire *w, struct player p[2])
{
	pthread_barrier_t gate;
	pthread_t follower;
	u64 ended = 0;

	memset(p, 0, 2 * sizeof(*p));
	pthread_mutex_init(&w->lock, NULL);
	pthread_barrier_init(&gate, NULL, 2);
	set(&p[0], 0, w, &ended, &gate);
	set(&p[1], 1, w, &ended, &gate);
	assert_int_equal(pthread_create(&follower, NULL, play, &p[1]), 0);
	play(&p[0]);
	pthread_join(follower, NULL);
	pthread_barrier_destroy(&gate);
}

static void ends_take_turns(void **state)
{
	static struct player p[2];
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct wire w = { .by_write = i };

		game(&w, p);
		assert_int_equal(p[0].err, 0);
		assert_int_equal(p[1].err, 0);
		assert_int_equal(w.pings[0], w.pings[1]);
		assert_int_equal(p[0].retired, w.pings[0]);
		assert_int_equal(p[0].hist.count, w.pings[0]);
		/* A round trip counts once. */
		assert_int_equal(p[1].retired, 0);
		assert_int_equal(p[1].hist.count, 0);
	}
}

static void what_breaks_one_ends_both(void **state)
{
	static struct player p[2];
	u64 at;

	(void)state;
	for (at = 1; at <= 40; at++) {
		struct wire w = { .by_write = at & 1, .fail_ping = at };

		game(&w, p);
		assert_int_equal(p[0].err, -EIO);
		assert_int_equal(p[1].err, -EIO);
		assert_int_equal(w.pings[0] + w.pings[1], at - 1);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(ends_take_turns),
	cmocka_unit_test(what_breaks_one_ends_both),
};

UNIT_MAIN(tests)
