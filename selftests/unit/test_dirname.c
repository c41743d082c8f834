// SPDX-License-Identifier: GPL-2.0
/*
 * Names of directories: every device name gives one that a file can have.
 */
#include <stdio.h>

#include "unit.h"
#include <rdmascope/dirname.h>

static void names(void **state)
{
	static const struct {
		const char *dev;
		u64 index;
		const char *dir;
	} rows[] = {
		{ "mlx5_0", RSCOPE_NONE, "mlx5_0" }, { "mlx5_0", 7, "mlx5_0@7" },
		{ "a/b", RSCOPE_NONE, "a!b" }, { "/", RSCOPE_NONE, "!" }, { "a//b/", 3, "a!!b!@3" },
		{ ".", 5, ".@5" }, { "..", 5, "..@5" }, { "a!b", RSCOPE_NONE, "a!b" },
		{ "a b\n%s", 0, "a b\n%s@0" }, { "../../etc", RSCOPE_NONE, "..!..!etc" },
	};
	char to[RSCOPE_DIRNAME_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		rscope_dirname(to, rows[i].dev, rows[i].index);
		assert_string_equal(to, rows[i].dir);
	}
}

static void longest(void **state)
{
	char dev[RSCOPE_WORD_MAX], to[RSCOPE_DIRNAME_MAX], want[RSCOPE_DIRNAME_MAX + 64];

	(void)state;
	memset(dev, 'n', sizeof(dev) - 1);
	dev[sizeof(dev) - 1] = '\0';
	rscope_dirname(to, dev, UINT32_MAX);
	snprintf(want, sizeof(want), "%s@4294967295", dev);
	assert_string_equal(to, want);
}

static void dots(void **state)
{
	static const char *const fine[] = { "", "...", ".a", "..a", "a.", "a..", ".!" };
	size_t i;

	(void)state;
	assert_true(rscope_dirname_dots("."));
	assert_true(rscope_dirname_dots(".."));
	for (i = 0; i < ARRAY_SIZE(fine); i++)
		assert_false(rscope_dirname_dots(fine[i]));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(names),
	cmocka_unit_test(longest),
	cmocka_unit_test(dots),
};

UNIT_MAIN(tests)
