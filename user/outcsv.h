/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A comparison as one CSV document.
 */
#ifndef OUTCSV_H
#define OUTCSV_H

#include <jansson.h>

void outcsv_print(json_t *all);

#endif /* OUTCSV_H */
