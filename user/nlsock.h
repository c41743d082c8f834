/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One netlink question and all its answers.
 */
#ifndef NLSOCK_H
#define NLSOCK_H

#include <libmnl/libmnl.h>

int nlsock_ask(int bus, const struct nlmsghdr *question, mnl_cb_t answer, void *ctx);

#endif /* NLSOCK_H */
