#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Is the instrument calibrated? A path is compared with itself, the second time
# with every operation delayed by a known 5 % of its median latency: that must be
# found in at least 95 of 100 comparisons. Undelayed, a difference may be claimed
# in at most 5 of 100.
#
#   COMPARISONS=20	of each kind and path (100 for the real thing)
#   ITERS=500 ROUNDS=15	of each comparison

HERE=$(dirname "$0")
LIB=$HERE/../lib
# shellcheck source=../lib/ktap.sh
. "$LIB/ktap.sh"
# shellcheck source=../lib/guest.sh
. "$LIB/guest.sh"

COMPARISONS=${COMPARISONS:-20}
ITERS=${ITERS:-500}
ROUNDS=${ROUNDS:-15}
CPU=1
WORK="--op write --size 8 --iters $ITERS --cpu $CPU"

need_root
need_tsc
need_cmd python3

OUT=${RDMASCOPE_OUT:-/tmp}/calibrate.json

# value PYTHON CMD...: of the JSON document the command printed. It is read when the
# command is over: an interpreter that starts at the other end of a pipe takes the
# CPU that the driver's worker wants.
value()
{
	local what=$1

	shift
	"$@" >"$OUT" && python3 -c "import json,sys; d=json.load(sys.stdin); print($what)" <"$OUT"
}

path_p50()
{
	# shellcheck disable=SC2086 # words
	value 'd["p50_ns"]' "$RDMASCOPE" run rxe0 --path "$1" $WORK --json
}

# verdict PATH [OPTION...]: of one comparison of the path with itself.
verdict()
{
	local path=$1

	shift
	# shellcheck disable=SC2086 # words
	value 'd["rows"][0]["ratio"]["verdict"]' "$RDMASCOPE" compare rxe0 --self "$path" \
		--rounds "$ROUNDS" $WORK --json "$@"
}

# claims PATH WORD [OPTION...]: how many of COMPARISONS say WORD, a pattern.
claims()
{
	local path=$1 word=$2 i n=0

	shift 2
	for ((i = 0; i < COMPARISONS; i++)); do
		# shellcheck disable=SC2053 # a pattern
		[[ $(verdict "$path" "$@") != $word ]] || n=$((n + 1))
		[ $(((i + 1) % 10)) -ne 0 ] ||
			echo "# $path: $n of $((i + 1)) say $word, $(uptime_s) s" >&2
	done
	echo $n
}

calibrate()
{
	local path=$1 p50 found false_claims

	p50=$(path_p50 "$path")
	diag "$path: median $p50 ns, delay $((p50 / 20)) ns, $COMPARISONS comparisons each"
	# The second column is the delayed one; columns are named kernel and user.
	found=$(claims "$path" 'kernel faster' --fault "delay=$((p50 / 20))")
	false_claims=$(claims "$path" '*faster')
	diag "$path: 5 % found in $found, a difference from itself claimed in $false_claims"
	if [ $((found * 100)) -ge $((COMPARISONS * 95)) ]; then
		ok "$path: a delay of 5 % is found"
	else
		not_ok "$path: a delay of 5 % is found in $found of $COMPARISONS only"
	fi
	if [ $((false_claims * 100)) -le $((COMPARISONS * 5)) ]; then
		ok "$path: no difference from itself"
	else
		not_ok "$path: differs from itself in $false_claims of $COMPARISONS"
	fi
}

ktap_plan
setup_rxe
load_rdmascope fault_points=1
for path in ${PATHS:-user kernel}; do
	calibrate "$path"
done
unload_rdmascope
del_rdma rxe0
ktap_done
