// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as a command line. What is accepted obeys the rules, and printed
 * and read again is the same workload.
 */
#include <stdlib.h>

#include <rdmascope/workload.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct rscope_error e = { 0 };
	char line[RSCOPE_WORKLOAD_MAX + 1];
	struct rscope_text t = { .buf = line, .size = sizeof(line) - 1 };
	struct rscope_workload w, back;
	int err = rscope_workload_parse((const char *)data, size, &w, &e);

	must(err == 0 || err == -EINVAL || err == -ERANGE);
	must(e.err == err && !e.msg[0] == !err);
	must(memchr(e.msg, '\0', sizeof(e.msg)));
	if (err)
		return 0;
	rscope_workload_print(&t, &w);
	must(t.len < t.size);
	line[t.len] = '\n';
	must(!rscope_workload_parse(line, t.len + 1, &back, &e));
	w.given = back.given;
	if (w.duration_ms)
		w.iters = back.iters;
	must(!memcmp(&w, &back, sizeof(w)));
	must(rscope_workload_timeout_ms(&w) <= RSCOPE_TIMEOUT_MAX_MS);
	return 0;
}
