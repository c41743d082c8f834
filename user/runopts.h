/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What run and compare share: options into a plan, verdict into an exit status.
 */
#ifndef RUNOPTS_H
#define RUNOPTS_H

#include "opts.h"
#include "plan.h"
#include "report.h"

int runopts_plan(const struct options *o, struct plan *p);
void runopts_clock(void);
void runopts_idle(const struct options *o, struct plan *p);
void runopts_say(const struct options *o, const struct plan *p);
int runopts_status(const struct rscope_report *r);

#endif /* RUNOPTS_H */
