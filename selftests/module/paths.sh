#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Every way to move the bytes: events, threads, ping-pong and inline on the user
# path, one system call per operation, all of them compared, baselines, CSV.

. "$(dirname "$0")/lib/common.sh"

need_tool
begin fault_points=1
setup_rxe rxe0 d0
run_py paths.py
del_rdma rxe0
ip link del d0
finish
