// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "cpus.h"

#include "sysread.h"

/* "0-3,8,10-11" */
static void parse_list(const char *p, cpu_set_t *set)
{
	unsigned int from, to, cpu;
	int used;

	CPU_ZERO(set);
	while (sscanf(p, "%u%n", &from, &used) == 1) {
		p += used;
		to = from;
		if (sscanf(p, "-%u%n", &to, &used) == 1)
			p += used;
		for (cpu = from; cpu <= to && cpu < CPU_SETSIZE; cpu++)
			CPU_SET(cpu, set);
		p += *p == ',';
	}
}

static int lowest(const cpu_set_t *set)
{
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set))
			return cpu;
	return -1;
}

/**
 * cpus_default() - where a run is pinned unless told otherwise
 * @root: prefix
 * @node: NUMA node of the device, -1 when it has none
 *
 * Return: the lowest CPU of this process's mask on the node, else the lowest of
 * its mask, -1 when that cannot be read.
 */
int cpus_default(const char *root, int node)
{
	cpu_set_t own, near, both;
	char list[1024];

	if (sched_getaffinity(0, sizeof(own), &own))
		return -1;
	if (node < 0 || sysread_line(list, sizeof(list), root,
				     "/sys/devices/system/node/node%d/cpulist", node) <= 0)
		return lowest(&own);
	parse_list(list, &near);
	CPU_AND(&both, &own, &near);
	return lowest(CPU_COUNT(&both) ? &both : &own);
}

/**
 * cpus_pin() - run this thread on one CPU
 * @cpu: which, -1 to leave it
 * @own: where it may run now, for cpus_restore()
 *
 * Return: 0 or a negative errno.
 */
int cpus_pin(int cpu, cpu_set_t *own)
{
	cpu_set_t one;

	if (sched_getaffinity(0, sizeof(*own), own))
		return -errno;
	if (cpu < 0)
		return 0;
	CPU_ZERO(&one);
	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) ? -errno : 0;
}

/**
 * cpus_restore() - undo cpus_pin()
 * @own: what it gave
 */
void cpus_restore(const cpu_set_t *own)
{
	sched_setaffinity(0, sizeof(*own), own);
}
