/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Numbers of the kernel's interfaces -> the words `rdma` and `ip` print.
 */
#ifndef WORDS_H
#define WORDS_H

#include <rdmascope/env.h>

const char *words_port_state(u32 v);
const char *words_phys_state(u32 v);
const char *words_node_type(u32 v);
const char *words_family(const char *node_type);
const char *words_operstate(u32 v);
const char *words_qp_state(u32 v);
const char *words_wc_status(u32 v);

#endif /* WORDS_H */
