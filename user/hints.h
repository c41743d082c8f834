/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An error at a step -> likely cause -> what to do next -> exit status. One
 * table, used wherever the tool prints an error.
 */
#ifndef HINTS_H
#define HINTS_H

#include <rdmascope/record.h>

#include "facts.h"

/** enum step - what failed */
enum step {
	STEP_MODULE, /* opening or reading a file of the module */
	STEP_TEXT, /* understanding that file */
	STEP_START, /* writing the line that starts a run */
	STEP_CANCEL, /* cancelling a run */
	STEP_NETLINK, /* asking the RDMA core */
	STEP_DEVICE, /* finding the device or port */
	STEP_NETDEV, /* finding the netdev, and the link below it */
	STEP_LIBRARY, /* loading libibverbs */
	STEP_UVERBS, /* opening the device for user verbs */
	STEP_ADDRESS, /* choosing MTU, GID or LID */
	STEP_SETUP, /* creating PD, CQ, MR, QP */
	STEP_CONNECT, /* QP transitions */
	STEP_PASS, /* posting and polling */
	STEP_NR
};

/**
 * struct hint - advice on an error
 * @cause: likely cause, "" when there is nothing to add
 * @next: what to do
 * @status: exit status of the tool
 */
struct hint {
	const char *cause;
	const char *next;
	int status;
};

const struct hint *hints_find(enum step step, int err, const struct facts *facts);
const struct hint *hints_wc(const char *status);
int hints_print(const char *where, enum step step, const struct rscope_error *e,
		const struct facts *facts);

#endif /* HINTS_H */
