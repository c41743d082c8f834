/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A run as JSON and as text.
 */
#ifndef OUTRUN_H
#define OUTRUN_H

#include <jansson.h>

#include "derive.h"
#include "report.h"

void outrun_add_derived(json_t *object, const struct run *run);
json_t *outrun_json(const struct run *run);
void outrun_text(json_t *object);

#endif /* OUTRUN_H */
