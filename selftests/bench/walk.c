// SPDX-License-Identifier: GPL-2.0
/*
 * The GID table as people read it without rdmascope: every slot of every port, its
 * GID and its type, out of sysfs. "walk -" only starts and ends.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int line_at(int dir, const char *what, unsigned int i, char *to, size_t size)
{
	char name[64];
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "%s/%u", what, i);
	fd = openat(dir, name, O_RDONLY);
	if (fd < 0)
		return -1;
	n = read(fd, to, size - 1);
	close(fd);
	to[n < 0 ? 0 : n] = '\0';
	to[strcspn(to, "\n")] = '\0';
	return 0;
}

static void walk_port(const char *dev)
{
	char path[512], gid[64], type[32];
	unsigned int i;
	int dir;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1", dev);
	dir = open(path, O_RDONLY | O_DIRECTORY);
	if (dir < 0)
		return;
	for (i = 0; !line_at(dir, "gids", i, gid, sizeof(gid)); i++)
		if (!line_at(dir, "gid_attrs/types", i, type, sizeof(type)) &&
		    gid[strspn(gid, "0:")])
			printf("%s %u %s %s\n", dev, i, gid, type);
	close(dir);
}

int main(int argc, char **argv)
{
	DIR *devices = argc > 1 ? NULL : opendir("/sys/class/infiniband");
	struct dirent *dev;

	while (devices && (dev = readdir(devices)))
		if (dev->d_name[0] != '.')
			walk_port(dev->d_name);
	return 0;
}
