// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "uside.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sysread.h"

#define VERBS "/sys/class/infiniband_verbs"

static void find_node(const char *root, const char *dev, char *node, size_t size)
{
	struct list names = LIST(struct sysname);
	char line[256];

	node[0] = '\0';
	sysread_dir(&names, root, VERBS);
	list_each(struct sysname, name, &names) {
		sysread_line(line, sizeof(line), root, VERBS "/%s/ibdev", name->name);
		if (*line && !strcmp(line, dev))
			snprintf(node, size, "%.*s", (int)size - 1, name->name);
	}
	list_free(&names);
}

/**
 * uside_node() - the uverbs node of a device
 * @root: prefix of all paths
 * @dev: RDMA device
 * @node: result, "uverbs0" for example; empty when the kernel offers none
 * @size: of @node
 *
 * Only an open tells what a device cgroup or another namespace forbids.
 *
 * Return: 0 when it can be opened, else a negative errno.
 */
int uside_node(const char *root, const char *dev, char *node, size_t size)
{
	char path[PATH_MAX];
	int fd;

	find_node(root, dev, node, size);
	if (!*node)
		return -ENODEV;
	snprintf(path, sizeof(path), "%s/dev/infiniband/%s", root, node);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

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
