// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of sizes, and what is none.
 */
#include <stdio.h>

#include "unit.h"
#include "sweep.h"

#define MAX BIT_ULL(30)

struct good {
	const char *text;
	size_t n;
	u64 first, last;
};

static const struct good good[] = {
	{ "64", 1, 64, 64 }, { "1", 1, 1, 1 }, { "64,4096", 2, 64, 4096 },
	{ "4096,64", 2, 4096, 64 }, { "1073741824", 1, MAX, MAX }, { "8:8:x2", 1, 8, 8 },
	{ "1:1048576:x2", 21, 1, 1048576 }, { "64:1000000:x4", 7, 64, 262144 },
	{ "1:1073741824:x2", 31, 1, MAX }, { "3:100:x3", 4, 3, 81 },
	{ "1:1073741824:x1073741824", 2, 1, MAX }, { "007", 1, 7, 7 },
	{ "1:1M:x2", 21, 1, 1048576 }, { "4K,1G", 2, 4096, MAX }, { "1K:64K:x4", 4, 1024, 65536 },
};

static const char *const bad[] = {
	"", ",", "64,", ",64", "64,,64", "0", "64,0",
	"K", "4KK", "2G", "18014398509481985K", "64:128:x2K",
	"-1", "+1", "0x10", "4k", " 64", "64 ",
	"64, 128", "1073741825", "18446744073709551617", "64:", ":", "::", ":::", "64:128",
	"64:128:", "64:128:2", "64:128:x", "64:128:x0", "64:128:x1", "64:128:x-2", ":128:x2",
	"64::x2", "0:128:x2", "128:64:x2", "64:2147483648:x2", "64:128:x2:", "64:128:x2,256",
	"64,128:256:x2", "a:b:xc", "64:128:X2", "64:128:x18446744073709551617",
	/* Products that wrap around 2^64. */
	"3:100:x6148914691236517206", "2:100:x9223372036854775809",
};

static void lists(void **state)
{
	struct sweep s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		if (!sweep_parse(good[i].text, MAX, &s) || s.n != good[i].n)
			fail_msg("%s: %zu sizes", good[i].text, s.n);
		assert_int_equal(s.size[0], good[i].first);
		assert_int_equal(s.size[s.n - 1], good[i].last);
	}
}

static void refused(void **state)
{
	struct sweep s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (sweep_parse(bad[i], MAX, &s))
			fail_msg("\"%s\" is taken for %zu sizes", bad[i], s.n);
}

static void at_most_64(void **state)
{
	char text[400] = "";
	struct sweep s;
	size_t i;

	for (i = 1; i <= SWEEP_MAX + 1; i++) {
		snprintf(text + strlen(text), 8, "%s%zu", i > 1 ? "," : "", i);
		assert_int_equal(sweep_parse(text, MAX, &s), i <= SWEEP_MAX);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lists),
	cmocka_unit_test(refused),
	cmocka_unit_test(at_most_64),
};

UNIT_MAIN(tests)
