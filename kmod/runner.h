/* SPDX-License-Identifier: GPL-2.0 */
/* Level 4. What a run and a mediated session have in common. */
#ifndef RSCOPE_RUNNER_H
#define RSCOPE_RUNNER_H

#include "devs.h"
#include "report.h"

/**
 * struct rscope_run - everything one run owns
 * @port: where
 * @w: what
 * @l: layout of its buffers
 * @ep: verbs objects
 * @f: figures, one struct a lane
 * @r: report
 * @e: reason when something is refused or fails
 */
struct rscope_run {
	struct rscope_port *port;
	struct rscope_workload w;
	struct rscope_layout l;
	struct rscope_endpoint ep;
	struct rscope_figures *f;
	struct rscope_report r;
	struct rscope_error e;
};

struct rscope_run *rscope_run_alloc(struct rscope_port *port);
void rscope_run_free(struct rscope_run *run);
int rscope_run_parse(struct rscope_run *run, const char *line, size_t len);
int rscope_run_begin(struct rscope_run *run, enum rscope_path path);
int rscope_run_address(struct rscope_run *run);
int rscope_run_judge(struct rscope_run *run, int err);
void rscope_run_close(struct rscope_run *run);
int rscope_run_end(struct rscope_run *run, int err, struct rscope_result **result);
void rscope_run_unsupported(struct rscope_run *run);

#endif /* RSCOPE_RUNNER_H */
