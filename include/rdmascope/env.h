/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the shared headers need from their surroundings, in the kernel and in
 * user space. The only place in include/ that asks which of the two it is.
 */
#ifndef RDMASCOPE_ENV_H
#define RDMASCOPE_ENV_H

#ifdef __KERNEL__

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>

#else

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
/* long long, as in the kernel, so that one format string fits both sides. */
typedef unsigned long long u64;
typedef long long s64;

#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#define __force
#define __maybe_unused __attribute__((__unused__))
#define __printf(fmt, args) __attribute__((__format__(printf, fmt, args)))
#define barrier() __asm__ __volatile__("" : : : "memory")
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BIT_ULL(n) (1ULL << (n))

static inline int fls64(u64 x)
{
	/* 63 ^ clz is one instruction where clz itself is made of it. */
	return x ? (63 ^ __builtin_clzll(x)) + 1 : 0;
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 cpu_to_le64(u64 x)
{
	return htole64(x);
}

static inline u64 le64_to_cpu(u64 x)
{
	return le64toh(x);
}

#endif /* __KERNEL__ */

#endif /* RDMASCOPE_ENV_H */
