// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "cost.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "facts.h"

#define CLOCK_READS 64

/* user nice system idle iowait irq softirq steal: all but idle and iowait. */
static u64 system_ns(void)
{
	unsigned long long t[8] = { 0 };
	char line[256];

	if (facts_line("/proc/stat", line, sizeof(line)) <= 0 ||
	    sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3],
		   &t[4], &t[5], &t[6], &t[7]) < 7)
		return 0;
	return (t[0] + t[1] + t[2] + t[5] + t[6] + t[7]) *
	       (1000000000ULL / (u64)sysconf(_SC_CLK_TCK));
}

static u64 clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (u64)t.tv_sec * 1000000000ULL + (u64)t.tv_nsec;
}

/**
 * cost_read() - the counters of now
 * @c: result
 */
void cost_read(struct cost *c)
{
	struct rusage u;

	c->system_ns = system_ns();
	getrusage(RUSAGE_THREAD, &u);
	c->ctxsw = (u64)u.ru_nvcsw + (u64)u.ru_nivcsw;
	c->faults = (u64)u.ru_minflt + (u64)u.ru_majflt;
	c->thread_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/**
 * cost_clock_ns() - cost of one read of the measuring clock
 *
 * Return: ns.
 */
u64 cost_clock_ns(void)
{
	u64 start = clock_ns(CLOCK_MONOTONIC_RAW), end = start;
	int i;

	for (i = 0; i < CLOCK_READS; i++)
		end = clock_ns(CLOCK_MONOTONIC_RAW);
	return (end - start) / CLOCK_READS;
}
