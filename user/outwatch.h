/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Changes as lines: of text, or a JSON object each.
 */
#ifndef OUTWATCH_H
#define OUTWATCH_H

#include <jansson.h>

#include "changes.h"

json_t *outwatch_gids(const struct list *gids, const struct rscope_link *l);
int outwatch_change(bool json, const struct change *c, json_t *gids);
int outwatch_notice(bool json, const char *event, const char *text);

#endif /* OUTWATCH_H */
