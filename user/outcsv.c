// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * First the surroundings as `# key: value` lines, then a header, then the rows.
 * Unknown is an empty field.
 */
#include "outcsv.h"

#include "csv.h"
#include "out.h"

static const char *const path_keys[] = {
	"rounds", "ops", "value_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns",
	"mean_ns", "ops_per_s", "bytes_per_s", "post_ns_per_call", "poll_ns_per_call",
	"cpu_ns_per_op", "system_cpu_ns_per_op", "above_idle_cpu_ns_per_op", "idle_cpu_ns_per_s",
	"syscalls_per_op", "ctxsw_per_op",
	"faults_per_op", "spread", "noise", "crossing_ns", "syscall_ns",
};

static const char *const paths[] = { "kernel", "user", "mediated" };
static const char *const parts[] = { "crossing_ns", "implementation_ns", "total" };
static const char *const ends[] = { "median", "low", "high" };
static const char *const reasons[] = {
	"reason", "kernel_reason", "user_reason", "mediated_reason",
};

static void put(struct rscope_text *t, json_t *value)
{
	char text[512];

	csv_field(t, json_is_null(value) || !value ? "" : out_shown(value, text, sizeof(text)),
		  !t->len);
}

static void put_name(struct rscope_text *t, const char *group, const char *key)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s%s", group, *group ? "_" : "", key);
	csv_field(t, name, !t->len);
}

/* One line: of names without a row, else of its values. */
static void put_group(struct rscope_text *t, json_t *row, json_t *object, const char *group,
		      const char *const *keys, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (row)
			put(t, json_object_get(object, keys[i]));
		else
			put_name(t, group, keys[i]);
	}
}

static void line(json_t *row)
{
	static const char *const head[] = { "size" }, *const verdict[] = { "verdict", "of" };
	json_t *ratio = json_object_get(row, "ratio"), *part = json_object_get(row, "parts");
	char buf[8192];
	struct rscope_text t = { .buf = buf, .size = sizeof(buf) };
	size_t i;

	put_group(&t, row, row, "", head, ARRAY_SIZE(head));
	for (i = 0; i < ARRAY_SIZE(paths); i++)
		put_group(&t, row, json_object_get(row, paths[i]), paths[i], path_keys,
			  ARRAY_SIZE(path_keys));
	put_group(&t, row, ratio, "ratio", ends, ARRAY_SIZE(ends));
	put_group(&t, row, ratio, "ratio", verdict, ARRAY_SIZE(verdict));
	for (i = 0; i < ARRAY_SIZE(parts); i++)
		put_group(&t, row, json_object_get(part, parts[i]), parts[i], ends,
			  ARRAY_SIZE(ends));
	put_group(&t, row, row, "", reasons, ARRAY_SIZE(reasons));
	out_line("%s", buf);
}

/**
 * outcsv_print() - print a comparison
 * @all: completed
 */
void outcsv_print(json_t *all)
{
	json_t *row;
	size_t i;

	out_lines(all, "# ");
	out_lines(json_object_get(all, "effective"), "# ");
	out_lines(json_object_get(all, "env"), "# ");
	line(NULL);
	json_array_foreach(json_object_get(all, "rows"), i, row)
		line(row);
}
