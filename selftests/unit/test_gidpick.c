// SPDX-License-Identifier: GPL-2.0
/*
 * Which entry of a GID table is chosen: tables as people meet them, the index
 * that must win, and the rules one by one.
 */
#include <arpa/inet.h>
#include <stdio.h>

#include "unit.h"
#include <rdmascope/gidpick.h>

#define ENTRIES 8

/* V1 and V2 with the port's netdev, up; the others deviate in one thing. */
enum entry_kind { EMPTY, V1, V2, V2_DOWN, V2_NO_NETDEV, V2_VLAN, V1_VLAN };

struct entry {
	enum entry_kind kind;
	const char *gid;
};

struct table {
	const char *name;
	int best; /* -1: none can work */
	struct entry entry[ENTRIES];
};

#define LL "fe80::5054:ff:fe12:3456"
#define V4 "::ffff:10.1.2.3"
#define V6 "2001:db8::7"
#define ULA "fd00:1::7"

static const struct table tables[] = {
	{ "empty", -1, { { EMPTY, "::" } } },
	{ "all zero", -1, { { V2, "::" }, { V1, "::" }, { V2, "::" } } },
	{ "v6 only: global over link-local", 1, { { V2, LL }, { V2, V6 } } },
	{ "v6 only: unique local over link-local", 1, { { V2, LL }, { V2, ULA } } },
	{ "v4 only", 0, { { V2, V4 } } },
	{ "link-local only is used", 0, { { V2, LL } } },
	{ "mixed", 2, { { V2, LL }, { V2, V6 }, { V2, V4 } } },
	{ "v1 only", 0, { { V1, LL }, { V1, V4 } } },
	{ "v1 and v2 twins", 3, { { V1, LL }, { V2, LL }, { V1, V4 }, { V2, V4 } } },
	{ "twins in the other order", 0, { { V2, V4 }, { V1, V4 }, { V2, LL }, { V1, LL } } },
	{ "v2 link-local over v1 ipv4", 1, { { V1, V4 }, { V2, LL } } },
	{ "equal: lowest index", 1, { { V1, V4 }, { V2, V4 }, { V2, "::ffff:10.1.2.4" } } },
	{ "hole in the middle", 4, { { V2, LL }, { EMPTY, "::" }, { EMPTY, "::" }, { V1, V4 },
				     { V2, V6 } } },
	{ "netdev down", 1, { { V2_DOWN, V4 }, { V2, LL } } },
	{ "no netdev", 2, { { V2_NO_NETDEV, V4 }, { V2_NO_NETDEV, V6 }, { V1, LL } } },
	{ "only unusable ones", -1, { { V2_DOWN, V4 }, { V2_NO_NETDEV, V6 } } },
	{ "the port's netdev over a VLAN", 1, { { V2_VLAN, V4 }, { V2, V4 } } },
	{ "VLAN ipv4 over link-local", 1, { { V2, LL }, { V2_VLAN, V4 } } },
	{ "VLAN v2 over v1", 1, { { V1, V4 }, { V2_VLAN, LL } } },
	{ "v1 on the port over v1 on a VLAN", 1, { { V1_VLAN, V4 }, { V1, V4 } } },
};

static struct rscope_gidinfo info_of(const struct entry *e)
{
	struct rscope_gidinfo g = { .has_netdev = true, .netdev_up = true, .port_netdev = true };

	if (e->gid)
		assert_int_equal(inet_pton(AF_INET6, e->gid, g.raw), 1);
	g.type = e->kind == V1 || e->kind == V1_VLAN ? RSCOPE_GIDT_ROCE_V1 : RSCOPE_GIDT_ROCE_V2;
	g.netdev_up = e->kind != V2_DOWN;
	g.has_netdev = e->kind != V2_NO_NETDEV && e->kind != EMPTY;
	g.port_netdev = e->kind != V2_VLAN && e->kind != V1_VLAN;
	return g;
}

/* As both sides do it: the first entry of the highest score. */
static int pick(const struct table *t)
{
	u32 best_score = 0;
	int best = -1, i;

	for (i = 0; i < ENTRIES; i++) {
		struct rscope_gidinfo g = info_of(&t->entry[i]);
		u32 score = rscope_gid_score(&g);

		if (score > best_score) {
			best_score = score;
			best = i;
		}
	}
	return best;
}

static void tables_of_the_field(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		int got = pick(&tables[i]);

		if (got != tables[i].best)
			fail_msg("%s: entry %d, not %d", tables[i].name, got, tables[i].best);
	}
}

static void scores_are_within_their_range(void **state)
{
	static const char *const gids[] = { "::", LL, V4, V6, ULA };
	size_t i, flags;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(gids) * 3; i++) {
		for (flags = 0; flags < 8; flags++) {
			struct rscope_gidinfo g = { .type = (u8)(i % 3) };
			u32 score;

			assert_int_equal(inet_pton(AF_INET6, gids[i / 3], g.raw), 1);
			g.has_netdev = flags & 1;
			g.netdev_up = flags & 2;
			g.port_netdev = flags & 4;
			score = rscope_gid_score(&g);
			if (g.type == RSCOPE_GIDT_IB)
				assert_int_equal(score, i / 3 ? 1 : 0);
			else if ((flags & 3) == 3 && i / 3)
				assert_in_range(score, 2, 9);
			else
				assert_int_equal(score, 0);
		}
	}
}

/* No netdev is needed, and no entry but the first is used. */
static void first_of_infiniband(void **state)
{
	struct rscope_gidinfo g = { .type = RSCOPE_GIDT_IB };

	(void)state;
	assert_int_equal(inet_pton(AF_INET6, LL, g.raw), 1);
	assert_int_equal(rscope_gid_score(&g), 1);
	g.index = 1;
	g.has_netdev = true;
	g.netdev_up = true;
	assert_int_equal(rscope_gid_score(&g), 0);
}

static void scopes(void **state)
{
	static const struct {
		const char *gid, *scope;
	} rows[] = {
		{ "::", "zero" }, { V4, "ipv4" }, { "::ffff:0.0.0.0", "ipv4" },
		{ LL, "link-local" }, { "fe80::", "link-local" },
		{ "febf:ffff::1", "link-local" }, { "fec0::1", "global" },
		{ "fe7f::1", "global" }, { ULA, "global" }, { V6, "global" }, { "::1", "global" },
		{ "::fffe:1:2", "global" }, { "1::ffff:10.0.0.1", "global" },
	};
	struct rscope_gidinfo g;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(inet_pton(AF_INET6, rows[i].gid, g.raw), 1);
		assert_string_equal(rscope_gid_scope(g.raw), rows[i].scope);
	}
}

static void printed_in_full(void **state)
{
	struct rscope_gidinfo g;
	char text[40];

	(void)state;
	assert_int_equal(inet_pton(AF_INET6, V4, g.raw), 1);
	rscope_gid_print(g.raw, text, sizeof(text));
	assert_string_equal(text, "0000:0000:0000:0000:0000:ffff:0a01:0203");
	assert_int_equal(inet_pton(AF_INET6, LL, g.raw), 1);
	rscope_gid_print(g.raw, text, sizeof(text));
	assert_string_equal(text, "fe80:0000:0000:0000:5054:00ff:fe12:3456");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(tables_of_the_field),
	cmocka_unit_test(scores_are_within_their_range),
	cmocka_unit_test(first_of_infiniband),
	cmocka_unit_test(scopes),
	cmocka_unit_test(printed_in_full),
};

UNIT_MAIN(tests)
