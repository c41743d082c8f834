/* SPDX-License-Identifier: GPL-2.0 */
/* Level 4. Figures -> report. */
#ifndef RSCOPE_KREPORT_H
#define RSCOPE_KREPORT_H

#include "../include/rdmascope/report.h"
#include "engine.h"
#include "job.h"

void rscope_report_begin(struct rscope_report *r, struct ib_device *ib, u32 port, u64 run_id,
			 struct rscope_workload *w);
void rscope_report_endpoint(struct rscope_report *r, const struct rscope_endpoint *ep);
void rscope_report_figures(struct rscope_report *r, const struct rscope_endpoint *ep,
			   const struct rscope_figures *f);
void rscope_report_states(struct rscope_report *r, struct rscope_endpoint *ep,
			  const struct rscope_figures *f);
void rscope_report_verdict(struct rscope_report *r, enum rscope_verdict v, const char *reason);
int rscope_report_text_out(struct rscope_buf *b, struct rscope_report *r,
			   const struct rscope_hist *h);

#endif /* RSCOPE_KREPORT_H */
