// SPDX-License-Identifier: GPL-2.0
/*
 * Two readings of the map: each value in turn, what makes somebody another one,
 * and lists at random, where the changes must lead from one to the other.
 */
#include <stdio.h>

#include "unit.h"

#include "changes.h"

#define SET(to, text) snprintf(to, sizeof(to), "%s", text)

static struct rscope_link a_link(u64 ifindex, const char *name)
{
	struct rscope_link l;

	rscope_record_clear(rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &l);
	l.ifindex = ifindex;
	l.port = 1;
	SET(l.ifname, name);
	SET(l.state, "ACTIVE");
	SET(l.netdev, "eth0");
	l.netdev_index = 7;
	l.agree = 1;
	SET(l.reason, "ok");
	return l;
}

static struct rscope_gid a_gid(u64 ifindex, u64 index, const char *gid)
{
	struct rscope_gid g;

	rscope_record_clear(rscope_gid_fields, ARRAY_SIZE(rscope_gid_fields), &g);
	g.ifindex = ifindex;
	g.port = 1;
	g.index = index;
	SET(g.ifname, "rxe0");
	SET(g.gid, gid);
	SET(g.type, "roce_v2");
	SET(g.netdev, "eth0");
	g.netdev_index = 7;
	return g;
}

/* Changes between two lists of one link each, either may be NULL. */
static struct list links(const struct rscope_link *a, const struct rscope_link *b, bool less)
{
	struct list before = LIST(struct rscope_link), after = before;
	struct list changes = LIST(struct change);

	if (a)
		assert_int_equal(list_add(&before, a), 0);
	if (b)
		assert_int_equal(list_add(&after, b), 0);
	assert_int_equal(changes_links(&before, &after, less, &changes), 0);
	list_free(&before);
	list_free(&after);
	return changes;
}

static struct list gids(const struct rscope_gid *a, const struct rscope_gid *b)
{
	struct list before = LIST(struct rscope_gid), after = before;
	struct list changes = LIST(struct change);

	assert_int_equal(list_add(&before, a), 0);
	assert_int_equal(list_add(&after, b), 0);
	assert_int_equal(changes_gids(&before, &after, false, &changes), 0);
	list_free(&before);
	list_free(&after);
	return changes;
}

/* "changed state,gone -": kinds and fields in order; the list is freed. */
static void are(struct list *changes, const char *want)
{
	char got[512] = "";
	size_t n = 0;

	list_each(struct change, c, changes)
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%s %s", n ? "," : "",
				      change_words[c->kind], c->field ? c->field->key : "-");
	assert_string_equal(got, want);
	list_free(changes);
}

static void spoil(const struct rscope_field *f, void *base)
{
	if (f->kind == RSCOPE_KIND_NUM)
		*rscope_field_num(f, base) = 4711;
	else
		snprintf(rscope_field_text(f, base), f->size, "other");
}

static void test_each_value(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rscope_link_fields); i++) {
		const struct rscope_field *f = &rscope_link_fields[i];
		struct rscope_link a = a_link(3, "rxe0"), b = a;
		char want[64];
		bool id = !strcmp(f->key, "ifindex") || !strcmp(f->key, "port");
		bool name = !strcmp(f->key, "ifname") || !strcmp(f->key, "netdev");
		struct list changes;

		spoil(f, &b);
		snprintf(want, sizeof(want), "%s %s", name ? "renamed" : "changed", f->key);
		changes = links(&a, &b, false);
		if (id)
			are(&changes, "gone -,appeared -");
		else
			are(&changes, strcmp(f->key, "agree") ? want : "");
	}
}

static void test_nothing(void **state)
{
	struct rscope_link a = a_link(3, "rxe0");
	struct list changes = links(&a, &a, false);

	are(&changes, "");
	changes = links(NULL, NULL, false);
	are(&changes, "");
}

static void test_come_and_go(void **state)
{
	struct rscope_link a = a_link(3, "rxe0"), b = a_link(4, "rxe0");
	struct list changes = links(&a, NULL, false);

	are(&changes, "gone -");
	changes = links(NULL, &a, false);
	are(&changes, "appeared -");
	/* The same name again is another device. */
	changes = links(&a, &b, false);
	are(&changes, "gone -,appeared -");
}

static void test_names(void **state)
{
	struct rscope_link a = a_link(3, "rxe0"), b = a_link(3, "roce");
	struct list changes = links(&a, &b, false);
	const struct change *c = changes.v;

	assert_true(changes_renames_dev(c));
	assert_string_equal(changes_dev(c), "rxe0");
	assert_string_equal(c->after.link.ifname, "roce");
	assert_int_equal(changes_port(c), 1);
	are(&changes, "renamed ifname");
	/* Another netdev is no new name of the old one; nor is none. */
	b = a;
	SET(b.netdev, "eth1");
	b.netdev_index = 8;
	changes = links(&a, &b, false);
	are(&changes, "changed netdev,changed netdev_index");
	b.netdev[0] = '\0';
	b.netdev_index = RSCOPE_NONE;
	changes = links(&a, &b, false);
	are(&changes, "changed netdev,changed netdev_index");
	/* Without an index the name is all there is. */
	a.ifindex = RSCOPE_NONE;
	b = a_link(9, "rxe0");
	changes = links(&a, &b, false);
	are(&changes, "");
	b = a_link(RSCOPE_NONE, "roce");
	changes = links(&a, &b, false);
	are(&changes, "gone -,appeared -");
}

static void test_other_source(void **state)
{
	struct rscope_link a = a_link(3, "rxe0"), b = a;
	struct list changes;

	SET(a.driver, "rdma_rxe");
	a.netns = 4026531840;
	SET(b.width, "4X");
	SET(b.state, "DOWN");
	changes = links(&a, &b, true);
	are(&changes, "changed state");
	changes = links(&a, &b, false);
	are(&changes, "changed state,changed width,changed netns,changed driver");
}

static void test_gids(void **state)
{
	struct rscope_gid a = a_gid(3, 1, "fe80::1"), b = a;
	struct list changes;

	SET(b.ifname, "roce");
	changes = gids(&a, &b);
	are(&changes, "");
	b.index = 2;
	changes = gids(&a, &b);
	are(&changes, "gone -,appeared -");
	b.index = 1;
	SET(b.gid, "fe80::2");
	changes = gids(&a, &b);
	are(&changes, "gone -,appeared -");
	b = a;
	SET(b.type, "roce_v1");
	changes = gids(&a, &b);
	are(&changes, "gone -,appeared -");
	b = a;
	SET(b.netdev, "lan0");
	b.score = 0;
	b.vlan = 5;
	changes = gids(&a, &b);
	assert_string_equal(changes_dev(changes.v), "rxe0");
	assert_false(changes_renames_dev(changes.v));
	are(&changes, "renamed netdev,changed vlan,changed score");
}

/* ------------------------------------------------------------------- at random */

static void apply(const struct change *c, struct list *l)
{
	struct rscope_link *item;

	if (c->kind == CHANGE_APPEARED) {
		assert_int_equal(list_add(l, &c->after.link), 0);
		return;
	}
	for (item = l->v; item->ifindex != c->before.link.ifindex; item++)
		;
	if (c->kind == CHANGE_GONE)
		*item = *list_at(struct rscope_link, l, --l->n);
	else
		memcpy((char *)item + c->field->offset, (const char *)&c->after.link +
		       c->field->offset, c->field->size);
}

static struct list some_links(u64 *seed)
{
	struct list l = LIST(struct rscope_link);
	u64 index;

	for (index = 1; index < 12; index++) {
		struct rscope_link item = a_link(index, "rxe");
		u64 changed = unit_range(seed, 0, 2 * ARRAY_SIZE(rscope_link_fields));

		if (!unit_range(seed, 0, 2))
			continue;
		if (changed < ARRAY_SIZE(rscope_link_fields))
			spoil(&rscope_link_fields[changed], &item);
		item.ifindex = index;
		item.port = 1;
		item.agree = 1;
		assert_int_equal(list_add(&l, &item), 0);
	}
	/* The order is of no account. */
	for (index = 1; index < l.n; index++) {
		u64 other = unit_range(seed, 0, index);
		struct rscope_link t = *list_at(struct rscope_link, &l, index);

		*list_at(struct rscope_link, &l, index) = *list_at(struct rscope_link, &l, other);
		*list_at(struct rscope_link, &l, other) = t;
	}
	return l;
}

static void same_set(const struct list *a, const struct list *b)
{
	assert_int_equal(a->n, b->n);
	list_each(struct rscope_link, x, a) {
		size_t found = 0;

		list_each(struct rscope_link, y, b)
			found += !memcmp(x, y, sizeof(*x));
		assert_int_equal(found, 1);
	}
}

static void test_lead_from_one_to_the_other(void **state)
{
	u64 seed = 88172645463325252ULL;
	int i;

	for (i = 0; i < 2000; i++) {
		struct list before = some_links(&seed), after = some_links(&seed);
		struct list changes = LIST(struct change);

		assert_int_equal(changes_links(&before, &after, false, &changes), 0);
		list_each(struct change, c, &changes)
			apply(c, &before);
		same_set(&before, &after);
		list_free(&before);
		list_free(&after);
		list_free(&changes);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_nothing),
	cmocka_unit_test(test_each_value),
	cmocka_unit_test(test_come_and_go),
	cmocka_unit_test(test_names),
	cmocka_unit_test(test_other_source),
	cmocka_unit_test(test_gids),
	cmocka_unit_test(test_lead_from_one_to_the_other),
};

UNIT_MAIN(tests)
