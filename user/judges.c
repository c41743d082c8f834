// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "judges.h"

#include <rdmascope/linkjudge.h>

/* Locked memory that distributions give nowadays; an application needs more. */
#define MEMLOCK_BYTES (8ULL << 20)

/*
 * Headers around a payload: what the RDMA core subtracts from a netdev's MTU (GRH,
 * UDP, BTH, the longest extension, ICRC), and the least there can be (IPv4).
 */
#define HEADERS_MOST 96
#define HEADERS_LEAST 44

/* ------------------------------------------------------------------- layers */

static bool is_ib(const struct port_facts *f)
{
	return !strcmp(f->link.link_layer, "infiniband");
}

static bool is_active(const struct port_facts *f)
{
	return !strcmp(f->link.state, "ACTIVE");
}

/**
 * judge_layers() - is this what the shared rule says of both layers?
 * @f: facts
 * @reason: enum rscope_link_reason
 *
 * Return: true when it is.
 */
bool judge_layers(const struct port_facts *f, int reason)
{
	return !strcmp(f->link.reason, rscope_words_LINK_REASONS[reason]);
}

/**
 * judge_ib_unmanaged() - does an InfiniBand port wait for its subnet manager?
 * @f: facts
 * @what: not used
 *
 * Return: true when it does.
 */
bool judge_ib_unmanaged(const struct port_facts *f, int what)
{
	return is_ib(f) && (!strcmp(f->link.state, "INIT") || !strcmp(f->link.state, "ARMED"));
}

/**
 * judge_ib_down() - does an InfiniBand port have no peer?
 * @f: facts
 * @what: not used
 *
 * Return: true when it has none.
 */
bool judge_ib_down(const struct port_facts *f, int what)
{
	return is_ib(f) && !is_active(f) && !judge_ib_unmanaged(f, 0) &&
	       !judge_layers(f, RSCOPE_LINK_QUERY_FAILED);
}

/**
 * judge_port_down() - is only the RDMA layer down?
 * @f: facts
 * @what: not used
 *
 * Return: true when it is.
 */
bool judge_port_down(const struct port_facts *f, int what)
{
	return !is_ib(f) && judge_layers(f, RSCOPE_LINK_PORT_DOWN);
}

/**
 * judge_protocol() - does the port speak this?
 * @f: facts
 * @protocol: enum rscope_proto
 *
 * Return: true when it does.
 */
bool judge_protocol(const struct port_facts *f, int protocol)
{
	return !strcmp(f->link.protocol, rscope_words_PROTOCOLS[protocol]);
}

/**
 * judge_no_netdev() - does an Ethernet port lack its netdev?
 * @f: facts
 * @what: not used
 *
 * Return: true when it does.
 */
bool judge_no_netdev(const struct port_facts *f, int what)
{
	return judge_layers(f, RSCOPE_LINK_NO_NETDEV) &&
	       (judge_protocol(f, RSCOPE_PROTO_ROCE) || judge_protocol(f, RSCOPE_PROTO_IWARP));
}

static bool is_up(const struct port_facts *f)
{
	return is_active(f) && f->link.agree == 1 && !judge_no_netdev(f, 0);
}

static bool roce_up(const struct port_facts *f)
{
	return judge_protocol(f, RSCOPE_PROTO_ROCE) && is_up(f);
}

/**
 * judge_other_netns() - is the netdev in another namespace than the device?
 * @f: facts
 * @what: not used
 *
 * Return: true when it is; only the module knows.
 */
bool judge_other_netns(const struct port_facts *f, int what)
{
	return f->link.netns != RSCOPE_NONE && f->link.netdev_netns != RSCOPE_NONE &&
	       f->link.netns != f->link.netdev_netns;
}

/* --------------------------------------------------------------------- GIDs */

static bool has_gid(const struct port_facts *f)
{
	return f->gid.score != RSCOPE_NONE && f->gid.score;
}

/**
 * judge_no_gid() - is no entry of the GID table usable?
 * @f: facts
 * @what: not used
 *
 * Return: true when none is.
 */
bool judge_no_gid(const struct port_facts *f, int what)
{
	return roce_up(f) && !has_gid(f);
}

/**
 * judge_gid_unowned() - does the netdev lack the address of the best GID?
 * @f: facts
 * @what: not used
 *
 * Return: true when it does.
 */
bool judge_gid_unowned(const struct port_facts *f, int what)
{
	return roce_up(f) && has_gid(f) && f->gid_unowned;
}

/**
 * judge_gid_type() - is the best GID of this type?
 * @f: facts
 * @type: enum rscope_gidt
 *
 * Return: true when it is: then nothing better is there.
 */
bool judge_gid_type(const struct port_facts *f, int type)
{
	return roce_up(f) && has_gid(f) && !strcmp(f->gid.type, rscope_words_GID_TYPES[type]);
}

/**
 * judge_gid_link_local() - is there nothing better than a link-local GID?
 * @f: facts
 * @what: not used
 *
 * Return: true when there is not.
 */
bool judge_gid_link_local(const struct port_facts *f, int what)
{
	return roce_up(f) && has_gid(f) && !strcmp(f->gid.scope, "link-local");
}

/* ---------------------------------------------------------------------- MTU */

/**
 * judge_fitting_mtu() - largest RDMA MTU that a netdev carries
 * @netdev_mtu: bytes
 * @max_mtu: of the port, RSCOPE_NONE when not known
 *
 * Return: bytes, RSCOPE_NONE when it carries none or is not known.
 */
u64 judge_fitting_mtu(u64 netdev_mtu, u64 max_mtu)
{
	u64 mtu = 4096;

	if (netdev_mtu == RSCOPE_NONE)
		return RSCOPE_NONE;
	while (mtu >= 256 && (mtu + HEADERS_MOST > netdev_mtu || mtu > max_mtu))
		mtu /= 2;
	return mtu >= 256 ? mtu : RSCOPE_NONE;
}

static bool mtu_known(const struct port_facts *f)
{
	return roce_up(f) && f->link.active_mtu_bytes != RSCOPE_NONE &&
	       f->link.netdev_mtu_bytes != RSCOPE_NONE;
}

/**
 * judge_mtu_large() - are packets of the active MTU longer than the netdev's?
 * @f: facts
 * @what: not used
 *
 * Return: true when they are.
 */
bool judge_mtu_large(const struct port_facts *f, int what)
{
	return mtu_known(f) && f->link.active_mtu_bytes + HEADERS_LEAST > f->link.netdev_mtu_bytes;
}

/**
 * judge_mtu_small() - would the netdev carry a larger active MTU?
 * @f: facts
 * @what: not used
 *
 * Return: true when it would.
 */
bool judge_mtu_small(const struct port_facts *f, int what)
{
	return mtu_known(f) && f->fits_mtu_bytes != RSCOPE_NONE &&
	       f->link.active_mtu_bytes < f->fits_mtu_bytes;
}

/* -------------------------------------------------------------------- GUIDs */

/**
 * judge_guid_zero() - has the device no node GUID?
 * @f: facts
 * @what: not used
 *
 * Return: true when it has none.
 */
bool judge_guid_zero(const struct port_facts *f, int what)
{
	return !strcmp(f->device.node_guid, "0000:0000:0000:0000");
}

/**
 * judge_guid_twin() - has another device the same node GUID?
 * @f: facts
 * @what: not used
 *
 * Return: true when it has.
 */
bool judge_guid_twin(const struct port_facts *f, int what)
{
	return *f->guid_twin && !judge_guid_zero(f, 0);
}

/* -------------------------------------------------------------------- paths */

static enum obstacle kernel_obstacle(const struct port_facts *f)
{
	const struct host *h = &f->host;
	const struct {
		bool is;
		enum obstacle what;
	} rows[] = {
		{ !strcmp(f->link.kverbs, "no") || !strcmp(f->device.kverbs, "no"),
		  KERNEL_NO_VERBS },
		{ h->facts.lockdown, KERNEL_LOCKDOWN },
		{ !h->debugfs_known, KERNEL_NO_DEBUGFS },
		{ !h->facts.module && h->secure_boot, KERNEL_UNSIGNED },
		{ !h->facts.module, KERNEL_NO_MODULE },
		{ !h->facts.debugfs, KERNEL_UNMOUNTED },
		{ h->abi_err == -EACCES, KERNEL_CLOSED },
		{ h->abi_err == -EPROTONOSUPPORT || h->abi_err == -EBADMSG, KERNEL_OTHER_ABI },
		{ h->abi_err, KERNEL_UNREADABLE },
		{ !h->loopback, KERNEL_MAP_ONLY },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].is)
			return rows[i].what;
	return KERNEL_OPEN;
}

static enum gap user_gap(const struct port_facts *f)
{
	int err = f->uverbs_err;

	if (!*f->uverbs)
		return USER_NO_UVERBS;
	if (err == -ENOENT)
		return USER_NO_NODE;
	if (err == -EACCES || err == -EPERM)
		return USER_CLOSED;
	if (err)
		return USER_BROKEN;
	return f->host.providers ? USER_OPEN : USER_NO_PROVIDER;
}

/**
 * judge_runnable() - does a loopback make sense on this port?
 * @f: facts
 *
 * Return: true when both layers are well and this version speaks its protocol.
 */
bool judge_runnable(const struct port_facts *f)
{
	if (judge_protocol(f, RSCOPE_PROTO_ROCE))
		return is_up(f) && has_gid(f);
	return is_active(f) && judge_protocol(f, RSCOPE_PROTO_IB);
}

/**
 * judge_obstacle() - is this what closes the kernel path?
 * @f: facts
 * @obstacle: enum obstacle
 *
 * Return: true when it is, on a port where the loopback would be next.
 */
bool judge_obstacle(const struct port_facts *f, int obstacle)
{
	return judge_runnable(f) && kernel_obstacle(f) == (enum obstacle)obstacle;
}

/**
 * judge_gap() - is this why user space does not reach the device?
 * @f: facts
 * @gap: enum gap
 *
 * Return: true when it is, on a port that is up.
 */
bool judge_gap(const struct port_facts *f, int gap)
{
	return is_up(f) && user_gap(f) == (enum gap)gap;
}

/**
 * judge_memlock() - will applications run out of locked memory?
 * @f: facts
 * @what: not used
 *
 * Return: true when the limit is below what distributions give.
 */
bool judge_memlock(const struct port_facts *f, int what)
{
	return is_up(f) && !f->host.ipc_lock && f->host.memlock_bytes < MEMLOCK_BYTES;
}

/**
 * judge_kernel() - did the loopback over kernel verbs end so?
 * @f: facts
 * @outcome: enum trial_outcome
 *
 * Return: true when it did.
 */
bool judge_kernel(const struct port_facts *f, int outcome)
{
	return f->trial[TRIAL_KERNEL].outcome == (enum trial_outcome)outcome;
}

/**
 * judge_user() - did the loopback over user verbs end so?
 * @f: facts
 * @outcome: enum trial_outcome
 *
 * Return: true when it did.
 */
bool judge_user(const struct port_facts *f, int outcome)
{
	return f->trial[TRIAL_USER].outcome == (enum trial_outcome)outcome;
}

/**
 * judge_open() - can a path be tried?
 * @f: facts
 * @path: which
 *
 * Return: true when nothing is known that closes it.
 */
bool judge_open(const struct port_facts *f, enum trial_path path)
{
	return path == TRIAL_KERNEL ? kernel_obstacle(f) == KERNEL_OPEN : user_gap(f) == USER_OPEN;
}
