// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A round is one whole run of each path, QPs and all. Rounds are interleaved
 * and their order rotates, so that neither path is always the one that finds
 * the caches warm.
 */
#include "rounds.h"

#include <stdlib.h>

#include "signals.h"

static int alloc_rounds(struct row *row, size_t rounds)
{
	int i;

	row->ratios = calloc(rounds, sizeof(*row->ratios));
	for (i = 0; i < ROUNDS_PATHS; i++) {
		row->side[i].rounds = calloc(rounds, sizeof(struct run));
		row->side[i].values = calloc(rounds, sizeof(double));
		run_init(&row->side[i].sum);
		if (!row->side[i].rounds || !row->side[i].values)
			return -ENOMEM;
	}
	row->first = calloc(rounds, sizeof(*row->first));
	return row->ratios && row->first ? 0 : -ENOMEM;
}

static bool passed(const struct run *run)
{
	return !strcmp(run->r.verdict, "pass");
}

/* A path that cannot do this leaves the comparison; a failure ends the row. */
static void take_verdict(struct row *row, struct side *s, const struct run *run)
{
	if (!strcmp(run->r.verdict, "unsupported")) {
		s->out = true;
		s->step = STEP_SETUP;
		rscope_fail(&s->why, -EOPNOTSUPP, "%s", run->r.reason);
		return;
	}
	row->failed = true;
	row->gone = !strcmp(run->r.reason, "removed");
	rscope_fail(&row->e, -EIO, "%s path %s: %s%s%s", run->r.path, run->r.verdict,
		    run->r.reason, *run->r.stage ? ", stage " : "", run->r.stage);
}

static void run_side(struct row *row, enum rscope_path path)
{
	struct side *s = &row->side[path];
	struct run *run = &s->rounds[s->n];
	bool self = row->self != RSCOPE_PATH_NR;
	/*
	 * System calls are counted once per row, before its first timed pass. A path
	 * against itself claims no bypass; opening the counter patches the kernel.
	 */
	struct plan plan = row->plan;
	struct paths_job job = { .plan = &plan, .path = path, .count = !s->n && !self };
	int err;

	if (s->out || row->failed)
		return;
	if (self) {
		job.path = row->self;
		plan.delay_ns = path == RSCOPE_PATH_USER ? plan.delay_ns : 0;
	}
	err = paths_run(&job, run, &s->step, &s->why);
	free(job.text.text);
	if (err) {
		s->out = true;
		row->gone = err == -ENODEV || err == -EIO;
		return;
	}
	if (!passed(run)) {
		take_verdict(row, s, run);
		return;
	}
	s->values[s->n] = compare_value(run, row->latency);
	report_merge(&s->sum, run);
	s->n++;
}

/* Once, after the first round: each path against the first one that ran. */
static bool check_fairness(struct row *row)
{
	const struct side *first = NULL;
	int i;

	for (i = 0; i < ROUNDS_PATHS && !row->refused; i++) {
		const struct side *s = &row->side[i];

		if (s->n != 1)
			continue;
		if (first)
			row->refused = compare_effective(&first->rounds[0].r, &s->rounds[0].r,
							 &row->e);
		else
			first = s;
	}
	return !row->refused;
}

/* The order rotates among those that run, each of them first equally often. */
static void one_round(struct row *row, size_t round)
{
	enum rscope_path paths[ROUNDS_PATHS];
	size_t i, n = 0;

	for (i = 0; i < ROUNDS_PATHS; i++)
		if (!row->side[i].out)
			paths[n++] = (enum rscope_path)i;
	for (i = 0; i < n; i++)
		run_side(row, paths[(round + i) % n]);
	if (n)
		row->first[round] = paths[round % n];
}

static void take_ratios(struct row *row)
{
	struct side *k = &row->side[RSCOPE_PATH_KERNEL], *u = &row->side[RSCOPE_PATH_USER];
	size_t i, n = k->n < u->n ? k->n : u->n;
	double sorted[COMPARE_ROUNDS_MAX];

	for (i = 0; i < n; i++) {
		row->ratios[i] = compare_round(&k->rounds[i], &u->rounds[i], row->latency);
		sorted[i] = row->ratios[i];
	}
	compare_ratios(sorted, n, &row->ratio);
}

static void take_parts(struct row *row)
{
	const struct side *k = &row->side[RSCOPE_PATH_KERNEL], *u = &row->side[RSCOPE_PATH_USER];
	const struct side *m = &row->side[RSCOPE_PATH_MEDIATED];
	size_t n = k->n < u->n ? k->n : u->n;

	compare_parts(k->values, u->values, m->values, m->n < n ? m->n : n, &row->parts);
}

static void take_spread(struct side *s)
{
	s->spread = compare_spread(s->values, s->n);
	s->noisy = s->spread > COMPARE_NOISE;
}

static bool all_out(const struct row *row)
{
	int i;

	for (i = 0; i < ROUNDS_PATHS; i++)
		if (!row->side[i].out)
			return false;
	return true;
}

static void take_statistics(struct row *row)
{
	int i;

	take_ratios(row);
	take_parts(row);
	for (i = 0; i < ROUNDS_PATHS; i++)
		take_spread(&row->side[i]);
}

/**
 * rounds_run() - run all rounds of a row
 * @row: plan set, sides that cannot run marked out
 * @rounds: how many, at most COMPARE_ROUNDS_MAX
 * @progress: told after each round
 *
 * Ends early on a signal, a failure, unequal attributes, or when no side is
 * left; what there is then stays.
 *
 * Return: 0 or -ENOMEM; rounds_free() in both cases.
 */
int rounds_run(struct row *row, size_t rounds, void (*progress)(const struct row *row, size_t n))
{
	int err = alloc_rounds(row, rounds);
	size_t i;

	row->latency = compare_by_latency(&row->plan.w);
	for (i = 0; !err && i < rounds && !signals_caught(); i++) {
		one_round(row, i);
		if (row->failed || row->gone || all_out(row) || !check_fairness(row))
			break;
		progress(row, i + 1);
	}
	if (!err)
		take_statistics(row);
	return err;
}

/**
 * rounds_free() - free a row
 * @row: the row
 */
void rounds_free(struct row *row)
{
	int i;

	for (i = 0; i < ROUNDS_PATHS; i++) {
		free(row->side[i].rounds);
		free(row->side[i].values);
	}
	free(row->ratios);
	free(row->first);
}
