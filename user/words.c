// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "words.h"

static const char *const port_states[] = {
	"NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER",
};

/* The words of `rdma link`. */
static const char *const phys_states[] = {
	"NOP", "SLEEP", "POLLING", "DISABLED", "ARMED", "LINK_UP", "LINK_ERROR_RECOVER",
	"PHY_TEST", "UNKNOWN", "OPA_OFFLINE", "UNKNOWN", "OPA_TEST",
};

static const char *const node_types[] = {
	"unspecified", "ca", "switch", "router", "rnic", "usnic", "usnic_udp", "unspecified",
};

/* RFC 2863 */
static const char *const operstates[] = {
	"unknown", "notpresent", "down", "lowerlayerdown", "testing", "dormant", "up",
};

static const char *const qp_states[] = {
	"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR",
};

/* The words of the kernel's ib_wc_status_msg(); the numbers are the same on both sides. */
static const char *const wc_statuses[] = {
	"success", "local length error", "local QP operation error",
	"local EE context operation error", "local protection error", "WR flushed",
	"memory bind operation error", "bad response error", "local access error",
	"remote invalid request error", "remote access error", "remote operation error",
	"transport retry counter exceeded", "RNR retry counter exceeded",
	"local RDD violation error", "remote invalid RD request", "operation aborted",
	"invalid EE context number", "invalid EE context state", "fatal error",
	"response timeout error", "general error",
};

#define WORD(words, v) ((v) < ARRAY_SIZE(words) ? (words)[v] : "UNKNOWN")

/**
 * words_port_state() - enum ib_port_state
 * @v: its number
 *
 * Return: the word, "UNKNOWN" for a number beyond the table.
 */
const char *words_port_state(u32 v)
{
	return WORD(port_states, v);
}

/**
 * words_phys_state() - physical port state
 * @v: its number
 *
 * Return: the word, "UNKNOWN" for a number beyond the table.
 */
const char *words_phys_state(u32 v)
{
	return WORD(phys_states, v);
}

/**
 * words_node_type() - enum rdma_node_type
 * @v: its number
 *
 * Return: the word, "UNKNOWN" for a number beyond the table.
 */
const char *words_node_type(u32 v)
{
	return WORD(node_types, v);
}

/**
 * words_family() - which verbs a device has
 * @node_type: of words_node_type()
 *
 * Return: "ib", which is RoCE where the link layer is Ethernet, "iwarp" or "none".
 */
const char *words_family(const char *node_type)
{
	if (!strcmp(node_type, "ca") || !strcmp(node_type, "switch") ||
	    !strcmp(node_type, "router"))
		return "ib";
	return !strcmp(node_type, "rnic") ? "iwarp" : "none";
}

/**
 * words_operstate() - operational state of a netdev
 * @v: its number
 *
 * Return: the word, "UNKNOWN" for a number beyond the table.
 */
const char *words_operstate(u32 v)
{
	return WORD(operstates, v);
}

/**
 * words_qp_state() - enum ibv_qp_state
 * @v: its number
 *
 * Return: the word, "UNKNOWN" for a number beyond the table.
 */
const char *words_qp_state(u32 v)
{
	return WORD(qp_states, v);
}

/**
 * words_wc_status() - enum ibv_wc_status
 * @v: its number
 *
 * Return: the word, "UNKNOWN" for a number beyond the table.
 */
const char *words_wc_status(u32 v)
{
	return WORD(wc_statuses, v);
}
