#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Completions that are waited for and not polled: no wake-up is lost, on either
# path, and one that is lost is counted and not hidden by the limit of the sleep.

. "$(dirname "$0")/lib/common.sh"

need_tool
begin fault_points=1
setup_rxe rxe0 d0
run_py wakeups.py
del_rdma rxe0
ip link del d0
finish
