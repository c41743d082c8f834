/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One field of a CSV line, RFC 4180.
 */
#ifndef CSV_H
#define CSV_H

#include <rdmascope/record.h>

void csv_field(struct rscope_text *t, const char *value, bool first);

#endif /* CSV_H */
