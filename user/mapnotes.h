/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What is said below the table of links.
 */
#ifndef MAPNOTES_H
#define MAPNOTES_H

#include "map.h"
#include "topo.h"

void mapnotes_links(const struct map *m, const struct topo *t);
const char *mapnotes_name(const struct rscope_link *l);

#endif /* MAPNOTES_H */
