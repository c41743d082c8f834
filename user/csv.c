// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "csv.h"

/**
 * csv_field() - append a field to a line
 * @t: the line
 * @value: the field; quoted when it holds a comma, a quote or a line end
 * @first: no comma before it
 */
void csv_field(struct rscope_text *t, const char *value, bool first)
{
	if (!first)
		rscope_putc(t, ',');
	if (!value[strcspn(value, ",\"\r\n")]) {
		rscope_puts(t, value);
		return;
	}
	rscope_putc(t, '"');
	for (; *value; value++) {
		if (*value == '"')
			rscope_putc(t, '"');
		rscope_putc(t, *value);
	}
	rscope_putc(t, '"');
}
