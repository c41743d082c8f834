// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * status and stop: what the ports are doing, and how to end it.
 */
#include <poll.h>
#include <stdlib.h>

#include "cmd.h"
#include "exits.h"
#include "fail.h"
#include "kpath.h"
#include "map.h"
#include "out.h"

#define STOP_MS 5000 /* a run ends within this once it is cancelled */
#define STOP_STEP_MS 20

static const struct column state_columns[] = {
	{ "ifname", "DEV", false }, { "port", "PORT", true },
	{ "state", "STATE", false }, { "run_id", "RUN", true },
	{ "ops", "OPS", true }, { "elapsed_ns", "ELAPSED_NS", true },
	{ "last_error", "LAST ERROR", false },
};

/* What is done with each port; the state is read afterwards. */
typedef int (*port_fn)(const char *root, const char *dir, unsigned int port,
		       struct rscope_error *e);

static int nothing(const char *root, const char *dir, unsigned int port, struct rscope_error *e)
{
	return 0;
}

static int wait_idle(const char *root, const char *dir, unsigned int port, struct rscope_error *e)
{
	struct rscope_state s;
	int ms, err;

	for (ms = 0; ms < STOP_MS; ms += STOP_STEP_MS) {
		err = kpath_state(root, dir, port, &s, e);
		if (err || !strcmp(s.state, "idle"))
			return err;
		poll(NULL, 0, STOP_STEP_MS);
	}
	return rscope_fail(e, -ETIMEDOUT, "%s/%u: run %llu is still running", dir, port, s.run_id);
}

static int cancel_port(const char *root, const char *dir, unsigned int port, struct rscope_error *e)
{
	char file[RSCOPE_WORD_MAX + 64];
	int err;

	snprintf(file, sizeof(file), "%s/%u/cancel", dir, port);
	err = kpath_write(root, file, "1\n", e);
	return err ? err : wait_idle(root, dir, port, e);
}

static int add_port(const struct options *o, const struct rscope_link *l, port_fn fn, json_t *array,
		    struct rscope_error *e)
{
	char dir[RSCOPE_WORD_MAX + 24];
	struct rscope_state s;
	json_t *object;
	int err;

	if (kpath_dir(o->root, l->ifname, l->ifindex, dir, sizeof(dir)))
		return 0; /* gone meanwhile */
	err = fn(o->root, dir, (unsigned int)l->port, e);
	if (!err)
		err = kpath_state(o->root, dir, (unsigned int)l->port, &s, e);
	if (err)
		return err;
	object = json_object();
	out_text(object, "ifname", l->ifname);
	out_num(object, "port", l->port);
	json_object_update_new(object, out_record(rscope_state_fields,
						  ARRAY_SIZE(rscope_state_fields), &s));
	json_array_append_new(array, object);
	return 0;
}

static void print_states(const struct options *o, json_t *array)
{
	if (o->json) {
		out_json(json_incref(array));
		return;
	}
	if (json_array_size(array))
		out_table(array, state_columns, ARRAY_SIZE(state_columns));
	else
		out_line("nothing to show: no RDMA device");
}

static int each_port(struct options *o, const char *name, port_fn fn, enum step step)
{
	struct map m = { .root = o->root, .forced = "module", .dev = o->dev, .port = o->port };
	struct rscope_error e = { 0 };
	json_t *array = json_array();
	int err = map_links(&m, &e), status = EXIT_PASS;

	if (err)
		step = map_step(&m, err);
	list_each(struct rscope_link, l, &m.items)
		err = err ? err : add_port(o, l, fn, array, &e);
	if (err)
		status = fail_print(o, name, step, &e);
	else
		print_states(o, array);
	json_decref(array);
	map_free(&m);
	return status;
}

/**
 * cmd_status() - what the ports are doing
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_status(struct options *o)
{
	return each_port(o, "status", nothing, STEP_MODULE);
}

/**
 * cmd_stop() - cancel runs and wait until they are over
 * @o: options
 *
 * Return: the exit status.
 */
int cmd_stop(struct options *o)
{
	if (!*o->dev && !o->all)
		return opts_usage_error("stop what? name DEV[/PORT], or --all");
	return each_port(o, "stop", cancel_port, STEP_CANCEL);
}
