// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * explain: one run on the kernel and one on the user path, call by call, for
 * people who learn what verbs do.
 */
#include <math.h>
#include <stdlib.h>

#include "cmd.h"
#include "derive.h"
#include "exits.h"
#include "fail.h"
#include "out.h"
#include "paths.h"
#include "runopts.h"
#include "signals.h"

#define PATHS 2 /* kernel and user */
#define REPORT(k) offsetof(struct rscope_report, k)

/* The steps in their order; offset 0 (run_id) stands for a derived figure. */
static const struct {
	const char *step;
	const char *kernel;
	const char *user;
	size_t offset;
	const char *text;
} steps[] = {
	{ "pd", "ib_alloc_pd", "ibv_alloc_pd", REPORT(setup_pd_ns),
	  "A protection domain ties memory and QPs together: only what shares one may meet." },
	{ "cq", "ib_alloc_cq", "ibv_create_cq", REPORT(setup_cq_ns),
	  "The completion queue is where the device says which work requests are done." },
	{ "qp", "ib_create_qp", "ibv_create_qp", REPORT(setup_qp_ns),
	  "A queue pair is a send and a receive queue; born in RESET, it can do nothing yet." },
	{ "init", "ib_modify_qp", "ibv_modify_qp", REPORT(setup_init_ns),
	  "RESET to INIT binds the QP to a port with its rights; receives may be posted." },
	{ "rtr", "ib_modify_qp", "ibv_modify_qp", REPORT(setup_rtr_ns),
	  "INIT to RTR names the peer (QP number, address, MTU); from now on it receives." },
	{ "rts", "ib_modify_qp", "ibv_modify_qp", REPORT(setup_rts_ns),
	  "RTR to RTS sets timeouts and retries; the QP may send." },
	{ "mr", "ib_alloc_mr + IB_WR_REG_MR", "ibv_reg_mr", REPORT(setup_mr_ns),
	  "Registration pins memory and gives it the keys the device is shown for access." },
	{ "post", "ib_post_send", "ibv_post_send", 0,
	  "Posting writes a work request into the send queue and rings the doorbell." },
	{ "wait", "", "", 0,
	  "The device sends, is acknowledged, writes a completion (p50 - post - poll)." },
	{ "poll", "ib_poll_cq", "ibv_poll_cq", 0,
	  "Polling takes a completion out of the queue; with it the buffer is ours again." },
	{ "teardown", "ib_destroy_qp, ...", "ibv_destroy_qp, ...", REPORT(teardown_ns),
	  "All is destroyed in reverse order, so that the device never sees freed memory." },
};

static u64 wait_ns(const struct derived *d)
{
	if (d->p50_ns == RSCOPE_NONE || d->post_ns_per_call == RSCOPE_NONE ||
	    d->poll_ns_per_call == RSCOPE_NONE ||
	    d->p50_ns < d->post_ns_per_call + d->poll_ns_per_call)
		return RSCOPE_NONE;
	return d->p50_ns - d->post_ns_per_call - d->poll_ns_per_call;
}

static u64 figure(const struct run *run, const char *step, size_t offset)
{
	struct derived d;

	if (offset)
		return *(const u64 *)(const void *)((const char *)&run->r + offset);
	derive(run, &d);
	if (!strcmp(step, "post"))
		return d.post_ns_per_call;
	return strcmp(step, "poll") ? wait_ns(&d) : d.poll_ns_per_call;
}

static json_t *explain(const struct run *runs, const bool *ran)
{
	json_t *array = json_array(), *object;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		object = json_object();
		out_text(object, "step", steps[i].step);
		out_text(object, "kernel_call", steps[i].kernel);
		out_num(object, "kernel_ns", ran[0] ?
			figure(&runs[0], steps[i].step, steps[i].offset) : RSCOPE_NONE);
		out_text(object, "user_call", steps[i].user);
		out_num(object, "user_ns", ran[1] ?
			figure(&runs[1], steps[i].step, steps[i].offset) : RSCOPE_NONE);
		out_text(object, "text", steps[i].text);
		json_array_append_new(array, object);
	}
	return array;
}

static const struct column columns[] = {
	{ "step", "STEP", false },	   { "kernel_call", "KERNEL CALL", false },
	{ "kernel_ns", "NS", true },	   { "user_call", "USER CALL", false },
	{ "user_ns", "NS", true },
};

static void print_text(json_t *array)
{
	json_t *row;
	char step[32], text[256];
	size_t i;

	out_table(array, columns, ARRAY_SIZE(columns));
	out_line("setup, transitions and teardown: all QPs together; post, poll: one call");
	json_array_foreach(array, i, row)
		out_line("%-9s %s", out_shown(json_object_get(row, "step"), step, sizeof(step)),
			 out_shown(json_object_get(row, "text"), text, sizeof(text)));
}

/* EXIT_PASS when the path ran and passed. */
static int run_path(const struct options *o, const struct plan *p, enum rscope_path path,
		    struct run *run, bool *ran)
{
	struct paths_job job = { .plan = p, .path = path };
	struct rscope_error e = { 0 };
	enum step step = STEP_PASS;
	struct facts facts;
	int err = paths_ready(p, path, &step, &e);

	if (!err)
		err = paths_run(&job, run, &step, &e);
	if (err) { /* on stderr only: the other path may have an answer */
		facts_read(o->root, &facts);
		return hints_print("explain", step, &e, &facts);
	}
	free(job.text.text);
	*ran = !strcmp(run->r.verdict, "pass");
	if (!*ran)
		fprintf(stderr, "rdmascope explain: %s path %s: %s\n", rscope_words_PATHS[path],
			run->r.verdict, run->r.reason);
	return runopts_status(&run->r);
}

static int explain_plan(const struct options *o, const struct plan *p)
{
	struct run *runs = calloc(PATHS, sizeof(*runs));
	bool ran[PATHS] = { false };
	int i, one, status = EXIT_PASS;
	json_t *array;

	for (i = 0; runs && i < PATHS; i++) {
		one = run_path(o, p, (enum rscope_path)i, &runs[i], &ran[i]);
		status = status ? status : one;
	}
	array = runs ? explain(runs, ran) : json_array();
	if (o->json) {
		out_json(array);
	} else {
		if (ran[0] || ran[1])
			print_text(array);
		json_decref(array);
	}
	free(runs);
	return runs ? status : EXIT_FAIL;
}

/**
 * cmd_explain() - a run, call by call
 * @o: options
 *
 * Return: the exit status: the first path's that did not pass.
 */
int cmd_explain(struct options *o)
{
	struct plan p = { .root = o->root };
	struct rscope_error e = { 0 };
	enum step step;
	int status = runopts_plan(o, &p);

	if (status)
		return status;
	signals_install();
	if (plan_make(&p, o->dev, o->port, &step, &e))
		return fail_print(o, "explain", step, &e);
	runopts_say(o, &p);
	return explain_plan(o, &p);
}
