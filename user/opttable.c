// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "opttable.h"

#define OPT(name_, group_, kind_, arg_, help_) \
	{ \
		.name = #name_, .group = group_, .kind = kind_, \
		.offset = offsetof(struct options, name_), .arg = arg_, .help = help_ \
	}

/* In the order of --help. Not of the size declared: the compiler refuses it. */
const struct opt opts[] = {
	OPT(json, OPTS_OUTPUT, OPT_FLAG, NULL, "JSON on stdout: one value, of watch one per line"),
	OPT(source, OPTS_MAP, OPT_WORD, "module|netlink|sysfs", "read from there only"),
	OPT(root, OPTS_MAP, OPT_TEXT, "DIR",
	    "read debugfs and sysfs below DIR (implies no netlink)"),
	OPT(netdev, OPTS_LINKS, OPT_TEXT, "NETDEV",
	    "the links that serve it: a port's netdev, what is above or below, IPoIB"),
	OPT(details, OPTS_LINKS, OPT_FLAG, NULL,
	    "below the table: addresses, netdevs above and below, IPoIB"),
	OPT(path, OPTS_RUN, OPT_WORD, "kernel|user|mediated",
	    "who posts (default kernel, user without the module)"),
	OPT(raw, OPTS_RUN, OPT_FLAG, NULL, "the report as text, as the module writes it"),
	OPT(histogram, OPTS_RUN, OPT_FLAG, NULL, "draw the latencies as bars below the text"),
	OPT(fault, OPTS_WORKLOAD | OPTS_CHECK, OPT_TEXT,
	    "corrupt=OFFSET|effect=N|delay=NS|syscalls=N|wakeup=N",
	    "for tests: flip a byte, slow timed posts, add counted system calls, lose a wake-up"),
	{ .name = "idle-ms", .group = OPTS_WORKLOAD, .kind = OPT_NUMBER, .arg = "MS", .max = 60000,
	  .offset = offsetof(struct options, idle_ms),
	  .help = "measure the idle machine so long first (default 500 before long runs)" },
	{ .name = "no-blueflame", .group = OPTS_WORKLOAD, .kind = OPT_FLAG,
	  .offset = offsetof(struct options, no_blueflame), .help = "post without BlueFlame" },
	OPT(sizes, OPTS_COMPARE, OPT_TEXT, "N,N,...|A:B:xN",
	    "sizes, K M G = powers of 1024 (default 64,4096,65536)"),
	OPT(paths, OPTS_COMPARE, OPT_TEXT, "PATH,PATH,...",
	    "which to compare (default kernel,user,mediated)"),
	{ .name = "rounds", .group = OPTS_COMPARE, .kind = OPT_NUMBER, .arg = "N", .min = 6,
	  .max = 1000, .offset = offsetof(struct options, rounds),
	  .help = "rounds per size, 6..1000 (default 15)" },
	OPT(csv, OPTS_COMPARE, OPT_FLAG, NULL, "one CSV document: `# key: value` lines, then rows"),
	OPT(baseline, OPTS_COMPARE, OPT_TEXT, "FILE",
	    "an earlier document of --json: exit 1 when a row got worse"),
	{ .name = "tolerance", .group = OPTS_COMPARE, .kind = OPT_NUMBER, .arg = "PCT", .max = 1000,
	  .offset = offsetof(struct options, tolerance),
	  .help = "how much worse than the baseline is worse (default 10)" },
	OPT(self, OPTS_COMPARE, OPT_WORD, "kernel|user",
	    "for tests: a path against itself; --fault delay= slows the second"),
	OPT(all, OPTS_ALL, OPT_FLAG, NULL, "every port of every device"),
	{ .name = "no-run", .group = OPTS_NORUN, .kind = OPT_FLAG,
	  .offset = offsetof(struct options, no_run),
	  .help = "judge only: no loopback; what only a loopback needs is no error" },
	OPT(output, OPTS_EXPORT, OPT_TEXT, "FILE",
	    "replace FILE in one step, for node_exporter's textfile collector (default stdout)"),
	{ .name = "count", .group = OPTS_WATCH, .kind = OPT_NUMBER, .arg = "N", .min = 1,
	  .max = 1000000000, .offset = offsetof(struct options, count),
	  .help = "end after N changes" },
	{ .name = "timeout", .group = OPTS_WATCH, .kind = OPT_NUMBER, .arg = "S", .min = 1,
	  .max = 1000000000, .offset = offsetof(struct options, timeout_s),
	  .help = "end after S seconds; status 1 when --count asked for more changes" },
	OPT(ktap, OPTS_CHECK, OPT_FLAG, NULL, "one KTAP document, a test for each port"),
};
