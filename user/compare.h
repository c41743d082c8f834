/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Are two paths different, by how much, and were they asked the same?
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "report.h"

#define COMPARE_ROUNDS_MIN 6 /* fewer give no 95 % interval of a median */
#define COMPARE_ROUNDS_MAX 1000
#define COMPARE_NOISE 0.10 /* a path whose own rounds spread wider is noisy */

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

/**
 * struct interval - a median of rounds, in ns or as a ratio
 * @median: NAN without rounds
 * @low: lower end of its confidence interval, NAN with too few rounds
 * @high: upper end
 * @rounds: how many told something
 */
struct interval {
	double median;
	double low;
	double high;
	size_t rounds;
};

/**
 * struct parts - what mediated over user is made of
 * @crossing: mediated - kernel, ns per operation: the same half of the driver,
 *	with and without a system call
 * @implementation: kernel - user, ns per operation: the two halves of the
 *	driver, which is not bypass
 * @total: mediated / user: above 1, the user path is faster
 */
struct parts {
	struct interval crossing;
	struct interval implementation;
	struct interval total;
};

size_t compare_rank(size_t rounds);
bool compare_by_latency(const struct rscope_workload *w);
double compare_round(const struct run *kernel, const struct run *user, bool latency);
void compare_ratios(double *ratios, size_t n, struct ratio *r);
double compare_value(const struct run *run, bool latency);
void compare_interval(double *values, size_t n, struct interval *i);
void compare_parts(const double *kernel, const double *user, const double *mediated, size_t n,
		   struct parts *p);
double compare_spread(const double *values, size_t n);
int compare_effective(const struct rscope_report *kernel, const struct rscope_report *user,
		      struct rscope_error *e);

#endif /* COMPARE_H */
