/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How a command ends that has no answer.
 */
#ifndef FAIL_H
#define FAIL_H

#include "hints.h"
#include "opts.h"

int fail_print(const struct options *o, const char *where, enum step step,
	       const struct rscope_error *e);

#endif /* FAIL_H */
