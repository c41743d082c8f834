#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The file mediated: one operation per system call, what it refuses, and every
# way a parked session can end.

. "$(dirname "$0")/lib/common.sh"

begin fault_points=1
setup_rxe rxe0 d0
run_py mediated.py
del_rdma rxe0
ip link del d0
finish
