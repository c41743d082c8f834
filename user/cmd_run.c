// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * run: one loopback on one path.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cmd.h"
#include "exits.h"
#include "fail.h"
#include "out.h"
#include "outhist.h"
#include "outrun.h"
#include "paths.h"
#include "runopts.h"
#include "signals.h"

/* Kernel when the module is there and we may use it, else user, and why. */
static enum rscope_path choose_path(const struct options *o, const struct plan *p)
{
	struct rscope_error e;
	enum step step;

	int i;

	for (i = 0; o->path && i < RSCOPE_PATH_NR; i++)
		if (!strcmp(o->path, rscope_words_PATHS[i]))
			return (enum rscope_path)i;
	if (!paths_ready(p, RSCOPE_PATH_KERNEL, &step, &e) && !paths_locked(p, &e))
		return RSCOPE_PATH_KERNEL;
	fprintf(stderr, "rdmascope: using the user path: %s\n", e.msg);
	return RSCOPE_PATH_USER;
}

static void print_run(const struct options *o, const struct run *run, const struct ktext *text)
{
	json_t *object;

	if (o->raw) {
		out_raw(text->text, text->len);
		return;
	}
	object = outrun_json(run);
	if (o->json) {
		out_json(object);
		return;
	}
	outrun_text(object);
	if (o->histogram)
		outhist_text(json_object_get(object, "hist"));
	json_decref(object);
}

static int run_plan(struct options *o, const struct plan *p)
{
	struct paths_job job = { .plan = p, .path = choose_path(o, p), .count = true };
	struct run *run = malloc(sizeof(*run));
	struct rscope_error e = { 0 };
	enum step step = STEP_PASS;
	int err, status;

	if (!run)
		return EXIT_FAIL;
	err = paths_ready(p, job.path, &step, &e);
	if (!err)
		err = paths_run(&job, run, &step, &e);
	if (err) {
		status = fail_print(o, "run", step, &e);
	} else {
		print_run(o, run, &job.text);
		status = runopts_status(&run->r);
	}
	free(job.text.text);
	free(run);
	return status;
}

/**
 * cmd_run() - one loopback
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_run(struct options *o)
{
	struct plan p = { .root = o->root };
	struct rscope_error e = { 0 };
	enum step step;
	int status = runopts_plan(o, &p);

	if (status)
		return status;
	signals_install();
	if (plan_make(&p, o->dev, o->port, &step, &e))
		return fail_print(o, "run", step, &e);
	runopts_say(o, &p);
	runopts_clock();
	runopts_idle(o, &p);
	return run_plan(o, &p);
}
