// SPDX-License-Identifier: GPL-2.0
/*
 * What does a line ask for? `name=NAME key=value[,value...] ...`; in the name,
 * \ooo stands for a byte.
 */
#include <linux/netdevice.h>
#include <linux/string.h>
#include <linux/string_helpers.h>
#include "stub.h"

#define STUB_VERB_NAME(v) #v,

static const char *const stub_verbs[] = {
	STUB_VERBS(STUB_VERB_NAME) STUB_STEPS(STUB_VERB_NAME)
};

static const char *const stub_layers[] = { "ib", "roce", "iwarp", "raw", "none" };

static int stub_number(char *word, u64 *v)
{
	return kstrtou64(word, 0, v);
}

static int stub_word(const char *const *words, size_t n, const char *word, u64 *v)
{
	int i = match_string(words, n, word);

	*v = i;
	return i < 0 ? i : 0;
}

static int stub_layer(char *word, u64 *v)
{
	return stub_word(stub_layers, ARRAY_SIZE(stub_layers), word, v);
}

static int stub_verb(char *word, u64 *v)
{
	return *word ? stub_word(stub_verbs, STUB_NR_VERBS, word, v) : 0;
}

/* VERB:ERRNO as one number; an empty word ends all failures. */
static int stub_pair(char *word, u64 *v)
{
	char *verb = strsep(&word, ":");
	u16 code;
	int err = stub_word(stub_verbs, ARRAY_SIZE(stub_verbs), verb, v);

	if (err || !word)
		return -EINVAL;
	err = kstrtou16(word, 0, &code);
	*v = *v << 16 | code;
	return err;
}

static int stub_netdev(char *word, u64 *v)
{
	struct net_device *ndev = *word ? dev_get_by_name(&init_net, word) : NULL;

	*v = 0;
	if (!ndev)
		return *word ? -ENODEV : 0;
	*v = ndev->ifindex;
	dev_put(ndev);
	return 0;
}

static int stub_failures(char *word, u64 *v)
{
	*v = STUB_NONE;
	return *word ? stub_pair(word, v) : 0;
}

#define STUB_PARSER_number stub_number
#define STUB_PARSER_layer stub_layer
#define STUB_PARSER_verb stub_verb
#define STUB_PARSER_failure stub_failures
#define STUB_PARSER_netdev stub_netdev
#define STUB_ROW(s, k, parser, def, help) { k, STUB_PARSER_##parser, def },

static const struct {
	const char *key;
	int (*parse)(char *word, u64 *v);
	u64 def;
} stub_rows[] = { STUB_KEYS(STUB_ROW) };

static int stub_parse_list(struct stub_shape *s, enum stub_key key, char *words)
{
	struct stub_list *l = &s->key[key];
	char *word;
	int err = 0;

	if (l->n)
		return -EINVAL;
	while (!err && (word = strsep(&words, ","))) {
		if (l->n == STUB_LIST_MAX)
			return -E2BIG;
		l->v[l->n] = STUB_NONE;
		err = stub_rows[key].parse(word, &l->v[l->n++]);
	}
	return err;
}

static int stub_parse_name(struct stub_shape *s, char *value)
{
	string_unescape_inplace(value, UNESCAPE_OCTAL);
	if (!*value || strlen(value) >= sizeof(s->name))
		return -EINVAL;
	strscpy(s->name, value, sizeof(s->name));
	return 0;
}

static int stub_parse_word(struct stub_shape *s, char *word)
{
	char *key = strsep(&word, "=");
	u32 i;

	if (!word)
		return -EINVAL;
	if (!strcmp(key, "name"))
		return stub_parse_name(s, word);
	for (i = 0; i < STUB_NR_KEYS; i++)
		if (!strcmp(key, stub_rows[i].key))
			return stub_parse_list(s, i, word);
	return -EINVAL;
}

/**
 * stub_shape_parse() - read a line
 * @s: zeroed; keys that the line does not name keep length 0
 * @line: words, changed
 *
 * Context: process.
 * Return: 0 or what is wrong with it.
 */
int stub_shape_parse(struct stub_shape *s, char *line)
{
	char *word;
	int err = 0;

	while (!err && (word = strsep(&line, " ")))
		if (*word)
			err = stub_parse_word(s, word);
	if (!err && !*s->name)
		err = -EINVAL;
	return err;
}

/**
 * stub_shape_defaults() - fill the keys that a line did not name
 * @s: parsed shape
 *
 * Context: any.
 */
void stub_shape_defaults(struct stub_shape *s)
{
	u32 i;

	for (i = 0; i < STUB_NR_KEYS; i++) {
		if (s->key[i].n)
			continue;
		s->key[i].v[0] = stub_rows[i].def;
		s->key[i].n = 1;
	}
}

/* The core asks for these once, when a device is registered. */
static bool stub_key_is_fixed(u32 key)
{
	return key <= STUB_WITHOUT || key == STUB_LAYER || key == STUB_GIDS;
}

/**
 * stub_shape_change() - give a registered device other values
 * @s: its shape, in use
 * @by: parsed line
 *
 * Readers may see some values of before and some of after.
 *
 * Context: process; one caller at a time.
 * Return: 0 or -EINVAL for a key that cannot change.
 */
int stub_shape_change(struct stub_shape *s, const struct stub_shape *by)
{
	u32 i, n;

	for (i = 0; i < STUB_NR_KEYS; i++)
		if (by->key[i].n && stub_key_is_fixed(i))
			return -EINVAL;
	for (i = 0; i < STUB_NR_KEYS; i++) {
		if (!by->key[i].n)
			continue;
		for (n = 0; n < STUB_LIST_MAX; n++)
			WRITE_ONCE(s->key[i].v[n], by->key[i].v[n]);
		WRITE_ONCE(s->key[i].n, by->key[i].n);
	}
	return 0;
}

static bool stub_listed(const struct stub_list *l, u64 v, u32 shift, u64 *found)
{
	u32 i, n = READ_ONCE(l->n);

	for (i = 0; i < n; i++) {
		*found = READ_ONCE(l->v[i]);
		if (*found != STUB_NONE && *found >> shift == v)
			return true;
	}
	return false;
}

/**
 * stub_lacks() - is a verb missing?
 * @s: shape
 * @verb: which
 *
 * Context: any.
 * Return: whether the device must not offer it.
 */
bool stub_lacks(const struct stub_shape *s, enum stub_verb verb)
{
	u64 unused;

	return stub_listed(&s->key[STUB_WITHOUT], verb, 0, &unused);
}

/**
 * stub_failure() - is a verb to fail?
 * @ib: device
 * @verb: which
 *
 * Context: any.
 * Return: 0 or the negative errno asked for.
 */
int stub_failure(struct ib_device *ib, enum stub_verb verb)
{
	u64 v;

	if (!stub_listed(&stub_of(ib)->shape.key[STUB_FAIL], verb, 16, &v))
		return 0;
	return -(int)(v & 0xffff);
}
