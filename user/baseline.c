// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Two documents of `compare --json`. Only equal things are compared: the same
 * ABI, the same workload but for its sizes, of which each must be in both. Pure.
 */
#include "baseline.h"

static int fail_field(struct rscope_error *e, const char *field, const char *old, const char *now)
{
	return rscope_fail(e, -EINVAL, "%s differs: baseline %s, now %s", field, old, now);
}

static void show_value(struct rscope_workload *w, const struct rscope_workload_row *row, char *to,
		       size_t size)
{
	s64 v;

	if (row->kind == RSCOPE_W_STR) {
		snprintf(to, size, "%s", rscope_workload_string(w, row));
		return;
	}
	v = *rscope_workload_value(w, row);
	if (row->kind == RSCOPE_W_ENUM)
		snprintf(to, size, "%s", row->words[v]);
	else
		snprintf(to, size, "%lld", v);
}

/* Paths print their own word for the same class of completion. */
static void normalise(struct rscope_workload *w)
{
	w->cq = rscope_cq_sleeps(w->cq) ? RSCOPE_CQ_EVENT : RSCOPE_CQ_POLL;
	w->size = 1;
	w->timeout_ms = 0;
	if (w->duration_ms)
		w->iters = 0;
}

static int same_workload(struct rscope_workload *old, struct rscope_workload *now,
			 struct rscope_error *e)
{
	char a[RSCOPE_WORD_MAX], b[RSCOPE_WORD_MAX];
	u32 i;

	normalise(old);
	normalise(now);
	if (!now->mtu) /* not known before the device is asked */
		now->mtu = old->mtu;
	for (i = 0; i < RSCOPE_W_NR; i++) {
		show_value(old, &rscope_workload_rows[i], a, sizeof(a));
		show_value(now, &rscope_workload_rows[i], b, sizeof(b));
		if (strcmp(a, b))
			return fail_field(e, rscope_workload_rows[i].key, a, b);
	}
	return 0;
}

/**
 * baseline_fits() - may a run of this workload be compared with the document?
 * @old: the document
 * @w: resolved workload
 * @e: the field that differs, or what is wrong with the document
 *
 * Return: 0 or -EINVAL.
 */
int baseline_fits(json_t *old, const struct rscope_workload *w, struct rscope_error *e)
{
	json_t *abi = json_object_get(old, "abi");
	const char *text = json_string_value(json_object_get(json_object_get(old, "effective"),
							     "workload"));
	struct rscope_workload theirs, ours = *w;
	char line[RSCOPE_WORKLOAD_MAX + 2], number[24], own[24];
	int n;

	if (!json_is_integer(abi))
		return rscope_fail(e, -EINVAL, "no document of compare --json: abi is missing");
	snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(abi));
	snprintf(own, sizeof(own), "%d", RSCOPE_ABI);
	if (strcmp(number, own))
		return fail_field(e, "abi", number, own);
	if (!text)
		return rscope_fail(e, -EINVAL, "the document holds no measured row");
	n = snprintf(line, sizeof(line), "%s\n", text);
	if (rscope_workload_parse(line, (size_t)n, &theirs, e))
		return -EINVAL;
	return same_workload(&theirs, &ours, e);
}

static json_t *row_of(json_t *document, u64 size)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(document, "rows"), i, row)
		if ((u64)json_integer_value(json_object_get(row, "size")) == size)
			return row;
	return NULL;
}

/**
 * baseline_has_size() - is there a row of this size?
 * @old: the document
 * @size: bytes
 * @e: that there is none
 *
 * Return: 0 or -EINVAL.
 */
int baseline_has_size(json_t *old, u64 size, struct rscope_error *e)
{
	return row_of(old, size) ? 0 :
	       rscope_fail(e, -EINVAL, "size differs: the baseline has no row of %llu bytes", size);
}

/**
 * baseline_is_worse() - the rule
 * @before: ns per operation of the baseline
 * @now: ns per operation
 * @tolerance: per cent
 *
 * Return: true when it takes longer by more than the tolerance.
 */
bool baseline_is_worse(double before, double now, double tolerance)
{
	return before > 0 && now > before * (1 + tolerance / 100);
}

static void compare_path(json_t *worse, json_t *old, json_t *now, const char *path,
			 double tolerance)
{
	json_t *a = json_object_get(json_object_get(old, path), "value_ns");
	json_t *b = json_object_get(json_object_get(now, path), "value_ns");
	double before = json_number_value(a), after = json_number_value(b);
	json_t *object;

	if (!json_is_number(a) || !json_is_number(b) ||
	    !baseline_is_worse(before, after, tolerance))
		return;
	object = json_object();
	json_object_set(object, "size", json_object_get(now, "size"));
	json_object_set_new(object, "path", json_string(path));
	json_object_set_new(object, "before_ns", json_real(before));
	json_object_set_new(object, "now_ns", json_real(after));
	json_object_set_new(object, "change_pct", json_real((after / before - 1) * 100));
	json_array_append_new(worse, object);
}

/**
 * baseline_worse() - which rows got worse
 * @old: the document
 * @now: the new one
 * @tolerance: per cent
 *
 * Return: a new array, one object for each row and path that did.
 */
json_t *baseline_worse(json_t *old, json_t *now, double tolerance)
{
	json_t *worse = json_array(), *row;
	size_t i, k;

	json_array_foreach(json_object_get(now, "rows"), i, row) {
		json_t *before = row_of(old, (u64)json_integer_value(json_object_get(row, "size")));

		for (k = 0; k < RSCOPE_PATH_NR; k++)
			compare_path(worse, before, row, rscope_words_PATHS[k], tolerance);
	}
	return worse;
}
