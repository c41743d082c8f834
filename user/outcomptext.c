// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A comparison for people.
 */
#include <math.h>

#include "out.h"
#include "outcompare.h"

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

/* Whether the user path bypasses is unknown: no gain is shown to people. */
static bool claims(json_t *row)
{
	const char *verdict;

	verdict = json_string_value(json_object_get(json_object_get(row, "ratio"), "verdict"));
	return !verdict || strcmp(verdict, "bypass unknown");
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
		for (k = claims(row) ? 0 : 3; k < ARRAY_SIZE(keys); k++)
			json_object_set(flat, keys[k],
					json_object_get(json_object_get(row, "ratio"), keys[k]));
		json_array_append_new(array, flat);
	}
	return array;
}

static const struct column part_columns[] = {
	{ "size", "SIZE", true },	    { "m.p50_ns", "MEDIATED P50", true },
	{ "m.p99_ns", "P99", true },	    { "c.median", "CROSSING", true },
	{ "c.low", "LOW", true },	    { "c.high", "HIGH", true },
	{ "i.median", "DRIVER HALVES", true }, { "i.low", "LOW", true },
	{ "i.high", "HIGH", true },	    { "t.median", "MEDIATED/USER", true },
	{ "t.low", "LOW", true },	    { "t.high", "HIGH", true },
	{ "nop", "NOP CALL", true },	    { "getppid", "GETPPID", true },
};

static void flatten_interval(json_t *flat, const char *prefix, json_t *interval, bool ns)
{
	static const char *const keys[] = { "median", "low", "high" };
	char key[40];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		json_t *v = json_object_get(interval, keys[i]);

		snprintf(key, sizeof(key), "%s.%s", prefix, keys[i]);
		if (ns && json_is_real(v))
			json_object_set_new(flat, key, json_integer(llround(json_real_value(v))));
		else
			json_object_set(flat, key, v);
	}
}

/* Rows in which all three paths ran. */
static json_t *part_table(json_t *rows)
{
	json_t *array = json_array(), *row, *flat;
	size_t i;

	json_array_foreach(rows, i, row) {
		json_t *parts = json_object_get(row, "parts");
		json_t *m = json_object_get(row, "mediated");

		if (!json_is_object(parts))
			continue;
		flat = json_object();
		json_object_set(flat, "size", json_object_get(row, "size"));
		flatten(flat, "m", m);
		flatten_interval(flat, "c", json_object_get(parts, "crossing_ns"), true);
		flatten_interval(flat, "i", json_object_get(parts, "implementation_ns"), true);
		if (claims(row))
			flatten_interval(flat, "t", json_object_get(parts, "total"), false);
		json_object_set(flat, "nop", json_object_get(m, "crossing_ns"));
		json_object_set(flat, "getppid", json_object_get(m, "syscall_ns"));
		json_array_append_new(array, flat);
	}
	return array;
}

static void print_parts(json_t *rows)
{
	json_t *table_of = part_table(rows);

	if (json_array_size(table_of)) {
		out_line("%s", "");
		out_table(table_of, part_columns, ARRAY_SIZE(part_columns));
		out_line("CROSSING: mediated - kernel, a system call before the same driver half");
		out_line("DRIVER HALVES: kernel - user, not bypass; MEDIATED/USER holds both");
	}
	json_decref(table_of);
}

static void print_cpu(json_t *row, const char *path)
{
	json_t *side = json_object_get(row, path);
	json_t *all = json_object_get(side, "system_cpu_ns_per_op");
	json_t *above = json_object_get(side, "above_idle_cpu_ns_per_op");
	const char *why = json_string_value(json_object_get(side, "system_cpu_unknown"));
	char size[32], a[32], b[32];

	if (!json_is_object(side))
		return;
	out_line("size %s, %s: system CPU %s ns per operation, above idle %s%s%s",
		 out_shown(json_object_get(row, "size"), size, sizeof(size)), path,
		 json_is_integer(all) ? out_shown(all, a, sizeof(a)) : "unknown",
		 json_is_integer(above) ? out_shown(above, b, sizeof(b)) : "unknown",
		 why ? ": " : "", why ? why : "");
}

static void print_cpus(json_t *rows)
{
	json_t *row;
	size_t i;
	int p;

	json_array_foreach(rows, i, row)
		for (p = 0; p < RSCOPE_PATH_NR; p++)
			print_cpu(row, rscope_words_PATHS[p]);
}

static void print_noise(json_t *rows)
{
	json_t *row;
	char size[32];
	size_t i;

	json_array_foreach(rows, i, row)
		if (json_is_true(json_object_get(row, "noise")))
			out_line("size %s: noisy, the rounds of a path spread over more than 10 %%",
				 out_shown(json_object_get(row, "size"), size, sizeof(size)));
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
		print_reason(row, "mediated_reason");
	}
}

static void print_baseline(json_t *baseline)
{
	json_t *worse = json_object_get(baseline, "worse"), *row;
	char text[256], line[512];
	const char *key;
	json_t *value;
	size_t i;

	if (!json_is_object(baseline))
		return;
	out_line("baseline %s: %zu rows got worse",
		 out_shown(json_object_get(baseline, "file"), text, sizeof(text)),
		 json_array_size(worse));
	json_array_foreach(worse, i, row) {
		struct rscope_text t = { .buf = line, .size = sizeof(line) };

		json_object_foreach(row, key, value) {
			rscope_puts(&t, " ");
			rscope_puts(&t, key);
			rscope_puts(&t, " ");
			rscope_puts(&t, out_shown(value, text, sizeof(text)));
		}
		out_line(" %s", line);
	}
}

static void print_warning(json_t *env)
{
	const char *warning = json_string_value(json_object_get(env, "clock_warning"));

	if (warning)
		out_line("warning: %s", warning);
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
	print_warning(json_object_get(all, "env"));
	if (json_array_size(flat))
		out_table(flat, columns, ARRAY_SIZE(columns));
	json_decref(flat);
	out_line("latencies in ns; KERNEL/USER: median of per-round ratios, above 1 = user faster");
	print_parts(rows);
	print_cpus(rows);
	print_noise(rows);
	print_reasons(rows);
	print_baseline(json_object_get(all, "baseline"));
	out_line("rows tested: %s",
		 out_shown(json_object_get(all, "rows_tested"), text, sizeof(text)));
	out_line("the same on every path:");
	out_lines(effective, "  ");
	json_object_foreach(json_object_get(effective, "may_differ"), name, side) {
		out_line("%s:", name);
		out_lines(side, "  ");
	}
	out_line("measured on:");
	out_lines(json_object_get(all, "env"), "  ");
}
