/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. What the processors have done so far. */
#ifndef RSCOPE_CPUTIME_H
#define RSCOPE_CPUTIME_H

#include <linux/types.h>

u64 rscope_system_cpu_ns(void);

#endif /* RSCOPE_CPUTIME_H */
