/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Is a comparison worse than an earlier one?
 */
#ifndef BASELINE_H
#define BASELINE_H

#include <jansson.h>

#include <rdmascope/workload.h>

int baseline_fits(json_t *old, const struct rscope_workload *w, struct rscope_error *e);
int baseline_has_size(json_t *old, u64 size, struct rscope_error *e);
bool baseline_is_worse(double before, double now, double tolerance);
json_t *baseline_worse(json_t *old, json_t *now, double tolerance);

#endif /* BASELINE_H */
