// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "checkup.h"

#include "exits.h"
#include "fail.h"
#include "findings.h"
#include "judges.h"
#include "outcheck.h"
#include "runopts.h"
#include "signals.h"
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

	/* A loopback on a link that is not well tells nothing new. */
	if (!err && p && !any_fails(&findings) && judge_runnable(f)) {
		trial_port(p, f);
		list_free(&findings);
		err = findings_judge(f, &findings);
	}
	/* What a signal cut short is no verdict. */
	if (!err && !signals_caught()) {
		count(tally, &findings);
		json_array_append_new(array, outcheck_json(f, &findings, s->links.source));
	}
	list_free(&findings);
	return err;
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

static int judge_ports(const struct options *o, struct checkup *c, const struct plan *p)
{
	struct tally tally = { 0 };
	int err = 0;

	list_each(struct port_facts, f, &c->survey.ports)
		if (!err && !signals_caught())
			err = judge_port(&c->survey, p, f, &tally, c->verdicts);
	return err ? EXIT_FAIL : status_of(o, &tally);
}

/* Nothing loaded: no port, and the reason on stderr. */
static bool no_rdma(const struct options *o, const char *name, const struct rscope_error *e)
{
	struct facts facts;

	facts_read(o->root, &facts);
	if (o->source || *o->dev || facts.rdma)
		return false;
	hints_print(name, STEP_DEVICE, e, &facts);
	return true;
}

static int make_plan(struct options *o, struct plan *p)
{
	if (trial_workload(&o->workload))
		return EXIT_FAIL;
	p->root = o->root;
	return runopts_plan(o, p);
}

/**
 * checkup_run() - judge the ports that were asked for
 * @o: options
 * @name: of the command, for messages
 * @c: result; checkup_free() it in any case
 *
 * A fixture tree has nothing to run on.
 *
 * Return: true when there are verdicts to show; else the status tells.
 */
bool checkup_run(struct options *o, const char *name, struct checkup *c)
{
	bool run = !o->no_run && !*o->root;
	struct rscope_error e = { 0 };
	struct plan p = { 0 };
	int err;

	*c = (struct checkup){
		.survey = { .root = o->root, .forced = o->source, .dev = o->dev, .port = o->port },
		.verdicts = json_array(),
	};
	c->status = make_plan(o, &p);
	if (c->status)
		return false;
	signals_install();
	err = survey_ports(&c->survey, &e);
	if (err && !no_rdma(o, name, &e)) {
		c->status = fail_print(o, name, map_step(&c->survey.links, err), &e);
		return false;
	}
	c->status = judge_ports(o, c, run ? &p : NULL);
	return true;
}

/**
 * checkup_free() - free what was found
 * @c: of checkup_run()
 */
void checkup_free(struct checkup *c)
{
	json_decref(c->verdicts);
	survey_free(&c->survey);
}
