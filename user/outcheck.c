// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outcheck.h"

#include "out.h"

static const char *const path_keys[TRIAL_PATHS] = { "kernel", "user" };

/* ------------------------------------------------------------- into values */

static json_t *finding_json(const struct finding *found)
{
	json_t *object = json_object();

	out_text(object, "name", found->name);
	out_text(object, "verdict", check_words[found->verdict]);
	out_text(object, "reason", found->reason);
	out_text(object, "next", found->next);
	return object;
}

static json_t *trial_json(const struct trial *t)
{
	bool ran = t->outcome == TRIAL_PASS || t->outcome == TRIAL_FAIL;
	json_t *object = json_object();

	out_text(object, "outcome", trial_words[t->outcome]);
	out_text(object, "reason", t->reason);
	out_num(object, "verify_ops", ran ? t->verify_ops : RSCOPE_NONE);
	out_num(object, "mismatches", ran ? t->mismatches : RSCOPE_NONE);
	out_num(object, "p50_ns", ran ? t->p50_ns : RSCOPE_NONE);
	return object;
}

static void add_port(json_t *object, const struct rscope_link *l)
{
	static const char *const keys[] = { "ifindex", "ifname", "port", "state", "physical_state",
					    "netdev", "netdev_index" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		out_field(object, rscope_link_fields, ARRAY_SIZE(rscope_link_fields), l, keys[i]);
}

/**
 * outcheck_json() - the verdict about a port as one object
 * @f: its facts
 * @findings: of findings_judge()
 * @source: where the port was read
 *
 * Return: a new object.
 */
json_t *outcheck_json(const struct port_facts *f, const struct list *findings, const char *source)
{
	const struct finding *first = findings->n ? findings->v : NULL;
	json_t *object = json_object(), *array = json_array();
	size_t i;

	add_port(object, &f->link);
	out_text(object, "verdict", check_words[findings_verdict(findings)]);
	out_text(object, "finding", first ? first->name : "");
	out_text(object, "reason", first ? first->reason : "");
	out_text(object, "next", first ? first->next : "");
	list_each(struct finding, found, findings)
		json_array_append_new(array, finding_json(found));
	json_object_set_new(object, "findings", array);
	for (i = 0; i < TRIAL_PATHS; i++)
		json_object_set_new(object, path_keys[i], trial_json(&f->trial[i]));
	out_num(object, "module_refs", f->host.module_refs);
	out_text(object, "module_held_by", f->host.module_holders);
	out_text(object, "source", source);
	return object;
}

/* ---------------------------------------------------------------- for people */

/* A word of these objects, fit for a terminal. */
static const char *shown(json_t *object, const char *key, char *buf, size_t size)
{
	return out_shown(json_object_get(object, key), buf, size);
}

/* DEV/PORT, so that it is one word and no directive in any output. */
static const char *name_of(json_t *object, char *buf, size_t size)
{
	char escaped[8 * RSCOPE_WORD_MAX] = "";
	struct rscope_text word = { .buf = escaped, .size = sizeof(escaped) };
	struct rscope_text t = { .buf = buf, .size = size };
	const char *p;

	rscope_put_value(&word, json_string_value(json_object_get(object, "ifname")) ?: "-");
	for (p = escaped; *p; p++) {
		if (*p == '#')
			rscope_puts(&t, "\\043");
		else
			rscope_putc(&t, *p);
	}
	rscope_putc(&t, '/');
	rscope_putu(&t, (u64)json_integer_value(json_object_get(object, "port")));
	return buf;
}

/* "kernel loopback pass, 200 operations verified, p50 27000 ns" */
static bool trial_line(json_t *object, size_t path, char *to, size_t size)
{
	json_t *trial = json_object_get(object, path_keys[path]);
	const char *outcome = json_string_value(json_object_get(trial, "outcome"));
	char ops[24], p50[24];

	if (!outcome || strcmp(outcome, trial_words[TRIAL_PASS]))
		return false;
	snprintf(to, size, "%s loopback: %s operations verified, p50 %s ns", path_keys[path],
		 shown(trial, "verify_ops", ops, sizeof(ops)),
		 shown(trial, "p50_ns", p50, sizeof(p50)));
	return true;
}

static void print_findings(json_t *object, const char *indent)
{
	char verdict[8], name[64], text[1024];
	json_t *found;
	size_t i;

	json_array_foreach(json_object_get(object, "findings"), i, found) {
		out_line("%s%s %s: %s", indent, shown(found, "verdict", verdict, sizeof(verdict)),
			 shown(found, "name", name, sizeof(name)),
			 shown(found, "reason", text, sizeof(text)));
		out_line("%s  next: %s", indent, shown(found, "next", text, sizeof(text)));
	}
}

static void print_trials(json_t *object, const char *indent)
{
	char line[256];
	size_t i;

	for (i = 0; i < TRIAL_PATHS; i++)
		if (trial_line(object, i, line, sizeof(line)))
			out_line("%s%s", indent, line);
}

/* Of the machine, so said once: the first object tells. */
static void print_holders(json_t *object)
{
	json_int_t refs = json_integer_value(json_object_get(object, "module_refs"));
	char who[1024];

	if (refs && json_is_string(json_object_get(object, "module_held_by")))
		out_line("module: held by %s", shown(object, "module_held_by", who, sizeof(who)));
	else if (refs)
		out_line("module: held by a process that only root sees (references: %lld)",
			 (long long)refs);
}

/**
 * outcheck_text() - print the verdicts for people
 * @array: objects of outcheck_json()
 */
void outcheck_text(json_t *array)
{
	char name[8 * RSCOPE_WORD_MAX], verdict[8];
	json_t *object;
	size_t i;

	json_array_foreach(array, i, object) {
		out_line("%s: %s", name_of(object, name, sizeof(name)),
			 shown(object, "verdict", verdict, sizeof(verdict)));
		print_findings(object, "  ");
		print_trials(object, "  ");
	}
	print_holders(json_array_get(array, 0));
}

/* A '#' would begin a directive. */
static void plain(char *text)
{
	for (; *text; text++)
		if (*text == '#')
			*text = ' ';
}

static void ktap_result(json_t *object, size_t nr)
{
	const char *verdict = json_string_value(json_object_get(object, "verdict"));
	char name[8 * RSCOPE_WORD_MAX], reason[1024];

	name_of(object, name, sizeof(name));
	shown(object, "reason", reason, sizeof(reason));
	plain(reason);
	if (!strcmp(verdict, check_words[CHECK_FAIL]))
		out_line("not ok %zu %s", nr, name);
	else if (!strcmp(verdict, check_words[CHECK_SKIP]))
		out_line("ok %zu %s # SKIP %s", nr, name, reason);
	else
		out_line("ok %zu %s", nr, name);
}

/**
 * outcheck_ktap() - print the verdicts as one KTAP document
 * @array: objects of outcheck_json()
 */
void outcheck_ktap(json_t *array)
{
	json_t *object;
	size_t i;

	out_line("KTAP version 1");
	if (!json_array_size(array))
		out_line("1..0 # SKIP no RDMA device");
	else
		out_line("1..%zu", json_array_size(array));
	json_array_foreach(array, i, object) {
		print_findings(object, "# ");
		print_trials(object, "# ");
		ktap_result(object, i + 1);
	}
}
