// SPDX-License-Identifier: GPL-2.0
/*
 * What does an operation cost with nothing around it? Post, poll, yield, two
 * clock reads and one store per operation; no histogram, no batch, no stop.
 *
 * Loading the module runs the loop once on device dev= and leaves the figures
 * in its parameters; it exists only to be held against rdmascope's own loop.
 */
#include <linux/module.h>
#include <linux/sort.h>

#include "../../../kmod/text.c"
#include "../../../kmod/fault.c"
#include "../../../kmod/netdev.c"
#include "../../../kmod/links.c"
#include "../../../kmod/gids.c"
#include "../../../kmod/device.c"
#include "../../../kmod/support.c"
#include "../../../kmod/addr.c"
#include "../../../kmod/mem.c"
#include "../../../kmod/bytes.c"
#include "../../../kmod/qp.c"
#include "../../../kmod/cq.c"
#include "../../../kmod/flush.c"
#include "../../../kmod/connect.c"
#include "../../../kmod/buffers.c"
#include "../../../kmod/endpoint.c"

static char *dev = "rxe0";
module_param(dev, charp, 0444);
static char *line = "op=read size=8";
module_param(line, charp, 0444);
static int iters = 5000;
module_param(iters, int, 0444);
static int warmup = 100;
module_param(warmup, int, 0444);
static ulong p50_ns;
module_param(p50_ns, ulong, 0444);
static ulong min_ns;
module_param(min_ns, ulong, 0444);

static struct ib_device *bare_device;

static int bare_add(struct ib_device *ib)
{
	if (strcmp(dev_name(&ib->dev), dev))
		return -ENODEV;
	bare_device = ib;
	return 0;
}

static struct ib_client bare_client = { .name = "rscope_bare", .add = bare_add };

static void bare_prepare(struct rscope_endpoint *ep, struct ib_rdma_wr *wr, struct ib_sge *sge)
{
	struct rscope_pair *p = &ep->pair[0];
	bool read = ep->w->op == RSCOPE_OP_READ;

	rscope_region_sge(read ? &p->dst : &p->src, 0, sge);
	rscope_region_remote(read ? &p->src : &p->dst, 0, &wr->remote_addr, &wr->rkey);
	wr->wr.wr_cqe = &p->end[0].send.cqe;
	wr->wr.sg_list = sge;
	wr->wr.num_sge = 1;
	wr->wr.send_flags = IB_SEND_SIGNALED;
	wr->wr.opcode = read ? IB_WR_RDMA_READ : IB_WR_RDMA_WRITE;
	p->end[0].sends_posted = true;
}

static int bare_loop(struct ib_qp *qp, struct ib_cq *cq, struct ib_rdma_wr *wr, u64 *ns)
{
	struct ib_wc wc;
	int i, n, err;

	for (i = -warmup; i < iters; i++) {
		u64 start = ktime_get_raw_ns();

		err = ib_post_send(qp, &wr->wr, NULL);
		if (err)
			return err;
		while (!(n = ib_poll_cq(cq, 1, &wc)))
			if (rscope_should_yield())
				schedule();
			else
				cpu_relax();
		if (n < 0 || wc.status != IB_WC_SUCCESS)
			return -EIO;
		if (i >= 0)
			ns[i] = ktime_get_raw_ns() - start;
	}
	return 0;
}

static int bare_cmp(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static int bare_measure(struct rscope_endpoint *ep)
{
	u64 *ns = kvcalloc(iters, sizeof(*ns), GFP_KERNEL);
	struct ib_rdma_wr wr = {};
	struct ib_sge sge;
	int err;

	if (!ns)
		return -ENOMEM;
	bare_prepare(ep, &wr, &sge);
	err = bare_loop(ep->pair[0].end[0].qp, ep->lane[0].cq.cq, &wr, ns);
	sort(ns, iters, sizeof(*ns), bare_cmp, NULL);
	p50_ns = ns[iters / 2];
	min_ns = ns[0];
	kvfree(ns);
	return err;
}

static int bare_run(struct ib_device *ib)
{
	struct rscope_endpoint *ep = kzalloc(sizeof(*ep), GFP_KERNEL);
	static struct rscope_workload w;
	struct rscope_error e = {};
	struct rscope_layout l;
	struct rscope_stop stop;
	char text[256];
	int err;

	if (!ep)
		return -ENOMEM;
	rscope_stop_init(&stop);
	snprintf(text, sizeof(text), "%s\n", line);
	err = rscope_workload_parse(text, strlen(text), &w, &e) ?: rscope_layout_init(&l, &w, &e);
	ep->ib = ib;
	ep->w = &w;
	ep->l = &l;
	ep->plan.w = &w;
	ep->plan.rd_atomic = 16;
	ep->stop = &stop;
	err = err ?: rscope_addr_resolve(&ep->plan.addr, ib, rdma_start_port(ib), &w, &e);
	err = err ?: rscope_endpoint_open(ep, &e);
	err = err ?: bare_measure(ep);
	rscope_endpoint_close(ep);
	kfree(ep);
	if (err)
		pr_err("rscope_bare: %d %s\n", err, e.msg);
	return err;
}

static int __init bare_init(void)
{
	int err = ib_register_client(&bare_client);

	if (err)
		return err;
	err = bare_device && iters > 0 ? bare_run(bare_device) : -ENODEV;
	ib_unregister_client(&bare_client);
	return err;
}

static void __exit bare_exit(void)
{
}

module_init(bare_init);
module_exit(bare_exit);
MODULE_DESCRIPTION("bare post and poll loop, the reference of rdmascope's bench");
MODULE_LICENSE("GPL");
