/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What shall be run? A line of key=value words, its parser, its printer and
 * the rules that need no device. The keys themselves are in wkeys.h.
 */
#ifndef RDMASCOPE_WORKLOAD_H
#define RDMASCOPE_WORKLOAD_H

#include "abi.h"
#include "env.h"
#include "record.h"
#include "wkeys.h"

static inline void rscope_workload_init(struct rscope_workload *w)
{
	const struct rscope_workload_row *row = rscope_workload_rows;
	u32 i;

	memset(w, 0, sizeof(*w));
	for (i = 0; i < RSCOPE_W_NR; i++, row++)
		if (row->kind != RSCOPE_W_STR)
			*rscope_workload_value(w, row) = row->def;
}

/* ------------------------------------------------------------------ parser */

/**
 * rscope_line_check() - is this exactly one command line?
 * @buf: what was written
 * @len: its length
 * @e: reason when it is not
 *
 * Return: 0 or -EINVAL.
 */
static inline int rscope_line_check(const char *buf, size_t len, struct rscope_error *e)
{
	const char *lf = len ? memchr(buf, '\n', len) : NULL;

	if (len > RSCOPE_LINE_MAX)
		return rscope_fail(e, -EINVAL, "line of %zu bytes, at most %d", len,
				   RSCOPE_LINE_MAX);
	if (len && memchr(buf, '\0', len))
		return rscope_fail(e, -EINVAL, "NUL byte in the line");
	if (!lf)
		return rscope_fail(e, -EINVAL, "no LF at the end: one write must be one line");
	if (lf != buf + len - 1)
		return rscope_fail(e, -EINVAL,
				   "%zu bytes behind the first LF: one write must be one line",
				   len - 1 - (size_t)(lf - buf));
	return 0;
}

static inline bool rscope_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool rscope_word_is(const char *word, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(word, name, len);
}

/* Quote only what is harmless on a terminal and in a log. */
static inline void rscope_quote(const char *word, size_t len, char *to, size_t size)
{
	struct rscope_text t = { .buf = to, .size = size };
	size_t i;

	to[0] = '\0';
	for (i = 0; i < len && t.len + 8 < size; i++)
		rscope_putc(&t, word[i] > 0x20 && word[i] < 0x7f ? word[i] : '?');
	if (i < len)
		rscope_puts(&t, "...");
}

/**
 * rscope_parse_int() - a decimal integer and nothing else
 * @word: first byte
 * @len: length, all of it must be the number
 * @value: result
 *
 * Stricter than kstrtoll(): no sign but a leading '-', no base prefix.
 *
 * Return: 0, -EINVAL when it is no number, -ERANGE when it exceeds 64 bits.
 */
static inline int rscope_parse_int(const char *word, size_t len, s64 *value)
{
	bool negative = len && word[0] == '-';
	u64 v = 0;
	bool big = false;
	size_t i = negative;

	if (i == len)
		return -EINVAL;
	for (; i < len; i++) {
		if (word[i] < '0' || word[i] > '9')
			return -EINVAL;
		if (v > 922337203685477579ULL)
			big = true;
		v = v * 10 + (u64)(word[i] - '0');
	}
	if (big)
		return -ERANGE;
	*value = negative ? -(s64)v : (s64)v;
	return 0;
}

static inline int rscope_parse_int_key(const struct rscope_workload_row *row, const char *value,
				       size_t len, s64 *to, struct rscope_error *e)
{
	char shown[40];
	int err;

	rscope_quote(value, len, shown, sizeof(shown));
	err = rscope_parse_int(value, len, to);
	if (err == -EINVAL)
		return rscope_fail(e, -EINVAL, "%s=%s: not a decimal integer", row->key, shown);
	if (err || *to < row->min || *to > row->max)
		return rscope_fail(e, -ERANGE, "%s=%s: out of range %lld..%lld", row->key, shown,
				   row->min, row->max);
	return 0;
}

static inline int rscope_parse_enum_key(const struct rscope_workload_row *row, const char *value,
					size_t len, s64 *to, struct rscope_error *e)
{
	struct rscope_text t = { .buf = e->msg, .size = sizeof(e->msg) };
	char shown[40];
	u32 i;

	for (i = 0; i < row->nr_words; i++) {
		if (rscope_word_is(value, len, row->words[i])) {
			*to = i;
			return 0;
		}
	}
	rscope_quote(value, len, shown, sizeof(shown));
	rscope_puts(&t, row->key);
	rscope_puts(&t, "=");
	rscope_puts(&t, shown);
	rscope_puts(&t, ": not one of");
	for (i = 0; i < row->nr_words; i++) {
		rscope_puts(&t, " ");
		rscope_puts(&t, row->words[i]);
	}
	e->err = -EINVAL;
	return e->err;
}

static inline int rscope_parse_str_key(const struct rscope_workload_row *row, const char *value,
				       size_t len, char *to, struct rscope_error *e)
{
	size_t i;

	if (len >= RSCOPE_WORD_MAX)
		return rscope_fail(e, -ERANGE, "%s: %zu bytes, at most %d", row->key, len,
				   RSCOPE_WORD_MAX - 1);
	for (i = 0; i < len; i++)
		if (!rscope_plain((u8)value[i]) || (u8)value[i] >= 0x7f)
			return rscope_fail(e, -EINVAL, "%s: byte %zu is not allowed in a name",
					   row->key, i);
	memcpy(to, value, len);
	to[len] = '\0';
	return 0;
}

static inline int rscope_parse_value(struct rscope_workload *w, u32 key, const char *value,
				     size_t len, struct rscope_error *e)
{
	const struct rscope_workload_row *row = &rscope_workload_rows[key];

	if (!len)
		return rscope_fail(e, -EINVAL, "%s=: the value is missing", row->key);
	if (w->given & BIT_ULL(key))
		return rscope_fail(e, -EINVAL, "%s is given twice", row->key);
	w->given |= BIT_ULL(key);
	switch (row->kind) {
	case RSCOPE_W_INT:
		return rscope_parse_int_key(row, value, len, rscope_workload_value(w, row), e);
	case RSCOPE_W_ENUM:
		return rscope_parse_enum_key(row, value, len, rscope_workload_value(w, row), e);
	default:
		return rscope_parse_str_key(row, value, len, rscope_workload_string(w, row), e);
	}
}

static inline int rscope_parse_word(struct rscope_workload *w, const char *word, size_t len,
				    struct rscope_error *e)
{
	const char *eq = memchr(word, '=', len);
	char shown[40];
	u32 key;

	rscope_quote(word, len, shown, sizeof(shown));
	if (!eq)
		return rscope_fail(e, -EINVAL, "%s: not key=value", shown);
	for (key = 0; key < RSCOPE_W_NR; key++)
		if (rscope_word_is(word, (size_t)(eq - word), rscope_workload_rows[key].key))
			return rscope_parse_value(w, key, eq + 1, len - (size_t)(eq + 1 - word), e);
	return rscope_fail(e, -EINVAL, "%s: unknown key", shown);
}

static inline void rscope_workload_settle(struct rscope_workload *w);
static inline int rscope_workload_validate(const struct rscope_workload *w, struct rscope_error *e);

/**
 * rscope_workload_parse() - read one command line
 * @buf: the line, LF included, no NUL needed behind it
 * @len: its length
 * @w: result; undefined on error
 * @e: reason on error
 *
 * Return: 0, -EINVAL for a malformed line, unknown or repeated key or keys that
 * exclude each other, -ERANGE for a value out of range.
 */
static inline int rscope_workload_parse(const char *buf, size_t len, struct rscope_workload *w,
					struct rscope_error *e)
{
	const char *p = buf, *end = buf + len - 1;
	int err = rscope_line_check(buf, len, e);

	if (err)
		return err;
	rscope_workload_init(w);
	while (p < end) {
		const char *word = p;

		while (p < end && !rscope_is_blank(*p))
			p++;
		if (p > word)
			err = rscope_parse_word(w, word, (size_t)(p - word), e);
		if (err)
			return err;
		p++;
	}
	if (!w->given)
		return rscope_fail(e, -EINVAL,
				   "empty line: give at least one key, op=read for example");
	rscope_workload_settle(w);
	return rscope_workload_validate(w, e);
}

/* ------------------------------------------------------------------- rules */

/**
 * rscope_workload_settle() - defaults that depend on another key
 * @w: all its keys have been read
 */
static inline void rscope_workload_settle(struct rscope_workload *w)
{
	if (rscope_op_is_atomic(w->op) && !rscope_workload_given(w, RSCOPE_W_size))
		w->size = 8;
}

/**
 * rscope_workload_is_split() - does each end of a ping-pong have a thread?
 * @w: workload
 *
 * Return: whether lane n plays end n % 2 of pair n / 2.
 */
static inline bool rscope_workload_is_split(const struct rscope_workload *w)
{
	return w->pattern == RSCOPE_PATTERN_PINGPONG && w->threads == 2 * w->qps;
}

static inline int rscope_workload_validate_pingpong(const struct rscope_workload *w,
						    struct rscope_error *e)
{
	if (w->depth != 1)
		return rscope_fail(e, -ERANGE, "pattern=pingpong needs depth=1, not %lld",
				   w->depth);
	if (w->op != RSCOPE_OP_WRITE && w->op != RSCOPE_OP_SEND)
		return rscope_fail(e, -EINVAL, "pattern=pingpong needs op=write or op=send");
	if (rscope_workload_is_split(w) && w->op == RSCOPE_OP_WRITE && rscope_cq_sleeps(w->cq))
		return rscope_fail(e, -EINVAL,
				   "a thread for each end and op=write: nothing completes where a write arrives, so it cannot sleep: cq=poll, op=send or threads=%lld",
				   w->qps);
	return 0;
}

/**
 * rscope_workload_validate() - rules between keys that need no device
 * @w: parsed workload
 * @e: reason
 *
 * Return: 0, -EINVAL for keys that exclude each other, -ERANGE for values that
 * limit each other.
 */
static inline int rscope_workload_validate(const struct rscope_workload *w, struct rscope_error *e)
{
	if (rscope_workload_given(w, RSCOPE_W_iters) &&
	    rscope_workload_given(w, RSCOPE_W_duration_ms))
		return rscope_fail(e, -EINVAL, "iters and duration_ms exclude each other");
	if (w->mtu && !rscope_mtu_valid(w->mtu))
		return rscope_fail(e, -ERANGE, "mtu=%lld: not one of 256 512 1024 2048 4096",
				   w->mtu);
	if (w->signal > w->depth)
		return rscope_fail(e, -ERANGE, "signal=%lld exceeds depth=%lld", w->signal,
				   w->depth);
	if (w->batch > w->depth)
		return rscope_fail(e, -ERANGE, "batch=%lld exceeds depth=%lld", w->batch,
				   w->depth);
	if (w->threads > w->qps && !rscope_workload_is_split(w))
		return rscope_fail(e, -ERANGE,
				   "threads=%lld exceeds qps=%lld%s", w->threads, w->qps,
				   w->pattern == RSCOPE_PATTERN_PINGPONG ?
				   " and is not twice that, a thread for each end" : "");
	if (w->depth * w->qps > RSCOPE_QP_WR_MAX)
		return rscope_fail(e, -ERANGE, "depth=%lld times qps=%lld exceeds %d", w->depth,
				   w->qps, RSCOPE_QP_WR_MAX);
	if (!w->duration_ms && w->iters < w->qps)
		return rscope_fail(e, -ERANGE, "iters=%lld is less than qps=%lld", w->iters,
				   w->qps);
	if (w->pattern == RSCOPE_PATTERN_PINGPONG && rscope_workload_validate_pingpong(w, e))
		return e->err;
	if (rscope_op_is_atomic(w->op) && w->size != 8)
		return rscope_fail(e, -ERANGE, "size=%lld: atomics are 8 bytes", w->size);
	return 0;
}

/* ----------------------------------------------------------------- printer */

/**
 * rscope_workload_print() - write the effective line
 * @t: destination, no LF is added
 * @w: workload
 *
 * Every key is written, defaults included, but of iters and duration_ms only
 * the one in force, timeout_ms only when set and peer only when given: what is
 * written can be parsed again and gives the same run.
 */
static inline void rscope_workload_print(struct rscope_text *t, struct rscope_workload *w)
{
	const struct rscope_workload_row *row = rscope_workload_rows;
	bool first = true;
	u32 i;

	for (i = 0; i < RSCOPE_W_NR; i++, row++) {
		s64 v = row->kind == RSCOPE_W_STR ? 0 : *rscope_workload_value(w, row);

		if (row->kind == RSCOPE_W_STR && !*rscope_workload_string(w, row))
			continue;
		if (i == (w->duration_ms ? RSCOPE_W_iters : RSCOPE_W_duration_ms))
			continue;
		if (i == RSCOPE_W_timeout_ms && !v)
			continue;
		if (!first)
			rscope_putc(t, ' ');
		first = false;
		rscope_puts(t, row->key);
		rscope_putc(t, '=');
		if (row->kind == RSCOPE_W_STR)
			rscope_puts(t, rscope_workload_string(w, row));
		else if (row->kind == RSCOPE_W_ENUM)
			rscope_puts(t, row->words[v]);
		else if (v < 0)
			rscope_puts(t, "-1");
		else
			rscope_putu(t, (u64)v);
	}
}

/**
 * rscope_workload_timeout_ms() - deadline of the whole run
 * @w: workload
 *
 * Return: the given timeout, or the expected duration (a verify pass repeats
 * the count and is slower) plus a slack of 10 s, at most 1 h.
 */
static inline u64 rscope_workload_timeout_ms(const struct rscope_workload *w)
{
	u64 ms = (u64)w->duration_ms * (w->verify ? 3 : 1) + RSCOPE_TIMEOUT_SLACK_MS;

	if (w->timeout_ms)
		return (u64)w->timeout_ms;
	/*
	 * Generous, because it is a safety net: a soft device on a busy machine or
	 * under a debug kernel takes milliseconds where it takes microseconds else.
	 */
	if (!w->duration_ms)
		ms += (u64)w->iters * (10 + ((u64)w->size >> 17)) * (w->verify ? 2 : 1);
	return ms < RSCOPE_TIMEOUT_MAX_MS ? ms : RSCOPE_TIMEOUT_MAX_MS;
}

#endif /* RDMASCOPE_WORKLOAD_H */
