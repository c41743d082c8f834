// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of a CSV line: only what must be quoted is.
 */
#include "unit.h"
#include "csv.h"

static void fields(void **state)
{
	static const char *const rows[][2] = {
		{ "", "" }, { "12", "12" }, { "two words", "two words" }, { "a,b", "\"a,b\"" },
		{ "say \"no\"", "\"say \"\"no\"\"\"" }, { "a\nb", "\"a\nb\"" },
		{ "\r", "\"\r\"" }, { "\"", "\"\"\"\"" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char line[64] = "";
		struct rscope_text t = { .buf = line, .size = sizeof(line) };

		csv_field(&t, rows[i][0], true);
		assert_string_equal(line, rows[i][1]);
	}
}

static void commas_lie_between(void **state)
{
	char line[64] = "";
	struct rscope_text t = { .buf = line, .size = sizeof(line) };

	(void)state;
	csv_field(&t, "", true);
	csv_field(&t, "1", false);
	csv_field(&t, "", false);
	csv_field(&t, "x,y", false);
	assert_string_equal(line, ",1,,\"x,y\"");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(fields),
	cmocka_unit_test(commas_lie_between),
};

UNIT_MAIN(tests)
