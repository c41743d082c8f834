/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * libibverbs, loaded when a run needs it and not before: map commands start
 * without it. The fast path (post, poll) is inline in <infiniband/verbs.h> and
 * calls the provider through the context, as in every verbs application.
 */
#ifndef VERBS_H
#define VERBS_H

#include <infiniband/verbs.h>

#include <rdmascope/record.h>

/* Macros of the header that hide functions of the same name. */
#undef ibv_query_port
#undef ibv_reg_mr

/* X(name) - every function that is looked up */
#define VERBS_CALLS(X) \
	X(ibv_get_device_list) \
	X(ibv_free_device_list) \
	X(ibv_open_device) \
	X(ibv_close_device) \
	X(ibv_query_device) \
	X(ibv_query_port) \
	X(ibv_query_gid) \
	X(ibv_alloc_pd) \
	X(ibv_dealloc_pd) \
	X(ibv_create_cq) \
	X(ibv_destroy_cq) \
	X(ibv_create_comp_channel) \
	X(ibv_destroy_comp_channel) \
	X(ibv_get_cq_event) \
	X(ibv_ack_cq_events) \
	X(ibv_reg_mr) \
	X(ibv_dereg_mr) \
	X(ibv_create_qp) \
	X(ibv_modify_qp) \
	X(ibv_query_qp) \
	X(ibv_destroy_qp) \
	X(ibv_get_async_event) \
	X(ibv_ack_async_event)

#define VERBS_MEMBER(name) __typeof__(name) *name;

/** struct verbs - the functions of libibverbs that set things up */
struct verbs { VERBS_CALLS(VERBS_MEMBER) };

const struct verbs *verbs_load(struct rscope_error *e);
struct ibv_context *verbs_open(const struct verbs *v, const char *dev, struct rscope_error *e);
void verbs_provider(const struct ibv_context *ctx, char *to, size_t size);

#endif /* VERBS_H */
