#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The map of soft devices on every kind of netdev: dummy, veth, bond and slave,
# bridge port, with VLAN and macvlan uppers, in another network namespace, under
# netdev renames, and 64 of them at once.

. "$(dirname "$0")/lib/common.sh"

need_tool
begin
run_py maptopo.py
finish
