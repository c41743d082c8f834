/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * SIGINT and SIGTERM end a run, not the process: the answer is still printed.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>

void signals_install(void);
void signals_insist(bool on);
int signals_caught(void);
void signals_block(void);

#endif /* SIGNALS_H */
