/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The verdicts as Prometheus text.
 */
#ifndef OUTPROM_H
#define OUTPROM_H

#include <jansson.h>
#include <stdio.h>

#include "list.h"

void outprom_print(FILE *f, const struct list *ports, json_t *verdicts, int status);

#endif /* OUTPROM_H */
