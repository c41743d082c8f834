/* SPDX-License-Identifier: GPL-2.0 */
/* What the stub keeps of verbs objects. */
#ifndef RDMASCOPE_STUB_OBJECTS_H
#define RDMASCOPE_STUB_OBJECTS_H

#include <linux/spinlock.h>
#include "stub.h"

struct stub_pd {
	struct ib_pd pd;
};

/**
 * struct stub_cq - a ring of completions
 * @cq: the core's half; first
 * @lock: guards what follows; innermost, taken with interrupts off
 * @armed: the consumer wants a call for the next completion
 * @head: completions ever put in
 * @tail: completions ever taken out
 * @size: of @wc
 * @wc: ring
 */
struct stub_cq {
	struct ib_cq cq;
	spinlock_t lock; /* see above */
	bool armed;
	u32 head;
	u32 tail;
	u32 size;
	struct ib_wc *wc;
};

/**
 * struct stub_qp - a queue pair
 * @qp: the core's half; first
 * @state: of the InfiniBand specification
 */
struct stub_qp {
	struct ib_qp qp;
	enum ib_qp_state state;
};

struct stub_mr {
	struct ib_mr mr;
};

#endif /* RDMASCOPE_STUB_OBJECTS_H */
