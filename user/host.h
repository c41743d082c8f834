/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What about this machine and this user decides which paths are open?
 */
#ifndef HOST_H
#define HOST_H

#include <rdmascope/record.h>

#include "facts.h"
#include "modcheck.h"

/**
 * struct host - the machine, as far as a verdict depends on it
 * @facts: what the hints look at too
 * @debugfs_known: the kernel has debugfs, mounted or not
 * @secure_boot: the firmware enforces signatures
 * @abi_err: why the module's abi file could not be read, negative errno, or 0
 * @loopback: the module runs loopbacks; when @abi_err is 0
 * @module_refs: open files of the module and other references, RSCOPE_NONE when not known
 * @module_holders: "name (pid), ..." of those that can be seen
 * @memlock_bytes: limit of locked memory, RSCOPE_NONE for none
 * @ipc_lock: that limit does not bind this user
 * @file: the module's file, when the module is not loaded
 * @providers: provider libraries that libibverbs is told of, RSCOPE_NONE when not known
 */
struct host {
	struct facts facts;
	bool debugfs_known;
	bool secure_boot;
	int abi_err;
	bool loopback;
	u64 module_refs;
	char module_holders[RSCOPE_MSG_MAX];
	u64 memlock_bytes;
	bool ipc_lock;
	struct modcheck file;
	u64 providers;
};

void host_read(const char *root, struct host *h);

#endif /* HOST_H */
