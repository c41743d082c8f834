/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which addresses does a netdev have, as user space sees them?
 */
#ifndef USIDE_H
#define USIDE_H

int uside_has_inet6(const char *root, const char *gid, const char *netdev);

#endif /* USIDE_H */
