/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Do the two layers of a link tell the same story? One rule for the module's
 * records and for the tool's netlink and sysfs sources.
 */
#ifndef RDMASCOPE_LINKJUDGE_H
#define RDMASCOPE_LINKJUDGE_H

#include "abi.h"
#include "env.h"
#include "record.h"
#include "workload.h"

/**
 * rscope_link_reason() - why a port and its netdev do not fit
 * @l: link record with port and netdev keys filled
 *
 * A driver may keep a port ACTIVE while its netdev has no carrier: LTS kernels
 * of rdma_rxe do. Only admin state and carrier are judged: the operational
 * state of software netdevs is "unknown" for ever.
 *
 * Return: RSCOPE_LINK_OK when both layers are well.
 */
static inline enum rscope_link_reason rscope_link_reason(const struct rscope_link *l)
{
	bool active = !strcmp(l->state, "ACTIVE");
	bool up = !strcmp(l->netdev_admin, "up");

	if (!*l->state)
		return RSCOPE_LINK_QUERY_FAILED;
	if (!*l->netdev)
		return !strcmp(l->link_layer, "infiniband") ? RSCOPE_LINK_IB_LINK_LAYER :
							      RSCOPE_LINK_NO_NETDEV;
	if (!up)
		return active ? RSCOPE_LINK_ACTIVE_NETDEV_DOWN : RSCOPE_LINK_NETDEV_DOWN;
	if (!l->netdev_carrier)
		return active ? RSCOPE_LINK_ACTIVE_NO_CARRIER : RSCOPE_LINK_NO_CARRIER;
	return active ? RSCOPE_LINK_OK : RSCOPE_LINK_PORT_DOWN;
}

/**
 * rscope_link_judge() - fill the keys agree and reason
 * @l: link record, everything else filled
 *
 * Down on both layers is agreement; a port without a netdev has nothing to
 * disagree with.
 */
static inline void rscope_link_judge(struct rscope_link *l)
{
	enum rscope_link_reason why = rscope_link_reason(l);

	l->agree = why != RSCOPE_LINK_ACTIVE_NETDEV_DOWN && why != RSCOPE_LINK_ACTIVE_NO_CARRIER &&
		   why != RSCOPE_LINK_PORT_DOWN && why != RSCOPE_LINK_QUERY_FAILED;
	snprintf(l->reason, sizeof(l->reason), "%s", rscope_words_LINK_REASONS[why]);
}

#endif /* RDMASCOPE_LINKJUDGE_H */
