/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Two readings of the map -> what is different. Pure.
 */
#ifndef CHANGES_H
#define CHANGES_H

#include <rdmascope/record.h>

#include "list.h"

/** enum change_kind - what happened to a link or GID; words in change_words */
enum change_kind {
	CHANGE_PRESENT, /* nothing: it is there at the start */
	CHANGE_APPEARED,
	CHANGE_GONE,
	CHANGE_RENAMED, /* another name for the same index */
	CHANGE_VALUE,
	CHANGE_NR
};

/** enum change_what - what it happened to; words in change_whats */
enum change_what { CHANGE_LINK, CHANGE_GID };

/** union change_record - a link or a GID, as enum change_what tells */
union change_record {
	struct rscope_link link;
	struct rscope_gid gid;
};

/**
 * struct change - one difference
 * @kind: what happened
 * @what: to a link or to a GID
 * @field: the value that differs, NULL when the whole record came or went
 * @before: the record in the first reading; not when it appeared
 * @after: the record in the second reading; when it is gone, that of the first
 */
struct change {
	enum change_kind kind;
	enum change_what what;
	const struct rscope_field *field;
	union change_record before;
	union change_record after;
};

extern const char *const change_words[CHANGE_NR];
extern const char *const change_whats[];

int changes_links(const struct list *before, const struct list *after, bool told_less,
		  struct list *changes);
int changes_gids(const struct list *before, const struct list *after, bool told_less,
		 struct list *changes);
const char *changes_dev(const struct change *c);
u64 changes_port(const struct change *c);
bool changes_renames_dev(const struct change *c);

#endif /* CHANGES_H */
