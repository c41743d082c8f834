// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "sysread.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <unistd.h>

#include <rdmascope/record.h>

#include "facts.h"

#define FULL_PATH(path, root, fmt) \
	do { \
		va_list ap_; \
		int n_ = snprintf(path, sizeof(path), "%s", root); \
		va_start(ap_, fmt); \
		vsnprintf((path) + n_, sizeof(path) - (size_t)n_, fmt, ap_); \
		va_end(ap_); \
	} while (0)

/**
 * sysread_line() - first line of a file
 * @to: result, empty on error
 * @size: of @to
 * @root: prefix
 * @fmt: path
 *
 * Return: its length or a negative errno.
 */
int sysread_line(char *to, size_t size, const char *root, const char *fmt, ...)
{
	char path[PATH_MAX];

	FULL_PATH(path, root, fmt);
	return facts_line(path, to, size);
}

/**
 * sysread_num() - a number at the start of a file, decimal or 0x
 * @root: prefix
 * @fmt: path
 *
 * Return: the number, or RSCOPE_NONE, also for a negative one.
 */
u64 sysread_num(const char *root, const char *fmt, ...)
{
	char path[PATH_MAX], line[64], *end;
	u64 v;

	FULL_PATH(path, root, fmt);
	if (facts_line(path, line, sizeof(line)) <= 0 || line[0] == '-')
		return RSCOPE_NONE;
	v = strtoull(line, &end, 0);
	return end == line ? RSCOPE_NONE : v;
}

/**
 * sysread_link() - last part of what a symbolic link points to
 * @to: result, empty on error
 * @size: of @to
 * @root: prefix
 * @fmt: path
 */
void sysread_link(char *to, size_t size, const char *root, const char *fmt, ...)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *slash;
	ssize_t n;

	FULL_PATH(path, root, fmt);
	n = readlink(path, target, sizeof(target) - 1);
	target[n < 0 ? 0 : n] = '\0';
	slash = strrchr(target, '/');
	snprintf(to, size, "%s", slash ? slash + 1 : target);
}

/**
 * sysread_exists() - is there such a file or directory?
 * @root: prefix
 * @fmt: path
 *
 * Return: true when there is.
 */
bool sysread_exists(const char *root, const char *fmt, ...)
{
	char path[PATH_MAX];

	FULL_PATH(path, root, fmt);
	return !access(path, F_OK);
}

/**
 * sysread_open() - a directory, for many files in it
 * @root: prefix
 * @fmt: path
 *
 * Return: a descriptor to close, or -1.
 */
int sysread_open(const char *root, const char *fmt, ...)
{
	char path[PATH_MAX];

	FULL_PATH(path, root, fmt);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(((const struct sysname *)a)->name, ((const struct sysname *)b)->name);
}

/**
 * sysread_dir() - names in a directory, in the order people count
 * @names: list of struct sysname, added to
 * @root: prefix
 * @fmt: path
 *
 * Return: 0 or a negative errno.
 */
int sysread_dir(struct list *names, const char *root, const char *fmt, ...)
{
	char path[PATH_MAX];
	struct dirent *entry;
	struct sysname name;
	DIR *dir;

	FULL_PATH(path, root, fmt);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		snprintf(name.name, sizeof(name.name), "%s", entry->d_name);
		if (entry->d_name[0] != '.' && list_add(names, &name))
			break;
	}
	closedir(dir);
	if (names->n)
		qsort(names->v, names->n, names->size, by_version);
	return 0;
}
