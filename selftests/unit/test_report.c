// SPDX-License-Identifier: GPL-2.0
/*
 * Reports: printed as the golden files say, read back as the same struct, and
 * every malformed one refused with the line it is wrong in.
 */
#include <stdio.h>

#include "unit.h"
#include "badreports.h"
#include "golden.h"
#include "report.h"

static char out[1 << 18];
static struct rscope_error err;
static struct run run, back;

static const char *print(struct run *r, bool hist)
{
	struct rscope_text t = { .buf = out, .size = sizeof(out) };

	rscope_report_print(&t, &r->r, hist ? &r->hist : NULL);
	assert_true(t.len < t.size);
	assert_int_equal(strlen(out), t.len);
	return out;
}

/* From a buffer of exactly that length, for ASan. */
static int parse_bytes(const char *text, size_t len, struct run *r)
{
	char *exact = malloc(len ? len : 1);
	int ret;

	assert_non_null(exact);
	memcpy(exact, text, len);
	memset(&err, 0, sizeof(err));
	ret = report_parse(exact, len, r, &err);
	free(exact);
	assert_int_equal(err.err, ret);
	return ret;
}

static int parse(const char *text, struct run *r)
{
	return parse_bytes(text, strlen(text), r);
}

static void fill_identity(struct rscope_report *r)
{
	r->run_id = 7;
	r->port = 1;
	rscope_report_text(r, path, "kernel");
	rscope_report_text(r, dev, "rxe0");
	rscope_report_text(r, workload, "op=read qp=rc size=8 iters=12");
	rscope_report_text(r, verdict, "pass");
}

/* A dozen reads, as a run of the module would report them. */
static void fill_pass(struct run *r)
{
	static const u64 ns[] = { 27000, 27010, 26990, 27100, 27003, 27050, 27000, 26950, 27020,
				  27001, 90000, 255 };
	size_t i;

	run_init(r);
	fill_identity(&r->r);
	rscope_report_text(&r->r, driver, "rdma_rxe");
	rscope_report_text(&r->r, stage, "done");
	rscope_report_text(&r->r, link, "internal-loopback");
	for (i = 0; i < ARRAY_SIZE(ns); i++)
		rscope_hist_add(&r->hist, ns[i], i);
	rscope_report_hist(&r->r, &r->hist);
	r->r.ops = 12;
	r->r.bytes = 96;
	r->r.elapsed_ns = 412345;
	r->r.gid_index = 1;
	rscope_report_text(&r->r, gid, "0000:0000:0000:0000:0000:ffff:0a00:0001");
	rscope_report_text(&r->r, gid_type, "roce_v2");
	r->r.mismatches = 0;
}

static void golden_pass(void **state)
{
	(void)state;
	fill_pass(&run);
	assert_golden("report-pass.txt", print(&run, true));
}

static void golden_aborted(void **state)
{
	(void)state;
	run_init(&run);
	fill_identity(&run.r);
	rscope_report_text(&run.r, verdict, "aborted");
	rscope_report_text(&run.r, reason, "deadline");
	rscope_report_text(&run.r, stage, "timed");
	run.r.posted = 100;
	run.r.completed = 99;
	rscope_report_text(&run.r, qp_state, "RTS");
	assert_golden("report-aborted.txt", print(&run, false));
}

static void golden_mismatch(void **state)
{
	(void)state;
	run_init(&run);
	fill_identity(&run.r);
	rscope_report_text(&run.r, verdict, "fail");
	rscope_report_text(&run.r, reason, "1 byte differs");
	rscope_report_text(&run.r, stage, "verify");
	run.r.verify_ops = 12;
	run.r.verify_bytes = 1824;
	run.r.mismatches = 1;
	run.r.first_mismatch = 0;
	run.r.mismatch_op = 3;
	run.r.mismatch_expected = 0x41;
	run.r.mismatch_got = 0xbe;
	rscope_report_text(&run.r, mismatch_where, "destination");
	assert_golden("report-mismatch.txt", print(&run, false));
}

/* Texts that would break a careless printer. */
static void golden_hostile(void **state)
{
	(void)state;
	run_init(&run);
	fill_identity(&run.r);
	rscope_report_text(&run.r, dev, "a b=c\\d\n\x01\x7f\xff");
	rscope_report_text(&run.r, driver, "-");
	rscope_report_text(&run.r, kernel, "end");
	rscope_report_text(&run.r, reason, "line 1\nverdict: pass\nend\n");
	run.r.max_ns = ~0ULL - 1;
	assert_golden("report-hostile.txt", print(&run, false));
	assert_int_equal(parse(out, &back), 0);
	assert_memory_equal(&run.r, &back.r, sizeof(run.r));
}

/* What is in the golden files can be read, also by a later version. */
static void golden_files_are_read(void **state)
{
	static const char *const names[] = { "report-pass.txt", "report-aborted.txt",
					     "report-mismatch.txt", "report-hostile.txt" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		char *text = golden_read(names[i]);

		if (parse(text, &back))
			fail_msg("%s: %s", names[i], err.msg);
		assert_int_equal(back.r.run_id, 7);
		assert_string_equal(back.r.workload, "op=read qp=rc size=8 iters=12");
		free(text);
	}
}

/* Every field present or absent, numbers of all sizes, texts of all bytes. */
static void randomize(struct run *r, u64 *seed)
{
	size_t i, n, len;

	run_init(r);
	for (i = 0; i < ARRAY_SIZE(rscope_report_fields); i++) {
		const struct rscope_field *f = &rscope_report_fields[i];
		char *text = rscope_field_text(f, &r->r);

		if (!f->required && unit_range(seed, 0, 1))
			continue;
		if (f->kind == RSCOPE_KIND_NUM) {
			*rscope_field_num(f, &r->r) = unit_scaled(seed, 64) % RSCOPE_NONE;
			continue;
		}
		len = unit_range(seed, 1, f->size - 1);
		for (n = 0; n < len; n++)
			text[n] = (char)unit_range(seed, 1, 255);
	}
	r->r.samples = RSCOPE_NONE;
	r->r.overflow = RSCOPE_NONE;
}

static void random_samples(struct run *r, u64 *seed)
{
	u64 n = unit_range(seed, 0, 300);

	while (n--)
		rscope_hist_add(&r->hist, unit_scaled(seed, 44), n);
	rscope_report_hist(&r->r, &r->hist);
}

static void printed_is_read_back(void **state)
{
	u64 seed = 4;
	int n;

	(void)state;
	for (n = 0; n < 3000; n++) {
		randomize(&run, &seed);
		if (n & 1)
			random_samples(&run, &seed);
		if (parse(print(&run, n & 1), &back))
			fail_msg("%s", err.msg);
		assert_memory_equal(&run.r, &back.r, sizeof(run.r));
		if (run.hist.count)
			assert_memory_equal(&run.hist, &back.hist, sizeof(run.hist));
	}
}

static void every_truncation_is_refused(void **state)
{
	size_t len, whole;

	(void)state;
	fill_pass(&run);
	whole = strlen(print(&run, true));
	for (len = 0; len < whole; len++) {
		assert_int_equal(parse_bytes(out, len, &back), -EBADMSG);
		assert_non_null(strstr(err.msg, "line "));
	}
	assert_int_equal(parse_bytes(out, whole, &back), 0);
}

static void malformed_is_refused(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad_reports); i++) {
		const struct bad_report *bad = &bad_reports[i];
		int ret = parse(bad->text, &back);

		if (ret != bad->err || !strstr(err.msg, bad->says))
			fail_msg("row %zu: %d \"%s\", not %d \"%s\"", i, ret, err.msg, bad->err,
				 bad->says);
	}
}

static void every_required_key(void **state)
{
	static const char *const lines[] = { "run_id: 1\n", "path: kernel\n", "dev: rxe0\n",
		"port: 1\n", "workload: op=read\n", "verdict: pass\n" };
	size_t i, skip, required = 0;
	char text[512];

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rscope_report_fields); i++)
		required += rscope_report_fields[i].required;
	assert_int_equal(required, ARRAY_SIZE(lines));
	for (skip = 0; skip < ARRAY_SIZE(lines); skip++) {
		strcpy(text, HEAD);
		for (i = 0; i < ARRAY_SIZE(lines); i++)
			if (i != skip)
				strcat(text, lines[i]);
		strcat(text, "end\n");
		assert_int_equal(parse(text, &back), -EBADMSG);
		assert_non_null(strstr(err.msg, "required key"));
		assert_memory_equal(strstr(err.msg, "key ") + 4, lines[skip],
				    strcspn(lines[skip], ":"));
	}
}

static void unknown_keys_are_passed_over(void **state)
{
	(void)state;
	assert_int_equal(parse(HEAD REST "new_key: 5\nnew_key: 6\nweird: \\\nops: 4\n"
			       "samples: 1\nhist: low_ns=1 new=x count=1\nend\n", &back), 0);
	assert_int_equal(back.r.ops, 4);
	assert_int_equal(back.hist.bucket[1], 1);
}

static void absent_is_none(void **state)
{
	(void)state;
	assert_int_equal(parse(HEAD REST "stage: -\nops: -\nend\n", &back), 0);
	assert_true(back.r.ops == RSCOPE_NONE);
	assert_true(back.r.min_ns == RSCOPE_NONE);
	assert_string_equal(back.r.stage, "");
	assert_int_equal(back.hist.count, 0);
}

static void nul_bytes_are_refused(void **state)
{
	static const char text[] = HEAD REST "end\n";
	char copy[sizeof(text)];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(text) - 1; i++) {
		memcpy(copy, text, sizeof(text));
		copy[i] = '\0';
		assert_int_equal(parse_bytes(copy, sizeof(text) - 1, &back), -EBADMSG);
	}
	assert_int_equal(parse_bytes(text, sizeof(text), &back), -EBADMSG);
}

/* Damage at any one place: refused or read, never a crash, always a reason. */
static void damaged_bytes(void **state)
{
	char *text;
	u64 seed = 6;
	size_t len;
	int n;

	(void)state;
	fill_pass(&run);
	text = strdup(print(&run, true));
	len = strlen(text);
	for (n = 0; n < 100000; n++) {
		size_t at = unit_range(&seed, 0, len - 1);
		char was = text[at];

		text[at] = (char)unit_random(&seed);
		if (parse_bytes(text, len, &back))
			assert_true(err.msg[0]);
		text[at] = was;
	}
	free(text);
}

/* One run of all samples against the sum of its parts. */
static void merged_rounds(void **state)
{
	static struct run all, sum;
	u64 seed = 12;
	u32 round, i;

	(void)state;
	run_init(&all);
	run_init(&sum);
	all.r.ops = 0;
	for (round = 0; round < 5; round++) {
		run_init(&run);
		for (i = 0; i < 1000; i++) {
			u64 ns = 20000 + unit_scaled(&seed, 44);

			rscope_hist_add(&run.hist, ns, i);
			rscope_hist_add(&all.hist, ns, i);
		}
		rscope_report_hist(&run.r, &run.hist);
		run.r.ops = 1000;
		all.r.ops += 1000;
		report_merge(&sum, &run);
	}
	rscope_report_hist(&all.r, &all.hist);
	assert_int_equal(sum.r.ops, all.r.ops);
	assert_int_equal(sum.r.samples, all.r.samples);
	assert_int_equal(sum.r.sum_ns, all.r.sum_ns);
	assert_int_equal(sum.r.min_ns, all.r.min_ns);
	assert_int_equal(sum.r.max_ns, all.r.max_ns);
	assert_int_equal(sum.r.overflow, all.r.overflow);
	/* The extremes a percentile is clipped to, too. */
	assert_int_equal(sum.hist.count, all.hist.count);
	assert_int_equal(sum.hist.min, all.hist.min);
	assert_int_equal(sum.hist.max, all.hist.max);
	assert_int_equal(sum.hist.overflow, all.hist.overflow);
	assert_memory_equal(sum.hist.bucket, all.hist.bucket, sizeof(all.hist.bucket));
}

static void keys_are_unique(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rscope_report_fields); i++) {
		const struct rscope_field *f = &rscope_report_fields[i];

		assert_true(f->offset + f->size <= sizeof(struct rscope_report));
		assert_string_not_equal(f->key, "hist");
		for (j = 0; j < i; j++)
			assert_string_not_equal(f->key, rscope_report_fields[j].key);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(golden_pass),
	cmocka_unit_test(golden_aborted),
	cmocka_unit_test(golden_mismatch),
	cmocka_unit_test(golden_hostile),
	cmocka_unit_test(golden_files_are_read),
	cmocka_unit_test(printed_is_read_back),
	cmocka_unit_test(every_truncation_is_refused),
	cmocka_unit_test(malformed_is_refused),
	cmocka_unit_test(every_required_key),
	cmocka_unit_test(unknown_keys_are_passed_over),
	cmocka_unit_test(absent_is_none),
	cmocka_unit_test(nul_bytes_are_refused),
	cmocka_unit_test(damaged_bytes),
	cmocka_unit_test(merged_rounds),
	cmocka_unit_test(keys_are_unique),
};

UNIT_MAIN(tests)
