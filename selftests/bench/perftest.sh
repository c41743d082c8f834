#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The user path against perftest, in one guest run: pinned, rounds interleaved with
# rotating order, medians of per-round ratios of time per operation, and perftest
# against itself beside each.
#
#   write-lat send-lat	ping-pong of 8 bytes, median of half the round trip, which is
#			what both tools call latency; limit 1.05
#   write-rate read-rate send-rate	64 bytes, depth 128; limit 1/0.95
#   write-bw read-bw send-bw	64 KiB, depth 128; limit 1/0.95
#
# The same on both sides: MTU, GID, no inline data, every 64th operation signalled, one
# work request per post call, outstanding reads, operations, CPU of the client. Not
# the same: perftest is two processes; its server, on CPU 0, polls in the sends, where
# ours does both ends by one thread on the last CPU. In a ping-pong ours, too, has a
# thread for each end.
#
#   ROUNDS=15 ITERS=3000 BW_ITERS=200 TESTS_OF="write-lat ..."
#
# On a machine that does something else a test takes two minutes: give a longer
# RDMASCOPE_FILE_LIMIT, and do not believe the ratios.

HERE=$(dirname "$0")
LIB=$HERE/../lib
# shellcheck source=../lib/ktap.sh
. "$LIB/ktap.sh"
# shellcheck source=../lib/guest.sh
. "$LIB/guest.sh"

# On one CPU, as with --icount, only those whose server does nothing.
tests_here()
{
	if [ "$(nproc)" -eq 1 ]; then
		echo write-rate read-rate write-bw read-bw
	else
		echo write-lat send-lat write-rate read-rate send-rate write-bw read-bw send-bw
	fi
}

ROUNDS=${ROUNDS:-15}
ITERS=${ITERS:-3000}
BW_ITERS=${BW_ITERS:-200}
TESTS_OF=${TESTS_OF:-$(tests_here)}
MTU=1024
DEPTH=128
SIGNAL=64
OUT=${RDMASCOPE_OUT:-/tmp}/perftest
CPU=$(($(nproc) - 1))
port=18700

need_root
need_tsc
need_cmd setpriv ib_write_lat ib_send_lat ib_write_bw ib_read_bw ib_send_bw taskset python3

json() { python3 -c "import json,sys; d=json.load(sys.stdin); print($1)"; }

listening() { ss -ltn "sport = :$1" | grep -q LISTEN; }

# shape TEST: size and operations.
shape()
{
	case $1 in
	*-lat) echo "8 $ITERS" ;;
	*-rate) echo "64 $ITERS" ;;
	*-bw) echo "65536 $BW_ITERS" ;;
	esac
}

# ns per operation of ours. The document is read when the run is over: an interpreter
# that starts at the other end of a pipe takes the CPU that the driver's worker wants.
ours()
{
	local op=${1%-*} size iters

	read -r size iters < <(shape "$1")
	set -- "$1" run rxe0 --path user --op "$op" --size "$size" --iters "$iters" --mtu $MTU \
		--gid_index "$gid" --cpu $CPU --json
	case $1 in
	*-lat) shift; uncounted "$RDMASCOPE" "$@" --pattern pingpong --threads 2 >"$OUT.run" &&
		json 'd["p50_ns"]' <"$OUT.run" ;;
	*) shift; uncounted "$RDMASCOPE" "$@" --depth $DEPTH --signal $SIGNAL >"$OUT.run" &&
		json 'd["elapsed_ns"] / d["ops"]' <"$OUT.run" ;;
	esac
}

# ns per operation out of perftest's table: its typical latency in us, its message
# rate in millions, or, with more digits where that is small, its bandwidth in MiB/s.
perftest_ns()
{
	awk -v test="$1" -v size="$2" '
	$1 != size { next }
	test ~ /-lat$/ { printf "%.1f\n", $5 * 1000 }
	test ~ /-rate$/ && $5 > 0 { printf "%.1f\n", 1000 / $5 }
	test ~ /-bw$/ && $4 > 0 { printf "%.1f\n", size * 1e9 / ($4 * 1048576) }'
}

# ns per operation of perftest; nothing when it failed.
theirs()
{
	local op=${1%-*} size iters command
	local args=(-d rxe0 -x "$gid" -m "$MTU" -F -p "$port")

	read -r size iters < <(shape "$1")
	args+=(-s "$size" -n "$iters")
	case $1 in
	*-lat) command=ib_${op}_lat; args+=(-I 0) ;;
	*) command=ib_${op}_bw; args+=(-t "$DEPTH" -Q "$SIGNAL") ;;
	esac
	[ "$op" != read ] || args+=(-o "$rd_atomic")
	[ "$command" != ib_send_bw ] || args+=(-r $((2 * DEPTH)))
	taskset -c 0 "$command" "${args[@]}" >"$OUT.server" 2>&1 &
	wait_for 20 listening $port || return
	taskset -c $CPU "$command" "${args[@]}" 127.0.0.1 2>"$OUT.client" | perftest_ns "$1" "$size"
	wait
}

# A line per round: perftest, ours, perftest again.
rounds()
{
	local test=$1 i n names=(theirs ours again)

	for ((i = 0; i < ROUNDS; i++)); do
		declare -A got=()
		for ((n = 0; n < 3; n++)); do
			local name=${names[(n + i) % 3]}

			port=$((port + 1))
			case $name in
			ours) got[$name]=$(ours "$test") ;;
			*) got[$name]=$(theirs "$test") ;;
			esac
		done
		echo "${got[theirs]} ${got[ours]} ${got[again]}"
	done
}

complete() { [ "$(awk 'NF == 3' "$1" | wc -l)" -eq "$ROUNDS" ]; }

limit_of()
{
	case $1 in
	*-lat) echo 1.05 ;;
	*) echo 1.053 ;;
	esac
}

medians()
{
	python3 -c '
import statistics, sys
rows = [[float(x) for x in line.split()] for line in open(sys.argv[1])]
print(*["%.0f" % statistics.median(c) for c in zip(*rows)])' "$1"
}

measure()
{
	local test=$1 name median low high limit verdict self

	rounds "$test" >"$OUT.$test.txt"
	if ! complete "$OUT.$test.txt"; then
		not_ok "$test" "$(tail -n 5 "$OUT.$test.txt" "$OUT.server" "$OUT.client")"
		return
	fi
	python3 "$HERE/ratios.py" "$OUT.$test.txt" \
		"self=2/0 user/perftest=1/0<=$(limit_of "$test")" >"$OUT.ratios"
	while read -r name median low high limit verdict; do
		if [ "$name" = self ]; then
			self="$median [$low $high]"
			continue
		fi
		read -r theirs_ns ours_ns _ < <(medians "$OUT.$test.txt")
		diag "$(printf '%-10s | %8s | %8s | %s [%s %s] | %s' "$test" "$theirs_ns" \
			"$ours_ns" "$median" "$low" "$high" "$self")"
		name="$test: user / perftest $median, limit $limit, perftest / itself $self"
		case $verdict in
		ok) ok "$name" ;;
		*) not_ok "$name" ;;
		esac
	done <"$OUT.ratios"
}

ktap_plan
setup_rxe rxe0 d0 || { not_ok "rxe0"; exit 1; }
gid=$("$RDMASCOPE" gids rxe0 --json | json 'max(d, key=lambda g: g["score"])["index"]')
rd_atomic=$("$RDMASCOPE" run rxe0 --path user --op read --json | json 'd["rd_atomic"]')
diag "$ROUNDS rounds, ns per operation, medians; MTU $MTU, GID index $gid, reads outstanding $rd_atomic"
diag "test       | perftest |     user | user / perftest       | perftest / itself"
for test in $TESTS_OF; do
	measure "$test"
done
del_rdma rxe0
ip link del d0
ktap_done
