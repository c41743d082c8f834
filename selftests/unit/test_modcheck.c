// SPDX-License-Identifier: GPL-2.0
/*
 * Trees with a module and ib_core in them that fit, or not, in one way each.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "unit.h"

#include "elfmake.h"
#include "modcheck.h"

#define RELEASE "6.1.0-9-amd64"
#define TAIL " SMP preempt mod_unload modversions "
#define UP_TAIL " mod_unload modversions "
#define DIR "/lib/modules/" RELEASE

#define DIFFERS "symbol ib_register_client differs (module 0x00000012, kernel 0x00000011)"

static char root[64];

static void put(const char *name, const void *data, size_t len)
{
	char path[256], command[320];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, name);
	snprintf(command, sizeof(command), "mkdir -p $(dirname %s)", path);
	assert_int_equal(system(command), 0);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, len, f), len);
	fclose(f);
}

static void put_text(const char *name, const char *text)
{
	put(name, text, strlen(text));
}

static void put_module(const char *name, const char *magic, u32 ib_crc, u32 kernel_crc,
		       const char *symbol, bool exports)
{
	static struct elfmake m;
	static const char *const offered[] = { "ib_register_client", "rdma_query_gid" };
	const u32 crcs[] = { 0x11, 0x22 };
	static const unsigned char id[] = "GNU build-id of ib_core";
	unsigned char versions[128];
	char info[160];
	int n;

	n = snprintf(info, sizeof(info), "vermagic=%s%cdepends=ib_core", magic, 0);
	elfmake_version(versions, kernel_crc, "module_layout");
	elfmake_version(versions + 64, ib_crc, symbol);
	elfmake_begin(&m);
	elfmake_section(&m, ".modinfo", SHT_PROGBITS, info, (size_t)n + 1);
	if (ib_crc || exports)
		elfmake_section(&m, "__versions", SHT_PROGBITS, versions, exports ? 64 : 128);
	if (exports) {
		elfmake_section(&m, ".note.gnu.build-id", SHT_NOTE, id, sizeof(id));
		elfmake_exports(&m, offered, crcs, 2, false);
	}
	elfmake_end(&m);
	put(name, m.data, m.len);
}

/* A tree where all fits. */
static void fits(void)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s/*", root);
	assert_int_equal(system(command), 0);
	put_text("/proc/sys/kernel/osrelease", RELEASE "\n");
	put_text(DIR "/modules.dep",
		 "kernel/x/ib_core_more.ko:\nkernel/x/ib_core.ko:\n"
		 "updates/dkms/rdmascope.ko: kernel/x/ib_core.ko\n"
		 "kernel/rdmascope_stub.ko: updates/dkms/rdmascope.ko\n");
	put_module(DIR "/kernel/x/ib_core.ko", RELEASE TAIL, 0, 0x99, "", true);
	put_module(DIR "/updates/dkms/rdmascope.ko", RELEASE TAIL, 0x11, 0x99,
		   "ib_register_client", false);
}

#define OWN DIR "/updates/dkms/rdmascope.ko"

static struct modcheck is(enum modfit fit)
{
	struct modcheck c;

	modcheck_read(root, &c);
	assert_int_equal(c.fit, fit);
	assert_string_equal(c.release, RELEASE);
	return c;
}

static void test_fits(void **state)
{
	struct modcheck c;

	fits();
	c = is(MODFIT_UNKNOWN);
	assert_string_equal(c.path, OWN);
	assert_string_equal(c.core, DIR "/kernel/x/ib_core.ko");
	assert_string_equal(c.kernel, RELEASE);
	/* Where symbols have versions, another release may fit. */
	put_module(OWN, "6.1.0-8-amd64" TAIL, 0x11, 0x99, "ib_register_client", false);
	is(MODFIT_UNKNOWN);
	put_text(DIR "/modules.dep", "");
	is(MODFIT_UNKNOWN);
}

static void test_other_stack(void **state)
{
	struct modcheck c;

	fits();
	put_module(OWN, RELEASE TAIL, 0x12, 0x99, "ib_register_client", false);
	c = is(MODFIT_OTHER_STACK);
	assert_string_equal(c.how, DIFFERS);
	put_module(OWN, RELEASE TAIL, 0x12, 0x99, "ib_of_the_vendor", false);
	c = is(MODFIT_OTHER_STACK);
	assert_string_equal(c.how, "symbol ib_of_the_vendor is missing");
	put_module(OWN, RELEASE TAIL, 0x12, 0x99, "printk", false);
	is(MODFIT_UNKNOWN);
}

static void test_other_kernel(void **state)
{
	fits();
	put_module(OWN, RELEASE TAIL, 0x11, 0x98, "ib_register_client", false);
	assert_non_null(strstr(is(MODFIT_OTHER_KERNEL).how, "module_layout"));
	put_module(OWN, RELEASE UP_TAIL, 0x11, 0x99, "ib_register_client",
		   false);
	assert_string_equal(is(MODFIT_OTHER_KERNEL).how,
			    "vermagic differs (module " RELEASE UP_TAIL ", kernel "
			    RELEASE TAIL ")");
	/* No versions in it at all. */
	put_module(OWN, "5.10.0" TAIL, 0, 0, "", false);
	assert_string_equal(is(MODFIT_OTHER_KERNEL).kernel, "5.10.0");
	put_text(DIR "/modules.dep", "updates/dkms/rdmascope.ko:\n");
	assert_string_equal(is(MODFIT_OTHER_KERNEL).how,
			    "vermagic differs (module 5.10.0, kernel " RELEASE ")");
	put_module(OWN, RELEASE TAIL, 0, 0, "", false);
	is(MODFIT_UNKNOWN);
}

static void test_replaced(void **state)
{
	static const char note[] = "/sys/module/ib_core/notes/.note.gnu.build-id";

	fits();
	put(note, "GNU build-id of ib_core", 24);
	is(MODFIT_UNKNOWN);
	put(note, "GNU build-id of another", 24);
	is(MODFIT_STALE_CORE);
}

static void test_places(void **state)
{
	char command[200];
	struct modcheck c;

	fits();
	snprintf(command, sizeof(command),
		 "cd %s" DIR " && mkdir extra && mv updates/dkms/* extra/", root);
	assert_int_equal(system(command), 0);
	assert_true(strlen(is(MODFIT_UNREADABLE).why) > 0);
	put_text(DIR "/modules.dep", "/elsewhere/ib_core.ko:\n");
	c = is(MODFIT_UNKNOWN);
	assert_string_equal(c.path, DIR "/extra/rdmascope.ko");
	assert_string_equal(c.core, "/elsewhere/ib_core.ko");
	snprintf(command, sizeof(command), "rm -rf %s" DIR, root);
	assert_int_equal(system(command), 0);
	assert_string_equal(is(MODFIT_UNKNOWN).path, "");
}

static void test_damaged(void **state)
{
	fits();
	put_text(OWN, "");
	is(MODFIT_UNREADABLE);
	put_text(OWN, "\177ELF");
	assert_non_null(strstr(is(MODFIT_UNREADABLE).why, "cut short"));
	fits();
	put_text(DIR "/kernel/x/ib_core.ko", "\177ELF");
	is(MODFIT_UNKNOWN);
}

/* A module that differs, packed: only who can read it finds that out. */
static void packed(const char *program, const char *suffix)
{
	char command[256], path[128];

	fits();
	put_module(OWN, RELEASE TAIL, 0x12, 0x99, "ib_register_client", false);
	snprintf(command, sizeof(command), "cd %s" DIR " && %s -q updates/dkms/*.ko kernel/x/*.ko",
		 root, program);
	if (system(command)) {
		printf("# no %s\n", program);
		return;
	}
	snprintf(command, sizeof(command),
		 "cd %s" DIR " && rm -f */*/*.ko */*.ko && sed -i 's/\\.ko/.ko%s/g' modules.dep",
		 root, suffix);
	assert_int_equal(system(command), 0);
	snprintf(path, sizeof(path), OWN "%s", suffix);
	assert_string_equal(is(MODFIT_OTHER_STACK).path, path);
	snprintf(command, sizeof(command), "truncate -s -9 %s%s", root, path);
	assert_int_equal(system(command), 0);
	assert_non_null(strstr(is(MODFIT_UNREADABLE).why, "cut short"));
	put_text(path, "nothing of the kind");
	assert_non_null(strstr(is(MODFIT_UNREADABLE).why, "damaged"));
	put_text(path, "");
	is(MODFIT_UNREADABLE);
}

static void test_packed(void **state)
{
	packed("xz --check=crc32 --lzma2=dict=1MiB", ".xz");
	packed("zstd", ".zst");
}

static int make_root(void **state)
{
	snprintf(root, sizeof(root), "%s/modcheck.XXXXXX", P_tmpdir);
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_fits),
	cmocka_unit_test(test_other_stack),
	cmocka_unit_test(test_other_kernel),
	cmocka_unit_test(test_replaced),
	cmocka_unit_test(test_places),
	cmocka_unit_test(test_damaged),
	cmocka_unit_test(test_packed),
};

int main(void)
{
	return cmocka_run_group_tests(tests, make_root, remove_root);
}
