#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# check: verdicts about fixture trees, then about rxe links that are well, down,
# without an address, without the module, busy, and seen by somebody else.

. "$(dirname "$0")/lib/common.sh"

need_tool
need_cmd "${CC:-gcc}" unshare
begin fault_points=1
run_py verdicts.py
run_py check.py
skip "iWARP, InfiniBand and ports without kernel verbs" "need devices of their own: unit tests"
finish
