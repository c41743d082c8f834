// SPDX-License-Identifier: GPL-2.0
/*
 * PDs, CQs, QPs and MRs: enough of them that a kernel consumer can set up and
 * tear down, each able to fail.
 */
#include <linux/slab.h>
#include "objects.h"

static atomic_t stub_number = ATOMIC_INIT(0);

/* QP numbers below 2 are those of the specification; keys end in a free byte. */
static u32 stub_next(void)
{
	return (u32)atomic_inc_return(&stub_number) + 1;
}

static int stub_alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return stub_failure(pd->device, STUB_VERB_alloc_pd);
}

static int stub_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int stub_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr, STUB_CQ_EXTRA)
{
	struct stub_cq *cq = container_of(ib, struct stub_cq, cq);
	int err = stub_failure(ib->device, STUB_VERB_create_cq);

	if (err)
		return err;
	cq->wc = kvcalloc(attr->cqe, sizeof(*cq->wc), GFP_KERNEL);
	if (!cq->wc)
		return -ENOMEM;
	cq->size = attr->cqe;
	ib->cqe = attr->cqe;
	spin_lock_init(&cq->lock);
	return 0;
}

static int stub_destroy_cq(struct ib_cq *ib, struct ib_udata *udata)
{
	kvfree(container_of(ib, struct stub_cq, cq)->wc);
	return 0;
}

static int stub_init_qp(struct ib_device *ib, struct ib_qp *qp, struct ib_qp_init_attr *init)
{
	int err = stub_failure(ib, STUB_VERB_create_qp);

	qp->qp_num = stub_next();
	init->cap.max_inline_data = 0;
	container_of(qp, struct stub_qp, qp)->state = IB_QPS_RESET;
	return err;
}

#ifdef HAVE_DRIVER_MADE_QPS
static struct ib_qp *stub_create_qp(struct ib_pd *pd, struct ib_qp_init_attr *init,
				    struct ib_udata *udata)
{
	struct stub_qp *qp = kzalloc(sizeof(*qp), GFP_KERNEL);
	int err;

	if (!qp)
		return ERR_PTR(-ENOMEM);
	err = stub_init_qp(pd->device, &qp->qp, init);
	if (!err)
		return &qp->qp;
	kfree(qp);
	return ERR_PTR(err);
}

static int stub_destroy_qp(struct ib_qp *qp, struct ib_udata *udata)
{
	kfree(container_of(qp, struct stub_qp, qp));
	return 0;
}

#define STUB_QP_SIZE
#else
static int stub_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	return stub_init_qp(qp->device, qp, init);
}

static int stub_destroy_qp(struct ib_qp *qp, struct ib_udata *udata)
{
	return 0;
}

#define STUB_QP_SIZE INIT_RDMA_OBJ_SIZE(ib_qp, stub_qp, qp),
#endif

static int stub_step_failure(struct ib_device *ib, enum ib_qp_state to)
{
	switch (to) {
	case IB_QPS_INIT:
		return stub_failure(ib, STUB_VERB_to_init);
	case IB_QPS_RTR:
		return stub_failure(ib, STUB_VERB_to_rtr);
	case IB_QPS_RTS:
		return stub_failure(ib, STUB_VERB_to_rts);
	default:
		return 0;
	}
}

/* On InfiniBand a loopback goes to the port's own LID. */
static int stub_check_av(struct ib_qp *qp, const struct ib_qp_attr *attr)
{
	u32 port = rdma_ah_get_port_num(&attr->ah_attr);
	u64 lid = stub_value(stub_of(qp->device), STUB_LID, port);

	if (!rdma_protocol_ib(qp->device, port))
		return 0;
	return rdma_ah_get_dlid(&attr->ah_attr) == lid ? 0 : -EHOSTUNREACH;
}

static int stub_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
			  struct ib_udata *udata)
{
	struct stub_qp *qp = container_of(ib, struct stub_qp, qp);
	int err = stub_failure(ib->device, STUB_VERB_modify_qp);

	if (err || !(mask & IB_QP_STATE))
		return err;
	if (!ib_modify_qp_is_ok(qp->state, attr->qp_state, ib->qp_type, mask))
		return -EINVAL;
	err = stub_step_failure(ib->device, attr->qp_state);
	if (!err && (mask & IB_QP_AV))
		err = stub_check_av(ib, attr);
	if (!err)
		WRITE_ONCE(qp->state, attr->qp_state);
	return err;
}

static int stub_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
			 struct ib_qp_init_attr *init)
{
	attr->qp_state = READ_ONCE(container_of(ib, struct stub_qp, qp)->state);
	return stub_failure(ib->device, STUB_VERB_query_qp);
}

static struct ib_mr *stub_new_mr(struct ib_pd *pd, enum stub_verb verb)
{
	int err = stub_failure(pd->device, verb);
	struct stub_mr *mr = err ? NULL : kzalloc(sizeof(*mr), GFP_KERNEL);

	if (!mr)
		return ERR_PTR(err ? err : -ENOMEM);
	mr->mr.lkey = stub_next() << 8;
	mr->mr.rkey = mr->mr.lkey;
	return &mr->mr;
}

static struct ib_mr *stub_get_dma_mr(struct ib_pd *pd, int access)
{
	return stub_new_mr(pd, STUB_VERB_get_dma_mr);
}

static struct ib_mr *stub_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 virt,
				      int access, STUB_USER_MR_EXTRA)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static struct ib_mr *stub_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_num_sg)
{
	return stub_new_mr(pd, STUB_VERB_alloc_mr);
}

static int stub_dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	kfree(container_of(mr, struct stub_mr, mr));
	return 0;
}

static int stub_set_page(struct ib_mr *mr, u64 addr)
{
	return 0;
}

static int stub_map_mr_sg(struct ib_mr *mr, struct scatterlist *sg, int nents,
			  unsigned int *offset)
{
	int err = stub_failure(mr->device, STUB_VERB_map_mr_sg);

	return err ? err : ib_sg_to_pages(mr, sg, nents, offset, stub_set_page);
}

const struct ib_device_ops stub_object_ops = {
	.alloc_pd = stub_alloc_pd,
	.dealloc_pd = stub_dealloc_pd,
	.create_cq = stub_create_cq,
	.destroy_cq = stub_destroy_cq,
	.create_qp = stub_create_qp,
	.modify_qp = stub_modify_qp,
	.query_qp = stub_query_qp,
	.destroy_qp = stub_destroy_qp,
	.get_dma_mr = stub_get_dma_mr,
	.reg_user_mr = stub_reg_user_mr,
	.dereg_mr = stub_dereg_mr,
	.alloc_mr = stub_alloc_mr,
	.map_mr_sg = stub_map_mr_sg,
	INIT_RDMA_OBJ_SIZE(ib_pd, stub_pd, pd),
	INIT_RDMA_OBJ_SIZE(ib_cq, stub_cq, cq),
	STUB_QP_SIZE
};
