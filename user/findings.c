// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "findings.h"

#include <rdmascope/workload.h>

#include "judges.h"

const char *const check_words[CHECK_NR] = {
	[CHECK_PASS] = "PASS", [CHECK_FAIL] = "FAIL", [CHECK_WARN] = "WARN", [CHECK_SKIP] = "SKIP",
};

const char *const trial_words[TRIAL_NR] = {
	[TRIAL_NONE] = "not-tried", [TRIAL_PASS] = "pass", [TRIAL_FAIL] = "fail",
	[TRIAL_IMPOSSIBLE] = "impossible", [TRIAL_REFUSED] = "refused", [TRIAL_BUSY] = "busy",
};

/* -------------------------------------------------------------------- table */

struct finding_row {
	const char *name;
	judge_fn judge;
	int what;
	enum check_verdict verdict;
	bool permit;
	const char *reason;
	const char *next;
};

#define ROW(verdict_, name_, judge_, what_, reason_, next_) \
	{ .name = name_, .judge = judge_, .what = what_, .verdict = CHECK_##verdict_, \
	  .reason = reason_, .next = next_ }

/* Not permitted: an exit status of its own. */
#define CLOSED(name_, judge_, what_, reason_, next_) \
	{ .name = name_, .judge = judge_, .what = what_, .verdict = CHECK_WARN, .permit = true, \
	  .reason = reason_, .next = next_ }

/* What makes a module that fits; without DKMS: make clean && make && make install. */
#define REBUILD \
	"dkms build --force -m rdmascope -v " RSCOPE_VERSION " -k {release}; " \
	"dkms install --force -m rdmascope -v " RSCOPE_VERSION " -k {release}"

/*
 * In the order of severity: the first row that applies is the verdict, the others
 * are told too. Words in braces are those of the table below.
 */
static const struct finding_row rows[] = {
	ROW(FAIL, "query-failed", judge_layers, RSCOPE_LINK_QUERY_FAILED,
	    "the driver does not answer for this port", "dmesg | tail"),
	ROW(FAIL, "active-without-carrier", judge_layers, RSCOPE_LINK_ACTIVE_NO_CARRIER,
	    "the port says ACTIVE, but {netdev} has no carrier: nothing leaves the machine",
	    "ip link show dev {netdev}"),
	ROW(FAIL, "active-netdev-down", judge_layers, RSCOPE_LINK_ACTIVE_NETDEV_DOWN,
	    "the port says ACTIVE, but {netdev} is administratively down",
	    "ip link set dev {netdev} up"),
	ROW(FAIL, "no-carrier", judge_layers, RSCOPE_LINK_NO_CARRIER,
	    "{netdev} is up without carrier: no cable, or the peer is down",
	    "ip link show dev {netdev}"),
	ROW(FAIL, "port-down", judge_port_down, 0,
	    "the port is {state} although {netdev} is up with carrier", "dmesg | tail"),
	ROW(FAIL, "no-subnet-manager", judge_ib_unmanaged, 0,
	    "the port is {state}: no subnet manager has set it up", "sminfo"),
	ROW(FAIL, "ib-port-down", judge_ib_down, 0,
	    "the port is {state}, physically {phys}: cable, or the peer is down", "ibstatus"),
	ROW(FAIL, "no-netdev", judge_no_netdev, 0,
	    "its netdev is gone, or in a network namespace that is not seen from here",
	    "ip netns list"),
	ROW(FAIL, "no-gid", judge_no_gid, 0,
	    "none of {gids} GIDs is usable: RoCE needs an address on {netdev}",
	    "ip addr add ADDRESS/LEN dev {netdev}"),
	ROW(FAIL, "kernel-loopback", judge_kernel, TRIAL_FAIL,
	    "the loopback over kernel verbs failed: {kernel_reason}", "{kernel_next}"),
	ROW(FAIL, "user-loopback", judge_user, TRIAL_FAIL,
	    "the loopback over user verbs failed: {user_reason}", "{user_next}"),

	ROW(WARN, "netdev-netns", judge_other_netns, 0,
	    "{netdev} is in another network namespace (inode {netdev_netns})",
	    "lsns -t net | grep {netdev_netns}"),
	ROW(WARN, "netdev-netns", judge_unseen, 0,
	    "{unseen}, its netdev, is in another network namespace", "ip netns list"),
	ROW(WARN, "gid-unowned", judge_gid_unowned, 0,
	    "the best GID, {gid}, stands for an address that {gid_netdev} does not have",
	    "ip addr add ADDRESS/LEN dev {gid_netdev}"),
	ROW(WARN, "gid-roce-v1", judge_gid_type, RSCOPE_GIDT_ROCE_V1,
	    "the best GID is RoCE v1: routers do not forward it, v2 peers do not answer",
	    "rdmascope gids {dev}/{port}"),
	ROW(WARN, "gid-link-local", judge_gid_link_local, 0,
	    "the best GID is link-local: peers behind a router cannot be reached",
	    "ip addr add ADDRESS/LEN dev {gid_netdev}"),
	ROW(WARN, "mtu-too-large", judge_mtu_large, 0,
	    "packets of the active MTU {mtu} exceed the {netdev_mtu} bytes of {netdev}",
	    "ip link set dev {netdev} mtu 4200"),
	ROW(WARN, "mtu-small", judge_mtu_small, 0,
	    "the active MTU is {mtu}, the {netdev_mtu} bytes of {netdev} would carry {fits_mtu}",
	    "rdmascope links {dev}/{port}"),
	ROW(WARN, "guid-zero", judge_guid_zero, 0,
	    "the node GUID is zero: has {netdev} no hardware address?",
	    "rdmascope device {dev}"),
	ROW(WARN, "guid-duplicate", judge_guid_twin, 0,
	    "{twin} has the same node GUID, {guid}", "rdmascope device"),
	ROW(WARN, "no-uverbs", judge_gap, USER_NO_UVERBS,
	    "the kernel has the device, user space does not: it has no uverbs node",
	    "modprobe ib_uverbs"),
	ROW(WARN, "no-uverbs-node", judge_gap, USER_NO_NODE,
	    "/dev/infiniband/{uverbs} is missing here, as in a container that was not given it",
	    "udevadm trigger; of a container: --device /dev/infiniband/{uverbs}"),
	CLOSED("uverbs-closed", judge_gap, USER_CLOSED,
	       "/dev/infiniband/{uverbs} is closed to this user",
	       "ls -l /dev/infiniband/{uverbs}"),
	ROW(WARN, "uverbs-broken", judge_gap, USER_BROKEN,
	    "/dev/infiniband/{uverbs} cannot be opened", "dmesg | tail"),
	ROW(WARN, "no-provider", judge_gap, USER_NO_PROVIDER,
	    "libibverbs has no provider library for any device",
	    "apt install ibverbs-providers"),
	ROW(WARN, "no-provider", judge_gap, USER_NO_LIBRARY,
	    "libibverbs has no provider library {provider} for this device",
	    "apt install ibverbs-providers"),
	CLOSED("user-loopback-refused", judge_user, TRIAL_REFUSED,
	       "no loopback over user verbs: {user_reason}", "{user_next}"),
	ROW(WARN, "user-loopback-impossible", judge_user, TRIAL_IMPOSSIBLE,
	    "no loopback over user verbs: {user_reason}", "{user_next}"),
	ROW(WARN, "memlock", judge_memlock, 0,
	    "this user may lock {memlock} bytes of memory: applications will get ENOMEM",
	    "ulimit -l unlimited"),
	ROW(WARN, "no-kernel-verbs", judge_no_verbs, true,
	    "kernel consumers cannot use the device: its driver lacks {missing}",
	    "rdmascope device {dev}"),
	CLOSED("lockdown", judge_obstacle, KERNEL_LOCKDOWN,
	       "kernel lockdown: no loopback over kernel verbs on this boot",
	       "cat /sys/kernel/security/lockdown"),
	ROW(WARN, "debugfs-disabled", judge_obstacle, KERNEL_NO_DEBUGFS,
	    "the kernel has no debugfs, or was booted with debugfs=off",
	    "cat /proc/cmdline"),
	ROW(WARN, "module-stale-core", judge_obstacle, KERNEL_STALE_CORE,
	    "the loaded ib_core is not {core_file}: the RDMA stack was replaced since",
	    "reboot, or unload all RDMA modules and load them again"),
	ROW(WARN, "module-other-stack", judge_obstacle, KERNEL_OTHER_STACK,
	    "rdmascope.ko was built against another RDMA stack than the loaded ib_core: {module_how}",
	    REBUILD),
	ROW(WARN, "module-other-kernel", judge_obstacle, KERNEL_OTHER_KERNEL,
	    "rdmascope.ko was built for another kernel than {release}: {module_how}",
	    REBUILD),
	ROW(WARN, "module-file-unreadable", judge_obstacle, KERNEL_FILE_UNREADABLE,
	    "the module is not loaded, and {module_file} cannot be read: {file_why}", REBUILD),
	ROW(WARN, "module-unsigned", judge_obstacle, KERNEL_UNSIGNED,
	    "the module is not loaded; Secure Boot loads signed modules only",
	    "mokutil --sb-state; modinfo -F signer rdmascope"),
	ROW(WARN, "module-absent", judge_obstacle, KERNEL_NO_MODULE,
	    "the module rdmascope is not loaded: nothing is known of kernel verbs",
	    "modprobe rdmascope"),
	ROW(WARN, "debugfs-unmounted", judge_obstacle, KERNEL_UNMOUNTED,
	    "debugfs is not mounted", "mount -t debugfs none /sys/kernel/debug"),
	CLOSED("debugfs-closed", judge_obstacle, KERNEL_CLOSED,
	       "debugfs is open to root only: no loopback over kernel verbs",
	       "sudo rdmascope check {dev}/{port}"),
	ROW(WARN, "module-other-abi", judge_obstacle, KERNEL_OTHER_ABI,
	    "module and tool are of different age", "modinfo -F version rdmascope"),
	ROW(WARN, "module-unreadable", judge_obstacle, KERNEL_UNREADABLE,
	    "the module is loaded, but its files cannot be read", "dmesg | grep rdmascope"),
	ROW(WARN, "module-map-only", judge_obstacle, KERNEL_MAP_ONLY,
	    "the module was loaded with loopback=0: map only",
	    "modprobe -r rdmascope; modprobe rdmascope"),
	CLOSED("kernel-loopback-refused", judge_kernel, TRIAL_REFUSED,
	       "no loopback over kernel verbs: {kernel_reason}", "{kernel_next}"),
	ROW(WARN, "kernel-loopback-impossible", judge_kernel, TRIAL_IMPOSSIBLE,
	    "no loopback over kernel verbs: {kernel_reason}", "{kernel_next}"),
	ROW(WARN, "port-busy", judge_kernel, TRIAL_BUSY,
	    "no loopback over kernel verbs: {kernel_reason}", "rdmascope status {dev}/{port}"),

	ROW(SKIP, "netdev-down", judge_layers, RSCOPE_LINK_NETDEV_DOWN,
	    "{netdev} is administratively down, and so is the port",
	    "ip link set dev {netdev} up"),
	ROW(SKIP, "no-protocol", judge_protocol, RSCOPE_PROTO_NONE,
	    "the port speaks no RDMA protocol: nothing to run", "rdmascope device {dev}"),
	ROW(SKIP, "no-kernel-verbs", judge_no_verbs, false,
	    "kernel consumers cannot use the device: its driver lacks {missing}",
	    "rdmascope device {dev}"),
	ROW(SKIP, "iwarp", judge_protocol, RSCOPE_PROTO_IWARP,
	    "both layers were judged; a loopback over iWARP needs rdma_cm, which is not used yet",
	    "rping -s -a ADDRESS"),
};

/* -------------------------------------------------------------------- words */

#define TEXT(word_, member) \
	{ .word = word_, .kind = RSCOPE_KIND_TEXT, .offset = offsetof(struct port_facts, member) }
#define NUM(word_, member) \
	{ .word = word_, .kind = RSCOPE_KIND_NUM, .offset = offsetof(struct port_facts, member) }

static const struct {
	const char *word;
	enum rscope_kind kind;
	size_t offset;
} words[] = {
	TEXT("dev", link.ifname),
	NUM("port", link.port),
	TEXT("state", link.state),
	TEXT("phys", link.physical_state),
	TEXT("netdev", link.netdev),
	NUM("netdev_netns", link.netdev_netns),
	TEXT("unseen", unseen_netdev),
	NUM("netdev_mtu", link.netdev_mtu_bytes),
	NUM("mtu", link.active_mtu_bytes),
	NUM("fits_mtu", fits_mtu_bytes),
	NUM("gids", gids),
	TEXT("gid", gid.gid),
	TEXT("gid_netdev", gid.netdev),
	TEXT("guid", device.node_guid),
	TEXT("twin", guid_twin),
	TEXT("missing", device.kverbs_missing),
	TEXT("uverbs", uverbs),
	TEXT("provider", provider.name),
	TEXT("release", host.file.release),
	TEXT("module_file", host.file.path),
	TEXT("core_file", host.file.core),
	TEXT("module_how", host.file.how),
	TEXT("file_why", host.file.why),
	NUM("memlock", host.memlock_bytes),
	TEXT("kernel_reason", trial[TRIAL_KERNEL].reason),
	TEXT("kernel_next", trial[TRIAL_KERNEL].next),
	TEXT("user_reason", trial[TRIAL_USER].reason),
	TEXT("user_next", trial[TRIAL_USER].next),
};

static void put_member(struct rscope_text *t, const struct port_facts *f, size_t i)
{
	const char *at = (const char *)f + words[i].offset;

	if (words[i].kind == RSCOPE_KIND_NUM)
		rscope_putu(t, *(const u64 *)(const void *)at);
	else
		rscope_puts(t, *at ? at : "-");
}

/* "{netdev}" at @p: put its value. Return: its length, 0 when it is no word. */
static size_t put_word(struct rscope_text *t, const struct port_facts *f, const char *p)
{
	size_t i, len = strcspn(p, "}") + 1;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i].word) + 2 != len || strncmp(words[i].word, p + 1, len - 2))
			continue;
		put_member(t, f, i);
		return len;
	}
	return 0;
}

static void fill_in(char *to, size_t size, const char *from, const struct port_facts *f)
{
	struct rscope_text t = { .buf = to, .size = size };
	size_t len;

	to[0] = '\0';
	while (*from) {
		len = *from == '{' ? put_word(&t, f, from) : 0;
		if (!len)
			rscope_putc(&t, *from);
		from += len ? len : 1;
	}
}

/**
 * findings_judge() - what is wrong with a port
 * @f: facts
 * @findings: list of struct finding, added to in the order of severity
 *
 * Return: 0 or -ENOMEM.
 */
int findings_judge(const struct port_facts *f, struct list *findings)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct finding found = { .name = rows[i].name, .verdict = rows[i].verdict,
					 .permit = rows[i].permit };

		if (!rows[i].judge(f, rows[i].what))
			continue;
		fill_in(found.reason, sizeof(found.reason), rows[i].reason, f);
		fill_in(found.next, sizeof(found.next), rows[i].next, f);
		if (list_add(findings, &found))
			return -ENOMEM;
	}
	return 0;
}

/**
 * findings_verdict() - the one word about a port
 * @findings: of findings_judge()
 *
 * Return: that of the first finding, CHECK_PASS when there is none.
 */
enum check_verdict findings_verdict(const struct list *findings)
{
	return findings->n ? list_at(struct finding, findings, 0)->verdict : CHECK_PASS;
}
