/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of cmocka's interface as these tests use, for machines cmocka is not
 * at hand for: a cross compiler and an emulator are enough. A failed assertion
 * ends the program, and so the plan is not fulfilled.
 */
#ifndef RDMASCOPE_SHIM_CMOCKA_H
#define RDMASCOPE_SHIM_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*run)(void **state);
};

static inline void shim_failed(const char *file, int line, const char *what)
{
	printf("# %s:%d: %s\nnot ok - failed\n", file, line, what);
	exit(1);
}

#define shim_must(truth, what) \
do { \
	if (!(truth)) \
		shim_failed(__FILE__, __LINE__, what); \
} while (0)

static inline int shim_in_range(unsigned long long v, unsigned long long low,
				unsigned long long high)
{
	return v >= low && v <= high;
}

#define assert_true(c) shim_must(c, #c)
#define assert_false(c) shim_must(!(c), "not " #c)
#define assert_int_equal(a, b) \
	shim_must((unsigned long long)(a) == (unsigned long long)(b), #a " == " #b)
#define assert_int_not_equal(a, b) \
	shim_must((unsigned long long)(a) != (unsigned long long)(b), #a " != " #b)
#define assert_ptr_equal(a, b) shim_must((a) == (b), #a " == " #b)
#define assert_null(p) shim_must(!(p), #p " is NULL")
#define assert_non_null(p) shim_must(p, #p " is not NULL")
#define assert_string_equal(a, b) shim_must(!strcmp(a, b), #a " equals " #b)
#define assert_string_not_equal(a, b) shim_must(strcmp(a, b), #a " differs from " #b)
#define assert_memory_equal(a, b, n) shim_must(!memcmp(a, b, n), #a " equals " #b)
#define assert_in_range(v, low, high) shim_must(shim_in_range(v, low, high), #v " in range")
#define fail() shim_failed(__FILE__, __LINE__, "fail()")
#define fail_msg(...) \
do { \
	printf("# " __VA_ARGS__); \
	printf("\n"); \
	shim_failed(__FILE__, __LINE__, "fail_msg()"); \
} while (0)

#define cmocka_unit_test(f) { #f, f }
#define cmocka_run_group_tests(tests, setup, teardown) \
	shim_run(tests, sizeof(tests) / sizeof((tests)[0]))

static inline int shim_run(const struct CMUnitTest *tests, size_t n)
{
	void *state = NULL;
	size_t i;

	printf("1..%zu\n", n);
	for (i = 0; i < n; i++) {
		fflush(stdout);
		tests[i].run(&state);
		printf("ok %zu - %s\n", i + 1, tests[i].name);
	}
	return 0;
}

#endif /* RDMASCOPE_SHIM_CMOCKA_H */
