/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One run as the tool keeps it, whichever path it took.
 */
#ifndef REPORT_H
#define REPORT_H

#include <rdmascope/report.h>

/**
 * struct run - a report and what only the tool can know
 * @r: the report; read-only once the run is over
 * @hist: latencies of the timed pass
 * @bypass: full, partial, none or unknown; empty on the kernel path
 * @syscalls: system calls of the counting pass, RSCOPE_NONE when not counted
 * @syscall_posts: post calls of the counting pass
 * @syscall_ops: its operations
 * @faults: page faults of the measuring threads in the timed pass, or RSCOPE_NONE
 * @crossing_ns: median of a call of the mediated file that does nothing, or RSCOPE_NONE
 * @syscall_ns: median of getppid(), measured alike, or RSCOPE_NONE
 * @active_mtu_bytes: of the port, as the device says; RSCOPE_NONE when not asked
 * @max_mtu_bytes: likewise
 * @idle_cpu_ns_per_s: busy time of the idle machine, measured before, or RSCOPE_NONE
 */
struct run {
	struct rscope_report r;
	struct rscope_hist hist;
	char bypass[8];
	u64 syscalls;
	u64 syscall_posts;
	u64 syscall_ops;
	u64 faults;
	u64 crossing_ns;
	u64 syscall_ns;
	u64 active_mtu_bytes;
	u64 max_mtu_bytes;
	u64 idle_cpu_ns_per_s;
};

void run_init(struct run *run);
int report_parse(const char *text, size_t len, struct run *run, struct rscope_error *e);
void report_merge(struct run *to, const struct run *from);

#endif /* REPORT_H */
