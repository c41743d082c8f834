// SPDX-License-Identifier: GPL-2.0
/*
 * Do both layers of a link tell the same story? Every combination of port state,
 * netdev, admin state and carrier.
 */
#include <stdio.h>

#include "unit.h"
#include <rdmascope/linkjudge.h>

struct row {
	const char *state, *link_layer, *netdev, *admin;
	u64 carrier;
	const char *reason;
	u64 agree;
};

static const struct row rows[] = {
	{ "ACTIVE", "ethernet", "eth0", "up", 1, "ok", 1 },
	{ "DOWN", "ethernet", "eth0", "down", 0, "netdev-down", 1 },
	{ "DOWN", "ethernet", "eth0", "down", 1, "netdev-down", 1 },
	{ "DOWN", "ethernet", "eth0", "up", 0, "no-carrier", 1 },
	{ "DOWN", "ethernet", "eth0", "up", 1, "port-down", 0 },
	{ "INIT", "ethernet", "eth0", "up", 1, "port-down", 0 },
	{ "ACTIVE_DEFER", "ethernet", "eth0", "up", 1, "port-down", 0 },
	/* rdma_rxe of long-term kernels keeps the port ACTIVE. */
	{ "ACTIVE", "ethernet", "eth0", "up", 0, "active-without-carrier", 0 },
	{ "ACTIVE", "ethernet", "eth0", "down", 0, "active-netdev-down", 0 },
	{ "ACTIVE", "ethernet", "eth0", "down", 1, "active-netdev-down", 0 },
	{ "ACTIVE", "ethernet", "", "", 0, "no-netdev", 1 },
	{ "DOWN", "ethernet", "", "", 0, "no-netdev", 1 },
	{ "ACTIVE", "infiniband", "", "", 0, "ib-link-layer", 1 },
	{ "DOWN", "infiniband", "", "", 0, "ib-link-layer", 1 },
	/* IPoIB is not the port's netdev, but a driver may name one. */
	{ "ACTIVE", "infiniband", "ib0", "up", 1, "ok", 1 },
	{ "ACTIVE", "unspecified", "", "", 0, "no-netdev", 1 },
	{ "", "ethernet", "eth0", "up", 1, "query-failed", 0 },
	{ "", "", "", "", 0, "query-failed", 0 },
};

static void every_combination(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];
		struct rscope_link l;

		rscope_record_clear(rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &l);
		strcpy(l.state, r->state);
		strcpy(l.link_layer, r->link_layer);
		strcpy(l.netdev, r->netdev);
		strcpy(l.netdev_admin, r->admin);
		l.netdev_carrier = r->carrier;
		rscope_link_judge(&l);
		if (strcmp(l.reason, r->reason) || l.agree != r->agree)
			fail_msg("row %zu: %s agree=%llu, not %s", i, l.reason, l.agree, r->reason);
	}
}

static void reasons_fit_their_field(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rscope_words_LINK_REASONS); i++)
		assert_true(strlen(rscope_words_LINK_REASONS[i]) <
			    sizeof(((struct rscope_link *)0)->reason));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_combination),
	cmocka_unit_test(reasons_fit_their_field),
};

UNIT_MAIN(tests)
