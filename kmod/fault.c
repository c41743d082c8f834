// SPDX-License-Identifier: GPL-2.0
/*
 * What shall fail next? One-shot failure points that tests arm through the
 * fault file. Without module parameter fault_points=1 there is no such file
 * and every point is a no-op in the code.
 */
#include <linux/atomic.h>
#include "fault.h"
#include "workload.h"

DEFINE_STATIC_KEY_FALSE(rscope_fault_key);

/* 0 = not armed, else argument + 1. */
static atomic64_t rscope_armed[RSCOPE_FAULT_NR];

/**
 * rscope_fault_take() - disarm a point
 * @point: which
 * @arg: its argument, may be NULL
 *
 * Context: any.
 * Return: whether it was armed.
 */
bool rscope_fault_take(enum rscope_fault point, u64 *arg)
{
	s64 v = atomic64_xchg(&rscope_armed[point], 0);

	if (!v)
		return false;
	if (arg)
		*arg = v - 1;
	return true;
}

/**
 * rscope_fault_count() - let an armed point come one step nearer
 * @point: which; its argument n means: the n-th call fails
 *
 * Context: any, several threads at once.
 * Return: whether this is the call that fails: true for one of them.
 */
bool rscope_fault_count(enum rscope_fault point)
{
	if (atomic64_dec_if_positive(&rscope_armed[point]) != 1)
		return false;
	/* Another thread may have taken the last step already. */
	atomic64_cmpxchg(&rscope_armed[point], 1, 0);
	return true;
}

/**
 * rscope_fault_arm() - execute a line POINT=ARG
 * @buf: the line, LF included
 * @len: its length
 * @e: reason
 *
 * Context: process.
 * Return: 0, -EINVAL or -ERANGE.
 */
int rscope_fault_arm(const char *buf, size_t len, struct rscope_error *e)
{
	const char *eq = memchr(buf, '=', len);
	int err = rscope_line_check(buf, len, e);
	s64 arg;
	u32 i;

	if (err)
		return err;
	if (!eq)
		return rscope_fail(e, -EINVAL, "not POINT=ARG");
	err = rscope_parse_int(eq + 1, buf + len - 1 - (eq + 1), &arg);
	if (err || arg < 0)
		return rscope_fail(e, -EINVAL, "ARG is not a number from 0");
	for (i = 0; i < RSCOPE_FAULT_NR; i++) {
		if (!rscope_word_is(buf, eq - buf, rscope_words_FAULTS[i]))
			continue;
		atomic64_set(&rscope_armed[i], arg + 1);
		return 0;
	}
	return rscope_fail(e, -EINVAL, "unknown failure point");
}

/**
 * rscope_fault_show() - list the points and what is armed
 * @b: destination
 *
 * Context: process.
 */
void rscope_fault_show(struct rscope_buf *b)
{
	struct rscope_point {
		char point[16];
		u64 arg;
	} p;
	const struct rscope_field fields[] = {
		RSCOPE_ROW(rscope_point, point, RSCOPE_KIND_TEXT, 1)
		RSCOPE_ROW(rscope_point, arg, RSCOPE_KIND_NUM, 1)
	};
	u32 i;

	for (i = 0; i < RSCOPE_FAULT_NR; i++) {
		s64 v = atomic64_read(&rscope_armed[i]);

		strscpy(p.point, rscope_words_FAULTS[i], sizeof(p.point));
		p.arg = v ? v - 1 : RSCOPE_NONE;
		rscope_buf_record(b, "fault", fields, ARRAY_SIZE(fields), &p);
	}
}

/**
 * rscope_fault_enable() - make the points live, once, at load
 *
 * Context: process, may sleep.
 */
void rscope_fault_enable(void)
{
	static_branch_enable(&rscope_fault_key);
}
