// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outcompare.h"

#include "blueflame.h"
#include "bypass.h"
#include "out.h"
#include "outenv.h"
#include "outrow.h"

/**
 * outcompare_begin() - an empty comparison
 * @p: plan
 * @self: the path that is compared with itself, NULL as a rule
 *
 * Return: a new object; rows are added as they are measured, so that an
 * interrupted comparison still has those it got to.
 */
json_t *outcompare_begin(const struct plan *p, const char *self)
{
	json_t *all = json_object();

	out_num(all, "abi", RSCOPE_ABI);
	out_text(all, "dev", p->link.ifname);
	out_num(all, "port", p->link.port);
	if (self)
		out_text(all, "self", self);
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
		out_text(side, "blueflame",
			 blueflame_state(s->rounds[0].r.driver, i == RSCOPE_PATH_USER));
		json_object_set_new(differ, rscope_words_PATHS[i], side);
	}
	json_object_set_new(object, "may_differ", differ);
	return object;
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
	const struct side *u = &row->side[RSCOPE_PATH_USER];
	json_t *rows = json_object_get(all, "rows");

	json_array_append_new(rows, outrow_json(row));
	if (json_is_null(json_object_get(all, "effective")) &&
	    (row->side[RSCOPE_PATH_KERNEL].n || u->n))
		json_object_set_new(all, "effective", effective(row));
	take_bypass(all, row);
	out_num(all, "rows_tested", json_array_size(rows));
	if (u->n && json_is_null(json_object_get(all, "env")))
		json_object_set_new(all, "env", outenv_json(&row->plan, u->rounds[0].r.driver));
}

/* ------------------------------------------------------------------- headline */

static double median_of(json_t *parts, const char *key)
{
	return json_real_value(json_object_get(json_object_get(parts, key), "median"));
}

/* Of the first row in which all paths ran: the whole, and what it is made of. */
static void add_parts(json_t *all, char *to, size_t size)
{
	json_t *row, *parts;
	size_t i, len = strlen(to);

	json_array_foreach(json_object_get(all, "rows"), i, row) {
		parts = json_object_get(row, "parts");
		if (!json_is_object(parts))
			continue;
		snprintf(to + len, size - len,
			 "; %lld bytes: mediated/user %.2f = %.0f ns for the crossing and %.0f ns between the driver's two halves, which is not bypass",
			 (long long)json_integer_value(json_object_get(row, "size")),
			 median_of(parts, "total"), median_of(parts, "crossing_ns"),
			 median_of(parts, "implementation_ns"));
		return;
	}
}

/* A gain is claimed only where posting was seen to bypass the kernel. */
static void headline(json_t *all, char *to, size_t size)
{
	const char *level = json_string_value(json_object_get(all, "bypass"));
	double calls = json_real_value(json_object_get(all, "syscalls_per_post_call"));

	if (json_object_get(all, "self"))
		snprintf(to, size, "calibration: both columns are the %s path",
			 json_string_value(json_object_get(all, "self")));
	else if (!level)
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
			 "%s bypass: %.2f system calls per post call; a ratio above 1 is what user verbs gain over kernel verbs, the two halves of the driver, inline data, BlueFlame and retpolines included",
			 level, calls);
	if (!json_object_get(all, "self") && level &&
	    (!strcmp(level, "full") || !strcmp(level, "partial")))
		add_parts(all, to, size);
}

/**
 * outcompare_end() - complete a comparison
 * @all: of outcompare_begin()
 * @p: plan
 * @aborted: why it ended early, "" when it did not
 */
void outcompare_end(json_t *all, const struct plan *p, const char *aborted)
{
	char text[512];

	headline(all, text, sizeof(text));
	out_text(all, "headline", text);
	out_text(all, "aborted", aborted);
	if (json_is_null(json_object_get(all, "env")))
		json_object_set_new(all, "env", outenv_json(p, ""));
}
