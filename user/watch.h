/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Why must a running user path end? A second thread watches; the measuring
 * thread reads one word.
 */
#ifndef WATCH_H
#define WATCH_H

#include <pthread.h>

#include "verbs.h"

/**
 * struct watch - the watcher of one run
 * @why: 0, -ENODEV when the device is going, -ETIMEDOUT at the deadline
 * @deadline_ns: on the raw monotonic clock
 * @ctx: open device
 * @verbs: functions
 * @wake: eventfd that ends the thread
 * @stop: eventfd, readable once @why is set, for those who sleep
 * @uevents: netlink socket with the kernel's device events, -1 when refused
 * @thread: the thread
 * @running: there is one
 */
struct watch {
	int why;
	u64 deadline_ns;
	struct ibv_context *ctx;
	const struct verbs *verbs;
	int wake;
	int stop;
	int uevents;
	pthread_t thread;
	bool running;
};

int watch_start(struct watch *w, const struct verbs *v, struct ibv_context *ctx, u64 deadline_ns);
int watch_why(const struct watch *w, u64 now);
void watch_leaving(struct watch *w, unsigned int ms);
void watch_stop(struct watch *w);

#endif /* WATCH_H */
