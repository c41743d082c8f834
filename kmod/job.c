// SPDX-License-Identifier: GPL-2.0
/*
 * May this port start something, how is it stopped, and what did the last one
 * leave? One job at a time per port.
 */
#include <linux/atomic.h>
#include <linux/slab.h>
#include "job.h"

#define RSCOPE_JOB_BUSY 0

static atomic64_t rscope_run_ids;

/**
 * rscope_job_alloc() - job of a new port
 *
 * Context: process.
 * Return: idle job or NULL.
 */
struct rscope_job *rscope_job_alloc(void)
{
	struct rscope_job *job = kzalloc(sizeof(*job), GFP_KERNEL);

	if (!job)
		return NULL;
	spin_lock_init(&job->lock);
	rscope_stop_init(&job->stop);
	return job;
}

/**
 * rscope_job_free() - end of a port
 * @job: idle job or NULL
 *
 * Context: process; no file can reach the job any more.
 */
void rscope_job_free(struct rscope_job *job)
{
	if (!job)
		return;
	WARN_ON(test_bit(RSCOPE_JOB_BUSY, &job->busy));
	if (job->last)
		rscope_result_put(job->last);
	kfree(job);
}

/**
 * rscope_job_begin() - take the port
 * @port: port
 * @lanes: figures that count operations; valid until rscope_job_end()
 * @nr: how many
 * @e: reason
 *
 * The stop flag is cleared after the busy bit is taken and before gone is
 * tested: a removal either is seen here or sets the flag after it was cleared.
 *
 * Context: process.
 * Return: 0, -EBUSY when something runs, -ENODEV when the device is leaving.
 */
int rscope_job_begin(struct rscope_port *port, const struct rscope_figures *lanes, u32 nr,
		     struct rscope_error *e)
{
	struct rscope_job *job = port->job;

	if (test_and_set_bit_lock(RSCOPE_JOB_BUSY, &job->busy))
		return rscope_fail(e, -EBUSY, "run %llu is under way: wait, or write to cancel",
				   READ_ONCE(job->run_id));
	WRITE_ONCE(job->stop.why, 0);
	/* Pairs with the barrier in rscope_dev_mark_gone(). */
	smp_mb();
	if (READ_ONCE(port->dev->gone)) {
		clear_bit_unlock(RSCOPE_JOB_BUSY, &job->busy);
		return rscope_fail(e, -ENODEV, "the device is being removed");
	}
	spin_lock(&job->lock);
	job->run_id = atomic64_inc_return(&rscope_run_ids);
	job->start_ns = rscope_now_ns();
	job->lanes = lanes;
	job->nr_lanes = nr;
	spin_unlock(&job->lock);
	return 0;
}

/**
 * rscope_job_end() - give the port back
 * @port: port taken by this thread
 * @result: what readers of the result file see from now on; NULL keeps the old
 *
 * One critical section, and the caller's last access to the port: who finds
 * under the lock that nothing is left may free it.
 *
 * Context: process.
 */
void rscope_job_end(struct rscope_port *port, struct rscope_result *result)
{
	struct rscope_job *job = port->job;
	struct rscope_result *old = NULL;

	if (result)
		rscope_result_get(result);
	spin_lock(&job->lock);
	job->lanes = NULL;
	job->session = NULL;
	if (result) {
		old = job->last;
		job->last = result;
	}
	clear_bit_unlock(RSCOPE_JOB_BUSY, &job->busy);
	spin_unlock(&job->lock);
	if (old)
		rscope_result_put(old);
}

/**
 * rscope_job_stop() - end what runs, without waiting
 * @job: job
 * @why: -ECANCELED or -ENODEV; the first one stays
 *
 * Harmless when idle: the next job clears the flag.
 *
 * Context: any.
 */
void rscope_job_stop(struct rscope_job *job, int why)
{
	rscope_stop_set(&job->stop, why);
}

/**
 * rscope_job_refused() - keep the reason of a refused write for the state file
 * @job: job
 * @msg: reason
 *
 * Context: process.
 */
void rscope_job_refused(struct rscope_job *job, const char *msg)
{
	spin_lock(&job->lock);
	strscpy(job->last_error, msg, sizeof(job->last_error));
	spin_unlock(&job->lock);
}

/**
 * rscope_job_last() - result of the last finished run
 * @job: job
 *
 * Context: process.
 * Return: referenced result, or NULL when nothing has finished yet.
 */
struct rscope_result *rscope_job_last(struct rscope_job *job)
{
	struct rscope_result *r;

	spin_lock(&job->lock);
	r = job->last;
	if (r)
		rscope_result_get(r);
	spin_unlock(&job->lock);
	return r;
}

/**
 * rscope_job_state() - what the port is doing right now
 * @job: job
 * @s: record to fill
 *
 * Context: process.
 */
void rscope_job_state(struct rscope_job *job, struct rscope_state *s)
{
	u32 i;

	rscope_record_clear(rscope_state_fields, ARRAY_SIZE(rscope_state_fields), s);
	spin_lock(&job->lock);
	strscpy(s->state, job->lanes ? "running" : "idle", sizeof(s->state));
	s->run_id = job->run_id;
	s->ops = 0;
	for (i = 0; job->lanes && i < job->nr_lanes; i++)
		s->ops += READ_ONCE(job->lanes[i].progress);
	s->elapsed_ns = job->lanes ? rscope_now_ns() - job->start_ns : 0;
	strscpy(s->last_error, job->last_error, sizeof(s->last_error));
	spin_unlock(&job->lock);
}

/**
 * rscope_result_alloc() - an empty result
 *
 * Context: process.
 * Return: result with one reference, or NULL.
 */
struct rscope_result *rscope_result_alloc(void)
{
	struct rscope_result *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (r)
		kref_init(&r->kref);
	return r;
}

/**
 * rscope_result_get() - take a reference
 * @r: result
 *
 * Context: any.
 */
void rscope_result_get(struct rscope_result *r)
{
	kref_get(&r->kref);
}

static void rscope_result_free(struct kref *kref)
{
	struct rscope_result *r = container_of(kref, struct rscope_result, kref);

	rscope_buf_free(&r->text);
	kfree(r);
}

/**
 * rscope_result_put() - drop a reference
 * @r: result
 *
 * Context: process.
 */
void rscope_result_put(struct rscope_result *r)
{
	kref_put(&r->kref, rscope_result_free);
}
