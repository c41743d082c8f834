// SPDX-License-Identifier: GPL-2.0
/*
 * How is a run started and its report read? The files run (write a line, read
 * its report on the same descriptor) and result (the last report of the port).
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "run.h"
#include "runfile.h"

/**
 * struct rscope_session - one open run or result file
 * @lock: one user of @result at a time; held over a whole run, and so only
 *	taken interruptibly. .remove cancels the run before it waits for us.
 * @result: report to read, or NULL
 *
 * Release touches nothing else: the port may be gone by then.
 */
struct rscope_session {
	struct mutex lock; /* see above */
	struct rscope_result *result;
};

static struct rscope_session *rscope_session_alloc(void)
{
	struct rscope_session *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (s)
		mutex_init(&s->lock);
	return s;
}

static void rscope_session_set(struct rscope_session *s, struct rscope_result *result)
{
	if (s->result)
		rscope_result_put(s->result);
	s->result = result;
}

static int rscope_session_release(struct inode *inode, struct file *file)
{
	struct rscope_session *s = file->private_data;

	rscope_session_set(s, NULL);
	mutex_destroy(&s->lock);
	kfree(s);
	return 0;
}

static ssize_t rscope_session_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct rscope_session *s = file->private_data;
	ssize_t ret = -ENODATA;

	if (mutex_lock_interruptible(&s->lock))
		return -EINTR;
	if (s->result)
		ret = simple_read_from_buffer(to, count, pos, s->result->text.buf,
					      s->result->text.len);
	mutex_unlock(&s->lock);
	return ret;
}

/* pwrite makes no sense for a command, and the VFS refuses it this way. */
static int rscope_run_open(struct inode *inode, struct file *file)
{
	file->private_data = rscope_session_alloc();
	file->f_mode &= ~FMODE_PWRITE;
	return file->private_data ? 0 : -ENOMEM;
}

static int rscope_run_write_line(struct rscope_port *port, struct rscope_session *s,
				 const char *line, size_t len)
{
	struct rscope_result *result;
	int err;

	if (mutex_lock_interruptible(&s->lock))
		return -EINTR;
	rscope_session_set(s, NULL);
	err = rscope_run_line(port, line, len, &result);
	rscope_session_set(s, result);
	mutex_unlock(&s->lock);
	return err;
}

static ssize_t rscope_run_write(struct file *file, const char __user *from, size_t count,
				loff_t *pos)
{
	struct rscope_port *port = file_inode(file)->i_private;
	struct rscope_error e = {};
	char *line;
	int err;

	if (count > RSCOPE_LINE_MAX) {
		rscope_fail(&e, -EINVAL, "line of %zu bytes, at most %d", count, RSCOPE_LINE_MAX);
		rscope_job_refused(port->job, e.msg);
		return e.err;
	}
	line = memdup_user(from, count);
	if (IS_ERR(line)) {
		rscope_job_refused(port->job, "the line cannot be copied");
		return PTR_ERR(line);
	}
	err = rscope_run_write_line(port, file->private_data, line, count);
	kfree(line);
	*pos = 0;
	return err ? err : count;
}

/* What has been the last result when the file was opened stays readable. */
static int rscope_result_open(struct inode *inode, struct file *file)
{
	struct rscope_port *port = inode->i_private;
	struct rscope_session *s = rscope_session_alloc();

	if (!s)
		return -ENOMEM;
	s->result = rscope_job_last(port->job);
	file->private_data = s;
	return 0;
}

const struct file_operations rscope_run_fops = {
	.owner = THIS_MODULE,
	.open = rscope_run_open,
	.read = rscope_session_read,
	.write = rscope_run_write,
	.llseek = default_llseek,
	.release = rscope_session_release,
};

const struct file_operations rscope_result_fops = {
	.owner = THIS_MODULE,
	.open = rscope_result_open,
	.read = rscope_session_read,
	.llseek = default_llseek,
	.release = rscope_session_release,
};
