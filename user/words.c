// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "words.h"

#define WORD(name, ...) \
	const char *words_##name(u32 v) \
	{ \
		static const char *const words[] = { __VA_ARGS__ }; \
\
		return v < ARRAY_SIZE(words) && words[v] ? words[v] : "UNKNOWN"; \
	}

/** words_port_state() - enum ib_port_state */
WORD(port_state, "NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER")

/** words_phys_state() - physical port state, the words of `rdma link` */
WORD(phys_state, "NOP", "SLEEP", "POLLING", "DISABLED", "ARMED", "LINK_UP", "LINK_ERROR_RECOVER",
     "PHY_TEST", "UNKNOWN", "OPA_OFFLINE", "UNKNOWN", "OPA_TEST")

/** words_node_type() - enum rdma_node_type, from 1 */
WORD(node_type, "unspecified", "ca", "switch", "router", "rnic", "usnic", "usnic_udp", "unspecified")

/** words_operstate() - operational state, RFC 2863 */
WORD(operstate, "unknown", "notpresent", "down", "lowerlayerdown", "testing", "dormant", "up")

/** words_qp_state() - enum ibv_qp_state */
WORD(qp_state, "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR")

/** words_wc_status() - enum ibv_wc_status, as ibv_wc_status_str() names them in verbs.h */
WORD(wc_status, "SUCCESS", "LOC_LEN_ERR", "LOC_QP_OP_ERR", "LOC_EEC_OP_ERR", "LOC_PROT_ERR",
     "WR_FLUSH_ERR", "MW_BIND_ERR", "BAD_RESP_ERR", "LOC_ACCESS_ERR", "REM_INV_REQ_ERR",
     "REM_ACCESS_ERR", "REM_OP_ERR", "RETRY_EXC_ERR", "RNR_RETRY_EXC_ERR", "LOC_RDD_VIOL_ERR",
     "REM_INV_RD_REQ_ERR", "REM_ABORT_ERR", "INV_EECN_ERR", "INV_EEC_STATE_ERR", "FATAL_ERR",
     "RESP_TIMEOUT_ERR", "GENERAL_ERR", "TM_ERR", "TM_RNDV_INCOMPLETE")
