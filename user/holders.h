/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Who keeps a file of the module open, and so its port and the module?
 */
#ifndef HOLDERS_H
#define HOLDERS_H

#include <stddef.h>

size_t holders_name(const char *path, char *to, size_t size);

#endif /* HOLDERS_H */
