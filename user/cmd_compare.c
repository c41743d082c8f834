// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * compare: the same workload through kernel verbs, user verbs, and one system call
 * per operation.
 */
#include <stdlib.h>
#include <unistd.h>

#include "baseline.h"
#include "cmd.h"
#include "exits.h"
#include "fail.h"
#include "out.h"
#include "outcompare.h"
#include "outcsv.h"
#include "runopts.h"
#include "signals.h"
#include "sweep.h"

#define DEFAULT_SIZES "64,4096,65536"
#define SIZE_MAX_BYTES (1ULL << 30)

/* What the rows together come to. */
struct outcome {
	int status;
	bool gone;
	bool path_out;
	enum step step;
	struct rscope_error why;
};

/* Atomics have one size, which is in the workload, given or not. */
static int parse_sizes(const struct options *o, struct sweep *s)
{
	bool atomic = rscope_op_is_atomic(o->workload.op);
	bool one = atomic || rscope_workload_given(&o->workload, RSCOPE_W_size);

	if (o->sizes && atomic)
		return opts_usage_error("--sizes: atomics are always 8 bytes, leave it out");
	if (o->sizes && one)
		return opts_usage_error("--size and --sizes exclude each other");
	if (one) {
		s->size[0] = (u64)o->workload.size;
		s->n = 1;
		return 0;
	}
	if (!sweep_parse(o->sizes ? o->sizes : DEFAULT_SIZES, SIZE_MAX_BYTES, s))
		return opts_usage_error("--sizes %s: not N,N,... or A:B:xN of at most %d sizes",
					o->sizes, SWEEP_MAX);
	return 0;
}

static void progress(const struct row *row, size_t n)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%lld bytes, round %zu\033[K", row->plan.w.size, n);
}

static void progress_end(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

/* A bit per path. */
static int parse_paths(const struct options *o, unsigned int *paths)
{
	const char *p = o->self ? "kernel,user" : o->paths ? o->paths : "kernel,user,mediated";
	size_t n;
	int i;

	for (*paths = 0;; p += n + 1) {
		n = strcspn(p, ",");
		for (i = 0; i < RSCOPE_PATH_NR; i++)
			if (rscope_word_is(p, n, rscope_words_PATHS[i]))
				break;
		if (i == RSCOPE_PATH_NR || *paths & 1U << i)
			return opts_usage_error("--paths %s: not a list of kernel, user, mediated",
						o->paths);
		*paths |= 1U << i;
		if (!p[n])
			return 0;
	}
}

/* The worst of the rows: a failure, then what kept a path out. */
static void take_outcome(struct outcome *out, const struct row *row)
{
	const struct side *k = &row->side[RSCOPE_PATH_KERNEL], *u = &row->side[RSCOPE_PATH_USER];

	if (row->failed || row->refused)
		out->status = EXIT_FAIL;
	out->gone = row->gone;
	/* Mediated is left out of many shapes, which is no failure. */
	if (k->skipped || !k->out)
		k = u;
	if (out->path_out || k->skipped || !k->out)
		return;
	out->path_out = true;
	out->step = k->step;
	out->why = k->why;
}

static enum rscope_path self_path(const struct options *o)
{
	if (!o->self)
		return RSCOPE_PATH_NR;
	return strcmp(o->self, "user") ? RSCOPE_PATH_KERNEL : RSCOPE_PATH_USER;
}

static void leave_out(struct row *row, unsigned int paths)
{
	int i;

	for (i = 0; i < ROUNDS_PATHS; i++) {
		struct side *s = &row->side[i];
		enum rscope_path path = row->self == RSCOPE_PATH_NR ? (enum rscope_path)i :
								      row->self;

		s->skipped = !(paths & 1U << i);
		s->out = s->skipped || paths_ready(&row->plan, path, &s->step, &s->why);
	}
}

static int one_size(const struct options *o, const struct plan *p, u64 size, json_t *all,
		    struct outcome *out)
{
	struct row *row = calloc(1, sizeof(*row));
	unsigned int paths = 0;
	int err;

	if (!row)
		return -ENOMEM;
	row->plan = *p;
	row->plan.w.size = (s64)size;
	row->self = self_path(o);
	parse_paths(o, &paths); /* checked before */
	leave_out(row, paths);
	err = rounds_run(row, (size_t)o->rounds, progress);
	if (!err) {
		outcompare_row(all, row);
		take_outcome(out, row);
	}
	rounds_free(row);
	free(row);
	return err;
}

static void print_all(const struct options *o, json_t *all)
{
	if (o->json) {
		out_json(all);
		return;
	}
	if (o->csv)
		outcsv_print(all);
	else
		outcompare_text(all);
	json_decref(all);
}

static int finish(const struct options *o, const struct outcome *out)
{
	struct facts facts;

	if (signals_caught())
		return EXIT_SIGNAL + signals_caught();
	if (out->status || !out->path_out)
		return out->status;
	facts_read(o->root, &facts);
	return hints_print("compare", out->step, &out->why, &facts);
}

/* The earlier document, when one was named and fits. */
static int load_baseline(const struct options *o, const struct plan *p, const struct sweep *s,
			 json_t **old)
{
	struct rscope_error e = { 0 };
	json_error_t json;
	size_t i;

	*old = NULL;
	if (!o->baseline)
		return 0;
	*old = json_load_file(o->baseline, 0, &json);
	if (!*old)
		return opts_usage_error("--baseline %s: %s", o->baseline, json.text);
	if (baseline_fits(*old, &p->w, &e))
		return opts_usage_error("--baseline %s: %s", o->baseline, e.msg);
	for (i = 0; i < s->n; i++)
		if (baseline_has_size(*old, s->size[i], &e))
			return opts_usage_error("--baseline %s: %s", o->baseline, e.msg);
	return 0;
}

static void judge_baseline(const struct options *o, json_t *old, json_t *all, struct outcome *out)
{
	json_t *worse, *object;

	if (!old)
		return;
	worse = baseline_worse(old, all, (double)o->tolerance);
	if (json_array_size(worse))
		out->status = EXIT_FAIL;
	object = json_object();
	out_text(object, "file", o->baseline);
	out_num(object, "tolerance_pct", (u64)o->tolerance);
	json_object_set_new(object, "worse", worse);
	json_object_set_new(all, "baseline", object);
}

static const char *abort_reason(const struct outcome *out, int err)
{
	if (signals_caught())
		return "signal";
	if (out->gone)
		return "removed";
	return err ? "out of memory" : "";
}

static int compare_sizes(const struct options *o, const struct plan *p, const struct sweep *s,
			 json_t *old)
{
	struct outcome out = { .status = EXIT_PASS };
	json_t *all = outcompare_begin(p, o->self);
	size_t i;
	int err = 0;

	for (i = 0; i < s->n && !err && !out.gone && !signals_caught(); i++)
		err = one_size(o, p, s->size[i], all, &out);
	progress_end();
	outcompare_end(all, p, abort_reason(&out, err));
	judge_baseline(o, old, all, &out);
	print_all(o, all);
	return err ? EXIT_FAIL : finish(o, &out);
}

/**
 * cmd_compare() - all paths side by side
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_compare(struct options *o)
{
	struct plan p = { .root = o->root };
	struct rscope_error e = { 0 };
	struct sweep sizes;
	unsigned int paths;
	json_t *old;
	enum step step;
	int status = runopts_plan(o, &p);

	if (!status)
		status = parse_sizes(o, &sizes);
	if (!status)
		status = parse_paths(o, &paths);
	if (!status && o->json && o->csv)
		status = opts_usage_error("--json and --csv exclude each other");
	if (status)
		return status;
	signals_install();
	if (plan_make(&p, o->dev, o->port, &step, &e))
		return fail_print(o, "compare", step, &e);
	runopts_say(o, &p);
	runopts_clock();
	runopts_idle(o, &p);
	status = load_baseline(o, &p, &sizes, &old);
	if (!status)
		status = compare_sizes(o, &p, &sizes, old);
	json_decref(old);
	return status;
}
