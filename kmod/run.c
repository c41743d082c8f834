// SPDX-License-Identifier: GPL-2.0
/*
 * What happens between a command line and a report? Parse, take the port,
 * check, set up, measure, tear down, report: always in this order, in the
 * writer's own thread.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "report.h"
#include "run.h"
#include "support.h"

/* How long a failed completion waits to learn that the device is leaving. */
#define RSCOPE_LEAVING_MS 1000

/**
 * struct rscope_run - everything one run owns
 * @port: where
 * @w: what
 * @l: layout of its buffers
 * @ep: verbs objects
 * @f: figures, one struct a lane
 * @r: report
 * @e: reason when something is refused or fails
 * @own_cpus: CPUs of the thread before it was pinned; lanes may use them all
 * @pinned: @own_cpus is to be restored
 */
struct rscope_run {
	struct rscope_port *port;
	struct rscope_workload w;
	struct rscope_layout l;
	struct rscope_endpoint ep;
	struct rscope_figures *f;
	struct rscope_report r;
	struct rscope_error e;
	cpumask_var_t own_cpus;
	bool pinned;
};

static int rscope_run_pin(struct rscope_run *run)
{
	int cpu = run->w.cpu;

	cpumask_copy(run->own_cpus, current->cpus_ptr);
	if (cpu < 0)
		return 0;
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return rscope_fail(&run->e, -ERANGE, "cpu=%d is not online", cpu);
	if (cpumask_equal(current->cpus_ptr, cpumask_of(cpu)))
		return 0;
	if (set_cpus_allowed_ptr(current, cpumask_of(cpu)))
		return rscope_fail(&run->e, -EINVAL, "cpu=%d: this thread may not run there", cpu);
	run->pinned = true;
	return 0;
}

static void rscope_run_unpin(struct rscope_run *run)
{
	if (run->pinned)
		set_cpus_allowed_ptr(current, run->own_cpus);
	run->pinned = false;
}

/* What the four reasons to stop are called in a report. */
static const char *rscope_abort_reason(int why)
{
	switch (why) {
	case -EINTR:
		return "signal";
	case -ECANCELED:
		return "cancel";
	case -ENODEV:
		return "removed";
	default:
		return "deadline";
	}
}

/*
 * When a netdev goes, packets are lost before the driver removes its device.
 * Wait a moment, so that the run says "removed" and not "retry exceeded".
 */
static void rscope_run_leaving(struct rscope_run *run)
{
	struct rscope_stop *s = run->ep.stop;

	wait_event_interruptible_timeout(s->wait, READ_ONCE(s->why),
					 msecs_to_jiffies(RSCOPE_LEAVING_MS));
}

static const char *rscope_fail_reason(const struct rscope_run *run)
{
	if (!rscope_endpoint_error(&run->ep))
		return "wrong bytes";
	return *run->e.msg ? run->e.msg : "an operation completed with an error";
}

/* No error, yet not as it must be; or an error that is a finding. */
static bool rscope_run_failed(const struct rscope_run *run, int err)
{
	return err ? !!rscope_endpoint_error(&run->ep) : !!run->f->bad.count;
}

/**
 * rscope_run_judge() - verdict of a run that got as far as setting up
 * @run: run, endpoint not yet closed
 * @err: how it ended
 *
 * Return: errno of the write: 0 when there is a verdict of its own.
 */
static int rscope_run_judge(struct rscope_run *run, int err)
{
	struct rscope_report *r = &run->r;
	int why;

	if (rscope_run_failed(run, err) && err)
		rscope_run_leaving(run);
	if (err)
		rscope_report_states(r, &run->ep, run->f);
	why = err ? rscope_stopped(run->ep.stop, rscope_now_ns()) : 0;
	if (why) {
		rscope_report_verdict(r, RSCOPE_VERDICT_ABORTED, rscope_abort_reason(why));
		return why;
	}
	if (rscope_run_failed(run, err)) {
		if (!err)
			rscope_report_text(r, stage, rscope_words_STAGES[RSCOPE_STAGE_VERIFY]);
		rscope_report_verdict(r, RSCOPE_VERDICT_FAIL, rscope_fail_reason(run));
		return 0;
	}
	if (err == -EOPNOTSUPP) {
		rscope_report_verdict(r, RSCOPE_VERDICT_UNSUPPORTED, run->e.msg);
		return 0;
	}
	if (!err)
		rscope_report_verdict(r, RSCOPE_VERDICT_PASS, NULL);
	return err;
}

static int rscope_run_measure(struct rscope_run *run)
{
	int err = rscope_endpoint_open(&run->ep, &run->e);

	if (!err)
		err = rscope_engine_run(&run->ep, rscope_pattern_seed(run->r.run_id), run->f,
					run->own_cpus);
	if (err && !*run->e.msg && !rscope_endpoint_error(&run->ep))
		rscope_fail(&run->e, err,
			    "%s pass: %d from a post with %llu of depth %lld outstanding, 1 SGE",
			    rscope_words_STAGES[run->ep.stage], err,
			    run->f->posted - run->f->completed, run->w.depth);
	err = rscope_run_judge(run, err);
	rscope_report_endpoint(&run->r, &run->ep);
	rscope_endpoint_close(&run->ep);
	rscope_report_figures(&run->r, &run->ep, run->f);
	return err;
}

/* Setup that needs the port: pinning, address, then everything else. */
static int rscope_run_body(struct rscope_run *run)
{
	struct ib_device *ib = run->port->dev->ib;
	struct rscope_endpoint *ep = &run->ep;
	int err;

	ep->ib = ib;
	ep->w = &run->w;
	ep->l = &run->l;
	ep->plan.w = &run->w;
	ep->plan.rd_atomic = min3((u32)ib->attrs.max_qp_init_rd_atom,
				  (u32)ib->attrs.max_qp_rd_atom, 16U);
	ep->stop = &run->port->job->stop;
	ep->stop->deadline_ns = rscope_now_ns() +
				rscope_workload_timeout_ms(&run->w) * NSEC_PER_MSEC;
	ep->stage = RSCOPE_STAGE_ADDRESS;
	err = rscope_addr_resolve(&ep->plan.addr, ib, run->port->num, &run->w, &run->e);
	if (!err)
		err = rscope_run_pin(run);
	if (err)
		return err;
	err = rscope_run_measure(run);
	rscope_run_unpin(run);
	return err;
}

static int rscope_run_publish(struct rscope_run *run, struct rscope_result **result)
{
	struct rscope_result *res = rscope_result_alloc();

	if (!res)
		return -ENOMEM;
	if (rscope_report_text_out(&res->text, &run->r, run->f->ops ? &run->f->hist : NULL)) {
		rscope_result_put(res);
		return -ENOMEM;
	}
	*result = res;
	return 0;
}

/* A workload the device cannot do is a verdict; nothing was started. */
static int rscope_run_checked(struct rscope_run *run)
{
	struct rscope_port *port = run->port;

	if (rscope_workload_supported(port->dev->ib, port->num, &run->w, &run->l, &run->e))
		return rscope_run_body(run);
	rscope_report_text(&run->r, stage, rscope_words_STAGES[RSCOPE_STAGE_CHECK]);
	rscope_report_verdict(&run->r, RSCOPE_VERDICT_UNSUPPORTED, run->e.msg);
	return 0;
}

static int rscope_run_job(struct rscope_run *run, struct rscope_result **result)
{
	struct rscope_port *port = run->port;
	int err = rscope_job_begin(port, run->f, run->w.threads, &run->e);

	if (err)
		return err;
	rscope_report_begin(&run->r, port->dev->ib, port->num, port->job->run_id, &run->w);
	err = rscope_run_checked(run);
	if (*run->r.verdict && rscope_run_publish(run, result) && !err)
		err = rscope_fail(&run->e, -ENOMEM, "no memory for the report");
	rscope_job_end(port, *result);
	return err;
}

static int rscope_run_parse(struct rscope_run *run, const char *line, size_t len)
{
	int err = rscope_workload_parse(line, len, &run->w, &run->e);

	if (!err)
		err = rscope_layout_init(&run->l, &run->w, &run->e);
	if (err)
		return err;
	run->f = kvcalloc(run->w.threads, sizeof(*run->f), GFP_KERNEL);
	return run->f ? 0 : rscope_fail(&run->e, -ENOMEM, "no memory for %lld histograms",
					run->w.threads);
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
	struct rscope_run *run = kvzalloc(sizeof(*run), GFP_KERNEL);
	int err;

	*result = NULL;
	if (!run)
		return -ENOMEM;
	run->port = port;
	rscope_report_init(&run->r);
	if (!zalloc_cpumask_var(&run->own_cpus, GFP_KERNEL)) {
		kvfree(run);
		return -ENOMEM;
	}
	err = rscope_run_parse(run, line, len);
	if (!err)
		err = rscope_run_job(run, result);
	if (err && !*result)
		rscope_job_refused(port->job, run->e.msg);
	free_cpumask_var(run->own_cpus);
	kvfree(run->f);
	kvfree(run);
	return err;
}
