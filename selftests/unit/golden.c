// SPDX-License-Identifier: GPL-2.0
#include "golden.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

static FILE *golden_open(const char *name, const char *mode)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), GOLDEN_DIR "/%s", name);
	f = fopen(path, mode);
	if (!f)
		fail_msg("cannot open golden/%s", name);
	return f;
}

char *golden_read(const char *name)
{
	FILE *f = golden_open(name, "r");
	char *text = calloc(1, 1 << 16);
	size_t n;

	assert_non_null(text);
	n = fread(text, 1, (1 << 16) - 1, f);
	fclose(f);
	assert_in_range(n, 1, (1 << 16) - 2);
	return text;
}

static void golden_write(const char *name, const char *text)
{
	FILE *f = golden_open(name, "w");

	fputs(text, f);
	fclose(f);
}

void assert_golden(const char *name, const char *text)
{
	const char *mode = getenv("UNIT_GOLDEN");
	unsigned int line = 1;
	char *want;
	size_t i;

	if (mode && !strcmp(mode, "write"))
		golden_write(name, text);
	want = golden_read(name);
	for (i = 0; want[i] && want[i] == text[i]; i++)
		line += want[i] == '\n';
	if (want[i] != text[i])
		fail_msg("golden/%s differs in line %u", name, line);
	free(want);
}
