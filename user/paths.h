/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * All ways to run a plan behind one call.
 */
#ifndef PATHS_H
#define PATHS_H

#include "kpath.h"
#include "plan.h"
#include "report.h"

/**
 * struct paths_job - one run on one path
 * @plan: what to run
 * @path: enum rscope_path
 * @count: count system calls (not on the kernel path)
 * @text: out: report text; free() it
 */
struct paths_job {
	const struct plan *plan;
	enum rscope_path path;
	bool count;
	struct ktext text;
};

int paths_ready(const struct plan *p, enum rscope_path path, enum step *step,
		struct rscope_error *e);
bool paths_locked(const struct plan *p, struct rscope_error *e);
int paths_run(struct paths_job *job, struct run *run, enum step *step, struct rscope_error *e);

#endif /* PATHS_H */
