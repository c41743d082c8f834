/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Questions about a port that can be answered with yes or no.
 */
#ifndef JUDGES_H
#define JUDGES_H

#include "portfacts.h"

/** enum obstacle - what closes the kernel path, the first to remove first */
enum obstacle {
	KERNEL_OPEN,
	KERNEL_NO_VERBS,
	KERNEL_LOCKDOWN,
	KERNEL_NO_DEBUGFS,
	KERNEL_STALE_CORE,
	KERNEL_OTHER_STACK,
	KERNEL_OTHER_KERNEL,
	KERNEL_FILE_UNREADABLE,
	KERNEL_UNSIGNED,
	KERNEL_NO_MODULE,
	KERNEL_UNMOUNTED,
	KERNEL_CLOSED,
	KERNEL_OTHER_ABI,
	KERNEL_UNREADABLE,
	KERNEL_MAP_ONLY,
};

/** enum gap - why user space does not reach a device the kernel has */
enum gap { USER_OPEN, USER_NO_UVERBS, USER_NO_NODE, USER_CLOSED, USER_BROKEN, USER_NO_PROVIDER,
	   USER_NO_LIBRARY };

/* A question about one kind of trial: judge_kernel(f, TRIAL_FAIL). */
typedef bool (*judge_fn)(const struct port_facts *f, int what);

bool judge_layers(const struct port_facts *f, int reason);
bool judge_ib_unmanaged(const struct port_facts *f, int what);
bool judge_ib_down(const struct port_facts *f, int what);
bool judge_port_down(const struct port_facts *f, int what);
bool judge_no_netdev(const struct port_facts *f, int what);
bool judge_protocol(const struct port_facts *f, int protocol);
bool judge_other_netns(const struct port_facts *f, int what);
bool judge_unseen(const struct port_facts *f, int what);
bool judge_no_gid(const struct port_facts *f, int what);
bool judge_gid_unowned(const struct port_facts *f, int what);
bool judge_gid_type(const struct port_facts *f, int type);
bool judge_gid_link_local(const struct port_facts *f, int what);
bool judge_mtu_large(const struct port_facts *f, int what);
bool judge_mtu_small(const struct port_facts *f, int what);
bool judge_guid_zero(const struct port_facts *f, int what);
bool judge_guid_twin(const struct port_facts *f, int what);
bool judge_obstacle(const struct port_facts *f, int obstacle);
bool judge_gap(const struct port_facts *f, int gap);
bool judge_memlock(const struct port_facts *f, int what);
bool judge_kernel(const struct port_facts *f, int outcome);
bool judge_user(const struct port_facts *f, int outcome);
bool judge_no_verbs(const struct port_facts *f, int runnable);
bool judge_up(const struct port_facts *f);
bool judge_runnable(const struct port_facts *f);
bool judge_open(const struct port_facts *f, enum trial_path path);
u64 judge_fitting_mtu(u64 netdev_mtu, u64 max_mtu);

#endif /* JUDGES_H */
