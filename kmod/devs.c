// SPDX-License-Identifier: GPL-2.0
/*
 * Which devices are there? The list behind the files links and gids.
 *
 * Locks:
 *
 * rscope_list_lock (mutex)
 *	Guards the list and nothing else. Taken in .add and .remove under the
 *	core's locks and by readers with nothing held; only list operations and
 *	down_read_trylock() happen under it, so it never waits for a driver.
 *
 * dev->alive (rw_semaphore)
 *	Read-held by a reader of a root file while it asks the device, which may
 *	sleep in the driver and under rtnl. .remove write-locks it once, after
 *	the device left the list, to wait for such readers: the device stays
 *	registered meanwhile. Files below the device need it not: debugfs waits
 *	for their handlers when the directory is removed.
 *
 * dev->gone (WRITE_ONCE/READ_ONCE)
 *	Set before anything else in .remove. Who starts a run sets the port's
 *	busy bit first and tests gone afterwards; .remove sets gone first and
 *	cancels afterwards: one of the two sees the other.
 */
#include <linux/mutex.h>
#include <linux/slab.h>
#include "devs.h"

static DEFINE_MUTEX(rscope_list_lock);
static LIST_HEAD(rscope_devs);

/**
 * rscope_dev_alloc() - struct for a new device
 * @ib: device being added
 *
 * Context: process, under the core's client locks.
 * Return: unlisted struct with one reference; NULL without memory.
 */
struct rscope_dev *rscope_dev_alloc(struct ib_device *ib)
{
	u32 nr = rdma_end_port(ib) - rdma_start_port(ib) + 1;
	struct rscope_dev *dev = kzalloc(struct_size(dev, port, nr), GFP_KERNEL);
	u32 i;

	if (!dev)
		return NULL;
	dev->ib = ib;
	dev->nr_ports = nr;
	INIT_LIST_HEAD(&dev->node);
	init_rwsem(&dev->alive);
	kref_init(&dev->kref);
	for (i = 0; i < nr; i++) {
		dev->port[i].dev = dev;
		dev->port[i].num = rdma_start_port(ib) + i;
	}
	return dev;
}

static void rscope_dev_free(struct kref *kref)
{
	kfree(container_of(kref, struct rscope_dev, kref));
}

/**
 * rscope_dev_put() - drop a reference
 * @dev: device
 *
 * Context: any.
 */
void rscope_dev_put(struct rscope_dev *dev)
{
	kref_put(&dev->kref, rscope_dev_free);
}

/**
 * rscope_dev_insert() - make a device visible in links and gids
 * @dev: unlisted device
 *
 * Context: process, under the core's client locks.
 */
void rscope_dev_insert(struct rscope_dev *dev)
{
	struct rscope_dev *next;

	mutex_lock(&rscope_list_lock);
	list_for_each_entry(next, &rscope_devs, node)
		if (next->ib->index > dev->ib->index)
			break;
	list_add_tail(&dev->node, &next->node);
	mutex_unlock(&rscope_list_lock);
}

/**
 * rscope_dev_mark_gone() - no run starts from now on
 * @dev: device being removed
 *
 * Context: process. The caller cancels running jobs next.
 */
void rscope_dev_mark_gone(struct rscope_dev *dev)
{
	WRITE_ONCE(dev->gone, true);
	/* Pairs with the barrier in rscope_job_begin(). */
	smp_mb();
}

/**
 * rscope_dev_remove() - take a device off the list and wait for its readers
 * @dev: device
 *
 * Context: may sleep; no lock held that a reader takes.
 */
void rscope_dev_remove(struct rscope_dev *dev)
{
	mutex_lock(&rscope_list_lock);
	list_del_init(&dev->node);
	mutex_unlock(&rscope_list_lock);
	down_write(&dev->alive);
	up_write(&dev->alive);
}

/* First device behind @index, its alive lock read-held; NULL at the end. */
static struct rscope_dev *rscope_dev_next(s64 index)
{
	struct rscope_dev *dev, *found = NULL;

	mutex_lock(&rscope_list_lock);
	list_for_each_entry(dev, &rscope_devs, node) {
		/* It cannot fail: a listed device is never write-locked. */
		if (dev->ib->index > index && down_read_trylock(&dev->alive)) {
			kref_get(&dev->kref);
			found = dev;
			break;
		}
	}
	mutex_unlock(&rscope_list_lock);
	return found;
}

/**
 * rscope_walk_ports() - print something for every port of every device
 * @b: destination
 * @fn: prints one port
 *
 * Devices that come or go meanwhile may be missing; none is seen twice, and
 * the order is that of the indexes.
 *
 * Context: may sleep, no lock held.
 */
void rscope_walk_ports(struct rscope_buf *b, rscope_port_fn fn)
{
	struct rscope_dev *dev;
	s64 index = -1;
	u32 i;

	while ((dev = rscope_dev_next(index))) {
		index = dev->ib->index;
		for (i = 0; i < dev->nr_ports; i++)
			fn(b, &dev->port[i]);
		up_read(&dev->alive);
		rscope_dev_put(dev);
	}
}
