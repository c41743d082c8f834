// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Two ways to learn that the device is going. Drivers that can cut user space
 * off send IBV_EVENT_DEVICE_FATAL. The others (rxe up to 6.12) wait for us to
 * close; then the only sign is that the kernel removes the uverbs node, which
 * it announces by a uevent. Either way the run ends and the device is closed,
 * so that `rdma link del` is never kept waiting.
 */
#include "watch.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "endpoint.h"
#include "signals.h"

static int open_uevents(void)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void take_async(struct watch *w)
{
	struct ibv_async_event event;

	if (w->verbs->ibv_get_async_event(w->ctx, &event))
		return;
	if (event.event_type == IBV_EVENT_DEVICE_FATAL)
		WRITE_ONCE(w->why, -ENODEV);
	w->verbs->ibv_ack_async_event(&event);
}

/* "remove@/devices/.../infiniband_verbs/uverbs0" */
static void take_uevent(struct watch *w)
{
	char text[2048], end[64];
	ssize_t n = recv(w->uevents, text, sizeof(text) - 1, 0);
	size_t len, have;

	if (n <= 0)
		return;
	text[n] = '\0';
	len = (size_t)snprintf(end, sizeof(end), "/infiniband_verbs/%s", w->ctx->device->dev_name);
	have = strlen(text);
	if (!strncmp(text, "remove@", 7) && have > len && !strcmp(text + have - len, end))
		WRITE_ONCE(w->why, -ENODEV);
}

static int ms_left(const struct watch *w)
{
	u64 now = endpoint_now();

	if (now >= w->deadline_ns)
		return 0;
	return (int)((w->deadline_ns - now) / 1000000 + 1);
}

static bool ring(int fd)
{
	u64 one = 1;

	return write(fd, &one, sizeof(one)) == sizeof(one);
}

static void *watcher(void *arg)
{
	struct watch *w = arg;
	struct pollfd fd[] = {
		{ .fd = w->wake, .events = POLLIN },
		{ .fd = w->ctx->async_fd, .events = POLLIN },
		{ .fd = w->uevents, .events = POLLIN },
	};

	signals_block();
	while (!READ_ONCE(w->why)) {
		int n = poll(fd, ARRAY_SIZE(fd), ms_left(w));

		if (fd[0].revents)
			break;
		if (!n && !ms_left(w))
			WRITE_ONCE(w->why, -ETIMEDOUT);
		if (n > 0 && fd[1].revents & (POLLERR | POLLHUP))
			WRITE_ONCE(w->why, -ENODEV);
		if (n > 0 && fd[1].revents & POLLIN)
			take_async(w);
		if (n > 0 && fd[2].revents)
			take_uevent(w);
	}
	if (w->why)
		ring(w->stop);
	return NULL;
}

/**
 * watch_start() - watch an open device until watch_stop()
 * @w: result
 * @v: functions
 * @ctx: open device
 * @deadline_ns: when the run must be over
 *
 * Return: 0 or a negative errno; watch_stop() in both cases.
 */
int watch_start(struct watch *w, const struct verbs *v, struct ibv_context *ctx, u64 deadline_ns)
{
	int err;

	memset(w, 0, sizeof(*w));
	w->verbs = v;
	w->ctx = ctx;
	w->deadline_ns = deadline_ns;
	w->uevents = open_uevents();
	w->wake = eventfd(0, EFD_CLOEXEC);
	w->stop = eventfd(0, EFD_CLOEXEC);
	fcntl(ctx->async_fd, F_SETFL, fcntl(ctx->async_fd, F_GETFL) | O_NONBLOCK);
	err = w->wake < 0 || w->stop < 0 ? errno : pthread_create(&w->thread, NULL, watcher, w);
	w->running = !err;
	return -err;
}

/**
 * watch_why() - must the run end?
 * @w: watch
 * @now: clock, 0 when it must not be read
 *
 * Return: 0, -EINTR, -ENODEV or -ETIMEDOUT.
 */
int watch_why(const struct watch *w, u64 now)
{
	int why = READ_ONCE(w->why);

	if (why)
		return why;
	if (signals_caught())
		return -EINTR;
	return now > w->deadline_ns ? -ETIMEDOUT : 0;
}

/**
 * watch_leaving() - after a failed completion: is the device on its way out?
 * @w: watch
 * @ms: how long to wait for the news
 *
 * When a netdev goes, packets are lost before the device is removed; the run
 * shall say "removed" and not "retry exceeded".
 */
void watch_leaving(struct watch *w, unsigned int ms)
{
	u64 until = endpoint_now() + ms * 1000000ULL;

	while (!watch_why(w, 0) && endpoint_now() < until)
		poll(NULL, 0, 20);
}

/**
 * watch_stop() - end the thread
 * @w: watch, also one that did not start
 */
void watch_stop(struct watch *w)
{
	if (w->running && ring(w->wake))
		pthread_join(w->thread, NULL);
	w->running = false;
	if (w->wake > 0)
		close(w->wake);
	if (w->stop > 0)
		close(w->stop);
	if (w->uevents > 0)
		close(w->uevents);
}
