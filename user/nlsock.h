/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Questions to the kernel by netlink.
 */
#ifndef NLSOCK_H
#define NLSOCK_H

#include <libmnl/libmnl.h>

/**
 * struct nlsock - a socket for several questions
 * @mnl: the socket
 * @buf: for answers
 */
struct nlsock {
	struct mnl_socket *mnl;
	char *buf;
};

int nlsock_open(struct nlsock *s, int bus);
void nlsock_close(struct nlsock *s);
int nlsock_query(struct nlsock *s, const struct nlmsghdr *question, mnl_cb_t answer, void *ctx);
int nlsock_ask(int bus, const struct nlmsghdr *question, mnl_cb_t answer, void *ctx);

#endif /* NLSOCK_H */
