// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "out.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "cost.h"

/* ------------------------------------------------------------- into values */

/* Length of the UTF-8 sequence at p, 0 when it is none. */
static size_t sequence(const unsigned char *p)
{
	static const struct { unsigned char mask, lead, low, len; } rows[] = {
		{ 0x80, 0x00, 0x00, 1 }, { 0xe0, 0xc0, 0xc2, 2 },
		{ 0xf0, 0xe0, 0xe0, 3 }, { 0xf8, 0xf0, 0xf0, 4 },
	};
	size_t i, k;

	for (i = 0; i < 4 && (p[0] & rows[i].mask) != rows[i].lead; i++)
		;
	if (i == 4 || p[0] < rows[i].low || p[0] > 0xf4)
		return 0;
	for (k = 1; k < rows[i].len; k++)
		if ((p[k] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates, beyond U+10FFFF. */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return rows[i].len;
}

/* True when every byte was fine; else each wrong one is U+FFFD in @to. */
static bool to_utf8(const char *text, char *to, size_t size)
{
	const unsigned char *p = (const unsigned char *)text;
	bool clean = true;
	size_t n = 0;

	while (*p && n + 5 < size) {
		size_t len = sequence(p);

		if (len) {
			memcpy(to + n, p, len);
			p += len;
		} else {
			len = 3;
			memcpy(to + n, "\xef\xbf\xbd", len);
			p++;
			clean = false;
		}
		n += len;
	}
	to[n] = '\0';
	return clean;
}

static void add_hex(json_t *object, const char *key, const char *text)
{
	char hex[2 * RSCOPE_WORKLOAD_MAX + 1], name[80];
	size_t i;

	for (i = 0; text[i] && 2 * i + 2 < sizeof(hex); i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)text[i]);
	snprintf(name, sizeof(name), "%s_hex", key);
	json_object_set_new(object, name, json_string(hex));
}

/**
 * out_string() - a text for an array
 * @text: any bytes; what is not UTF-8 becomes U+FFFD
 *
 * Return: a new string.
 */
json_t *out_string(const char *text)
{
	char utf8[4096];

	to_utf8(text, utf8, sizeof(utf8));
	return json_string(utf8);
}

/**
 * out_text() - add a text, null when empty
 * @object: JSON object
 * @key: member
 * @text: any bytes; what is not UTF-8 becomes U+FFFD with KEY_hex beside it
 */
void out_text(json_t *object, const char *key, const char *text)
{
	char utf8[4096];

	if (!*text) {
		json_object_set_new(object, key, json_null());
		return;
	}
	if (to_utf8(text, utf8, sizeof(utf8))) {
		json_object_set_new(object, key, json_string(utf8));
		return;
	}
	json_object_set_new(object, key, json_string(utf8));
	add_hex(object, key, text);
}

/**
 * out_num() - add a number, null when RSCOPE_NONE
 * @object: JSON object
 * @key: member
 * @value: the number; beyond 63 bits, which only sums of squares are, it is
 *	rounded to a double
 */
void out_num(json_t *object, const char *key, u64 value)
{
	json_t *v = json_null();

	if (value != RSCOPE_NONE)
		v = value >> 63 ? json_real((double)value) : json_integer((json_int_t)value);
	json_object_set_new(object, key, v);
}

/**
 * out_real() - add a ratio, null when it is not finite
 * @object: JSON object
 * @key: member
 * @value: the ratio
 */
void out_real(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void put_field(json_t *object, const struct rscope_field *f, const void *base)
{
	const char *at = (const char *)base + f->offset;

	if (f->kind == RSCOPE_KIND_NUM)
		out_num(object, f->key, *(const u64 *)(const void *)at);
	else
		out_text(object, f->key, at);
}

/**
 * out_field() - add one member of a struct
 * @object: JSON object
 * @f: field table
 * @n: its length
 * @base: the struct
 * @key: which member
 */
void out_field(json_t *object, const struct rscope_field *f, size_t n, const void *base,
	       const char *key)
{
	for (; n; n--, f++)
		if (!strcmp(f->key, key))
			put_field(object, f, base);
}

/**
 * out_record() - a struct as a JSON object
 * @f: field table
 * @n: its length
 * @base: the struct
 *
 * Return: a new object with every key of the table.
 */
json_t *out_record(const struct rscope_field *f, size_t n, const void *base)
{
	json_t *object = json_object();

	for (; n; n--, f++)
		put_field(object, f, base);
	return object;
}

/* ----------------------------------------------------------------- onto stdout */

/**
 * out_json() - print a value and drop it
 * @value: taken over
 */
void out_json(json_t *value)
{
	json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(value);
}

/**
 * out_json_line() - print a value on a line of its own and drop it
 * @value: taken over
 */
void out_json_line(json_t *value)
{
	json_dumpf(value, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(value);
}

/* A terminal must not be driven by a device name. */
static void plain(char *to, size_t size, const char *s)
{
	struct rscope_text t = { .buf = to, .size = size };
	char octal[8];

	to[0] = '\0';
	for (; *s; s++) {
		if ((unsigned char)*s >= 0x20 && *s != 0x7f) {
			rscope_putc(&t, *s);
			continue;
		}
		snprintf(octal, sizeof(octal), "\\%03o", (unsigned char)*s);
		rscope_puts(&t, octal);
	}
}

/**
 * out_shown() - a JSON value as text
 * @value: the value; NULL and null are "-"
 * @buf: destination
 * @size: of @buf
 *
 * Return: @buf.
 */
const char *out_shown(json_t *value, char *buf, size_t size)
{
	if (json_is_string(value))
		plain(buf, size, json_string_value(value));
	else if (json_is_integer(value))
		snprintf(buf, size, "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		snprintf(buf, size, "%.3f", json_real_value(value));
	else if (json_is_boolean(value))
		snprintf(buf, size, "%s", json_is_true(value) ? "yes" : "no");
	else
		plain(buf, size, "-");
	return buf;
}

static const char *shown_text(const char *text, char *buf, size_t size)
{
	char utf8[4096];
	size_t i;

	/* What has nothing to change is the rule, and many tables are long. */
	for (i = 0; text[i] >= 0x20 && text[i] < 0x7f && i + 1 < size; i++)
		buf[i] = text[i];
	buf[i] = '\0';
	if (!text[i])
		return buf;
	to_utf8(text, utf8, sizeof(utf8));
	plain(buf, size, utf8);
	return buf;
}

static const char *shown_num(u64 value, char *buf, size_t size)
{
	char *p = buf + size;

	*--p = '\0';
	do {
		*--p = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return p;
}

/**
 * out_shown_field() - a member of a struct as text, as out_shown() has it
 * @f: the member
 * @base: the struct
 * @buf: scratch, at least 24 bytes
 * @size: of @buf
 *
 * Return: the text, somewhere in @buf.
 */
const char *out_shown_field(const struct rscope_field *f, const void *base, char *buf, size_t size)
{
	const char *at = (const char *)base + f->offset;
	u64 value;

	if (f->kind == RSCOPE_KIND_TEXT)
		return shown_text(*at ? at : "-", buf, size);
	value = *(const u64 *)(const void *)at;
	return value == RSCOPE_NONE ? shown_text("-", buf, size) : shown_num(value, buf, size);
}

/**
 * out_lines() - print an object as `key: value` lines; null members are left out
 * @object: the object; members that are objects or arrays are left out too
 * @indent: in front of every line
 */
void out_lines(json_t *object, const char *indent)
{
	const char *key;
	char buf[1024];
	json_t *value;

	json_object_foreach(object, key, value) {
		if (json_is_null(value) || json_is_object(value) || json_is_array(value))
			continue;
		printf("%s%s: %s\n", indent, key, out_shown(value, buf, sizeof(buf)));
	}
}

/**
 * out_line() - print a line of text
 * @fmt: without LF
 */
void out_line(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/**
 * out_raw() - print bytes as they are
 * @text: the bytes
 * @len: how many
 */
void out_raw(const char *text, size_t len)
{
	fwrite(text, 1, len, stdout);
}

/**
 * out_flush() - has everything been written?
 *
 * Return: 0, or a negative errno (a full disk, a closed pipe).
 */
int out_flush(void)
{
	return fflush(stdout) || ferror(stdout) ? -errno : 0;
}

/**
 * out_clock_warning() - add clock_warning, null unless the clock costs
 * @object: JSON object
 * @clocksource: name of the clock source
 * @clock_ns: cost of a read, RSCOPE_NONE when not known
 */
void out_clock_warning(json_t *object, const char *clocksource, u64 clock_ns)
{
	char text[160] = "";

	if (cost_clock_is_slow(clocksource) && clock_ns != RSCOPE_NONE)
		snprintf(text, sizeof(text),
			 "clock source %s: a clock read takes %llu ns and is in every latency",
			 clocksource, clock_ns);
	else if (cost_clock_is_slow(clocksource))
		snprintf(text, sizeof(text),
			 "clock source %s: a clock read is slow and is in every latency",
			 clocksource);
	out_text(object, "clock_warning", text);
}
