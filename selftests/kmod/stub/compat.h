/* SPDX-License-Identifier: GPL-2.0 */
/* What the verbs table of older and newer kernels has different. */
#ifndef RDMASCOPE_STUB_COMPAT_H
#define RDMASCOPE_STUB_COMPAT_H

#include <rdma/ib_verbs.h>

#ifdef HAVE_U8_PORTS
typedef u8 stub_port_t;
#else
typedef u32 stub_port_t;
#endif

#ifdef HAVE_CREATE_CQ_ATTRS
#define STUB_CQ_EXTRA struct uverbs_attr_bundle *attrs
#else
#define STUB_CQ_EXTRA struct ib_udata *udata
#endif

#ifdef HAVE_REG_USER_MR_DMAH
#define STUB_USER_MR_EXTRA struct ib_dmah *dmah, struct ib_udata *udata
#else
#define STUB_USER_MR_EXTRA struct ib_udata *udata
#endif

#endif /* RDMASCOPE_STUB_COMPAT_H */
