// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "uside.h"

#include <limits.h>
#include <sys/stat.h>

#include <rdmascope/env.h>

/* "fe80:0000:..." as in /proc/net/if_inet6, without colons. */
static void plain_digits(const char *gid, char *to, size_t size)
{
	size_t n = 0;

	for (; *gid && n + 1 < size; gid++)
		if (*gid != ':')
			to[n++] = *gid;
	to[n] = '\0';
}

static bool is_there(const char *root, const char *path)
{
	char full[PATH_MAX];
	struct stat st;

	snprintf(full, sizeof(full), "%s%s", root, path);
	return !stat(full, &st);
}

/**
 * uside_has_inet6() - does a netdev have the address that a GID stands for?
 * @root: prefix of all paths
 * @gid: eight groups of four hexadecimal digits
 * @netdev: its netdev
 *
 * Return: 1 yes, 0 no (also where the kernel has no IPv6), -ENOENT not known.
 */
int uside_has_inet6(const char *root, const char *gid, const char *netdev)
{
	char path[PATH_MAX], want[40], digits[40], name[64];
	int found = 0;
	FILE *f;

	plain_digits(gid, want, sizeof(want));
	snprintf(path, sizeof(path), "%s/proc/net/if_inet6", root);
	f = fopen(path, "re");
	if (!f)
		return is_there(root, "/proc/net") ? 0 : -ENOENT;
	while (!found && fscanf(f, "%39s %*s %*s %*s %*s %63s", digits, name) == 2)
		found = !strcmp(digits, want) && !strcmp(name, netdev);
	fclose(f);
	return found;
}
