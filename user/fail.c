// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "fail.h"

#include <stdlib.h>

#include "out.h"

/**
 * fail_print() - tell what went wrong, on stderr, and with --json on stdout too
 * @o: options
 * @where: command and target
 * @step: what failed
 * @e: how
 *
 * Return: the exit status.
 */
int fail_print(const struct options *o, const char *where, enum step step,
	       const struct rscope_error *e)
{
	const struct hint *h;
	struct facts facts;
	json_t *error;

	facts_read(o->root, &facts);
	if (o->json) {
		h = hints_find(step, e->err, &facts);
		error = json_object();
		out_text(error, "message", e->msg);
		out_num(error, "errno", (u64)abs(e->err));
		out_text(error, "cause", h->cause);
		out_text(error, "next", h->next);
		out_num(error, "exit", (u64)h->status);
		out_json_line(json_pack("{s:o}", "error", error));
	}
	return hints_print(where, step, e, &facts);
}
