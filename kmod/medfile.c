// SPDX-License-Identifier: GPL-2.0
/*
 * How does a process get at a mediated session? Open, one write that arms it,
 * then one pwrite or pread an operation; close ends it.
 */
#include <linux/module.h>
#include "medfile.h"
#include "mediated.h"

static int rscope_mediated_open(struct inode *inode, struct file *file)
{
	file->private_data = rscope_mediated_alloc(inode->i_private);
	return file->private_data ? 0 : -ENOMEM;
}

/* The position does not move: every operation is at offset 0. */
static ssize_t rscope_medfile_write(struct file *file, const char __user *from, size_t count,
				    loff_t *pos)
{
	return rscope_mediated_write(file->private_data, from, count, *pos);
}

static ssize_t rscope_medfile_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	return rscope_mediated_read(file->private_data, to, count, *pos);
}

static int rscope_medfile_release(struct inode *inode, struct file *file)
{
	rscope_mediated_release(file->private_data);
	return 0;
}

const struct file_operations rscope_mediated_fops = {
	.owner = THIS_MODULE,
	.open = rscope_mediated_open,
	.read = rscope_medfile_read,
	.write = rscope_medfile_write,
	.llseek = noop_llseek,
	.release = rscope_medfile_release,
};
