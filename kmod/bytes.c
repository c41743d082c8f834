// SPDX-License-Identifier: GPL-2.0
/*
 * How does the CPU get at the bytes of a region? Page by page, between the sync
 * calls that give a page to the CPU and back to the device.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>
#include "mem.h"

/* The part of [at, at + len) that lies in one page. */
static u64 rscope_piece(u64 at, u64 len)
{
	return min_t(u64, len, PAGE_SIZE - (at & (PAGE_SIZE - 1)));
}

static u8 *rscope_region_byte(struct rscope_region *r, u64 at)
{
	return (u8 *)page_address(r->pages[at >> PAGE_SHIFT]) + (at & (PAGE_SIZE - 1));
}

static dma_addr_t rscope_region_dma(struct rscope_region *r, u64 at)
{
	return r->dma[at >> PAGE_SHIFT] + (at & (PAGE_SIZE - 1));
}

/**
 * rscope_region_fill() - write a message or guard
 * @r: region
 * @b: which bytes
 * @at: where in the region the message begins
 * @len: its length
 *
 * Context: any.
 */
void rscope_region_fill(struct rscope_region *r, const struct rscope_bytes *b, u64 at, u64 len)
{
	u64 done, n;

	for (done = 0; done < len; done += n) {
		dma_addr_t dma = rscope_region_dma(r, at + done);

		n = rscope_piece(at + done, len - done);
		ib_dma_sync_single_for_cpu(r->ib, dma, n, DMA_BIDIRECTIONAL);
		rscope_pattern_fill(b, rscope_region_byte(r, at + done), done, n);
		ib_dma_sync_single_for_device(r->ib, dma, n, DMA_BIDIRECTIONAL);
	}
}

/**
 * rscope_region_check() - compare a message or guard with what it must be
 * @r: region
 * @b: which bytes
 * @at: where in the region the message begins
 * @len: its length
 * @m: mismatches are added
 *
 * Context: any.
 */
void rscope_region_check(struct rscope_region *r, const struct rscope_bytes *b, u64 at, u64 len,
			 struct rscope_mismatch *m)
{
	u64 done, n;

	for (done = 0; done < len; done += n) {
		dma_addr_t dma = rscope_region_dma(r, at + done);

		n = rscope_piece(at + done, len - done);
		ib_dma_sync_single_for_cpu(r->ib, dma, n, DMA_BIDIRECTIONAL);
		rscope_pattern_check(b, rscope_region_byte(r, at + done), done, n, m);
		ib_dma_sync_single_for_device(r->ib, dma, n, DMA_BIDIRECTIONAL);
	}
}

/**
 * rscope_region_from_user() - take a message from user memory
 * @r: region
 * @at: where in the region it goes
 * @from: user memory
 * @len: its length
 *
 * Context: process, may fault.
 * Return: 0 or -EFAULT.
 */
int rscope_region_from_user(struct rscope_region *r, u64 at, const char __user *from, u64 len)
{
	u64 done, n, left = 0;

	for (done = 0; !left && done < len; done += n) {
		dma_addr_t dma = rscope_region_dma(r, at + done);

		n = rscope_piece(at + done, len - done);
		ib_dma_sync_single_for_cpu(r->ib, dma, n, DMA_BIDIRECTIONAL);
		left = copy_from_user(rscope_region_byte(r, at + done), from + done, n);
		ib_dma_sync_single_for_device(r->ib, dma, n, DMA_BIDIRECTIONAL);
	}
	return left ? -EFAULT : 0;
}

/**
 * rscope_region_to_user() - give a message to user memory
 * @r: region
 * @at: where in the region it lies
 * @to: user memory
 * @len: its length
 *
 * Context: process, may fault.
 * Return: 0 or -EFAULT.
 */
int rscope_region_to_user(struct rscope_region *r, u64 at, char __user *to, u64 len)
{
	u64 done, n, left = 0;

	for (done = 0; !left && done < len; done += n) {
		dma_addr_t dma = rscope_region_dma(r, at + done);

		n = rscope_piece(at + done, len - done);
		ib_dma_sync_single_for_cpu(r->ib, dma, n, DMA_BIDIRECTIONAL);
		left = copy_to_user(to + done, rscope_region_byte(r, at + done), n);
		ib_dma_sync_single_for_device(r->ib, dma, n, DMA_BIDIRECTIONAL);
	}
	return left ? -EFAULT : 0;
}

/**
 * rscope_region_peek() - read one byte that the device may be writing
 * @r: region
 * @at: which
 *
 * Context: any.
 * Return: the byte.
 */
u8 rscope_region_peek(struct rscope_region *r, u64 at)
{
	ib_dma_sync_single_for_cpu(r->ib, rscope_region_dma(r, at), 1, DMA_BIDIRECTIONAL);
	return READ_ONCE(*rscope_region_byte(r, at));
}

/**
 * rscope_region_poke() - write one byte
 * @r: region
 * @at: which
 * @byte: value
 *
 * Context: any.
 */
void rscope_region_poke(struct rscope_region *r, u64 at, u8 byte)
{
	ib_dma_sync_single_for_cpu(r->ib, rscope_region_dma(r, at), 1, DMA_BIDIRECTIONAL);
	WRITE_ONCE(*rscope_region_byte(r, at), byte);
	ib_dma_sync_single_for_device(r->ib, rscope_region_dma(r, at), 1, DMA_BIDIRECTIONAL);
}

/**
 * rscope_region_flip() - damage one byte, for tests
 * @r: region
 * @at: which
 *
 * Context: any.
 */
void rscope_region_flip(struct rscope_region *r, u64 at)
{
	rscope_region_poke(r, at, rscope_region_peek(r, at) ^ 0xff);
}
