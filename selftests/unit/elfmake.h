/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small kernel modules, made byte by byte: what they want, what they offer.
 */
#ifndef RDMASCOPE_ELFMAKE_H
#define RDMASCOPE_ELFMAKE_H

#include <elf.h>
#include <string.h>

#include <rdmascope/env.h>

#define ELFMAKE_MOST 8192
#define ELFMAKE_SECTIONS 12

struct elfmake {
	unsigned char data[ELFMAKE_MOST];
	size_t len;
	Elf64_Shdr sections[ELFMAKE_SECTIONS];
	u32 nr;
	char names[512];
	size_t names_len;
};

static inline u32 elfmake_name(struct elfmake *m, const char *name)
{
	u32 at = (u32)m->names_len;

	strcpy(m->names + at, name);
	m->names_len += strlen(name) + 1;
	return at;
}

/* Its index. */
static inline u32 elfmake_section(struct elfmake *m, const char *name, u32 type, const void *data,
				  size_t len)
{
	Elf64_Shdr *sh = &m->sections[m->nr];

	*sh = (Elf64_Shdr){ .sh_name = elfmake_name(m, name), .sh_type = type,
			    .sh_offset = m->len, .sh_size = len };
	memcpy(m->data + m->len, data, len);
	m->len += len;
	return m->nr++;
}

static inline void elfmake_begin(struct elfmake *m)
{
	memset(m, 0, sizeof(*m));
	m->len = sizeof(Elf64_Ehdr);
	m->nr = 1;
	m->names_len = 1;
}

static inline void elfmake_end(struct elfmake *m)
{
	Elf64_Ehdr head = { .e_type = ET_REL, .e_ehsize = sizeof(head),
			    .e_shentsize = sizeof(Elf64_Shdr) };
	u32 name = elfmake_name(m, ".shstrtab");
	u16 one = 1;

	m->sections[m->nr] = (Elf64_Shdr){ .sh_name = name, .sh_type = SHT_STRTAB,
					   .sh_offset = m->len, .sh_size = m->names_len };
	memcpy(m->data + m->len, m->names, m->names_len);
	m->len += m->names_len;
	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = ELFCLASS64;
	head.e_ident[EI_DATA] = *(unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
	head.e_shstrndx = (u16)m->nr++;
	head.e_shnum = (u16)m->nr;
	head.e_shoff = m->len;
	memcpy(m->data + m->len, m->sections, m->nr * sizeof(Elf64_Shdr));
	m->len += m->nr * sizeof(Elf64_Shdr);
	memcpy(m->data, &head, sizeof(head));
}

/* A version as modules carry it. */
static inline void elfmake_version(unsigned char *to, u64 crc, const char *name)
{
	memset(to, 0, 64);
	memcpy(to, &crc, sizeof(crc));
	strcpy((char *)to + 8, name);
}

/*
 * An exporter: both forms of a CRC, the symbol's value and where it points.
 */
static inline void elfmake_exports(struct elfmake *m, const char *const *names, const u32 *crcs,
				   size_t n, bool absolute)
{
	u32 table = elfmake_section(m, "__kcrctab", SHT_PROGBITS, crcs, n * sizeof(*crcs)), strings;
	Elf64_Sym syms[16] = { { 0 } };
	char text[512] = "";
	size_t len = 1, i;

	for (i = 0; i < n; i++) {
		syms[i + 1].st_name = (u32)len;
		syms[i + 1].st_shndx = absolute ? SHN_ABS : (u16)table;
		syms[i + 1].st_value = absolute ? crcs[i] : i * sizeof(*crcs);
		len += (size_t)sprintf(text + len, "__crc_%s", names[i]) + 1;
	}
	strings = elfmake_section(m, ".strtab", SHT_STRTAB, text, len);
	elfmake_section(m, ".symtab", SHT_SYMTAB, syms, (n + 1) * sizeof(syms[0]));
	m->sections[m->nr - 1].sh_link = strings;
}

#endif /* RDMASCOPE_ELFMAKE_H */
