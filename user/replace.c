// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "replace.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct rscope_error *e, const char *what, const char *path)
{
	return rscope_fail(e, -errno, "%s %s: %s", what, path, strerror(errno));
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/* On disk before the name points to it: a crash leaves the old file. */
static int fill(int fd, const char *tmp, const char *text, size_t len, struct rscope_error *e)
{
	if (write_all(fd, text, len) || fchmod(fd, 0644) || fsync(fd))
		return fail(e, "write", tmp);
	return 0;
}

/**
 * replace_file() - write a file, all of it or nothing
 * @path: its name; what was there before is replaced
 * @text: what is to be in it
 * @len: its length
 * @e: reason
 *
 * Return: 0 or a negative errno; @path is as before then.
 */
int replace_file(const char *path, const char *text, size_t len, struct rscope_error *e)
{
	char tmp[PATH_MAX];
	int fd, err;

	/* In the same directory, and no *.prom: collectors leave it alone. */
	if (snprintf(tmp, sizeof(tmp), "%s.XXXXXX", path) >= (int)sizeof(tmp))
		return rscope_fail(e, -ENAMETOOLONG, "%.64s...: name too long", path);
	fd = mkstemp(tmp);
	if (fd < 0)
		return fail(e, "create", tmp);
	err = fill(fd, tmp, text, len, e);
	if (close(fd) && !err)
		err = fail(e, "close", tmp);
	if (!err && rename(tmp, path))
		err = fail(e, "rename to", path);
	if (err)
		unlink(tmp);
	return err;
}
