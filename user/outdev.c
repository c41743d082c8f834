// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outdev.h"

#include <ctype.h>

#include "out.h"
#include "provider.h"

/**
 * outdev_load() - look for the character devices, once for all
 * @u: result
 * @root: prefix of all paths
 */
void outdev_load(struct outdev *u, const char *root)
{
	*u = (struct outdev){
		.root = root, .uverbs = LIST(struct node), .umad = LIST(struct node),
	};
	nodes_uverbs(root, &u->uverbs);
	nodes_umad(root, &u->umad);
}

/**
 * outdev_free() - free what was found
 * @u: of outdev_load()
 */
void outdev_free(struct outdev *u)
{
	list_free(&u->uverbs);
	list_free(&u->umad);
}

static json_t *node_json(const struct outdev *u, const struct node *node)
{
	json_t *object = json_object();
	int err = node ? nodes_open(u->root, node->name) : -ENODEV;

	out_text(object, "node", node ? node->name : "");
	json_object_set_new(object, "openable", json_boolean(!err));
	out_text(object, "reason", !node ? "the kernel offers none" : err ? strerror(-err) : "");
	return object;
}

static json_t *umad_array(const struct outdev *u, const struct rscope_device *d)
{
	json_t *array = json_array(), *object;

	list_each(struct node, node, &u->umad) {
		if (strcmp(node->dev, d->ifname))
			continue;
		object = node_json(u, node);
		out_num(object, "port", node->port);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *provider_json(const struct outdev *u, const struct rscope_device *d)
{
	json_t *object = json_object();
	struct provider p;

	provider_find(u->root, d->driver, &p);
	out_text(object, "name", p.name);
	out_text(object, "library", p.library);
	json_object_set_new(object, "present", *p.name ? json_boolean(*p.library) : json_null());
	json_object_set_new(object, "configured",
			    *p.name ? json_boolean(p.configured) : json_null());
	return object;
}

/* "0000:3b:00.0" */
static bool is_pci(const char *parent)
{
	static const char form[] = "xxxx:xx:xx.x";
	size_t i, skip = strspn(parent, "0123456789abcdef");

	/* A domain may have more digits. */
	if (skip < 4)
		return false;
	parent += skip - 4;
	for (i = 0; form[i]; i++)
		if (form[i] == 'x' ? !isxdigit((unsigned char)parent[i]) : parent[i] != form[i])
			return false;
	return !parent[i];
}

/**
 * outdev_add() - add how user space reaches a device
 * @object: its record
 * @u: nodes
 * @d: the device
 */
void outdev_add(json_t *object, const struct outdev *u, const struct rscope_device *d)
{
	out_text(object, "pci", is_pci(d->parent) ? d->parent : "");
	json_object_set_new(object, "uverbs", node_json(u, nodes_find(&u->uverbs, d->ifname)));
	json_object_set_new(object, "umad", umad_array(u, d));
	json_object_set_new(object, "provider", provider_json(u, d));
}

/* ----------------------------------------------------------------- for people */

static const char *shown(json_t *object, const char *key, char *buf, size_t size)
{
	return out_shown(json_object_get(object, key), buf, size);
}

static void print_node(json_t *object, const char *what)
{
	char name[64], reason[128];

	out_line("%s: %s, %s", what, shown(object, "node", name, sizeof(name)),
		 json_is_true(json_object_get(object, "openable")) ?
			 "can be opened" : shown(object, "reason", reason, sizeof(reason)));
}

/**
 * outdev_text() - print what outdev_add() added that is no plain value
 * @object: the record
 */
void outdev_text(json_t *object)
{
	json_t *provider = json_object_get(object, "provider"), *umad;
	char name[64], library[512], what[32], port[24];
	size_t i;

	print_node(json_object_get(object, "uverbs"), "uverbs");
	json_array_foreach(json_object_get(object, "umad"), i, umad) {
		snprintf(what, sizeof(what), "umad_port_%s",
			 shown(umad, "port", port, sizeof(port)));
		print_node(umad, what);
	}
	if (json_is_string(json_object_get(provider, "name")))
		out_line("provider: %s, %s", shown(provider, "name", name, sizeof(name)),
			 json_is_true(json_object_get(provider, "present")) ?
				 shown(provider, "library", library, sizeof(library)) :
				 "its library is not found");
}
