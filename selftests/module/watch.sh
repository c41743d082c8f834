#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# watch: everything that happens to links, netdevs and GIDs is told, nothing else,
# and what was told leads to what links and gids say then.

. "$(dirname "$0")/lib/common.sh"

need_tool
need_cmd "${CC:-gcc}"
begin
run_py watch.py
finish
