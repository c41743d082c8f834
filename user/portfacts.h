/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a verdict about a port depends on.
 */
#ifndef PORTFACTS_H
#define PORTFACTS_H

#include "host.h"
#include "provider.h"

/** enum trial_outcome - how a loopback ended; words in trial_words */
enum trial_outcome {
	TRIAL_NONE, /* not tried */
	TRIAL_PASS,
	TRIAL_FAIL,
	TRIAL_IMPOSSIBLE, /* the path is not there */
	TRIAL_REFUSED, /* not permitted */
	TRIAL_BUSY, /* somebody else runs on the port */
	TRIAL_NR
};

/**
 * struct trial - a short verified loopback on one path
 * @outcome: how it ended
 * @reason: why, when it did not pass
 * @next: what to do then
 * @verify_ops: operations whose bytes were checked
 * @p50_ns: median latency
 * @mismatches: wrong bytes
 */
struct trial {
	enum trial_outcome outcome;
	char reason[2 * RSCOPE_MSG_MAX];
	char next[RSCOPE_MSG_MAX];
	u64 verify_ops;
	u64 p50_ns;
	u64 mismatches;
};

/** enum trial_path - the paths that are tried */
enum trial_path { TRIAL_KERNEL, TRIAL_USER, TRIAL_PATHS };

/**
 * struct port_facts - all that a verdict depends on
 * @link: the port and its netdev
 * @device: its device; absent fields when not known
 * @gid: the best entry of its GID table, score 0 when none is usable
 * @gids: entries of that table
 * @gid_unowned: the best entry stands for an address its netdev does not have
 * @guid_twin: another device with the same node GUID, or ""
 * @unseen_netdev: its netdev, when that is in another namespace and sysfs alone names
 *	it; else ""
 * @fits_mtu_bytes: largest RDMA MTU that fits the netdev, RSCOPE_NONE when not known
 * @uverbs: name of the uverbs node, or ""
 * @uverbs_err: why it cannot be opened, negative errno, or 0
 * @provider: provider library of the device
 * @host: machine and user
 * @trial: loopbacks
 */
struct port_facts {
	struct rscope_link link;
	struct rscope_device device;
	struct rscope_gid gid;
	u64 gids;
	bool gid_unowned;
	char guid_twin[RSCOPE_WORD_MAX];
	char unseen_netdev[16];
	u64 fits_mtu_bytes;
	char uverbs[32];
	int uverbs_err;
	struct provider provider;
	struct host host;
	struct trial trial[TRIAL_PATHS];
};

#endif /* PORTFACTS_H */
