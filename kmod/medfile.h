/* SPDX-License-Identifier: GPL-2.0 */
/* Level 5. The file mediated. */
#ifndef RSCOPE_MEDFILE_H
#define RSCOPE_MEDFILE_H

#include <linux/fs.h>

extern const struct file_operations rscope_mediated_fops;

#endif /* RSCOPE_MEDFILE_H */
