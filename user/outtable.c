// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Aligned tables, out of JSON objects or right out of structs.
 */
#include "out.h"

/* Columns on the terminal: continuation bytes of UTF-8 take none. */
static size_t columns_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

static void put_blanks(size_t n)
{
	while (n--)
		putchar_unlocked(' ');
}

/* The last column is not padded: no line ends in blanks. */
static void put_cell(const char *text, size_t width, bool right, bool last)
{
	size_t pad = width - columns_of(text);

	put_blanks(right ? pad : 0);
	fputs_unlocked(text, stdout);
	put_blanks(right || last ? 0 : pad);
	fputs_unlocked(last ? "\n" : "  ", stdout);
}

static size_t column_width(const struct list *cells, const char *title, size_t i, size_t n)
{
	size_t len, width = strlen(title);

	for (; i < cells->n; i += n) {
		len = columns_of(*list_at(char *, cells, i));
		if (len > width)
			width = len;
	}
	return width;
}

/* Every cell was formatted once, for its width and for print. */
static void print_cells(struct list *cells, const struct column *columns, size_t n)
{
	size_t i, width[32];

	for (i = 0; i < n; i++)
		width[i] = column_width(cells, columns[i].title, i, n);
	for (i = 0; i < n; i++)
		put_cell(columns[i].title, width[i], columns[i].right, i == n - 1);
	for (i = 0; i < cells->n; i++)
		put_cell(*list_at(char *, cells, i), width[i % n], columns[i % n].right,
			 i % n == n - 1);
	list_each(char *, text, cells)
		free(*text);
	list_free(cells);
}

static void add_cell(struct list *cells, const char *shown)
{
	char *text = strdup(shown);

	if (!text || list_add(cells, &text))
		abort(); /* half a table would be a lie */
}

/**
 * out_table() - print an array of objects as an aligned table
 * @array: rows
 * @columns: which members
 * @n: how many
 */
void out_table(json_t *array, const struct column *columns, size_t n)
{
	struct list cells = LIST(char *);
	json_t *object;
	char buf[512];
	size_t i, row;

	json_array_foreach(array, row, object)
		for (i = 0; i < n; i++)
			add_cell(&cells, out_shown(json_object_get(object, columns[i].key), buf,
						   sizeof(buf)));
	print_cells(&cells, columns, n);
}

static const struct rscope_field *field_of(const struct rscope_field *f, size_t n, const char *key)
{
	for (; n; n--, f++)
		if (!strcmp(f->key, key))
			return f;
	return NULL;
}

/**
 * out_records() - the same table as that of their objects, without making these
 * @records: structs
 * @f: their field table
 * @nr_fields: its length
 * @columns: which members, all of them in @f
 * @n: how many
 *
 * An object costs more than all the rest of a long table.
 */
void out_records(const struct list *records, const struct rscope_field *f, size_t nr_fields,
		 const struct column *columns, size_t n)
{
	const struct rscope_field *shown[32];
	struct list cells = LIST(char *);
	const char *record = records->v;
	char buf[512];
	size_t i, row;

	for (i = 0; i < n; i++)
		shown[i] = field_of(f, nr_fields, columns[i].key);
	for (row = 0; row < records->n; row++, record += records->size)
		for (i = 0; i < n; i++)
			add_cell(&cells, out_shown_field(shown[i], record, buf, sizeof(buf)));
	print_cells(&cells, columns, n);
}
