#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The tool on a machine with devices: exit status, JSON, comparison, what it
# does without module or root, and that it never keeps a device from leaving.

. "$(dirname "$0")/lib/common.sh"

need_tool
need_cmd "${CC:-gcc}"
begin
run_py tool.py
skip "cm-based runs, iWARP" "need rdma_cm, which this version does not use"
skip "conform" "not in this version"
finish
