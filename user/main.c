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
	{ "links", " [DEV[/PORT]] [OPTION...]", "RDMA ports and their network devices", MAP_GROUPS,
	  cmd_links, NULL },
	{ "gids", " [DEV[/PORT]] [OPTION...]", "GID tables, and how good each entry is", MAP_GROUPS,
	  cmd_gids, NULL },
	{ "device", " [DEV] [OPTION...]", "RDMA devices and their limits", MAP_GROUPS, cmd_device,
	  NULL },
	{ },
};

int main(int argc, char **argv)
{
	int status = opts_run(commands, argc, argv);

	return out_flush() && status == EXIT_PASS ? EXIT_FAIL : status;
}
