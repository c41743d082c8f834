/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What about this machine belongs beside every figure?
 */
#ifndef OUTENV_H
#define OUTENV_H

#include <jansson.h>

#include "plan.h"

json_t *outenv_json(const struct plan *p, const char *provider);

#endif /* OUTENV_H */
