// SPDX-License-Identifier: GPL-2.0
/*
 * Module files: what is in them, in both forms kernels write; then cut short at
 * every byte and spoilt at random, in memory that ends where the file does.
 */
#include <errno.h>
#include <stdio.h>

#include "unit.h"

#include "elfmake.h"
#include "modfile.h"

static const char info[] = "license=GPL\0vermagic=6.1.0-9-amd64 SMP mod_unload modversions \0"
			   "depends=ib_core";
static const char *const names[] = { "ib_register_client", "rdma_query_gid" };
static const u32 crcs[] = { 0x12345678, 0x9abcdef0 };

static void make(struct elfmake *m, bool extended, bool absolute)
{
	static const char longs[] = "a_name_of_more_than_56_bytes_as_rust_has_them_and_c_has_none\0"
				    "ib_register_client";
	unsigned char versions[128];

	elfmake_version(versions, crcs[0], names[0]);
	elfmake_version(versions + 64, crcs[1], "module_layout");
	elfmake_begin(m);
	elfmake_section(m, ".modinfo", SHT_PROGBITS, info, sizeof(info));
	elfmake_section(m, "__versions", SHT_PROGBITS, versions, sizeof(versions));
	if (extended) {
		elfmake_section(m, "__version_ext_crcs", SHT_PROGBITS, crcs, sizeof(crcs));
		elfmake_section(m, "__version_ext_names", SHT_PROGBITS, longs, sizeof(longs));
	}
	elfmake_exports(m, names, crcs, 2, absolute);
	elfmake_section(m, ".bss", SHT_NOBITS, "", 0);
	elfmake_end(m);
}

/* Everything that can be asked; the memory is as long as the file. */
static int ask(const unsigned char *data, size_t len)
{
	struct modfile m = { .data = malloc(len ? len : 1), .len = len };
	struct list wants = LIST(struct modsym), offers = LIST(struct modsym);
	size_t sum = 0;
	int err;

	memcpy(m.data, data, len);
	err = modfile_parse(&m);
	if (!err) {
		const char *magic = modfile_info(&m, "vermagic");

		sum += magic ? strlen(magic) : 0;
		modfile_wants(&m, &wants);
		modfile_offers(&m, &offers);
		list_each(struct modsym, s, &wants)
			sum += strlen(s->name);
		list_each(struct modsym, s, &offers)
			sum += strlen(s->name);
		assert_true(sum < 10 * ELFMAKE_MOST);
	}
	list_free(&wants);
	list_free(&offers);
	modfile_close(&m);
	return err;
}

static void is(const struct list *l, size_t i, const char *name, u32 crc)
{
	assert_true(i < l->n);
	assert_string_equal(list_at(struct modsym, l, i)->name, name);
	assert_int_equal(list_at(struct modsym, l, i)->crc, crc);
}

static void reads(bool extended, bool absolute)
{
	static struct elfmake made;
	struct modfile m = { 0 };
	struct list wants = LIST(struct modsym), offers = LIST(struct modsym);
	struct modspan s;

	make(&made, extended, absolute);
	m.data = made.data;
	m.len = made.len;
	assert_int_equal(modfile_parse(&m), 0);
	assert_string_equal(modfile_info(&m, "vermagic"),
			    "6.1.0-9-amd64 SMP mod_unload modversions ");
	assert_string_equal(modfile_info(&m, "depends"), "ib_core");
	assert_null(modfile_info(&m, "depend"));
	assert_null(modfile_info(&m, ""));
	assert_true(modfile_section(&m, "__kcrctab", &s));
	assert_int_equal(s.n, 8);
	assert_false(modfile_section(&m, ".bss", &s));
	assert_false(modfile_section(&m, ".text", &s));
	assert_int_equal(modfile_wants(&m, &wants), 0);
	assert_int_equal(modfile_offers(&m, &offers), 0);
	assert_int_equal(wants.n, 2);
	assert_int_equal(offers.n, 2);
	if (extended)
		is(&wants, 1, "ib_register_client", crcs[1]);
	else
		is(&wants, 1, "module_layout", crcs[1]);
	is(&offers, 0, names[0], crcs[0]);
	is(&offers, 1, names[1], crcs[1]);
	list_free(&wants);
	list_free(&offers);
}

static void test_reads(void **state)
{
	reads(false, false);
	reads(false, true);
	reads(true, false);
	reads(true, true);
}

static void test_other_machines(void **state)
{
	static struct elfmake m;
	static const struct {
		size_t at;
		unsigned char value;
	} rows[] = {
		{ 0, 'M' }, { EI_CLASS, ELFCLASS32 }, { EI_DATA, ELFDATANONE }, { 16, ET_DYN },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		make(&m, false, false);
		m.data[rows[i].at] = rows[i].value;
		assert_int_equal(ask(m.data, m.len), -EBADMSG);
	}
}

static void wants(const void *versions, size_t len, int want, size_t count)
{
	static struct elfmake made;
	struct list l = LIST(struct modsym);
	struct modfile m = { .data = made.data };

	elfmake_begin(&made);
	elfmake_section(&made, "__versions", SHT_PROGBITS, versions, len);
	elfmake_end(&made);
	m.len = made.len;
	assert_int_equal(modfile_parse(&m), 0);
	assert_int_equal(modfile_wants(&m, &l), want);
	assert_int_equal(l.n, count);
	list_free(&l);
}

static void test_malformed(void **state)
{
	static struct elfmake made;
	struct list offers = LIST(struct modsym);
	struct modfile m = { .data = made.data };
	unsigned char versions[128];
	Elf64_Sym sym;

	elfmake_version(versions, 1, "a");
	elfmake_version(versions + 64, 2, "b");
	wants(versions, 0, 0, 0);
	wants(versions, 128, 0, 2);
	wants(versions, 127, -EBADMSG, 1);
	/* A name that runs into the next entry. */
	memset(versions + 8, 'a', 56);
	wants(versions, 128, -EBADMSG, 0);
	/* A CRC half beyond its section; the next one is fine. */
	make(&made, false, false);
	m.len = made.len;
	memcpy(&sym, made.data + made.sections[5].sh_offset + sizeof(sym), sizeof(sym));
	sym.st_value = sizeof(crcs) - 2;
	memcpy(made.data + made.sections[5].sh_offset + sizeof(sym), &sym, sizeof(sym));
	assert_int_equal(modfile_parse(&m), 0);
	assert_int_equal(modfile_offers(&m, &offers), 0);
	assert_int_equal(offers.n, 1);
	is(&offers, 0, names[1], crcs[1]);
	list_free(&offers);
}

static void test_cut_short(void **state)
{
	static struct elfmake m;
	size_t len;
	int form;

	for (form = 0; form < 4; form++) {
		make(&m, form & 1, form & 2);
		for (len = 0; len < m.len; len++)
			ask(m.data, len);
		assert_int_equal(ask(m.data, m.len), 0);
		assert_int_equal(ask(m.data, sizeof(Elf64_Ehdr)), -EBADMSG);
	}
}

/* Interesting values where offsets, sizes and counts stand. */
static void test_spoilt(void **state)
{
	static const u64 values[] = { 0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff,
				      1ULL << 63, ~0ULL, ~0ULL - 63 };
	static struct elfmake m;
	unsigned char data[ELFMAKE_MOST];
	u64 seed = 88172645463325252ULL;
	int i, k;

	make(&m, false, false);
	for (i = 0; i < 200000; i++) {
		if (i % 50000 == 0)
			make(&m, i / 50000 & 1, i / 50000 & 2);
		memcpy(data, m.data, m.len);
		for (k = (int)unit_range(&seed, 1, 4); k; k--) {
			u64 value = values[unit_range(&seed, 0, ARRAY_SIZE(values) - 1)];
			size_t width = 1U << unit_range(&seed, 0, 3);

			memcpy(data + unit_range(&seed, 0, m.len - width), &value, width);
		}
		ask(data, m.len);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_reads),
	cmocka_unit_test(test_other_machines),
	cmocka_unit_test(test_malformed),
	cmocka_unit_test(test_cut_short),
	cmocka_unit_test(test_spoilt),
};

UNIT_MAIN(tests)
