// SPDX-License-Identifier: GPL-2.0
/*
 * The command line: what is refused, with which errno and which words, and the
 * range of every key, out of the key tables.
 */
#include <stdio.h>

#include "unit.h"
#include "badlines.h"
#include <rdmascope/workload.h>

static struct rscope_error err;

/* Parse from a buffer of exactly this length, so that ASan sees an overrun. */
static int parse_bytes(const char *line, size_t len, struct rscope_workload *w)
{
	char *exact = malloc(len ? len : 1);
	int ret;

	assert_non_null(exact);
	memcpy(exact, line, len);
	memset(&err, 0, sizeof(err));
	ret = rscope_workload_parse(exact, len, w, &err);
	free(exact);
	assert_int_equal(err.err, ret);
	/* A refusal has a reason: one line of printable ASCII. */
	assert_true(!ret == !err.msg[0]);
	for (len = 0; err.msg[len]; len++)
		assert_in_range(err.msg[len], 0x20, 0x7e);
	return ret;
}

static int parse(const char *line, struct rscope_workload *w)
{
	return parse_bytes(line, strlen(line), w);
}

static void garbage_is_refused(void **state)
{
	struct rscope_workload w;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad_lines); i++) {
		const struct bad_line *bad = &bad_lines[i];
		int ret = parse(bad->line, &w);

		if (ret != bad->err || !strstr(err.msg, bad->says))
			fail_msg("row %zu, \"%s\": %d \"%s\", not %d \"%s\"", i, bad->line, ret,
				 err.msg, bad->err, bad->says);
	}
}

static void nul_bytes_are_refused(void **state)
{
	static const char line[] = "op=read size=8\n";
	char copy[sizeof(line)];
	struct rscope_workload w;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(line) - 1; i++) {
		memcpy(copy, line, sizeof(line));
		copy[i] = '\0';
		assert_int_equal(parse_bytes(copy, sizeof(line) - 1, &w), -EINVAL);
		assert_non_null(strstr(err.msg, "NUL"));
	}
	/* The terminator of the string written along with it. */
	assert_int_equal(parse_bytes(line, sizeof(line), &w), -EINVAL);
	assert_int_equal(parse_bytes("", 1, &w), -EINVAL);
}

static void long_lines_are_refused(void **state)
{
	static char line[65536];
	struct rscope_workload w;

	(void)state;
	memset(line, ' ', sizeof(line));
	memcpy(line, "op=read", 7);
	line[sizeof(line) - 1] = '\n';
	assert_int_equal(parse_bytes(line, sizeof(line), &w), -EINVAL);
	assert_non_null(strstr(err.msg, "65536"));
	line[RSCOPE_LINE_MAX] = '\n';
	assert_int_equal(parse_bytes(line, RSCOPE_LINE_MAX + 1, &w), -EINVAL);
	assert_non_null(strstr(err.msg, "4097"));
	line[RSCOPE_LINE_MAX] = ' ';
	line[RSCOPE_LINE_MAX - 1] = '\n';
	assert_int_equal(parse_bytes(line, RSCOPE_LINE_MAX, &w), 0);
	/* One word of that length. */
	memset(line, 'a', sizeof(line));
	line[RSCOPE_LINE_MAX - 1] = '\n';
	assert_int_equal(parse_bytes(line, RSCOPE_LINE_MAX, &w), -EINVAL);
	memcpy(line, "size=", 5);
	assert_int_equal(parse_bytes(line, RSCOPE_LINE_MAX, &w), -EINVAL);
	memset(line + 5, '9', RSCOPE_LINE_MAX - 6);
	assert_int_equal(parse_bytes(line, RSCOPE_LINE_MAX, &w), -ERANGE);
	memcpy(line, "peer=", 5);
	assert_int_equal(parse_bytes(line, RSCOPE_LINE_MAX, &w), -ERANGE);
}

static void every_truncation_is_refused(void **state)
{
	static const char line[] = "op=send size=4096 iters=100 depth=16 peer=rxe0/1\n";
	struct rscope_workload w;
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(line) - 1; len++)
		assert_int_equal(parse_bytes(line, len, &w), -EINVAL);
	assert_int_equal(parse_bytes(line, len, &w), 0);
}

static void blanks_do_not_matter(void **state)
{
	static const char *const lines[] = {
		"op=read size=8\n", " op=read size=8\n", "op=read size=8 \n", "op=read   size=8\n",
		"\top=read\tsize=8\t\n", " \t op=read \t size=8 \t \n", "size=8 op=read\n",
	};
	struct rscope_workload w;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_int_equal(parse(lines[i], &w), 0);
		assert_int_equal(w.op, RSCOPE_OP_READ);
		assert_int_equal(w.size, 8);
		assert_int_equal(w.given, BIT_ULL(RSCOPE_W_op) | BIT_ULL(RSCOPE_W_size));
	}
}

/* Rows of the table in words of their own, so that a changed range is noticed. */
static void defaults(void **state)
{
	struct rscope_workload w;

	(void)state;
	assert_int_equal(parse("verify=0\n", &w), 0);
	assert_int_equal(w.op, RSCOPE_OP_WRITE);
	assert_int_equal(w.qp, RSCOPE_QPT_RC);
	assert_int_equal(w.pattern, RSCOPE_PATTERN_ONEWAY);
	assert_int_equal(w.size, 64);
	assert_int_equal(w.iters, 1000);
	assert_int_equal(w.duration_ms, 0);
	assert_int_equal(w.depth, 1);
	assert_int_equal(w.qps, 1);
	assert_int_equal(w.cpu, -1);
	assert_int_equal(w.gid_index, -1);
	assert_int_equal(w.mr, RSCOPE_MR_FASTREG);
	assert_int_equal(w.retry_cnt, 7);
	assert_int_equal(w.ack_timeout, 14);
	assert_int_equal(w.rnr_retry, 6);
	assert_string_equal(w.peer, "");
}

/* One key on its own; rules between keys may still refuse it, ranges may not. */
static int parse_one(const struct rscope_workload_row *row, __int128 value,
		     struct rscope_workload *w)
{
	char line[160];

	snprintf(line, sizeof(line), "%s=%lld\n", row->key, (s64)value);
	return parse(line, w);
}

static bool out_of_range(const struct rscope_workload_row *row, s64 value)
{
	struct rscope_workload w;

	return parse_one(row, value, &w) == -ERANGE && strstr(err.msg, "out of range") &&
	       !strncmp(err.msg, row->key, strlen(row->key));
}

static void both_ends_of_every_range(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < RSCOPE_W_NR; i++) {
		const struct rscope_workload_row *row = &rscope_workload_rows[i];
		struct rscope_workload w;

		if (row->kind != RSCOPE_W_INT)
			continue;
		assert_false(out_of_range(row, row->min));
		assert_false(out_of_range(row, row->max));
		assert_true(out_of_range(row, row->min - 1));
		assert_true(out_of_range(row, row->max + 1));
		assert_true(out_of_range(row, -1 - row->max));
		assert_true(out_of_range(row, INT64_MAX));
		assert_true(out_of_range(row, INT64_MIN));
		/* 32-bit truncation would bring these back into the range. */
		assert_true(out_of_range(row, row->min + (1LL << 40)));
		if (!parse_one(row, row->max, &w))
			assert_int_equal(*rscope_workload_value(&w, row), row->max);
		if (!parse_one(row, row->min, &w))
			assert_int_equal(*rscope_workload_value(&w, row), row->min);
	}
}

static void every_word_is_known(void **state)
{
	u32 i, word;

	(void)state;
	for (i = 0; i < RSCOPE_W_NR; i++) {
		const struct rscope_workload_row *row = &rscope_workload_rows[i];

		for (word = 0; word < row->nr_words; word++) {
			struct rscope_workload w;
			char line[160];

			snprintf(line, sizeof(line), "%s=%s%s\n", row->key, row->words[word],
				 i == RSCOPE_W_op ? " size=8" : "");
			assert_int_equal(parse(line, &w), 0);
			assert_int_equal(*rscope_workload_value(&w, row), word);
		}
	}
}

static void table_is_sound(void **state)
{
	u32 i, j;

	(void)state;
	assert_int_equal(ARRAY_SIZE(rscope_workload_rows), RSCOPE_W_NR);
	assert_true(RSCOPE_W_NR <= 64);
	for (i = 0; i < RSCOPE_W_NR; i++) {
		const struct rscope_workload_row *row = &rscope_workload_rows[i];
		bool off_by_default = i == RSCOPE_W_duration_ms || i == RSCOPE_W_timeout_ms;

		for (j = 0; j < i; j++)
			assert_string_not_equal(row->key, rscope_workload_rows[j].key);
		assert_true(row->min <= row->max);
		assert_true(row->help[0]);
		if (row->kind != RSCOPE_W_STR && !off_by_default)
			assert_in_range(row->def - row->min, 0, row->max - row->min);
		assert_true(row->offset + 8 <= sizeof(struct rscope_workload));
	}
}

static void names_of_63_bytes(void **state)
{
	char line[160];
	struct rscope_workload w;

	(void)state;
	snprintf(line, sizeof(line), "peer=%063d\n", 7);
	assert_int_equal(parse(line, &w), 0);
	assert_int_equal(strlen(w.peer), 63);
	snprintf(line, sizeof(line), "peer=%064d\n", 7);
	assert_int_equal(parse(line, &w), -ERANGE);
	assert_non_null(strstr(err.msg, "peer"));
}

static void rules_at_their_limits(void **state)
{
	static const char *const good[] = {
		"depth=4 signal=4 batch=4\n", "depth=16384 qps=2\n", "depth=256 qps=128\n",
		"iters=2 qps=2 threads=2\n", "duration_ms=1 qps=128\n", "op=cas size=8\n",
		"mtu=0\n", "mtu=256\n", "mtu=512\n", "mtu=1024\n", "mtu=2048\n", "mtu=4096\n",
		"size=1073741824\n", "depth=64 batch=64 signal=64\n", "size=0000000008\n",
		"cpu=-0\n",
	};
	struct rscope_workload w;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++)
		if (parse(good[i], &w))
			fail_msg("%s: %s", good[i], err.msg);
}

static void classes_of_completion(void **state)
{
	(void)state;
	assert_false(rscope_cq_sleeps(RSCOPE_CQ_POLL));
	assert_false(rscope_cq_sleeps(RSCOPE_CQ_DIRECT));
	assert_true(rscope_cq_sleeps(RSCOPE_CQ_EVENT));
	assert_true(rscope_cq_sleeps(RSCOPE_CQ_SOFTIRQ));
	assert_true(rscope_cq_sleeps(RSCOPE_CQ_WORKQUEUE));
}

/* Any bytes: no crash, one reason, and what is accepted obeys the rules. */
static void random_bytes(void **state)
{
	static const char alphabet[] = "opsizeqdth=0123456789 -\t\\ardw\n";
	char line[120];
	u64 seed = 8;
	int n;

	(void)state;
	for (n = 0; n < 200000; n++) {
		size_t len = unit_range(&seed, 0, sizeof(line)), i;
		struct rscope_workload w;

		for (i = 0; i < len; i++)
			line[i] = n & 1 ? (char)unit_random(&seed) :
				alphabet[unit_range(&seed, 0, sizeof(alphabet) - 2)];
		if (len)
			line[len - 1] = '\n';
		if (!parse_bytes(line, len, &w))
			assert_int_equal(rscope_workload_validate(&w, &err), 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(garbage_is_refused),
	cmocka_unit_test(nul_bytes_are_refused),
	cmocka_unit_test(long_lines_are_refused),
	cmocka_unit_test(every_truncation_is_refused),
	cmocka_unit_test(blanks_do_not_matter),
	cmocka_unit_test(defaults),
	cmocka_unit_test(both_ends_of_every_range),
	cmocka_unit_test(every_word_is_known),
	cmocka_unit_test(table_is_sound),
	cmocka_unit_test(names_of_63_bytes),
	cmocka_unit_test(rules_at_their_limits),
	cmocka_unit_test(classes_of_completion),
	cmocka_unit_test(random_bytes),
};

UNIT_MAIN(tests)
