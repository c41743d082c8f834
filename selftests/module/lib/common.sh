# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Start and end of every module test: needs, the module, results of the Python
# half, and what must be as it was at the end. Source it first:
#
#   . "$(dirname "$0")/lib/common.sh"
#   begin [MODULE_PARAM=VALUE...]	needs, soft RDMA driver, rdmascope.ko
#   run_py FILE			tests of lib/FILE, one result each; of those only
#				what matches RDMASCOPE_ONLY, when that is set
#   finish				teardown, counts, log, exit

MODULE_DIR=$(cd "$(dirname "$0")" && pwd)
SELFTESTS_DIR=${MODULE_DIR%/*}
RDMASCOPE_SRC=${RDMASCOPE_SRC:-${SELFTESTS_DIR%/*}}
export RDMASCOPE_SRC RDMASCOPE_KO RDMASCOPE
# shellcheck source=../../lib/ktap.sh
. "$SELFTESTS_DIR/lib/ktap.sh"
# shellcheck source=../../lib/guest.sh
. "$SELFTESTS_DIR/lib/guest.sh"

RDMASCOPE_KO=${RDMASCOPE_KO:-$RDMASCOPE_SRC/rdmascope.ko}
RDMASCOPE=${RDMASCOPE:-$RDMASCOPE_SRC/user/rdmascope}
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
export TMP

need_tool() { [ -x "$RDMASCOPE" ] || skip_all "the tool is not built"; }

begin()
{
	need_root
	need_cmd ip rdma python3
	ktap_plan
	mount_debugfs
	[ -e "${LOG_STATE}" ] || log_mark
	load_rdma
	links_before=$(rdma link show)
	use_before=$(use_of ib_core rdma_rxe)
	module_loaded rdmascope && rmmod rdmascope
	load_rdmascope "$@" || ktap_done
}

# Reference counts of modules: what we leave behind would show here.
use_of()
{
	for use in "$@"; do
		echo "$use $(cat "/sys/module/$use/refcnt" 2>/dev/null)"
	done
}

# The Python half prints "ok|not_ok|skip|diag<TAB>name<TAB>why", as it comes.
run_py()
{
	py_file=$1
	mkfifo "$TMP/results"
	python3 -B "$MODULE_DIR/lib/$py_file" >"$TMP/results" 2>"$TMP/stderr" &
	py_pid=$!
	while IFS='	' read -r py_what py_name py_why; do
		case $py_what in
		ok) ok "$py_name" ;;
		not_ok) not_ok "$py_name" "$(printf '%b' "$py_why")" ;;
		skip) skip "$py_name" "$py_why" ;;
		*) diag "$py_name" ;;
		esac
	done <"$TMP/results"
	wait "$py_pid" || not_ok "$py_file ends well" "$(tail -n 20 "$TMP/stderr")"
	rm -f "$TMP/results"
}

links_as_before() { [ "$(rdma link show)" = "$links_before" ]; }
use_as_before() { [ "$(use_of ib_core rdma_rxe)" = "$use_before" ]; }
log_is_clean() { ! log_bad; }

finish()
{
	! module_loaded rdmascope || check "rdmascope unloads" wait_for 20 rmmod rdmascope
	# rxe gives its last references back from a work item.
	wait_for 20 links_as_before
	check "no RDMA device is left" links_as_before
	wait_for 20 use_as_before
	[ "$(use_of ib_core rdma_rxe)" = "$use_before" ] || diag "$use_before / $(use_of ib_core rdma_rxe)"
	check "reference counts of the RDMA modules are as before" use_as_before
	check "the kernel log is clean" log_is_clean
	ktap_done
}
