/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The verdicts, as values, as text and as KTAP.
 */
#ifndef OUTCHECK_H
#define OUTCHECK_H

#include <jansson.h>

#include "findings.h"

json_t *outcheck_json(const struct port_facts *f, const struct list *findings, const char *source);
void outcheck_text(json_t *array);
void outcheck_ktap(json_t *array);

#endif /* OUTCHECK_H */
