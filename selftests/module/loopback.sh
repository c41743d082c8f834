#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loopback runs over kernel verbs: sizes, operations, every byte checked, damaged
# bytes found, exact counts, MTU, GID, what the device cannot do.

. "$(dirname "$0")/lib/common.sh"

begin fault_points=1
setup_rxe rxe0 d0
port=$RDMASCOPE_DEBUGFS/rxe0/1

# A debug kernel needs more than the default deadline.
more=${RDMASCOPE_DEBUG:+ timeout_ms=300000}

# What the README tells people to type, with their tools.
as_in_readme()
{
	if echo "op=read size=4096 iters=1000 verify=1$more" >"$port/run" &&
		grep -qx 'verdict: pass' "$port/result" && grep -qx 'ops: 1000' "$port/result" &&
		[ "$(tail -n 1 "$port/result")" = end ]; then
		return
	fi
	grep -v '^hist:' "$port/result"
	cat "$port/state"
	return 1
}

# Soft devices have no DMA device: only the ib_dma helpers may be used.
no_foreign_dma()
{
	! grep -nE '(^|[^_a-z])dma_(alloc|map|unmap|sync)_|->dma_device' "$RDMASCOPE_SRC"/kmod/*.[ch]
}

check "echo into run, cat result: 1000 reads of 4096 bytes pass" as_in_readme
if [ -d "$RDMASCOPE_SRC/kmod" ]; then
	check "the module maps memory with ib_dma helpers only" no_foreign_dma
else
	skip "the module maps memory with ib_dma helpers only" "no source"
fi
run_py loopback.py
skip "runs between two ports: smaller MTU, lost neighbour, dropped packets" "need the peer key"
skip "runs over iWARP" "need rdma_cm, which this version does not use"
del_rdma rxe0
ip link del d0
finish
