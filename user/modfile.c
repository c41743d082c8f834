// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Nothing in a file is believed: every offset is checked against its length, every
 * text against the end of what it lies in. Modules of 64-bit kernels of our own
 * byte order are read, others refused.
 */
#include "modfile.h"

#include "unpack.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_ORDER ELFDATA2LSB
#else
#define OWN_ORDER ELFDATA2MSB
#endif

/* struct modversion_info of a 64-bit kernel. */
#define VERSION_BYTES 64
#define VERSION_NAME 8

#define CRC_PREFIX "__crc_"

/* ---------------------------------------------------------------- pieces of it */

static bool copy(const struct modfile *m, u64 offset, void *to, size_t n)
{
	if (offset > m->len || n > m->len - offset)
		return false;
	memcpy(to, m->data + offset, n);
	return true;
}

static bool section_at(const struct modfile *m, u32 i, Elf64_Shdr *to)
{
	return i < m->head.e_shnum && m->head.e_shoff < m->len &&
	       copy(m, m->head.e_shoff + (u64)i * sizeof(*to), to, sizeof(*to));
}

static bool span_of(const struct modfile *m, const Elf64_Shdr *sh, struct modspan *s)
{
	if (sh->sh_type == SHT_NOBITS || sh->sh_offset > m->len ||
	    sh->sh_size > m->len - sh->sh_offset)
		return false;
	*s = (struct modspan){ .p = m->data + sh->sh_offset, .n = sh->sh_size };
	return true;
}

/* A text that ends inside, or NULL. */
static const char *text_at(const struct modspan *s, u64 offset)
{
	if (offset >= s->n || !memchr(s->p + offset, '\0', s->n - offset))
		return NULL;
	return (const char *)s->p + offset;
}

static bool find_section(const struct modfile *m, const char *name, Elf64_Shdr *sh)
{
	struct modspan names;
	const char *is;
	u32 i;

	if (!span_of(m, &m->names, &names))
		return false;
	for (i = 0; section_at(m, i, sh); i++) {
		is = text_at(&names, sh->sh_name);
		if (is && !strcmp(is, name))
			return true;
	}
	return false;
}

/**
 * modfile_section() - a section by its name
 * @m: the module
 * @name: of the section
 * @s: result
 *
 * Return: true when it is there, whole.
 */
bool modfile_section(const struct modfile *m, const char *name, struct modspan *s)
{
	Elf64_Shdr sh;

	return find_section(m, name, &sh) && span_of(m, &sh, s);
}

/* -------------------------------------------------------------------- the file */

/**
 * modfile_parse() - is this a module we can read?
 * @m: data and len are set, the rest is filled in
 *
 * Return: 0 or -EBADMSG.
 */
int modfile_parse(struct modfile *m)
{
	const unsigned char *id = m->head.e_ident;

	if (!copy(m, 0, &m->head, sizeof(m->head)) || memcmp(id, ELFMAG, SELFMAG) ||
	    id[EI_CLASS] != ELFCLASS64 || id[EI_DATA] != OWN_ORDER ||
	    m->head.e_type != ET_REL || m->head.e_shentsize != sizeof(Elf64_Shdr))
		return -EBADMSG;
	return section_at(m, m->head.e_shstrndx, &m->names) ? 0 : -EBADMSG;
}

/**
 * modfile_open() - read a module
 * @path: the file, which may be compressed
 * @m: result; modfile_close() it in any case
 *
 * Return: 0, or a negative errno: of unpack_file(), or -EBADMSG.
 */
int modfile_open(const char *path, struct modfile *m)
{
	int err;

	memset(m, 0, sizeof(*m));
	err = unpack_file(path, &m->data, &m->len);
	return err ? err : modfile_parse(m);
}

/**
 * modfile_close() - free what was read
 * @m: the module; texts and symbols of it are gone
 */
void modfile_close(struct modfile *m)
{
	free(m->data);
	m->data = NULL;
}

/**
 * modfile_info() - a word of .modinfo
 * @m: the module
 * @key: "vermagic" for example
 *
 * Return: its value, NULL when there is none.
 */
const char *modfile_info(const struct modfile *m, const char *key)
{
	size_t at = 0, n = strlen(key);
	struct modspan s;
	const char *text;

	if (!modfile_section(m, ".modinfo", &s))
		return NULL;
	while ((text = text_at(&s, at))) {
		if (!strncmp(text, key, n) && text[n] == '=')
			return text + n + 1;
		at += strlen(text) + 1;
	}
	return NULL;
}

/* --------------------------------------------------------------------- symbols */

static int add(struct list *symbols, const char *name, u32 crc)
{
	struct modsym s = { .name = name, .crc = crc };

	return list_add(symbols, &s);
}

/* A number and a name of fixed length each. */
static int basic_wants(const struct modspan *s, struct list *symbols)
{
	struct modspan entry = { .n = VERSION_BYTES };
	const char *name;
	u64 crc;
	size_t at;
	int err = 0;

	for (at = 0; !err && at + VERSION_BYTES <= s->n; at += VERSION_BYTES) {
		entry.p = s->p + at;
		memcpy(&crc, entry.p, sizeof(crc));
		name = text_at(&entry, VERSION_NAME);
		err = name ? add(symbols, name, (u32)crc) : -EBADMSG;
	}
	return err ? err : s->n % VERSION_BYTES ? -EBADMSG : 0;
}

/* Names of any length in one section, their numbers in another. */
static int extended_wants(const struct modspan *crcs, const struct modspan *names,
			  struct list *symbols)
{
	size_t at = 0, i;
	const char *name;
	u32 crc;
	int err = 0;

	for (i = 0; !err && i + sizeof(crc) <= crcs->n; i += sizeof(crc)) {
		memcpy(&crc, crcs->p + i, sizeof(crc));
		name = text_at(names, at);
		err = name ? add(symbols, name, crc) : -EBADMSG;
		at += name ? strlen(name) + 1 : 0;
	}
	return err;
}

/**
 * modfile_wants() - the symbols a module was linked against
 * @m: the module
 * @symbols: list of struct modsym, added to; none without CONFIG_MODVERSIONS
 *
 * Return: 0, -EBADMSG or -ENOMEM.
 */
int modfile_wants(const struct modfile *m, struct list *symbols)
{
	struct modspan crcs, names;

	if (modfile_section(m, "__version_ext_crcs", &crcs) &&
	    modfile_section(m, "__version_ext_names", &names))
		return extended_wants(&crcs, &names, symbols);
	return modfile_section(m, "__versions", &crcs) ? basic_wants(&crcs, symbols) : 0;
}

/* Up to 5.18 the symbol's value is the CRC, since then it lies where that points. */
static bool crc_of(const struct modfile *m, const Elf64_Sym *sym, u32 *crc)
{
	Elf64_Shdr sh;
	struct modspan s;

	if (sym->st_shndx == SHN_ABS) {
		*crc = (u32)sym->st_value;
		return true;
	}
	if (!section_at(m, sym->st_shndx, &sh) || !span_of(m, &sh, &s) ||
	    sym->st_value > s.n || sizeof(*crc) > s.n - sym->st_value)
		return false;
	memcpy(crc, s.p + sym->st_value, sizeof(*crc));
	return true;
}

/**
 * modfile_offers() - the symbols a module exports, with their versions
 * @m: the module
 * @symbols: list of struct modsym, added to; none without CONFIG_MODVERSIONS
 *
 * Return: 0, -EBADMSG or -ENOMEM.
 */
int modfile_offers(const struct modfile *m, struct list *symbols)
{
	const size_t prefix = strlen(CRC_PREFIX);
	struct modspan table, names;
	Elf64_Shdr sh, strings;
	const char *name;
	Elf64_Sym sym;
	size_t at;
	int err = 0;
	u32 crc;

	if (!find_section(m, ".symtab", &sh))
		return 0;
	if (!span_of(m, &sh, &table) || !section_at(m, sh.sh_link, &strings) ||
	    !span_of(m, &strings, &names))
		return -EBADMSG;
	for (at = 0; !err && at + sizeof(sym) <= table.n; at += sizeof(sym)) {
		memcpy(&sym, table.p + at, sizeof(sym));
		name = text_at(&names, sym.st_name);
		if (name && !strncmp(name, CRC_PREFIX, prefix) && crc_of(m, &sym, &crc))
			err = add(symbols, name + prefix, crc);
	}
	return err;
}
