/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The commands. Each returns the exit status.
 */
#ifndef CMD_H
#define CMD_H

#include "opts.h"

int cmd_links(struct options *o);
int cmd_gids(struct options *o);
int cmd_device(struct options *o);
int cmd_check(struct options *o);
int cmd_export(struct options *o);
int cmd_run(struct options *o);
int cmd_compare(struct options *o);
int cmd_explain(struct options *o);
int cmd_status(struct options *o);
int cmd_stop(struct options *o);
int cmd_watch(struct options *o);

#endif /* CMD_H */
