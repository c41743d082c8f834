// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "facts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * facts_line_at() - first line of a small file
 * @dir: directory it lies in, AT_FDCWD for any path
 * @name: the file
 * @to: the line without its LF and trailing blanks; empty on error
 * @size: of @to
 *
 * Return: its length or a negative errno.
 */
int facts_line_at(int dir, const char *name, char *to, size_t size)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	to[0] = '\0';
	if (fd < 0)
		return -errno;
	n = read(fd, to, size - 1);
	close(fd);
	if (n < 0)
		return -errno;
	to[n] = '\0';
	n = (ssize_t)strcspn(to, "\n");
	while (n && (to[n - 1] == ' ' || to[n - 1] == '\t'))
		n--;
	to[n] = '\0';
	return (int)n;
}

/**
 * facts_line() - first line of a small file
 * @path: the file
 * @to: the line without its LF and trailing blanks; empty on error
 * @size: of @to
 *
 * Return: its length or a negative errno.
 */
int facts_line(const char *path, char *to, size_t size)
{
	return facts_line_at(AT_FDCWD, path, to, size);
}

static bool exists(const char *root, const char *path)
{
	char full[PATH_MAX];
	struct stat st;

	snprintf(full, sizeof(full), "%s%s", root, path);
	return !stat(full, &st);
}

/* "none [integrity] confidentiality": the one in brackets is in force. */
static bool locked_down(const char *root)
{
	char full[PATH_MAX], line[80];

	snprintf(full, sizeof(full), "%s/sys/kernel/security/lockdown", root);
	return facts_line(full, line, sizeof(line)) > 0 && !strstr(line, "[none]");
}

/* The root of a mounted debugfs is another device than the sysfs it lies in. */
static bool debugfs_mounted(const char *root)
{
	char a[PATH_MAX], b[PATH_MAX];
	struct stat sa, sb;

	snprintf(a, sizeof(a), "%s/sys/kernel/debug", root);
	snprintf(b, sizeof(b), "%s/sys/kernel", root);
	return !stat(a, &sa) && !stat(b, &sb) && (*root || sa.st_dev != sb.st_dev);
}

/**
 * facts_read() - look around
 * @root: prefix of all paths, "" as a rule
 * @f: result
 */
void facts_read(const char *root, struct facts *f)
{
	f->root = !geteuid();
	f->lockdown = locked_down(root);
	f->debugfs = debugfs_mounted(root);
	f->module = exists(root, "/sys/module/rdmascope");
	f->rdma = exists(root, "/sys/class/infiniband");
	f->uverbs = exists(root, "/dev/infiniband/uverbs0") ||
		    exists(root, "/sys/class/infiniband_verbs/uverbs0");
}
