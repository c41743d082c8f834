// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "sweep.h"

#include "parse.h"

/* A number, with K, M or G behind it for powers of 1024. */
static int parse_size(const char *p, size_t len, u64 *v)
{
	static const char units[] = "KMG";
	const char *unit = len ? memchr(units, p[len - 1], sizeof(units) - 1) : NULL;

	if (!unit)
		return parse_u64(p, len, v);
	if (parse_u64(p, len - 1, v) ||
	    __builtin_mul_overflow(*v, 1024ULL << 10 * (unit - units), v))
		return -ERANGE;
	return 0;
}

static bool add(struct sweep *s, u64 size, u64 max)
{
	if (!size || size > max || s->n == SWEEP_MAX)
		return false;
	s->size[s->n++] = size;
	return true;
}

static bool parse_list(const char *p, u64 max, struct sweep *s)
{
	for (;;) {
		size_t len = strcspn(p, ",");
		u64 v;

		if (parse_size(p, len, &v) || !add(s, v, max))
			return false;
		if (!p[len])
			return true;
		p += len + 1;
	}
}

/* A:B:xN: from A, times N, up to B. */
static bool parse_range(const char *p, u64 max, struct sweep *s)
{
	size_t a = strcspn(p, ":"), b = p[a] ? strcspn(p + a + 1, ":") : 0;
	const char *factor = p + a + 1 + b;
	u64 from, to, times, v;

	if (!p[a] || factor[0] != ':' || factor[1] != 'x' || parse_size(p, a, &from) ||
	    parse_size(p + a + 1, b, &to) || parse_u64(factor + 2, strlen(factor + 2), &times) ||
	    times < 2 || times > max || to > max)
		return false;
	for (v = from; v <= to; v *= times)
		if (!add(s, v, max))
			return false;
	return s->n;
}

/**
 * sweep_parse() - read a list of sizes
 * @text: "64,4K" or "A:B:xN", A, A*N, A*N*N, ... up to B
 * @max: largest size allowed
 * @s: result
 *
 * Return: false when it is neither.
 */
bool sweep_parse(const char *text, u64 max, struct sweep *s)
{
	s->n = 0;
	return strchr(text, ':') ? parse_range(text, max, s) : parse_list(text, max, s);
}
