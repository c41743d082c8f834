/* SPDX-License-Identifier: GPL-2.0 */
/* Level 3. Running the passes of a workload over kernel verbs. */
#ifndef RSCOPE_ENGINE_H
#define RSCOPE_ENGINE_H

#include "endpoint.h"
#include "figures.h"

int rscope_engine_run(struct rscope_endpoint *ep, u64 seed, struct rscope_figures *f,
		      const struct cpumask *allowed);

struct rscope_solo;

struct rscope_solo *rscope_solo_open(struct rscope_endpoint *ep, u64 seed,
				     struct rscope_figures *f);
int rscope_solo_op(struct rscope_solo *s);
void rscope_solo_close(struct rscope_solo *s);

#endif /* RSCOPE_ENGINE_H */
