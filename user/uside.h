/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What user space sees of a device and its addresses, without libibverbs.
 */
#ifndef USIDE_H
#define USIDE_H

#include <stddef.h>

int uside_node(const char *root, const char *dev, char *node, size_t size);
int uside_has_inet6(const char *root, const char *gid, const char *netdev);

#endif /* USIDE_H */
