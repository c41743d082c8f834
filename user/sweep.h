/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A list of sizes.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include <rdmascope/env.h>

#define SWEEP_MAX 64

/**
 * struct sweep - sizes to go through
 * @size: bytes per operation
 * @n: how many
 */
struct sweep {
	u64 size[SWEEP_MAX];
	size_t n;
};

bool sweep_parse(const char *text, u64 max, struct sweep *s);

#endif /* SWEEP_H */
