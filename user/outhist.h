/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A histogram on the terminal.
 */
#ifndef OUTHIST_H
#define OUTHIST_H

#include <jansson.h>

void outhist_text(json_t *hist);

#endif /* OUTHIST_H */
