#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Where the threads of a run are: each on a CPU of its own behind the first.

. "$(dirname "$0")/lib/common.sh"

begin
setup_rxe rxe0 d0
[ "$(nproc)" -ge 2 ] || skip_all "needs two CPUs"
run_py lanes.py
del_rdma rxe0
ip link del d0
finish
