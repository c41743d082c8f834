#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Every failure point in turn: the errno, the reason, nothing left behind, and
# the next run passes. On a kernel with fault injection every allocation too.

. "$(dirname "$0")/lib/common.sh"

begin fault_points=1
setup_rxe rxe0 d0
# The allocation failures that are provoked here may be logged.
log_allow 'FAULT_INJECTION: forcing a failure|vmalloc error|page allocation failure'
run_py faults.py
del_rdma rxe0
ip link del d0
finish
