/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Command line -> struct options, by tables. The workload keys become options
 * by the table of <rdmascope/abi.h>.
 */
#ifndef OPTS_H
#define OPTS_H

#include <stdio.h>

#include <rdmascope/workload.h>

/* Groups of options; a command names those it takes. */
#define OPTS_OUTPUT (1U << 0) /* --json */
#define OPTS_MAP (1U << 1) /* --source --root */
#define OPTS_RUN (1U << 2) /* --path --raw */
#define OPTS_WORKLOAD (1U << 3) /* every key of RSCOPE_WORKLOAD_KEYS, --fault */
#define OPTS_COMPARE (1U << 4) /* --sizes --rounds --paths ... */
#define OPTS_ALL (1U << 5) /* --all */
#define OPTS_TARGET (1U << 6) /* takes DEV[/PORT] */
#define OPTS_CHECK (1U << 7) /* --ktap --fault */
#define OPTS_EXPORT (1U << 8) /* --output */
#define OPTS_NORUN (1U << 9) /* --no-run */
#define OPTS_LINKS (1U << 10) /* --netdev --details */
#define OPTS_WATCH (1U << 11) /* --count --timeout */

/**
 * struct options - what was asked for; read-only after opts_parse()
 * @target: DEV[/PORT] as given, NULL when not
 * @dev: its device, empty when not given
 * @port: its port, 0 when not given
 * @json: --json
 * @raw: --raw
 * @csv: --csv
 * @histogram: --histogram
 * @no_blueflame: --no-blueflame
 * @all: --all
 * @output: --output, or NULL
 * @no_run: --no-run
 * @ktap: --ktap
 * @details: --details
 * @netdev: --netdev, or NULL
 * @root: --root, or ""
 * @source: --source, or NULL
 * @path: --path, or NULL
 * @sizes: --sizes, or NULL
 * @paths: --paths, or NULL
 * @self: --self, or NULL
 * @fault: --fault, or NULL
 * @baseline: --baseline, or NULL
 * @idle_ms: --idle-ms, -1 = as the workload suggests
 * @tolerance: --tolerance, per cent
 * @rounds: --rounds
 * @count: --count, 0 = no end
 * @timeout_s: --timeout, 0 = no end
 * @workload: the workload options
 */
struct options {
	const char *target;
	char dev[RSCOPE_WORD_MAX];
	unsigned int port;
	bool json;
	bool raw;
	bool csv;
	bool histogram;
	bool no_blueflame;
	bool all;
	bool no_run;
	bool ktap;
	bool details;
	const char *netdev;
	const char *root;
	const char *source;
	const char *path;
	const char *sizes;
	const char *paths;
	const char *self;
	const char *fault;
	const char *baseline;
	const char *output;
	long long idle_ms;
	long long tolerance;
	long long rounds;
	long long count;
	long long timeout_s;
	struct rscope_workload workload;
};

/**
 * struct command - one word of the command line
 * @name: the word; NULL ends a table
 * @args: its arguments, for the usage
 * @help: one line
 * @groups: options it takes, OPTS_*
 * @run: does it; the exit status is the result
 * @sub: commands below it, instead of @run
 */
struct command {
	const char *name;
	const char *args;
	const char *help;
	unsigned int groups;
	int (*run)(struct options *o);
	const struct command *sub;
};

int opts_run(const struct command *table, int argc, char **argv);
int opts_usage_error(const char *fmt, ...) __printf(1, 2);
bool opts_word_in(const char *word, const char *list);

#endif /* OPTS_H */
