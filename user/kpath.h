/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The files of the module: reading them, starting a run, cancelling one.
 */
#ifndef KPATH_H
#define KPATH_H

#include <rdmascope/record.h>

/**
 * struct ktext - what a file held
 * @text: its text, NUL behind it; free() it
 * @len: length
 */
struct ktext {
	char *text;
	size_t len;
};

/**
 * struct krun - a kernel run
 * @fd: of the file `run`
 * @started: the module accepted the line: there is a report
 * @err: errno of the write, 0 when it succeeded
 * @told: the module gave a reason for @err
 * @report: the report, text NULL when there is none
 */
struct krun {
	int fd;
	bool started;
	bool told;
	int err;
	struct ktext report;
};

int kpath_read(const char *root, const char *file, struct ktext *t, struct rscope_error *e);
int kpath_dir(const char *root, const char *dev, u64 ifindex, char *dir, size_t size);
int kpath_write(const char *root, const char *file, const char *line, struct rscope_error *e);
int kpath_run(const char *root, const char *dir, unsigned int port, const char *line,
	      struct krun *run, struct rscope_error *e);
int kpath_arm(const char *root, const char *dir, unsigned int port, const char *line, int *fd,
	      struct rscope_error *e);
int kpath_state(const char *root, const char *dir, unsigned int port, struct rscope_state *state,
		struct rscope_error *e);
int kpath_abi(const char *root, struct rscope_abi *abi, struct rscope_error *e);

#endif /* KPATH_H */
