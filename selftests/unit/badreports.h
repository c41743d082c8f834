/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reports that must be refused, with errno and a part of the reason.
 */
#ifndef RDMASCOPE_BADREPORTS_H
#define RDMASCOPE_BADREPORTS_H

#include <errno.h>

#define HEAD "rdmascope result 1\n"
#define REST "run_id: 1\npath: kernel\ndev: rxe0\nport: 1\nworkload: op=read\nverdict: pass\n"

struct bad_report {
	const char *text;
	int err;
	const char *says;
};

static const struct bad_report bad_reports[] = {
	{ "", -EBADMSG, "" },
	{ "\n", -EBADMSG, "line 1" },
	{ "rdmascope\n", -EBADMSG, "line 1" },
	{ "rdmascope result\n", -EBADMSG, "line 1" },
	{ "rdmascope links 1\n" REST "end\n", -EBADMSG, "line 1" },
	{ "Rdmascope result 1\n" REST "end\n", -EBADMSG, "line 1" },
	{ "rdmascope result 2\n" REST "end\n", -EPROTONOSUPPORT, "ABI 2, this tool ABI 1" },
	{ "rdmascope result 11\n" REST "end\n", -EPROTONOSUPPORT, "ABI 11" },
	{ "rdmascope result 1 \n" REST "end\n", -EPROTONOSUPPORT, "ABI" },
	{ HEAD "end\n", -EBADMSG, "line 2: required key run_id is missing" },
	{ HEAD REST, -EBADMSG, "no `end`" },
	{ HEAD REST "end", -EBADMSG, "line 8: no LF" },
	{ HEAD REST "end\nend\n", -EBADMSG, "line 8: text behind" },
	{ HEAD REST "end\n\n", -EBADMSG, "line 8: text behind" },
	{ HEAD REST "ended\n", -EBADMSG, "line 8: not `key: value`" },
	{ HEAD "\n" REST "end\n", -EBADMSG, "line 2: not `key: value`" },
	{ HEAD REST "run_id: 2\nend\n", -EBADMSG, "line 8: run_id is given twice" },
	{ HEAD REST "dev: a\nend\n", -EBADMSG, "line 8: dev is given twice" },
	{ HEAD REST "ops:1\nend\n", -EBADMSG, "line 8: not `key: value`" },
	{ HEAD REST "ops: \nend\n", -EBADMSG, "line 8" },
	{ HEAD REST "ops:  1\nend\n", -EBADMSG, "line 8: ops" },
	{ HEAD REST "ops: 1 \nend\n", -EBADMSG, "line 8: ops" },
	{ HEAD REST "ops: -1\nend\n", -EBADMSG, "line 8: ops" },
	{ HEAD REST "ops: +1\nend\n", -EBADMSG, "line 8: ops" },
	{ HEAD REST "ops: 0x1\nend\n", -EBADMSG, "line 8: ops" },
	{ HEAD REST "ops: 1.5\nend\n", -EBADMSG, "line 8: ops" },
	{ HEAD REST "ops: 18446744073709551616\nend\n", -EBADMSG, "ops: number exceeds" },
	{ HEAD REST "ops: 184467440737095516160\nend\n", -EBADMSG, "ops: number exceeds" },
	{ HEAD REST "ops: 99999999999999999999999\nend\n", -EBADMSG, "ops: number exceeds" },
	{ HEAD REST "stage: 0123456789abcdef\nend\n", -EBADMSG, "line 8: stage: longer" },
	{ HEAD REST "stage: \\\nend\n", -EBADMSG, "line 8: stage: a backslash" },
	{ HEAD REST "stage: \\12\nend\n", -EBADMSG, "line 8: stage: a backslash" },
	{ HEAD REST "stage: \\000\nend\n", -EBADMSG, "line 8: stage: a backslash" },
	{ HEAD REST "stage: \\400\nend\n", -EBADMSG, "line 8: stage: a backslash" },
	{ HEAD REST "stage: \\129\nend\n", -EBADMSG, "line 8: stage: a backslash" },
	{ HEAD REST "samples: 1\nhist: low_ns=1\nend\n", -EBADMSG, "line 9: required key count" },
	{ HEAD REST "samples: 1\nhist: count=1\nend\n", -EBADMSG, "line 9: required key low_ns" },
	{ HEAD REST "samples: 1\nhist: low_ns=257 count=1\nend\n", -EBADMSG, "low_ns=257" },
	{ HEAD REST "samples: 1\nhist: low_ns=4398046511104 count=1\nend\n", -EBADMSG, "low_ns" },
	{ HEAD REST "samples: 2\nhist: low_ns=1 count=1\nhist: low_ns=1 count=1\nend\n", -EBADMSG,
	  "twice" },
	{ HEAD REST "samples: 1\nhist: low_ns=1 count=0\nend\n", -EBADMSG, "count" },
	{ HEAD REST "samples: 1\nhist: low_ns=1 low_ns=1 count=1\nend\n", -EBADMSG, "line 9" },
	{ HEAD REST "samples: 1\nhist: low_ns count=1\nend\n", -EBADMSG, "line 9" },
	{ HEAD REST "samples: 2\nhist: low_ns=1 count=1\nend\n", -EBADMSG, "samples, report of 2" },
	{ HEAD REST "hist: low_ns=1 count=1\nend\n", -EBADMSG, "1 samples, report of 0" },
	{ HEAD REST "samples: 1\nhist: low_ns=1 count=18446744073709551615\n"
	  "hist: low_ns=2 count=2\nend\n", -EBADMSG, "count" },
};

#endif /* RDMASCOPE_BADREPORTS_H */
