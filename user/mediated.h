/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One system call per operation: the module posts and waits.
 */
#ifndef MEDIATED_H
#define MEDIATED_H

#include "plan.h"
#include "report.h"

int mediated_run(const struct plan *p, const char *dir, bool count, struct run *run,
		 enum step *step, struct rscope_error *e);

#endif /* MEDIATED_H */
