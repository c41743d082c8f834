// SPDX-License-Identifier: GPL-2.0
/*
 * The regions of a run: slots apart, guards everywhere, limits held before
 * anything is allocated.
 */
#include <stdio.h>

#include "unit.h"
#include <rdmascope/layout.h>

static struct rscope_workload workload(s64 op, s64 size, s64 depth, s64 qps, s64 verify)
{
	struct rscope_workload w;

	rscope_workload_init(&w);
	w.op = op;
	w.size = size;
	w.depth = depth;
	w.qps = qps;
	w.verify = verify;
	return w;
}

/* Each slot is aligned, has a guard before and behind it, and meets no other. */
static void assert_slots(const struct rscope_layout *l, u64 slots, u64 bytes)
{
	u64 end = 0, i;

	for (i = 0; i < slots; i++) {
		u64 at = rscope_slot_offset(l, i);

		assert_int_equal(at % 64, 0);
		assert_true(at >= end + RSCOPE_GUARD_BYTES);
		end = at + l->size;
	}
	assert_true(end + RSCOPE_GUARD_BYTES <= bytes);
	/* Nothing to speak of behind the last guard. */
	assert_true(end + RSCOPE_GUARD_BYTES + 64 > bytes);
}

static void slots_do_not_overlap(void **state)
{
	static const s64 sizes[] = { 1, 8, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097, 65537 };
	static const s64 depths[] = { 1, 2, 3, 16, 128 };
	struct rscope_error e;
	size_t s, d;
	s64 op, verify;

	(void)state;
	for (op = 0; op < RSCOPE_OP_NR; op++) {
		for (s = 0; s < ARRAY_SIZE(sizes) * ARRAY_SIZE(depths) * 2; s++) {
			struct rscope_workload w;
			struct rscope_layout l;

			d = s / 2 % ARRAY_SIZE(depths);
			verify = s % 2;
			w = workload(op, sizes[s / 2 / ARRAY_SIZE(depths)], depths[d], 3, verify);
			assert_int_equal(rscope_layout_init(&l, &w, &e), 0);
			assert_slots(&l, l.src_slots, l.src_bytes);
			assert_slots(&l, l.dst_slots, l.dst_bytes);
			assert_int_equal(l.size, w.size);
			assert_int_equal(l.total_bytes, 3 * (l.src_bytes + l.dst_bytes));
		}
	}
}

static void slot_counts(void **state)
{
	struct rscope_workload w = workload(RSCOPE_OP_WRITE, 64, 16, 1, 0);
	struct rscope_layout l;
	struct rscope_error e;

	(void)state;
	assert_int_equal(rscope_layout_init(&l, &w, &e), 0);
	assert_int_equal(l.src_slots, 1);
	assert_int_equal(l.dst_slots, 1);
	assert_int_equal(l.sq_wrs, 16);
	assert_int_equal(l.rq_wrs, 0);

	w.verify = 1;
	assert_int_equal(rscope_layout_init(&l, &w, &e), 0);
	assert_int_equal(l.src_slots, 16);
	assert_int_equal(l.dst_slots, 16);

	/* A send lands in the next posted receive: a slot for each of those. */
	w.op = RSCOPE_OP_SEND;
	assert_int_equal(rscope_layout_init(&l, &w, &e), 0);
	assert_int_equal(l.rq_wrs, 32);
	assert_int_equal(l.src_slots, 16);
	assert_int_equal(l.dst_slots, 32);
}

static void receives_only_where_they_are_consumed(void **state)
{
	s64 op;

	(void)state;
	for (op = 0; op < RSCOPE_OP_NR; op++) {
		struct rscope_workload w = workload(op, 8, 4, 1, 0);
		bool two_sided = op == RSCOPE_OP_SEND || op == RSCOPE_OP_SEND_IMM ||
				 op == RSCOPE_OP_SEND_INV || op == RSCOPE_OP_WRITE_IMM;
		struct rscope_layout l;
		struct rscope_error e;

		assert_int_equal(rscope_layout_init(&l, &w, &e), 0);
		assert_int_equal(l.rq_wrs, two_sided ? 8 : 0);
	}
}

static void limit_is_exact(void **state)
{
	struct rscope_workload w = workload(RSCOPE_OP_WRITE, 64, 1, 1, 0);
	struct rscope_error e = { 0 };
	struct rscope_layout l;
	s64 fits = 1, fails = 1 << 30;

	(void)state;
	while (fails - fits > 1) {
		w.size = fits + (fails - fits) / 2;
		if (rscope_layout_init(&l, &w, &e))
			fails = w.size;
		else
			fits = w.size;
	}
	w.size = fits;
	assert_int_equal(rscope_layout_init(&l, &w, &e), 0);
	assert_true(l.total_bytes <= RSCOPE_MEMORY_MAX_BYTES);
	assert_true(l.total_bytes + 128 > RSCOPE_MEMORY_MAX_BYTES);
	w.size = fails;
	assert_int_equal(rscope_layout_init(&l, &w, &e), -ERANGE);
	assert_int_equal(e.err, -ERANGE);
	assert_non_null(strstr(e.msg, "268435456"));
	assert_non_null(strstr(e.msg, "size"));
}

/* Also beyond what a validated workload can ask for: nothing may wrap. */
static void extremes_are_refused(void **state)
{
	static const s64 sizes[] = { 1, 1 << 20, 1 << 30 };
	struct rscope_layout l;
	struct rscope_error e;
	size_t s;
	s64 op;

	(void)state;
	for (op = 0; op < RSCOPE_OP_NR; op++) {
		for (s = 0; s < ARRAY_SIZE(sizes); s++) {
			struct rscope_workload w = workload(op, sizes[s], 16384, 128, 1);
			u64 least = (u64)sizes[s] * 16384 * 128 * 2;

			assert_int_equal(rscope_layout_init(&l, &w, &e), -ERANGE);
			assert_true(l.total_bytes >= least);
		}
	}
}

static void ordinary_extremes_are_accepted(void **state)
{
	struct rscope_workload w = workload(RSCOPE_OP_SEND, 1, 256, 128, 1);
	struct rscope_layout l;
	struct rscope_error e;

	(void)state;
	assert_int_equal(rscope_layout_init(&l, &w, &e), 0);
	w = workload(RSCOPE_OP_READ, 1 << 26, 1, 1, 1);
	assert_int_equal(rscope_layout_init(&l, &w, &e), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(slots_do_not_overlap),
	cmocka_unit_test(slot_counts),
	cmocka_unit_test(receives_only_where_they_are_consumed),
	cmocka_unit_test(limit_is_exact),
	cmocka_unit_test(extremes_are_refused),
	cmocka_unit_test(ordinary_extremes_are_accepted),
};

UNIT_MAIN(tests)
