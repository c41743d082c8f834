/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The network devices out of sysfs, when rtnetlink must not be asked.
 */
#ifndef SYSNET_H
#define SYSNET_H

#include "list.h"

void sysnet_load(const char *root, struct list *netdevs);

#endif /* SYSNET_H */
