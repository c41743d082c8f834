// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "paths.h"

#include <stdlib.h>

#include "facts.h"
#include "mediated.h"
#include "signals.h"
#include "sysread.h"
#include "upath.h"

#define DIR_MAX (RSCOPE_WORD_MAX + 24)

static int find_dir(const struct plan *p, char *dir, size_t size, struct rscope_error *e)
{
	if (!kpath_dir(p->root, p->link.ifname, p->link.ifindex, dir, size))
		return 0;
	return rscope_fail(e, -ENOENT, "the module does not know %s", p->link.ifname);
}

/* One-shot: the module takes it in the next run. */
static int arm_point(const struct plan *p, const char *point, u64 arg, struct rscope_error *e)
{
	char line[48];

	snprintf(line, sizeof(line), "%s=%llu\n", point, arg);
	return kpath_write(p->root, "fault", line, e);
}

static int arm_fault(const struct plan *p, struct rscope_error *e)
{
	if (p->corrupt != RSCOPE_NONE)
		return arm_point(p, "corrupt", p->corrupt, e);
	if (p->wrong_effect)
		return arm_point(p, "effect", p->wrong_effect, e);
	if (p->lost_wakeup)
		return arm_point(p, "wakeup", p->lost_wakeup, e);
	return p->delay_ns ? arm_point(p, "delay", p->delay_ns, e) : 0;
}

/* A report of our own in the module's form, for --raw. */
static int print_report(struct paths_job *job, struct run *run, struct rscope_error *e)
{
	const struct rscope_hist *h = run->hist.count ? &run->hist : NULL;
	struct rscope_text t = { 0 };

	rscope_report_print(&t, &run->r, h);
	job->text.len = t.len;
	job->text.text = malloc(t.len + 1);
	if (!job->text.text)
		return rscope_fail(e, -ENOMEM, "out of memory");
	t = (struct rscope_text){ .buf = job->text.text, .size = t.len + 1 };
	rscope_report_print(&t, &run->r, h);
	return 0;
}

/*
 * There is no report to read: the files of the module went with the device, or
 * a signal came before the run. Say the part of it that is known here.
 */
static void tell_aborted(const struct plan *p, const char *path_word, const char *why,
			 struct run *run)
{
	struct rscope_report *r = &run->r;
	struct rscope_text t = { .buf = r->workload, .size = sizeof(r->workload) };
	struct rscope_workload w = p->w;

	run_init(run);
	r->run_id = 0;
	r->port = p->link.port;
	rscope_report_text(r, path, path_word);
	rscope_report_text(r, dev, p->link.ifname);
	rscope_report_text(r, driver, p->link.driver);
	rscope_report_text(r, verdict, "aborted");
	rscope_report_text(r, reason, why);
	rscope_workload_print(&t, &w);
}

static int run_kernel(struct paths_job *job, struct run *run, enum step *step,
		      struct rscope_error *e)
{
	const struct plan *p = job->plan;
	char dir[DIR_MAX], line[RSCOPE_WORKLOAD_MAX + 2];
	struct krun k;
	int err;

	*step = STEP_MODULE;
	if (find_dir(p, dir, sizeof(dir), e) || arm_fault(p, e))
		return e->err;
	plan_line(p, line, sizeof(line));
	*step = STEP_START;
	err = kpath_run(p->root, dir, (unsigned int)p->link.port, line, &k, e);
	if (err == -ENODEV && k.err == ENODEV) {
		tell_aborted(p, "kernel", "removed", run);
		return print_report(job, run, e);
	}
	/* What the driver said, and not debugfs. */
	if (k.told && (k.err == EIO || k.err == EPERM))
		*step = STEP_SETUP;
	if (err)
		return err;
	job->text = k.report;
	*step = STEP_TEXT;
	return report_parse(k.report.text, k.report.len, run, e);
}

static int run_mediated(struct paths_job *job, struct run *run, enum step *step,
			struct rscope_error *e)
{
	const struct plan *p = job->plan;
	char dir[DIR_MAX];
	int err;

	*step = STEP_MODULE;
	if (find_dir(p, dir, sizeof(dir), e))
		return e->err;
	err = mediated_run(p, dir, job->count, run, step, e);
	if (err == -ENODEV)
		tell_aborted(p, "mediated", "removed", run);
	else if (err)
		return err;
	return print_report(job, run, e);
}

static int run_user(struct paths_job *job, struct run *run, enum step *step, struct rscope_error *e)
{
	int err = upath_run(job->plan, job->count, run, step, e);

	return err ? err : print_report(job, run, e);
}

/**
 * paths_ready() - can this path run at all?
 * @p: plan
 * @path: which
 * @step: what is missing
 * @e: why not
 *
 * Return: 0 or a negative errno.
 */
int paths_ready(const struct plan *p, enum rscope_path path, enum step *step,
		struct rscope_error *e)
{
	struct rscope_abi abi;
	int err;

	if (path == RSCOPE_PATH_USER)
		return 0;
	err = kpath_abi(p->root, &abi, e);
	*step = err == -EPROTONOSUPPORT || err == -EBADMSG ? STEP_TEXT : STEP_MODULE;
	if (!err && !abi.loopback)
		return rscope_fail(e, -ENOENT, "the module was loaded with loopback=0: map only");
	return err;
}

/**
 * paths_locked() - does kernel lockdown forbid the kernel path?
 * @p: plan
 * @e: the reason
 *
 * Return: true when it does.
 */
bool paths_locked(const struct plan *p, struct rscope_error *e)
{
	struct facts f;

	facts_read(p->root, &f);
	if (f.lockdown)
		rscope_fail(e, -EPERM, "kernel lockdown: a kernel-side run is not possible");
	return f.lockdown;
}

/**
 * paths_run() - one run
 * @job: what to run, and where
 * @run: result
 * @step: what failed
 * @e: why
 *
 * Return: 0 when the report has a verdict, else a negative errno.
 */
int paths_run(struct paths_job *job, struct run *run, enum step *step, struct rscope_error *e)
{
	static int (*const run_path[])(struct paths_job *job, struct run *run, enum step *step,
				       struct rscope_error *e) = {
		[RSCOPE_PATH_KERNEL] = run_kernel,
		[RSCOPE_PATH_USER] = run_user,
		[RSCOPE_PATH_MEDIATED] = run_mediated,
	};
	int err;

	job->text = (struct ktext){ 0 };
	err = run_path[job->path](job, run, step, e);
	if (!*run->r.clocksource)
		sysread_line(run->r.clocksource, sizeof(run->r.clocksource), "",
			     "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	run->idle_cpu_ns_per_s = job->plan->idle_cpu_ns_per_s;
	if (err != -EINTR || !signals_caught())
		return err;
	tell_aborted(job->plan, rscope_words_PATHS[job->path], "signal", run);
	return print_report(job, run, e);
}
