#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Devices, netdevs, drivers, writers and the module itself go away while a run
# of a minute is under way: everything ends at once and nothing is left.

. "$(dirname "$0")/lib/common.sh"

need_cmd "${CC:-gcc}"
begin
run_py lifecycle.py
finish
