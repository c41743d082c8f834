/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Waiting until the kernel says that something about links may have changed.
 */
#ifndef FOLLOW_H
#define FOLLOW_H

#include <libmnl/libmnl.h>
#include <stdbool.h>

/** enum follow_event - why waiting ended */
enum follow_event {
	FOLLOW_QUIET, /* time is up */
	FOLLOW_CHANGE, /* notifications came; there are no more for the moment */
	FOLLOW_SIGNAL,
	FOLLOW_UNREAD, /* nobody reads stdout any more */
};

/**
 * struct follow - where notifications come from
 * @rtnl: netdevs and addresses of this namespace; NULL when refused
 * @monitor: the RDMA core's notifications (6.13 and later); NULL when it has none
 * @lost: the kernel dropped some; whoever reads everything again clears it
 */
struct follow {
	struct mnl_socket *rtnl;
	struct mnl_socket *monitor;
	bool lost;
};

void follow_open(struct follow *f);
enum follow_event follow_wait(struct follow *f, int timeout_ms);
bool follow_pending(struct follow *f);
void follow_close(struct follow *f);

#endif /* FOLLOW_H */
