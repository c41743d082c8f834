/* SPDX-License-Identifier: GPL-2.0 */
/* Level 2. Buffers of a run: pages, DMA mapping, MRs. */
#ifndef RSCOPE_MEM_H
#define RSCOPE_MEM_H

#include <rdma/ib_verbs.h>
#include "layout.h"
#include "pattern.h"
#include "record.h"

/**
 * struct rscope_region - source or destination of one QP pair
 * @ib: device it is mapped for
 * @layout: geometry
 * @slots: slots in this region
 * @bytes: length
 * @nr_pages: length of @pages and @dma
 * @pages: single pages, not contiguous: as a user's buffer is; or one piece
 * @contiguous: one piece in memory and on the bus, for inline data and mr=dma
 * @dma_lkey: local key of such a piece
 * @dma: DMA address of each page
 * @mapped: pages mapped so far
 * @nr_mrs: length of @mr
 * @slots_per_mr: slots that one MR covers
 * @mr: memory regions, registered by REG_MR
 */
struct rscope_region {
	struct ib_device *ib;
	const struct rscope_layout *layout;
	u64 slots;
	u64 bytes;
	u32 nr_pages;
	struct page **pages;
	bool contiguous;
	u32 dma_lkey;
	dma_addr_t *dma;
	u32 mapped;
	u32 nr_mrs;
	u32 slots_per_mr;
	struct ib_mr **mr;
};

int rscope_region_alloc(struct rscope_region *r, struct ib_pd *pd, const struct rscope_layout *l,
			u64 slots, struct rscope_error *e);
void *rscope_region_slot(const struct rscope_region *r, u64 slot);
void rscope_region_free(struct rscope_region *r);
void rscope_region_sge(const struct rscope_region *r, u64 slot, struct ib_sge *sge);
void rscope_region_sge_dma(const struct rscope_region *r, u64 slot, struct ib_sge *sge);
void rscope_region_remote(const struct rscope_region *r, u64 slot, u64 *addr, u32 *rkey);
void rscope_region_fill(struct rscope_region *r, const struct rscope_bytes *b, u64 at, u64 len);
void rscope_region_check(struct rscope_region *r, const struct rscope_bytes *b, u64 at, u64 len,
			 struct rscope_mismatch *m);
int rscope_region_from_user(struct rscope_region *r, u64 at, const char __user *from, u64 len);
int rscope_region_to_user(struct rscope_region *r, u64 at, char __user *to, u64 len);
void rscope_region_flip(struct rscope_region *r, u64 at);
void rscope_region_poke(struct rscope_region *r, u64 at, u8 byte);
u8 rscope_region_peek(struct rscope_region *r, u64 at);

#endif /* RSCOPE_MEM_H */
