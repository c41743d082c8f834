#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Devices no test machine has, by the stub provider: InfiniBand and mixed ports,
# missing and failing verbs, odd GUIDs and names, everything a port may report;
# the map and the runs on them, and devices that come and go under readers.

. "$(dirname "$0")/lib/common.sh"

RDMASCOPE_STUB=${RDMASCOPE_STUB:-$RDMASCOPE_SRC/selftests/kmod/stub/rdmascope_stub.ko}
export RDMASCOPE_STUB

need_tool
need_cmd "${CC:-gcc}"
[ -e "$RDMASCOPE_STUB" ] || skip_all "rdmascope_stub.ko is not built (make stub-module)"
begin
check "rdmascope_stub loads" insmod "$RDMASCOPE_STUB"
run_py stub.py
run_py stubrun.py
! module_loaded rdmascope_stub || check "rdmascope_stub unloads" wait_for 20 rmmod rdmascope_stub
finish
