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

/** words_wc_status() - enum ibv_wc_status, in the words of the kernel's ib_wc_status_msg() */
WORD(wc_status, "success", "local length error", "local QP operation error",
     "local EE context operation error", "local protection error", "WR flushed",
     "memory bind operation error", "bad response error", "local access error",
     "remote invalid request error", "remote access error", "remote operation error",
     "transport retry counter exceeded", "RNR retry counter exceeded", "local RDD violation error",
     "remote invalid RD request", "operation aborted", "invalid EE context number",
     "invalid EE context state", "fatal error", "response timeout error", "general error")
