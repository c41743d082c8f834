// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "runopts.h"

#include "blueflame.h"
#include "cost.h"
#include "exits.h"
#include "parse.h"
#include "signals.h"
#include "sysread.h"

#define IDLE_MS 500

static bool is_point(const char *text, const char *point, u64 *arg)
{
	size_t n = strlen(point);

	return !strncmp(text, point, n) && !parse_u64(text + n, strlen(text + n), arg);
}

static int parse_fault(const struct options *o, struct plan *p)
{
	p->corrupt = RSCOPE_NONE;
	if (!o->fault || is_point(o->fault, "delay=", &p->delay_ns) ||
	    is_point(o->fault, "syscalls=", &p->extra_calls) ||
	    is_point(o->fault, "wakeup=", &p->lost_wakeup))
		return 0;
	if (!is_point(o->fault, "corrupt=", &p->corrupt) &&
	    !is_point(o->fault, "effect=", &p->wrong_effect))
		return opts_usage_error("--fault %s: not corrupt= effect= delay= syscalls= wakeup=",
					o->fault);
	if (!p->w.verify)
		return opts_usage_error("--fault %s needs --verify 1", o->fault);
	if (p->corrupt != RSCOPE_NONE && p->corrupt >= (u64)p->w.size)
		return opts_usage_error("--fault corrupt=%llu: the message has %lld bytes",
					p->corrupt, p->w.size);
	return 0;
}

/*
 * Without the option only where the timed pass may well last 200 ms, below which
 * the figure is unknown anyway: nobody shall wait for nothing.
 */
static unsigned int idle_ms(const struct options *o)
{
	const struct rscope_workload *w = &o->workload;

	if (o->idle_ms >= 0)
		return (unsigned int)o->idle_ms;
	return w->duration_ms >= 200 || (!w->duration_ms && w->iters >= 10000) ? IDLE_MS : 0;
}

/**
 * runopts_plan() - options into a plan
 * @o: options
 * @p: plan, not yet made
 *
 * Return: 0 or the exit status.
 */
int runopts_plan(const struct options *o, struct plan *p)
{
	if (o->no_blueflame)
		blueflame_off();
	p->w = o->workload;
	p->idle_cpu_ns_per_s = RSCOPE_NONE;
	return parse_fault(o, p);
}

/**
 * runopts_idle() - measure the idle machine, once, before anything runs
 * @o: options
 * @p: plan
 */
void runopts_idle(const struct options *o, struct plan *p)
{
	p->idle_cpu_ns_per_s = cost_idle_ns_per_s(idle_ms(o));
}

/**
 * runopts_clock() - say that the clock costs, where it does
 *
 * On stderr, before anything is measured; documents have clock_warning.
 */
void runopts_clock(void)
{
	char name[32];

	sysread_line(name, sizeof(name), "",
		     "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	if (cost_clock_is_slow(name))
		fprintf(stderr, "rdmascope: clock source %s: %llu ns a read, in every latency\n",
			name, cost_clock_ns());
}

/**
 * runopts_say() - name the port when the tool chose it
 * @o: options
 * @p: plan
 */
void runopts_say(const struct options *o, const struct plan *p)
{
	if (!*o->dev)
		fprintf(stderr, "rdmascope: using %s/%llu, the only ACTIVE port\n", p->link.ifname,
			p->link.port);
}

/**
 * runopts_status() - exit status of a run
 * @r: its report
 *
 * Return: the exit status.
 */
int runopts_status(const struct rscope_report *r)
{
	if (!strcmp(r->verdict, "pass"))
		return EXIT_PASS;
	if (!strcmp(r->verdict, "unsupported"))
		return EXIT_UNSUPPORTED;
	return signals_caught() ? EXIT_SIGNAL + signals_caught() : EXIT_FAIL;
}
