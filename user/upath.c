// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Check, open, address, set up, measure, judge, tear down: always in this
 * order. As on the kernel path an errno means "could not run", and everything
 * that was run ends in a verdict.
 */
#include "upath.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include <rdmascope/gidpick.h>

#include "cpus.h"
#include "engine.h"
#include "sysread.h"

/* How long a failed completion waits to learn that the device is leaving. */
#define LEAVING_MS 1000

/**
 * struct user_run - everything one run owns
 * @plan: what was asked for
 * @w: its workload, MTU resolved
 * @ep: verbs objects
 * @addr: address of the port
 * @watch: tells when to stop
 * @job: what the engine gets
 * @run: result
 * @e: why something failed
 */
struct user_run {
	const struct plan *plan;
	struct rscope_workload w;
	struct endpoint ep;
	struct address addr;
	struct watch watch;
	struct engine_job job;
	struct run *run;
	struct rscope_error *e;
};

static void begin_report(struct user_run *u)
{
	static u64 run_id;
	struct rscope_report *r = &u->run->r;
	struct utsname name;

	run_init(u->run);
	r->run_id = ++run_id;
	r->port = u->plan->link.port;
	rscope_report_text(r, path, "user");
	rscope_report_text(r, dev, u->plan->link.ifname);
	if (!uname(&name))
		rscope_report_text(r, kernel, name.release);
	sysread_line(r->clocksource, sizeof(r->clocksource), "",
		     "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

static void print_workload(struct user_run *u)
{
	struct rscope_report *r = &u->run->r;
	struct rscope_text t = { .buf = r->workload, .size = sizeof(r->workload) };

	rscope_workload_print(&t, &u->w);
}

static void verdict(struct user_run *u, enum rscope_verdict v, const char *reason)
{
	rscope_report_text(&u->run->r, verdict, rscope_words_VERDICTS[v]);
	if (reason)
		rscope_report_text(&u->run->r, reason, reason);
}

/* ----------------------------------------------------------------- address */

static int resolve_mtu(struct user_run *u, const struct ibv_port_attr *port)
{
	u32 active = 128U << port->active_mtu;

	if (!u->w.mtu)
		u->w.mtu = active;
	if (u->w.mtu > active)
		return rscope_fail(u->e, -ERANGE, "mtu=%lld exceeds the port's active MTU %u",
				   u->w.mtu, active);
	u->addr.mtu = (u32)u->w.mtu;
	return 0;
}

static int resolve_gid(struct user_run *u)
{
	const struct rscope_gid *g = &u->plan->gid;
	struct rscope_report *r = &u->run->r;
	char text[40];

	u->addr.use_grh = true;
	u->addr.gid_index = g->index == RSCOPE_NONE ? 0 : (u8)g->index;
	if (u->ep.verbs->ibv_query_gid(u->ep.ctx, u->addr.port, u->addr.gid_index, &u->addr.gid))
		return rscope_fail(u->e, -ENODATA, "gid_index=%u: cannot be read",
				   u->addr.gid_index);
	rscope_gid_print(u->addr.gid.raw, text, sizeof(text));
	r->gid_index = u->addr.gid_index;
	rscope_report_text(r, gid, text);
	if (g->index == RSCOPE_NONE)
		return 0;
	if (strcmp(text, g->gid))
		return rscope_fail(u->e, -ENODATA, "gid_index=%u: the entry has just changed",
				   u->addr.gid_index);
	rscope_report_text(r, gid_type, g->type);
	rscope_report_text(r, gid_netdev, g->netdev);
	return 0;
}

static int resolve_address(struct user_run *u)
{
	struct ibv_port_attr port = { 0 };
	struct rscope_report *r = &u->run->r;
	int err;

	rscope_report_text(r, stage, "address");
	u->addr.port = (u8)u->plan->link.port;
	err = u->ep.verbs->ibv_query_port(u->ep.ctx, u->addr.port, (void *)&port);
	if (err)
		return rscope_fail(u->e, -err, "query port %u: %s", u->addr.port, strerror(err));
	u->run->active_mtu_bytes = 128U << port.active_mtu;
	u->run->max_mtu_bytes = 128U << port.max_mtu;
	if (port.state != IBV_PORT_ACTIVE)
		return rscope_fail(u->e, -ENETDOWN, "port %u is not ACTIVE", u->addr.port);
	if (resolve_mtu(u, &port))
		return u->e->err;
	r->mtu = u->addr.mtu;
	if (port.link_layer == IBV_LINK_LAYER_ETHERNET || port.flags & IBV_QPF_GRH_REQUIRED)
		return resolve_gid(u);
	u->addr.lid = port.lid;
	r->lid = port.lid;
	return port.lid ? 0 : rscope_fail(u->e, -ENETDOWN, "port %u has no LID: no subnet manager",
					  u->addr.port);
}

/* ----------------------------------------------------------------- verdict */

static const char *abort_reason(int why)
{
	return why == -EINTR ? "signal" : why == -ENODEV ? "removed" : "deadline";
}

/* After the setup: 0 when there is a verdict, else why there is none. */
static int judge(struct user_run *u, int err)
{
	struct rscope_report *r = &u->run->r;
	bool wc_failed = u->job.wc_status != IBV_WC_SUCCESS;
	int why;

	/* A driver that has cut us off answers EIO to everything. */
	if (err == -EIO)
		watch_leaving(&u->watch, LEAVING_MS);
	why = err ? watch_why(&u->watch, endpoint_now()) : 0;
	if (err && why != -ENODEV)
		endpoint_states(&u->ep, r);
	if (why)
		verdict(u, RSCOPE_VERDICT_ABORTED, abort_reason(why));
	else if (wc_failed)
		verdict(u, RSCOPE_VERDICT_FAIL, "an operation completed with an error");
	else if (!err && r->mismatches != RSCOPE_NONE && r->mismatches)
		verdict(u, RSCOPE_VERDICT_FAIL, "wrong bytes");
	else if (!err)
		verdict(u, RSCOPE_VERDICT_PASS, NULL);
	else if (err == -EOPNOTSUPP)
		verdict(u, RSCOPE_VERDICT_UNSUPPORTED, u->e->msg);
	if (!err && !r->reason[0])
		rscope_report_text(r, stage, "done");
	return *r->verdict ? 0 : err;
}

/* -------------------------------------------------------------------- run */

static int set_up(struct user_run *u, enum step *step)
{
	struct rscope_report *r = &u->run->r;

	*step = STEP_SETUP;
	rscope_report_text(r, link, "internal-loopback");
	rscope_report_text(r, local_key, "user");
	r->slots = 1;
	if (endpoint_create(&u->ep, &u->w, r, u->e))
		return u->e->err;
	*step = STEP_CONNECT;
	return endpoint_connect(&u->ep, &u->w, &u->addr, r, u->e);
}

static void tear_down(struct user_run *u)
{
	u64 start = endpoint_now();

	endpoint_destroy(&u->ep);
	u->run->r.teardown_ns = endpoint_now() - start;
}

/* With the watcher running: set up, measure, judge, tear down. */
static int measure(struct user_run *u, bool count, enum step *step)
{
	cpu_set_t own;
	int err = cpus_pin((int)u->w.cpu, &own);

	if (err)
		return rscope_fail(u->e, err, "cpu=%lld: %s", u->w.cpu, strerror(-err));
	err = set_up(u, step);
	u->job = (struct engine_job){ .ep = &u->ep, .w = &u->w, .watch = &u->watch, .count = count,
				      .corrupt = u->plan->corrupt,
				      .wrong_effect = u->plan->wrong_effect,
				      .extra_calls = u->plan->extra_calls,
				      .delay_ns = u->plan->delay_ns,
				      .lost_wakeup = u->plan->lost_wakeup, .allowed = own };
	if (!err) {
		*step = STEP_PASS;
		err = engine_run(&u->job, u->run, u->e);
	}
	err = judge(u, err);
	tear_down(u);
	cpus_restore(&own);
	return err;
}

static int open_device(struct user_run *u, enum step *step)
{
	*step = STEP_LIBRARY;
	if (!verbs_load(u->e))
		return u->e->err;
	*step = STEP_UVERBS;
	if (endpoint_open(&u->ep, u->plan->link.ifname, u->e))
		return u->e->err;
	verbs_provider(u->ep.ctx, u->run->r.driver, sizeof(u->run->r.driver));
	*step = STEP_ADDRESS;
	if (resolve_address(u))
		return u->e->err;
	print_workload(u);
	return rscope_layout_init(&u->ep.layout, &u->w, u->e);
}

static int run_watched(struct user_run *u, bool count, enum step *step)
{
	u64 deadline = endpoint_now() + rscope_workload_timeout_ms(&u->w) * 1000000ULL;
	int err = open_device(u, step);

	if (err)
		return err;
	err = watch_start(&u->watch, u->ep.verbs, u->ep.ctx, deadline);
	if (err)
		rscope_fail(u->e, err, "start the watcher: %s", strerror(-err));
	else
		err = measure(u, count, step);
	watch_stop(&u->watch);
	return err;
}

/**
 * upath_run() - one run over user verbs
 * @p: plan
 * @count: count system calls too
 * @run: result
 * @step: what failed
 * @e: why
 *
 * Return: 0 when the report has a verdict, else a negative errno.
 */
int upath_run(const struct plan *p, bool count, struct run *run, enum step *step,
	      struct rscope_error *e)
{
	struct user_run *u = calloc(1, sizeof(*u));
	int err = 0;

	if (!u)
		return rscope_fail(e, -ENOMEM, "out of memory");
	u->plan = p;
	u->w = p->w;
	/* User space knows two ways only; the module's two announce alike. */
	u->w.cq = rscope_cq_sleeps(p->w.cq) ? RSCOPE_CQ_EVENT : RSCOPE_CQ_POLL;
	u->run = run;
	u->e = e;
	begin_report(u);
	print_workload(u);
	if (plan_supported(p, e)) {
		err = run_watched(u, count, step);
	} else {
		rscope_report_text(&run->r, stage, "check");
		verdict(u, RSCOPE_VERDICT_UNSUPPORTED, e->msg);
	}
	endpoint_close(&u->ep);
	free(u);
	return err;
}
