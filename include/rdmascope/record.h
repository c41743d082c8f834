/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How is a struct written as text? Field tables, escaping and the bounded text
 * buffer that every debugfs file and every report goes through.
 */
#ifndef RDMASCOPE_RECORD_H
#define RDMASCOPE_RECORD_H

#include "abi.h"
#include "env.h"

/**
 * RSCOPE_NONE - a number that was not measured or does not exist.
 *
 * Printed as "-" in records and left out of reports; null in JSON. An empty
 * string is the same for texts.
 */
#define RSCOPE_NONE (~0ULL)

/**
 * struct rscope_error - why something was refused, for people
 * @err: negative errno, 0 when nothing is wrong
 * @msg: what, where and which limit; ASCII, no LF
 */
struct rscope_error {
	int err;
	char msg[RSCOPE_MSG_MAX];
};

#define rscope_fail(e, code, ...) \
	((void)snprintf((e)->msg, sizeof((e)->msg), __VA_ARGS__), (e)->err = (code))

enum rscope_kind { RSCOPE_KIND_NUM, RSCOPE_KIND_TEXT };

/**
 * struct rscope_field - one key of a struct that travels as text
 * @key: its name
 * @offset: of the member in the struct; u64 or char[]
 * @size: of the member in bytes
 * @kind: number or text
 * @required: a report without it is malformed
 */
struct rscope_field {
	const char *key;
	u16 offset;
	u16 size;
	u8 kind;
	u8 required;
};

/**
 * struct rscope_text - a bounded text under construction
 * @buf: destination; may be NULL when @size is 0, to learn the length
 * @size: bytes of @buf
 * @len: length wanted so far, also beyond @size
 */
struct rscope_text {
	char *buf;
	size_t size;
	size_t len;
};

static inline void rscope_putc(struct rscope_text *t, char c)
{
	if (t->len + 1 < t->size) {
		t->buf[t->len] = c;
		t->buf[t->len + 1] = '\0';
	}
	t->len++;
}

static inline void rscope_puts(struct rscope_text *t, const char *s)
{
	while (*s)
		rscope_putc(t, *s++);
}

static inline void rscope_putu(struct rscope_text *t, u64 v)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%llu", v);
	rscope_puts(t, digits);
}

static inline bool rscope_plain(u8 c)
{
	return c > 0x20 && c != 0x7f && c != '\\' && c != '=';
}

/**
 * rscope_put_value() - write a text value, escaped
 * @t: destination
 * @s: any bytes; device names are arbitrary
 *
 * Bytes <= 0x20, 0x7f, backslash and '=' become \ooo, so that a value never
 * ends a word or a line. A value that is just "-" is escaped too: a bare "-"
 * means none.
 */
static inline void rscope_put_value(struct rscope_text *t, const char *s)
{
	bool dash = s[0] == '-' && !s[1];
	char octal[8];

	for (; *s; s++) {
		if (rscope_plain((u8)*s) && !dash) {
			rscope_putc(t, *s);
			continue;
		}
		snprintf(octal, sizeof(octal), "\\%03o", (u8)*s);
		rscope_puts(t, octal);
	}
}

/**
 * rscope_put_line() - write a text value of a "key: value" line
 * @t: destination
 * @s: a text that may hold spaces and '=', such as a reason or a workload line
 *
 * The value ends at the LF, so only control bytes, 0x7f and backslash need the
 * \ooo form here, and again a value that is just "-".
 */
static inline void rscope_put_line(struct rscope_text *t, const char *s)
{
	bool dash = s[0] == '-' && !s[1];
	char octal[8];

	for (; *s; s++) {
		if ((u8)*s >= 0x20 && *s != 0x7f && *s != '\\' && !dash) {
			rscope_putc(t, *s);
			continue;
		}
		snprintf(octal, sizeof(octal), "\\%03o", (u8)*s);
		rscope_puts(t, octal);
	}
}

static inline u64 *rscope_field_num(const struct rscope_field *f, void *base)
{
	return (u64 *)((char *)base + f->offset);
}

static inline char *rscope_field_text(const struct rscope_field *f, void *base)
{
	return (char *)base + f->offset;
}

static inline bool rscope_field_absent(const struct rscope_field *f, void *base)
{
	if (f->kind == RSCOPE_KIND_NUM)
		return *rscope_field_num(f, base) == RSCOPE_NONE;
	return !*rscope_field_text(f, base);
}

/**
 * rscope_record_clear() - make every field absent
 * @f: field table
 * @n: its length
 * @base: the struct
 */
static inline void rscope_record_clear(const struct rscope_field *f, size_t n, void *base)
{
	for (; n; n--, f++) {
		if (f->kind == RSCOPE_KIND_NUM)
			*rscope_field_num(f, base) = RSCOPE_NONE;
		else
			memset(rscope_field_text(f, base), 0, f->size);
	}
}

/**
 * rscope_print_record() - write a struct as one `tag: k=v k=v ...` line
 * @t: destination
 * @tag: kind of the record, "link" for example
 * @f: field table
 * @n: its length
 * @base: the struct; every field is written, an absent one as "-"
 */
static inline void rscope_print_record(struct rscope_text *t, const char *tag,
				       const struct rscope_field *f, size_t n, void *base)
{
	rscope_puts(t, tag);
	rscope_putc(t, ':');
	for (; n; n--, f++) {
		rscope_putc(t, ' ');
		rscope_puts(t, f->key);
		rscope_putc(t, '=');
		if (rscope_field_absent(f, base))
			rscope_putc(t, '-');
		else if (f->kind == RSCOPE_KIND_NUM)
			rscope_putu(t, *rscope_field_num(f, base));
		else
			rscope_put_value(t, rscope_field_text(f, base));
	}
	rscope_putc(t, '\n');
}

/**
 * rscope_print_lines() - write a struct as `key: value` lines
 * @t: destination
 * @f: field table
 * @n: its length
 * @base: the struct
 * @keep_absent: write an absent field as "-" instead of leaving it out
 */
static inline void rscope_print_lines(struct rscope_text *t, const struct rscope_field *f, size_t n,
				      void *base, bool keep_absent)
{
	for (; n; n--, f++) {
		bool absent = rscope_field_absent(f, base);

		if (absent && !keep_absent)
			continue;
		rscope_puts(t, f->key);
		rscope_puts(t, ": ");
		if (absent)
			rscope_putc(t, '-');
		else if (f->kind == RSCOPE_KIND_NUM)
			rscope_putu(t, *rscope_field_num(f, base));
		else
			rscope_put_line(t, rscope_field_text(f, base));
		rscope_putc(t, '\n');
	}
}

/**
 * rscope_print_head() - first line of every file: `rdmascope <kind> <abi>`
 * @t: destination
 * @kind: "links", "result", ...
 */
static inline void rscope_print_head(struct rscope_text *t, const char *kind)
{
	rscope_puts(t, RSCOPE_DIR " ");
	rscope_puts(t, kind);
	rscope_putc(t, ' ');
	rscope_putu(t, RSCOPE_ABI);
	rscope_putc(t, '\n');
}

/* The last line, so that a reader knows that nothing is missing. */
static inline void rscope_print_end(struct rscope_text *t)
{
	rscope_puts(t, "end\n");
}

/*
 * Structs and field tables out of the key tables of abi.h. A file that needs
 * one writes, for example, RSCOPE_DEFINE_RECORD(link, RSCOPE_LINK_KEYS).
 */
#define RSCOPE_MEMBER_N(key, unit, help) u64 key;
#define RSCOPE_MEMBER_T(key, size, help) char key[size];

#define RSCOPE_ROW(strct, member, kind_, req) \
	{ .key = #member, .offset = offsetof(struct strct, member), \
	  .size = sizeof(((struct strct *)0)->member), .kind = kind_, .required = req },

#define RSCOPE_LINK_ROW_N(k, u, h) RSCOPE_ROW(rscope_link, k, RSCOPE_KIND_NUM, 1)
#define RSCOPE_LINK_ROW_T(k, s, h) RSCOPE_ROW(rscope_link, k, RSCOPE_KIND_TEXT, 1)
#define RSCOPE_GID_ROW_N(k, u, h) RSCOPE_ROW(rscope_gid, k, RSCOPE_KIND_NUM, 1)
#define RSCOPE_GID_ROW_T(k, s, h) RSCOPE_ROW(rscope_gid, k, RSCOPE_KIND_TEXT, 1)
#define RSCOPE_DEVICE_ROW_N(k, u, h) RSCOPE_ROW(rscope_device, k, RSCOPE_KIND_NUM, 1)
#define RSCOPE_DEVICE_ROW_T(k, s, h) RSCOPE_ROW(rscope_device, k, RSCOPE_KIND_TEXT, 1)
#define RSCOPE_OPREC_ROW_N(k, u, h) RSCOPE_ROW(rscope_oprec, k, RSCOPE_KIND_NUM, 1)
#define RSCOPE_OPREC_ROW_T(k, s, h) RSCOPE_ROW(rscope_oprec, k, RSCOPE_KIND_TEXT, 1)
#define RSCOPE_STATE_ROW_N(k, u, h) RSCOPE_ROW(rscope_state, k, RSCOPE_KIND_NUM, 1)
#define RSCOPE_STATE_ROW_T(k, s, h) RSCOPE_ROW(rscope_state, k, RSCOPE_KIND_TEXT, 1)
#define RSCOPE_ABI_ROW_N(k, u, h) RSCOPE_ROW(rscope_abi, k, RSCOPE_KIND_NUM, 1)
#define RSCOPE_ABI_ROW_T(k, s, h) RSCOPE_ROW(rscope_abi, k, RSCOPE_KIND_TEXT, 1)

/** struct rscope_link - one port and its netdev; keys as in RSCOPE_LINK_KEYS */
struct rscope_link { RSCOPE_LINK_KEYS(RSCOPE_MEMBER_N, RSCOPE_MEMBER_T) };
/** struct rscope_gid - one GID table entry; keys as in RSCOPE_GID_KEYS */
struct rscope_gid { RSCOPE_GID_KEYS(RSCOPE_MEMBER_N, RSCOPE_MEMBER_T) };
/** struct rscope_device - one RDMA device; keys as in RSCOPE_DEVICE_KEYS */
struct rscope_device { RSCOPE_DEVICE_KEYS(RSCOPE_MEMBER_N, RSCOPE_MEMBER_T) };
/** struct rscope_oprec - support of one operation; keys as in RSCOPE_OPREC_KEYS */
struct rscope_oprec { RSCOPE_OPREC_KEYS(RSCOPE_MEMBER_N, RSCOPE_MEMBER_T) };
/** struct rscope_state - what a port is doing; keys as in RSCOPE_STATE_KEYS */
struct rscope_state { RSCOPE_STATE_KEYS(RSCOPE_MEMBER_N, RSCOPE_MEMBER_T) };
/** struct rscope_abi - what the module is; keys as in RSCOPE_ABI_KEYS */
struct rscope_abi { RSCOPE_ABI_KEYS(RSCOPE_MEMBER_N, RSCOPE_MEMBER_T) };

static const struct rscope_field rscope_link_fields[] __maybe_unused = {
	RSCOPE_LINK_KEYS(RSCOPE_LINK_ROW_N, RSCOPE_LINK_ROW_T)
};

static const struct rscope_field rscope_gid_fields[] __maybe_unused = {
	RSCOPE_GID_KEYS(RSCOPE_GID_ROW_N, RSCOPE_GID_ROW_T)
};

static const struct rscope_field rscope_device_fields[] __maybe_unused = {
	RSCOPE_DEVICE_KEYS(RSCOPE_DEVICE_ROW_N, RSCOPE_DEVICE_ROW_T)
};

static const struct rscope_field rscope_oprec_fields[] __maybe_unused = {
	RSCOPE_OPREC_KEYS(RSCOPE_OPREC_ROW_N, RSCOPE_OPREC_ROW_T)
};

static const struct rscope_field rscope_state_fields[] __maybe_unused = {
	RSCOPE_STATE_KEYS(RSCOPE_STATE_ROW_N, RSCOPE_STATE_ROW_T)
};

static const struct rscope_field rscope_abi_fields[] __maybe_unused = {
	RSCOPE_ABI_KEYS(RSCOPE_ABI_ROW_N, RSCOPE_ABI_ROW_T)
};

#endif /* RDMASCOPE_RECORD_H */
