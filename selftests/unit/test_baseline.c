// SPDX-License-Identifier: GPL-2.0
/*
 * Which documents may be compared, and what counts as worse.
 */
#include <stdio.h>

#include "unit.h"
#include "baseline.h"

static struct rscope_error err;

static void workload(struct rscope_workload *w, const char *words)
{
	char line[256];
	int n = snprintf(line, sizeof(line), "%s\n", words);

	assert_int_equal(rscope_workload_parse(line, (size_t)n, w, &err), 0);
}

/* A document as compare --json writes it, as far as it is looked at. */
static json_t *document(int abi, const char *words)
{
	struct rscope_workload w;
	char line[RSCOPE_WORKLOAD_MAX];
	struct rscope_text t = { .buf = line, .size = sizeof(line) };

	workload(&w, words);
	rscope_workload_print(&t, &w);
	return json_pack("{s:i, s:{s:s}, s:[]}", "abi", abi, "effective", "workload", line, "rows");
}

static void add_row(json_t *document, int size, double kernel, double user)
{
	json_array_append_new(json_object_get(document, "rows"),
			      json_pack("{s:i, s:{s:f}, s:{s:f}, s:n}", "size", size, "kernel",
					"value_ns", kernel, "user", "value_ns", user, "mediated"));
}

static void rule(void **state)
{
	(void)state;
	assert_false(baseline_is_worse(100, 100, 0));
	assert_true(baseline_is_worse(100, 101, 0));
	assert_false(baseline_is_worse(100, 110, 10.5));
	assert_true(baseline_is_worse(100, 111, 10));
	assert_false(baseline_is_worse(100, 50, 0));
	assert_false(baseline_is_worse(0, 50, 10));
}

static void same_workload_fits(void **state)
{
	json_t *old = document(RSCOPE_ABI, "op=write size=64 iters=100 mtu=1024");
	struct rscope_workload w;

	(void)state;
	workload(&w, "op=write size=4096 iters=100 mtu=1024");
	assert_int_equal(baseline_fits(old, &w, &err), 0);
	/* The device's own MTU is not known yet; the two words for polling are one. */
	workload(&w, "op=write size=4096 iters=100 cq=direct");
	assert_int_equal(baseline_fits(old, &w, &err), 0);
	json_decref(old);
}

static void other_fields_are_named(void **state)
{
	static const char *const rows[][2] = {
		{ "op=read iters=100", "op differs: baseline write, now read" },
		{ "op=write iters=101", "iters differs: baseline 100, now 101" },
		{ "op=write iters=100 cq=event", "cq differs: baseline poll, now event" },
		{ "op=write iters=100 depth=2", "depth differs: baseline 1, now 2" },
		{ "op=write duration_ms=5", "iters differs: baseline 100, now 0" },
	};
	json_t *old = document(RSCOPE_ABI, "op=write size=64 iters=100");
	struct rscope_workload w;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		workload(&w, rows[i][0]);
		assert_int_equal(baseline_fits(old, &w, &err), -EINVAL);
		assert_string_equal(err.msg, rows[i][1]);
	}
	json_decref(old);
}

static void other_documents_are_refused(void **state)
{
	json_t *old = document(RSCOPE_ABI + 1, "op=write"), *none = json_object();
	json_t *empty = json_pack("{s:i, s:n, s:[]}", "abi", RSCOPE_ABI, "effective", "rows");
	struct rscope_workload w;

	(void)state;
	workload(&w, "op=write");
	assert_int_equal(baseline_fits(old, &w, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "abi differs"));
	assert_int_equal(baseline_fits(none, &w, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "abi is missing"));
	assert_int_equal(baseline_fits(empty, &w, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "no measured row"));
	json_decref(old);
	json_decref(none);
	json_decref(empty);
}

static void sizes_must_be_there(void **state)
{
	json_t *old = document(RSCOPE_ABI, "op=write");

	(void)state;
	add_row(old, 64, 100, 100);
	assert_int_equal(baseline_has_size(old, 64, &err), 0);
	assert_int_equal(baseline_has_size(old, 65, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "size differs"));
	json_decref(old);
}

static void worse_rows_are_listed(void **state)
{
	json_t *old = document(RSCOPE_ABI, "op=write"), *now = document(RSCOPE_ABI, "op=write");
	json_t *worse, *row;

	(void)state;
	add_row(old, 64, 100, 200);
	add_row(old, 4096, 1000, 2000);
	add_row(now, 64, 109, 240);
	add_row(now, 4096, 900, 2100);
	worse = baseline_worse(old, now, 10);
	assert_int_equal(json_array_size(worse), 1);
	row = json_array_get(worse, 0);
	assert_int_equal(json_integer_value(json_object_get(row, "size")), 64);
	assert_string_equal(json_string_value(json_object_get(row, "path")), "user");
	assert_true(json_real_value(json_object_get(row, "now_ns")) == 240);
	assert_in_range((int)(json_real_value(json_object_get(row, "change_pct")) + 0.5), 20, 20);
	json_decref(worse);
	worse = baseline_worse(old, old, 0);
	assert_int_equal(json_array_size(worse), 0);
	json_decref(worse);
	json_decref(old);
	json_decref(now);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(rule),
	cmocka_unit_test(same_workload_fits),
	cmocka_unit_test(other_fields_are_named),
	cmocka_unit_test(other_documents_are_refused),
	cmocka_unit_test(sizes_must_be_there),
	cmocka_unit_test(worse_rows_are_listed),
};

UNIT_MAIN(tests)
