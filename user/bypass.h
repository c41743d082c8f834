/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Does posting enter the kernel? Counted, not believed.
 */
#ifndef BYPASS_H
#define BYPASS_H

#include <rdmascope/env.h>

/**
 * struct bypass - a counter of the calling thread's system calls
 * @fd: perf event, -1 when refused
 * @own: what the counter counts of itself
 */
struct bypass {
	int fd;
	u64 own;
};

int bypass_open(struct bypass *b);
void bypass_start(struct bypass *b);
u64 bypass_stop(struct bypass *b);
void bypass_close(struct bypass *b);
const char *bypass_level(u64 syscalls, u64 post_calls);

#endif /* BYPASS_H */
