#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What does the map cost? In one guest, rxe devices on dummies, rounds interleaved,
# medians; the start of each program, measured beside it, is taken off:
#
#   rdmascope links against rdma link, 64, 128 and 256 links      limit 1
#   the growth from 128 to 256 links                              limit 2.5
#   rdmascope gids against a walk over all slots in sysfs, in C   limit 1/10
#   check --all of 4 ports                                        limit 10 s

HERE=$(cd "$(dirname "$0")" && pwd)
LIB=$HERE/../lib
# shellcheck source=../lib/ktap.sh
. "$LIB/ktap.sh"
# shellcheck source=../lib/guest.sh
. "$LIB/guest.sh"

export ROUNDS=${ROUNDS:-15}
export RDMASCOPE_WALK=${TMPDIR:-/tmp}/rdmascope-walk
MOST=256

need_root
need_tsc
need_cmd rdma ip python3 "${CC:-gcc}"

# links FROM TO: one rxe each, with an address, so that it has GIDs.
links()
{
	local i

	for ((i = $1; i < $2; i++)); do
		ip link add "w$i" type dummy && ip link set "w$i" up &&
			ip addr add "10.$((i / 250)).$((i % 250)).1/24" dev "w$i" &&
			rdma link add "rxw$i" type rxe netdev "w$i" || return
	done
	wait_for 60 port_active "rxw$(($2 - 1))" && wait_for 60 port_has_gid "rxw$(($2 - 1))"
}

# What the Python half prints: "ok|not_ok|diag<TAB>text".
report()
{
	local what text

	while IFS=$'\t' read -r what text; do
		"$what" "$text"
	done < <(python3 -B "$HERE/mapcost.py" "$@" || printf 'not_ok\tmapcost.py\n')
}

load_rdma
load_rdmascope || exit 1
ktap_plan
"${CC:-gcc}" -O2 -Wall -o "$RDMASCOPE_WALK" "$HERE/walk.c" || skip_all "walk.c does not build"
# rxe has a line for the log at each query; printing them takes longer than it.
console=$(cut -f1 /proc/sys/kernel/printk)
echo 1 >/proc/sys/kernel/printk
have=0
for count in 4 64 128 $MOST; do
	if ! links "$have" "$count"; then
		not_ok "$count links"
		break
	fi
	have=$count
	report "$count"
done
for ((i = 0; i < have; i++)); do
	rdma link delete "rxw$i"
	ip link delete "w$i"
done
rm -f "$RDMASCOPE_WALK"
echo "$console" >/proc/sys/kernel/printk
unload_rdmascope
ktap_done
