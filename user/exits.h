/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What does the exit status say? Shared by every command.
 */
#ifndef EXITS_H
#define EXITS_H

enum exits {
	EXIT_PASS = 0,
	EXIT_FAIL = 1, /* fail, aborted, attributes differ */
	EXIT_USAGE = 2,
	EXIT_NODEV = 3,
	EXIT_UNSUPPORTED = 4,
	EXIT_PERMIT = 5, /* lockdown, root, memlock */
	EXIT_BUSY = 6,
	EXIT_SIGNAL = 128, /* + number of the signal */
};

#endif /* EXITS_H */
