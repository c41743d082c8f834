// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * check: one verdict for each port, with the reason and what to type next.
 */
#include <stdlib.h>

#include "cmd.h"
#include "exits.h"
#include "fail.h"
#include "judges.h"
#include "out.h"
#include "outcheck.h"
#include "runopts.h"
#include "signals.h"
#include "survey.h"
#include "trial.h"

/* What the exit status depends on. */
struct tally {
	bool failed;
	bool refused;
	bool judged;
};

static bool any_fails(const struct list *findings)
{
	return findings_verdict(findings) == CHECK_FAIL;
}

/* A loopback on a link that is not well tells nothing new. */
static void try_paths(const struct plan *p, struct port_facts *f, const struct list *findings)
{
	size_t i;

	if (any_fails(findings) || !judge_runnable(f))
		return;
	for (i = 0; i < TRIAL_PATHS && !signals_caught(); i++)
		if (judge_open(f, (enum trial_path)i))
			trial_run(p, f, (enum trial_path)i);
}

static void count(struct tally *t, const struct list *findings)
{
	enum check_verdict verdict = findings_verdict(findings);

	t->failed |= verdict == CHECK_FAIL;
	t->judged |= verdict != CHECK_SKIP;
	list_each(struct finding, found, findings)
		t->refused |= found->permit;
}

static int judge_port(const struct survey *s, const struct plan *p, struct port_facts *f,
		      struct tally *tally, json_t *array)
{
	struct list findings = LIST(struct finding);
	int err = findings_judge(f, &findings);

	if (!err && p) {
		try_paths(p, f, &findings);
		list_free(&findings);
		err = findings_judge(f, &findings);
	}
	if (!err) {
		count(tally, &findings);
		json_array_append_new(array, outcheck_json(f, &findings, s->links.source));
	}
	list_free(&findings);
	return err;
}

static void print_source(const struct map *m)
{
	out_line("source: %s%s%s%s", m->source, m->passed.err ? " (" : "",
		 m->passed.err ? m->passed.msg : "", m->passed.err ? ")" : "");
}

static void print_verdicts(const struct options *o, const struct survey *s, json_t *array)
{
	if (o->json) {
		out_json(json_incref(array));
	} else if (o->ktap) {
		outcheck_ktap(array);
	} else {
		if (!json_array_size(array))
			out_line("nothing to check: no RDMA device");
		outcheck_text(array);
		print_source(&s->links);
	}
}

/* Fail over not permitted over pass; skipped only when every port was. */
static int status_of(const struct options *o, const struct tally *t)
{
	if (signals_caught())
		return EXIT_SIGNAL + signals_caught();
	if (t->failed)
		return EXIT_FAIL;
	if (t->refused && !o->no_run)
		return EXIT_PERMIT;
	return t->judged ? EXIT_PASS : EXIT_UNSUPPORTED;
}

static int judge_ports(struct options *o, struct survey *s, const struct plan *p)
{
	struct tally tally = { 0 };
	json_t *array = json_array();
	int err = 0;

	list_each(struct port_facts, f, &s->ports)
		if (!err && !signals_caught())
			err = judge_port(s, p, f, &tally, array);
	print_verdicts(o, s, array);
	json_decref(array);
	return err ? EXIT_FAIL : status_of(o, &tally);
}

static int usage(const struct options *o)
{
	if (o->json && o->ktap)
		return opts_usage_error("--json or --ktap, not both");
	if (o->all && *o->dev)
		return opts_usage_error("--all or %s, not both", o->target);
	return 0;
}

/* Nothing loaded: nothing to check, and the reason on stderr. */
static bool no_rdma(const struct options *o, const struct rscope_error *e)
{
	struct facts facts;

	facts_read(o->root, &facts);
	if (o->source || *o->dev || facts.rdma)
		return false;
	hints_print("check", STEP_DEVICE, e, &facts);
	return true;
}

static int check(struct options *o, const struct plan *p)
{
	struct survey s = { .root = o->root, .forced = o->source, .dev = o->dev, .port = o->port };
	struct rscope_error e = { 0 };
	int err = survey_ports(&s, &e), status;

	if (!err || no_rdma(o, &e))
		status = judge_ports(o, &s, p);
	else
		status = fail_print(o, "check", map_step(&s.links, err), &e);
	survey_free(&s);
	return status;
}

/**
 * cmd_check() - verdicts about ports
 * @o: options
 *
 * A fixture tree has nothing to run on.
 *
 * Return: the exit status.
 */
int cmd_check(struct options *o)
{
	struct plan p = { .root = o->root };
	bool run = !o->no_run && !*o->root;
	int status = usage(o);

	if (!status && trial_workload(&o->workload))
		status = EXIT_FAIL;
	if (!status)
		status = runopts_plan(o, &p);
	if (status)
		return status;
	signals_install();
	return check(o, run ? &p : NULL);
}
