// SPDX-License-Identifier: GPL-2.0
/*
 * What happens when an RDMA device comes, goes or is renamed?
 *
 * .add and .rename are called under the core's locks (core/device.c), so they
 * only allocate, create files and set data. .remove is called with none, and
 * the device stays until it returns. Its order is the whole point:
 *
 *	gone	no run starts any more
 *	stop	wakes the ones that run; takes no lock, waits for nothing
 *	debugfs	waits for handlers, a run among them; no lock is held here
 *	session	ends what is parked between two system calls
 *	list	waits for readers of the root files
 *	put	frees
 */
#include <linux/debugfs.h>
#include "client.h"
#include "dbgfs.h"
#include "job.h"
#include "mediated.h"

static void rscope_free_jobs(struct rscope_dev *dev)
{
	u32 i;

	for (i = 0; i < dev->nr_ports; i++)
		rscope_job_free(dev->port[i].job);
}

static int rscope_alloc_jobs(struct rscope_dev *dev)
{
	u32 i;

	for (i = 0; i < dev->nr_ports; i++) {
		dev->port[i].job = rscope_job_alloc();
		if (!dev->port[i].job)
			return -ENOMEM;
	}
	return 0;
}

static struct ib_client rscope_client;

static int rscope_add(struct ib_device *ib)
{
	struct rscope_dev *dev = rscope_dev_alloc(ib);
	int err;

	if (!dev)
		return -ENOMEM;
	err = rscope_alloc_jobs(dev);
	if (!err)
		err = rscope_dbgfs_add(dev);
	if (err) {
		rscope_free_jobs(dev);
		rscope_dev_put(dev);
		return err;
	}
	rscope_dev_insert(dev);
	ib_set_client_data(ib, &rscope_client, dev);
	return 0;
}

static void rscope_remove(struct ib_device *ib, void *data)
{
	struct rscope_dev *dev = data;
	u32 i;

	if (!dev)
		return;
	rscope_dev_mark_gone(dev);
	for (i = 0; i < dev->nr_ports; i++)
		rscope_job_stop(dev->port[i].job, -ENODEV);
	debugfs_remove_recursive(dev->dir);
	for (i = 0; i < dev->nr_ports; i++)
		rscope_mediated_remove(&dev->port[i]);
	rscope_dev_remove(dev);
	rscope_free_jobs(dev);
	rscope_dev_put(dev);
}

static void rscope_rename(struct ib_device *ib, void *data)
{
	if (data)
		rscope_dbgfs_rename(data);
}

/* no_kverbs_req: devices without kernel verbs are mapped too. */
static struct ib_client rscope_client = {
	.name = "rdmascope",
	.add = rscope_add,
	.remove = rscope_remove,
	.rename = rscope_rename,
	.no_kverbs_req = true,
};

/**
 * rscope_client_register() - be told of every RDMA device
 *
 * Calls rscope_add() for those that exist, so everything is ready before.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rscope_client_register(void)
{
	return ib_register_client(&rscope_client);
}

/**
 * rscope_client_unregister() - forget all devices
 *
 * Context: may sleep; every rscope_remove() has returned afterwards.
 */
void rscope_client_unregister(void)
{
	ib_unregister_client(&rscope_client);
}
