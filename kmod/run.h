/* SPDX-License-Identifier: GPL-2.0 */
/* Level 4. One command line = one run. */
#ifndef RSCOPE_RUN_H
#define RSCOPE_RUN_H

#include "devs.h"
#include "job.h"

int rscope_run_line(struct rscope_port *port, const char *line, size_t len,
		    struct rscope_result **result);

#endif /* RSCOPE_RUN_H */
