/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Command lines that must be refused, with errno and a part of the reason.
 */
#ifndef RDMASCOPE_BADLINES_H
#define RDMASCOPE_BADLINES_H

#include <errno.h>

struct bad_line {
	const char *line;
	int err;
	const char *says; /* part of the reason */
};

static const struct bad_line bad_lines[] = {
	/* Not one line. */
	{ "", -EINVAL, "no LF" },
	{ "op=read", -EINVAL, "no LF" },
	{ "\n", -EINVAL, "empty line" },
	{ " \t \n", -EINVAL, "empty line" },
	{ "\n\n", -EINVAL, "one write must be one line" },
	{ "op=read\nsize=8\n", -EINVAL, "7 bytes behind the first LF" },
	{ "op=read\n\n", -EINVAL, "1 bytes behind the first LF" },
	{ "\nop=read\n", -EINVAL, "one line" },
	{ "op=read\nsize=8", -EINVAL, "one line" },
	{ "op=read\r\n", -EINVAL, "op" },
	/* Not key=value. */
	{ "read\n", -EINVAL, "read: not key=value" },
	{ "size=1 2\n", -EINVAL, "2: not key=value" },
	{ "op=read junk\n", -EINVAL, "junk: not key=value" },
	{ "size =1\n", -EINVAL, "size: not key=value" },
	{ "size= 1\n", -EINVAL, "size=: the value is missing" },
	{ "size=\n", -EINVAL, "size=: the value is missing" },
	{ "peer=\n", -EINVAL, "peer=: the value is missing" },
	{ "op=\n", -EINVAL, "op=: the value is missing" },
	{ "=\n", -EINVAL, "unknown key" },
	{ "=8\n", -EINVAL, "=8: unknown key" },
	{ "=size=8\n", -EINVAL, "unknown key" },
	/* Unknown and repeated keys. */
	{ "sizes=8\n", -EINVAL, "sizes=8: unknown key" },
	{ "siz=8\n", -EINVAL, "siz=8: unknown key" },
	{ "Size=8\n", -EINVAL, "unknown key" },
	{ "dev=../../x\n", -EINVAL, "dev=../../x: unknown key" },
	{ "size=8 size=8\n", -EINVAL, "size is given twice" },
	{ "size=8 op=read size=9\n", -EINVAL, "size is given twice" },
	{ "op=read op=write\n", -EINVAL, "op is given twice" },
	{ "peer=a peer=b\n", -EINVAL, "peer is given twice" },
	{ "inline_data=1\n", -EINVAL, "unknown key" },
	/* No decimal integer. */
	{ "size=+5\n", -EINVAL, "size=+5: not a decimal integer" },
	{ "size=0x10\n", -EINVAL, "size=0x10: not a decimal integer" },
	{ "size=1e3\n", -EINVAL, "size=1e3" },
	{ "size=4k\n", -EINVAL, "size=4k" },
	{ "size=1.5\n", -EINVAL, "size=1.5" },
	{ "size=-\n", -EINVAL, "size=-: not a decimal integer" },
	{ "cpu=--1\n", -EINVAL, "cpu=--1" },
	{ "size==8\n", -EINVAL, "size==8" },
	{ "size=8=8\n", -EINVAL, "size=8=8" },
	{ "size=8,\n", -EINVAL, "size=8," },
	{ "size=\xc2\xb2\n", -EINVAL, "size=??" },
	{ "size=8\v\n", -EINVAL, "size=8?" },
	/* Out of range. */
	{ "size=-1\n", -ERANGE, "size=-1: out of range 1.." },
	{ "size=0\n", -ERANGE, "size=0" },
	{ "size=4294967297\n", -ERANGE, "size=4294967297" },
	{ "size=18446744073709551617\n", -ERANGE, "size=18446744073709551617" },
	{ "size=9223372036854775808\n", -ERANGE, "size=9223372036854775808" },
	{ "size=-9223372036854775808\n", -ERANGE, "size=" },
	{ "size=-9223372036854775809\n", -ERANGE, "size=" },
	{ "size=99999999999999999999999999999999999999999999999999\n", -ERANGE, "..." },
	{ "iters=0\n", -ERANGE, "iters=0" },
	{ "duration_ms=0\n", -ERANGE, "duration_ms=0" },
	{ "depth=0\n", -ERANGE, "depth=0" },
	{ "depth=1000000\n", -ERANGE, "depth=1000000: out of range 1..16384" },
	{ "batch=0\n", -ERANGE, "batch=0" },
	{ "signal=0\n", -ERANGE, "signal=0" },
	{ "qps=0\n", -ERANGE, "qps=0" },
	{ "threads=0\n", -ERANGE, "threads=0" },
	{ "timeout_ms=0\n", -ERANGE, "timeout_ms=0" },
	{ "cpu=-2\n", -ERANGE, "cpu=-2" },
	{ "gid_index=-2\n", -ERANGE, "gid_index=-2" },
	{ "gid_index=256\n", -ERANGE, "gid_index=256" },
	{ "verify=2\n", -ERANGE, "verify=2" },
	{ "inline=-1\n", -ERANGE, "inline=-1" },
	/* Words. */
	{ "op=foo\n", -EINVAL, "op=foo: not one of send" },
	{ "op=READ\n", -EINVAL, "op=READ" },
	{ "op=rea\n", -EINVAL, "op=rea" },
	{ "op=reads\n", -EINVAL, "op=reads" },
	{ "op=0\n", -EINVAL, "op=0" },
	{ "qp=xrc\n", -EINVAL, "qp=xrc: not one of rc uc ud" },
	{ "pattern=both\n", -EINVAL, "pattern=both: not one of oneway pingpong" },
	{ "cq=spin\n", -EINVAL, "cq=spin" },
	{ "mr=odp\n", -EINVAL, "mr=odp: not one of fastreg dma" },
	{ "peer=a=b\n", -EINVAL, "peer" },
	{ "peer=a\\b\n", -EINVAL, "peer" },
	{ "peer=\x7f\n", -EINVAL, "peer" },
	{ "peer=\xff\n", -EINVAL, "peer" },
	/* Keys that exclude or limit each other. */
	{ "iters=5 duration_ms=5\n", -EINVAL, "iters and duration_ms" },
	{ "duration_ms=5 iters=5\n", -EINVAL, "iters and duration_ms" },
	{ "mtu=1\n", -ERANGE, "mtu=1" },
	{ "mtu=1500\n", -ERANGE, "mtu=1500" },
	{ "mtu=4095\n", -ERANGE, "mtu=4095" },
	{ "signal=2\n", -ERANGE, "signal=2 exceeds depth=1" },
	{ "depth=4 signal=5\n", -ERANGE, "signal=5 exceeds depth=4" },
	{ "batch=2\n", -ERANGE, "batch=2 exceeds depth=1" },
	{ "threads=2\n", -ERANGE, "threads=2 exceeds qps=1" },
	{ "depth=16384 qps=3\n", -ERANGE, "depth=16384 times qps=3" },
	{ "iters=1 qps=2\n", -ERANGE, "iters=1 is less than qps=2" },
	{ "pattern=pingpong depth=2\n", -ERANGE, "needs depth=1, not 2" },
	{ "pattern=pingpong op=read\n", -EINVAL, "needs op=write or op=send" },
	{ "pattern=pingpong op=write_imm\n", -EINVAL, "needs op=write or op=send" },
	{ "op=cas size=4\n", -ERANGE, "size=4: atomics" },
	{ "op=faa size=64\n", -ERANGE, "size=64: atomics" },
};

#endif /* RDMASCOPE_BADLINES_H */
