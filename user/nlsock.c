// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "nlsock.h"

#include <errno.h>
#include <stdlib.h>

#define ANSWER_MAX 65536

/**
 * nlsock_open() - begin
 * @s: result; nlsock_close() it in any case
 * @bus: NETLINK_ROUTE, NETLINK_RDMA
 *
 * Return: 0 or a negative errno.
 */
int nlsock_open(struct nlsock *s, int bus)
{
	s->buf = malloc(ANSWER_MAX);
	s->mnl = s->buf ? mnl_socket_open(bus) : NULL;
	if (!s->mnl)
		return s->buf ? -errno : -ENOMEM;
	return mnl_socket_bind(s->mnl, 0, MNL_SOCKET_AUTOPID) ? -errno : 0;
}

/**
 * nlsock_close() - end
 * @s: of nlsock_open()
 */
void nlsock_close(struct nlsock *s)
{
	if (s->mnl)
		mnl_socket_close(s->mnl);
	free(s->buf);
}

/**
 * nlsock_query() - send a request and hand every answer on
 * @s: of nlsock_open()
 * @question: the request
 * @answer: called for each message
 * @ctx: its argument
 *
 * Return: 0 or a negative errno.
 */
int nlsock_query(struct nlsock *s, const struct nlmsghdr *question, mnl_cb_t answer, void *ctx)
{
	unsigned int port = mnl_socket_get_portid(s->mnl);
	ssize_t n;
	int more;

	if (mnl_socket_sendto(s->mnl, question, question->nlmsg_len) < 0)
		return -errno;
	do {
		n = mnl_socket_recvfrom(s->mnl, s->buf, ANSWER_MAX);
		more = n < 0 ? -1 : mnl_cb_run(s->buf, (size_t)n, question->nlmsg_seq, port, answer,
					       ctx);
		/* A request for one object is answered by one message, without DONE. */
	} while (more > 0 && (question->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP);
	return more < 0 ? -errno : 0;
}

/**
 * nlsock_ask() - one question on a socket of its own
 * @bus: NETLINK_ROUTE, NETLINK_RDMA
 * @question: the request
 * @answer: called for each message
 * @ctx: its argument
 *
 * Return: 0 or a negative errno.
 */
int nlsock_ask(int bus, const struct nlmsghdr *question, mnl_cb_t answer, void *ctx)
{
	struct nlsock s = { 0 };
	int err = nlsock_open(&s, bus);

	if (!err)
		err = nlsock_query(&s, question, answer, ctx);
	nlsock_close(&s);
	return err;
}
