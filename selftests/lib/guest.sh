# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What test scripts need of the machine they run on (a guest of selftests/vm, or
# any machine where root wants to run them): devices, modules, waiting, the log.
# Source it after ktap.sh.

RDMASCOPE_DEBUGFS=/sys/kernel/debug/rdmascope

# wait_for SECONDS cmd args...: poll until cmd succeeds; 1 when time is up.
# There is no other way to wait here: never sleep and hope.
wait_for()
{
	wait_until=$(($(uptime_s) + $1))
	shift
	while ! "$@" >/dev/null 2>&1; do
		[ "$(uptime_s)" -lt "$wait_until" ] || return 1
		pause_ms 50
	done
}

uptime_s() { cut -d. -f1 /proc/uptime; }

# The pause between two polls; fractions need coreutils or busybox with them.
pause_ms() { sleep "$(printf '0.%03d' "$1")"; }

mount_debugfs()
{
	mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
}

# need_root, need_cmd CMD...: skip the whole file when it cannot run.
need_root() { [ "$(id -u)" -eq 0 ] || skip_all "needs root"; }

need_cmd()
{
	for need in "$@"; do
		command -v "$need" >/dev/null || skip_all "needs $need"
	done
}

# need_tsc: with another clock source every user-space time is wrong (hpet makes
# clock_gettime a system call): a bench must not run.
need_tsc()
{
	need=$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)
	[ "$need" = tsc ] || skip_all "clock source is $need, not tsc"
}

# uncounted CMD...: without what perf asks for, so that the tool counts no system
# calls. Each count patches the tracepoint into the running kernel and out again, and
# an emulated second CPU may still execute the breakpoint of the patch: with enough
# runs a 7.3 guest ends in "Oops: int3". Timed passes are the same either way.
uncounted()
{
	echo 3 >/proc/sys/kernel/perf_event_paranoid
	setpriv --bounding-set=-sys_admin,-perfmon -- "$@"
}

# need_mod MODULE...: skip when the kernel does not have it.
need_mod()
{
	for need in "$@"; do
		modprobe -q "$need" || skip_all "kernel has no $need"
	done
}

load_rdma() { need_mod ib_core ib_uverbs rdma_ucm rdma_cm rdma_rxe; }

# add_netdev NAME [ADDRESS/LEN]: a dummy with an address, up.
add_netdev()
{
	ip link add "$1" type dummy &&
		ip addr add "${2:-192.0.2.1/24}" dev "$1" &&
		ip link set "$1" up
}

# add_veth NAME PEER [ADDRESS/LEN [PEER_ADDRESS/LEN]]: a pair, both up.
add_veth()
{
	ip link add "$1" type veth peer name "$2" &&
		ip addr add "${3:-198.51.100.1/24}" dev "$1" &&
		ip addr add "${4:-198.51.100.2/24}" dev "$2" &&
		ip link set "$1" up && ip link set "$2" up
}

port_active() { grep -q ACTIVE "/sys/class/infiniband/$1/ports/1/state"; }

# A port's GIDs appear a moment after the link; 40 characters, zero when unset.
port_has_gid()
{
	grep -qsv '^0000:0000:0000:0000:0000:0000:0000:0000$' \
		"/sys/class/infiniband/$1/ports/1/gids/0"
}

# add_rdma DEV TYPE NETDEV: an rxe or siw device over NETDEV, ready for use.
add_rdma()
{
	rdma link add "$1" type "$2" netdev "$3" || return 1
	wait_for 10 port_active "$1" && wait_for 10 port_has_gid "$1"
}

# setup_rxe [DEV [NETDEV]]: rxe0 over dummy d0, the usual start.
setup_rxe()
{
	load_rdma
	add_netdev "${2:-d0}" "${3:-192.0.2.1/24}" && add_rdma "${1:-rxe0}" rxe "${2:-d0}"
}

# Distributions leave siw out; the harness brings one built for their kernel.
load_siw()
{
	need_mod ib_core ib_uverbs rdma_ucm rdma_cm iw_cm
	modprobe -q siw && return
	[ -e "${RDMASCOPE_SIW:-}" ] || skip_all "kernel has no siw"
	modprobe -q libcrc32c
	module_loaded siw || insmod "$RDMASCOPE_SIW"
}

# setup_siw [DEV [NETDEV]]: the same in iWARP; skips where there is no siw.
setup_siw()
{
	load_siw && add_netdev "${2:-d1}" "${3:-192.0.2.129/24}" && add_rdma "${1:-siw0}" siw "${2:-d1}"
}

del_rdma() { rdma link delete "$1"; }

# load_rdmascope [PARAM=VALUE...]: our own module. Its failure is a failure of
# the test, never a skip.
load_rdmascope()
{
	mount_debugfs
	modprobe -q ib_core
	if ! load_out=$(insmod "${RDMASCOPE_KO:-rdmascope.ko}" "$@" 2>&1); then
		diag "$load_out"
		diag "$(dmesg | tail -n 20)"
		not_ok "load rdmascope.ko"
		return 1
	fi
	wait_for 5 test -e "$RDMASCOPE_DEBUGFS/abi"
}

unload_rdmascope() { rmmod rdmascope; }

module_loaded() { [ -d "/sys/module/$1" ]; }

# --- kernel log -------------------------------------------------------------

# Lines that mean a bug, whoever causes it.
LOG_BAD='WARNING:|BUG:|Oops|Call Trace:|KASAN|UBSAN|KCSAN|ODEBUG|DMA-API: .*(error|leak|failed)|general protection fault|waiting for .* to become free|blocked for more than|detected stalls|non-static key|held lock|kmemleak: [1-9][0-9]* new|page allocation failure|refcount_t|scheduling while atomic'

# Lines soft drivers print by themselves; nothing else is allowed.
LOG_ALLOWED='speed is unknown|got TERMINATE|kmemleak: Kernel memory leak detector|kasan: KernelAddressSanitizer initialized'

LOG_STATE=${LOG_STATE:-/run/rdmascope-log}

# log_mark: everything up to here has been judged.
log_mark()
{
	log_tag="rdmascope-log-mark $(cut -d' ' -f1 /proc/uptime) $$"
	echo "$log_tag" >/dev/kmsg
	echo "$log_tag" >"$LOG_STATE"
	: >"$LOG_STATE.allow"
}

# log_allow REGEX: the running test file provokes this line on purpose, with the
# trace that follows it.
log_allow() { printf '|%s' "$1" >>"$LOG_STATE.allow"; }

# log_bad: print what is bad since the last mark; succeeds when there is any.
log_bad()
{
	dmesg | awk -v mark="$(cat "$LOG_STATE" 2>/dev/null)" \
		-v bad="$LOG_BAD" \
		-v allowed="$LOG_ALLOWED$(cat "$LOG_STATE.allow" 2>/dev/null)" '
	mark != "" && index($0, mark) { n = 0; quiet = 0; next }
	{
		text = $0
		sub(/^\[[^]]*\] ?/, "", text)
	}
	text ~ allowed { quiet = 1; next }
	# The rest of an allowed report: registers and the trace itself.
	quiet && text ~ /^( |\t|CPU:|Hardware name:|Call Trace:|<|RIP:|RSP:|R[A-D0-9][A-Z0-9]:|CR2:|FS:|CS:|Code:|Modules linked in:|---\[)/ { next }
	{ quiet = 0 }
	text ~ bad { line[n++] = $0; tail = 12; next }
	tail > 0 { line[n++] = $0; tail-- }
	END {
		for (i = 0; i < n && i < 80; i++)
			print line[i]
		exit n == 0
	}'
}

# --- leaks ------------------------------------------------------------------

KMEMLEAK=/sys/kernel/debug/kmemleak

kmemleak_clear() { [ ! -e $KMEMLEAK ] || echo clear >$KMEMLEAK; }

# kmemleak_report: print leaks; succeeds when there are any. An object counts
# only when older than kmemleak's own 5 s and seen unreferenced by two scans.
kmemleak_report()
{
	[ -e $KMEMLEAK ] || return 1
	echo scan >$KMEMLEAK
	leak_after=$(($(uptime_s) + 6))
	wait_for 30 uptime_reached "$leak_after"
	echo scan >$KMEMLEAK
	grep -m 400 . $KMEMLEAK
}

uptime_reached() { [ "$(uptime_s)" -ge "$1" ]; }
