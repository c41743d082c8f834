// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The end of an endpoint. A uverbs QP needs no flush: its buffers are unmapped
 * only after it is destroyed.
 */
#include <stdlib.h>

#include "endpoint.h"
#include "words.h"

static void state_of(struct endpoint *ep, struct ibv_qp *qp, char *to, size_t size)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (qp && !ep->verbs->ibv_query_qp(qp, &attr, IBV_QP_STATE, &init))
		snprintf(to, size, "%s", words_qp_state(attr.qp_state));
}

/**
 * endpoint_states() - QP states, for the report of a run that did not pass
 * @ep: endpoint
 * @r: report
 */
void endpoint_states(struct endpoint *ep, struct rscope_report *r)
{
	if (!ep->pairs)
		return;
	state_of(ep, ep->pairs[0].end[0].qp, r->qp_state, sizeof(r->qp_state));
	state_of(ep, ep->pairs[0].end[1].qp, r->peer_qp_state, sizeof(r->peer_qp_state));
}

static void destroy_qp(struct endpoint *ep, struct end *end)
{
	if (end->qp)
		ep->verbs->ibv_destroy_qp(end->qp);
	end->qp = NULL;
}

static void destroy_qps(struct endpoint *ep)
{
	u32 q;

	for (q = 0; ep->pairs && q < ep->nr_pairs; q++) {
		destroy_qp(ep, &ep->pairs[q].end[0]);
		destroy_qp(ep, &ep->pairs[q].end[1]);
	}
}

static void destroy_cqs(struct endpoint *ep)
{
	u32 i;

	for (i = 0; ep->lanes && i < ep->nr_lanes; i++)
		cqueue_close(&ep->lanes[i].cq);
}

/**
 * endpoint_destroy() - undo endpoint_create(), also a failed one
 * @ep: endpoint
 */
void endpoint_destroy(struct endpoint *ep)
{
	destroy_qps(ep);
	buffers_destroy(ep);
	destroy_cqs(ep);
	free(ep->pairs);
	free(ep->lanes);
	ep->pairs = NULL;
	ep->lanes = NULL;
	if (ep->pd)
		ep->verbs->ibv_dealloc_pd(ep->pd);
	ep->pd = NULL;
}

/**
 * endpoint_close() - undo endpoint_open(), also a failed one
 * @ep: endpoint
 */
void endpoint_close(struct endpoint *ep)
{
	if (ep->ctx)
		ep->verbs->ibv_close_device(ep->ctx);
	ep->ctx = NULL;
}
