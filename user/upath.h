/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The user path: one whole run, from opening the device to closing it.
 */
#ifndef UPATH_H
#define UPATH_H

#include "plan.h"
#include "report.h"

int upath_run(const struct plan *p, bool count, struct run *run, enum step *step,
	      struct rscope_error *e);

#endif /* UPATH_H */
