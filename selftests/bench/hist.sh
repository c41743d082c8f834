#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What does measuring itself cost? Instructions, counted by callgrind: exact, the
# same on every machine with this compiler, whatever else is running. Each figure
# is the difference of two runs of different length by the difference in rounds.
# The loop around one sample, with the load of its value, is part of the figure.
#
# Limits: a histogram sample 32; an operation of the measured loop 60.
set -uo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
TOP=$HERE/../..
# shellcheck source=../lib/ktap.sh
. "$HERE/../lib/ktap.sh"

SHORT=100000
LONG=300000
CC=${CC:-gcc}

TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

# collected PROGRAM MODE COUNT
collected()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$TMP/$1" "$2" "$3" \
		2>&1 >/dev/null | sed -nE 's/.*Collected *: *([0-9]+).*/\1/p'
}

build()
{
	local name=$1

	shift
	"$CC" -O2 -Wall -Wextra -Wno-unused-parameter -Werror -I"$TOP/include" "$@" \
		-o "$TMP/$name" "$HERE/instructions.c"
}

# judge PROGRAM MODE LIMIT WHAT: instructions per round; LIMIT 0 = none.
judge()
{
	local short long

	short=$(collected "$1" "$2" "$SHORT")
	long=$(collected "$1" "$2" "$LONG")
	if [ -z "$short" ] || [ -z "$long" ]; then
		not_ok "$4" "callgrind counted nothing"
		return
	fi
	per=$(awk -v a="$short" -v b="$long" -v n="$((LONG - SHORT))" \
		'BEGIN { printf "%.1f", (b - a) / n }')
	if awk -v per="$per" -v limit="$3" 'BEGIN { exit !(per > 0 && (!limit || per <= limit)) }'; then
		ok "$4: $per instructions"
	else
		not_ok "$4" "$per instructions, limit $3"
	fi
}

command -v valgrind >/dev/null || skip_all "no valgrind"
command -v "$CC" >/dev/null || skip_all "no $CC"
ktap_plan
if ! { build plain && build opaque -DOPAQUE; } 2>"$TMP/log"; then
	not_ok "the programs build" "$(cat "$TMP/log")"
	ktap_done
fi
diag "$("$CC" --version | head -n 1), -O2"
judge plain hist 32 "one histogram sample"
judge plain deep 60 "one operation of the loop, 16 a post call, no clock"
judge plain loop 60 "one operation of the loop, depth 1, no clock"
judge opaque loop 60 "one operation of the loop, depth 1, opaque hooks, no clock"
judge opaque each 60 "one operation of the loop, depth 64, one a post call, no clock"
judge opaque timed 0 "one operation of the loop, depth 1, opaque hooks, with its sample"
ktap_done
