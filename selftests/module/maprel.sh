#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The network side of the map: what stands on a port's netdev and below it, which
# slave is active, addresses, which link serves a netdev, IPoIB, and how user space
# reaches the devices. First fixture trees, then a guest's own netdevs against ip.

. "$(dirname "$0")/lib/common.sh"

need_tool
begin
run_py mapfix.py
run_py maprel.py
skip "IPoIB and adapters of a guest" "need hardware: fixtures"
finish
