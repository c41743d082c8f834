/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Small files and links below a root, by printf path.
 */
#ifndef SYSREAD_H
#define SYSREAD_H

#include <rdmascope/env.h>

#include "list.h"

int sysread_line(char *to, size_t size, const char *root, const char *fmt, ...) __printf(4, 5);
u64 sysread_num(const char *root, const char *fmt, ...) __printf(2, 3);
void sysread_link(char *to, size_t size, const char *root, const char *fmt, ...) __printf(4, 5);
bool sysread_exists(const char *root, const char *fmt, ...) __printf(2, 3);
int sysread_open(const char *root, const char *fmt, ...) __printf(2, 3);
int sysread_dir(struct list *names, const char *root, const char *fmt, ...) __printf(3, 4);

/** struct sysname - one directory entry */
struct sysname {
	char name[256];
};

#endif /* SYSREAD_H */
