#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The map: links and gids against what rdma and ip say, through everything that
# happens to devices, netdevs and names.

. "$(dirname "$0")/lib/common.sh"

need_cmd "${CC:-gcc}"
begin
run_py map.py
skip "GIDs of two ports of one run differ in layout" "needs the peer key"
finish
