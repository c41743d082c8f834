/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What must an operation have done beside moving its bytes? Immediate data at the
 * receiver; what an atomic leaves behind. Both follow from the payload of the
 * operation, so that nothing is believed because the device says so.
 */
#ifndef RDMASCOPE_EFFECT_H
#define RDMASCOPE_EFFECT_H

#include "abi.h"
#include "pattern.h"

/* Carries into every byte, and beyond the highest one for most values. */
#define RSCOPE_EFFECT_ADD 0xf1f2f3f4f5f6f7f9ULL

/**
 * rscope_effect_imm() - immediate data of an operation
 * @b: its payload
 *
 * Return: immediate data in the order of the CPU; it differs from one operation
 * to the next, and between the QPs of a run.
 */
static inline u32 rscope_effect_imm(const struct rscope_bytes *b)
{
	return (u32)rscope_pattern_word(b, 0);
}

/**
 * rscope_effect_old() - value an atomic operation finds
 * @b: its payload, which lies at the remote end
 *
 * Return: the value as a CPU load sees it.
 */
static inline u64 rscope_effect_old(const struct rscope_bytes *b)
{
	u8 bytes[8];
	u64 old;

	rscope_pattern_fill(b, bytes, 0, sizeof(bytes));
	memcpy(&old, bytes, sizeof(old));
	return old;
}

/**
 * rscope_effect_operand() - what an atomic operation adds, or compares with
 * @op: enum rscope_op, cas or faa
 * @b: payload
 *
 * Every second comparison fails, so that both outcomes are seen.
 *
 * Return: the operand.
 */
static inline u64 rscope_effect_operand(s64 op, const struct rscope_bytes *b)
{
	u64 old = rscope_effect_old(b);

	if (op == RSCOPE_OP_FAA)
		return RSCOPE_EFFECT_ADD;
	return b->op & 1 ? ~old : old;
}

/**
 * rscope_effect_swap() - what a successful comparison stores
 * @b: payload
 *
 * Return: a value no byte of which is that of the old one.
 */
static inline u64 rscope_effect_swap(const struct rscope_bytes *b)
{
	return rscope_effect_old(b) ^ 0xa5a5a5a5a5a5a5a5ULL;
}

/**
 * rscope_effect_new() - value an atomic operation leaves behind
 * @op: enum rscope_op, cas or faa
 * @b: payload
 *
 * InfiniBand specification 1.4, section 9.4.5: the sum is taken modulo 2^64, the
 * swap happens when the comparison finds equality and not otherwise.
 *
 * Return: the value as a CPU load must see it.
 */
static inline u64 rscope_effect_new(s64 op, const struct rscope_bytes *b)
{
	if (op == RSCOPE_OP_FAA)
		return rscope_effect_old(b) + RSCOPE_EFFECT_ADD;
	return b->op & 1 ? rscope_effect_old(b) : rscope_effect_swap(b);
}

/**
 * rscope_effect_compare() - is a value what it must be?
 * @want: what it must be
 * @got: what it is
 * @len: bytes
 * @m: mismatches are added
 */
static inline void rscope_effect_compare(const void *want, const void *got, u32 len,
					 struct rscope_mismatch *m)
{
	const u8 *a = want, *b = got;
	u32 i;

	for (i = 0; i < len; i++) {
		if (a[i] == b[i])
			continue;
		if (!m->count++) {
			m->offset = i;
			m->expected = a[i];
			m->got = b[i];
		}
	}
}

#endif /* RDMASCOPE_EFFECT_H */
