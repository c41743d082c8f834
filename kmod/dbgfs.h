/* SPDX-License-Identifier: GPL-2.0 */
/* Level 5. The files. */
#ifndef RSCOPE_DBGFS_H
#define RSCOPE_DBGFS_H

#include "devs.h"

void rscope_dbgfs_init(bool loopback, bool fault_points);
void rscope_dbgfs_publish(void);
void rscope_dbgfs_withdraw(void);
void rscope_dbgfs_exit(void);
int rscope_dbgfs_add(struct rscope_dev *dev);
void rscope_dbgfs_rename(struct rscope_dev *dev);

#endif /* RSCOPE_DBGFS_H */
