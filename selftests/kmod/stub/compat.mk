# SPDX-License-Identifier: GPL-2.0
#
# Verbs whose prototype differs between kernels; after kmod/compat.mk, which
# probes the same headers and says when there are none.

stub-verbs := $(srctree)/include/rdma/ib_verbs.h
# $(call stub-arg,verb,word,text): text when the prototype of the verb has the word.
stub-arg = $(shell sed -n '/[*]$(1)\W/,/;/p' $(stub-verbs) | grep -qw '$(2)' && echo $(3))

# A canary: a prototype that reads the same everywhere.
ifneq ($(call stub-arg,poll_cq,num_entries,y),y)
$(error rdmascope_stub: the verbs of $(stub-verbs) are not where they were)
endif

STUB_COMPAT := \
	$(call stub-arg,query_port,u8,-DHAVE_U8_PORTS) \
	$(call stub-arg,create_qp,ib_pd,-DHAVE_DRIVER_MADE_QPS) \
	$(call stub-arg,create_cq,uverbs_attr_bundle,-DHAVE_CREATE_CQ_ATTRS) \
	$(call stub-arg,reg_user_mr,ib_dmah,-DHAVE_REG_USER_MR_DMAH)
