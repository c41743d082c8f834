// SPDX-License-Identifier: GPL-2.0
/*
 * What happens around every run, whoever posts? The port is taken, the workload
 * held against the device, the address found; in the end there is a verdict and
 * a report, and the port is given back.
 */
#include <linux/slab.h>
#include "runner.h"
#include "support.h"

/* How long a failed completion waits to learn that the device is leaving. */
#define RSCOPE_LEAVING_MS 1000

/**
 * rscope_run_alloc() - a run that has not begun
 * @port: where
 *
 * Context: process.
 * Return: run or NULL.
 */
struct rscope_run *rscope_run_alloc(struct rscope_port *port)
{
	struct rscope_run *run = kvzalloc(sizeof(*run), GFP_KERNEL);

	if (!run)
		return NULL;
	run->port = port;
	rscope_report_init(&run->r);
	return run;
}

/**
 * rscope_run_free() - give the memory back
 * @run: run that has ended or never begun
 *
 * Context: process.
 */
void rscope_run_free(struct rscope_run *run)
{
	kvfree(run->f);
	kvfree(run);
}

/**
 * rscope_run_parse() - read the command line
 * @run: new run
 * @line: the line as written
 * @len: its length
 *
 * Context: process.
 * Return: 0, -EINVAL, -ERANGE or -ENOMEM, with the reason in @run.
 */
int rscope_run_parse(struct rscope_run *run, const char *line, size_t len)
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
 * rscope_run_begin() - take the port and start the report
 * @run: parsed run
 * @path: kernel or mediated
 *
 * Context: process.
 * Return: 0, -EBUSY or -ENODEV; rscope_run_end() it only after 0.
 */
int rscope_run_begin(struct rscope_run *run, enum rscope_path path)
{
	struct rscope_port *port = run->port;
	int err = rscope_job_begin(port, run->f, run->w.threads, &run->e);

	if (err)
		return err;
	run->ep.stop = &port->job->stop;
	port->job->stop.deadline_ns = rscope_now_ns() +
				      rscope_workload_timeout_ms(&run->w) * NSEC_PER_MSEC;
	rscope_report_begin(&run->r, port->dev->ib, port->num, port->job->run_id, &run->w);
	rscope_report_text(&run->r, path, rscope_words_PATHS[path]);
	return 0;
}

/**
 * rscope_run_unsupported() - verdict: the device, or this path, cannot do it
 * @run: begun run, with the reason
 *
 * Context: any.
 */
void rscope_run_unsupported(struct rscope_run *run)
{
	rscope_report_text(&run->r, stage, rscope_words_STAGES[RSCOPE_STAGE_CHECK]);
	rscope_report_verdict(&run->r, RSCOPE_VERDICT_UNSUPPORTED, run->e.msg);
}

/**
 * rscope_run_address() - prepare the endpoint, up to the address
 * @run: begun run whose workload the device supports
 *
 * Context: may sleep.
 * Return: 0 or why there is no address.
 */
int rscope_run_address(struct rscope_run *run)
{
	struct ib_device *ib = run->port->dev->ib;
	struct rscope_endpoint *ep = &run->ep;

	ep->ib = ib;
	ep->w = &run->w;
	ep->l = &run->l;
	ep->plan.w = &run->w;
	ep->plan.rd_atomic = min3((u32)ib->attrs.max_qp_init_rd_atom,
				  (u32)ib->attrs.max_qp_rd_atom, 16U);
	ep->stage = RSCOPE_STAGE_ADDRESS;
	return rscope_addr_resolve(&ep->plan.addr, ib, run->port->num, &run->w, &run->e);
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
 * Context: may sleep.
 * Return: errno of the write: 0 when there is a verdict of its own.
 */
int rscope_run_judge(struct rscope_run *run, int err)
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

/**
 * rscope_run_close() - tear down, and put into the report what was found
 * @run: judged run
 *
 * Context: may sleep.
 */
void rscope_run_close(struct rscope_run *run)
{
	rscope_report_endpoint(&run->r, &run->ep);
	rscope_endpoint_close(&run->ep);
	rscope_report_figures(&run->r, &run->ep, run->f);
}

static struct rscope_result *rscope_run_result(struct rscope_run *run)
{
	struct rscope_result *res = rscope_result_alloc();

	if (!res)
		return NULL;
	if (!rscope_report_text_out(&res->text, &run->r, run->f->ops ? &run->f->hist : NULL))
		return res;
	rscope_result_put(res);
	return NULL;
}

/**
 * rscope_run_end() - publish the report, if there is a verdict, and free the port
 * @run: begun run; nothing of it is used by the port afterwards
 * @err: how it ended
 * @result: the report with a reference for the caller, or NULL
 *
 * Context: may sleep.
 * Return: @err, or -ENOMEM when there was none but for the report.
 */
int rscope_run_end(struct rscope_run *run, int err, struct rscope_result **result)
{
	*result = *run->r.verdict ? rscope_run_result(run) : NULL;
	if (*run->r.verdict && !*result && !err)
		err = rscope_fail(&run->e, -ENOMEM, "no memory for the report");
	rscope_job_end(run->port, *result);
	return err;
}
