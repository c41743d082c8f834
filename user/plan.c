// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "plan.h"

#include "cpus.h"
#include "pick.h"
#include "sysfs.h"

static void resolve_cpu(struct plan *p)
{
	if (rscope_workload_given(&p->w, RSCOPE_W_cpu))
		return;
	p->w.cpu = cpus_default(p->root, sysfs_numa_node(p->root, p->link.ifname));
}

static bool needs_gid(const struct rscope_link *l)
{
	return !strcmp(l->protocol, "roce");
}

static int resolve_gid(struct plan *p, struct rscope_error *e)
{
	p->gid.index = RSCOPE_NONE;
	if (!needs_gid(&p->link))
		return 0;
	if (pick_gid(p->root, &p->link, p->w.gid_index, &p->gid, e))
		return e->err;
	if (!p->gid.score)
		return rscope_fail(e, -ENODATA, "gid_index=%llu: its netdev is missing or down",
				   p->gid.index);
	p->w.gid_index = (s64)p->gid.index;
	return 0;
}

static int resolve_mtu(struct plan *p, struct rscope_error *e)
{
	u64 active = p->link.active_mtu_bytes;

	if (active == RSCOPE_NONE) /* not told by this source: the path asks the device */
		return 0;
	if (!p->w.mtu)
		p->w.mtu = (s64)active;
	if ((u64)p->w.mtu > active)
		return rscope_fail(e, -ERANGE, "mtu=%lld exceeds the port's active MTU %llu",
				   p->w.mtu, active);
	return 0;
}

static int check_active(const struct plan *p, struct rscope_error *e)
{
	if (!strcmp(p->link.state, "ACTIVE"))
		return 0;
	return rscope_fail(e, -ENETDOWN, "%s/%llu is %s (%s)", p->link.ifname, p->link.port,
			   *p->link.state ? p->link.state : "in an unknown state", p->link.reason);
}

/**
 * plan_make() - resolve everything a run needs to know
 * @p: root, w and corrupt set
 * @dev: device, "" to pick the only ACTIVE port
 * @port: port, 0 when not named
 * @step: what failed
 * @e: why
 *
 * Return: 0 or a negative errno.
 */
int plan_make(struct plan *p, const char *dev, unsigned int port, enum step *step,
	      struct rscope_error *e)
{
	struct rscope_error unsupported;

	*step = STEP_DEVICE;
	if (pick_port(p->root, dev, port, &p->link, &p->source, e))
		return e->err;
	resolve_cpu(p);
	p->gid.index = RSCOPE_NONE;
	if (!plan_supported(p, &unsupported)) /* a verdict, not an error */
		return 0;
	*step = STEP_ADDRESS;
	if (check_active(p, e) || resolve_gid(p, e))
		return e->err;
	return resolve_mtu(p, e);
}

/**
 * plan_line() - the line that makes the module run this workload
 * @p: plan
 * @line: result, with its LF
 * @size: of @line
 */
void plan_line(const struct plan *p, char *line, size_t size)
{
	struct rscope_text t = { .buf = line, .size = size };
	struct rscope_workload w = p->w;

	rscope_workload_print(&t, &w);
	rscope_putc(&t, '\n');
}

#define NOT_BUILT(e, key, value) \
	(rscope_fail(e, -EOPNOTSUPP, "%s=%s is not built into version %s yet", key, value, \
		     RSCOPE_VERSION), false)

static bool protocol_supported(const struct rscope_link *l, struct rscope_error *e)
{
	if (!strcmp(l->protocol, "roce") || !strcmp(l->protocol, "ib"))
		return true;
	if (!strcmp(l->protocol, "iwarp"))
		rscope_fail(e, -EOPNOTSUPP,
			    "iWARP needs rdma_cm, which version %s does not use yet",
			    RSCOPE_VERSION);
	else
		rscope_fail(e, -EOPNOTSUPP, "the port speaks no RDMA protocol");
	return false;
}

static bool op_supported(s64 op)
{
	return op != RSCOPE_OP_SEND_INV && op != RSCOPE_OP_NOP;
}

#define NO(e, ...) (rscope_fail(e, -EOPNOTSUPP, __VA_ARGS__), false)

static bool options_supported(const struct rscope_workload *w, struct rscope_error *e)
{
	if (w->mr != RSCOPE_MR_FASTREG)
		return NO(e, "mr=dma: user space has no key for memory that is not registered");
	if (w->inline_data && rscope_op_is_inbound(w->op))
		return NO(e, "inline=1: op=%s carries no data", rscope_words_OPS[w->op]);
	return true;
}

/**
 * plan_supported() - can the user path do this workload on this port?
 * @p: plan
 * @e: why not
 *
 * Return: true when it can.
 */
bool plan_supported(const struct plan *p, struct rscope_error *e)
{
	const struct rscope_workload *w = &p->w;
	const struct {
		bool missing;
		const char *key;
		const char *value;
	} rows[] = {
		{ *w->peer, "peer", w->peer },
		{ !op_supported(w->op), "op", rscope_words_OPS[w->op] },
		{ w->qp != RSCOPE_QPT_RC, "qp", rscope_words_QP_TYPES[w->qp] },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].missing)
			return NOT_BUILT(e, rows[i].key, rows[i].value);
	return options_supported(w, e) && protocol_supported(&p->link, e);
}

/**
 * plan_mediated() - can one system call carry one operation of this workload?
 * @p: plan
 * @e: why not
 *
 * Return: true when it can.
 */
bool plan_mediated(const struct plan *p, struct rscope_error *e)
{
	const struct rscope_workload *w = &p->w;

	if (w->depth == 1 && w->batch == 1 && w->qps == 1 && w->threads == 1 &&
	    w->pattern == RSCOPE_PATTERN_ONEWAY && !w->verify)
		return true;
	return NO(e,
		  "one operation per call: depth, batch, qps, threads 1, pattern=oneway, verify=0");
}
