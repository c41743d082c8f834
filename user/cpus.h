/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which CPU does a run use, and how does a thread get there?
 */
#ifndef CPUS_H
#define CPUS_H

#include <sched.h>

int cpus_default(const char *root, int node);
int cpus_pin(int cpu, cpu_set_t *own);
void cpus_restore(const cpu_set_t *own);

#endif /* CPUS_H */
