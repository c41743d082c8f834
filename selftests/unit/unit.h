/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every unit test needs: cmocka with the headers it wants before it, and
 * random numbers that are the same on every machine.
 */
#ifndef RDMASCOPE_UNIT_H
#define RDMASCOPE_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <rdmascope/env.h>

/* Marsaglia's xorshift64: small, and good enough to reach corners. */
static inline u64 unit_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Evenly from @low to @high, both included; the bias is of no account here. */
static inline u64 unit_range(u64 *state, u64 low, u64 high)
{
	u64 span = high - low + 1;

	return span ? low + unit_random(state) % span : unit_random(state);
}

/* All magnitudes alike: a random number of random length. */
static inline u64 unit_scaled(u64 *state, u32 bits)
{
	return unit_random(state) >> (64 - unit_range(state, 1, bits));
}

#define UNIT_MAIN(tests) \
int main(void) \
{ \
	return cmocka_run_group_tests(tests, NULL, NULL); \
}

#endif /* RDMASCOPE_UNIT_H */
