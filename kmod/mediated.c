// SPDX-License-Identifier: GPL-2.0
/*
 * What would it cost if the kernel stood in the data path of an application?
 * The first write to the file mediated arms a session; after it each pwrite
 * (write, send, nop) or pread (read, atomics, nop) of exactly one message is one
 * operation: a system call, a copy, a post, the wait for its completion.
 *
 * Life and locks: a session belongs to the open file and is parked between
 * system calls, so it can be ended by close, cancel or removal at any time.
 *
 * m->lock (mutex)
 *	Held over every operation and over the end. Whoever finds m->run set
 *	ends the session and clears it. .remove takes it after debugfs has
 *	waited for handlers, and so waits for a close that is under way.
 * job->session (under job->lock)
 *	Names the session to cancel and .remove. Cleared together with the busy
 *	bit by rscope_job_end(), the last access of an end to the port: after
 *	that only the session itself is touched, which lives until its last
 *	reference is gone.
 */
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "mediated.h"
#include "runner.h"
#include "support.h"

/**
 * struct rscope_mediated - one open file
 * @kref: the file, and whoever ends it from outside
 * @lock: see above
 * @port: where; valid while @run is set, and in handlers
 * @run: the armed session, NULL before and after
 * @solo: its engine, NULL for op=nop
 * @ended: errno of operations after the end
 */
struct rscope_mediated {
	struct kref kref;
	struct mutex lock; /* see above */
	struct rscope_port *port;
	struct rscope_run *run;
	struct rscope_solo *solo;
	int ended;
};

/**
 * rscope_mediated_alloc() - session of a file just opened
 * @port: port of the file
 *
 * Context: process.
 * Return: session with one reference, or NULL.
 */
struct rscope_mediated *rscope_mediated_alloc(struct rscope_port *port)
{
	struct rscope_mediated *m = kzalloc(sizeof(*m), GFP_KERNEL);

	if (!m)
		return NULL;
	kref_init(&m->kref);
	mutex_init(&m->lock);
	m->port = port;
	m->ended = -ENODATA;
	return m;
}

static void rscope_mediated_free(struct kref *kref)
{
	struct rscope_mediated *m = container_of(kref, struct rscope_mediated, kref);

	mutex_destroy(&m->lock);
	kfree(m);
}

static void rscope_session_set(struct rscope_job *job, struct rscope_mediated *m)
{
	spin_lock(&job->lock);
	job->session = m;
	spin_unlock(&job->lock);
}

static struct rscope_mediated *rscope_session_get(struct rscope_job *job)
{
	struct rscope_mediated *m;

	spin_lock(&job->lock);
	m = job->session;
	if (m)
		kref_get(&m->kref);
	spin_unlock(&job->lock);
	return m;
}

/* Report, teardown, port: in this order, and the port not touched afterwards. */
static void rscope_mediated_finish(struct rscope_mediated *m, int err)
{
	struct rscope_run *run = m->run;
	struct rscope_result *result;

	lockdep_assert_held(&m->lock);
	if (!run)
		return;
	m->run = NULL;
	if (!*run->r.verdict)
		err = rscope_run_judge(run, err);
	m->ended = err ? err : -ESHUTDOWN;
	rscope_solo_close(m->solo);
	m->solo = NULL;
	if (run->ep.ib)
		rscope_run_close(run);
	else
		run->r.ops = run->f->ops;
	rscope_run_end(run, err, &result);
	if (result)
		rscope_result_put(result);
	rscope_run_free(run);
}

static bool rscope_mediated_supported(struct rscope_run *run)
{
	const struct rscope_workload *w = &run->w;

	if (w->depth != 1 || w->batch != 1 || w->qps != 1 || w->threads != 1 ||
	    w->pattern != RSCOPE_PATTERN_ONEWAY) {
		rscope_fail(&run->e, -EOPNOTSUPP,
			    "mediated: one operation per system call, so depth, batch, qps and threads are 1, pattern=oneway");
		return false;
	}
	if (w->verify) {
		rscope_fail(&run->e, -EOPNOTSUPP,
			    "mediated: verify=1 is for the process, which has the bytes");
		return false;
	}
	if (w->cpu >= 0 && (w->cpu >= nr_cpu_ids ||
			    !cpumask_equal(current->cpus_ptr, cpumask_of(w->cpu)))) {
		rscope_fail(&run->e, -EOPNOTSUPP,
			    "mediated: the process has to pin itself to cpu=%lld first", w->cpu);
		return false;
	}
	return w->op == RSCOPE_OP_NOP ||
	       rscope_workload_supported(run->port->dev->ib, run->port->num, w, &run->l, &run->e);
}

static int rscope_mediated_setup(struct rscope_mediated *m)
{
	struct rscope_run *run = m->run;
	int err;

	if (!rscope_mediated_supported(run)) {
		rscope_run_unsupported(run);
		return -EOPNOTSUPP;
	}
	if (run->w.op == RSCOPE_OP_NOP)
		return rscope_stopped(run->ep.stop, rscope_now_ns());
	err = rscope_run_address(run);
	if (!err)
		err = rscope_endpoint_open(&run->ep, &run->e);
	if (err)
		return err;
	m->solo = rscope_solo_open(&run->ep, rscope_pattern_seed(run->r.run_id), run->f);
	return m->solo ? 0 : rscope_fail(&run->e, -ENOMEM, "no memory for the engine");
}

static int rscope_mediated_begin(struct rscope_mediated *m, const char *line, size_t len)
{
	struct rscope_run *run = rscope_run_alloc(m->port);
	int err = run ? rscope_run_parse(run, line, len) : -ENOMEM;

	if (!err)
		err = rscope_run_begin(run, RSCOPE_PATH_MEDIATED);
	if (err) {
		if (run)
			rscope_job_refused(m->port->job, run->e.msg);
		if (run)
			rscope_run_free(run);
		return err;
	}
	m->run = run;
	rscope_session_set(m->port->job, m);
	return 0;
}

/* The write that arms succeeds for a verdict, as a write to run does. */
static int rscope_mediated_arm(struct rscope_mediated *m, const char *line, size_t len)
{
	int err = rscope_mediated_begin(m, line, len);

	if (err)
		return err;
	err = rscope_mediated_setup(m);
	if (!err)
		return 0;
	if (!*m->run->r.verdict)
		rscope_job_refused(m->port->job, m->run->e.msg);
	rscope_mediated_finish(m, err);
	m->ended = err;
	return err == -EOPNOTSUPP ? 0 : err;
}

static ssize_t rscope_mediated_arm_user(struct rscope_mediated *m, const char __user *from,
					size_t len)
{
	char *line;
	int err;

	if (len > RSCOPE_LINE_MAX)
		return -EINVAL;
	line = memdup_user(from, len);
	if (IS_ERR(line))
		return PTR_ERR(line);
	err = rscope_mediated_arm(m, line, len);
	kfree(line);
	return err ? err : len;
}

static bool rscope_is_inbound(const struct rscope_mediated *m)
{
	return rscope_op_is_inbound(m->run->w.op);
}

static u64 rscope_source_at(const struct rscope_mediated *m)
{
	return rscope_slot_offset(&m->run->l, 0);
}

/* Whole messages at offset 0, in the direction of the operation. */
static int rscope_mediated_fits(const struct rscope_mediated *m, size_t len, loff_t pos, bool read)
{
	if (len != m->run->l.size || pos)
		return -EINVAL;
	return m->run->w.op != RSCOPE_OP_NOP && read != rscope_is_inbound(m) ? -EINVAL : 0;
}

/* Cancelled, signalled or too late: the session ends before the operation. */
static int rscope_mediated_stopped(struct rscope_mediated *m)
{
	int err = rscope_stopped(&m->port->job->stop, rscope_now_ns());

	if (err)
		rscope_mediated_finish(m, err);
	return err;
}

static int rscope_mediated_nop(struct rscope_mediated *m)
{
	struct rscope_figures *f = m->run->f;

	WRITE_ONCE(f->progress, ++f->ops);
	return 0;
}

/* An error of the operation ends the session; a bad call does not. */
static ssize_t rscope_mediated_run(struct rscope_mediated *m, size_t len)
{
	int err = m->solo ? rscope_solo_op(m->solo) : rscope_mediated_nop(m);

	if (!err)
		return len;
	rscope_mediated_finish(m, err);
	return m->ended == -ESHUTDOWN ? -EIO : m->ended;
}

static ssize_t rscope_mediated_out(struct rscope_mediated *m, const char __user *from, size_t len,
				   loff_t pos)
{
	int err = rscope_mediated_stopped(m);

	if (!err)
		err = rscope_mediated_fits(m, len, pos, false);
	if (!err && m->solo)
		err = rscope_region_from_user(&m->run->ep.pair[0].src, rscope_source_at(m), from,
					      len);
	return err ? err : rscope_mediated_run(m, len);
}

static ssize_t rscope_mediated_in(struct rscope_mediated *m, char __user *to, size_t len,
				  loff_t pos)
{
	ssize_t ret = rscope_mediated_stopped(m);

	if (!ret)
		ret = rscope_mediated_fits(m, len, pos, true);
	if (ret)
		return ret;
	ret = rscope_mediated_run(m, len);
	if (ret > 0 && m->solo && rscope_region_to_user(&m->run->ep.pair[0].dst,
							rscope_source_at(m), to, len))
		return -EFAULT;
	return ret;
}

/**
 * rscope_mediated_write() - arm the session, or run one operation
 * @m: session
 * @from: command line, or the message
 * @len: its length
 * @pos: file position of the call
 *
 * Context: may sleep.
 * Return: @len; -EINVAL for a call that is not one message, -EBUSY and so on as
 * for the file run when arming, what ended the session afterwards.
 */
ssize_t rscope_mediated_write(struct rscope_mediated *m, const char __user *from, size_t len,
			      loff_t pos)
{
	ssize_t ret;

	if (mutex_lock_interruptible(&m->lock))
		return -EINTR;
	if (m->run)
		ret = rscope_mediated_out(m, from, len, pos);
	else if (m->ended == -ENODATA)
		ret = rscope_mediated_arm_user(m, from, len);
	else
		ret = m->ended;
	mutex_unlock(&m->lock);
	return ret;
}

/**
 * rscope_mediated_read() - run one operation that brings bytes
 * @m: session
 * @to: where the message goes
 * @len: its length
 * @pos: file position of the call
 *
 * Context: may sleep.
 * Return: @len, -ENODATA before the session is armed, else as for writing.
 */
ssize_t rscope_mediated_read(struct rscope_mediated *m, char __user *to, size_t len, loff_t pos)
{
	ssize_t ret;

	if (mutex_lock_interruptible(&m->lock))
		return -EINTR;
	ret = m->run ? rscope_mediated_in(m, to, len, pos) : m->ended;
	mutex_unlock(&m->lock);
	return ret;
}

/**
 * rscope_mediated_release() - the file is closed: verdict, report, port back
 * @m: session
 *
 * Context: may sleep. The port may be gone unless the session is live.
 */
void rscope_mediated_release(struct rscope_mediated *m)
{
	mutex_lock(&m->lock);
	if (m->run && rscope_now_ns() > m->run->ep.stop->deadline_ns)
		rscope_mediated_finish(m, -ETIMEDOUT);
	rscope_mediated_finish(m, 0);
	mutex_unlock(&m->lock);
	kref_put(&m->kref, rscope_mediated_free);
}

/**
 * rscope_mediated_cancel() - end the session of a port for another process
 * @port: port; its job has been told to stop
 *
 * Context: may sleep, until an operation under way has noticed; a fault on the
 * memory of its process may take that process's time, so a kill ends the wait.
 * Return: 0 or -EINTR.
 */
int rscope_mediated_cancel(struct rscope_port *port)
{
	struct rscope_mediated *m = rscope_session_get(port->job);
	int err;

	if (!m)
		return 0;
	err = mutex_lock_killable(&m->lock);
	if (!err) {
		rscope_mediated_finish(m, -ECANCELED);
		mutex_unlock(&m->lock);
	}
	kref_put(&m->kref, rscope_mediated_free);
	return err;
}

/**
 * rscope_mediated_remove() - end the session of a port whose device goes
 * @port: port; debugfs has waited for its handlers
 *
 * Context: may sleep, until a close under way is done.
 */
void rscope_mediated_remove(struct rscope_port *port)
{
	struct rscope_mediated *m = rscope_session_get(port->job);

	if (!m)
		return;
	mutex_lock(&m->lock);
	rscope_mediated_finish(m, -ENODEV);
	mutex_unlock(&m->lock);
	kref_put(&m->kref, rscope_mediated_free);
}
