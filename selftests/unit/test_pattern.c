// SPDX-License-Identifier: GPL-2.0
/*
 * The payload: the same bytes however it is cut, and every kind of wrong data
 * found.
 */
#include <stdio.h>

#include "unit.h"
#include <rdmascope/pattern.h>

#define LEN_MAX 300

/* Room for the message at any alignment, with canaries around it. */
static u8 area[LEN_MAX + 64];
static u8 whole[LEN_MAX + 64];

static struct rscope_bytes bytes_of(u64 seed, u32 qp, u64 op, enum rscope_fill fill)
{
	struct rscope_bytes b = { .seed = seed, .op = op, .qp = qp, .fill = fill };

	return b;
}

static struct rscope_bytes payload(u32 qp, u64 op)
{
	return bytes_of(rscope_pattern_seed(42), qp, op, RSCOPE_FILL_PAYLOAD);
}

static u64 mismatches(const struct rscope_bytes *b, const void *p, size_t len)
{
	struct rscope_mismatch m = { 0 };

	rscope_pattern_check(b, p, 0, len, &m);
	return m.count;
}

/* Bytes written out, so that a machine of the other byte order must agree. */
static void known_answers(void **state)
{
	static const u8 plain[16] = { 0x88, 0x77, 0x66, 0x55, 0, 0, 0, 0,
				      0x88, 0x77, 0x66, 0x55, 1, 0, 0, 0 };
	static const u8 poison[8] = { 0x77, 0x88, 0x99, 0xaa, 0xff, 0xff, 0xff, 0xff };
	static const u8 guard[16] = { 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5,
				      0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5 };
	struct rscope_bytes b = bytes_of(0, 0, 0x55667788, RSCOPE_FILL_PAYLOAD);

	(void)state;
	rscope_pattern_fill(&b, area, 0, 16);
	assert_memory_equal(area, plain, 16);
	b.fill = RSCOPE_FILL_POISON;
	rscope_pattern_fill(&b, area, 0, 8);
	assert_memory_equal(area, poison, 8);
	b.fill = RSCOPE_FILL_GUARD;
	rscope_pattern_fill(&b, area, 0, 16);
	assert_memory_equal(area, guard, 16);
}

/* The first outputs of SplitMix64, as its authors' code gives them. */
static void known_seeds(void **state)
{
	(void)state;
	assert_true(rscope_pattern_seed(0) == 0xe220a8397b1dcdafULL);
	assert_true(rscope_pattern_seed(0x9e3779b97f4a7c15ULL) == 0x6e789e6aa1b965f4ULL);
	assert_true(rscope_pattern_seed(1) != rscope_pattern_seed(2));
}

static void seed_whitens(void **state)
{
	static const u8 want[8] = { 0xaf, 0xcd, 0x1d, 0x7b, 0x39, 0xa8, 0x20, 0xe2 };
	struct rscope_bytes b = bytes_of(rscope_pattern_seed(0), 0, 0, RSCOPE_FILL_PAYLOAD);

	(void)state;
	rscope_pattern_fill(&b, area, 0, 8);
	assert_memory_equal(area, want, 8);
}

static void any_alignment_and_length(void **state)
{
	size_t align, len, i;

	(void)state;
	for (align = 0; align < 16; align++) {
		for (len = 0; len <= LEN_MAX; len++) {
			struct rscope_bytes b = payload(3, align * 1000 + len);
			u8 *p = area + 16 + align;

			memset(area, 0xee, sizeof(area));
			rscope_pattern_fill(&b, p, 0, len);
			for (i = 0; i < len; i++)
				assert_int_equal(p[i], rscope_pattern_byte(&b, i));
			for (i = 0; i < 16; i++)
				assert_true(p[-1 - (long)i] == 0xee && p[len + i] == 0xee);
			assert_int_equal(mismatches(&b, p, len), 0);
		}
	}
}

static void pieces_equal_the_whole(void **state)
{
	struct rscope_bytes b = payload(1, 77);
	u64 seed = 5;
	int n;

	(void)state;
	rscope_pattern_fill(&b, whole, 0, LEN_MAX);
	for (n = 0; n < 5000; n++) {
		struct rscope_mismatch m = { 0 };
		u64 at = 0, next;

		memset(area, 0, sizeof(area));
		for (; at < LEN_MAX; at = next) {
			next = at + unit_range(&seed, 1, LEN_MAX - at);
			rscope_pattern_fill(&b, area + at, at, next - at);
			rscope_pattern_check(&b, whole + at, at, next - at, &m);
		}
		assert_memory_equal(area, whole, LEN_MAX);
		assert_int_equal(m.count, 0);
	}
}

static void far_offsets(void **state)
{
	static const u64 at[] = { 4095, 4096, 65537, 1 << 20, (1ULL << 27) - 9, (1ULL << 27) - 8 };
	struct rscope_bytes b = payload(127, 3);
	size_t i, n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		struct rscope_mismatch m = { 0 };

		rscope_pattern_fill(&b, area, at[i], 100);
		for (n = 0; n < 100; n++)
			assert_int_equal(area[n], rscope_pattern_byte(&b, at[i] + n));
		area[50] ^= 1;
		rscope_pattern_check(&b, area, at[i], 100, &m);
		assert_int_equal(m.count, 1);
		assert_int_equal(m.offset, at[i] + 50);
	}
}

static void assert_flip_found(size_t len, size_t at, u8 bit)
{
	struct rscope_bytes b = payload(0, len);
	struct rscope_mismatch m = { 0 };
	u8 right;

	rscope_pattern_fill(&b, area, 0, len);
	right = area[at];
	area[at] ^= bit;
	rscope_pattern_check(&b, area, 0, len, &m);
	assert_int_equal(m.count, 1);
	assert_int_equal(m.offset, at);
	assert_int_equal(m.expected, right);
	assert_int_equal(m.got, right ^ bit);
}

static void flipped_bit_is_found(void **state)
{
	size_t len;
	int bit;

	(void)state;
	for (len = 1; len <= LEN_MAX; len++) {
		for (bit = 0; bit < 8; bit++) {
			assert_flip_found(len, 0, (u8)(1 << bit));
			assert_flip_found(len, len / 2, (u8)(1 << bit));
			assert_flip_found(len, len - 1, (u8)(1 << bit));
		}
	}
}

static void first_of_many_is_kept(void **state)
{
	struct rscope_bytes b = payload(0, 9);
	struct rscope_mismatch m = { 0 };

	(void)state;
	rscope_pattern_fill(&b, area, 0, 64);
	area[20] ^= 0xff;
	area[23] ^= 0xff;
	area[40] ^= 0xff;
	rscope_pattern_check(&b, area, 0, 64, &m);
	assert_int_equal(m.count, 3);
	assert_int_equal(m.offset, 20);
	/* Another region adds to the count and leaves the first one. */
	area[1] ^= 0xff;
	rscope_pattern_check(&b, area, 0, 8, &m);
	assert_int_equal(m.count, 4);
	assert_int_equal(m.offset, 20);
}

static void poison_is_wrong_everywhere(void **state)
{
	struct rscope_bytes b = payload(2, 123456789);
	size_t len;

	(void)state;
	for (len = 1; len <= LEN_MAX; len++) {
		b.fill = RSCOPE_FILL_POISON;
		rscope_pattern_fill(&b, area, 0, len);
		b.fill = RSCOPE_FILL_PAYLOAD;
		assert_int_equal(mismatches(&b, area, len), len);
	}
}

/* Is the message of @other found to be wrong in place of that of @b? */
static bool told_apart(const struct rscope_bytes *b, const struct rscope_bytes *other, size_t len)
{
	rscope_pattern_fill(other, area, 0, len);
	return mismatches(b, area, len) != 0;
}

static void stale_operation_is_found(void **state)
{
	static const u32 depth[] = { 1, 2, 3, 16, 127, 128, 256, 1000, 16384 };
	size_t len, i;

	(void)state;
	for (len = 4; len <= LEN_MAX; len += len < 16 ? 1 : 37) {
		for (i = 0; i < ARRAY_SIZE(depth); i++) {
			struct rscope_bytes b = payload(0, 20000);
			struct rscope_bytes old = payload(0, 20000 - depth[i]);

			assert_true(told_apart(&b, &old, len));
		}
	}
}

/* One byte holds 256 operations: the one before is found, that 256 back is not. */
static void stale_single_bytes(void **state)
{
	u64 op, back;

	(void)state;
	for (op = 1000; op < 1300; op++) {
		struct rscope_bytes b = payload(0, op);

		for (back = 1; back < 256; back++) {
			struct rscope_bytes old = payload(0, op - back);

			assert_true(told_apart(&b, &old, 1));
		}
	}
}

static void other_qp_is_found_from_eight_bytes(void **state)
{
	size_t len;
	u32 qp;

	(void)state;
	for (len = 8; len <= LEN_MAX; len += 17) {
		for (qp = 1; qp < 128; qp++) {
			struct rscope_bytes b = payload(0, 5), foreign = payload(qp, 5);

			assert_true(told_apart(&b, &foreign, len));
			assert_true(told_apart(&foreign, &b, len));
		}
	}
}

static void other_qp_is_found_in_one_byte(void **state)
{
	size_t len;
	u32 a, b;

	(void)state;
	for (len = 1; len < 8; len++) {
		for (a = 0; a < 128; a++) {
			for (b = 0; b < a; b++) {
				struct rscope_bytes own = payload(a, 5), foreign = payload(b, 5);

				assert_true(told_apart(&own, &foreign, len));
			}
		}
	}
}

static void shift_is_found(void **state)
{
	size_t len, by;
	u64 run;

	(void)state;
	for (run = 1; run <= 200; run++) {
		struct rscope_bytes b = bytes_of(rscope_pattern_seed(run), 0, run * 3,
						 RSCOPE_FILL_PAYLOAD);

		for (len = 8; len <= LEN_MAX - 16; len += 13) {
			rscope_pattern_fill(&b, area, 0, LEN_MAX);
			for (by = 1; by <= 16; by++) {
				assert_true(mismatches(&b, area + by, len));
				memmove(whole + by, area, len);
				memcpy(whole, area, by);
				/* Fewer than eight moved bytes may be right by chance. */
				assert_true(len < by + 8 || mismatches(&b, whole, len));
			}
		}
	}
}

/* A part that begins within a group and holds what belongs before it. */
static void shifted_part_is_found(void **state)
{
	struct rscope_bytes b = payload(0, 12);
	u64 offset;

	(void)state;
	rscope_pattern_fill(&b, area, 0, 64);
	for (offset = 1; offset < 16; offset++) {
		struct rscope_mismatch m = { 0 };

		rscope_pattern_check(&b, area, offset, 8, &m);
		assert_true(m.count != 0);
		assert_in_range(m.offset, offset, offset + 7);
	}
}

static void other_run_is_found(void **state)
{
	u64 run, len;

	(void)state;
	for (run = 1; run < 1000; run++) {
		struct rscope_bytes b = bytes_of(rscope_pattern_seed(run), 0, 1,
						 RSCOPE_FILL_PAYLOAD);
		struct rscope_bytes old = bytes_of(rscope_pattern_seed(run - 1), 0, 1,
						   RSCOPE_FILL_PAYLOAD);

		for (len = 8; len < 64; len += 8)
			assert_true(told_apart(&b, &old, len));
	}
}

static void guard_is_no_payload(void **state)
{
	u64 op;

	(void)state;
	for (op = 0; op < 1000; op++) {
		struct rscope_bytes b = payload(0, op), guard = payload(0, op);

		guard.fill = RSCOPE_FILL_GUARD;
		assert_true(told_apart(&guard, &b, 8));
	}
}

static void guard_is_the_same_for_every_operation(void **state)
{
	struct rscope_bytes a = bytes_of(7, 0, 1, RSCOPE_FILL_GUARD);
	struct rscope_bytes b = bytes_of(7, 3, 99, RSCOPE_FILL_GUARD);

	(void)state;
	assert_false(told_apart(&a, &b, 64));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(known_answers),
	cmocka_unit_test(known_seeds),
	cmocka_unit_test(seed_whitens),
	cmocka_unit_test(any_alignment_and_length),
	cmocka_unit_test(pieces_equal_the_whole),
	cmocka_unit_test(far_offsets),
	cmocka_unit_test(flipped_bit_is_found),
	cmocka_unit_test(first_of_many_is_kept),
	cmocka_unit_test(poison_is_wrong_everywhere),
	cmocka_unit_test(stale_operation_is_found),
	cmocka_unit_test(stale_single_bytes),
	cmocka_unit_test(other_qp_is_found_from_eight_bytes),
	cmocka_unit_test(other_qp_is_found_in_one_byte),
	cmocka_unit_test(shift_is_found),
	cmocka_unit_test(shifted_part_is_found),
	cmocka_unit_test(other_run_is_found),
	cmocka_unit_test(guard_is_no_payload),
	cmocka_unit_test(guard_is_the_same_for_every_operation),
};

UNIT_MAIN(tests)
