// SPDX-License-Identifier: GPL-2.0
/*
 * The command line: what is refused, with which errno and which words; the
 * range of every key, out of the key tables; and that a printed workload is
 * read back as the same one.
 */
#include <stdio.h>

#include "unit.h"
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

struct bad_line {
	const char *line;
	int err;
	const char *says; /* part of the reason */
};

static const struct bad_line bad_lines[] = {
	/* Not one line. */
	{ "", -EINVAL, "no LF" },
	{ "op=read", -EINVAL, "no LF" },
	{ "\n", -EINVAL, "empty line" },
	{ " \t \n", -EINVAL, "empty line" },
	{ "\n\n", -EINVAL, "one write must be one line" },
	{ "op=read\nsize=8\n", -EINVAL, "7 bytes behind the first LF" },
	{ "op=read\n\n", -EINVAL, "1 bytes behind the first LF" },
	{ "\nop=read\n", -EINVAL, "one line" },
	{ "op=read\nsize=8", -EINVAL, "one line" },
	{ "op=read\r\n", -EINVAL, "op" },
	/* Not key=value. */
	{ "read\n", -EINVAL, "read: not key=value" },
	{ "size=1 2\n", -EINVAL, "2: not key=value" },
	{ "op=read junk\n", -EINVAL, "junk: not key=value" },
	{ "size =1\n", -EINVAL, "size: not key=value" },
	{ "size= 1\n", -EINVAL, "size=: the value is missing" },
	{ "size=\n", -EINVAL, "size=: the value is missing" },
	{ "peer=\n", -EINVAL, "peer=: the value is missing" },
	{ "op=\n", -EINVAL, "op=: the value is missing" },
	{ "=\n", -EINVAL, "unknown key" },
	{ "=8\n", -EINVAL, "=8: unknown key" },
	{ "=size=8\n", -EINVAL, "unknown key" },
	/* Unknown and repeated keys. */
	{ "sizes=8\n", -EINVAL, "sizes=8: unknown key" },
	{ "siz=8\n", -EINVAL, "siz=8: unknown key" },
	{ "Size=8\n", -EINVAL, "unknown key" },
	{ "dev=../../x\n", -EINVAL, "dev=../../x: unknown key" },
	{ "size=8 size=8\n", -EINVAL, "size is given twice" },
	{ "size=8 op=read size=9\n", -EINVAL, "size is given twice" },
	{ "op=read op=write\n", -EINVAL, "op is given twice" },
	{ "peer=a peer=b\n", -EINVAL, "peer is given twice" },
	{ "inline_data=1\n", -EINVAL, "unknown key" },
	/* No decimal integer. */
	{ "size=+5\n", -EINVAL, "size=+5: not a decimal integer" },
	{ "size=0x10\n", -EINVAL, "size=0x10: not a decimal integer" },
	{ "size=1e3\n", -EINVAL, "size=1e3" },
	{ "size=4k\n", -EINVAL, "size=4k" },
	{ "size=1.5\n", -EINVAL, "size=1.5" },
	{ "size=-\n", -EINVAL, "size=-: not a decimal integer" },
	{ "cpu=--1\n", -EINVAL, "cpu=--1" },
	{ "size==8\n", -EINVAL, "size==8" },
	{ "size=8=8\n", -EINVAL, "size=8=8" },
	{ "size=8,\n", -EINVAL, "size=8," },
	{ "size=\xc2\xb2\n", -EINVAL, "size=??" },
	{ "size=8\v\n", -EINVAL, "size=8?" },
	/* Out of range. */
	{ "size=-1\n", -ERANGE, "size=-1: out of range 1.." },
	{ "size=0\n", -ERANGE, "size=0" },
	{ "size=4294967297\n", -ERANGE, "size=4294967297" },
	{ "size=18446744073709551617\n", -ERANGE, "size=18446744073709551617" },
	{ "size=9223372036854775808\n", -ERANGE, "size=9223372036854775808" },
	{ "size=-9223372036854775808\n", -ERANGE, "size=" },
	{ "size=-9223372036854775809\n", -ERANGE, "size=" },
	{ "size=99999999999999999999999999999999999999999999999999\n", -ERANGE, "..." },
	{ "iters=0\n", -ERANGE, "iters=0" },
	{ "duration_ms=0\n", -ERANGE, "duration_ms=0" },
	{ "depth=0\n", -ERANGE, "depth=0" },
	{ "depth=1000000\n", -ERANGE, "depth=1000000: out of range 1..16384" },
	{ "batch=0\n", -ERANGE, "batch=0" },
	{ "signal=0\n", -ERANGE, "signal=0" },
	{ "qps=0\n", -ERANGE, "qps=0" },
	{ "threads=0\n", -ERANGE, "threads=0" },
	{ "timeout_ms=0\n", -ERANGE, "timeout_ms=0" },
	{ "cpu=-2\n", -ERANGE, "cpu=-2" },
	{ "gid_index=-2\n", -ERANGE, "gid_index=-2" },
	{ "gid_index=256\n", -ERANGE, "gid_index=256" },
	{ "verify=2\n", -ERANGE, "verify=2" },
	{ "inline=-1\n", -ERANGE, "inline=-1" },
	/* Words. */
	{ "op=foo\n", -EINVAL, "op=foo: not one of send" },
	{ "op=READ\n", -EINVAL, "op=READ" },
	{ "op=rea\n", -EINVAL, "op=rea" },
	{ "op=reads\n", -EINVAL, "op=reads" },
	{ "op=0\n", -EINVAL, "op=0" },
	{ "qp=xrc\n", -EINVAL, "qp=xrc: not one of rc uc ud" },
	{ "pattern=both\n", -EINVAL, "pattern=both: not one of oneway pingpong" },
	{ "cq=spin\n", -EINVAL, "cq=spin" },
	{ "mr=odp\n", -EINVAL, "mr=odp: not one of fastreg dma" },
	{ "peer=a=b\n", -EINVAL, "peer" },
	{ "peer=a\\b\n", -EINVAL, "peer" },
	{ "peer=\x7f\n", -EINVAL, "peer" },
	{ "peer=\xff\n", -EINVAL, "peer" },
	/* Keys that exclude or limit each other. */
	{ "iters=5 duration_ms=5\n", -EINVAL, "iters and duration_ms" },
	{ "duration_ms=5 iters=5\n", -EINVAL, "iters and duration_ms" },
	{ "mtu=1\n", -ERANGE, "mtu=1" },
	{ "mtu=1500\n", -ERANGE, "mtu=1500" },
	{ "mtu=4095\n", -ERANGE, "mtu=4095" },
	{ "signal=2\n", -ERANGE, "signal=2 exceeds depth=1" },
	{ "depth=4 signal=5\n", -ERANGE, "signal=5 exceeds depth=4" },
	{ "batch=2\n", -ERANGE, "batch=2 exceeds depth=1" },
	{ "threads=2\n", -ERANGE, "threads=2 exceeds qps=1" },
	{ "depth=16384 qps=3\n", -ERANGE, "depth=16384 times qps=3" },
	{ "iters=1 qps=2\n", -ERANGE, "iters=1 is less than qps=2" },
	{ "op=cas size=4\n", -ERANGE, "size=4: atomics" },
	{ "op=faa\n", -ERANGE, "size=64: atomics" },
};

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
	w->qps = w->depth * w->qps > RSCOPE_QP_WR_MAX ? 1 : w->qps;
	w->signal = w->signal > w->depth ? w->depth : w->signal;
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
	assert_int_equal(timeout_of("iters=1\n"), 10000);
	assert_int_equal(timeout_of("duration_ms=1000\n"), 11000);
	assert_in_range(timeout_of("duration_ms=1000 verify=1\n"), 12000, 13000);
	assert_int_equal(timeout_of("duration_ms=3600000 verify=1\n"), 3600000);
	assert_int_equal(timeout_of("iters=100000000000 size=1073741824 verify=1\n"), 3600000);
	/* A million operations of a soft device take about 20 s. */
	assert_in_range(timeout_of("iters=1000000\n"), 25000, 60000);
	assert_true(timeout_of("iters=1000000 verify=1\n") > timeout_of("iters=1000000\n"));
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
	cmocka_unit_test(printed_is_read_back),
	cmocka_unit_test(longest_line_fits),
	cmocka_unit_test(deadlines),
	cmocka_unit_test(classes_of_completion),
	cmocka_unit_test(random_bytes),
};

UNIT_MAIN(tests)
