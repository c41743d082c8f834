/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How is the text of the module read? One parser for every file, over the
 * field tables of <rdmascope/record.h>.
 */
#ifndef PARSE_H
#define PARSE_H

#include <rdmascope/record.h>

/**
 * struct parse_spec - one kind of file
 * @kind: word behind `rdmascope` in the first line
 * @fields: of the `key: value` lines, NULL when there are none
 * @nr_fields: length of @fields
 * @tag: word in front of the record lines, NULL when there are none
 * @rec_fields: of the records
 * @nr_rec_fields: length of @rec_fields
 * @rec_size: bytes of a record, at most PARSE_RECORD_MAX
 * @record: called for each record; a negative errno ends the parse
 */
struct parse_spec {
	const char *kind;
	const struct rscope_field *fields;
	size_t nr_fields;
	const char *tag;
	const struct rscope_field *rec_fields;
	size_t nr_rec_fields;
	size_t rec_size;
	int (*record)(void *ctx, const void *rec, struct rscope_error *e);
};

#define PARSE_RECORD_MAX 4096

int parse_text(const struct parse_spec *spec, const char *text, size_t len, void *base, void *ctx,
	       struct rscope_error *e);
int parse_u64(const char *word, size_t len, u64 *value);

#endif /* PARSE_H */
