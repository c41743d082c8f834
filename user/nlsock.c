// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "nlsock.h"

#include <errno.h>
#include <stdlib.h>

#define ANSWER_MAX 65536

static int exchange(struct mnl_socket *s, const struct nlmsghdr *q, mnl_cb_t answer, void *ctx)
{
	char *buf = malloc(ANSWER_MAX);
	unsigned int port = mnl_socket_get_portid(s);
	ssize_t n;
	int more;

	if (!buf || mnl_socket_sendto(s, q, q->nlmsg_len) < 0) {
		free(buf);
		return -errno;
	}
	do {
		n = mnl_socket_recvfrom(s, buf, ANSWER_MAX);
		more = n < 0 ? -1 : mnl_cb_run(buf, (size_t)n, q->nlmsg_seq, port, answer, ctx);
		/* A request for one object is answered by one message, without DONE. */
	} while (more > 0 && (q->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP);
	n = more < 0 ? -errno : 0;
	free(buf);
	return (int)n;
}

/**
 * nlsock_ask() - send a request and hand every answer on
 * @bus: NETLINK_ROUTE, NETLINK_RDMA
 * @question: the request
 * @answer: called for each message
 * @ctx: its argument
 *
 * Return: 0 or a negative errno.
 */
int nlsock_ask(int bus, const struct nlmsghdr *question, mnl_cb_t answer, void *ctx)
{
	struct mnl_socket *s = mnl_socket_open(bus);
	int err;

	if (!s)
		return -errno;
	err = mnl_socket_bind(s, 0, MNL_SOCKET_AUTOPID) ? -errno :
							  exchange(s, question, answer, ctx);
	mnl_socket_close(s);
	return err;
}
