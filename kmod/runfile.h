/* SPDX-License-Identifier: GPL-2.0 */
/* Level 5. The files run and result. */
#ifndef RSCOPE_RUNFILE_H
#define RSCOPE_RUNFILE_H

#include <linux/fs.h>

extern const struct file_operations rscope_run_fops;
extern const struct file_operations rscope_result_fops;

#endif /* RSCOPE_RUNFILE_H */
