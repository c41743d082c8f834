/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. Port -> netdev. */
#ifndef RSCOPE_LINKS_H
#define RSCOPE_LINKS_H

#include <rdma/ib_verbs.h>
#include "record.h"

void rscope_link_fill(struct rscope_link *l, struct ib_device *ib, u32 port);
enum rscope_proto rscope_port_protocol(const struct ib_device *ib, u32 port);
void rscope_guid_print(u64 guid, char *to, size_t size);
void rscope_driver_name(const struct ib_device *ib, char *to, size_t size);

#endif /* RSCOPE_LINKS_H */
