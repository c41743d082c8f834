/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A device of the stub: its shape, which is a list of numbers per key, and the
 * verbs that answer from it.
 */
#ifndef RDMASCOPE_STUB_H
#define RDMASCOPE_STUB_H

#include <linux/list.h>
#include <rdma/ib_verbs.h>
#include "compat.h"

/*
 * X(symbol, key, parser, default, help)
 *
 * Every key takes a comma-separated list; port n uses the n-th value, modulo
 * the length of the list. Those of the device use the first.
 */
#define STUB_KEYS(X) \
	X(PORTS, "ports", number, 1, "number of ports") \
	X(NODE, "node", number, RDMA_NODE_IB_CA, \
	  "node type; a switch gets no port 0, which ib_cm does not survive") \
	X(GUID, "guid", number, 0x0011220000334400, "node GUID; port GUIDs follow it") \
	X(SYS_GUID, "sys_guid", number, 0x0011220000334400, "system image GUID") \
	X(PARENT, "parent", number, 1, "1 = below the stub's own device, 0 = nowhere") \
	X(FAST_REG, "fast_reg", number, 1, "memory management extensions") \
	X(MAX_QP_WR, "max_qp_wr", number, 1024, "work requests per queue") \
	X(WITHOUT, "without", verb, STUB_NONE, "verbs the driver lacks") \
	X(FAIL, "fail", failure, STUB_NONE, "VERB:ERRNO, verbs that fail") \
	X(WC, "wc", number, IB_WC_SUCCESS, "status of every completion") \
	X(LAYER, "layer", layer, STUB_IB, "ib, roce, iwarp, raw, none") \
	X(NETDEV, "netdev", netdev, 0, "name of a netdev") \
	X(STATE, "state", number, IB_PORT_ACTIVE, "logical state") \
	X(PHYS, "phys", number, 5, "physical state") \
	X(SPEED, "speed", number, IB_SPEED_EDR, "speed of a lane") \
	X(WIDTH, "width", number, IB_WIDTH_4X, "code of the width") \
	X(MTU, "mtu", number, IB_MTU_4096, "code of the active MTU") \
	X(LID, "lid", number, 0, "LID") \
	X(SM_LID, "sm_lid", number, 0, "LID of the subnet manager") \
	X(PREFIX, "prefix", number, 0xfe80000000000000, "subnet prefix") \
	X(PKEY, "pkey", number, 0xffff, "the only P_Key") \
	X(GIDS, "gids", number, 8, "length of the GID table")

#define STUB_KEY_SYMBOL(s, ...) STUB_##s,
enum stub_key { STUB_KEYS(STUB_KEY_SYMBOL) STUB_NR_KEYS };

/* X(verb): those that a device may lack; all may fail. */
#define STUB_VERBS(X) \
	X(alloc_pd) X(dealloc_pd) X(create_cq) X(destroy_cq) X(poll_cq) X(req_notify_cq) \
	X(create_qp) X(modify_qp) X(query_qp) X(destroy_qp) X(post_send) X(post_recv) \
	X(get_dma_mr) X(reg_user_mr) X(dereg_mr) X(alloc_mr) X(map_mr_sg)

/* X(verb): these can fail only. */
#define STUB_STEPS(X) X(query_port) X(to_init) X(to_rtr) X(to_rts)

#define STUB_VERB_SYMBOL(v) STUB_VERB_##v,
enum stub_verb {
	STUB_VERBS(STUB_VERB_SYMBOL)
	STUB_NR_VERBS,
	STUB_LAST_VERB = STUB_NR_VERBS - 1,
	STUB_STEPS(STUB_VERB_SYMBOL)
};

#define STUB_NONE U64_MAX
#define STUB_LIST_MAX 16

enum stub_layer { STUB_IB, STUB_ROCE, STUB_IWARP, STUB_RAW, STUB_NO_LAYER };

/**
 * struct stub_list - what a key is set to
 * @n: length; 0 before a default is in place, and for keys a line does not name
 * @v: values
 */
struct stub_list {
	u32 n;
	u64 v[STUB_LIST_MAX];
};

/**
 * struct stub_shape - a parsed line
 * @name: name of the device
 * @key: values
 */
struct stub_shape {
	char name[IB_DEVICE_NAME_MAX];
	struct stub_list key[STUB_NR_KEYS];
};

/**
 * struct stub_dev - a registered device
 * @ib: the core's half; first, ib_alloc_device() wants it so
 * @node: in the list of control.c
 * @shape: read without a lock; single values change while it is registered
 */
struct stub_dev {
	struct ib_device ib;
	struct list_head node;
	struct stub_shape shape;
};

static inline struct stub_dev *stub_of(struct ib_device *ib)
{
	return container_of(ib, struct stub_dev, ib);
}

/* Value of a key for a port. */
static inline u64 stub_value(const struct stub_dev *dev, enum stub_key key, u32 port)
{
	const struct stub_list *l = &dev->shape.key[key];

	return READ_ONCE(l->v[(port - 1) % READ_ONCE(l->n)]);
}

int stub_shape_parse(struct stub_shape *s, char *line);
void stub_shape_defaults(struct stub_shape *s);
int stub_shape_change(struct stub_shape *s, const struct stub_shape *by);
int stub_failure(struct ib_device *ib, enum stub_verb verb);
bool stub_lacks(const struct stub_shape *s, enum stub_verb verb);

extern const struct ib_device_ops stub_query_ops;
extern const struct ib_device_ops stub_object_ops;
extern const struct ib_device_ops stub_queue_ops;

#endif /* RDMASCOPE_STUB_H */
