/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A short loopback on each path, every byte checked, and what it means.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "plan.h"
#include "portfacts.h"

int trial_workload(struct rscope_workload *w);
void trial_port(const struct plan *p, struct port_facts *f);

#endif /* TRIAL_H */
