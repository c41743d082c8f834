// SPDX-License-Identifier: GPL-2.0
/*
 * The loop of a ping-pong over a device in memory, one thread for both ends:
 * strictly in turn, an end sends when a message has arrived at it and its own last
 * one has completed, half the round trip by the device's own clock.
 */
#include <stdio.h>

#include "unit.h"
#include <rdmascope/pass.h>

#define QPS 3

struct rscope_engine {
	enum rscope_pass pass;
	bool by_write; /* arrival is seen in memory, not by a receive completion */
	u32 qps;
	u64 seed;
	u64 clock;
	/* The message under way. */
	u32 qp;
	u32 side;
	u64 serial; /* of the last ping; counts per pair */
	bool unsent[QPS][2];
	bool arrived;
	bool told; /* the loop knows of the arrival */
	bool dead; /* nothing arrives and nothing completes */
	/* Errors on demand: the n-th call fails, 0 = never. */
	u64 fail_ping;
	u64 fail_poll;
	u64 fail_stop;
	int fail_with;
	/* The books. */
	u64 pings;
	u64 polls;
	u64 empty_polls;
	u64 stops;
	u64 relaxes;
	u64 idle;
	u64 start;
	struct rscope_hist hist;
};

static inline int rscope_hook_ping(struct rscope_engine *e, u32 qp, u32 side, u64 serial)
{
	/* The one before has arrived, this side's last one is over, and it is its turn. */
	assert_true(!e->pings || e->told);
	assert_false(e->unsent[qp][side]);
	assert_int_equal(side, e->pings % 2);
	assert_int_equal(qp, e->pings / 2 % e->qps);
	/* Messages of a pair are numbered without a gap. */
	assert_int_equal(serial, e->pings / 2 / e->qps * 2 + side + 1);
	if (++e->pings == e->fail_ping)
		return e->fail_with;
	e->qp = qp;
	e->side = side;
	e->serial = serial;
	e->unsent[qp][side] = true;
	e->arrived = false;
	e->told = false;
	e->idle = 0;
	if (!side)
		e->start = e->clock;
	return 0;
}

/* The sender's completion may come before the arrival or after it, or much later. */
static int completions(struct rscope_engine *e, struct rscope_done *done, int max)
{
	int n = 0;
	u32 i;

	for (i = 0; i < 2 * e->qps && n < max; i++) {
		if (!e->unsent[i / 2][i % 2] || unit_range(&e->seed, 0, 2))
			continue;
		e->unsent[i / 2][i % 2] = false;
		done[n].qp = i / 2;
		done[n].side = (u16)(i % 2);
		done[n++].recv = 0;
	}
	return n;
}

static bool nothing_unsent(const struct rscope_engine *e)
{
	u32 i;

	for (i = 0; i < 2 * e->qps; i++)
		if (e->unsent[i / 2][i % 2])
			return false;
	return true;
}

static void maybe_arrive(struct rscope_engine *e)
{
	if (!e->dead && !e->arrived && !unit_range(&e->seed, 0, 2))
		e->arrived = true;
}

static inline int rscope_hook_poll(struct rscope_engine *e, struct rscope_done *done, u32 max,
				   const enum rscope_pass pass)
{
	int n = 0;

	assert_true(max >= 2);
	if (++e->polls == e->fail_poll)
		return e->fail_with;
	maybe_arrive(e);
	if (e->arrived && !e->told && !e->by_write) {
		done[n].qp = e->qp;
		done[n].side = (u16)!e->side;
		done[n++].recv = 1;
		e->told = true;
	}
	if (!e->dead)
		n += completions(e, done + n, (int)max - n);
	e->empty_polls += !n;
	e->idle = n ? 0 : e->idle + 1;
	return n;
}

static inline bool rscope_hook_landed(struct rscope_engine *e, u32 qp, u32 side, u64 serial)
{
	assert_int_equal(qp, e->qp);
	assert_int_equal(serial, e->serial);
	/* Looked for at the other end than it was sent from. */
	assert_int_equal(side, !e->side);
	if (!e->by_write)
		return false;
	maybe_arrive(e);
	e->told = e->arrived;
	return e->arrived;
}

static inline u64 rscope_hook_now(struct rscope_engine *e)
{
	assert_int_not_equal(e->pass, RSCOPE_PASS_COUNT);
	e->clock += unit_range(&e->seed, 1, 1000);
	/* Read when a round trip is over, and not when the deadline is looked at. */
	if (e->pings && !(e->pings % 2) && !e->unsent[e->qp][0] && e->told && e->start) {
		if (e->pass == RSCOPE_PASS_TIMED)
			rscope_hist_add(&e->hist, (e->clock - e->start) / 2, e->pings / 2 - 1);
		e->start = 0;
	}
	return e->clock;
}

static inline int rscope_hook_stop(struct rscope_engine *e, u64 now)
{
	assert_int_equal(now, e->pass == RSCOPE_PASS_COUNT ? 0 : e->clock);
	return ++e->stops == e->fail_stop ? e->fail_with : 0;
}

static inline void rscope_hook_relax(struct rscope_engine *e)
{
	assert_true(++e->relaxes < 1000000);
	/* With nothing of this pair to complete, only memory is looked at. */
	assert_true(e->idle > 0 ||
		    (e->by_write && !e->unsent[e->qp][0] && !e->unsent[e->qp][1]));
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

static struct rscope_engine engine;
static struct rscope_hist hist;
static struct rscope_track track[QPS];
static u64 stamps[QPS];

static struct rscope_loop loop_of(enum rscope_pass pass, u32 qps, bool by_write, u64 seed)
{
	struct rscope_loop l = {
		.depth = 1, .batch = 1, .signal = 1, .qps = qps, .two_sided = !by_write,
		.track = track, .post_ns = stamps, .hist = &hist,
	};

	memset(&engine, 0, sizeof(engine));
	memset(track, 0, sizeof(track));
	engine.pass = pass;
	engine.qps = qps;
	engine.by_write = by_write;
	engine.seed = seed | 1;
	engine.clock = 1000;
	rscope_hist_init(&engine.hist);
	rscope_hist_init(&hist);
	return l;
}

static int run_pass(struct rscope_loop *l)
{
	if (engine.pass == RSCOPE_PASS_TIMED)
		return rscope_pingpong_run(&engine, l, RSCOPE_PASS_TIMED);
	return rscope_pingpong_run(&engine, l, RSCOPE_PASS_COUNT);
}

static void assert_books(const struct rscope_loop *l, u64 ops)
{
	assert_int_equal(l->posted, ops);
	assert_int_equal(l->retired, ops);
	assert_int_equal(l->post_calls, 2 * ops);
	assert_int_equal(engine.pings, 2 * ops);
	assert_int_equal(l->empty_polls, engine.empty_polls);
	assert_true(nothing_unsent(&engine));
	assert_memory_equal(&hist, &engine.hist, sizeof(hist));
}

static void run_ops(enum rscope_pass pass, u32 qps, bool by_write, u64 ops)
{
	struct rscope_loop l = loop_of(pass, qps, by_write, ops * 31 + qps);

	rscope_loop_reset(&l, ops, 0);
	assert_int_equal(run_pass(&l), 0);
	assert_books(&l, ops);
	assert_int_equal(hist.count, pass == RSCOPE_PASS_TIMED ? ops : 0);
	if (pass == RSCOPE_PASS_TIMED)
		assert_int_equal(l.start_ns + l.elapsed_ns, engine.clock);
}

static void every_count(void **state)
{
	u64 ops;
	u32 n;

	(void)state;
	for (n = 0; n < 2 * QPS * 2; n++)
		for (ops = 1; ops <= 200; ops++)
			run_ops(n & 1 ? RSCOPE_PASS_TIMED : RSCOPE_PASS_COUNT, n / 4 + 1, n & 2,
				ops);
}

static void duration(void **state)
{
	u64 seed = 3;
	int n;

	(void)state;
	for (n = 0; n < 500; n++) {
		u64 ns = unit_range(&seed, 1, 100000);
		struct rscope_loop l = loop_of(RSCOPE_PASS_TIMED, n % QPS + 1, n & 1,
					       unit_random(&seed));

		rscope_loop_reset(&l, 0, ns);
		assert_int_equal(run_pass(&l), 0);
		assert_true(l.retired > 0 && l.elapsed_ns >= ns);
		/* One round trip and one clock read before it was not over yet. */
		assert_true(l.elapsed_ns < ns + 2 * (hist.max + 1) + 1000);
		assert_books(&l, l.retired);
	}
}

static void errors_pass_through(void **state)
{
	static const int errors[] = { -EINTR, -ECANCELED, -ENODEV, -ETIMEDOUT, -EIO };
	u64 seed = 9;
	int n;

	(void)state;
	for (n = 0; n < 3000; n++) {
		struct rscope_loop l = loop_of(RSCOPE_PASS_TIMED, n % QPS + 1, n & 1,
					       unit_random(&seed));
		u64 at = unit_range(&seed, 1, 50);

		engine.fail_with = errors[n % 5];
		engine.fail_ping = n % 3 == 0 ? at : 0;
		engine.fail_poll = n % 3 == 1 ? at : 0;
		engine.fail_stop = n % 3 == 2 ? at : 0;
		rscope_loop_reset(&l, 1000, 0);
		assert_int_equal(run_pass(&l), engine.fail_with);
		assert_true(engine.pings == at || engine.polls == at || engine.stops == at);
		assert_true(l.retired <= l.posted && l.posted <= l.retired + 1);
	}
}

/* Nothing ever arrives: the stop hook is asked every 64 empty polls. */
static void dead_device_is_left(void **state)
{
	struct rscope_loop l = loop_of(RSCOPE_PASS_TIMED, 1, true, 1);

	(void)state;
	engine.dead = true;
	engine.fail_stop = 3;
	engine.fail_with = -ETIMEDOUT;
	rscope_loop_reset(&l, 10, 0);
	assert_int_equal(run_pass(&l), -ETIMEDOUT);
	assert_int_equal(engine.polls, 3 * RSCOPE_EMPTY_POLLS);
	assert_int_equal(l.posted, 1);
	assert_int_equal(l.retired, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_count),
	cmocka_unit_test(duration),
	cmocka_unit_test(errors_pass_through),
	cmocka_unit_test(dead_device_is_left),
};

UNIT_MAIN(tests)
