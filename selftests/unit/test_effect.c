// SPDX-License-Identifier: GPL-2.0
/*
 * What operations leave behind beside their bytes, against a responder written down
 * once more: the sum wraps, every second comparison fails, immediate data tells
 * operations and QPs apart.
 */
#include "unit.h"
#include <rdmascope/effect.h>

/* What a responder does to the eight bytes at the address it was given. */
static void respond(s64 op, u8 *memory, u64 operand, u64 swap)
{
	u64 value;

	memcpy(&value, memory, sizeof(value));
	if (op == RSCOPE_OP_FAA)
		value += operand;
	else if (value == operand)
		value = swap;
	memcpy(memory, &value, sizeof(value));
}

static struct rscope_bytes payload(u64 seed, u32 qp, u64 op)
{
	return (struct rscope_bytes){ .seed = seed, .qp = qp, .op = op };
}

static void atomics_match_a_responder(void **state)
{
	u64 seed = 5, op, want, changed[2] = { 0 };
	u8 memory[8], before[8];
	s64 kind;

	(void)state;
	for (op = 0; op < 2000; op++) {
		for (kind = RSCOPE_OP_CAS; kind <= RSCOPE_OP_FAA; kind++) {
			struct rscope_bytes b = payload(unit_random(&seed), (u32)op % 7, op);
			struct rscope_mismatch m = { 0 };

			rscope_pattern_fill(&b, memory, 0, sizeof(memory));
			memcpy(before, memory, sizeof(before));
			respond(kind, memory, rscope_effect_operand(kind, &b),
				rscope_effect_swap(&b));
			want = rscope_effect_new(kind, &b);
			rscope_effect_compare(&want, memory, sizeof(want), &m);
			assert_int_equal(m.count, 0);
			changed[kind == RSCOPE_OP_FAA] += !!memcmp(memory, before, sizeof(before));
			if (kind == RSCOPE_OP_CAS)
				assert_int_equal(!memcmp(memory, before, sizeof(before)), op & 1);
		}
	}
	/* Half of the comparisons, every addition. */
	assert_int_equal(changed[0], 1000);
	assert_int_equal(changed[1], 2000);
}

/* Nothing done at all is found, whatever the value was. */
static void an_atomic_that_did_nothing_is_found(void **state)
{
	u64 seed = 7, n, want;
	u8 memory[8];

	(void)state;
	for (n = 0; n < 1000; n++) {
		struct rscope_bytes b = payload(unit_random(&seed), 1, 2 * n);
		struct rscope_mismatch m = { 0 };

		rscope_pattern_fill(&b, memory, 0, sizeof(memory));
		want = rscope_effect_new(n & 1 ? RSCOPE_OP_CAS : RSCOPE_OP_FAA, &b);
		rscope_effect_compare(&want, memory, sizeof(want), &m);
		assert_true(m.count >= 1);
		if (n & 1)
			assert_int_equal(m.count, 8);
	}
}

static void additions_wrap(void **state)
{
	u64 seed = 11, n, wrapped = 0;

	(void)state;
	for (n = 0; n < 1000; n++) {
		struct rscope_bytes b = payload(unit_random(&seed), 0, n);

		wrapped += rscope_effect_new(RSCOPE_OP_FAA, &b) < rscope_effect_old(&b);
	}
	assert_true(wrapped > 500 && wrapped < 1000);
}

static void immediates_tell_operations_apart(void **state)
{
	u64 op;
	u32 qp;

	(void)state;
	for (qp = 0; qp < 8; qp++) {
		for (op = 0; op < 300; op++) {
			struct rscope_bytes a = payload(1, qp, op), next = payload(1, qp, op + 1);
			struct rscope_bytes other = payload(1, qp + 1, op);

			assert_int_not_equal(rscope_effect_imm(&a), rscope_effect_imm(&next));
			assert_int_not_equal(rscope_effect_imm(&a), rscope_effect_imm(&other));
		}
	}
}

static void first_wrong_byte_is_told(void **state)
{
	u8 want[4] = { 1, 2, 3, 4 }, got[4] = { 1, 9, 3, 8 };
	struct rscope_mismatch m = { 0 };

	(void)state;
	rscope_effect_compare(want, got, sizeof(want), &m);
	assert_int_equal(m.count, 2);
	assert_int_equal(m.offset, 1);
	assert_int_equal(m.expected, 2);
	assert_int_equal(m.got, 9);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(atomics_match_a_responder),
	cmocka_unit_test(an_atomic_that_did_nothing_is_found),
	cmocka_unit_test(additions_wrap),
	cmocka_unit_test(immediates_tell_operations_apart),
	cmocka_unit_test(first_wrong_byte_is_told),
};

UNIT_MAIN(tests)
