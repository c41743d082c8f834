// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "changes.h"

const char *const change_words[CHANGE_NR] = {
	[CHANGE_PRESENT] = "present", [CHANGE_APPEARED] = "appeared", [CHANGE_GONE] = "gone",
	[CHANGE_RENAMED] = "renamed", [CHANGE_VALUE] = "changed",
};

const char *const change_whats[] = { [CHANGE_LINK] = "link", [CHANGE_GID] = "gid" };

typedef bool (*same_fn)(const void *a, const void *b);

/* What is compared, how, and which values say who it is or follow from others. */
struct kind {
	enum change_what what;
	size_t size;
	const struct rscope_field *fields;
	size_t nr_fields;
	same_fn same; /* is it the same thing? */
	same_fn same_netdev; /* by its index */
	const char *const *skipped;
};

/* ------------------------------------------------------------------ identity */

/* sysfs does not tell the index; a name must do then. */
static bool same_dev(u64 index_a, const char *name_a, u64 index_b, const char *name_b)
{
	if (index_a != RSCOPE_NONE && index_b != RSCOPE_NONE)
		return index_a == index_b;
	return !strcmp(name_a, name_b);
}

static bool same_link(const void *left, const void *right)
{
	const struct rscope_link *a = left, *b = right;

	return a->port == b->port && same_dev(a->ifindex, a->ifname, b->ifindex, b->ifname);
}

/* Another GID in the same slot is another GID. */
static bool same_gid(const void *left, const void *right)
{
	const struct rscope_gid *a = left, *b = right;

	return a->index == b->index && a->port == b->port && !strcmp(a->gid, b->gid) &&
	       !strcmp(a->type, b->type) &&
	       same_dev(a->ifindex, a->ifname, b->ifindex, b->ifname);
}

static bool same_link_netdev(const void *left, const void *right)
{
	const struct rscope_link *a = left, *b = right;

	return a->netdev_index == b->netdev_index && a->netdev_index != RSCOPE_NONE &&
	       *a->netdev && *b->netdev;
}

static bool same_gid_netdev(const void *left, const void *right)
{
	const struct rscope_gid *a = left, *b = right;

	return a->netdev_index == b->netdev_index && a->netdev_index != RSCOPE_NONE &&
	       *a->netdev && *b->netdev;
}

/* agree follows from reason; both are told with it. */
static const char *const link_skipped[] = { "ifindex", "port", "agree", NULL };
/* A new name of the device is told once for its port. */
static const char *const gid_skipped[] = { "ifindex", "ifname", "port", "index", NULL };

#define KIND(what_, name, skipped_) \
	{ .what = what_, .size = sizeof(struct rscope_##name), .fields = rscope_##name##_fields, \
	  .nr_fields = ARRAY_SIZE(rscope_##name##_fields), .same = same_##name, \
	  .same_netdev = same_##name##_netdev, .skipped = skipped_ }

static const struct kind link_kind = KIND(CHANGE_LINK, link, link_skipped);
static const struct kind gid_kind = KIND(CHANGE_GID, gid, gid_skipped);

/* ---------------------------------------------------------------- difference */

static const char *item(const struct kind *k, const struct list *l, size_t i)
{
	return (const char *)l->v + i * k->size;
}

/* Tables hardly ever change their order: what was found last tells where to look. */
static const void *find(const struct kind *k, const struct list *l, const void *wanted,
			size_t *hint)
{
	size_t i, at;

	for (i = 0; i < l->n; i++) {
		at = (*hint + i) % l->n;
		if (!k->same(item(k, l, at), wanted))
			continue;
		*hint = at + 1;
		return item(k, l, at);
	}
	return NULL;
}

static int add(const struct kind *k, enum change_kind kind, const struct rscope_field *field,
	       const void *before, const void *after, struct list *changes)
{
	struct change c = { .kind = kind, .what = k->what, .field = field };

	if (before)
		memcpy(&c.before, before, k->size);
	memcpy(&c.after, after ? after : before, k->size);
	return list_add(changes, &c);
}

static bool skipped(const struct kind *k, const char *key)
{
	const char *const *s;

	for (s = k->skipped; *s; s++)
		if (!strcmp(*s, key))
			return true;
	return false;
}

static bool absent(const struct rscope_field *f, const char *base)
{
	return f->kind == RSCOPE_KIND_NUM ?
		       *(const u64 *)(const void *)(base + f->offset) == RSCOPE_NONE :
		       !base[f->offset];
}

static bool differs(const struct rscope_field *f, const char *a, const char *b, bool told_less)
{
	if (told_less && (absent(f, a) || absent(f, b)))
		return false;
	return f->kind == RSCOPE_KIND_NUM ? memcmp(a + f->offset, b + f->offset, sizeof(u64)) :
					    strcmp(a + f->offset, b + f->offset);
}

/* A device that is still the same one can only have got another name. */
static enum change_kind kind_of(const struct kind *k, const struct rscope_field *f,
				const void *before, const void *after)
{
	bool renamed = !strcmp(f->key, "ifname") ||
		       (!strcmp(f->key, "netdev") && k->same_netdev(before, after));

	return renamed ? CHANGE_RENAMED : CHANGE_VALUE;
}

static int diff_values(const struct kind *k, const void *before, const void *after,
		       bool told_less, struct list *changes)
{
	const struct rscope_field *f;
	int err = 0;

	for (f = k->fields; !err && f < k->fields + k->nr_fields; f++)
		if (!skipped(k, f->key) && differs(f, before, after, told_less))
			err = add(k, kind_of(k, f, before, after), f, before, after, changes);
	return err;
}

/* What went is told before what came: the same name may be both. */
static int diff(const struct kind *k, const struct list *before, const struct list *after,
		bool told_less, struct list *changes)
{
	size_t i, hint = 0;
	int err = 0;

	for (i = 0; !err && i < before->n; i++)
		if (!find(k, after, item(k, before, i), &hint))
			err = add(k, CHANGE_GONE, NULL, item(k, before, i), NULL, changes);
	hint = 0;
	for (i = 0; !err && i < after->n; i++) {
		const void *old = find(k, before, item(k, after, i), &hint);

		err = old ? diff_values(k, old, item(k, after, i), told_less, changes) :
			    add(k, CHANGE_APPEARED, NULL, NULL, item(k, after, i), changes);
	}
	return err;
}

/**
 * changes_links() - what happened to the links?
 * @before: struct rscope_link of the first reading
 * @after: of the second
 * @told_less: they come from different sources: a value only one of them has is no change
 * @changes: list of struct change, added to
 *
 * Return: 0 or -ENOMEM.
 */
int changes_links(const struct list *before, const struct list *after, bool told_less,
		  struct list *changes)
{
	return diff(&link_kind, before, after, told_less, changes);
}

/**
 * changes_gids() - what happened to the GIDs?
 * @before: struct rscope_gid of the first reading
 * @after: of the second
 * @told_less: as for changes_links()
 * @changes: list of struct change, added to
 *
 * Return: 0 or -ENOMEM.
 */
int changes_gids(const struct list *before, const struct list *after, bool told_less,
		 struct list *changes)
{
	return diff(&gid_kind, before, after, told_less, changes);
}

/**
 * changes_renames_dev() - does the RDMA device have a new name?
 * @c: the change
 *
 * Return: true when this tells so.
 */
bool changes_renames_dev(const struct change *c)
{
	return c->kind == CHANGE_RENAMED && c->what == CHANGE_LINK &&
	       !strcmp(c->field->key, "ifname");
}

/**
 * changes_dev() - whose change is it?
 * @c: the change
 *
 * Return: name of the RDMA device, when that is what changed the old one.
 */
const char *changes_dev(const struct change *c)
{
	if (changes_renames_dev(c))
		return c->before.link.ifname;
	return c->what == CHANGE_LINK ? c->after.link.ifname : c->after.gid.ifname;
}

/**
 * changes_port() - of which port?
 * @c: the change
 *
 * Return: its number.
 */
u64 changes_port(const struct change *c)
{
	return c->what == CHANGE_LINK ? c->after.link.port : c->after.gid.port;
}
