/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A comparison as JSON and as text.
 */
#ifndef OUTCOMPARE_H
#define OUTCOMPARE_H

#include <jansson.h>

#include "rounds.h"

json_t *outcompare_begin(const struct plan *p, const char *self);
void outcompare_row(json_t *all, const struct row *row);
void outcompare_end(json_t *all, const struct plan *p, const char *aborted);
void outcompare_text(json_t *all);

#endif /* OUTCOMPARE_H */
