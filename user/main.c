// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * rdmascope: RDMA link map, and the same loopback workload through kernel verbs
 * and user verbs.
 */
#include "cmd.h"
#include "exits.h"
#include "out.h"

#define MAP_GROUPS (OPTS_OUTPUT | OPTS_MAP | OPTS_TARGET)

static const struct command commands[] = {
	{ "links", " [DEV[/PORT]] [OPTION...]", "RDMA ports and their network devices",
	  MAP_GROUPS | OPTS_LINKS, cmd_links, NULL },
	{ "gids", " [DEV[/PORT]] [OPTION...]", "GID tables, and how good each entry is", MAP_GROUPS,
	  cmd_gids, NULL },
	{ "device", " [DEV] [OPTION...]", "RDMA devices and their limits", MAP_GROUPS, cmd_device,
	  NULL },
	{ "check", " [DEV[/PORT] | --all] [OPTION...]",
	  "a verdict for each port, the reason, and what to type next",
	  MAP_GROUPS | OPTS_ALL | OPTS_CHECK | OPTS_NORUN, cmd_check, NULL },
	{ "run", " [DEV[/PORT]] [--path PATH] [--KEY VALUE...]",
	  "one loopback through kernel or user verbs",
	  OPTS_OUTPUT | OPTS_RUN | OPTS_WORKLOAD | OPTS_TARGET, cmd_run, NULL },
	{ "compare", " [DEV[/PORT]] [--sizes LIST] [--paths LIST] [--KEY VALUE...]",
	  "the same workload on every path, side by side",
	  OPTS_OUTPUT | OPTS_COMPARE | OPTS_WORKLOAD | OPTS_TARGET, cmd_compare, NULL },
	{ "explain", " [DEV[/PORT]] [--KEY VALUE...]",
	  "each verbs call of a run, what it does and what it costs",
	  OPTS_OUTPUT | OPTS_WORKLOAD | OPTS_TARGET, cmd_explain, NULL },
	{ "status", " [DEV[/PORT] | --all]", "what the module is running",
	  OPTS_OUTPUT | OPTS_ALL | OPTS_TARGET, cmd_status, NULL },
	{ "stop", " DEV[/PORT] | --all", "end what the module is running",
	  OPTS_OUTPUT | OPTS_ALL | OPTS_TARGET, cmd_stop, NULL },
	{ "watch", " [DEV[/PORT]] [--count N] [--timeout S] [OPTION...]",
	  "changes of links, netdevs and GIDs, as they happen", MAP_GROUPS | OPTS_WATCH, cmd_watch,
	  NULL },
	{ "export", " [DEV[/PORT] | --all] [--output FILE]",
	  "links, verdicts and loopback latency as Prometheus text",
	  OPTS_MAP | OPTS_TARGET | OPTS_ALL | OPTS_EXPORT | OPTS_NORUN, cmd_export, NULL },
	{ },
};

int main(int argc, char **argv)
{
	int status = opts_run(commands, argc, argv);

	return out_flush() && status == EXIT_PASS ? EXIT_FAIL : status;
}
