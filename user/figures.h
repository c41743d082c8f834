/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What did all lanes of a run measure together?
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "report.h"

/**
 * struct figures - what one lane measured
 * @run: its report
 * @start_ns: clock at the first post of its timed pass
 * @posted: work requests posted in the pass that ended last
 * @completed: operations completed in it
 * @wc_status: status of its first failed completion, 0 = none
 */
struct figures {
	struct run *run;
	u64 start_ns;
	u64 posted;
	u64 completed;
	int wc_status;
};

void figures_add(struct figures *to, const struct figures *from);

#endif /* FIGURES_H */
