// SPDX-License-Identifier: GPL-2.0
/*
 * What stands on what: edges out of netdevs, walks, paths; whose GUID an IPoIB
 * address carries.
 */
#include <string.h>

#include "unit.h"

#include "ipoib.h"
#include "netrel.h"

/* Slaves d2 (active) and d3 of b0, VLAN b0.5 on it, br0 above that; a veth pair. */
static const struct {
	u64 index;
	const char *name;
	const char *kind;
	u64 link;
	u64 master;
	const char *slave_kind;
	u64 active;
} rows[] = {
	{ 40, "br0", "bridge", 0, 0, "", RSCOPE_NONE },
	{ 2, "d2", "", 0, 10, "bond", 1 },
	{ 3, "d3", "", 0, 10, "bond", 0 },
	{ 10, "b0", "bond", 0, 0, "", RSCOPE_NONE },
	{ 11, "b0.5", "vlan", 10, 40, "", RSCOPE_NONE },
	{ 20, "v0", "veth", 21, 0, "", RSCOPE_NONE },
	{ 21, "v1", "veth", 20, 0, "", RSCOPE_NONE },
	{ 30, "mv0", "macvlan", 11, 0, "", RSCOPE_NONE },
	{ 31, "mv1", "macvlan", 99, 0, "", RSCOPE_NONE },
	{ 32, "lone", "", 32, 98, "bond", 0 },
};

struct world {
	struct list netdevs;
	struct list edges;
};

static int setup(void **state)
{
	static struct world w;
	size_t i;

	w = (struct world){
		LIST(struct netdev), LIST(struct netrel_edge),
	};
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct netdev d = NETDEV_BLANK;

		d.index = rows[i].index;
		d.link = rows[i].link;
		d.master = rows[i].master;
		d.active = rows[i].active;
		strcpy(d.name, rows[i].name);
		strcpy(d.kind, rows[i].kind);
		strcpy(d.slave_kind, rows[i].slave_kind);
		assert_int_equal(list_add(&w.netdevs, &d), 0);
	}
	rtnl_sort(&w.netdevs);
	assert_int_equal(netrel_edges(&w.netdevs, &w.edges), 0);
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	list_free(&w->netdevs);
	list_free(&w->edges);
	return 0;
}

static void found_by_index_and_name(void **state)
{
	struct world *w = *state;
	struct list none = LIST(struct netdev);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_string_equal(rtnl_by_index(&w->netdevs, rows[i].index)->name, rows[i].name);
		assert_int_equal(rtnl_by_name(&w->netdevs, rows[i].name)->index, rows[i].index);
	}
	assert_null(rtnl_by_index(&w->netdevs, 1));
	assert_null(rtnl_by_index(&w->netdevs, 12));
	assert_null(rtnl_by_index(&w->netdevs, RSCOPE_NONE));
	assert_null(rtnl_by_index(&none, 2));
}

/* Neither pairs nor what points out of this namespace. */
static void edges_of_stacks_only(void **state)
{
	struct world *w = *state;

	assert_int_equal(w->edges.n, 5);
	list_each(struct netrel_edge, e, &w->edges) {
		assert_true(e->upper < 20 || e->upper == 30 || e->upper == 40);
		assert_true(e->lower < 20);
	}
}

static void assert_walk(const struct world *w, u64 start, enum netrel_way way, const char *want)
{
	struct list steps = LIST(struct netrel_step);
	char text[256] = "";
	struct rscope_text t = { .buf = text, .size = sizeof(text) };

	assert_int_equal(netrel_walk(&w->edges, start, way, &steps), 0);
	list_each(struct netrel_step, s, &steps) {
		rscope_puts(&t, t.len ? " " : "");
		rscope_puts(&t, rtnl_by_index(&w->netdevs, s->index)->name);
		rscope_putc(&t, ':');
		rscope_puts(&t, s->edge.relation);
		if (s->edge.active != RSCOPE_NONE)
			rscope_puts(&t, s->edge.active ? "+" : "-");
	}
	assert_string_equal(text, want);
	list_free(&steps);
}

static void walks(void **state)
{
	assert_walk(*state, 2, NETREL_UP, "b0:bond+ b0.5:vlan br0:bridge mv0:macvlan");
	assert_walk(*state, 3, NETREL_UP, "b0:bond- b0.5:vlan br0:bridge mv0:macvlan");
	assert_walk(*state, 2, NETREL_DOWN, "");
	assert_walk(*state, 10, NETREL_DOWN, "d2:bond+ d3:bond-");
	assert_walk(*state, 40, NETREL_DOWN, "b0.5:bridge b0:vlan d2:bond+ d3:bond-");
	assert_walk(*state, 20, NETREL_UP, "");
	assert_walk(*state, 32, NETREL_UP, "");
	assert_walk(*state, 77, NETREL_UP, "");
}

static void assert_path(const struct world *w, u64 from, u64 to, const char *want)
{
	struct list path = LIST(struct netrel_step);
	char text[256] = "";
	struct rscope_text t = { .buf = text, .size = sizeof(text) };
	int err = netrel_path(&w->edges, from, to, &path);

	assert_int_equal(err, want ? 0 : -ENOENT);
	list_each(struct netrel_step, s, &path) {
		rscope_puts(&t, t.len ? " " : "");
		rscope_puts(&t, rtnl_by_index(&w->netdevs, s->index)->name);
	}
	assert_string_equal(text, want ? want : "");
	list_free(&path);
}

static void paths(void **state)
{
	assert_path(*state, 2, 10, "b0");
	assert_path(*state, 2, 40, "b0 b0.5 br0");
	assert_path(*state, 2, 30, "b0 b0.5 mv0");
	assert_path(*state, 30, 3, "b0.5 b0 d3");
	/* A slave does not stand on the other one. */
	assert_path(*state, 2, 3, NULL);
	assert_path(*state, 20, 21, NULL);
	assert_path(*state, 2, 2, NULL);
	assert_path(*state, 2, RSCOPE_NONE, NULL);
}

/* Wrong data must not make it walk for ever. */
static void circles_end(void **state)
{
	struct list edges = LIST(struct netrel_edge), steps = LIST(struct netrel_step);
	u64 i;

	for (i = 0; i < 4; i++) {
		struct netrel_edge e = { .lower = i, .upper = (i + 1) % 4, .active = RSCOPE_NONE };

		assert_int_equal(list_add(&edges, &e), 0);
	}
	assert_int_equal(netrel_walk(&edges, 0, NETREL_UP, &steps), 0);
	assert_int_equal(steps.n, 4);
	list_free(&steps);
	list_free(&edges);
}

#define IPOIB "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:aa:bb:c1"

static void guid_of_the_port(void **state)
{
	static const struct {
		const char *addr;
		const char *gid;
		bool has;
	} cases[] = {
		{ IPOIB, "fe80:0000:0000:0000:0002:c903:00aa:bbc1", true },
		/* The subnet manager has just given another prefix. */
		{ IPOIB, "fec0:0000:0000:0001:0002:c903:00aa:bbc1", true },
		/* The node GUID, as a rule one less. */
		{ IPOIB, "fe80:0000:0000:0000:0002:c903:00aa:bbc0", false },
		{ IPOIB, "0000:0000:0000:0000:0000:0000:0000:0000", false },
		{ "80:00:02:08:fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:00",
		  "fe80:0000:0000:0000:0000:0000:0000:0000", false },
		{ "00:02:c9:03:00:aa:bb:c1", "fe80:0000:0000:0000:0002:c903:00aa:bbc1", false },
		{ "", "", false },
		{ IPOIB, "", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (ipoib_has_guid(cases[i].addr, cases[i].gid) != cases[i].has)
			fail_msg("%s %s: not %d", cases[i].addr, cases[i].gid, cases[i].has);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(found_by_index_and_name, setup, teardown),
	cmocka_unit_test_setup_teardown(edges_of_stacks_only, setup, teardown),
	cmocka_unit_test_setup_teardown(walks, setup, teardown),
	cmocka_unit_test_setup_teardown(paths, setup, teardown),
	cmocka_unit_test(circles_end),
	cmocka_unit_test(guid_of_the_port),
};

UNIT_MAIN(tests)
