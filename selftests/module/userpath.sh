#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The same loopback runs over user verbs, by the tool, and what both paths must
# have in common.

. "$(dirname "$0")/lib/common.sh"

need_tool
begin fault_points=1
setup_rxe rxe0 d0
run_py userpath.py
del_rdma rxe0
ip link del d0
finish
