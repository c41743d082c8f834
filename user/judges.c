// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "judges.h"

#include <rdmascope/linkjudge.h>

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
	return judge_layers(f, RSCOPE_LINK_NO_NETDEV) && !judge_unseen(f, 0) &&
	       (judge_protocol(f, RSCOPE_PROTO_ROCE) || judge_protocol(f, RSCOPE_PROTO_IWARP));
}

/**
 * judge_up() - is the port up, as far as both layers can tell?
 * @f: facts
 *
 * Return: true when it is.
 */
bool judge_up(const struct port_facts *f)
{
	return is_active(f) && f->link.agree == 1 && !judge_no_netdev(f, 0);
}

static bool roce_up(const struct port_facts *f)
{
	return judge_protocol(f, RSCOPE_PROTO_ROCE) && judge_up(f);
}

/**
 * judge_other_netns() - is the netdev in another namespace than the device?
 * @f: facts
 * @what: not used
 *
 * Return: true when it is; the module knows both.
 */
bool judge_other_netns(const struct port_facts *f, int what)
{
	return f->link.netns != RSCOPE_NONE && f->link.netdev_netns != RSCOPE_NONE &&
	       f->link.netns != f->link.netdev_netns;
}

/**
 * judge_unseen() - is the netdev in a namespace that is not seen from here?
 * @f: facts
 * @what: not used
 *
 * Return: true when the kernel names a netdev that does not exist here.
 */
bool judge_unseen(const struct port_facts *f, int what)
{
	return *f->unseen_netdev;
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
	return roce_up(f) && !has_gid(f) && !judge_unseen(f, 0);
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

/**
 * judge_runnable() - does a loopback make sense on this port?
 * @f: facts
 *
 * Return: true when both layers are well and this version speaks its protocol.
 */
bool judge_runnable(const struct port_facts *f)
{
	if (judge_protocol(f, RSCOPE_PROTO_ROCE))
		return judge_up(f) && has_gid(f);
	return is_active(f) && judge_protocol(f, RSCOPE_PROTO_IB);
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
