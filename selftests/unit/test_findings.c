// SPDX-License-Identifier: GPL-2.0
/*
 * Verdicts: a healthy port with one thing wrong, then facts at random.
 */
#include <errno.h>
#include <stdio.h>

#include "unit.h"
#include <rdmascope/linkjudge.h>

#include "findings.h"
#include "judges.h"

#define SET(to, text) snprintf(to, sizeof(to), "%s", text)

static void healthy_host(struct host *h)
{
	*h = (struct host){
		.facts = { .root = true, .debugfs = true, .module = true, .rdma = true,
			   .uverbs = true },
		.debugfs_known = true, .loopback = true, .ipc_lock = true,
		.memlock_bytes = RSCOPE_NONE, .providers = 17,
	};
}

static void healthy(struct port_facts *f)
{
	memset(f, 0, sizeof(*f));
	rscope_record_clear(rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &f->link);
	rscope_record_clear(rscope_device_fields, ARRAY_SIZE(rscope_device_fields), &f->device);
	rscope_record_clear(rscope_gid_fields, ARRAY_SIZE(rscope_gid_fields), &f->gid);
	SET(f->link.ifname, "rxe0");
	f->link.port = 1;
	SET(f->link.state, "ACTIVE");
	SET(f->link.physical_state, "LINK_UP");
	SET(f->link.link_layer, "ethernet");
	SET(f->link.protocol, "roce");
	SET(f->link.netdev, "eth0");
	SET(f->link.netdev_admin, "up");
	SET(f->link.kverbs, "yes");
	f->link.netdev_carrier = 1;
	f->link.netdev_mtu_bytes = 1500;
	f->link.active_mtu_bytes = 1024;
	f->fits_mtu_bytes = 1024;
	f->link.netns = 4026531840;
	f->link.netdev_netns = 4026531840;
	SET(f->device.node_guid, "5054:00ff:fe12:3456");
	SET(f->gid.type, "roce_v2");
	SET(f->gid.scope, "ipv4");
	SET(f->gid.gid, "0000:0000:0000:0000:0000:ffff:c000:0201");
	SET(f->gid.netdev, "eth0");
	f->gid.score = 9;
	f->gids = 2;
	SET(f->uverbs, "uverbs0");
	healthy_host(&f->host);
}

/* What is spoilt in a healthy port, and what is found then, in order. */
struct row {
	const char *what;
	void (*spoil)(struct port_facts *f);
	const char *verdict;
	const char *names;
	const char *words; /* somewhere in the first reason or the next command */
};

#define SPOIL(name_, code) static void name_(struct port_facts *f) { code; }

SPOIL(nothing, (void)f)
SPOIL(query, f->link.state[0] = '\0')
SPOIL(carrier, f->link.netdev_carrier = 0)
SPOIL(admin, SET(f->link.netdev_admin, "down"))
SPOIL(down, SET(f->link.state, "DOWN"))
SPOIL(down_carrier, down(f); carrier(f))
SPOIL(down_admin, down(f); admin(f))
SPOIL(netdev, f->link.netdev[0] = '\0')
SPOIL(ib_layer, SET(f->link.link_layer, "infiniband"); f->gid.score = RSCOPE_NONE)
SPOIL(ib, ib_layer(f); SET(f->link.protocol, "ib"); netdev(f))
SPOIL(ib_init, ib(f); SET(f->link.state, "INIT"))
SPOIL(ib_cable, ib(f); down(f); SET(f->link.physical_state, "POLLING"))
SPOIL(kverbs, SET(f->device.kverbs, "no"); SET(f->device.kverbs_missing, "alloc_mr"))
SPOIL(efa, netdev(f); SET(f->link.protocol, "none"); kverbs(f))
SPOIL(iwarp, SET(f->link.protocol, "iwarp"))
SPOIL(iwarp_lost, iwarp(f); netdev(f))
SPOIL(gid, f->gid.score = 0)
SPOIL(gid_default, SET(f->gid.scope, "link-local"); f->gid_unowned = true)
SPOIL(gid_local, SET(f->gid.scope, "link-local"))
SPOIL(gid_v1, SET(f->gid.type, "roce_v1"))
SPOIL(netns, f->link.netdev_netns = 4026532222)
SPOIL(unseen, netdev(f); SET(f->unseen_netdev, "eth7"); f->gid.score = 0)
SPOIL(mtu_small, f->link.netdev_mtu_bytes = 9000; f->fits_mtu_bytes = 4096)
SPOIL(mtu_large, f->link.netdev_mtu_bytes = 1024; f->fits_mtu_bytes = 512)
SPOIL(mtu_unknown, f->link.active_mtu_bytes = RSCOPE_NONE)
SPOIL(zero, SET(f->device.node_guid, "0000:0000:0000:0000"); SET(f->guid_twin, "rxe1"))
SPOIL(twin, SET(f->guid_twin, "rxe1"))
SPOIL(uverbs, f->uverbs[0] = '\0'; f->uverbs_err = -ENODEV)
SPOIL(node, f->uverbs_err = -ENOENT)
SPOIL(mode, f->uverbs_err = -EACCES)
SPOIL(cgroup, f->uverbs_err = -EPERM)
SPOIL(broken, f->uverbs_err = -ENXIO)
SPOIL(provider, f->host.providers = 0)
SPOIL(provider_unknown, f->host.providers = RSCOPE_NONE)
SPOIL(library, SET(f->provider.name, "mlx5"))
SPOIL(library_elsewhere, library(f); f->provider.configured = true)
SPOIL(library_found, library(f); SET(f->provider.library, "/usr/lib/libmlx5.so"))
SPOIL(memlock, f->host.ipc_lock = false; f->host.memlock_bytes = 65536)
SPOIL(memlock_free, f->host.ipc_lock = false)
SPOIL(locked, f->host.facts.lockdown = true; f->host.facts.module = false)
SPOIL(debugfs_off, f->host.debugfs_known = false; f->host.abi_err = -ENOENT)
SPOIL(absent, f->host.facts.module = false; f->host.abi_err = -ENOENT)
SPOIL(unsigned_, absent(f); f->host.secure_boot = true)
SPOIL(installed, absent(f); SET(f->host.file.release, "6.1.0"); SET(f->host.file.path, "/x.ko"))
SPOIL(stack, installed(f); f->host.file.fit = MODFIT_OTHER_STACK; SET(f->host.file.how, "symbol x"))
SPOIL(kernel, installed(f); f->host.file.fit = MODFIT_OTHER_KERNEL; SET(f->host.file.how, "magic"))
SPOIL(stale, installed(f); f->host.file.fit = MODFIT_STALE_CORE)
SPOIL(file, installed(f); f->host.file.fit = MODFIT_UNREADABLE; f->host.secure_boot = true)
SPOIL(loaded, file(f); f->host.facts.module = true; f->host.abi_err = 0)
SPOIL(unmounted, f->host.facts.debugfs = false; f->host.abi_err = -ENOENT)
SPOIL(closed, f->host.abi_err = -EACCES)
SPOIL(other_abi, f->host.abi_err = -EPROTONOSUPPORT)
SPOIL(damaged, f->host.abi_err = -EIO)
SPOIL(map_only, f->host.loopback = false)

static void trial(struct port_facts *f, enum trial_path path, enum trial_outcome outcome)
{
	f->trial[path].outcome = outcome;
	SET(f->trial[path].reason, "wrong bytes");
	SET(f->trial[path].next, "look twice");
}

SPOIL(kernel_fail, trial(f, TRIAL_KERNEL, TRIAL_FAIL))
SPOIL(both_fail, kernel_fail(f); trial(f, TRIAL_USER, TRIAL_FAIL))
SPOIL(kernel_pass, trial(f, TRIAL_KERNEL, TRIAL_PASS))
SPOIL(kernel_busy, trial(f, TRIAL_KERNEL, TRIAL_BUSY))
SPOIL(kernel_no, trial(f, TRIAL_KERNEL, TRIAL_IMPOSSIBLE))
SPOIL(kernel_refused, trial(f, TRIAL_KERNEL, TRIAL_REFUSED))
SPOIL(user_no, trial(f, TRIAL_USER, TRIAL_IMPOSSIBLE))
SPOIL(user_refused, trial(f, TRIAL_USER, TRIAL_REFUSED))
SPOIL(much, zero(f); memlock(f); uverbs(f); gid(f); absent(f))

static const struct row rows[] = {
	{ "nothing", nothing, "PASS", "", "" },
	{ "a state that is not told", query, "FAIL", "query-failed", "dmesg" },
	{ "ACTIVE without carrier", carrier, "FAIL", "active-without-carrier", "eth0" },
	{ "ACTIVE, netdev down", admin, "FAIL", "active-netdev-down", "ip link set dev eth0 up" },
	{ "port down alone", down, "FAIL", "port-down", "DOWN" },
	{ "no carrier", down_carrier, "FAIL", "no-carrier", "ip link show dev eth0" },
	{ "both down", down_admin, "SKIP", "netdev-down", "ip link set dev eth0 up" },
	{ "netdev lost", netdev, "FAIL", "no-netdev", "namespace" },
	{ "InfiniBand", ib, "PASS", "", "" },
	{ "no subnet manager", ib_init, "FAIL", "no-subnet-manager", "INIT" },
	{ "no cable", ib_cable, "FAIL", "ib-port-down", "POLLING" },
	{ "EFA", efa, "SKIP", "no-protocol no-kernel-verbs", "rdmascope device rxe0" },
	{ "iWARP", iwarp, "SKIP", "iwarp", "rdma_cm" },
	{ "iWARP without netdev", iwarp_lost, "FAIL", "no-netdev iwarp", "namespace" },
	{ "no usable GID", gid, "FAIL", "no-gid", "none of 2 GIDs" },
	{ "default GID only", gid_default, "WARN", "gid-unowned gid-link-local", "eth0" },
	{ "link-local only", gid_local, "WARN", "gid-link-local", "ip addr add" },
	{ "v1 only", gid_v1, "WARN", "gid-roce-v1", "rdmascope gids rxe0/1" },
	{ "another netns", netns, "WARN", "netdev-netns", "4026532222" },
	{ "a netdev that is not seen", unseen, "WARN", "netdev-netns", "eth7" },
	{ "small MTU", mtu_small, "WARN", "mtu-small", "would carry 4096" },
	{ "large MTU", mtu_large, "WARN", "mtu-too-large", "1024" },
	{ "MTU not known", mtu_unknown, "PASS", "", "" },
	{ "zero GUID", zero, "WARN", "guid-zero", "rdmascope device rxe0" },
	{ "duplicate GUID", twin, "WARN", "guid-duplicate", "rxe1" },
	{ "no uverbs", uverbs, "WARN", "no-uverbs", "modprobe ib_uverbs" },
	{ "no node", node, "WARN", "no-uverbs-node", "/dev/infiniband/uverbs0" },
	{ "closed node", mode, "WARN", "uverbs-closed", "uverbs0" },
	{ "cgroup", cgroup, "WARN", "uverbs-closed", "uverbs0" },
	{ "broken node", broken, "WARN", "uverbs-broken", "dmesg" },
	{ "no provider", provider, "WARN", "no-provider", "ibverbs-providers" },
	{ "provider not known", provider_unknown, "PASS", "", "" },
	{ "no provider library", library, "WARN", "no-provider", "mlx5" },
	{ "library in a place of its own", library_elsewhere, "PASS", "", "" },
	{ "library found", library_found, "PASS", "", "" },
	{ "memlock", memlock, "WARN", "memlock", "65536" },
	{ "no memlock limit", memlock_free, "PASS", "", "" },
	{ "no kernel verbs", kverbs, "WARN", "no-kernel-verbs", "alloc_mr" },
	{ "lockdown", locked, "WARN", "lockdown", "lockdown" },
	{ "debugfs=off", debugfs_off, "WARN", "debugfs-disabled", "cmdline" },
	{ "no module", absent, "WARN", "module-absent", "modprobe rdmascope" },
	{ "Secure Boot", unsigned_, "WARN", "module-unsigned", "mokutil" },
	{ "module of another stack", stack, "WARN", "module-other-stack", "symbol x" },
	{ "how to build it again", stack, "WARN", "module-other-stack", "-k 6.1.0; dkms install" },
	{ "module of another kernel", kernel, "WARN", "module-other-kernel", "than 6.1.0: magic" },
	{ "stack replaced", stale, "WARN", "module-stale-core", "reboot" },
	{ "module cut short", file, "WARN", "module-file-unreadable", "/x.ko cannot be read" },
	{ "loaded all the same", loaded, "PASS", "", "" },
	{ "no debugfs", unmounted, "WARN", "debugfs-unmounted", "mount -t debugfs" },
	{ "not root", closed, "WARN", "debugfs-closed", "sudo rdmascope check rxe0/1" },
	{ "another ABI", other_abi, "WARN", "module-other-abi", "age" },
	{ "damaged", damaged, "WARN", "module-unreadable", "dmesg" },
	{ "map only", map_only, "WARN", "module-map-only", "loopback=0" },
	{ "kernel fails", kernel_fail, "FAIL", "kernel-loopback", "wrong bytes" },
	{ "both fail", both_fail, "FAIL", "kernel-loopback user-loopback", "look twice" },
	{ "kernel passes", kernel_pass, "PASS", "", "" },
	{ "busy", kernel_busy, "WARN", "port-busy", "rdmascope status rxe0/1" },
	{ "impossible", kernel_no, "WARN", "kernel-loopback-impossible", "look twice" },
	{ "refused", kernel_refused, "WARN", "kernel-loopback-refused", "look twice" },
	{ "user impossible", user_no, "WARN", "user-loopback-impossible", "look twice" },
	{ "user refused", user_refused, "WARN", "user-loopback-refused", "look twice" },
	{ "much", much, "FAIL", "no-gid guid-zero no-uverbs memlock", "none of 2" },
};

static void names_of(const struct list *found, char *to, size_t size)
{
	struct rscope_text t = { .buf = to, .size = size };

	to[0] = '\0';
	list_each(struct finding, it, found) {
		rscope_puts(&t, t.len ? " " : "");
		rscope_puts(&t, it->name);
	}
}

static void check_row(const struct row *r)
{
	struct list found = LIST(struct finding);
	const struct finding *first;
	struct port_facts f;
	char names[512];

	healthy(&f);
	r->spoil(&f);
	rscope_link_judge(&f.link);
	assert_int_equal(findings_judge(&f, &found), 0);
	names_of(&found, names, sizeof(names));
	if (strcmp(names, r->names) || strcmp(check_words[findings_verdict(&found)], r->verdict))
		fail_msg("%s: %s [%s], not %s [%s]", r->what, check_words[findings_verdict(&found)],
			 names, r->verdict, r->names);
	first = found.v;
	if (first && !strstr(first->reason, r->words) && !strstr(first->next, r->words))
		fail_msg("%s: \"%s\", \"%s\" without \"%s\"", r->what, first->reason, first->next,
			 r->words);
	list_free(&found);
}

static void one_thing_wrong(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check_row(&rows[i]);
}

static void what_is_not_permitted(void **state)
{
	static void (*const spoil[])(struct port_facts *f) = { locked, closed, mode, cgroup,
							       kernel_refused, user_refused };
	struct port_facts f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spoil); i++) {
		struct list found = LIST(struct finding);

		healthy(&f);
		spoil[i](&f);
		rscope_link_judge(&f.link);
		assert_int_equal(findings_judge(&f, &found), 0);
		assert_int_equal(found.n, 1);
		assert_true(list_at(struct finding, &found, 0)->permit);
		list_free(&found);
	}
}

/* Severity: FAIL, then WARN, then SKIP; no word left in braces; nothing empty. */
static void assert_sound(const struct list *found)
{
	enum check_verdict last = CHECK_FAIL;

	list_each(struct finding, it, found) {
		assert_true(it->verdict >= last && it->verdict != CHECK_PASS);
		last = it->verdict;
		assert_true(*it->name && *it->reason && *it->next);
		if (strpbrk(it->reason, "{}\n") || strpbrk(it->next, "{}\n"))
			fail_msg("%s: \"%s\", \"%s\"", it->name, it->reason, it->next);
	}
}

static void everything_at_random(void **state)
{
	u64 seed = 4, round, i;

	for (round = 0; round < 20000; round++) {
		struct list found = LIST(struct finding);
		u64 n = unit_range(&seed, 0, 6);
		struct port_facts f;

		healthy(&f);
		for (i = 0; i < n; i++)
			rows[unit_range(&seed, 0, ARRAY_SIZE(rows) - 1)].spoil(&f);
		rscope_link_judge(&f.link);
		assert_int_equal(findings_judge(&f, &found), 0);
		assert_sound(&found);
		list_free(&found);
	}
}

static void runs_only_where_it_can(void **state)
{
	struct port_facts f;

	healthy(&f);
	rscope_link_judge(&f.link);
	assert_true(judge_runnable(&f));
	assert_true(judge_open(&f, TRIAL_KERNEL) && judge_open(&f, TRIAL_USER));
	absent(&f);
	assert_false(judge_open(&f, TRIAL_KERNEL));
	assert_true(judge_open(&f, TRIAL_USER));
	node(&f);
	assert_false(judge_open(&f, TRIAL_USER));
	gid(&f);
	assert_false(judge_runnable(&f));
	healthy(&f);
	unseen(&f);
	rscope_link_judge(&f.link);
	assert_false(judge_runnable(&f));
	healthy(&f);
	library(&f);
	assert_false(judge_open(&f, TRIAL_USER));
}

static void mtu_that_fits(void **state)
{
	assert_int_equal(judge_fitting_mtu(1500, 4096), 1024);
	assert_int_equal(judge_fitting_mtu(9000, 4096), 4096);
	assert_int_equal(judge_fitting_mtu(9000, 2048), 2048);
	assert_int_equal(judge_fitting_mtu(4096 + 96, RSCOPE_NONE), 4096);
	assert_int_equal(judge_fitting_mtu(4096 + 95, RSCOPE_NONE), 2048);
	assert_true(judge_fitting_mtu(300, 4096) == RSCOPE_NONE);
	assert_true(judge_fitting_mtu(RSCOPE_NONE, 4096) == RSCOPE_NONE);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(one_thing_wrong),
	cmocka_unit_test(what_is_not_permitted),
	cmocka_unit_test(everything_at_random),
	cmocka_unit_test(runs_only_where_it_can),
	cmocka_unit_test(mtu_that_fits),
};

UNIT_MAIN(tests)
