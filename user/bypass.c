// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * System calls of this thread, by the tracepoint raw_syscalls:sys_enter. The
 * counter makes every system call of the thread slower, so it is closed before
 * anything is timed.
 */
#include "bypass.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rdmascope/record.h>

#include "facts.h"

#define PROBE_CALLS 100

static const char *const id_files[] = {
	"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id",
	"/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id",
};

static int read_id(void)
{
	char line[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(id_files); i++)
		if (facts_line(id_files[i], line, sizeof(line)) > 0)
			return atoi(line);
	return -1;
}

static int tracepoint_id(void)
{
	int id = read_id();

	if (id >= 0)
		return id;
	/* Some machines do not mount it; where we may, we do. */
	if (mount("tracefs", "/sys/kernel/tracing", "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  NULL))
		return -1;
	return read_id();
}

static void probe(void)
{
	int i;

	for (i = 0; i < PROBE_CALLS; i++)
		syscall(SYS_getppid);
}

/* A known number of system calls must be counted, plus a constant of our own. */
static int calibrate(struct bypass *b)
{
	u64 counted;

	bypass_start(b);
	probe();
	counted = bypass_stop(b);
	if (counted < PROBE_CALLS || counted > PROBE_CALLS + 4)
		return -EIO;
	b->own = counted - PROBE_CALLS;
	return 0;
}

/**
 * bypass_open() - get a counter that is known to count
 * @b: result
 *
 * Return: 0 or a negative errno: no tracefs, no permission, or a counter that
 * does not count.
 */
int bypass_open(struct bypass *b)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.disabled = 1,
	};
	int err, id = tracepoint_id();

	b->fd = -1;
	b->own = 0;
	if (id < 0)
		return -ENOENT;
	attr.config = (u64)id;
	b->fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (b->fd < 0)
		return -errno;
	err = calibrate(b);
	if (err)
		bypass_close(b);
	return err;
}

/**
 * bypass_start() - count from here
 * @b: open counter
 */
void bypass_start(struct bypass *b)
{
	ioctl(b->fd, PERF_EVENT_IOC_RESET, 0);
	ioctl(b->fd, PERF_EVENT_IOC_ENABLE, 0);
}

/**
 * bypass_stop() - count no further
 * @b: started counter
 *
 * Return: system calls since bypass_start(), RSCOPE_NONE on error.
 */
u64 bypass_stop(struct bypass *b)
{
	uint64_t n;

	ioctl(b->fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(b->fd, &n, sizeof(n)) != sizeof(n))
		return RSCOPE_NONE;
	return n > b->own ? n - b->own : 0;
}

/**
 * bypass_close() - give the counter back
 * @b: counter, also one that was refused
 */
void bypass_close(struct bypass *b)
{
	if (b->fd >= 0)
		close(b->fd);
	b->fd = -1;
}

/**
 * bypass_level() - what the count says
 * @syscalls: of the counting pass, RSCOPE_NONE when not counted
 * @post_calls: of the counting pass
 *
 * Return: "full" below one in a hundred posts, "none" from 99 in a hundred on,
 * "partial" between, "unknown" without a count.
 */
const char *bypass_level(u64 syscalls, u64 post_calls)
{
	double per_post = post_calls ? (double)syscalls / (double)post_calls : 0;

	if (syscalls == RSCOPE_NONE || !post_calls)
		return "unknown";
	if (per_post < 0.01)
		return "full";
	return per_post >= 0.99 ? "none" : "partial";
}
