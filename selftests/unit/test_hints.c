// SPDX-License-Identifier: GPL-2.0
/*
 * Advice on errors: the exit status fits, and every option that is named exists.
 */
#include <ctype.h>
#include <stdio.h>

#include "unit.h"
#include <rdmascope/workload.h>

#include "exits.h"
#include "hints.h"
#include "words.h"

#define ALL_FACTS 64

static struct facts facts_of(u32 bits)
{
	struct facts f = {
		.root = bits & 1, .lockdown = bits & 2, .debugfs = bits & 4,
		.module = bits & 8, .rdma = bits & 16, .uverbs = bits & 32,
	};

	return f;
}

static const struct facts well = {
	.root = true, .debugfs = true, .module = true, .rdma = true, .uverbs = true,
};

/* The tool takes --gid-index for --gid_index. */
static bool same_name(const char *name, const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < len && name[i]; i++)
		if (name[i] != word[i] && (name[i] != '_' || word[i] != '-'))
			return false;
	return i == len && !name[i];
}

static bool is_option(const char *word, size_t len)
{
	static const char *const own[] = { "path", "json", "help", "all", "fault", "raw",
					  "netdev", "details" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(own); i++)
		if (same_name(own[i], word, len))
			return true;
	for (i = 0; i < RSCOPE_W_NR; i++)
		if (same_name(rscope_workload_rows[i].key, word, len))
			return true;
	return false;
}

static void assert_options(const char *text)
{
	const char *p;
	size_t len;

	for (p = strstr(text, "--"); p; p = strstr(p + 2, "--")) {
		for (len = 0; isalnum(p[2 + len]) || p[2 + len] == '_' || p[2 + len] == '-';)
			len++;
		if (!is_option(p + 2, len))
			fail_msg("\"%s\" names an option that does not exist", text);
	}
}

static void assert_sound(const struct hint *h)
{
	assert_non_null(h);
	assert_in_range(h->status, EXIT_FAIL, EXIT_BUSY);
	assert_options(h->cause);
	assert_options(h->next);
}

static void every_error_in_every_situation(void **state)
{
	u32 bits;
	int step, err;

	for (bits = 0; bits < ALL_FACTS; bits++) {
		struct facts f = facts_of(bits);

		for (step = 0; step < STEP_NR; step++) {
			for (err = 1; err < 134; err++) {
				const struct hint *h = hints_find(step, err, &f);

				assert_sound(h);
				assert_ptr_equal(h, hints_find(step, -err, &f));
			}
		}
	}
}

static int status_of(enum step step, int err, const struct facts *f)
{
	return hints_find(step, err, f)->status;
}

static void statuses_of_the_plan(void **state)
{
	struct facts f = well;

	f.root = false;
	assert_int_equal(status_of(STEP_MODULE, EACCES, &f), EXIT_PERMIT);
	assert_int_equal(status_of(STEP_START, EACCES, &f), EXIT_PERMIT);
	f = well;
	f.lockdown = true;
	assert_int_equal(status_of(STEP_START, EPERM, &f), EXIT_PERMIT);
	f = well;
	f.module = false;
	assert_int_equal(status_of(STEP_MODULE, ENOENT, &f), EXIT_UNSUPPORTED);
	assert_int_equal(status_of(STEP_TEXT, EPROTONOSUPPORT, &well), EXIT_UNSUPPORTED);
	assert_int_equal(status_of(STEP_START, EBUSY, &well), EXIT_BUSY);
	assert_int_equal(status_of(STEP_DEVICE, ENODEV, &well), EXIT_NODEV);
	assert_int_equal(status_of(STEP_START, ENODEV, &well), EXIT_NODEV);
	assert_int_equal(status_of(STEP_SETUP, EPERM, &well), EXIT_PERMIT);
	assert_int_equal(status_of(STEP_SETUP, EIO, &well), EXIT_FAIL);
	assert_int_equal(status_of(STEP_START, EIO, &well), EXIT_NODEV);
}

static void every_completion_status(void **state)
{
	u32 v;

	for (v = 1; v < 23; v++) {
		const struct hint *h = hints_wc(words_wc_status(v));

		if (h)
			assert_sound(h);
	}
	assert_non_null(hints_wc("transport retry counter exceeded"));
	assert_non_null(hints_wc("RNR retry counter exceeded"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_error_in_every_situation),
	cmocka_unit_test(statuses_of_the_plan),
	cmocka_unit_test(every_completion_status),
};

UNIT_MAIN(tests)
