/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A file in memory, decompressed when its name says that it is compressed.
 */
#ifndef UNPACK_H
#define UNPACK_H

#include <stddef.h>

/* More than any module has; a larger one is refused. */
#define UNPACK_MOST (64U << 20)

int unpack_file(const char *path, unsigned char **data, size_t *len);

#endif /* UNPACK_H */
