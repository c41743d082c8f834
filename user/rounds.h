/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The rounds of one row of a comparison.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "compare.h"
#include "paths.h"

#define ROUNDS_PATHS RSCOPE_PATH_NR /* in the order of enum rscope_path */

/**
 * struct side - one path of a row
 * @skipped: not asked for
 * @out: it does not run, and why is in @why
 * @step: what failed
 * @why: why it does not run
 * @rounds: its runs
 * @n: how many there are
 * @values: what each is compared by, ns
 * @noisy: they lie wide apart, see compare_spread()
 * @spread: how wide
 * @sum: the timed passes of all rounds together
 */
struct side {
	bool skipped;
	bool out;
	enum step step;
	struct rscope_error why;
	struct run *rounds;
	size_t n;
	double *values;
	bool noisy;
	double spread;
	struct run sum;
};

/**
 * struct row - one size
 * @plan: what is run
 * @self: the path that both of the first two columns run, RSCOPE_PATH_NR as a
 *	rule: calibration, the second one delayed
 * @latency: ratios are of median latencies, else of time per operation
 * @side: the paths
 * @ratio: kernel over user
 * @ratios: per round, in order
 * @first: per round, which path began
 * @parts: what mediated over user is made of
 * @refused: attributes differ, see @e
 * @failed: a run did not pass, see @e
 * @gone: the device was removed
 * @e: why
 */
struct row {
	struct plan plan;
	enum rscope_path self;
	bool latency;
	struct side side[ROUNDS_PATHS];
	struct ratio ratio;
	double *ratios;
	enum rscope_path *first;
	struct parts parts;
	bool refused;
	bool failed;
	bool gone;
	struct rscope_error e;
};

int rounds_run(struct row *row, size_t rounds, void (*progress)(const struct row *row, size_t n));
void rounds_free(struct row *row);

#endif /* ROUNDS_H */
