/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the map adds to the record of a link: netdevs above and below, addresses,
 * IPoIB.
 */
#ifndef OUTMAP_H
#define OUTMAP_H

#include <jansson.h>

#include "topo.h"

void outmap_link(json_t *object, const struct topo *t, const struct rscope_link *l);
bool outmap_serves(json_t *object, const struct topo *t, const struct rscope_link *l,
		   const struct netdev *target);
void outmap_gid(json_t *object, const struct topo *t, const struct rscope_link *l,
		const struct rscope_gid *g);
void outmap_link_text(json_t *object);
void outmap_serves_text(json_t *object);

#endif /* OUTMAP_H */
