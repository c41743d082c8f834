// SPDX-License-Identifier: GPL-2.0
/*
 * Text out of structs: escaping, records, lines, and a buffer that is too
 * small.
 */
#include <stdio.h>

#include "unit.h"
#include "golden.h"
#include <rdmascope/record.h>

static char out[4096];

static struct rscope_text fresh(void)
{
	struct rscope_text t = { .buf = out, .size = sizeof(out) };

	memset(out, 0x55, sizeof(out));
	out[0] = '\0';
	return t;
}

struct value_row {
	const char *raw;
	const char *word; /* in k=v words */
	const char *line; /* behind "key: " */
};

static const struct value_row values[] = {
	{ "rxe0", "rxe0", "rxe0" },
	{ "two words", "two\\040words", "two words" },
	{ "a=b", "a\\075b", "a=b" },
	{ "back\\slash", "back\\134slash", "back\\134slash" },
	{ "tab\there", "tab\\011here", "tab\\011here" },
	{ "line\nfeed", "line\\012feed", "line\\012feed" },
	{ "\x01\x1f\x7f", "\\001\\037\\177", "\\001\\037\\177" },
	{ "-", "\\055", "\\055" },
	{ "--", "--", "--" },
	{ "-1", "-1", "-1" },
	{ " ", "\\040", " " },
	{ "caf\xc3\xa9", "caf\xc3\xa9", "caf\xc3\xa9" },
	{ "\xff\xfe", "\xff\xfe", "\xff\xfe" },
	{ "a:b,c\"d'", "a:b,c\"d'", "a:b,c\"d'" },
	{ "end", "end", "end" },
	{ "", "", "" },
};

static void values_are_escaped(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		struct rscope_text t = fresh();

		rscope_put_value(&t, values[i].raw);
		assert_string_equal(out, values[i].word);
		assert_int_equal(t.len, strlen(values[i].word));
		t = fresh();
		rscope_put_line(&t, values[i].raw);
		assert_string_equal(out, values[i].line);
	}
}

/* Whatever the bytes, a value ends no word and no line, and a line no line. */
static void no_byte_breaks_out(void **state)
{
	char raw[2] = { 0 };
	int c;

	(void)state;
	for (c = 1; c < 256; c++) {
		struct rscope_text t = fresh();

		raw[0] = (char)c;
		rscope_put_value(&t, raw);
		assert_null(strpbrk(out, " =\n\t\r\v\f\x7f"));
		assert_true(strcmp(out, "-") != 0);
		t = fresh();
		rscope_put_line(&t, raw);
		assert_null(strpbrk(out, "\n\t\r\v\f\x7f"));
		assert_true(strcmp(out, "-") != 0);
	}
}

static void buffer_is_never_overrun(void **state)
{
	size_t size;

	(void)state;
	for (size = 0; size < 40; size++) {
		struct rscope_text t = { .buf = size ? out : NULL, .size = size };

		memset(out, 0x55, sizeof(out));
		rscope_puts(&t, "name=");
		rscope_put_value(&t, "two words");
		rscope_putc(&t, ' ');
		rscope_putu(&t, ~0ULL);
		/* As snprintf(): the length wanted, whatever fits, and a NUL. */
		assert_int_equal(t.len, 38);
		assert_int_equal(out[size], 0x55);
		if (size > 1) {
			assert_int_equal(strlen(out), size - 1 < 38 ? size - 1 : 38);
			assert_memory_equal(out, "name=two\\040words 18446744073709551615",
					    strlen(out));
		}
	}
}

static void numbers(void **state)
{
	struct rscope_text t = fresh();

	(void)state;
	rscope_putu(&t, 0);
	rscope_putc(&t, ' ');
	rscope_putu(&t, 18446744073709551614ULL);
	assert_string_equal(out, "0 18446744073709551614");
}

struct sample {
	u64 count;
	char name[16];
	u64 other;
	char text[16];
};

static const struct rscope_field sample_fields[] = {
	RSCOPE_ROW(sample, count, RSCOPE_KIND_NUM, 1)
	RSCOPE_ROW(sample, name, RSCOPE_KIND_TEXT, 1)
	RSCOPE_ROW(sample, other, RSCOPE_KIND_NUM, 0)
	RSCOPE_ROW(sample, text, RSCOPE_KIND_TEXT, 0)
};

static void cleared_is_absent(void **state)
{
	struct sample s;
	size_t i;

	(void)state;
	memset(&s, 0x77, sizeof(s));
	rscope_record_clear(sample_fields, ARRAY_SIZE(sample_fields), &s);
	for (i = 0; i < ARRAY_SIZE(sample_fields); i++)
		assert_true(rscope_field_absent(&sample_fields[i], &s));
	s.count = 0;
	assert_false(rscope_field_absent(&sample_fields[0], &s));
}

static void record_lines(void **state)
{
	struct sample s = { .count = 7, .name = "a b=c", .other = RSCOPE_NONE };
	struct rscope_text t = fresh();

	(void)state;
	rscope_print_record(&t, "sample", sample_fields, ARRAY_SIZE(sample_fields), &s);
	assert_string_equal(out, "sample: count=7 name=a\\040b\\075c other=- text=-\n");
	t = fresh();
	rscope_print_lines(&t, sample_fields, ARRAY_SIZE(sample_fields), &s, false);
	assert_string_equal(out, "count: 7\nname: a b=c\n");
	t = fresh();
	rscope_print_lines(&t, sample_fields, ARRAY_SIZE(sample_fields), &s, true);
	assert_string_equal(out, "count: 7\nname: a b=c\nother: -\ntext: -\n");
}

static void head_and_end(void **state)
{
	struct rscope_text t = fresh();

	(void)state;
	rscope_print_head(&t, "links");
	rscope_print_end(&t);
	assert_string_equal(out, "rdmascope links 1\nend\n");
}

static struct rscope_link link_of(const char *name)
{
	struct rscope_link l;

	rscope_record_clear(rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &l);
	l.ifindex = 3;
	l.port = 1;
	strcpy(l.ifname, name);
	strcpy(l.state, "ACTIVE");
	strcpy(l.physical_state, "LINK_UP");
	strcpy(l.protocol, "roce");
	strcpy(l.reason, "ok");
	l.agree = 1;
	return l;
}

static void golden_links(void **state)
{
	static const char *const names[] = { "rxe0", "two words", "a=b\\c", "-", "\x01\x7f\xff",
					     "abi", "caf\xc3\xa9" };
	struct rscope_text t = fresh();
	size_t i;

	(void)state;
	rscope_print_head(&t, "links");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct rscope_link l = link_of(names[i]);

		if (!i) {
			strcpy(l.netdev, "eth0");
			l.netdev_index = 2;
		}
		rscope_print_record(&t, "link", rscope_link_fields,
				    ARRAY_SIZE(rscope_link_fields), &l);
	}
	rscope_print_end(&t);
	assert_true(t.len < t.size);
	assert_golden("links.txt", out);
}

static void golden_device(void **state)
{
	struct rscope_text t = fresh();
	struct rscope_device d;

	(void)state;
	rscope_record_clear(rscope_device_fields, ARRAY_SIZE(rscope_device_fields), &d);
	strcpy(d.ifname, "-");
	strcpy(d.driver, "rdma_rxe");
	d.ports = 1;
	rscope_print_head(&t, "device");
	rscope_print_lines(&t, rscope_device_fields, ARRAY_SIZE(rscope_device_fields), &d, true);
	rscope_print_end(&t);
	assert_golden("device.txt", out);
}

#define UNIQUE(name) \
static void unique_##name(void **state) \
{ \
	size_t i, j; \
\
	(void)state; \
	for (i = 0; i < ARRAY_SIZE(rscope_##name##_fields); i++) { \
		const struct rscope_field *f = &rscope_##name##_fields[i]; \
\
		assert_true(f->offset + f->size <= sizeof(struct rscope_##name)); \
		assert_true(f->kind == RSCOPE_KIND_TEXT || f->size == 8); \
		for (j = 0; j < i; j++) \
			assert_string_not_equal(f->key, rscope_##name##_fields[j].key); \
	} \
}

UNIQUE(link)
UNIQUE(gid)
UNIQUE(device)
UNIQUE(oprec)
UNIQUE(state)
UNIQUE(abi)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(values_are_escaped),
	cmocka_unit_test(no_byte_breaks_out),
	cmocka_unit_test(buffer_is_never_overrun),
	cmocka_unit_test(numbers),
	cmocka_unit_test(cleared_is_absent),
	cmocka_unit_test(record_lines),
	cmocka_unit_test(head_and_end),
	cmocka_unit_test(golden_links),
	cmocka_unit_test(golden_device),
	cmocka_unit_test(unique_link),
	cmocka_unit_test(unique_gid),
	cmocka_unit_test(unique_device),
	cmocka_unit_test(unique_oprec),
	cmocka_unit_test(unique_state),
	cmocka_unit_test(unique_abi),
};

UNIT_MAIN(tests)
