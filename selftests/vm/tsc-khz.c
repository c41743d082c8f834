// SPDX-License-Identifier: GPL-2.0
/*
 * Print the rate of this machine's time stamp counter in kHz. QEMU's TCG hands
 * the host's counter to the guest, which calibrates it badly when the host is
 * busy; told the rate it need not.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct pair {
	uint64_t ns;
	uint64_t ticks;
};

/* Both clocks at one instant: of many attempts the one least disturbed. */
static struct pair read_pair(void)
{
	struct pair best = { 0, 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 1000; i++) {
		struct timespec ts;
		uint64_t before = __rdtsc();
		uint64_t after;

		clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
		after = __rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		best.ns = ts.tv_sec * 1000000000ull + ts.tv_nsec;
		best.ticks = before + least / 2;
	}
	return best;
}

int main(void)
{
	const struct timespec span = { 0, 200000000 };
	struct pair a = read_pair();
	struct pair b;

	nanosleep(&span, NULL);
	b = read_pair();
	printf("%.0f\n", (b.ticks - a.ticks) * 1e6 / (b.ns - a.ns));
	return 0;
}
