/* SPDX-License-Identifier: GPL-2.0 */
/* Level 4. One thing at a time per port: busy, cancel, result. */
#ifndef RSCOPE_JOB_H
#define RSCOPE_JOB_H

#include <linux/kref.h>
#include <linux/spinlock.h>
#include "devs.h"
#include "engine.h"
#include "record.h"
#include "stop.h"
#include "text.h"

/**
 * struct rscope_result - text of a finished run; never changes
 * @kref: one for the job that shows it, one per file that reads it
 * @text: the report
 */
struct rscope_result {
	struct kref kref;
	struct rscope_buf text;
};

struct rscope_mediated;

/**
 * struct rscope_job - what a port is doing
 * @busy: bit 0: something runs
 * @stop: ends it early
 * @lock: guards the rest; spinning, never held across anything that sleeps
 * @run_id: of the running or last run, 0 = none yet
 * @start_ns: when the running run began, raw monotonic
 * @lanes: figures of its lanes, which count operations; NULL when idle
 * @nr_lanes: how many
 * @session: mediated session that has the port, or NULL; see mediated.c
 * @last: result of the last finished run, or NULL
 * @last_error: why the last write was refused
 */
struct rscope_job {
	unsigned long busy;
	struct rscope_stop stop;
	spinlock_t lock; /* see above */
	u64 run_id;
	u64 start_ns;
	const struct rscope_figures *lanes;
	u32 nr_lanes;
	struct rscope_mediated *session;
	struct rscope_result *last;
	char last_error[RSCOPE_MSG_MAX];
};

struct rscope_job *rscope_job_alloc(void);
void rscope_job_free(struct rscope_job *job);
int rscope_job_begin(struct rscope_port *port, const struct rscope_figures *lanes, u32 nr,
		     struct rscope_error *e);
void rscope_job_end(struct rscope_port *port, struct rscope_result *result);
void rscope_job_stop(struct rscope_job *job, int why);
void rscope_job_refused(struct rscope_job *job, const char *msg);
struct rscope_result *rscope_job_last(struct rscope_job *job);
void rscope_job_state(struct rscope_job *job, struct rscope_state *s);
struct rscope_result *rscope_result_alloc(void);
void rscope_result_get(struct rscope_result *r);
void rscope_result_put(struct rscope_result *r);

#endif /* RSCOPE_JOB_H */
