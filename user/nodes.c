// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "nodes.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "sysread.h"

static void load(const char *root, const char *class, const char *prefix, struct list *nodes)
{
	struct list names = LIST(struct sysname);
	struct node node;

	sysread_dir(&names, root, "/sys/class/%s", class);
	list_each(struct sysname, name, &names) {
		if (strncmp(name->name, prefix, strlen(prefix)))
			continue;
		snprintf(node.name, sizeof(node.name), "%s", name->name);
		sysread_line(node.dev, sizeof(node.dev), root, "/sys/class/%s/%s/ibdev", class,
			     name->name);
		node.port = sysread_num(root, "/sys/class/%s/%s/port", class, name->name);
		if (*node.dev && list_add(nodes, &node))
			break;
	}
	list_free(&names);
}

/**
 * nodes_uverbs() - what libibverbs opens
 * @root: prefix of all paths
 * @nodes: list of struct node, added to
 */
void nodes_uverbs(const char *root, struct list *nodes)
{
	load(root, "infiniband_verbs", "uverbs", nodes);
}

/**
 * nodes_umad() - what subnet managers and diagnostics open, one for each port
 * @root: prefix of all paths
 * @nodes: list of struct node, added to
 */
void nodes_umad(const char *root, struct list *nodes)
{
	load(root, "infiniband_mad", "umad", nodes);
}

/**
 * nodes_find() - the first node of a device
 * @nodes: of nodes_uverbs()
 * @dev: RDMA device
 *
 * Return: the node, NULL when the kernel offers none.
 */
const struct node *nodes_find(const struct list *nodes, const char *dev)
{
	list_each(struct node, node, nodes)
		if (!strcmp(node->dev, dev))
			return node;
	return NULL;
}

/**
 * nodes_open() - can a node be opened by this user, here?
 * @root: prefix of all paths
 * @name: of the node
 *
 * Only an open tells what a device cgroup or another namespace forbids.
 *
 * Return: 0 when it can, else a negative errno.
 */
int nodes_open(const char *root, const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/infiniband/%s", root, name);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}
