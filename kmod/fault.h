/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. One-shot failure points, for tests. */
#ifndef RSCOPE_FAULT_H
#define RSCOPE_FAULT_H

#include <linux/jump_label.h>
#include "abi.h"
#include "record.h"
#include "text.h"

DECLARE_STATIC_KEY_FALSE(rscope_fault_key);

bool rscope_fault_take(enum rscope_fault point, u64 *arg);
bool rscope_fault_count(enum rscope_fault point);
int rscope_fault_arm(const char *buf, size_t len, struct rscope_error *e);
void rscope_fault_show(struct rscope_buf *b);
void rscope_fault_enable(void);

/* A failure point of the setup: false, at no cost, unless fault_points=1. */
static inline bool rscope_fault_hit(enum rscope_fault point)
{
	return static_branch_unlikely(&rscope_fault_key) && rscope_fault_take(point, NULL);
}

#endif /* RSCOPE_FAULT_H */
