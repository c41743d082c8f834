/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An array that grows.
 */
#ifndef LIST_H
#define LIST_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct list - items of one size
 * @v: the items
 * @n: how many
 * @size: bytes of one
 */
struct list {
	void *v;
	size_t n;
	size_t size;
};

#define LIST(type) { .size = sizeof(type) }
#define list_at(type, l, i) (&((type *)(l)->v)[i])
#define list_each(type, item, l) \
	for (type *item = (l)->v; item && item < list_at(type, l, (l)->n); item++)

static inline int list_add(struct list *l, const void *item)
{
	void *v = l->v;

	/* Powers of two: grow when full. */
	if (!(l->n & (l->n - 1)))
		v = realloc(l->v, (l->n ? 2 * l->n : 1) * l->size);
	if (!v)
		return -ENOMEM;
	l->v = v;
	memcpy((char *)v + l->n++ * l->size, item, l->size);
	return 0;
}

static inline void list_free(struct list *l)
{
	free(l->v);
	l->v = NULL;
	l->n = 0;
}

#endif /* LIST_H */
