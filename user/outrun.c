// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outrun.h"

#include "blueflame.h"
#include "hints.h"
#include "out.h"

#define ADD_N(key, help) out_num(object, #key, d.key);
#define ADD_R(key, help) out_real(object, #key, d.key);

/**
 * outrun_add_derived() - add the figures of a run
 * @object: JSON object
 * @run: the run
 */
void outrun_add_derived(json_t *object, const struct run *run)
{
	struct derived d;

	derive(run, &d);
	DERIVED_KEYS(ADD_N, ADD_R)
}

/* [lower bound, count] of every bucket that is not empty. */
static json_t *histogram(const struct rscope_hist *h)
{
	json_t *array = json_array();
	u32 i;

	for (i = 0; i < RSCOPE_HIST_BUCKETS; i++)
		if (h->bucket[i])
			json_array_append_new(array,
					      json_pack("[I,I]", (json_int_t)rscope_hist_low(i),
							(json_int_t)h->bucket[i]));
	return array;
}

/**
 * outrun_json() - a run as one object
 * @run: the run
 *
 * Return: a new object: the report's keys, the derived ones, bypass, hist.
 */
json_t *outrun_json(const struct run *run)
{
	const char *why = derive_cpu_unknown(run);
	json_t *object =
		out_record(rscope_report_fields, ARRAY_SIZE(rscope_report_fields), &run->r);
	bool user = !strcmp(run->r.path, rscope_words_PATHS[RSCOPE_PATH_USER]);

	outrun_add_derived(object, run);
	out_num(object, "idle_cpu_ns_per_s", run->idle_cpu_ns_per_s);
	out_text(object, "system_cpu_unknown", why ? why : "");
	out_text(object, "bypass", run->bypass);
	out_text(object, "blueflame", blueflame_state(run->r.driver, user));
	out_clock_warning(object, run->r.clocksource, run->r.clock_ns);
	out_num(object, "crossing_ns", run->crossing_ns);
	out_num(object, "syscall_ns", run->syscall_ns);
	json_object_set_new(object, "hist", histogram(&run->hist));
	return object;
}

/* One line of the text: a label, then names and values of what was measured. */
struct group {
	const char *label;
	const char *keys[16]; /* "name=key", or a key that is its own name */
};

static const struct group groups[] = {
	{ "verdict", { "=verdict", "reason", "stage", "wc_status", "vendor_err", "failed_op",
		       "qp_state", "peer_qp_state", "posted", "completed" } },
	{ "where", { "dev", "port", "path", "driver", "link" } },
	{ "address", { "mtu", "gid_index", "gid", "type=gid_type", "netdev=gid_netdev", "lid" } },
	{ "workload", { "=workload" } },
	{ "timed", { "ops", "bytes", "elapsed_ns", "ops_per_s", "bytes_per_s" } },
	{ "latency ns", { "min=min_ns", "p50=p50_ns", "p90=p90_ns", "p99=p99_ns", "p99.9=p999_ns",
			  "p99.99=p9999_ns", "max=max_ns", "at_op=max_at_op" } },
	{ "spread ns", { "mean=mean_ns", "stddev=stddev_ns", "samples", "overflow" } },
	{ "cost ns", { "post_call=post_ns_per_call", "poll=poll_ns_per_call",
		       "cpu_per_op=cpu_ns_per_op", "ctxsw_per_op", "faults_per_op", "wakeups",
		       "lost_wakeups", "clock=clock_ns" } },
	{ "system cpu", { "per_op_ns=system_cpu_ns_per_op", "idle_ns_per_s=idle_cpu_ns_per_s",
			  "above_idle_per_op_ns=above_idle_cpu_ns_per_op",
			  "unknown:=system_cpu_unknown" } },
	{ "bypass", { "=bypass", "syscalls_per_post_call", "syscalls_per_op", "blueflame" } },
	{ "crossing ns", { "nop=crossing_ns", "getppid=syscall_ns" } },
	{ "verified", { "ops=verify_ops", "bytes=verify_bytes", "mismatches",
			"offset=first_mismatch", "op=mismatch_op", "where=mismatch_where",
			"expected=mismatch_expected", "got=mismatch_got" } },
	{ "setup ns", { "pd=setup_pd_ns", "cq=setup_cq_ns", "mr=setup_mr_ns", "qp=setup_qp_ns",
			"init=setup_init_ns", "rtr=setup_rtr_ns", "rts=setup_rts_ns",
			"teardown=teardown_ns" } },
	{ "granted", { "sq_wrs", "rq_wrs", "cq_entries", "rd_atomic", "inline_bytes", "slots",
		       "mrs", "local_key", "page_bytes", "memory_bytes", "cpu", "clocksource" } },
};

static void print_group(const struct group *g, json_t *object)
{
	char line[2048] = "", shown[1024];
	struct rscope_text t = { .buf = line, .size = sizeof(line) };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(g->keys) && g->keys[i]; i++) {
		const char *eq = strchr(g->keys[i], '='), *key = eq ? eq + 1 : g->keys[i];
		int name = eq ? (int)(eq - g->keys[i]) : (int)strlen(key);
		json_t *value = json_object_get(object, key);

		if (json_is_null(value) || !value)
			continue;
		rscope_puts(&t, " ");
		if (name) {
			char word[40];

			snprintf(word, sizeof(word), "%.*s ", name, g->keys[i]);
			rscope_puts(&t, word);
		}
		rscope_puts(&t, out_shown(value, shown, sizeof(shown)));
	}
	if (t.len)
		out_line("%-11s%s", g->label, line);
}

static void print_advice(json_t *object)
{
	const char *status = json_string_value(json_object_get(object, "wc_status"));
	const struct hint *h = status ? hints_wc(status) : NULL;

	if (!h)
		return;
	out_line("%-11s %s", "cause", h->cause);
	out_line("%-11s %s", "next", h->next);
}

static void print_warning(json_t *object)
{
	const char *text = json_string_value(json_object_get(object, "clock_warning"));

	if (text)
		out_line("%-11s %s", "warning", text);
}

/**
 * outrun_text() - print a run for people
 * @object: of outrun_json()
 */
void outrun_text(json_t *object)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(groups); i++)
		print_group(&groups[i], object);
	print_warning(object);
	print_advice(object);
}
