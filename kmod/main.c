// SPDX-License-Identifier: GPL-2.0
/*
 * rdmascope: which netdev does an RDMA link belong to, and do kernel verbs work
 * on it? This file is the order of loading and unloading and nothing else.
 */
#include <linux/module.h>
#include "abi.h"
#include "client.h"
#include "dbgfs.h"

static bool loopback = true;
module_param(loopback, bool, 0444);
MODULE_PARM_DESC(loopback, "allow loopback runs; 0 = map only");

static bool fault_points;
module_param(fault_points, bool, 0444);
MODULE_PARM_DESC(fault_points, "for tests: one-shot failure points in the file fault");

static int __init rscope_init(void)
{
	int err;

	rscope_dbgfs_init(loopback, fault_points);
	err = rscope_client_register();
	if (err) {
		rscope_dbgfs_exit();
		return err;
	}
	rscope_dbgfs_publish();
	return 0;
}

static void __exit rscope_exit(void)
{
	rscope_dbgfs_withdraw();
	rscope_client_unregister();
	rscope_dbgfs_exit();
}

module_init(rscope_init);
module_exit(rscope_exit);

MODULE_DESCRIPTION("RDMA link map and kernel-verbs loopback test");
MODULE_LICENSE("GPL");
MODULE_VERSION(RSCOPE_VERSION);
