/* SPDX-License-Identifier: GPL-2.0 */
/* Level 4. A port in the hands of a process, one operation per system call. */
#ifndef RSCOPE_MEDIATED_H
#define RSCOPE_MEDIATED_H

#include "devs.h"

struct rscope_mediated;

struct rscope_mediated *rscope_mediated_alloc(struct rscope_port *port);
ssize_t rscope_mediated_write(struct rscope_mediated *m, const char __user *from, size_t len,
			      loff_t pos);
ssize_t rscope_mediated_read(struct rscope_mediated *m, char __user *to, size_t len, loff_t pos);
void rscope_mediated_release(struct rscope_mediated *m);
int rscope_mediated_cancel(struct rscope_port *port);
void rscope_mediated_remove(struct rscope_port *port);

#endif /* RSCOPE_MEDIATED_H */
