/* SPDX-License-Identifier: GPL-2.0 */
/* Level 1. What a device is and can do. */
#ifndef RSCOPE_DEVICE_H
#define RSCOPE_DEVICE_H

#include <rdma/ib_verbs.h>
#include "record.h"

void rscope_device_fill(struct rscope_device *d, struct ib_device *ib);
const char *rscope_kverb_missing(const struct ib_device *ib);

#endif /* RSCOPE_DEVICE_H */
