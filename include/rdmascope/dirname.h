/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What is the directory of a device called? By its name, or DEV@INDEX where
 * that is taken; the name of a device may be one that no file can have.
 */
#ifndef RDMASCOPE_DIRNAME_H
#define RDMASCOPE_DIRNAME_H

#include "abi.h"
#include "env.h"
#include "record.h"

/** RSCOPE_DIRNAME_MAX - bytes of a directory name, NUL included. */
#define RSCOPE_DIRNAME_MAX (RSCOPE_WORD_MAX + 24)

/**
 * rscope_dirname() - name of a directory
 * @to: result, RSCOPE_DIRNAME_MAX bytes
 * @dev: name of the device
 * @index: its index, or RSCOPE_NONE for the plain name
 *
 * A slash becomes an exclamation mark, as the driver core does when it
 * registers a device; when it renames one it does not.
 */
static inline void rscope_dirname(char *to, const char *dev, u64 index)
{
	char *at;

	if (index == RSCOPE_NONE)
		snprintf(to, RSCOPE_DIRNAME_MAX, "%s", dev);
	else
		snprintf(to, RSCOPE_DIRNAME_MAX, "%s@%llu", dev, index);
	for (at = to; *at; at++)
		if (*at == '/')
			*at = '!';
}

/**
 * rscope_dirname_dots() - does a name stand for a directory that exists anyway?
 * @name: plain name
 *
 * Return: whether it is "." or "..", which always needs the index.
 */
static inline bool rscope_dirname_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

#endif /* RDMASCOPE_DIRNAME_H */
