// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Notifications only tell when to look: what changed is found by reading the map
 * again. So none needs to be understood, and a lost one costs nothing.
 */
#include "follow.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <rdma/rdma_netlink.h>
#include <signal.h>
#include <unistd.h>

#include "nlsock.h"
#include "signals.h"

/* Of <rdma/rdma_netlink.h> since 6.13. */
#define GROUP_NOTIFY 4
#define SYS_ATTR_MONITOR_MODE 103

/* Notifications come in bursts: quiet for so long ends one, or its length does. */
#define QUIET_MS 20
#define BURST_ROUNDS 10
#define DRAIN_MOST 4096

#define RTNL_GROUPS (RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)

static struct mnl_socket *listen_to(int bus, unsigned int groups)
{
	struct mnl_socket *s = mnl_socket_open2(bus, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (s && mnl_socket_bind(s, groups, MNL_SOCKET_AUTOPID)) {
		mnl_socket_close(s);
		s = NULL;
	}
	return s;
}

static int take_mode(const struct nlattr *a, void *ctx)
{
	if (mnl_attr_get_type(a) == SYS_ATTR_MONITOR_MODE && mnl_attr_get_payload_len(a))
		*(bool *)ctx = mnl_attr_get_u8(a);
	return MNL_CB_OK;
}

static int take_system(const struct nlmsghdr *h, void *ctx)
{
	return mnl_attr_parse(h, 0, take_mode, ctx);
}

/* Any kernel lets root join any group; only this tells that something is sent to it. */
static bool kernel_monitors(void)
{
	char buf[256];
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	bool on = false;

	h->nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET);
	h->nlmsg_flags = NLM_F_REQUEST;
	h->nlmsg_seq = 1;
	return !nlsock_ask(NETLINK_RDMA, h, take_system, &on) && on;
}

/**
 * follow_open() - from now on notifications are kept for us
 * @f: result; what is refused is left out
 *
 * An open socket of the RDMA core keeps its module from being unloaded.
 */
void follow_open(struct follow *f)
{
	*f = (struct follow){ .rtnl = listen_to(NETLINK_ROUTE, RTNL_GROUPS) };
	if (kernel_monitors())
		f->monitor = listen_to(NETLINK_RDMA, 1U << (GROUP_NOTIFY - 1));
}

/* A socket with another error would be readable for ever. */
static bool drain(struct mnl_socket **s, bool *lost)
{
	char buf[8192];
	bool any = false;
	int i;

	for (i = 0; *s && i < DRAIN_MOST; i++) {
		if (mnl_socket_recvfrom(*s, buf, sizeof(buf)) < 0) {
			if (errno == EAGAIN)
				break;
			if (errno == ENOBUFS) {
				*lost = true;
			} else if (errno != EINTR && errno != ENOSPC) {
				mnl_socket_close(*s);
				*s = NULL;
			}
		}
		any = true;
	}
	return any;
}

/**
 * follow_pending() - has anything come since we looked last?
 * @f: sources
 *
 * Return: true when it has; it is taken out.
 */
bool follow_pending(struct follow *f)
{
	bool rtnl = drain(&f->rtnl, &f->lost), monitor = drain(&f->monitor, &f->lost);

	return rtnl || monitor;
}

static int fd_of(const struct mnl_socket *s)
{
	return s ? mnl_socket_get_fd(s) : -1;
}

/* A signal is let in only while we sleep, so that none comes just before. */
static int sleep_on(struct pollfd *fds, nfds_t n, int timeout_ms)
{
	struct timespec t = { .tv_sec = timeout_ms / 1000,
			      .tv_nsec = timeout_ms % 1000 * 1000000L };
	sigset_t block, old;
	int ready = -1;

	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &old);
	if (!signals_caught())
		ready = ppoll(fds, n, &t, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return ready;
}

static enum follow_event wait_once(struct follow *f, int timeout_ms)
{
	struct pollfd fds[] = { { .fd = fd_of(f->rtnl), .events = POLLIN },
				{ .fd = fd_of(f->monitor), .events = POLLIN },
				{ .fd = STDOUT_FILENO } };
	int ready = sleep_on(fds, 3, timeout_ms);

	if (signals_caught())
		return FOLLOW_SIGNAL;
	if (ready <= 0)
		return FOLLOW_QUIET;
	if (fds[2].revents)
		return FOLLOW_UNREAD;
	return follow_pending(f) ? FOLLOW_CHANGE : FOLLOW_QUIET;
}

/**
 * follow_wait() - sleep until there is a reason to look
 * @f: sources
 * @timeout_ms: at most so long
 *
 * Return: the reason.
 */
enum follow_event follow_wait(struct follow *f, int timeout_ms)
{
	enum follow_event first = wait_once(f, timeout_ms), more = first;
	int round;

	for (round = 0; more == FOLLOW_CHANGE && round < BURST_ROUNDS; round++)
		more = wait_once(f, QUIET_MS);
	return more == FOLLOW_SIGNAL || more == FOLLOW_UNREAD ? more : first;
}

/**
 * follow_close() - no more notifications
 * @f: sources
 */
void follow_close(struct follow *f)
{
	if (f->rtnl)
		mnl_socket_close(f->rtnl);
	if (f->monitor)
		mnl_socket_close(f->monitor);
}
