/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. What a reader of a file gets: a text that never changes under it. */
#ifndef RSCOPE_SNAPSHOT_H
#define RSCOPE_SNAPSHOT_H

#include <linux/fs.h>
#include <linux/module.h>
#include "text.h"

typedef void (*rscope_show)(struct rscope_buf *b, void *priv);

int rscope_snapshot_open(struct file *file, const char *kind, rscope_show show, void *priv);
ssize_t rscope_snapshot_read(struct file *file, char __user *to, size_t count, loff_t *pos);
int rscope_snapshot_release(struct inode *inode, struct file *file);

/* File operations rscope_NAME_fops of a file whose text rscope_show_NAME() makes. */
#define RSCOPE_READER(name, kind) \
static int rscope_##name##_open(struct inode *inode, struct file *file) \
{ \
	return rscope_snapshot_open(file, kind, rscope_show_##name, inode->i_private); \
} \
static const struct file_operations rscope_##name##_fops = { \
	.owner = THIS_MODULE, \
	.open = rscope_##name##_open, \
	.read = rscope_snapshot_read, \
	.llseek = default_llseek, \
	.release = rscope_snapshot_release, \
}

#endif /* RSCOPE_SNAPSHOT_H */
