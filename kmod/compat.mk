# SPDX-License-Identifier: GPL-2.0
#
# What does the kernel being built for offer? Its headers are asked, not its
# version number: distributions backport.

# $(call rscope-has,word,header): y when the header of that kernel has the word.
rscope-has = $(shell grep -qsw '$(1)' '$(srctree)/$(2)' && echo y)
rscope-def = $(if $(call rscope-has,$(1),$(2)),-D$(3))

# Probing itself is probed: a word that is there, and one that is not.
ifneq ($(call rscope-has,ib_register_client,include/rdma/ib_verbs.h),y)
$(error rdmascope: no RDMA headers at $(srctree)/include/rdma: install the headers of the kernel to build for, or set KDIR)
endif
ifeq ($(call rscope-has,rscope_is_not_in_any_kernel,include/rdma/ib_verbs.h),y)
$(error rdmascope: probing $(srctree) finds words that are not there)
endif

RSCOPE_COMPAT := \
	$(call rscope-def,ib_device_get_netdev,include/rdma/ib_verbs.h,HAVE_IB_DEVICE_GET_NETDEV) \
	$(call rscope-def,debugfs_change_name,include/linux/debugfs.h,HAVE_DEBUGFS_CHANGE_NAME)
