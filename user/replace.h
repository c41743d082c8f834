/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A file that readers see whole, the old one or the new one.
 */
#ifndef REPLACE_H
#define REPLACE_H

#include <rdmascope/record.h>

int replace_file(const char *path, const char *text, size_t len, struct rscope_error *e);

#endif /* REPLACE_H */
