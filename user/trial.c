// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "trial.h"

#include <limits.h>
#include <stdlib.h>

#include "derive.h"
#include "exits.h"
#include "holders.h"
#include "judges.h"
#include "paths.h"
#include "signals.h"

/* Far less than a second on anything that works, enough to meet every slot. */
#define WORKLOAD "op=write size=4096 iters=200 warmup=20 verify=1\n"

/**
 * trial_workload() - what a trial runs
 * @w: result
 *
 * Return: 0 or a negative errno.
 */
int trial_workload(struct rscope_workload *w)
{
	struct rscope_error e = { 0 };

	return rscope_workload_parse(WORKLOAD, strlen(WORKLOAD), w, &e);
}

static void tell(struct trial *t, enum trial_outcome outcome, const char *reason, const char *cause,
		 const char *next)
{
	t->outcome = outcome;
	snprintf(t->reason, sizeof(t->reason), "%s%s%s", reason, *cause ? ": " : "", cause);
	snprintf(t->next, sizeof(t->next), "%s", next);
}

/* An error has an exit status in the table of hints, and that an outcome. */
static enum trial_outcome outcome_of(int status)
{
	static const enum trial_outcome of[] = {
		[EXIT_FAIL] = TRIAL_FAIL,
		[EXIT_USAGE] = TRIAL_FAIL,
		[EXIT_NODEV] = TRIAL_FAIL,
		[EXIT_UNSUPPORTED] = TRIAL_IMPOSSIBLE,
		[EXIT_PERMIT] = TRIAL_REFUSED,
		[EXIT_BUSY] = TRIAL_BUSY,
	};

	return of[status];
}

static void tell_error(const struct port_facts *f, struct trial *t, enum step at,
		       const struct rscope_error *e)
{
	const struct hint *h = hints_find(at, e->err, &f->host.facts);

	tell(t, outcome_of(h->status), e->msg, h->cause, h->next);
	t->verify_ops = RSCOPE_NONE;
	t->p50_ns = RSCOPE_NONE;
	t->mismatches = RSCOPE_NONE;
}

static void tell_holder(const struct plan *p, const struct port_facts *f, struct trial *t)
{
	char dir[RSCOPE_WORD_MAX + 24], path[PATH_MAX], who[RSCOPE_MSG_MAX];

	if (kpath_dir(p->root, f->link.ifname, f->link.ifindex, dir, sizeof(dir)))
		return;
	snprintf(path, sizeof(path), "/sys/kernel/debug/" RSCOPE_DIR "/%s/%llu", dir, f->link.port);
	if (holders_name(path, who, sizeof(who)))
		snprintf(t->reason, sizeof(t->reason), "the port, and the module, are held by %s",
			 who);
}

static void tell_verdict(const struct run *run, struct trial *t)
{
	const struct rscope_report *r = &run->r;
	const struct hint *h = hints_wc(r->wc_status);

	if (!strcmp(r->verdict, "pass"))
		tell(t, TRIAL_PASS, "", "", "");
	else if (!strcmp(r->verdict, "unsupported"))
		tell(t, TRIAL_IMPOSSIBLE, r->reason, "", "rdmascope device");
	else if (h)
		tell(t, TRIAL_FAIL, r->wc_status, h->cause, h->next);
	else
		tell(t, TRIAL_FAIL, *r->wc_status ? r->wc_status : r->verdict, r->reason,
		     "rdmascope run --verify 1");
}

static void take_figures(const struct run *run, struct trial *t)
{
	struct derived d;

	derive(run, &d);
	t->p50_ns = d.p50_ns;
	t->verify_ops = run->r.verify_ops;
	t->mismatches = run->r.mismatches;
}

/* Netlink and sysfs do not tell: what the device has just said of itself. */
static void take_mtu(const struct run *run, struct port_facts *f)
{
	if (f->link.active_mtu_bytes != RSCOPE_NONE || run->active_mtu_bytes == RSCOPE_NONE)
		return;
	f->link.active_mtu_bytes = run->active_mtu_bytes;
	f->link.max_mtu_bytes = run->max_mtu_bytes;
	f->fits_mtu_bytes = judge_fitting_mtu(f->link.netdev_mtu_bytes, run->max_mtu_bytes);
}

static int run_path(const struct plan *p, enum rscope_path path, struct run *run, enum step *step,
		    struct rscope_error *e)
{
	struct paths_job job = { .plan = p, .path = path };
	int err = paths_ready(p, path, step, e);

	if (!err)
		err = paths_run(&job, run, step, e);
	free(job.text.text);
	return err;
}

static void try_path(const struct plan *p, struct port_facts *f, enum trial_path path)
{
	static const enum rscope_path paths[] = {
		[TRIAL_KERNEL] = RSCOPE_PATH_KERNEL,
		[TRIAL_USER] = RSCOPE_PATH_USER,
	};
	struct trial *t = &f->trial[path];
	struct rscope_error e = { .err = -ENOMEM, .msg = "out of memory" };
	struct run *run = calloc(1, sizeof(*run));
	enum step step = STEP_PASS;

	if (!run || run_path(p, paths[path], run, &step, &e)) {
		tell_error(f, t, step, &e);
	} else {
		tell_verdict(run, t);
		take_figures(run, t);
		take_mtu(run, f);
	}
	if (t->outcome == TRIAL_BUSY)
		tell_holder(p, f, t);
	free(run);
}

/**
 * trial_port() - a loopback on every path that is open
 * @p: root, workload and faults
 * @f: the port; its trials are filled
 */
void trial_port(const struct plan *p, struct port_facts *f)
{
	struct plan plan = *p;
	struct rscope_error e = { 0 };
	enum step step;
	int i, err = plan_make(&plan, f->link.ifname, (unsigned int)f->link.port, &step, &e);

	for (i = 0; i < TRIAL_PATHS && !signals_caught(); i++) {
		if (!judge_open(f, (enum trial_path)i))
			continue;
		if (err)
			tell_error(f, &f->trial[i], step, &e);
		else
			try_path(&plan, f, (enum trial_path)i);
	}
}
