// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outrow.h"

#include <math.h>

#include "out.h"
#include "outrun.h"

#define NUMBER(k) { #k, offsetof(struct derived, k), false }
#define REAL(k) { #k, offsetof(struct derived, k), true }

/* Costs of single rounds: they cannot be added up, so the row has their median. */
static const struct {
	const char *key;
	size_t offset;
	bool real;
} costs[] = {
	NUMBER(post_ns_per_call), NUMBER(poll_ns_per_call), NUMBER(cpu_ns_per_op),
	NUMBER(system_cpu_ns_per_op), NUMBER(above_idle_cpu_ns_per_op), REAL(syscalls_per_op),
	REAL(syscalls_per_post_call),
	REAL(ctxsw_per_op), REAL(faults_per_op),
};

static double cost_of(const struct run *run, size_t i)
{
	const char *at;
	struct derived d;

	derive(run, &d);
	at = (const char *)&d + costs[i].offset;
	if (costs[i].real)
		return *(const double *)(const void *)at;
	return *(const u64 *)(const void *)at == RSCOPE_NONE ?
	       (double)NAN : (double)*(const u64 *)(const void *)at;
}

static void add_costs(json_t *object, const struct side *s)
{
	double values[COMPARE_ROUNDS_MAX];
	struct interval med;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(costs); i++) {
		for (k = 0; k < s->n; k++)
			values[k] = cost_of(&s->rounds[k], i);
		compare_interval(values, s->n, &med);
		if (costs[i].real)
			out_real(object, costs[i].key, med.median);
		else
			out_num(object, costs[i].key,
				isnan(med.median) ? RSCOPE_NONE : (u64)(med.median + 0.5));
	}
}

/* All rounds have the same idle machine, and about the same length. */
static void add_cpu_unknown(json_t *object, const struct run *first)
{
	bool known = json_is_integer(json_object_get(object, "above_idle_cpu_ns_per_op"));
	const char *why = known ? NULL : derive_cpu_unknown(first);

	out_text(object, "system_cpu_unknown", why ? why : "");
}

/* Merged over all rounds: more samples above p99, and the true extremes. */
static json_t *side_json(const struct side *s)
{
	double values[COMPARE_ROUNDS_MAX];
	struct interval med;
	json_t *object;

	if (!s->n)
		return json_null();
	object = json_object();
	out_num(object, "rounds", s->n);
	out_num(object, "ops", s->sum.r.ops);
	out_num(object, "min_ns", s->sum.r.min_ns);
	out_num(object, "max_ns", s->sum.r.max_ns);
	outrun_add_derived(object, &s->sum);
	json_object_del(object, "stddev_ns"); /* squares are around other pivots */
	add_costs(object, s);
	memcpy(values, s->values, s->n * sizeof(*values));
	compare_interval(values, s->n, &med);
	out_real(object, "value_ns", med.median);
	out_real(object, "spread", s->spread);
	json_object_set_new(object, "noise", json_boolean(s->noisy));
	out_num(object, "idle_cpu_ns_per_s", s->rounds[0].idle_cpu_ns_per_s);
	add_cpu_unknown(object, &s->rounds[0]);
	out_num(object, "crossing_ns", s->rounds[0].crossing_ns);
	out_num(object, "syscall_ns", s->rounds[0].syscall_ns);
	return object;
}

static json_t *interval_json(const struct interval *i)
{
	json_t *object = json_object();

	out_real(object, "median", i->median);
	out_real(object, "low", i->low);
	out_real(object, "high", i->high);
	out_num(object, "rounds", i->rounds);
	return object;
}

/* Only where all three paths ran. */
static json_t *parts_json(const struct parts *p)
{
	json_t *object;

	if (!p->total.rounds)
		return json_null();
	object = json_object();
	json_object_set_new(object, "crossing_ns", interval_json(&p->crossing));
	json_object_set_new(object, "implementation_ns", interval_json(&p->implementation));
	json_object_set_new(object, "total", interval_json(&p->total));
	return object;
}

static json_t *ratio_json(const struct row *row)
{
	const struct side *u = &row->side[RSCOPE_PATH_USER];
	json_t *object = json_object();

	out_real(object, "median", row->ratio.median);
	out_real(object, "low", row->ratio.low);
	out_real(object, "high", row->ratio.high);
	out_num(object, "rounds", row->ratio.rounds);
	/* Without a count there is no claim; a path against itself makes none. */
	if (row->self == RSCOPE_PATH_NR && u->n && !strcmp(u->rounds[0].bypass, "unknown"))
		out_text(object, "verdict", "bypass unknown");
	else
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
	out_num(object, "empty_polls", run->r.empty_polls);
	out_num(object, "wakeups", run->r.wakeups);
	out_num(object, "lost_wakeups", run->r.lost_wakeups);
	outrun_add_derived(object, run);
	return object;
}

static size_t most_rounds(const struct row *row)
{
	size_t k, n = 0;

	for (k = 0; k < ROUNDS_PATHS; k++)
		if (row->side[k].n > n)
			n = row->side[k].n;
	return n;
}

static json_t *rounds_json(const struct row *row)
{
	json_t *array = json_array(), *object;
	size_t i, k;

	for (i = 0; i < most_rounds(row); i++) {
		object = json_object();
		out_num(object, "round", i + 1);
		out_text(object, "first", rscope_words_PATHS[row->first[i]]);
		for (k = 0; k < ROUNDS_PATHS; k++)
			json_object_set_new(object, rscope_words_PATHS[k], i < row->side[k].n ?
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

		snprintf(key, sizeof(key), "%s_reason", rscope_words_PATHS[i]);
		out_text(object, key, row->side[i].out ? row->side[i].why.msg : "");
	}
}

/**
 * outrow_json() - a row
 * @row: measured
 *
 * Return: a new object.
 */
json_t *outrow_json(const struct row *row)
{
	const struct side *u = &row->side[RSCOPE_PATH_USER];
	json_t *object = json_object();
	bool noisy = false;
	int i;

	out_num(object, "size", (u64)row->plan.w.size);
	for (i = 0; i < ROUNDS_PATHS; i++) {
		json_object_set_new(object, rscope_words_PATHS[i], side_json(&row->side[i]));
		noisy = noisy || row->side[i].noisy;
	}
	json_object_set_new(object, "ratio", ratio_json(row));
	json_object_set_new(object, "parts", parts_json(&row->parts));
	json_object_set_new(object, "noise", json_boolean(noisy));
	out_text(object, "bypass", u->n ? u->rounds[0].bypass : "");
	add_reasons(object, row);
	json_object_set_new(object, "raw", rounds_json(row));
	return object;
}
