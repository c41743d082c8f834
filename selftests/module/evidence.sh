#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a run says about the machine it ran on and how far its figures go: CPU time
# beyond idling, a clock that costs, BlueFlame, system calls nobody may count.

. "$(dirname "$0")/lib/common.sh"

need_tool
begin fault_points=1
setup_rxe rxe0 d0
run_py evidence.py
del_rdma rxe0
ip link del d0
finish
