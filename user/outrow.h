/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One row of a comparison as JSON.
 */
#ifndef OUTROW_H
#define OUTROW_H

#include <jansson.h>

#include "rounds.h"

json_t *outrow_json(const struct row *row);

#endif /* OUTROW_H */
