// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * check: one verdict for each port, with the reason and what to type next.
 */
#include "checkup.h"
#include "cmd.h"
#include "out.h"
#include "outcheck.h"

static void print_source(const struct map *m)
{
	out_line("source: %s%s%s%s", m->source, m->passed.err ? " (" : "",
		 m->passed.err ? m->passed.msg : "", m->passed.err ? ")" : "");
}

static void print_verdicts(const struct options *o, const struct checkup *c)
{
	if (o->json) {
		out_json(json_incref(c->verdicts));
	} else if (o->ktap) {
		outcheck_ktap(c->verdicts);
	} else {
		if (!json_array_size(c->verdicts))
			out_line("nothing to check: no RDMA device");
		outcheck_text(c->verdicts);
		print_source(&c->survey.links);
	}
}

static int usage(const struct options *o)
{
	if (o->json && o->ktap)
		return opts_usage_error("--json or --ktap, not both");
	if (o->all && *o->dev)
		return opts_usage_error("--all or %s, not both", o->target);
	return 0;
}

/**
 * cmd_check() - verdicts about ports
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_check(struct options *o)
{
	struct checkup c;
	int status = usage(o);

	if (status)
		return status;
	if (checkup_run(o, "check", &c))
		print_verdicts(o, &c);
	status = c.status;
	checkup_free(&c);
	return status;
}
