// SPDX-License-Identifier: GPL-2.0
/*
 * The effective workload line: printed and read back it is the same workload;
 * and the deadline that follows from it.
 */
#include <stdio.h>

#include "unit.h"
#include <rdmascope/workload.h>

static struct rscope_error err;

static int parse(const char *line, struct rscope_workload *w)
{
	return rscope_workload_parse(line, strlen(line), w, &err);
}

/* A valid workload out of a random one: rules between keys are kept. */
static void randomize(struct rscope_workload *w, u64 *seed)
{
	u32 i;

	rscope_workload_init(w);
	for (i = 0; i < RSCOPE_W_NR; i++) {
		const struct rscope_workload_row *row = &rscope_workload_rows[i];

		if (row->kind != RSCOPE_W_STR && unit_range(seed, 0, 2))
			*rscope_workload_value(w, row) = row->min +
				(s64)unit_range(seed, 0, (u64)(row->max - row->min));
	}
	if (unit_range(seed, 0, 1))
		snprintf(w->peer, sizeof(w->peer), "dev%llu/1", unit_range(seed, 0, 999));
	if (!unit_range(seed, 0, 3))
		snprintf(w->peer, sizeof(w->peer), "%063d", 1);
	if (unit_range(seed, 0, 1))
		w->duration_ms = 0;
	w->mtu = w->mtu ? 256LL << unit_range(seed, 0, 4) : 0;
	if (w->pattern == RSCOPE_PATTERN_PINGPONG) {
		w->depth = 1;
		w->op = unit_range(seed, 0, 1) ? RSCOPE_OP_WRITE : RSCOPE_OP_SEND;
	}
	w->qps = w->depth * w->qps > RSCOPE_QP_WR_MAX ? 1 : w->qps;
	w->signal = w->signal > w->depth ? w->depth : w->signal;
	if (w->pattern == RSCOPE_PATTERN_PINGPONG) {
		w->op = RSCOPE_OP_WRITE;
		w->depth = 1;
		w->signal = 1;
	}
	w->batch = w->batch > w->depth ? w->depth : w->batch;
	w->threads = w->threads > w->qps ? w->qps : w->threads;
	w->iters = w->iters < w->qps || w->duration_ms ? 1000 : w->iters;
	w->size = rscope_op_is_atomic(w->op) ? 8 : w->size;
}

static void printed_is_read_back(void **state)
{
	char line[RSCOPE_WORKLOAD_MAX + 1];
	u64 seed = 2026;
	int n;

	(void)state;
	for (n = 0; n < 50000; n++) {
		struct rscope_text t = { .buf = line, .size = sizeof(line) - 1 };
		struct rscope_workload w, back;

		randomize(&w, &seed);
		rscope_workload_print(&t, &w);
		assert_true(t.len < t.size);
		assert_int_equal(strlen(line), t.len);
		strcat(line, "\n");
		if (parse(line, &back))
			fail_msg("%s: %s", line, err.msg);
		w.given = back.given;
		assert_memory_equal(&w, &back, sizeof(w));
	}
}

static void longest_line_fits(void **state)
{
	char line[2 * RSCOPE_WORKLOAD_MAX];
	struct rscope_text t = { .buf = line, .size = sizeof(line) };
	struct rscope_workload w;
	u32 i, word;

	(void)state;
	memset(&w, 0, sizeof(w));
	for (i = 0; i < RSCOPE_W_NR; i++) {
		const struct rscope_workload_row *row = &rscope_workload_rows[i];
		s64 *value = rscope_workload_value(&w, row);

		if (row->kind == RSCOPE_W_STR) {
			memset(value, 'x', RSCOPE_WORD_MAX - 1);
			continue;
		}
		*value = row->max;
		for (word = 0; word < row->nr_words; word++)
			if (strlen(row->words[word]) > strlen(row->words[*value]))
				*value = word;
	}
	rscope_workload_print(&t, &w);
	assert_in_range(t.len, 1, RSCOPE_WORKLOAD_MAX - 1);
	w.duration_ms = 0;
	t.len = 0;
	rscope_workload_print(&t, &w);
	assert_in_range(t.len, 1, RSCOPE_WORKLOAD_MAX - 1);
}

static u64 timeout_of(const char *line)
{
	struct rscope_workload w;

	assert_int_equal(parse(line, &w), 0);
	return rscope_workload_timeout_ms(&w);
}

static void deadlines(void **state)
{
	(void)state;
	assert_int_equal(timeout_of("timeout_ms=1\n"), 1);
	assert_int_equal(timeout_of("timeout_ms=5 duration_ms=1000\n"), 5);
	assert_int_equal(timeout_of("iters=1\n"), 10010);
	assert_int_equal(timeout_of("duration_ms=1000\n"), 11000);
	assert_in_range(timeout_of("duration_ms=1000 verify=1\n"), 12000, 13000);
	assert_int_equal(timeout_of("duration_ms=3600000 verify=1\n"), 3600000);
	assert_int_equal(timeout_of("iters=100000000000 size=1073741824 verify=1\n"), 3600000);
	/* A busy soft device may take milliseconds for an operation. */
	assert_int_equal(timeout_of("iters=10000\n"), 110000);
	assert_true(timeout_of("iters=10000 verify=1\n") > timeout_of("iters=10000\n"));
	assert_true(timeout_of("iters=1000 size=1048576\n") > timeout_of("iters=1000\n"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(printed_is_read_back),
	cmocka_unit_test(longest_line_fits),
	cmocka_unit_test(deadlines),
};

UNIT_MAIN(tests)
