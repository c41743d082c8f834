// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as a report. What is read can be printed and read again with the
 * same outcome, and its figures can be derived.
 */
#include <stdlib.h>

#include "derive.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static char out[1 << 20];

static void must(bool truth)
{
	if (!truth)
		abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct run run, back;
	struct rscope_text t = { .buf = out, .size = sizeof(out) };
	struct rscope_error e = { 0 };
	struct derived d;
	int err = report_parse((const char *)data, size, &run, &e);

	must(err == 0 || err == -EBADMSG || err == -EPROTONOSUPPORT);
	must(e.err == err && !e.msg[0] == !err);
	if (err)
		return 0;
	derive(&run, &d);
	rscope_report_print(&t, &run.r, &run.hist);
	must(t.len < t.size);
	/* A required text may be "-" in what was read and is left out then. */
	err = report_parse(out, t.len, &back, &e);
	must(!err || strstr(e.msg, "required key"));
	if (!err)
		must(!memcmp(&run.hist, &back.hist, sizeof(run.hist)));
	return 0;
}
