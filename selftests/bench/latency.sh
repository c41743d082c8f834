#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Is what rdmascope measures what the peer measures? In one guest run, pinned,
# rounds interleaved, medians of per-round ratios:
#
#   kernel path, read of 8 bytes, against a bare in-kernel loop (rscope_bare)
#   user path, the same, against perftest's ib_read_lat
#
# with each peer against itself beside it. Limits: 1.05 and 1.03. In a guest with
# --icount (make bench-icount) the figures are executed instructions instead of
# time: kernel and user space, all of the operation, without noise.

HERE=$(dirname "$0")
LIB=$HERE/../lib
# shellcheck source=../lib/ktap.sh
. "$LIB/ktap.sh"
# shellcheck source=../lib/guest.sh
. "$LIB/guest.sh"

ROUNDS=${ROUNDS:-15}
ITERS=${ITERS:-5000}
CPU=$(($(nproc) - 1))
OUT=${RDMASCOPE_OUT:-/tmp}/latency.txt
RUN=${OUT%.txt}.run.json

need_root
need_tsc
need_cmd setpriv ib_read_lat taskset python3

bare_p50()
{
	insmod "${RDMASCOPE_KO%/*}/rscope_bare.ko" dev=rxe0 iters="$ITERS" || return
	cat /sys/module/rscope_bare/parameters/p50_ns
	rmmod rscope_bare
}

# Read when the run is over: an interpreter that starts at the other end of a pipe
# takes the CPU that the driver's worker wants.
path_p50()
{
	uncounted "$RDMASCOPE" run rxe0 --path "$1" --op read --size 8 --iters "$ITERS" \
		--cpu $CPU --json >"$RUN" &&
		python3 -c 'import json,sys; print(json.load(sys.stdin)["p50_ns"])' <"$RUN"
}

listening() { ss -ltn "sport = :$1" | grep -q LISTEN; }

# Typical latency in ns. The server only waits in a TCP read: it takes no CPU
# from the client, which measures alone.
perftest_p50()
{
	local gid

	gid=$("$RDMASCOPE" gids rxe0 --json |
		python3 -c 'import json,sys; print(max(json.load(sys.stdin), key=lambda g: g["score"])["index"])')
	taskset -c 0 ib_read_lat -d rxe0 -x "$gid" -s 8 -n "$ITERS" -F -p "$1" >/dev/null 2>&1 &
	wait_for 20 listening "$1" || return
	taskset -c $CPU ib_read_lat -d rxe0 -x "$gid" -s 8 -n "$ITERS" -F -p "$1" 127.0.0.1 2>/dev/null |
		awk '$1 == 8 { printf "%d\n", $5 * 1000 }'
	wait
}

# A line per round: what each contender measured, in ns. The order rotates.
rounds()
{
	local i n names=(bare kernel bare2 perftest user perftest2)

	for ((i = 0; i < ROUNDS; i++)); do
		declare -A got=()
		for ((n = 0; n < ${#names[@]}; n++)); do
			local name=${names[(n + i) % ${#names[@]}]}

			case $name in
			bare*) got[$name]=$(taskset -c $CPU bash -c "$(declare -f bare_p50); RDMASCOPE_KO=$RDMASCOPE_KO ITERS=$ITERS bare_p50") ;;
			perftest*) got[$name]=$(perftest_p50 $((18600 + i * 8 + n))) ;;
			*) got[$name]=$(path_p50 "$name") ;;
			esac
		done
		echo "${got[bare]} ${got[kernel]} ${got[bare2]} ${got[perftest]} ${got[user]} ${got[perftest2]}"
	done
}

setup_rxe rxe0 d0 || { not_ok "rxe0"; exit 1; }
load_rdmascope || exit 1
ktap_plan 2
rounds >"$OUT"
while read -r line; do diag "$line"; done <"$OUT"
python3 "$HERE/ratios.py" "$OUT" "kernel/bare=1/0<=1.05 bare/bare=2/0 user/perftest=4/3<=1.03 perftest/perftest=5/3" >"$OUT.ratios"
while read -r name median low high limit verdict; do
	case $verdict in
	ok) ok "$name median $median [$low $high], limit $limit" ;;
	not_ok) not_ok "$name median $median [$low $high], limit $limit" ;;
	*) diag "$name median $median [$low $high]" ;;
	esac
done <"$OUT.ratios"
unload_rdmascope
ktap_done
