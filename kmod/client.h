/* SPDX-License-Identifier: GPL-2.0 */
/* Level 6. RDMA devices come and go. */
#ifndef RSCOPE_CLIENT_H
#define RSCOPE_CLIENT_H

int rscope_client_register(void);
void rscope_client_unregister(void);

#endif /* RSCOPE_CLIENT_H */
