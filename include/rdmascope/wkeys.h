/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What can be said about a run: the struct and the rows that the key table of
 * abi.h expands to, and what follows from one value alone.
 */
#ifndef RDMASCOPE_WKEYS_H
#define RDMASCOPE_WKEYS_H

#include "abi.h"
#include "env.h"

#define RSCOPE_W_MEMBER_I(key, word, min, max, def, unit, help) s64 key;
#define RSCOPE_W_MEMBER_E(key, word, table, prefix, def, help) s64 key;
#define RSCOPE_W_MEMBER_S(key, word, help) char key[RSCOPE_WORD_MAX];

/**
 * struct rscope_workload - one run; members as in RSCOPE_WORKLOAD_KEYS
 * @given: bit i set when key i of the table was given, not defaulted
 *
 * Enumerations hold the enum of abi.h. Filled by rscope_workload_parse(),
 * read-only after rscope_workload_validate().
 */
struct rscope_workload {
	RSCOPE_WORKLOAD_KEYS(RSCOPE_W_MEMBER_I, RSCOPE_W_MEMBER_E, RSCOPE_W_MEMBER_S)
	u64 given;
};

#define RSCOPE_W_KEY_I(key, word, min, max, def, unit, help) RSCOPE_W_##key,
#define RSCOPE_W_KEY_E(key, word, table, prefix, def, help) RSCOPE_W_##key,
#define RSCOPE_W_KEY_S(key, word, help) RSCOPE_W_##key,

enum rscope_workload_key {
	RSCOPE_WORKLOAD_KEYS(RSCOPE_W_KEY_I, RSCOPE_W_KEY_E, RSCOPE_W_KEY_S)
	RSCOPE_W_NR
};

#define RSCOPE_WORDS(name, TABLE) \
	static const char *const rscope_words_##name[] __maybe_unused = { TABLE(RSCOPE_WORD_OF) };

RSCOPE_WORDS(OPS, RSCOPE_OPS)
RSCOPE_WORDS(QP_TYPES, RSCOPE_QP_TYPES)
RSCOPE_WORDS(PATTERNS, RSCOPE_PATTERNS)
RSCOPE_WORDS(CQ_KINDS, RSCOPE_CQ_KINDS)
RSCOPE_WORDS(MR_KINDS, RSCOPE_MR_KINDS)
RSCOPE_WORDS(VERDICTS, RSCOPE_VERDICTS)
RSCOPE_WORDS(STAGES, RSCOPE_STAGES)
RSCOPE_WORDS(PATHS, RSCOPE_PATHS)
RSCOPE_WORDS(GID_TYPES, RSCOPE_GID_TYPES)
RSCOPE_WORDS(PROTOCOLS, RSCOPE_PROTOCOLS)
RSCOPE_WORDS(LINK_REASONS, RSCOPE_LINK_REASONS)
RSCOPE_WORDS(FAULTS, RSCOPE_FAULTS)

enum rscope_workload_kind { RSCOPE_W_INT, RSCOPE_W_ENUM, RSCOPE_W_STR };

/**
 * struct rscope_workload_row - one key of the table, for parser and --help
 * @key: name
 * @kind: integer, enumeration or string
 * @offset: of the member in struct rscope_workload
 * @min: smallest value
 * @max: largest value
 * @def: value when the key is not given
 * @words: of an enumeration, in the order of its enum
 * @nr_words: length of @words
 * @unit: of an integer
 * @help: one line
 */
struct rscope_workload_row {
	const char *key;
	enum rscope_workload_kind kind;
	u32 offset;
	s64 min;
	s64 max;
	s64 def;
	const char *const *words;
	u32 nr_words;
	const char *unit;
	const char *help;
};

#define RSCOPE_W_ROW_I(k, word_, min_, max_, def_, unit_, help_) \
	{ .key = word_, .kind = RSCOPE_W_INT, .offset = offsetof(struct rscope_workload, k), \
	  .min = min_, .max = max_, .def = def_, .unit = unit_, .help = help_ },
#define RSCOPE_W_ROW_E(k, word_, table, prefix, def_, help_) \
	{ .key = word_, .kind = RSCOPE_W_ENUM, .offset = offsetof(struct rscope_workload, k), \
	  .max = ARRAY_SIZE(rscope_words_##table) - 1, .def = def_, .words = rscope_words_##table, \
	  .nr_words = ARRAY_SIZE(rscope_words_##table), .unit = "", .help = help_ },
#define RSCOPE_W_ROW_S(k, word_, help_) \
	{ .key = word_, .kind = RSCOPE_W_STR, .offset = offsetof(struct rscope_workload, k), \
	  .unit = "", .help = help_ },

static const struct rscope_workload_row rscope_workload_rows[] __maybe_unused = {
	RSCOPE_WORKLOAD_KEYS(RSCOPE_W_ROW_I, RSCOPE_W_ROW_E, RSCOPE_W_ROW_S)
};

static inline s64 *rscope_workload_value(struct rscope_workload *w,
					 const struct rscope_workload_row *row)
{
	return (s64 *)((char *)w + row->offset);
}

static inline char *rscope_workload_string(struct rscope_workload *w,
					   const struct rscope_workload_row *row)
{
	return (char *)w + row->offset;
}

static inline bool rscope_workload_given(const struct rscope_workload *w,
					 enum rscope_workload_key key)
{
	return w->given & BIT_ULL(key);
}

static inline bool rscope_mtu_valid(s64 mtu)
{
	return mtu == 256 || mtu == 512 || mtu == 1024 || mtu == 2048 || mtu == 4096;
}

static inline bool rscope_op_is_atomic(s64 op)
{
	return op == RSCOPE_OP_CAS || op == RSCOPE_OP_FAA;
}

static inline bool rscope_op_is_send(s64 op)
{
	return op == RSCOPE_OP_SEND || op == RSCOPE_OP_SEND_IMM || op == RSCOPE_OP_SEND_INV;
}

/* An operation that consumes a receive at the passive side. */
static inline bool rscope_op_takes_recv(s64 op)
{
	return rscope_op_is_send(op) || op == RSCOPE_OP_WRITE_IMM;
}

/* It carries 32 bits that the receiver finds in its completion. */
static inline bool rscope_op_has_imm(s64 op)
{
	return op == RSCOPE_OP_SEND_IMM || op == RSCOPE_OP_WRITE_IMM;
}

/* Bytes travel from the passive to the active side. */
static inline bool rscope_op_is_inbound(s64 op)
{
	return op == RSCOPE_OP_READ || rscope_op_is_atomic(op);
}

/**
 * rscope_cq_sleeps() - class of a completion mode, equal on compared paths
 * @cq: enum rscope_cq
 *
 * Return: false for busy polling (poll, direct), true where completions are
 * announced (event, softirq, workqueue).
 */
static inline bool rscope_cq_sleeps(s64 cq)
{
	return cq != RSCOPE_CQ_POLL && cq != RSCOPE_CQ_DIRECT;
}

#endif /* RDMASCOPE_WKEYS_H */
