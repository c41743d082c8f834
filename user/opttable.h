/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which options are there that are no workload keys?
 */
#ifndef OPTTABLE_H
#define OPTTABLE_H

#include "opts.h"

/** enum opt_kind - what follows an option */
enum opt_kind { OPT_FLAG, OPT_TEXT, OPT_WORD, OPT_NUMBER };

/**
 * struct opt - one option that is no workload key
 * @name: without the dashes
 * @group: OPTS_*
 * @kind: flag, text, a word of @arg, or a number
 * @offset: of the member in struct options
 * @arg: what follows, for the usage; for a word: the words, by '|'
 * @min: of a number
 * @max: of a number
 * @help: one line
 */
struct opt {
	const char *name;
	unsigned int group;
	enum opt_kind kind;
	size_t offset;
	const char *arg;
	long long min;
	long long max;
	const char *help;
};

#define OPTTABLE_NR 24

extern const struct opt opts[OPTTABLE_NR];

#endif /* OPTTABLE_H */
