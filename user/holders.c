// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "holders.h"

#include <ctype.h>
#include <limits.h>
#include <unistd.h>

#include <rdmascope/record.h>

#include "sysread.h"

/* Does a descriptor of this process lie below the path? */
static bool holds(const char *pid, const char *path)
{
	struct list fds = LIST(struct sysname);
	char link[PATH_MAX], target[PATH_MAX];
	size_t len = strlen(path);
	bool found = false;
	ssize_t n;

	sysread_dir(&fds, "", "/proc/%s/fd", pid);
	list_each(struct sysname, fd, &fds) {
		snprintf(link, sizeof(link), "/proc/%s/fd/%s", pid, fd->name);
		n = readlink(link, target, sizeof(target) - 1);
		if (n < 0)
			continue;
		target[n] = '\0';
		found = found || (!strncmp(target, path, len) && target[len] == '/');
	}
	list_free(&fds);
	return found;
}

static void put_process(struct rscope_text *t, const char *pid)
{
	char comm[32];

	sysread_line(comm, sizeof(comm), "", "/proc/%s/comm", pid);
	rscope_puts(t, t->len ? ", " : "");
	rscope_puts(t, comm);
	rscope_puts(t, " (");
	rscope_puts(t, pid);
	rscope_puts(t, ")");
}

/**
 * holders_name() - processes that have a file below a path open
 * @path: a directory
 * @to: result: "name (pid), name (pid)"
 * @size: of @to
 *
 * Sees what the user may see: of other users' processes only root.
 *
 * Return: how many.
 */
size_t holders_name(const char *path, char *to, size_t size)
{
	struct list pids = LIST(struct sysname);
	struct rscope_text t = { .buf = to, .size = size };
	size_t n = 0;

	to[0] = '\0';
	sysread_dir(&pids, "", "/proc");
	list_each(struct sysname, pid, &pids) {
		if (!isdigit((unsigned char)pid->name[0]) || !holds(pid->name, path))
			continue;
		put_process(&t, pid->name);
		n++;
	}
	list_free(&pids);
	return n;
}
