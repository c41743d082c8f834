// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "cost.h"

#include <poll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <rdmascope/record.h>

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

/**
 * cost_clock_is_slow() - is a read of this clock a system call and a slow device?
 * @clocksource: its name
 *
 * Return: true for those of x86 that user space cannot read by itself.
 */
bool cost_clock_is_slow(const char *clocksource)
{
	static const char *const slow[] = {
		"hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(slow); i++)
		if (!strcmp(clocksource, slow[i]))
			return true;
	return false;
}

/**
 * cost_idle_ns_per_s() - what do the processors do while we do nothing?
 * @ms: how long to look
 *
 * Return: busy time of all CPUs, ns a second; RSCOPE_NONE when it cannot be
 * told: no time, no /proc/stat, or a signal came.
 */
u64 cost_idle_ns_per_s(unsigned int ms)
{
	u64 busy = system_ns(), start = clock_ns(CLOCK_MONOTONIC_RAW), took;

	if (!ms || !busy || poll(NULL, 0, (int)ms) < 0)
		return RSCOPE_NONE;
	busy = system_ns() - busy;
	took = clock_ns(CLOCK_MONOTONIC_RAW) - start;
	return took ? (u64)((double)busy * 1e9 / (double)took + 0.5) : RSCOPE_NONE;
}
