// SPDX-License-Identifier: GPL-2.0
/*
 * Where are the bytes of a run? Single pages, mapped one by one with the
 * ib_dma helpers (soft devices have no DMA device), covered by fast-registered
 * MRs. The CPU touches a page only between sync calls.
 */
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include "fault.h"
#include "mem.h"
#include "support.h"

static u32 rscope_slots_per_mr(const struct ib_device *ib, const struct rscope_layout *l)
{
	u64 room = (u64)(rscope_mr_pages(ib) - 1) << PAGE_SHIFT;

	/* A page less: a slot may begin anywhere in its first page. */
	if (l->stride > room)
		return 1;
	return div64_u64(room, l->stride);
}

static u32 rscope_first_page(const struct rscope_region *r, u32 mr)
{
	return rscope_slot_offset(r->layout, (u64)mr * r->slots_per_mr) >> PAGE_SHIFT;
}

static u32 rscope_last_page(const struct rscope_region *r, u32 mr)
{
	u64 slot = min((u64)(mr + 1) * r->slots_per_mr, r->slots) - 1;

	return (rscope_slot_offset(r->layout, slot) + r->layout->size - 1) >> PAGE_SHIFT;
}

static int rscope_pages_single(struct rscope_region *r)
{
	u32 i;

	for (i = 0; i < r->nr_pages; i++) {
		r->pages[i] = alloc_page(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
		if (!r->pages[i])
			return -ENOMEM;
	}
	return 0;
}

/* The pages of one piece can be freed one by one. */
static int rscope_pages_contiguous(struct rscope_region *r)
{
	u8 *piece = alloc_pages_exact((size_t)r->nr_pages << PAGE_SHIFT,
				      GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	u32 i;

	if (!piece)
		return -ENOMEM;
	for (i = 0; i < r->nr_pages; i++)
		r->pages[i] = virt_to_page(piece + ((size_t)i << PAGE_SHIFT));
	return 0;
}

static int rscope_region_pages(struct rscope_region *r)
{
	r->pages = kvcalloc(r->nr_pages, sizeof(*r->pages), GFP_KERNEL);
	r->dma = kvcalloc(r->nr_pages, sizeof(*r->dma), GFP_KERNEL);
	if (!r->pages || !r->dma)
		return -ENOMEM;
	return r->contiguous ? rscope_pages_contiguous(r) : rscope_pages_single(r);
}

/* Bytes of one DMA mapping: the local DMA key needs one for the whole piece. */
static size_t rscope_map_bytes(const struct rscope_region *r)
{
	return r->contiguous ? (size_t)r->nr_pages << PAGE_SHIFT : PAGE_SIZE;
}

static int rscope_region_map(struct rscope_region *r)
{
	u32 i, step = rscope_map_bytes(r) >> PAGE_SHIFT;

	for (; r->mapped < r->nr_pages; r->mapped += step) {
		dma_addr_t dma = ib_dma_map_page(r->ib, r->pages[r->mapped], 0, rscope_map_bytes(r),
						 DMA_BIDIRECTIONAL);

		if (ib_dma_mapping_error(r->ib, dma))
			return -ENOMEM;
		for (i = 0; i < step; i++)
			r->dma[r->mapped + i] = dma + ((dma_addr_t)i << PAGE_SHIFT);
	}
	return 0;
}

static void rscope_region_unmap(struct rscope_region *r)
{
	u32 i, step = rscope_map_bytes(r) >> PAGE_SHIFT;

	for (i = 0; i < r->mapped; i += step)
		ib_dma_unmap_page(r->ib, r->dma[i], rscope_map_bytes(r), DMA_BIDIRECTIONAL);
}

static int rscope_mr_map(struct rscope_region *r, u32 i, struct scatterlist *sg)
{
	u32 first = rscope_first_page(r, i), n = rscope_last_page(r, i) - first + 1;
	u32 page;
	int mapped;

	sg_init_table(sg, n);
	for (page = 0; page < n; page++) {
		sg_set_page(&sg[page], r->pages[first + page], PAGE_SIZE, 0);
		sg_dma_address(&sg[page]) = r->dma[first + page];
		sg_dma_len(&sg[page]) = PAGE_SIZE;
	}
	mapped = ib_map_mr_sg(r->mr[i], sg, n, NULL, PAGE_SIZE);
	if (mapped != n)
		return mapped < 0 ? mapped : -EINVAL;
	/* A key never seen before on this MR: stale packets cannot match. */
	ib_update_fast_reg_key(r->mr[i], ib_inc_rkey(r->mr[i]->rkey));
	return 0;
}

static int rscope_region_mrs(struct rscope_region *r, struct ib_pd *pd)
{
	u32 pages = rscope_mr_pages(r->ib), i;
	struct scatterlist *sg;
	int err = 0;

	r->mr = kvcalloc(r->nr_mrs, sizeof(*r->mr), GFP_KERNEL);
	sg = kvmalloc_array(pages, sizeof(*sg), GFP_KERNEL);
	if (!r->mr || !sg)
		err = -ENOMEM;
	for (i = 0; !err && i < r->nr_mrs; i++) {
		struct ib_mr *mr = rscope_fault_hit(RSCOPE_FAULT_MR) ? ERR_PTR(-ENOMEM) :
				   ib_alloc_mr(pd, IB_MR_TYPE_MEM_REG, pages);

		if (IS_ERR(mr)) {
			err = PTR_ERR(mr);
			break;
		}
		r->mr[i] = mr;
		err = rscope_mr_map(r, i, sg);
	}
	kvfree(sg);
	return err;
}

/**
 * rscope_region_alloc() - allocate and map a region
 * @r: result, @contiguous set, else zero; rscope_region_free() it whatever is
 *	returned
 * @pd: protection domain of the MRs
 * @l: layout, outlives the region
 * @slots: slots of this region
 * @e: reason
 *
 * The MRs are mapped but not yet registered: that takes a work request.
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or what the driver says.
 */
int rscope_region_alloc(struct rscope_region *r, struct ib_pd *pd, const struct rscope_layout *l,
			u64 slots, struct rscope_error *e)
{
	int err;

	r->ib = pd->device;
	r->dma_lkey = pd->local_dma_lkey;
	r->layout = l;
	r->slots = slots;
	r->bytes = RSCOPE_GUARD_BYTES + slots * l->stride;
	r->nr_pages = (r->bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
	r->slots_per_mr = rscope_slots_per_mr(r->ib, l);
	r->nr_mrs = div_u64(slots + r->slots_per_mr - 1, r->slots_per_mr);
	err = rscope_region_pages(r);
	if (err)
		return rscope_fail(e, err, "no memory for a buffer of %llu bytes", r->bytes);
	err = rscope_region_map(r);
	if (err)
		return rscope_fail(e, err, "no DMA mapping for %u pages: IOMMU limit?",
				   r->nr_pages);
	err = rscope_region_mrs(r, pd);
	if (err)
		return rscope_fail(e, err, "cannot allocate or map %u MRs of %u pages: %d",
				   r->nr_mrs, rscope_mr_pages(r->ib), err);
	return 0;
}

/**
 * rscope_region_free() - undo rscope_region_alloc(), complete or not
 * @r: region; a zeroed one is fine
 *
 * Context: may sleep; no QP may use the region any more.
 */
void rscope_region_free(struct rscope_region *r)
{
	u32 i;

	for (i = 0; r->mr && i < r->nr_mrs; i++)
		if (r->mr[i])
			ib_dereg_mr(r->mr[i]);
	rscope_region_unmap(r);
	for (i = 0; r->pages && i < r->nr_pages; i++)
		if (r->pages[i])
			__free_page(r->pages[i]);
	kvfree(r->mr);
	kvfree(r->dma);
	kvfree(r->pages);
	memset(r, 0, sizeof(*r));
}

static u64 rscope_slot_iova(const struct rscope_region *r, u64 slot, struct ib_mr **mr)
{
	u32 i = div_u64(slot, r->slots_per_mr);

	*mr = r->mr[i];
	return (*mr)->iova + rscope_slot_offset(r->layout, slot) -
	       ((u64)rscope_first_page(r, i) << PAGE_SHIFT);
}

/**
 * rscope_region_sge() - local address of a slot
 * @r: region
 * @slot: slot
 * @sge: result
 *
 * Context: any.
 */
void rscope_region_sge(const struct rscope_region *r, u64 slot, struct ib_sge *sge)
{
	struct ib_mr *mr;

	sge->addr = rscope_slot_iova(r, slot, &mr);
	sge->length = r->layout->size;
	sge->lkey = mr->lkey;
}

/**
 * rscope_region_sge_dma() - local address of a slot without an MR
 * @r: contiguous region
 * @slot: slot
 * @sge: result, under the local DMA key
 *
 * Context: any.
 */
void rscope_region_sge_dma(const struct rscope_region *r, u64 slot, struct ib_sge *sge)
{
	sge->addr = r->dma[0] + rscope_slot_offset(r->layout, slot);
	sge->length = r->layout->size;
	sge->lkey = r->dma_lkey;
}

/**
 * rscope_region_slot() - where the CPU finds a slot
 * @r: contiguous region
 * @slot: slot
 *
 * Context: any.
 * Return: kernel address; what inline data is copied from.
 */
void *rscope_region_slot(const struct rscope_region *r, u64 slot)
{
	return (u8 *)page_address(r->pages[0]) + rscope_slot_offset(r->layout, slot);
}

/**
 * rscope_region_remote() - remote address of a slot
 * @r: region
 * @slot: slot
 * @addr: result
 * @rkey: result
 *
 * Context: any.
 */
void rscope_region_remote(const struct rscope_region *r, u64 slot, u64 *addr, u32 *rkey)
{
	struct ib_mr *mr;

	*addr = rscope_slot_iova(r, slot, &mr);
	*rkey = mr->rkey;
}
