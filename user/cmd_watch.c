// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * watch: what changes about links, netdevs and GIDs, as it happens.
 */
#include <signal.h>
#include <time.h>

#include "cmd.h"
#include "exits.h"
#include "fail.h"
#include "follow.h"
#include "out.h"
#include "outwatch.h"
#include "signals.h"
#include "snapshot.h"

/*
 * Nobody tells of port states and GID tables, and the module sees network
 * namespaces whose notifications do not come here: everything is read again this
 * often. After a notification once more soon: the core updates GIDs by a worker.
 */
#define PERIOD_MS 1000
#define SOON_MS 150
#define READ_TRIES 4

/* One watch from start to end. */
struct session {
	const struct options *o;
	struct follow follow;
	struct snapshot now;
	char dev[RSCOPE_WORD_MAX]; /* wanted, "" for all; its new name once it has one */
	u64 until_ms;
	long long told;
	bool unreadable;
	int status; /* -1: go on */
};

static u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

static bool over(const struct session *s)
{
	return s->status >= 0;
}

static void printed(struct session *s, int err)
{
	if (err == -EPIPE)
		s->status = EXIT_SIGNAL + SIGPIPE;
	else if (err)
		s->status = EXIT_FAIL;
}

static void notice(struct session *s, const char *event, const char *text)
{
	printed(s, outwatch_notice(s->o->json, event, text));
}

/* ------------------------------------------------------------------- reading */

/* What changed while it was read may be half in it: read until nothing did. */
static int read_map(struct session *s, struct snapshot *next, struct rscope_error *e)
{
	int err = 0, tries;

	for (tries = 0; tries < READ_TRIES; tries++) {
		err = snapshot_read(s->o->root, s->o->source, next, e);
		if (!follow_pending(&s->follow) || tries == READ_TRIES - 1)
			break;
		snapshot_free(next);
	}
	return err;
}

static bool wanted(const struct session *s, const char *dev, u64 port)
{
	return (!*s->dev || !strcmp(s->dev, dev)) && (!s->o->port || s->o->port == port);
}

/* ------------------------------------------------------------------- telling */

static bool concerns(const struct session *s, const struct change *c)
{
	if (changes_renames_dev(c) && wanted(s, c->after.link.ifname, c->after.link.port))
		return true;
	return wanted(s, changes_dev(c), changes_port(c));
}

/* The device that was asked for is followed through its names. */
static void tell(struct session *s, const struct change *c)
{
	bool concerned = concerns(s, c);

	if (concerned && changes_renames_dev(c) && *s->dev)
		snprintf(s->dev, sizeof(s->dev), "%s", c->after.link.ifname);
	if (!concerned)
		return;
	printed(s, outwatch_change(s->o->json, c, NULL));
	if (++s->told == s->o->count && !over(s))
		s->status = EXIT_PASS;
}

static void tell_source(struct session *s, const char *before, const char *after)
{
	char text[80];

	snprintf(text, sizeof(text), "%s, was %s", after, before);
	notice(s, "source", text);
}

static void tell_changes(struct session *s, const struct snapshot *next)
{
	const char *before = snapshot_source(&s->now), *after = snapshot_source(next);
	struct list changes = LIST(struct change);
	bool other = strcmp(before, after);

	if (other)
		tell_source(s, before, after);
	if (changes_links(&s->now.links.items, &next->links.items, other, &changes) ||
	    changes_gids(&s->now.gids.items, &next->gids.items, other, &changes))
		s->status = EXIT_FAIL;
	list_each(struct change, c, &changes)
		if (!over(s))
			tell(s, c);
	list_free(&changes);
}

static void tell_unreadable(struct session *s, const struct rscope_error *e)
{
	if (!s->unreadable)
		notice(s, "unreadable", e->msg);
	s->unreadable = true;
}

/* Read again and tell what is different; an error leaves what was known. */
static void look(struct session *s)
{
	struct rscope_error e = { 0 };
	struct snapshot next;

	if (read_map(s, &next, &e)) {
		tell_unreadable(s, &e);
		return;
	}
	s->unreadable = false;
	if (s->follow.lost)
		notice(s, "overrun", "the kernel dropped notifications; everything was read again");
	s->follow.lost = false;
	tell_changes(s, &next);
	snapshot_free(&s->now);
	s->now = next;
}

/* --------------------------------------------------------------------- order */

static int first_look(struct session *s)
{
	struct rscope_error e = { 0 };
	size_t seen = 0;
	int err = read_map(s, &s->now, &e);

	list_each(struct rscope_link, l, &s->now.links.items)
		seen += wanted(s, l->ifname, l->port);
	if (!err && !seen && s->o->target)
		err = rscope_fail(&e, -ENODEV, "%s: no such device or port", s->o->target);
	return err ? fail_print(s->o, "watch", map_step(&s->now.links, err), &e) : -1;
}

static void tell_present(struct session *s)
{
	list_each(struct rscope_link, l, &s->now.links.items) {
		struct change c = { .kind = CHANGE_PRESENT, .what = CHANGE_LINK, .after.link = *l };

		if (!over(s) && wanted(s, l->ifname, l->port))
			printed(s, outwatch_change(s->o->json, &c,
						   outwatch_gids(&s->now.gids.items, l)));
	}
}

static void tell_following(struct session *s)
{
	char text[160];

	snprintf(text, sizeof(text), "source %s, read again each second%s%s",
		 snapshot_source(&s->now), s->follow.rtnl ? " and when rtnetlink tells" : "",
		 s->follow.monitor ? " or the RDMA monitor" : "");
	if (!over(s))
		notice(s, "following", text);
}

static int sleep_ms(const struct session *s, bool soon)
{
	u64 now = now_ms(), most = soon ? SOON_MS : PERIOD_MS;

	if (s->until_ms <= now)
		return 0;
	return (int)(s->until_ms - now < most ? s->until_ms - now : most);
}

/* Fewer changes than asked for is a failure: a script wants to know. */
static int status_in_time(const struct session *s)
{
	return s->o->count ? EXIT_FAIL : EXIT_PASS;
}

static void follow_links(struct session *s)
{
	bool soon = false;

	while (!over(s)) {
		enum follow_event why = follow_wait(&s->follow, sleep_ms(s, soon));

		soon = why == FOLLOW_CHANGE;
		if (why == FOLLOW_SIGNAL)
			s->status = EXIT_SIGNAL + signals_caught();
		else if (why == FOLLOW_UNREAD)
			s->status = EXIT_SIGNAL + SIGPIPE;
		else
			look(s);
		if (!over(s) && s->until_ms <= now_ms())
			s->status = status_in_time(s);
	}
}

/**
 * cmd_watch() - print changes until told to end
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_watch(struct options *o)
{
	struct session s = { .o = o, .status = -1, .until_ms = RSCOPE_NONE };

	snprintf(s.dev, sizeof(s.dev), "%s", o->dev);
	if (o->timeout_s)
		s.until_ms = now_ms() + (u64)o->timeout_s * 1000;
	signals_install();
	/* Before the first reading, so that nothing happens between the two. */
	if (!*o->root)
		follow_open(&s.follow);
	s.status = first_look(&s);
	if (!over(&s))
		tell_present(&s);
	tell_following(&s);
	follow_links(&s);
	follow_close(&s.follow);
	snapshot_free(&s.now);
	return s.status;
}
