// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * export: the verdicts for a Prometheus text file collector.
 */
#include <stdlib.h>

#include "checkup.h"
#include "cmd.h"
#include "exits.h"
#include "out.h"
#include "outprom.h"
#include "replace.h"
#include "signals.h"

static int write_out(const struct options *o, const char *text, size_t len)
{
	struct rscope_error e = { 0 };

	if (!o->output) {
		out_raw(text, len);
		return EXIT_PASS;
	}
	if (!replace_file(o->output, text, len, &e))
		return EXIT_PASS;
	fprintf(stderr, "rdmascope export: %s\n", e.msg);
	fprintf(stderr, "  next:  name a file in a directory that this user may write\n");
	return e.err == -EACCES || e.err == -EPERM ? EXIT_PERMIT : EXIT_FAIL;
}

static int print_checkup(const struct options *o, const struct checkup *c)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int status = EXIT_FAIL;

	if (!f)
		return EXIT_FAIL;
	outprom_print(f, &c->survey.ports, c->verdicts, c->status);
	if (!fclose(f))
		status = write_out(o, text, len);
	free(text);
	return status;
}

/**
 * cmd_export() - verdicts for a monitoring system
 * @o: options
 *
 * A verdict is a metric, no error of the export; a check that was cut short
 * leaves the file of the last one.
 *
 * Return: the exit status.
 */
int cmd_export(struct options *o)
{
	struct checkup c;
	int status;

	if (o->all && *o->dev)
		return opts_usage_error("--all or %s, not both", o->target);
	if (!checkup_run(o, "export", &c) || signals_caught())
		status = c.status;
	else
		status = print_checkup(o, &c);
	checkup_free(&c);
	return status;
}
