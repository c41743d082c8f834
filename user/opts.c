// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The command line. getopt_long() walks it; abbreviations, which it would
 * accept, are refused: a word is a known word or an error.
 */
#include "opts.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>

#include "exits.h"
#include "opttable.h"

#define NR_OPTS OPTTABLE_NR
#define NR_NAMES (1 + NR_OPTS + RSCOPE_W_NR) /* help, opts, workload keys */
#define FIRST 0x100

/* What the parser works on, and what the usage is about. */
struct parser {
	const struct command *cmd;
	char words[64];
	struct option longopts[NR_NAMES + 1];
	char dashed[RSCOPE_W_NR][24];
	size_t n;
};

static struct parser parser;

/* ------------------------------------------------------------------- usage */

static void usage_workload(FILE *f)
{
	const struct rscope_workload_row *row = rscope_workload_rows;
	u32 i, j;

	fprintf(f, "\nWorkload, the same on every path:\n");
	for (i = 0; i < RSCOPE_W_NR; i++, row++) {
		fprintf(f, "  --%-16s %s\n", row->key, row->help);
		if (row->kind == RSCOPE_W_INT)
			fprintf(f, "%21s%lld..%lld%s%s, default %lld\n", "", row->min, row->max,
				*row->unit ? " " : "", row->unit, row->def);
		for (j = 0; j < row->nr_words; j++)
			fprintf(f, "%s%s", j ? " " : "                     ", row->words[j]);
		if (row->nr_words)
			fprintf(f, ", default %s\n", row->words[row->def]);
	}
}

static void usage_command(FILE *f, const struct command *cmd)
{
	char left[64];
	size_t i;

	fprintf(f, "usage: rdmascope%s%s\n%s\n\n", parser.words, cmd->args, cmd->help);
	for (i = 0; i < NR_OPTS; i++) {
		if (!(opts[i].group & cmd->groups))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", opts[i].name, opts[i].arg ? " " : "",
			 opts[i].arg ? opts[i].arg : "");
		fprintf(f, "  %-30s %s\n", left, opts[i].help);
	}
	fprintf(f, "  %-30s %s\n", "--help", "this text");
	if (cmd->groups & OPTS_WORKLOAD)
		usage_workload(f);
}

static void usage_table(FILE *f, const struct command *table)
{
	fprintf(f, "usage: rdmascope%s COMMAND [DEV[/PORT]] [--json] [--OPTION...]\n\n",
		parser.words);
	for (; table->name; table++)
		fprintf(f, "  %-10s %s\n", table->name, table->help);
	fprintf(f, "\nrdmascope COMMAND --help tells its options. Version %s, ABI %d.\n"
		"exit status: 0 pass, 1 fail or aborted, 2 usage, 3 no such device, 4 unsupported,\n"
		"5 not permitted, 6 busy, 128+n signal n\n", RSCOPE_VERSION, RSCOPE_ABI);
}

/**
 * opts_usage_error() - say what is wrong with the command line
 * @fmt: message without LF
 *
 * Return: the exit status.
 */
int opts_usage_error(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "rdmascope%s: ", parser.words);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	if (parser.cmd)
		fprintf(stderr, "\nusage: rdmascope%s%s (--help tells more)\n", parser.words,
			parser.cmd->args);
	else
		fprintf(stderr, "\nrdmascope --help tells the commands\n");
	return EXIT_USAGE;
}

/* ------------------------------------------------------------------ parser */

/**
 * opts_word_in() - is this one of the words?
 * @word: the word
 * @list: words, separated by '|'
 *
 * Return: true when it is.
 */
bool opts_word_in(const char *word, const char *list)
{
	size_t len = strlen(word);

	for (;;) {
		size_t n = strcspn(list, "|");

		if (n == len && !memcmp(list, word, n))
			return true;
		if (!list[n])
			return false;
		list += n + 1;
	}
}

static void add_name(const char *name, bool has_arg, size_t index)
{
	struct option *o = &parser.longopts[parser.n++];

	o->name = name;
	o->has_arg = has_arg ? required_argument : no_argument;
	o->val = (int)(FIRST + index);
}

static void dash(char *to, const char *from, size_t size)
{
	size_t i;

	snprintf(to, size, "%s", from);
	for (i = 0; to[i]; i++)
		if (to[i] == '_')
			to[i] = '-';
}

/* Names have dashes inside; underscores of the command line are turned first. */
static void build_names(unsigned int groups)
{
	size_t i;

	parser.n = 0;
	add_name("help", false, 0);
	for (i = 0; i < NR_OPTS; i++)
		if (opts[i].group & groups)
			add_name(opts[i].name, opts[i].kind != OPT_FLAG, 1 + i);
	for (i = 0; i < RSCOPE_W_NR && groups & OPTS_WORKLOAD; i++) {
		dash(parser.dashed[i], rscope_workload_rows[i].key, sizeof(parser.dashed[i]));
		add_name(parser.dashed[i], true, 1 + NR_OPTS + i);
	}
	memset(&parser.longopts[parser.n], 0, sizeof(parser.longopts[0]));
}

/* Exactly a name of the table? Underscores become dashes in place. */
static bool known_name(char *word)
{
	size_t i, len;

	for (i = 2; word[i] && word[i] != '='; i++)
		if (word[i] == '_')
			word[i] = '-';
	len = i - 2;
	for (i = 0; i < parser.n; i++)
		if (strlen(parser.longopts[i].name) == len &&
		    !memcmp(parser.longopts[i].name, word + 2, len))
			return true;
	return false;
}

static int set_workload(struct options *o, u32 key, const char *value)
{
	struct rscope_error e = { 0 };

	if (rscope_parse_value(&o->workload, key, value, strlen(value), &e))
		return opts_usage_error("%s", e.msg);
	return 0;
}

static int set_number(const struct opt *opt, const char *value, long long *to)
{
	s64 v;

	if (rscope_parse_int(value, strlen(value), &v) || v < opt->min || v > opt->max)
		return opts_usage_error("--%s %s: not a number of %lld..%lld", opt->name, value,
					opt->min, opt->max);
	*to = v;
	return 0;
}

static int set_option(struct options *o, const struct opt *opt, const char *value)
{
	char *to = (char *)o + opt->offset;

	if (opt->kind == OPT_WORD && !opts_word_in(value, opt->arg))
		return opts_usage_error("--%s %s: not one of %s", opt->name, value, opt->arg);
	if (opt->kind == OPT_NUMBER)
		return set_number(opt, value, (long long *)to);
	if (opt->kind == OPT_FLAG)
		*(bool *)to = true;
	else
		*(const char **)to = value;
	return 0;
}

/* DEV[/PORT]; a device name never holds a slash. */
static int set_target(struct options *o, const char *word)
{
	const char *slash = strrchr(word, '/');
	size_t len = slash ? (size_t)(slash - word) : strlen(word);
	s64 port = 0;

	if (o->target || !(parser.cmd->groups & OPTS_TARGET))
		return opts_usage_error("%s: one argument too many", word);
	if (!len || len >= sizeof(o->dev))
		return opts_usage_error("%s: not a DEV[/PORT]", word);
	if (slash &&
	    (rscope_parse_int(slash + 1, strlen(slash + 1), &port) || port < 1 || port > 65535))
		return opts_usage_error("%s: the port is a number from 1", word);
	memcpy(o->dev, word, len);
	o->port = (unsigned int)port;
	o->target = word;
	return 0;
}

static int take_option(struct options *o, int code, char **argv)
{
	size_t index = (size_t)(code - FIRST);

	if (code == 1)
		return set_target(o, optarg);
	if (code == ':')
		return opts_usage_error("%s: the value is missing", argv[optind - 1]);
	if (code < FIRST)
		return opts_usage_error("%s: unknown option", argv[optind - 1]);
	if (index <= NR_OPTS)
		return set_option(o, &opts[index - 1], optarg);
	return set_workload(o, (u32)(index - 1 - NR_OPTS), optarg);
}

static int parse_options(struct options *o, int argc, char **argv, bool *help)
{
	int code, err = 0;

	opterr = 0;
	optind = 1;
	while (!err && optind < argc) {
		if (!strncmp(argv[optind], "--", 2) && argv[optind][2] && !known_name(argv[optind]))
			return opts_usage_error("%s: unknown option", argv[optind]);
		code = getopt_long(argc, argv, "-:", parser.longopts, NULL);
		if (code == -1)
			break;
		if (code == FIRST) {
			*help = true;
			return 0;
		}
		err = take_option(o, code, argv);
	}
	for (; !err && optind < argc; optind++)
		err = set_target(o, argv[optind]);
	return err;
}

static void init_options(struct options *o)
{
	memset(o, 0, sizeof(*o));
	o->root = "";
	o->rounds = 15;
	o->idle_ms = -1;
	o->tolerance = 10;
	rscope_workload_init(&o->workload);
}

static int run_command(const struct command *cmd, int argc, char **argv)
{
	struct rscope_error e = { 0 };
	struct options o;
	bool help = false;
	int err;

	parser.cmd = cmd;
	init_options(&o);
	build_names(cmd->groups);
	err = parse_options(&o, argc, argv, &help);
	if (help) {
		usage_command(stdout, cmd);
		return EXIT_PASS;
	}
	if (err)
		return err;
	rscope_workload_settle(&o.workload);
	if (cmd->groups & OPTS_WORKLOAD && rscope_workload_validate(&o.workload, &e))
		return opts_usage_error("%s", e.msg);
	return cmd->run(&o);
}

/**
 * opts_run() - find the command, parse its options, run it
 * @table: commands, ended by an empty one
 * @argc: of main()
 * @argv: of main()
 *
 * Return: the exit status.
 */
int opts_run(const struct command *table, int argc, char **argv)
{
	const struct command *cmd;
	size_t len = strlen(parser.words);

	if (argc < 2) {
		usage_table(stderr, table);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		usage_table(stdout, table);
		return EXIT_PASS;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("rdmascope %s, ABI %d\n", RSCOPE_VERSION, RSCOPE_ABI);
		return EXIT_PASS;
	}
	for (cmd = table; cmd->name && strcmp(cmd->name, argv[1]); cmd++)
		;
	if (!cmd->name) {
		fprintf(stderr, "rdmascope%s: %s: unknown command\n", parser.words, argv[1]);
		usage_table(stderr, table);
		return EXIT_USAGE;
	}
	snprintf(parser.words + len, sizeof(parser.words) - len, " %s", cmd->name);
	return cmd->sub ? opts_run(cmd->sub, argc - 1, argv + 1) :
			  run_command(cmd, argc - 1, argv + 1);
}
