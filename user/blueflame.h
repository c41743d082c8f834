/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * BlueFlame: a user provider may write the whole work request to the device
 * instead of ringing a doorbell, which kernel drivers do not do.
 */
#ifndef BLUEFLAME_H
#define BLUEFLAME_H

#include <stdbool.h>

void blueflame_off(void);
const char *blueflame_state(const char *driver, bool user_path);

#endif /* BLUEFLAME_H */
