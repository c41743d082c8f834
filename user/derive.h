/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Percentiles, means, rates: computed once, by one code for every path.
 */
#ifndef DERIVE_H
#define DERIVE_H

#include "report.h"

/*
 * N(key, help) - an integer, RSCOPE_NONE when not known
 * R(key, help) - a ratio, NAN when not known
 */
#define DERIVED_KEYS(N, R) \
	N(p50_ns, "median latency") \
	N(p90_ns, "90th percentile") \
	N(p99_ns, "99th percentile") \
	N(p999_ns, "99.9th percentile") \
	N(p9999_ns, "99.99th percentile") \
	N(mean_ns, "mean latency") \
	N(stddev_ns, "sample standard deviation") \
	N(ops_per_s, "operations per second") \
	N(bytes_per_s, "payload bytes per second") \
	N(post_ns_per_call, "time inside one post call (cost pass)") \
	N(poll_ns_per_call, "time inside one successful poll (cost pass)") \
	N(cpu_ns_per_op, "CPU time of the measuring thread") \
	N(system_cpu_ns_per_op, "busy time of the whole machine") \
	N(above_idle_cpu_ns_per_op, "the same, less that of the idle machine") \
	R(syscalls_per_op, "system calls of the measuring thread") \
	R(syscalls_per_post_call, "system calls per post call") \
	R(ctxsw_per_op, "context switches of the measuring thread") \
	R(faults_per_op, "page faults of the measuring thread")

#define DERIVED_MEMBER_N(key, help) u64 key;
#define DERIVED_MEMBER_R(key, help) double key;

/** struct derived - figures of one run; members as in DERIVED_KEYS */
struct derived { DERIVED_KEYS(DERIVED_MEMBER_N, DERIVED_MEMBER_R) };

u64 derive_percentile(const struct rscope_hist *h, u64 num, u64 den);
u64 derive_stddev(const struct rscope_report *r);
const char *derive_cpu_unknown(const struct run *run);
void derive(const struct run *run, struct derived *d);

#endif /* DERIVE_H */
