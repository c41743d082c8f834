/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. A growing text, the content of one open file. */
#ifndef RSCOPE_TEXT_H
#define RSCOPE_TEXT_H

#include <linux/types.h>
#include "record.h"

/* Longer than any record: the widest table has 30 values of at most 4 * 64. */
#define RSCOPE_RECORD_MAX 8192

/**
 * struct rscope_buf - text under construction
 * @buf: kvmalloc'd
 * @size: of @buf
 * @len: bytes written
 * @err: sticky -ENOMEM
 */
struct rscope_buf {
	char *buf;
	size_t size;
	size_t len;
	int err;
};

typedef void (*rscope_print_fn)(struct rscope_text *t, void *arg);

void rscope_buf_print(struct rscope_buf *b, rscope_print_fn print, void *arg);
void rscope_buf_record(struct rscope_buf *b, const char *tag, const struct rscope_field *f,
		       size_t n, void *rec);
void rscope_buf_lines(struct rscope_buf *b, const struct rscope_field *f, size_t n, void *rec);
void rscope_buf_head(struct rscope_buf *b, const char *kind);
void rscope_buf_end(struct rscope_buf *b);
void rscope_buf_free(struct rscope_buf *b);

#endif /* RSCOPE_TEXT_H */
