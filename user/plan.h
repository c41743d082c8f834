/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A workload resolved once, for every path: port, CPU, GID, MTU.
 */
#ifndef PLAN_H
#define PLAN_H

#include <rdmascope/workload.h>

#include "hints.h"

/**
 * struct plan - where and what to run; read-only after plan_make()
 * @root: prefix of debugfs and sysfs
 * @link: the port
 * @source: where the port was read
 * @gid: the GID; its index is RSCOPE_NONE when the port needs none
 * @w: the resolved workload
 * @corrupt: offset of --fault corrupt=, RSCOPE_NONE without
 * @wrong_effect: of --fault effect=, 0 without
 * @extra_calls: of --fault syscalls=, 0 without
 * @delay_ns: of --fault delay=, 0 without
 * @idle_cpu_ns_per_s: what the idle machine does, RSCOPE_NONE when not measured
 * @lost_wakeup: of --fault wakeup=, 0 without
 */
struct plan {
	const char *root;
	struct rscope_link link;
	const char *source;
	struct rscope_gid gid;
	struct rscope_workload w;
	u64 corrupt;
	u64 wrong_effect;
	u64 extra_calls;
	u64 delay_ns;
	u64 idle_cpu_ns_per_s;
	u64 lost_wakeup;
};

int plan_make(struct plan *p, const char *dev, unsigned int port, enum step *step,
	      struct rscope_error *e);
void plan_line(const struct plan *p, char *line, size_t size);
bool plan_supported(const struct plan *p, struct rscope_error *e);
bool plan_mediated(const struct plan *p, struct rscope_error *e);

#endif /* PLAN_H */
