// SPDX-License-Identifier: GPL-2.0
/*
 * What happens between a command line and a report? Parse, take the port,
 * check, set up, measure, tear down, report: always in this order, in the
 * writer's own thread.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include "run.h"
#include "runner.h"
#include "support.h"

static int rscope_run_pin(struct rscope_run *run, const struct cpumask *own, bool *pinned)
{
	int cpu = run->w.cpu;

	*pinned = false;
	if (cpu < 0)
		return 0;
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return rscope_fail(&run->e, -ERANGE, "cpu=%d is not online", cpu);
	if (cpumask_equal(own, cpumask_of(cpu)))
		return 0;
	if (set_cpus_allowed_ptr(current, cpumask_of(cpu)))
		return rscope_fail(&run->e, -EINVAL, "cpu=%d: this thread may not run there", cpu);
	*pinned = true;
	return 0;
}

static int rscope_run_measure(struct rscope_run *run, const struct cpumask *own)
{
	int err = rscope_endpoint_open(&run->ep, &run->e);

	if (!err)
		err = rscope_engine_run(&run->ep, rscope_pattern_seed(run->r.run_id), run->f, own);
	if (err && !*run->e.msg && !rscope_endpoint_error(&run->ep))
		rscope_fail(&run->e, err,
			    "%s pass: %d from a post with %llu of depth %lld outstanding, 1 SGE",
			    rscope_words_STAGES[run->ep.stage], err,
			    run->f->posted - run->f->completed, run->w.depth);
	err = rscope_run_judge(run, err);
	rscope_run_close(run);
	return err;
}

/* The lanes may use every CPU the writer may, whatever this one is pinned to. */
static int rscope_run_pinned(struct rscope_run *run)
{
	cpumask_var_t own;
	bool pinned;
	int err;

	if (!alloc_cpumask_var(&own, GFP_KERNEL))
		return rscope_fail(&run->e, -ENOMEM, "no memory for a CPU mask");
	cpumask_copy(own, current->cpus_ptr);
	err = rscope_run_pin(run, own, &pinned);
	if (!err)
		err = rscope_run_measure(run, own);
	/* Unless somebody moved this thread meanwhile. */
	if (pinned && cpumask_equal(current->cpus_ptr, cpumask_of(run->w.cpu)))
		set_cpus_allowed_ptr(current, own);
	free_cpumask_var(own);
	return err;
}

/* A workload the device cannot do is a verdict; nothing was started. */
static int rscope_run_body(struct rscope_run *run)
{
	struct rscope_port *port = run->port;
	int err;

	if (!rscope_workload_supported(port->dev->ib, port->num, &run->w, &run->l, &run->e)) {
		rscope_run_unsupported(run);
		return 0;
	}
	err = rscope_run_address(run);
	return err ? err : rscope_run_pinned(run);
}

/**
 * rscope_run_line() - execute one command line
 * @port: where; kept by debugfs, which waits for this handler
 * @line: the line as written
 * @len: its length
 * @result: the report when there is one, with a reference for the caller
 *
 * Context: may sleep; the whole run happens here.
 * Return: 0 when there is a verdict (pass, fail, unsupported); -EINTR,
 * -ECANCELED, -ENODEV or -ETIMEDOUT with the verdict aborted; else why it could
 * not run, with the reason in the state file and no report.
 */
int rscope_run_line(struct rscope_port *port, const char *line, size_t len,
		    struct rscope_result **result)
{
	struct rscope_run *run = rscope_run_alloc(port);
	int err;

	*result = NULL;
	if (!run) {
		rscope_job_refused(port->job, "no memory for a run");
		return -ENOMEM;
	}
	err = rscope_run_parse(run, line, len);
	if (!err)
		err = rscope_run_begin(run, RSCOPE_PATH_KERNEL);
	if (!err)
		err = rscope_run_end(run, rscope_run_body(run), result);
	if (err && !*result)
		rscope_job_refused(port->job, run->e.msg);
	rscope_run_free(run);
	return err;
}
