// SPDX-License-Identifier: GPL-2.0
/*
 * What Documentation/ABI/debugfs-rdmascope must define, out of the tables of
 * abi.h: lines `BLOCK<tab>DEFINITION`, and for words `BLOCK<tab>KEY=WORD`.
 */
#include <stdio.h>

#include <rdmascope/workload.h>

static const char *block;

static void put_file(const char *dir, const char *name, unsigned int mode)
{
	printf("file\t%s%s (%s, %04o)\n", dir, name,
	       mode & 0444 ? mode & 0222 ? "RW" : "RO" : "WO", mode);
}

/* "1..16384 WRs", "0..1" */
static void put_integer(const struct rscope_workload_row *r)
{
	printf("%s\t%s (%lld..%lld%s%s, default %lld)\n", block, r->key, r->min, r->max,
	       *r->unit ? " " : "", r->unit, r->def);
}

static void put_word_key(const struct rscope_workload_row *r)
{
	u32 i;

	printf("%s\t%s (word, default %s)\n", block, r->key, r->words[r->def]);
	for (i = 0; i < r->nr_words; i++)
		printf("%s\t%s=%s\n", block, r->key, r->words[i]);
}

static void workload(void)
{
	const struct rscope_workload_row *r = rscope_workload_rows;
	u32 i;

	for (i = 0; i < RSCOPE_W_NR; i++, r++) {
		if (r->kind == RSCOPE_W_INT)
			put_integer(r);
		else if (r->kind == RSCOPE_W_ENUM)
			put_word_key(r);
		else
			printf("%s\t%s (text, at most %d bytes)\n", block, r->key,
			       RSCOPE_WORD_MAX - 1);
	}
}

static void put_number(const char *key, const char *unit, bool always)
{
	printf("%s\t%s (number%s%s%s)\n", block, key, *unit ? ", " : "", unit,
	       always ? ", always" : "");
}

static void put_text(const char *key, int size, bool always)
{
	printf("%s\t%s (text, at most %d bytes%s)\n", block, key, size - 1,
	       always ? ", always" : "");
}

static void put_words(const char *key, const char *const *w, size_t n)
{
	for (; n; n--, w++)
		printf("%s\t%s=%s\n", block, key, *w);
}

#define WORDS(key, table) put_words(key, rscope_words_##table, ARRAY_SIZE(rscope_words_##table))

#define ROOT_FILE(name, mode, help) put_file("", #name, mode);
#define DEV_FILE(name, mode, help) put_file("<dev>/", #name, mode);
#define PORT_FILE(name, mode, help) put_file("<dev>/<port>/", #name, mode);

#define NUM(key, unit, help) put_number(#key, unit, false);
#define TEXT(key, size, help) put_text(#key, size, false);
#define REPORT_NUM(key, always, unit, help) put_number(#key, unit, always);
#define REPORT_TEXT(key, always, size, help) put_text(#key, size, always);

static void put_files(void)
{
	RSCOPE_ROOT_FILES(ROOT_FILE)
	RSCOPE_TEST_FILES(ROOT_FILE)
	RSCOPE_DEV_FILES(DEV_FILE)
	RSCOPE_PORT_FILES(PORT_FILE)
}

static void maps(void)
{
	block = "abi";
	RSCOPE_ABI_KEYS(NUM, TEXT)
	block = "links";
	RSCOPE_LINK_KEYS(NUM, TEXT)
	WORDS("protocol", PROTOCOLS);
	WORDS("reason", LINK_REASONS);
	block = "gids";
	RSCOPE_GID_KEYS(NUM, TEXT)
	WORDS("type", GID_TYPES);
	block = "<dev>/device";
	RSCOPE_DEVICE_KEYS(NUM, TEXT)
	block = "<dev>/<port>/ops";
	RSCOPE_OPREC_KEYS(NUM, TEXT)
	block = "<dev>/<port>/state";
	RSCOPE_STATE_KEYS(NUM, TEXT)
	block = "fault";
	WORDS("point", FAULTS);
}

int main(void)
{
	put_files();
	maps();
	block = "<dev>/<port>/run";
	workload();
	block = "<dev>/<port>/result";
	RSCOPE_REPORT_KEYS(REPORT_NUM, REPORT_TEXT)
	WORDS("path", PATHS);
	WORDS("verdict", VERDICTS);
	WORDS("stage", STAGES);
	return 0;
}
