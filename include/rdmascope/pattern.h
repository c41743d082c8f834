/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What are the bytes of a message, and are they what they must be?
 *
 * A payload describes itself: each aligned group of eight bytes holds the
 * operation number in its lower and the group's position in its upper half,
 * the QP in both, little endian, whitened with the seed of the run. A message
 * that is flipped somewhere, from another QP or up to 255 operations old is
 * found in every length from one byte on, a shifted one in eight. The principle
 * is that of drivers/dma/dmatest.c; the layout is ours.
 */
#ifndef RDMASCOPE_PATTERN_H
#define RDMASCOPE_PATTERN_H

#include "env.h"

/**
 * enum rscope_fill - what a region holds
 * @RSCOPE_FILL_PAYLOAD: the message of an operation
 * @RSCOPE_FILL_POISON: its complement: no byte of a poisoned destination is
 *	right by chance
 * @RSCOPE_FILL_GUARD: the bytes around a slot, one value in a run, so that a
 *	guard can be checked in any pieces
 */
enum rscope_fill { RSCOPE_FILL_PAYLOAD, RSCOPE_FILL_POISON, RSCOPE_FILL_GUARD };

/**
 * struct rscope_bytes - which bytes are meant
 * @seed: of the run
 * @op: operation number within its QP
 * @qp: QP pair
 * @fill: payload, poison or guard
 */
struct rscope_bytes {
	u64 seed;
	u64 op;
	u32 qp;
	enum rscope_fill fill;
};

/**
 * struct rscope_mismatch - bytes found wrong
 * @count: how many so far, over all calls
 * @offset: of the first one, in the message or guard
 * @expected: the byte that should be there
 * @got: the byte that is there
 */
struct rscope_mismatch {
	u64 count;
	u64 offset;
	u8 expected;
	u8 got;
};

/**
 * rscope_pattern_seed() - whitening of a run
 * @run_id: number of the run
 *
 * The finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable
 * Pseudorandom Number Generators, OOPSLA 2014): neighbouring runs share no
 * bytes, and the same run number gives the same bytes on both paths.
 */
static inline u64 rscope_pattern_seed(u64 run_id)
{
	u64 x = run_id + 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* Odd, so that the lowest byte alone tells 256 QPs apart at the same operation. */
#define RSCOPE_PATTERN_QP 0x9e3779b1U

/* The eight bytes of group @group, as the CPU sees them after a load. */
static __always_inline u64 rscope_pattern_word(const struct rscope_bytes *b, u64 group)
{
	u64 word;

	if (b->fill == RSCOPE_FILL_GUARD)
		word = 0x0101010101010101ULL * (u8)(b->seed ^ 0xa5);
	else
		word = b->seed ^ (((group + ((u64)b->qp << 24)) << 32) |
				  (u32)(b->op + b->qp * RSCOPE_PATTERN_QP));
	if (b->fill == RSCOPE_FILL_POISON)
		word = ~word;
	return (__force u64)cpu_to_le64(word);
}

static inline u8 rscope_pattern_byte(const struct rscope_bytes *b, u64 offset)
{
	u64 word = rscope_pattern_word(b, offset >> 3);

	return ((const u8 *)&word)[offset & 7];
}

/**
 * rscope_pattern_fill() - write a part of a message
 * @b: which bytes
 * @to: where, any alignment
 * @offset: of the part in the message
 * @len: of the part
 */
static inline void rscope_pattern_fill(const struct rscope_bytes *b, void *to, u64 offset,
				       size_t len)
{
	u8 *p = to;

	for (; len && (offset & 7); len--)
		*p++ = rscope_pattern_byte(b, offset++);
	for (; len >= 8; len -= 8, p += 8, offset += 8) {
		u64 word = rscope_pattern_word(b, offset >> 3);

		memcpy(p, &word, 8);
	}
	for (; len; len--)
		*p++ = rscope_pattern_byte(b, offset++);
}

static inline void rscope_mismatch_note(struct rscope_mismatch *m, u64 offset, u8 expected, u8 got)
{
	if (!m->count++) {
		m->offset = offset;
		m->expected = expected;
		m->got = got;
	}
}

static inline void rscope_pattern_check_bytes(const struct rscope_bytes *b, const u8 *p, u64 offset,
					      size_t len, struct rscope_mismatch *m)
{
	for (; len; len--, p++, offset++) {
		u8 expected = rscope_pattern_byte(b, offset);

		if (*p != expected)
			rscope_mismatch_note(m, offset, expected, *p);
	}
}

/**
 * rscope_pattern_check() - compare a part of a message with what it must be
 * @b: which bytes
 * @from: where, any alignment
 * @offset: of the part in the message
 * @len: of the part
 * @m: mismatches are added here; the first offset is kept
 */
static inline void rscope_pattern_check(const struct rscope_bytes *b, const void *from, u64 offset,
					size_t len, struct rscope_mismatch *m)
{
	const u8 *p = from;
	size_t head = (8 - (offset & 7)) & 7;

	if (head > len)
		head = len;
	rscope_pattern_check_bytes(b, p, offset, head, m);
	for (p += head, offset += head, len -= head; len >= 8; len -= 8, p += 8, offset += 8) {
		u64 word;

		memcpy(&word, p, 8);
		if (unlikely(word != rscope_pattern_word(b, offset >> 3)))
			rscope_pattern_check_bytes(b, p, offset, 8, m);
	}
	rscope_pattern_check_bytes(b, p, offset, len, m);
}

#endif /* RDMASCOPE_PATTERN_H */
