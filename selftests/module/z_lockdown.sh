#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Kernel lockdown: the map stays readable, runs are refused, and the tool says
# why. Lockdown cannot be undone, so this must be the last file of a guest (its
# name sorts behind all others on purpose: z_).

. "$(dirname "$0")/lib/common.sh"

LOCKDOWN=/sys/kernel/security/lockdown

[ -n "${RDMASCOPE_GUEST:-}${RDMASCOPE_LOCKDOWN:-}" ] ||
	skip_all "locks this machine down until it boots again: set RDMASCOPE_LOCKDOWN=1"
begin
mountpoint -q /sys/kernel/security || mount -t securityfs none /sys/kernel/security
if [ ! -w "$LOCKDOWN" ]; then
	rmmod rdmascope
	skip_all "the kernel has no lockdown"
fi
setup_rxe rxe0 d0
run_py lockdown.py
del_rdma rxe0
ip link del d0
finish
