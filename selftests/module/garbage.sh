#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What the file run refuses, with which errno and reason; that nothing starts
# or leaks then; and the rules of reading, seeking and sharing its descriptor.

. "$(dirname "$0")/lib/common.sh"

begin
setup_rxe rxe0 d0
run_py garbage.py
del_rdma rxe0
ip link del d0
finish
