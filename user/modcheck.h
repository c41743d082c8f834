/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Would the installed rdmascope.ko load? As far as its file and that of ib_core tell.
 */
#ifndef MODCHECK_H
#define MODCHECK_H

#include <rdmascope/env.h>

/** enum modfit - does the installed module fit? */
enum modfit {
	MODFIT_UNKNOWN, /* none is installed, or nothing speaks against it */
	MODFIT_OTHER_STACK, /* linked against another ib_core */
	MODFIT_OTHER_KERNEL,
	MODFIT_STALE_CORE, /* ib_core was replaced since it was loaded */
	MODFIT_UNREADABLE,
	MODFIT_NR
};

/**
 * struct modcheck - what was found
 * @fit: the verdict
 * @release: of the running kernel
 * @path: of rdmascope.ko
 * @core: of ib_core.ko, "" when there is none
 * @kernel: the kernel that rdmascope.ko was built for
 * @how: what does not fit, or ""
 * @why: it cannot be read
 */
struct modcheck {
	enum modfit fit;
	char release[80];
	char path[192];
	char core[192];
	char kernel[80];
	char how[224];
	char why[80];
};

void modcheck_read(const char *root, struct modcheck *c);

#endif /* MODCHECK_H */
