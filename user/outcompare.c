// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outcompare.h"

#include "bypass.h"
#include "out.h"
#include "outenv.h"
#include "outrun.h"

static const char *const side_names[ROUNDS_PATHS] = { "kernel", "user" };

/**
 * outcompare_begin() - an empty comparison
 * @p: plan
 *
 * Return: a new object; rows are added as they are measured, so that an
 * interrupted comparison still has those it got to.
 */
json_t *outcompare_begin(const struct plan *p)
{
	json_t *all = json_object();

	out_num(all, "abi", RSCOPE_ABI);
	out_text(all, "dev", p->link.ifname);
	out_num(all, "port", p->link.port);
	json_object_set_new(all, "headline", json_null());
	json_object_set_new(all, "aborted", json_null());
	json_object_set_new(all, "bypass", json_null());
	json_object_set_new(all, "syscalls_per_post_call", json_null());
	json_object_set_new(all, "rows_tested", json_integer(0));
	json_object_set_new(all, "env", json_null());
	json_object_set_new(all, "effective", json_null());
	json_object_set_new(all, "rows", json_array());
	return all;
}

/* ------------------------------------------------------------------ effective */

static const char *const same_keys[] = {
	"workload", "mtu", "gid_index", "gid", "gid_type", "lid", "rd_atomic", "slots",
};

static const char *const may_differ_keys[] = {
	"local_key", "mrs", "page_bytes", "memory_bytes", "sq_wrs", "rq_wrs", "cq_entries",
	"inline_bytes", "driver",
};

static void add_keys(json_t *object, const struct rscope_report *r, const char *const *keys,
		     size_t n)
{
	for (; n; n--, keys++)
		out_field(object, rscope_report_fields, ARRAY_SIZE(rscope_report_fields), r, *keys);
}

static json_t *effective(const struct row *row)
{
	json_t *object = json_object(), *differ = json_object(), *side;
	int i;

	for (i = 0; i < ROUNDS_PATHS; i++) {
		const struct side *s = &row->side[i];

		if (!s->n)
			continue;
		side = json_object();
		add_keys(object, &s->rounds[0].r, same_keys, ARRAY_SIZE(same_keys));
		add_keys(side, &s->rounds[0].r, may_differ_keys, ARRAY_SIZE(may_differ_keys));
		json_object_set_new(differ, side_names[i], side);
	}
	json_object_set_new(object, "may_differ", differ);
	return object;
}

/* ------------------------------------------------------------------------ row */

/* Merged over all rounds: more samples above p99, and the true extremes. */
static json_t *side_json(const struct side *s)
{
	json_t *object;

	if (!s->n)
		return json_null();
	object = json_object();
	out_num(object, "rounds", s->n);
	out_num(object, "ops", s->sum.r.ops);
	out_num(object, "min_ns", s->sum.r.min_ns);
	out_num(object, "max_ns", s->sum.r.max_ns);
	outrun_add_derived(object, &s->sum);
	/* These cannot be added up over rounds. */
	json_object_del(object, "stddev_ns");
	json_object_del(object, "post_ns_per_call");
	json_object_del(object, "poll_ns_per_call");
	json_object_del(object, "cpu_ns_per_op");
	json_object_del(object, "system_cpu_ns_per_op");
	json_object_del(object, "syscalls_per_op");
	json_object_del(object, "syscalls_per_post_call");
	json_object_del(object, "ctxsw_per_op");
	return object;
}

static json_t *ratio_json(const struct row *row)
{
	json_t *object = json_object();

	out_real(object, "median", row->ratio.median);
	out_real(object, "low", row->ratio.low);
	out_real(object, "high", row->ratio.high);
	out_num(object, "rounds", row->ratio.rounds);
	out_text(object, "verdict", row->ratio.rounds ? row->ratio.verdict : "");
	out_text(object, "of", row->latency ? "p50_ns" : "elapsed_ns per operation");
	return object;
}

static json_t *round_json(const struct run *run)
{
	json_t *object = json_object();

	out_num(object, "run_id", run->r.run_id);
	out_num(object, "ops", run->r.ops);
	out_num(object, "elapsed_ns", run->r.elapsed_ns);
	out_num(object, "min_ns", run->r.min_ns);
	out_num(object, "max_ns", run->r.max_ns);
	outrun_add_derived(object, run);
	return object;
}

static json_t *rounds_json(const struct row *row)
{
	json_t *array = json_array(), *object;
	size_t i, k;

	for (i = 0; i < row->side[0].n || i < row->side[1].n; i++) {
		object = json_object();
		out_num(object, "round", i + 1);
		out_text(object, "first", side_names[i % ROUNDS_PATHS]);
		for (k = 0; k < ROUNDS_PATHS; k++)
			json_object_set_new(object, side_names[k], i < row->side[k].n ?
					    round_json(&row->side[k].rounds[i]) : json_null());
		if (i < row->ratio.rounds)
			out_real(object, "ratio", row->ratios[i]);
		json_array_append_new(array, object);
	}
	return array;
}

static void add_reasons(json_t *object, const struct row *row)
{
	int i;

	out_text(object, "reason", row->refused || row->failed ? row->e.msg : "");
	for (i = 0; i < ROUNDS_PATHS; i++) {
		char key[32];

		snprintf(key, sizeof(key), "%s_reason", side_names[i]);
		out_text(object, key, row->side[i].out ? row->side[i].why.msg : "");
	}
}

static void take_bypass(json_t *all, const struct row *row)
{
	const struct side *u = &row->side[RSCOPE_PATH_USER];
	const struct run *run = &u->rounds[0];

	if (!u->n || json_is_string(json_object_get(all, "bypass")))
		return;
	out_text(all, "bypass", run->bypass);
	if (run->syscalls != RSCOPE_NONE && run->syscall_posts)
		out_real(all, "syscalls_per_post_call",
			 (double)run->syscalls / (double)run->syscall_posts);
}

/**
 * outcompare_row() - add a row
 * @all: of outcompare_begin()
 * @row: measured
 */
void outcompare_row(json_t *all, const struct row *row)
{
	json_t *object = json_object(), *rows = json_object_get(all, "rows");
	const struct side *u = &row->side[RSCOPE_PATH_USER];

	out_num(object, "size", (u64)row->plan.w.size);
	json_object_set_new(object, "kernel", side_json(&row->side[RSCOPE_PATH_KERNEL]));
	json_object_set_new(object, "user", side_json(u));
	json_object_set_new(object, "mediated", json_null());
	json_object_set_new(object, "ratio", ratio_json(row));
	out_text(object, "bypass", u->n ? u->rounds[0].bypass : "");
	add_reasons(object, row);
	json_object_set_new(object, "raw", rounds_json(row));
	json_array_append_new(rows, object);
	if (json_is_null(json_object_get(all, "effective")) && (row->side[0].n || u->n))
		json_object_set_new(all, "effective", effective(row));
	take_bypass(all, row);
	out_num(all, "rows_tested", json_array_size(rows));
	if (u->n && json_is_null(json_object_get(all, "env")))
		json_object_set_new(all, "env", outenv_json(&row->plan, u->rounds[0].r.driver));
}

/* ------------------------------------------------------------------- headline */

/* A gain is claimed only where posting was seen to bypass the kernel. */
static void headline(json_t *all, char *to, size_t size)
{
	const char *level = json_string_value(json_object_get(all, "bypass"));
	double calls = json_real_value(json_object_get(all, "syscalls_per_post_call"));

	if (!level)
		snprintf(to, size, "the user path did not run: nothing is said about bypass");
	else if (!strcmp(level, "none"))
		snprintf(to, size,
			 "no bypass on this device: %.2f system calls per post call; the numbers compare two software paths",
			 calls);
	else if (!strcmp(level, "unknown"))
		snprintf(to, size,
			 "bypass unknown: system calls could not be counted (perf refused), so no gain is claimed");
	else
		snprintf(to, size,
			 "%s bypass: %.2f system calls per post call; a ratio above 1 is what user verbs gain over kernel verbs, the two halves of the driver included",
			 level, calls);
}

/**
 * outcompare_end() - complete a comparison
 * @all: of outcompare_begin()
 * @p: plan
 * @aborted: why it ended early, "" when it did not
 */
void outcompare_end(json_t *all, const struct plan *p, const char *aborted)
{
	char text[256];

	headline(all, text, sizeof(text));
	out_text(all, "headline", text);
	out_text(all, "aborted", aborted);
	if (json_is_null(json_object_get(all, "env")))
		json_object_set_new(all, "env", outenv_json(p, ""));
}

/* ----------------------------------------------------------------------- text */

static const struct column columns[] = {
	{ "size", "SIZE", true },	{ "k.p50_ns", "KERNEL P50", true },
	{ "k.p99_ns", "P99", true },	{ "k.max_ns", "MAX", true },
	{ "k.ops_per_s", "OPS/S", true }, { "k.mb", "MB/S", true },
	{ "u.p50_ns", "USER P50", true }, { "u.p99_ns", "P99", true },
	{ "u.max_ns", "MAX", true },	{ "u.ops_per_s", "OPS/S", true },
	{ "u.mb", "MB/S", true },	{ "median", "KERNEL/USER", true },
	{ "low", "LOW", true },		{ "high", "HIGH", true },
	{ "verdict", "VERDICT", false },
};

static void flatten(json_t *flat, const char *prefix, json_t *side)
{
	static const char *const keys[] = { "p50_ns", "p99_ns", "max_ns", "ops_per_s" };
	json_t *bytes = json_object_get(side, "bytes_per_s");
	char key[40];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		snprintf(key, sizeof(key), "%s.%s", prefix, keys[i]);
		json_object_set(flat, key, json_object_get(side, keys[i]));
	}
	snprintf(key, sizeof(key), "%s.mb", prefix);
	if (json_is_integer(bytes))
		json_object_set_new(flat, key, json_real((double)json_integer_value(bytes) / 1e6));
}

static json_t *table(json_t *rows)
{
	static const char *const keys[] = { "median", "low", "high", "verdict" };
	json_t *array = json_array(), *row, *flat;
	size_t i, k;

	json_array_foreach(rows, i, row) {
		flat = json_object();
		json_object_set(flat, "size", json_object_get(row, "size"));
		flatten(flat, "k", json_object_get(row, "kernel"));
		flatten(flat, "u", json_object_get(row, "user"));
		for (k = 0; k < ARRAY_SIZE(keys); k++)
			json_object_set(flat, keys[k],
					json_object_get(json_object_get(row, "ratio"), keys[k]));
		json_array_append_new(array, flat);
	}
	return array;
}

static void print_reason(json_t *row, const char *key)
{
	json_t *why = json_object_get(row, key), *bytes = json_object_get(row, "size");
	char size[32], text[512];

	if (json_is_string(why))
		out_line("size %s, %s: %s", out_shown(bytes, size, sizeof(size)), key,
			 out_shown(why, text, sizeof(text)));
}

static void print_reasons(json_t *rows)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		print_reason(row, "reason");
		print_reason(row, "kernel_reason");
		print_reason(row, "user_reason");
	}
}

/**
 * outcompare_text() - print a comparison for people
 * @all: completed
 */
void outcompare_text(json_t *all)
{
	json_t *rows = json_object_get(all, "rows"), *effective = json_object_get(all, "effective");
	json_t *flat = table(rows), *side;
	const char *name;
	char text[512];

	out_line("%s", out_shown(json_object_get(all, "headline"), text, sizeof(text)));
	if (json_array_size(flat))
		out_table(flat, columns, ARRAY_SIZE(columns));
	json_decref(flat);
	print_reasons(rows);
	out_line("latencies in ns; KERNEL/USER: median of per-round ratios, above 1 = user faster");
	out_line("rows tested: %s",
		 out_shown(json_object_get(all, "rows_tested"), text, sizeof(text)));
	out_line("the same on both paths:");
	out_lines(effective, "  ");
	json_object_foreach(json_object_get(effective, "may_differ"), name, side) {
		out_line("%s:", name);
		out_lines(side, "  ");
	}
	out_line("measured on:");
	out_lines(json_object_get(all, "env"), "  ");
}
