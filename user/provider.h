/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which provider library does libibverbs need for a device, and is it there?
 */
#ifndef PROVIDER_H
#define PROVIDER_H

#include <limits.h>
#include <stdbool.h>

#include <rdmascope/env.h>

/**
 * struct provider - the user half of a driver
 * @name: "mlx5", "rxe"; "" when it is not known which one is needed
 * @library: path of the library, "" when it is not found
 * @configured: libibverbs is told of it
 */
struct provider {
	char name[32];
	char library[PATH_MAX / 8];
	bool configured;
};

void provider_find(const char *root, const char *driver, struct provider *p);
const char *provider_driver(u64 driver_id);
bool provider_missing(const struct provider *p);

#endif /* PROVIDER_H */
