// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * compare: the same workload through kernel verbs and user verbs.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cmd.h"
#include "exits.h"
#include "fail.h"
#include "out.h"
#include "outcompare.h"
#include "runopts.h"
#include "signals.h"
#include "sweep.h"

#define DEFAULT_SIZES "64,4096,65536"
#define SIZE_MAX_BYTES (1ULL << 30)

/* What the rows together come to. */
struct outcome {
	int status;
	bool gone;
	bool kernel_out;
	enum step step;
	struct rscope_error why;
};

static int parse_sizes(const struct options *o, struct sweep *s)
{
	bool one = rscope_workload_given(&o->workload, RSCOPE_W_size);

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

/* The worst of the rows: a failure, then what kept a path out. */
static void take_outcome(struct outcome *out, const struct row *row)
{
	const struct side *k = &row->side[RSCOPE_PATH_KERNEL], *u = &row->side[RSCOPE_PATH_USER];

	if (row->failed || row->refused)
		out->status = EXIT_FAIL;
	out->gone = row->gone;
	if (out->kernel_out || (!k->out && !u->out))
		return;
	out->kernel_out = true;
	out->step = k->out ? k->step : u->step;
	out->why = k->out ? k->why : u->why;
}

static int one_size(const struct options *o, const struct plan *p, u64 size, json_t *all,
		    struct outcome *out)
{
	struct row *row = calloc(1, sizeof(*row));
	struct side *k;
	int err;

	if (!row)
		return -ENOMEM;
	row->plan = *p;
	row->plan.w.size = (s64)size;
	k = &row->side[RSCOPE_PATH_KERNEL];
	k->out = paths_ready(p, RSCOPE_PATH_KERNEL, &k->step, &k->why);
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
	outcompare_text(all);
	json_decref(all);
}

static int finish(const struct options *o, const struct outcome *out)
{
	struct facts facts;

	if (signals_caught())
		return EXIT_SIGNAL + signals_caught();
	if (out->status || !out->kernel_out)
		return out->status;
	facts_read(o->root, &facts);
	return hints_print("compare", out->step, &out->why, &facts);
}

static const char *abort_reason(const struct outcome *out, int err)
{
	if (signals_caught())
		return "signal";
	if (out->gone)
		return "removed";
	return err ? "out of memory" : "";
}

static int compare_sizes(const struct options *o, const struct plan *p, const struct sweep *s)
{
	struct outcome out = { .status = EXIT_PASS };
	json_t *all = outcompare_begin(p);
	size_t i;
	int err = 0;

	for (i = 0; i < s->n && !err && !out.gone && !signals_caught(); i++)
		err = one_size(o, p, s->size[i], all, &out);
	progress_end();
	outcompare_end(all, p, abort_reason(&out, err));
	print_all(o, all);
	return err ? EXIT_FAIL : finish(o, &out);
}

/**
 * cmd_compare() - kernel verbs beside user verbs
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_compare(struct options *o)
{
	struct plan p = { .root = o->root };
	struct rscope_error e = { 0 };
	struct sweep sizes;
	enum step step;
	int status = runopts_plan(o, &p);

	if (!status)
		status = parse_sizes(o, &sizes);
	if (status)
		return status;
	signals_install();
	if (plan_make(&p, o->dev, o->port, &step, &e))
		return fail_print(o, "compare", step, &e);
	runopts_say(o, &p);
	return compare_sizes(o, &p, &sizes);
}
