/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. The devices this module has been told of. */
#ifndef RSCOPE_DEVS_H
#define RSCOPE_DEVS_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/rwsem.h>
#include <rdma/ib_verbs.h>
#include "text.h"

struct rscope_job;

/**
 * struct rscope_port - one port of a device
 * @dev: its device
 * @num: port number
 * @job: what it is running; outlives every open file
 * @dir: debugfs directory
 */
struct rscope_port {
	struct rscope_dev *dev;
	u32 num;
	struct rscope_job *job;
	struct dentry *dir;
};

/**
 * struct rscope_dev - one RDMA device between .add and .remove
 * @ib: the device; registered until @gone is set and @alive was write-locked
 * @node: in the list of devices, ordered by index
 * @alive: read-held while a file that is not removed with the device looks at
 *	@ib; see the lock charter in devs.c
 * @kref: .add's reference, and one per reader inside @alive: the lock must not
 *	go while its last holder still unlocks it
 * @gone: set first thing in .remove
 * @dir: debugfs directory
 * @nr_ports: length of @port
 * @port: ports
 */
struct rscope_dev {
	struct ib_device *ib;
	struct list_head node;
	struct rw_semaphore alive;
	struct kref kref;
	bool gone;
	struct dentry *dir;
	u32 nr_ports;
	struct rscope_port port[];
};

typedef void (*rscope_port_fn)(struct rscope_buf *b, struct rscope_port *port);

struct rscope_dev *rscope_dev_alloc(struct ib_device *ib);
void rscope_dev_put(struct rscope_dev *dev);
void rscope_dev_insert(struct rscope_dev *dev);
void rscope_dev_mark_gone(struct rscope_dev *dev);
void rscope_dev_remove(struct rscope_dev *dev);
void rscope_walk_ports(struct rscope_buf *b, rscope_port_fn fn);

#endif /* RSCOPE_DEVS_H */
