// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Text of the module -> structs. Unknown keys are ignored, so that a newer
 * module of the same ABI may add some; everything else that is not as the
 * contract says is an error with its line number.
 */
#include "parse.h"

#define FIELDS_MAX 192

struct parse {
	const struct parse_spec *spec;
	const char *p;
	const char *end;
	unsigned int line;
	size_t next; /* field that comes next when keys stand in the order of the table */
	struct rscope_error *e;
};

#define parse_fail(s, fmt, ...) \
	rscope_fail((s)->e, -EBADMSG, "line %u: " fmt, (s)->line, ##__VA_ARGS__)

/**
 * parse_u64() - an unsigned decimal integer and nothing else
 * @word: first byte
 * @len: its length
 * @value: result
 *
 * Return: 0, -EINVAL when it is no number, -ERANGE beyond 64 bits.
 */
int parse_u64(const char *word, size_t len, u64 *value)
{
	u64 v = 0;
	size_t i;

	if (!len)
		return -EINVAL;
	for (i = 0; i < len; i++) {
		if (word[i] < '0' || word[i] > '9')
			return -EINVAL;
		if (__builtin_mul_overflow(v, 10ULL, &v) ||
		    __builtin_add_overflow(v, (u64)(word[i] - '0'), &v))
			return -ERANGE;
	}
	*value = v;
	return 0;
}

/* The next line without its LF; false at the end of the text. */
static bool next_line(struct parse *s, const char **line, size_t *len)
{
	const char *lf;

	if (s->p == s->end)
		return false;
	s->line++;
	lf = memchr(s->p, '\n', (size_t)(s->end - s->p));
	*line = s->p;
	*len = (size_t)((lf ? lf : s->end) - s->p);
	s->p = lf ? lf + 1 : s->end;
	return true;
}

static int octal(const char *p, size_t len)
{
	int v = 0, i;

	if (len < 4)
		return -1;
	for (i = 1; i < 4; i++) {
		if (p[i] < '0' || p[i] > '7')
			return -1;
		v = v * 8 + p[i] - '0';
	}
	return v > 0 && v < 256 ? v : -1;
}

static int put_text(struct parse *s, const struct rscope_field *f, const char *value, size_t len,
		    char *to)
{
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		int c = (unsigned char)value[i];

		if (c == '\\') {
			c = octal(value + i, len - i);
			if (c < 0)
				return parse_fail(s, "%s: a backslash without three octal digits",
						  f->key);
			i += 3;
		}
		if (n + 1 >= f->size)
			return parse_fail(s, "%s: longer than %u bytes", f->key, f->size - 1U);
		to[n++] = (char)c;
	}
	to[n] = '\0';
	return 0;
}

static int put_value(struct parse *s, const struct rscope_field *f, const char *value, size_t len,
		     void *base)
{
	int err;

	if (!len)
		return parse_fail(s, "%s: the value is missing", f->key);
	if (len == 1 && value[0] == '-')
		return 0;
	if (f->kind == RSCOPE_KIND_TEXT)
		return put_text(s, f, value, len, rscope_field_text(f, base));
	err = parse_u64(value, len, rscope_field_num(f, base));
	if (err == -ERANGE)
		return parse_fail(s, "%s: number exceeds 64 bits", f->key);
	return err ? parse_fail(s, "%s: not an unsigned decimal integer", f->key) : 0;
}

static int find_field(struct parse *s, const struct rscope_field *f, size_t n, const char *key,
		      size_t len)
{
	size_t i, at;

	for (i = 0; i < n; i++) {
		at = (s->next + i) % n;
		if (strncmp(f[at].key, key, len) || f[at].key[len])
			continue;
		s->next = at + 1;
		return (int)at;
	}
	return -1;
}

/* One key and its value; unknown keys are passed over, repeated ones are not. */
static int put_pair(struct parse *s, const struct rscope_field *f, size_t n, bool *seen,
		    const char *key, size_t key_len, const char *value, size_t len, void *base)
{
	int i = find_field(s, f, n, key, key_len);

	if (i < 0)
		return 0;
	if (seen[i])
		return parse_fail(s, "%s is given twice", f[i].key);
	seen[i] = true;
	return put_value(s, &f[i], value, len, base);
}

static int check_required(struct parse *s, const struct rscope_field *f, size_t n, const bool *seen)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (f[i].required && !seen[i])
			return parse_fail(s, "required key %s is missing", f[i].key);
	return 0;
}

static int put_word(struct parse *s, const char *word, size_t len, bool *seen, void *rec)
{
	const char *eq = memchr(word, '=', len);

	if (!eq)
		return parse_fail(s, "%.*s: not key=value", (int)(len < 40 ? len : 40), word);
	return put_pair(s, s->spec->rec_fields, s->spec->nr_rec_fields, seen, word,
			(size_t)(eq - word), eq + 1, len - (size_t)(eq + 1 - word), rec);
}

/* `k=v k=v ...` behind the tag. */
static int put_record(struct parse *s, const char *p, const char *end, void *ctx)
{
	u64 rec[PARSE_RECORD_MAX / sizeof(u64)];
	bool seen[FIELDS_MAX] = { false };
	int err = 0;

	memset(rec, 0, sizeof(rec));
	rscope_record_clear(s->spec->rec_fields, s->spec->nr_rec_fields, rec);
	while (!err && p < end) {
		const char *space = memchr(p, ' ', (size_t)(end - p));
		const char *stop = space ? space : end;

		err = put_word(s, p, (size_t)(stop - p), seen, rec);
		p = space ? stop + 1 : end;
	}
	if (!err)
		err = check_required(s, s->spec->rec_fields, s->spec->nr_rec_fields, seen);
	return err ? err : s->spec->record(ctx, rec, s->e);
}

static int put_line(struct parse *s, const char *line, size_t len, bool *seen, void *base,
		    void *ctx)
{
	const char *colon = memchr(line, ':', len);
	size_t key_len = colon ? (size_t)(colon - line) : 0;

	if (!key_len || key_len + 1 >= len || colon[1] != ' ')
		return parse_fail(s, "not `key: value`");
	if (s->spec->tag && strlen(s->spec->tag) == key_len && !memcmp(line, s->spec->tag, key_len))
		return put_record(s, colon + 2, line + len, ctx);
	return put_pair(s, s->spec->fields, s->spec->nr_fields, seen, line, key_len, colon + 2,
			len - key_len - 2, base);
}

/* `rdmascope <kind> <abi>` */
static int check_head(struct parse *s)
{
	const char *line = s->p;
	char want[64];
	size_t len = 0;
	int n;

	n = snprintf(want, sizeof(want), RSCOPE_DIR " %s ", s->spec->kind);
	if (!next_line(s, &line, &len) || len <= (size_t)n || memcmp(line, want, (size_t)n))
		return rscope_fail(s->e, -EBADMSG, "line 1: not `%s%d`", want, RSCOPE_ABI);
	snprintf(want, sizeof(want), "%d", RSCOPE_ABI);
	if (len - (size_t)n != strlen(want) || memcmp(line + n, want, strlen(want)))
		return rscope_fail(s->e, -EPROTONOSUPPORT,
				   "the module speaks ABI %.*s, this tool ABI %d",
				   (int)(len - (size_t)n < 20 ? len - (size_t)n : 20), line + n,
				   RSCOPE_ABI);
	return 0;
}

static bool is_end(const char *line, size_t len)
{
	return len == 3 && !memcmp(line, "end", 3);
}

static int check_tail(struct parse *s, const bool *seen)
{
	if (s->p[-1] != '\n')
		return parse_fail(s, "no LF behind `end`");
	if (s->p != s->end)
		return parse_fail(s, "text behind `end`");
	return check_required(s, s->spec->fields, s->spec->nr_fields, seen);
}

/**
 * parse_text() - read one whole file of the module
 * @spec: what it must be
 * @text: its text
 * @len: length of @text
 * @base: struct of the `key: value` lines; cleared first, absent stays absent
 * @ctx: handed to the record function
 * @e: what is wrong, with the line
 *
 * Return: 0, -EBADMSG when malformed, -EPROTONOSUPPORT for another ABI, or
 * what the record function returned.
 */
int parse_text(const struct parse_spec *spec, const char *text, size_t len, void *base, void *ctx,
	       struct rscope_error *e)
{
	struct parse s = { .spec = spec, .p = text, .end = text + len, .e = e };
	bool seen[FIELDS_MAX] = { false };
	const char *line;
	size_t n;
	int err;

	if (spec->fields)
		rscope_record_clear(spec->fields, spec->nr_fields, base);
	if (memchr(text, '\0', len))
		return parse_fail(&s, "NUL byte in the text");
	err = check_head(&s);
	while (!err && next_line(&s, &line, &n)) {
		if (is_end(line, n))
			return check_tail(&s, seen);
		err = put_line(&s, line, n, seen, base, ctx);
	}
	return err ? err : parse_fail(&s, "no `end`: the text is cut short");
}
