// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outwatch.h"

#include <time.h>

#include "out.h"

#define SHOWN 512
#define SHOWN_NR 8 /* values of one line */

/* RFC 3339, local time: what stands beside it in the journal. */
static void add_time(json_t *object)
{
	char text[64], zone[8];
	struct timespec now;
	struct tm tm;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(zone, sizeof(zone), "%z", &tm);
	n = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + n, sizeof(text) - n, ".%03ld%.3s:%s", now.tv_nsec / 1000000, zone,
		 zone + 3);
	out_text(object, "time", text);
}

static void add_value(json_t *object, const char *key, const struct rscope_field *f,
		      const union change_record *r)
{
	const char *at = (const char *)r + f->offset;

	if (f->kind == RSCOPE_KIND_NUM)
		out_num(object, key, *(const u64 *)(const void *)at);
	else
		out_text(object, key, at);
}

static json_t *record_of(const struct change *c)
{
	return c->what == CHANGE_LINK ?
		       out_record(rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &c->after) :
		       out_record(rscope_gid_fields, ARRAY_SIZE(rscope_gid_fields), &c->after);
}

/* Who it is under its present name, and what became of it. */
static json_t *change_json(const struct change *c)
{
	json_t *object = json_object();

	add_time(object);
	out_text(object, "event", change_words[c->kind]);
	out_text(object, "what", change_whats[c->what]);
	out_num(object, "ifindex",
		c->what == CHANGE_LINK ? c->after.link.ifindex : c->after.gid.ifindex);
	out_text(object, "ifname",
		 c->what == CHANGE_LINK ? c->after.link.ifname : c->after.gid.ifname);
	out_num(object, "port", changes_port(c));
	if (c->what == CHANGE_GID) {
		out_num(object, "index", c->after.gid.index);
		out_text(object, "gid", c->after.gid.gid);
	} else {
		out_num(object, "agree", c->after.link.agree);
		out_text(object, "reason", c->after.link.reason);
	}
	if (c->field) {
		out_text(object, "field", c->field->key);
		add_value(object, "old", c->field, &c->before);
		add_value(object, "new", c->field, &c->after);
	} else {
		json_object_set_new(object, "record", record_of(c));
	}
	return object;
}

/**
 * outwatch_gids() - the GIDs of a port
 * @gids: list of struct rscope_gid
 * @l: the port
 *
 * Return: a new array of objects.
 */
json_t *outwatch_gids(const struct list *gids, const struct rscope_link *l)
{
	json_t *array = json_array();

	list_each(struct rscope_gid, g, gids)
		if (g->port == l->port && !strcmp(g->ifname, l->ifname))
			json_array_append_new(array, out_record(rscope_gid_fields,
								ARRAY_SIZE(rscope_gid_fields), g));
	return array;
}

/* ---------------------------------------------------------------------- text */

static const char *shown(json_t *object, const char *key)
{
	static char bufs[SHOWN_NR][SHOWN];
	static unsigned int next;

	return out_shown(json_object_get(object, key), bufs[next++ % SHOWN_NR], SHOWN);
}

/* "rxe0/1", "rxe0/1 gid 2" */
static void put_who(json_t *object, char *to, size_t size)
{
	int n = snprintf(to, size, "%s %s/%s", shown(object, "time"), shown(object, "ifname"),
			 shown(object, "port"));

	if (json_object_get(object, "index"))
		snprintf(to + n, size - (size_t)n, " gid %s", shown(object, "index"));
}

static const char *verdict(json_t *object)
{
	json_t *agree = json_object_get(object, "agree");

	if (!json_is_integer(agree))
		return "";
	return json_integer_value(agree) ? " (the layers agree)" : " (the layers differ)";
}

static void print_value(json_t *object, const char *who)
{
	const char *field = json_string_value(json_object_get(object, "field"));
	const char *event = json_string_value(json_object_get(object, "event"));
	bool judged = !strcmp(field, "reason");

	out_line("%s %s%s: %s -> %s%s", who, field,
		 strcmp(event, change_words[CHANGE_RENAMED]) ? "" : " renamed",
		 shown(object, "old"), shown(object, "new"), judged ? verdict(object) : "");
}

static void print_link(json_t *object, const char *who)
{
	json_t *record = json_object_get(object, "record"), *gids = json_object_get(object, "gids");
	char more[32] = "";

	if (gids)
		snprintf(more, sizeof(more), ", GIDs %zu", json_array_size(gids));
	out_line("%s %s: %s %s, netdev %s %s carrier %s%s, %s%s", who, shown(object, "event"),
		 shown(record, "state"), shown(record, "physical_state"), shown(record, "netdev"),
		 shown(record, "netdev_admin"), shown(record, "netdev_carrier"), more,
		 shown(object, "reason"), verdict(object));
}

static void print_gid(json_t *object, const char *who)
{
	json_t *record = json_object_get(object, "record");

	out_line("%s %s: %s %s, netdev %s, score %s", who, shown(object, "event"),
		 shown(record, "gid"), shown(record, "type"), shown(record, "netdev"),
		 shown(record, "score"));
}

static void print_text(const struct change *c, json_t *object)
{
	char who[SHOWN + 80];

	put_who(object, who, sizeof(who));
	if (c->field)
		print_value(object, who);
	else if (c->what == CHANGE_LINK)
		print_link(object, who);
	else
		print_gid(object, who);
}

/* --------------------------------------------------------------------- lines */

/**
 * outwatch_change() - print one change at once
 * @json: as a JSON object
 * @c: the change
 * @gids: GIDs of a port that is shown for the first time, or NULL; taken over
 *
 * Return: 0 or a negative errno: nobody reads.
 */
int outwatch_change(bool json, const struct change *c, json_t *gids)
{
	json_t *object = change_json(c);

	if (gids)
		json_object_set_new(object, "gids", gids);
	if (json)
		out_json_line(json_incref(object));
	else
		print_text(c, object);
	json_decref(object);
	return out_flush();
}

/**
 * outwatch_notice() - print what is about watching itself, at once
 * @json: as a JSON object
 * @event: one word
 * @text: for people
 *
 * Return: 0 or a negative errno: nobody reads.
 */
int outwatch_notice(bool json, const char *event, const char *text)
{
	json_t *object = json_object();

	add_time(object);
	out_text(object, "event", event);
	out_text(object, "text", text);
	if (json)
		out_json_line(json_incref(object));
	else
		out_line("%s %s: %s", shown(object, "time"), event, text);
	json_decref(object);
	return out_flush();
}
