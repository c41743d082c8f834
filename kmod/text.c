// SPDX-License-Identifier: GPL-2.0
/*
 * How does a text of unknown length grow? One record at a time, each shorter
 * than RSCOPE_RECORD_MAX, into memory that doubles.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "text.h"

static bool rscope_buf_reserve(struct rscope_buf *b)
{
	size_t size = b->size ? b->size * 2 : 2 * RSCOPE_RECORD_MAX;
	char *grown;

	if (b->err)
		return false;
	if (b->size - b->len >= RSCOPE_RECORD_MAX)
		return true;
	grown = kvmalloc(size, GFP_KERNEL);
	if (!grown) {
		b->err = -ENOMEM;
		return false;
	}
	if (b->len)
		memcpy(grown, b->buf, b->len);
	kvfree(b->buf);
	b->buf = grown;
	b->size = size;
	return true;
}

/**
 * rscope_buf_print() - append what a function prints
 * @b: destination
 * @print: writes less than RSCOPE_RECORD_MAX bytes
 * @arg: for @print
 *
 * Context: may sleep.
 */
void rscope_buf_print(struct rscope_buf *b, rscope_print_fn print, void *arg)
{
	struct rscope_text t;

	if (!rscope_buf_reserve(b))
		return;
	t = (struct rscope_text){ .buf = b->buf + b->len, .size = b->size - b->len };
	print(&t, arg);
	if (WARN_ON_ONCE(t.len >= t.size)) {
		b->err = -EOVERFLOW;
		return;
	}
	b->len += t.len;
}

struct rscope_record_args {
	const char *tag;
	const struct rscope_field *f;
	size_t n;
	void *rec;
};

static void rscope_print_record_args(struct rscope_text *t, void *arg)
{
	struct rscope_record_args *a = arg;

	if (a->tag)
		rscope_print_record(t, a->tag, a->f, a->n, a->rec);
	else
		rscope_print_lines(t, a->f, a->n, a->rec, true);
}

/**
 * rscope_buf_record() - append one `tag: k=v ...` line
 * @b: destination
 * @tag: kind of the record
 * @f: field table
 * @n: its length
 * @rec: the struct
 *
 * Context: may sleep.
 */
void rscope_buf_record(struct rscope_buf *b, const char *tag, const struct rscope_field *f,
		       size_t n, void *rec)
{
	struct rscope_record_args a = { .tag = tag, .f = f, .n = n, .rec = rec };

	rscope_buf_print(b, rscope_print_record_args, &a);
}

/**
 * rscope_buf_lines() - append `key: value` lines, absent values as "-"
 * @b: destination
 * @f: field table
 * @n: its length
 * @rec: the struct
 *
 * Context: may sleep.
 */
void rscope_buf_lines(struct rscope_buf *b, const struct rscope_field *f, size_t n, void *rec)
{
	rscope_buf_record(b, NULL, f, n, rec);
}

static void rscope_print_head_arg(struct rscope_text *t, void *kind)
{
	rscope_print_head(t, kind);
}

/**
 * rscope_buf_head() - append the first line of a file
 * @b: destination
 * @kind: of the file
 *
 * Context: may sleep.
 */
void rscope_buf_head(struct rscope_buf *b, const char *kind)
{
	rscope_buf_print(b, rscope_print_head_arg, (void *)kind);
}

static void rscope_print_end_arg(struct rscope_text *t, void *arg)
{
	rscope_print_end(t);
}

/**
 * rscope_buf_end() - append the last line of a file
 * @b: destination
 *
 * Context: may sleep.
 */
void rscope_buf_end(struct rscope_buf *b)
{
	rscope_buf_print(b, rscope_print_end_arg, NULL);
}

/**
 * rscope_buf_free() - give the memory back
 * @b: text, may be empty
 *
 * Context: may sleep.
 */
void rscope_buf_free(struct rscope_buf *b)
{
	kvfree(b->buf);
	memset(b, 0, sizeof(*b));
}
