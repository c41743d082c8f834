// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * One bar for each eighth of a power of two that holds samples; a line of dots
 * stands for empty ones between.
 */
#include "outhist.h"

#include <rdmascope/hist.h>

#include "out.h"

#define BAR_MAX 50

/* Lower bound of the bar a value belongs to: its three leading bits stay. */
static u64 bar_of(u64 ns)
{
	u32 shift = ns < 16 ? 0 : (u32)fls64(ns) - 4;

	return ns >> shift << shift;
}

static u64 low_of(json_t *pair)
{
	return (u64)json_integer_value(json_array_get(pair, 0));
}

/* Sum of the bar that begins with entry @i; @i becomes the first one behind it. */
static u64 take_bar(json_t *hist, size_t *i)
{
	u64 bar = bar_of(low_of(json_array_get(hist, *i))), sum = 0;
	json_t *pair;

	for (; (pair = json_array_get(hist, *i)) && bar_of(low_of(pair)) == bar; (*i)++)
		sum += (u64)json_integer_value(json_array_get(pair, 1));
	return sum;
}

static u64 highest(json_t *hist)
{
	u64 max = 0, n;
	size_t i = 0;

	while (i < json_array_size(hist)) {
		n = take_bar(hist, &i);
		max = n > max ? n : max;
	}
	return max;
}

static u64 next_bar(u64 bar)
{
	u32 shift = bar < 16 ? 0 : (u32)fls64(bar) - 4;

	return bar + (1ULL << shift);
}

/**
 * outhist_text() - print bars
 * @hist: [lower bound, count] of every bucket that is not empty, ascending
 */
void outhist_text(json_t *hist)
{
	static const char full[BAR_MAX + 1] = "##################################################";
	u64 max = highest(hist), expected = 0;
	size_t i = 0;

	while (i < json_array_size(hist)) {
		u64 bar = bar_of(low_of(json_array_get(hist, i)));
		u64 n = take_bar(hist, &i);

		if (expected && bar != expected)
			out_line("%12s", "...");
		out_line("%12llu ns %10llu %.*s", bar, n,
			 (int)((n * BAR_MAX + max - 1) / max), full);
		expected = next_bar(bar);
	}
}
