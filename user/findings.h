/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Facts of a port -> what is wrong with it, by one table.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "list.h"
#include "portfacts.h"

/** enum check_verdict - what is said of a port; words in check_words */
enum check_verdict { CHECK_PASS, CHECK_FAIL, CHECK_WARN, CHECK_SKIP, CHECK_NR };

/**
 * struct finding - one row of the table that applies to a port
 * @name: word of the row
 * @verdict: of the row
 * @permit: something is not permitted
 * @reason: what is wrong
 * @next: command to type
 */
struct finding {
	const char *name;
	enum check_verdict verdict;
	bool permit;
	char reason[2 * RSCOPE_MSG_MAX];
	char next[2 * RSCOPE_MSG_MAX];
};

extern const char *const check_words[CHECK_NR];
extern const char *const trial_words[TRIAL_NR];

int findings_judge(const struct port_facts *f, struct list *findings);
enum check_verdict findings_verdict(const struct list *findings);

#endif /* FINDINGS_H */
