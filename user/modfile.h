/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a kernel module file says of itself: for which kernel it was built, and the
 * versions (CRCs) of symbols it wants and offers.
 */
#ifndef MODFILE_H
#define MODFILE_H

#include <elf.h>
#include <stdbool.h>

#include <rdmascope/env.h>

#include "list.h"

/**
 * struct modfile - a module in memory
 * @data: the file
 * @len: its length
 * @head: its header, checked
 * @names: section with the names of sections
 */
struct modfile {
	unsigned char *data;
	size_t len;
	Elf64_Ehdr head;
	Elf64_Shdr names;
};

/**
 * struct modsym - a symbol and its version
 * @name: in the file's data
 * @crc: the version
 */
struct modsym {
	const char *name;
	u32 crc;
};

/**
 * struct modspan - bytes of a file
 * @p: first
 * @n: how many
 */
struct modspan {
	const unsigned char *p;
	size_t n;
};

int modfile_open(const char *path, struct modfile *m);
int modfile_parse(struct modfile *m);
void modfile_close(struct modfile *m);
bool modfile_section(const struct modfile *m, const char *name, struct modspan *s);
const char *modfile_info(const struct modfile *m, const char *key);
int modfile_wants(const struct modfile *m, struct list *symbols);
int modfile_offers(const struct modfile *m, struct list *symbols);

#endif /* MODFILE_H */
