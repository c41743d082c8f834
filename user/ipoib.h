/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which IPoIB netdevs belong to an InfiniBand port?
 */
#ifndef IPOIB_H
#define IPOIB_H

#include <rdmascope/record.h>

#include "list.h"
#include "rtnl.h"

bool ipoib_has_guid(const char *addr, const char *gid);
int ipoib_of_port(const char *root, const struct rscope_link *l, const struct list *netdevs,
		  struct list *found);

#endif /* IPOIB_H */
