/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The IP addresses of this namespace, by rtnetlink.
 */
#ifndef RTADDR_H
#define RTADDR_H

#include <rdmascope/env.h>

#include "list.h"

/**
 * struct netaddr - one address
 * @index: ifindex of its netdev
 * @text: "192.0.2.1/24"
 */
struct netaddr {
	u64 index;
	char text[64];
};

int rtaddr_load(struct list *addrs);

#endif /* RTADDR_H */
