/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The only place that writes to stdout. Every value becomes JSON first; text
 * is printed from that same JSON, so that the two cannot disagree.
 */
#ifndef OUT_H
#define OUT_H

#include <jansson.h>

#include <rdmascope/record.h>

#include "list.h"

/**
 * struct column - one column of a table
 * @key: member of the objects
 * @title: head of the column
 * @right: numbers: align right
 */
struct column {
	const char *key;
	const char *title;
	bool right;
};

json_t *out_string(const char *text);
void out_text(json_t *object, const char *key, const char *text);
void out_num(json_t *object, const char *key, u64 value);
void out_real(json_t *object, const char *key, double value);
void out_field(json_t *object, const struct rscope_field *f, size_t n, const void *base,
	       const char *key);
json_t *out_record(const struct rscope_field *f, size_t n, const void *base);

void out_json(json_t *value);
void out_json_line(json_t *value);
void out_table(json_t *array, const struct column *columns, size_t n);
void out_records(const struct list *records, const struct rscope_field *f, size_t nr_fields,
		 const struct column *columns, size_t n);
const char *out_shown_field(const struct rscope_field *f, const void *base, char *buf, size_t size);
void out_lines(json_t *object, const char *indent);
const char *out_shown(json_t *value, char *buf, size_t size);
void out_line(const char *fmt, ...) __printf(1, 2);
void out_raw(const char *text, size_t len);
int out_flush(void);

void out_clock_warning(json_t *object, const char *clocksource, u64 clock_ns);

#endif /* OUT_H */
