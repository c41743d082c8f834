/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Are two paths different, by how much, and were they asked the same?
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "report.h"

#define COMPARE_ROUNDS_MIN 6 /* fewer give no 95 % interval of a median */

/**
 * struct ratio - kernel over user: above 1, the user path is faster
 * @median: of the rounds' ratios, NAN without rounds
 * @low: lower end of its confidence interval, NAN with too few rounds
 * @high: upper end
 * @rounds: how many told something
 * @verdict: "user faster", "kernel faster", "no difference", "equal",
 *	"too few rounds"
 */
struct ratio {
	double median;
	double low;
	double high;
	size_t rounds;
	const char *verdict;
};

size_t compare_rank(size_t rounds);
bool compare_by_latency(const struct rscope_workload *w);
double compare_round(const struct run *kernel, const struct run *user, bool latency);
void compare_ratios(double *ratios, size_t n, struct ratio *r);
int compare_effective(const struct rscope_report *kernel, const struct rscope_report *user,
		      struct rscope_error *e);

#endif /* COMPARE_H */
