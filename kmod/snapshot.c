// SPDX-License-Identifier: GPL-2.0
/*
 * What does a reader see while the machine goes on? The text is made at open, so
 * it never changes under its reader and nothing is referenced between reads.
 */
#include <linux/slab.h>
#include "snapshot.h"

/**
 * rscope_snapshot_open() - make the text of a file
 * @file: being opened; owns the text until rscope_snapshot_release()
 * @kind: of the document, for its head and end; NULL for a bare text
 * @show: writes the text
 * @priv: handed to @show
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int rscope_snapshot_open(struct file *file, const char *kind, rscope_show show, void *priv)
{
	struct rscope_buf *b = kzalloc(sizeof(*b), GFP_KERNEL);
	int err;

	if (!b)
		return -ENOMEM;
	if (kind)
		rscope_buf_head(b, kind);
	show(b, priv);
	if (kind)
		rscope_buf_end(b);
	err = b->err;
	if (err) {
		rscope_buf_free(b);
		kfree(b);
		return err;
	}
	file->private_data = b;
	return 0;
}

/**
 * rscope_snapshot_read() - read handler of every snapshot
 * @file: opened by rscope_snapshot_open()
 * @to: of user space
 * @count: bytes wanted
 * @pos: where
 *
 * Context: process; takes no lock, so parallel readers of one descriptor are fine.
 * Return: bytes copied, 0 at the end, -EFAULT.
 */
ssize_t rscope_snapshot_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct rscope_buf *b = file->private_data;

	return simple_read_from_buffer(to, count, pos, b->buf, b->len);
}

/**
 * rscope_snapshot_release() - free the text
 * @inode: unused; the device behind it may be gone
 * @file: opened by rscope_snapshot_open()
 *
 * Context: process.
 * Return: 0.
 */
int rscope_snapshot_release(struct inode *inode, struct file *file)
{
	struct rscope_buf *b = file->private_data;

	rscope_buf_free(b);
	kfree(b);
	return 0;
}
