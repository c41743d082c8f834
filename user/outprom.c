// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * One family after the other, as the format wants it: a table of families, and
 * in each the ports in their order. What is not known has no sample.
 */
#include "outprom.h"

#include <time.h>

#include "findings.h"
#include "out.h"

/* A port: its facts, its link as values (clean UTF-8), its verdict. */
struct sample {
	FILE *f;
	const char *name;
	const struct port_facts *facts;
	json_t *link;
	json_t *verdict;
};

struct family {
	const char *name;
	const char *help;
	void (*print)(const struct sample *s);
};

/* ------------------------------------------------------------------- labels */

static void put_escaped(FILE *f, const char *text)
{
	for (; text && *text; text++) {
		if (*text == '\n')
			fputs("\\n", f);
		else if (*text == '\\' || *text == '"')
			fprintf(f, "\\%c", *text);
		else
			fputc(*text, f);
	}
}

static void put_label(FILE *f, const char *label, json_t *value)
{
	fprintf(f, ",%s=\"", label);
	put_escaped(f, json_string_value(value));
	fputc('"', f);
}

/* name{device="rxe0",port="1" */
static void begin(const struct sample *s)
{
	fprintf(s->f, "%s{device=\"", s->name);
	put_escaped(s->f, json_string_value(json_object_get(s->link, "ifname")));
	fprintf(s->f, "\",port=\"%llu\"", s->facts->link.port);
}

static void put_number(const struct sample *s, u64 value)
{
	if (value == RSCOPE_NONE)
		return;
	begin(s);
	fprintf(s->f, "} %llu\n", value);
}

/* ----------------------------------------------------------------- families */

static void print_info(const struct sample *s)
{
	static const char *const labels[] = { "netdev", "protocol", "link_layer", "driver", "state",
					      "physical_state", "reason" };
	size_t i;

	begin(s);
	for (i = 0; i < ARRAY_SIZE(labels); i++)
		put_label(s->f, labels[i], json_object_get(s->link, labels[i]));
	fputs("} 1\n", s->f);
}

static void print_active(const struct sample *s)
{
	put_number(s, !strcmp(s->facts->link.state, "ACTIVE"));
}

static void print_agree(const struct sample *s)
{
	put_number(s, s->facts->link.agree);
}

static void print_netdev_up(const struct sample *s)
{
	const char *admin = s->facts->link.netdev_admin;

	put_number(s, *admin ? !strcmp(admin, "up") : RSCOPE_NONE);
}

static void print_carrier(const struct sample *s)
{
	put_number(s, s->facts->link.netdev_carrier);
}

static void print_gids(const struct sample *s)
{
	put_number(s, s->facts->gids);
}

static void print_verdict(const struct sample *s)
{
	json_t *verdict = json_object_get(s->verdict, "verdict");
	size_t i;

	for (i = 0; i < CHECK_NR; i++) {
		begin(s);
		fprintf(s->f, ",verdict=\"%s\"} %d\n", check_words[i],
			!strcmp(json_string_value(verdict), check_words[i]));
	}
}

static void print_findings(const struct sample *s)
{
	json_t *found;
	size_t i;

	json_array_foreach(json_object_get(s->verdict, "findings"), i, found) {
		begin(s);
		put_label(s->f, "finding", json_object_get(found, "name"));
		put_label(s->f, "verdict", json_object_get(found, "verdict"));
		fputs("} 1\n", s->f);
	}
}

static const char *const trial_labels[TRIAL_PATHS] = { "kernel", "user" };

static void print_loopback(const struct sample *s)
{
	size_t i;

	for (i = 0; i < TRIAL_PATHS; i++) {
		enum trial_outcome outcome = s->facts->trial[i].outcome;

		if (outcome != TRIAL_PASS && outcome != TRIAL_FAIL)
			continue;
		begin(s);
		fprintf(s->f, ",path=\"%s\"} %d\n", trial_labels[i], outcome == TRIAL_PASS);
	}
}

static void print_latency(const struct sample *s)
{
	size_t i;

	for (i = 0; i < TRIAL_PATHS; i++) {
		const struct trial *t = &s->facts->trial[i];

		if (t->outcome != TRIAL_PASS || t->p50_ns == RSCOPE_NONE)
			continue;
		begin(s);
		fprintf(s->f, ",path=\"%s\"} %llu.%09llu\n", trial_labels[i],
			t->p50_ns / 1000000000, t->p50_ns % 1000000000);
	}
}

static const struct family families[] = {
	{ "rdmascope_link_info", "An RDMA port, its netdev and the state of both.", print_info },
	{ "rdmascope_link_active", "1 when the RDMA port is ACTIVE.", print_active },
	{ "rdmascope_link_agree", "1 when both layers tell the same story.", print_agree },
	{ "rdmascope_netdev_up", "1 when the netdev is administratively up.", print_netdev_up },
	{ "rdmascope_netdev_carrier", "1 when the netdev has a carrier.", print_carrier },
	{ "rdmascope_gids", "Valid entries of the GID table.", print_gids },
	{ "rdmascope_check_verdict", "1 for the verdict of the last check.", print_verdict },
	{ "rdmascope_check_finding", "What the last check found.", print_findings },
	{ "rdmascope_loopback_pass", "1 when every byte of the loopback was right.",
	  print_loopback },
	{ "rdmascope_loopback_p50_seconds", "Median latency of an RDMA write of 4096 bytes.",
	  print_latency },
};

static void print_head(FILE *f, const char *name, const char *help)
{
	fprintf(f, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void print_family(FILE *f, const struct family *family, const struct list *ports,
			 json_t *verdicts)
{
	json_t *verdict;
	size_t i;

	print_head(f, family->name, family->help);
	json_array_foreach(verdicts, i, verdict) {
		struct sample s = { .f = f, .name = family->name, .verdict = verdict,
				    .facts = list_at(struct port_facts, ports, i) };

		s.link = out_record(rscope_link_fields, ARRAY_SIZE(rscope_link_fields),
				    &s.facts->link);
		family->print(&s);
		json_decref(s.link);
	}
}

/**
 * outprom_print() - print the verdicts for a Prometheus text file collector
 * @f: where to
 * @ports: struct port_facts
 * @verdicts: objects of outcheck_json() for the first of @ports
 * @status: exit status of the check
 */
void outprom_print(FILE *f, const struct list *ports, json_t *verdicts, int status)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		print_family(f, &families[i], ports, verdicts);
	print_head(f, "rdmascope_check_status", "Exit status that rdmascope check would have.");
	fprintf(f, "rdmascope_check_status %d\n", status);
	print_head(f, "rdmascope_check_timestamp_seconds", "When the check was made.");
	fprintf(f, "rdmascope_check_timestamp_seconds %lld\n", (long long)time(NULL));
}
