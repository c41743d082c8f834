/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the RDMA core tells about devices and ports, by netlink. No privilege
 * is needed.
 */
#ifndef NLDEV_H
#define NLDEV_H

#include <rdmascope/record.h>

#include "list.h"

int nldev_devices(struct list *devices, struct rscope_error *e);
int nldev_links(struct list *links, struct rscope_error *e);
u64 nldev_driver_id(u64 ifindex);

#endif /* NLDEV_H */
