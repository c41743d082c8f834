// SPDX-License-Identifier: GPL-2.0
/*
 * What did all processors together do? Soft devices work in softirqs and workers,
 * which no thread is charged for.
 */
#include <linux/cpumask.h>
#include <linux/kernel_stat.h>
#include "cputime.h"

/* All but idle and iowait; guest time is part of user time. */
static const enum cpu_usage_stat rscope_busy[] = {
	CPUTIME_USER, CPUTIME_NICE, CPUTIME_SYSTEM, CPUTIME_SOFTIRQ, CPUTIME_IRQ, CPUTIME_STEAL,
};

/**
 * rscope_system_cpu_ns() - busy time of all CPUs since boot
 *
 * The same counters as in /proc/stat, in the kernel's own ticks.
 *
 * Context: any.
 * Return: ns.
 */
u64 rscope_system_cpu_ns(void)
{
	u64 sum = 0;
	u32 i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < ARRAY_SIZE(rscope_busy); i++)
			sum += READ_ONCE(kcpustat_cpu(cpu).cpustat[rscope_busy[i]]);
	return sum;
}
