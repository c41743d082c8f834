// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "provider.h"

#include <glob.h>
#include <unistd.h>

/*
 * Drivers by module and by the driver of their parent, which is all that sysfs
 * tells, and the providers of rdma-core. A module stands before its parent's. The
 * numbers are enum rdma_driver_id, whose last ones older headers lack.
 */
static const struct {
	const char *driver;
	const char *provider;
	u64 id;
} rows[] = {
	{ "mlx5_ib", "mlx5", 1 },
	{ "mlx5_core", "mlx5", 1 },
	{ "mlx4_ib", "mlx4", 2 },
	{ "mlx4_core", "mlx4", 2 },
	{ "iw_cxgb4", "cxgb4", 4 },
	{ "cxgb4", "cxgb4", 4 },
	{ "ib_mthca", "mthca", 5 },
	{ "bnxt_re", "bnxt_re", 6 },
	{ "bnxt_en", "bnxt_re", 6 },
	{ "ocrdma", "ocrdma", 7 },
	{ "be2net", "ocrdma", 7 },
	{ "irdma", "irdma", 9 },
	{ "ice", "irdma", 9 },
	{ "i40e", "irdma", 9 },
	{ "vmw_pvrdma", "vmw_pvrdma", 10 },
	{ "qedr", "qedr", 11 },
	{ "qede", "qedr", 11 },
	{ "hns_roce_hw_v2", "hns", 12 },
	{ "hns3", "hns", 12 },
	{ "rdma_rxe", "rxe", 14 },
	{ "hfi1", "hfi1verbs", 15 },
	{ "ib_qib", "ipathverbs", 16 },
	{ "efa", "efa", 17 },
	{ "siw", "siw", 18 },
	{ "erdma", "erdma", 19 },
	{ "mana_ib", "mana", 20 },
	{ "mana", "mana", 20 },
};

/* Where distributions and rdma-core itself put them. */
static const char *const places[] = {
	"/usr/lib/*/libibverbs", "/usr/lib64/libibverbs", "/usr/lib/libibverbs",
	"/usr/local/lib/*/libibverbs", "/usr/local/lib64/libibverbs", "/usr/local/lib/libibverbs",
};

static void find_library(const char *root, struct provider *p)
{
	char pattern[PATH_MAX];
	size_t i, skip = strlen(root);
	glob_t found;

	for (i = 0; i < ARRAY_SIZE(places) && !*p->library; i++) {
		snprintf(pattern, sizeof(pattern), "%s%s/lib%s-rdmav*.so", root, places[i],
			 p->name);
		if (!glob(pattern, 0, NULL, &found))
			snprintf(p->library, sizeof(p->library), "%s", found.gl_pathv[0] + skip);
		globfree(&found);
	}
}

/**
 * provider_find() - the provider of a device
 * @root: prefix of all paths
 * @driver: driver of the device or of its parent, "" when not known
 * @p: result
 */
void provider_find(const char *root, const char *driver, struct provider *p)
{
	char path[PATH_MAX];
	size_t i;

	memset(p, 0, sizeof(*p));
	for (i = 0; i < ARRAY_SIZE(rows) && !*p->name; i++)
		if (!strcmp(rows[i].driver, driver))
			snprintf(p->name, sizeof(p->name), "%s", rows[i].provider);
	if (!*p->name)
		return;
	snprintf(path, sizeof(path), "%s/etc/libibverbs.d/%s.driver", root, p->name);
	p->configured = !access(path, F_OK);
	find_library(root, p);
}

/**
 * provider_driver() - module of a driver
 * @driver_id: enum rdma_driver_id
 *
 * Return: its name, "" when not known.
 */
const char *provider_driver(u64 driver_id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].id == driver_id)
			return rows[i].driver;
	return "";
}

/**
 * provider_missing() - will libibverbs not find the provider?
 * @p: of provider_find()
 *
 * A library in a place of its own is configured without being found: no verdict.
 *
 * Return: true when it is known to be missing.
 */
bool provider_missing(const struct provider *p)
{
	return *p->name && !*p->library && !p->configured;
}
