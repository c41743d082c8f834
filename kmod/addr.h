/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. Where a loopback goes. */
#ifndef RSCOPE_ADDR_H
#define RSCOPE_ADDR_H

#include <rdma/ib_verbs.h>
#include "record.h"
#include "workload.h"

/**
 * struct rscope_addr - address of the port's own self
 * @ib: device
 * @port: port number
 * @gid_index: RoCE: entry used; InfiniBand: 0
 * @gid: that entry, for the report; cleared on InfiniBand
 * @lid: InfiniBand: LID of the port
 * @pkey_index: full-member partition
 * @mtu: path MTU
 */
struct rscope_addr {
	struct ib_device *ib;
	u32 port;
	u32 gid_index;
	struct rscope_gid gid;
	u32 lid;
	u16 pkey_index;
	enum ib_mtu mtu;
};

int rscope_addr_resolve(struct rscope_addr *a, struct ib_device *ib, u32 port,
			const struct rscope_workload *w, struct rscope_error *e);
int rscope_addr_ah(const struct rscope_addr *a, struct rdma_ah_attr *ah);

#endif /* RSCOPE_ADDR_H */
