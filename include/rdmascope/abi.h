/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The names module, tool, documents and tests agree on: file names, limits,
 * and the key tables. Every printer, parser, option list and check expands
 * these tables, so that a key is added in exactly one place.
 *
 * Ranges are inclusive. Units are part of the key name where the value has one
 * (_ns, _bytes, _ms); codes of the InfiniBand specification have none.
 */
#ifndef RDMASCOPE_ABI_H
#define RDMASCOPE_ABI_H

/** RSCOPE_ABI - version of everything in debugfs; the tool refuses any other. */
#define RSCOPE_ABI 1

/** RSCOPE_VERSION - version of module and tool, independent of the ABI. */
#define RSCOPE_VERSION "0.1.0"

/** RSCOPE_DIR - name of the directory below the debugfs root. */
#define RSCOPE_DIR "rdmascope"

/* ------------------------------------------------------------------ limits */

#define RSCOPE_LINE_MAX 4096 /* bytes of one command line, LF included */
#define RSCOPE_MSG_MAX 192 /* bytes of a reason or last_error, NUL included */
#define RSCOPE_WORD_MAX 64 /* bytes of one string value, NUL included */
#define RSCOPE_WORKLOAD_MAX 640 /* bytes of a printed workload line, NUL included */
#define RSCOPE_GID_SLOTS 256 /* GID indexes an address vector can name (u8) */
#define RSCOPE_MEMORY_MAX_BYTES (256ULL << 20) /* data buffers of one run */
#define RSCOPE_TIMEOUT_MAX_MS 3600000 /* no run lasts longer than an hour */
#define RSCOPE_TIMEOUT_SLACK_MS 10000 /* default deadline beyond the expected end */
#define RSCOPE_POLL_MAX 16 /* completions taken by one poll */
#define RSCOPE_EMPTY_POLLS 64 /* empty polls between two looks at the deadline */
#define RSCOPE_QP_WR_MAX 32768 /* work requests of all QPs of a run together */

/* ------------------------------------------------------------- enumerations */

/*
 * X(symbol, word, help)
 *
 * The order is ABI only inside one build: on the outside there are words.
 */
#define RSCOPE_OPS(X) \
	X(SEND, "send", "send to a posted receive; complete when both sides are") \
	X(SEND_IMM, "send_imm", "send with immediate data") \
	X(SEND_INV, "send_inv", "send with remote invalidate") \
	X(WRITE, "write", "RDMA write") \
	X(WRITE_IMM, "write_imm", "RDMA write with immediate data") \
	X(READ, "read", "RDMA read") \
	X(CAS, "cas", "atomic compare and swap, 8 bytes") \
	X(FAA, "faa", "atomic fetch and add, 8 bytes") \
	X(NOP, "nop", "cross into the kernel and do nothing (mediated path only)")

#define RSCOPE_QP_TYPES(X) \
	X(RC, "rc", "reliable connection") \
	X(UC, "uc", "unreliable connection") \
	X(UD, "ud", "unreliable datagram")

#define RSCOPE_PATTERNS(X) \
	X(ONEWAY, "oneway", "the active side posts, latency is post to completion") \
	X(PINGPONG, "pingpong", "both sides post in turn, latency is half the round trip")

#define RSCOPE_CQ_KINDS(X) \
	X(POLL, "poll", "busy polling; the kernel side calls it direct") \
	X(DIRECT, "direct", "busy polling in the kernel; the user side calls it poll") \
	X(SOFTIRQ, "softirq", "kernel completions in softirq context") \
	X(WORKQUEUE, "workqueue", "kernel completions from a workqueue") \
	X(EVENT, "event", "sleep on the completion channel; kernel: softirq")

#define RSCOPE_MR_KINDS(X) \
	X(FASTREG, "fastreg", "local buffer in a fast-registered MR (user: a registered MR)") \
	X(DMA, "dma", "local buffer through the local DMA lkey (kernel only)")

#define RSCOPE_VERDICTS(X) \
	X(PASS, "pass", "everything asked for was done and found right") \
	X(FAIL, "fail", "a completion error or a byte that is not what it must be") \
	X(UNSUPPORTED, "unsupported", "the device cannot do this") \
	X(ABORTED, "aborted", "stopped by a signal, cancel, removal or the deadline")

/* What the run was doing when the verdict fell. */
#define RSCOPE_STAGES(X) \
	X(CHECK, "check", "checking the workload against the device") \
	X(ADDRESS, "address", "choosing the GID or LID") \
	X(PD, "pd", "allocating the protection domain") \
	X(CQ, "cq", "creating the CQ") \
	X(MR, "mr", "allocating, mapping and registering memory") \
	X(QP, "qp", "creating the QPs") \
	X(INIT, "init", "QP RESET to INIT") \
	X(RTR, "rtr", "QP INIT to RTR") \
	X(RTS, "rts", "QP RTR to RTS") \
	X(WARMUP, "warmup", "operations before the timed pass") \
	X(TIMED, "timed", "the timed pass") \
	X(COST, "cost", "the pass that times single post and poll calls") \
	X(VERIFY, "verify", "the untimed pass that checks every byte") \
	X(TEARDOWN, "teardown", "flushing and destroying") \
	X(DONE, "done", "finished")

#define RSCOPE_PATHS(X) \
	X(KERNEL, "kernel", "the module posts through kernel verbs") \
	X(USER, "user", "the tool posts through uverbs") \
	X(MEDIATED, "mediated", "the tool makes one system call per operation, the module posts")

#define RSCOPE_GID_TYPES(X) \
	X(IB, "ib", "InfiniBand") \
	X(ROCE_V1, "roce_v1", "RoCE v1, Ethernet type 0x8915") \
	X(ROCE_V2, "roce_v2", "RoCE v2, UDP port 4791")

#define RSCOPE_PROTOCOLS(X) \
	X(NONE, "none", "no RDMA protocol on this port") \
	X(IB, "ib", "InfiniBand or Omni-Path") \
	X(ROCE, "roce", "RDMA over converged Ethernet") \
	X(IWARP, "iwarp", "RDMA over TCP")

/*
 * Why the two layers of a port do not fit, or have no netdev. "ok" agrees.
 */
#define RSCOPE_LINK_REASONS(X) \
	X(OK, "ok", "both layers are well") \
	X(IB_LINK_LAYER, "ib-link-layer", "InfiniBand ports have no port netdev by design") \
	X(NO_NETDEV, "no-netdev", "the driver names no netdev for this port") \
	X(PORT_DOWN, "port-down", "the RDMA port is not ACTIVE although the netdev is up") \
	X(NETDEV_DOWN, "netdev-down", "the netdev is administratively down") \
	X(NO_CARRIER, "no-carrier", "the netdev is up but has no carrier") \
	X(ACTIVE_NO_CARRIER, "active-without-carrier", \
	  "port ACTIVE while the netdev has no carrier") \
	X(ACTIVE_NETDEV_DOWN, "active-netdev-down", "port ACTIVE while the netdev is down") \
	X(QUERY_FAILED, "query-failed", "the driver failed to answer for this port")

/*
 * One-shot failure points for tests, armed by writing "POINT=ARG" to the fault
 * file (module parameter fault_points=1) or with the tool's --fault.
 */
#define RSCOPE_FAULTS(X) \
	X(CORRUPT, "corrupt", "flip the byte at offset ARG of one destination of the verify pass") \
	X(EFFECT, "effect", "operation ARG of the verify pass: other immediate data or operand") \
	X(DELAY, "delay", "each post of the next timed pass takes ARG ns longer (one thread)") \
	X(WAKEUP, "wakeup", "the ARG-th wake-up of the next timed pass is left out (one thread)") \
	X(POST, "post", "the ARG-th post of a run returns -ENOMEM") \
	X(PD, "pd", "PD allocation fails") \
	X(CQ, "cq", "CQ creation fails") \
	X(MR, "mr", "MR allocation fails") \
	X(QP, "qp", "QP creation fails") \
	X(INIT, "init", "the transition to INIT fails") \
	X(RTR, "rtr", "the transition to RTR fails") \
	X(RTS, "rts", "the transition to RTS fails")

/* ------------------------------------------------------------ workload keys */

/*
 * I(member, key, min, max, default, unit, help) - a decimal integer
 * E(member, key, TABLE, prefix of its symbols, default, help) - a word of TABLE
 * S(member, key, help) - a word
 *
 * Member and key are the same but for "inline", a keyword of C.
 *
 * Defaults follow perftest where that is sane (retry_cnt 7, ack_timeout 14,
 * 1000 iterations, one QP); rnr_retry is 6 because 7 means for ever.
 */
#define RSCOPE_WORKLOAD_KEYS(I, E, S) \
	E(op, "op", OPS, OP, RSCOPE_OP_WRITE, "operation") \
	E(qp, "qp", QP_TYPES, QPT, RSCOPE_QPT_RC, "QP type") \
	E(pattern, "pattern", PATTERNS, PATTERN, RSCOPE_PATTERN_ONEWAY, "who posts") \
	I(size, "size", 1, 1 << 30, 64, "bytes", "bytes per operation; cas and faa: 8") \
	I(mtu, "mtu", 0, 4096, 0, "bytes", \
	  "path MTU: 256 512 1024 2048 4096; 0 = the port's active MTU") \
	I(inline_data, "inline", 0, 1, 0, "", "1 = ask for inline data") \
	I(iters, "iters", 1, 100000000000, 1000, "operations", \
	  "operations of the run, split over the QPs") \
	I(duration_ms, "duration_ms", 1, 3600000, 0, "ms", \
	  "run this long instead of iters; 0 (default) = use iters") \
	I(warmup, "warmup", 0, 1000000, 100, "operations", \
	  "operations before the timed pass, not counted") \
	I(depth, "depth", 1, 16384, 1, "WRs", "outstanding work requests per QP") \
	I(batch, "batch", 1, 64, 1, "WRs", "work requests per post call, at most depth") \
	I(signal, "signal", 1, 16384, 1, "WRs", \
	  "every n-th work request is signalled, at most depth") \
	I(qps, "qps", 1, 128, 1, "QPs", "QP pairs") \
	I(threads, "threads", 1, 32, 1, "threads", \
	  "threads sharing the QPs; ping-pong: twice the QPs = one for each end") \
	I(cpu, "cpu", -1, 8191, -1, "", "pin to this CPU; -1 = where the caller runs") \
	E(cq, "cq", CQ_KINDS, CQ, RSCOPE_CQ_POLL, "how completions are noticed") \
	E(mr, "mr", MR_KINDS, MR, RSCOPE_MR_FASTREG, "key of the local buffer") \
	I(gid_index, "gid_index", -1, 255, -1, "", \
	  "GID table index; -1 = best by the shared score") \
	I(verify, "verify", 0, 1, 0, "", "1 = a second, untimed pass that checks every byte") \
	I(ack_timeout, "ack_timeout", 1, 31, 14, "", \
	  "local ACK timeout, IBTA code: 4.096 us * 2^n") \
	I(retry_cnt, "retry_cnt", 0, 7, 7, "", "retries after a lost packet") \
	I(rnr_retry, "rnr_retry", 0, 7, 6, "", "retries after receiver-not-ready; 7 = for ever") \
	I(min_rnr_timer, "min_rnr_timer", 1, 31, 12, "", "RNR NAK timer, IBTA code; 12 = 0.64 ms") \
	I(timeout_ms, "timeout_ms", 1, RSCOPE_TIMEOUT_MAX_MS, 0, "ms", \
	  "deadline of the whole run; 0 (default) = expected duration + 10 s") \
	S(peer, "peer", "DEV/PORT of the other end; reserved, refused as unsupported")

/* -------------------------------------------------------------- report keys */

/*
 * U(key, required, unit, help) - an unsigned decimal integer
 * T(key, required, size, help) - a text of at most size - 1 bytes
 *
 * required: 1 = every report has it, 0 = absent when it was not measured.
 * Sums and counts only: percentiles, means and ratios are derived once, in
 * user space, by one code for every path.
 */
#define RSCOPE_REPORT_KEYS(U, T) \
	U(run_id, 1, "", "number of this run since the module was loaded, from 1") \
	T(path, 1, 16, "kernel, user or mediated") \
	T(dev, 1, RSCOPE_WORD_MAX, "RDMA device") \
	U(port, 1, "", "port number, from 1") \
	T(driver, 0, RSCOPE_WORD_MAX, "driver of the device; user path: provider library") \
	T(kernel, 0, 65, "kernel release") \
	T(workload, 1, RSCOPE_WORKLOAD_MAX, "the effective workload line") \
	T(verdict, 1, 16, "pass, fail, unsupported or aborted") \
	T(reason, 0, RSCOPE_MSG_MAX, "why, when the verdict is not pass") \
	T(stage, 0, 16, "stage the verdict fell in; done when finished") \
	T(link, 0, 24, "what the bytes crossed: internal-loopback") \
	T(wc_status, 0, 40, "status of the first failed completion") \
	U(vendor_err, 0, "", "vendor error of the first failed completion") \
	U(failed_op, 0, "", "operation number of the first failed completion, from 0") \
	T(qp_state, 0, 16, "state of the active QP when the run was aborted or failed") \
	T(peer_qp_state, 0, 16, "state of the passive QP then") \
	U(posted, 0, "WRs", "work requests posted in the stage named") \
	U(completed, 0, "operations", "operations completed in the stage named") \
	U(ops, 0, "operations", "operations of the timed pass") \
	U(bytes, 0, "bytes", "payload bytes of the timed pass") \
	U(elapsed_ns, 0, "ns", "first post to last completion of the timed pass") \
	U(samples, 0, "", "latency samples: one per signalled operation") \
	U(min_ns, 0, "ns", "smallest latency") \
	U(max_ns, 0, "ns", "largest latency") \
	U(max_at_op, 0, "", "operation number of the largest latency, from 0") \
	U(sum_ns, 0, "ns", "sum of the latencies") \
	U(pivot_ns, 0, "ns", "first sample; squares are taken around it") \
	U(sq_hi, 0, "ns^2 / 2^64", "sum of (latency - pivot_ns)^2, upper 64 bits") \
	U(sq_lo, 0, "ns^2", "sum of (latency - pivot_ns)^2, lower 64 bits") \
	U(overflow, 0, "", "samples beyond the histogram's range") \
	U(cost_ops, 0, "operations", "operations of the cost pass") \
	U(post_calls, 0, "", "post calls of the cost pass") \
	U(post_ns, 0, "ns", "time inside these post calls, together") \
	U(poll_calls, 0, "", "polls of the cost pass that found a completion") \
	U(poll_ns, 0, "ns", "time inside these polls, together") \
	U(empty_polls, 0, "", "polls of the timed pass that found nothing") \
	U(setup_pd_ns, 0, "ns", "PD allocation") \
	U(setup_cq_ns, 0, "ns", "CQ creation") \
	U(setup_mr_ns, 0, "ns", "allocation, mapping and registration of all buffers") \
	U(setup_qp_ns, 0, "ns", "creation of all QPs") \
	U(setup_init_ns, 0, "ns", "RESET to INIT of all QPs") \
	U(setup_rtr_ns, 0, "ns", "INIT to RTR of all QPs") \
	U(setup_rts_ns, 0, "ns", "RTR to RTS of all QPs") \
	U(teardown_ns, 0, "ns", "flush and destruction of everything") \
	U(cpu_ns, 0, "ns", "CPU time of the measuring thread in the timed pass") \
	U(system_cpu_ns, 0, "ns", "busy time of all CPUs in the timed pass, in ticks") \
	U(ctxsw, 0, "", "context switches of the measuring thread in the timed pass") \
	U(wakeups, 0, "", "sleeps in the timed pass that a completion ended") \
	U(lost_wakeups, 0, "", "sleeps in the timed pass that only their time limit ended") \
	U(clock_ns, 0, "ns", "cost of one clock read") \
	T(clocksource, 0, 32, "kernel clocksource during the run") \
	U(cpu, 0, "", "CPU the timed pass ended on") \
	U(memory_bytes, 0, "bytes", "data buffers of the run") \
	U(verify_ops, 0, "operations", "operations of the verify pass") \
	U(verify_bytes, 0, "bytes", "bytes checked: destinations, sources and guards") \
	U(mismatches, 0, "bytes", "bytes that were not what they must be") \
	U(first_mismatch, 0, "bytes", "offset of the first wrong byte in its message") \
	U(mismatch_op, 0, "", "operation of that message, from 0") \
	T(mismatch_where, 0, 24, "destination, source or guard") \
	U(mismatch_expected, 0, "", "byte expected there") \
	U(mismatch_got, 0, "", "byte found there") \
	U(mtu, 0, "bytes", "path MTU used") \
	U(gid_index, 0, "", "GID index used") \
	T(gid, 0, 46, "GID used") \
	T(gid_type, 0, 16, "its type") \
	T(gid_netdev, 0, 16, "its netdev") \
	U(lid, 0, "", "LID used (InfiniBand)") \
	U(slots, 0, "", "buffers per QP and side in the timed pass") \
	U(rd_atomic, 0, "", "outstanding reads and atomics per QP") \
	U(inline_bytes, 0, "bytes", "inline capability the device granted") \
	U(sq_wrs, 0, "WRs", "send queue length the device granted") \
	U(rq_wrs, 0, "WRs", "receive queue length the device granted") \
	U(cq_entries, 0, "", "CQ length the device granted") \
	U(mrs, 0, "", "memory regions registered") \
	T(local_key, 0, 16, "kind of the local key: fastreg, dma or user") \
	U(page_bytes, 0, "bytes", "page size of the registrations")

/* ----------------------------------------------------------- mapping records */

/*
 * N(key, unit, help) - an unsigned decimal integer
 * T(key, size, help) - a text
 *
 * Every record carries every key of its table; "-" stands for none. The keys
 * ifindex ifname port state physical_state netdev netdev_index mean what the
 * same keys of `rdma -j link` mean.
 */
#define RSCOPE_LINK_KEYS(N, T) \
	N(ifindex, "", "index of the RDMA device") \
	T(ifname, RSCOPE_WORD_MAX, "name of the RDMA device") \
	N(port, "", "port number, from 1") \
	T(state, 16, "logical state: NOP DOWN INIT ARMED ACTIVE ACTIVE_DEFER") \
	T(physical_state, 32, "physical state: SLEEP POLLING DISABLED ... LINK_UP ...") \
	T(netdev, 16, "the port's netdev") \
	N(netdev_index, "", "its ifindex") \
	T(protocol, 8, "none, ib, roce or iwarp") \
	T(link_layer, 16, "infiniband, ethernet or unspecified") \
	N(rate_mbps, "Mb/s", "signalling rate: width times lane speed") \
	T(width, 8, "lanes: 1X 2X 4X 8X 12X") \
	N(active_mtu_bytes, "bytes", "active MTU of the port") \
	N(max_mtu_bytes, "bytes", "largest MTU of the port") \
	N(lid, "", "LID, 0 on Ethernet") \
	N(sm_lid, "", "LID of the subnet manager") \
	T(subnet_prefix, 24, "subnet prefix, InfiniBand only") \
	N(gids, "", "length of the GID table") \
	N(netns, "", "inode of the RDMA device's network namespace") \
	N(netdev_netns, "", "inode of the netdev's network namespace") \
	T(netdev_admin, 8, "up or down: IFF_UP") \
	T(netdev_oper, 16, "operational state, RFC 2863 words") \
	N(netdev_carrier, "", "1 = carrier") \
	N(netdev_mtu_bytes, "bytes", "MTU of the netdev") \
	T(netdev_addr, 64, "link-layer address of the netdev") \
	T(netdev_master, 16, "upper device the netdev is enslaved to") \
	T(driver, RSCOPE_WORD_MAX, "driver of the RDMA device") \
	T(kverbs, 4, "yes when kernel consumers can use the device") \
	N(agree, "", "1 when both layers tell the same story") \
	T(reason, 24, "why not, or why there is no netdev; ok")

#define RSCOPE_GID_KEYS(N, T) \
	N(ifindex, "", "index of the RDMA device") \
	T(ifname, RSCOPE_WORD_MAX, "name of the RDMA device") \
	N(port, "", "port number, from 1") \
	N(index, "", "index in the port's GID table") \
	T(gid, 46, "GID, eight groups of four hexadecimal digits") \
	T(type, 16, "ib, roce_v1 or roce_v2") \
	T(scope, 16, "ipv4, global, link-local or zero") \
	T(netdev, 16, "netdev of this entry; may differ from the port's") \
	N(netdev_index, "", "its ifindex") \
	N(netdev_netns, "", "inode of its network namespace") \
	N(vlan, "", "VLAN id") \
	N(score, "", "how good for a loopback, 0 = unusable (gidpick.h)")

/*
 * One `key: value` line each, in <dev>/device.
 */
#define RSCOPE_DEVICE_KEYS(N, T) \
	N(ifindex, "", "index of the RDMA device") \
	T(ifname, RSCOPE_WORD_MAX, "name of the RDMA device") \
	T(driver, RSCOPE_WORD_MAX, "module of the driver") \
	T(node_type, 16, "ca, switch, router, rnic, usnic, usnic_udp, unspecified") \
	T(node_guid, 24, "node GUID") \
	T(sys_image_guid, 24, "system image GUID") \
	T(fw, RSCOPE_WORD_MAX, "firmware version") \
	T(parent, RSCOPE_WORD_MAX, "parent device, a PCI address as a rule") \
	N(numa_node, "", "NUMA node of the parent") \
	N(netns, "", "inode of the network namespace") \
	N(ports, "", "number of ports") \
	T(kverbs, 4, "yes or no: usable by kernel consumers") \
	T(kverbs_missing, 32, "first kernel verb the driver lacks") \
	N(max_qp, "", "QPs") \
	N(max_qp_wr, "WRs", "work requests per queue") \
	N(max_send_sge, "", "SGEs of a send") \
	N(max_recv_sge, "", "SGEs of a receive") \
	N(max_cq, "", "CQs") \
	N(max_cqe, "", "entries per CQ") \
	N(max_mr, "", "memory regions") \
	N(max_mr_bytes, "bytes", "largest memory region") \
	N(max_fast_reg_pages, "pages", "pages of one fast registration") \
	N(max_qp_rd_atom, "", "incoming reads and atomics per QP") \
	N(max_qp_init_rd_atom, "", "outgoing reads and atomics per QP") \
	T(atomic, 8, "none, hca or glob") \
	T(fast_reg, 4, "yes when memory management extensions are there")

/*
 * `op:` records of <dev>/<port>/ops.
 */
#define RSCOPE_OPREC_KEYS(N, T) \
	T(op, 16, "operation") \
	T(qp, 8, "QP type") \
	T(supported, 4, "yes or no") \
	T(reason, RSCOPE_MSG_MAX, "why not")

/*
 * One `key: value` line each, in <dev>/<port>/state.
 */
#define RSCOPE_STATE_KEYS(N, T) \
	T(state, 8, "idle or running") \
	N(run_id, "", "the running run, or the last one; 0 = none yet") \
	N(ops, "operations", "completed so far in the current pass") \
	N(elapsed_ns, "ns", "since the run started; 0 when idle") \
	T(last_error, RSCOPE_MSG_MAX, "why the last write was refused")

/*
 * One `key: value` line each, in abi.
 */
#define RSCOPE_ABI_KEYS(N, T) \
	T(version, 16, "module version") \
	T(kernel, 65, "kernel release the module runs on") \
	N(loopback, "", "1 when runs are allowed (module parameter loopback)")

/* -------------------------------------------------------------- file names */

/*
 * X(name, mode, help), below RSCOPE_DIR, <dev> and <dev>/<port>.
 *
 * Readers never share a file with writers: under kernel lockdown (integrity)
 * only files whose mode is within 0444 stay readable (fs/debugfs/file.c).
 */
#define RSCOPE_ROOT_FILES(X) \
	X(abi, 0444, "ABI, module version, kernel release") \
	X(links, 0444, "one link: record per port of every device") \
	X(gids, 0444, "one gid: record per valid GID entry")

#define RSCOPE_DEV_FILES(X) \
	X(device, 0444, "the device, one key per line")

#define RSCOPE_PORT_FILES(X) \
	X(link, 0444, "the port's link record, one key per line") \
	X(gids, 0444, "the port's gid: records") \
	X(ops, 0444, "operations x QP types: supported, or why not") \
	X(run, 0600, "write one line = one run; read = that run's report") \
	X(result, 0444, "report of the last finished run") \
	X(state, 0444, "idle or running, progress, last error") \
	X(cancel, 0200, "any write cancels the run or session; success when idle") \
	X(mediated, 0600, "first write arms; then each pwrite or pread is one operation")

/*
 * Only with module parameter fault_points=1.
 */
#define RSCOPE_TEST_FILES(X) \
	X(fault, 0600, "write POINT=ARG to arm a one-shot failure point; read lists them")

/* --------------------------------------------------------- enum expansions */

#define RSCOPE_ENUM_OP(s, w, h) RSCOPE_OP_##s,
#define RSCOPE_ENUM_QPT(s, w, h) RSCOPE_QPT_##s,
#define RSCOPE_ENUM_PATTERN(s, w, h) RSCOPE_PATTERN_##s,
#define RSCOPE_ENUM_CQ(s, w, h) RSCOPE_CQ_##s,
#define RSCOPE_ENUM_MR(s, w, h) RSCOPE_MR_##s,
#define RSCOPE_ENUM_VERDICT(s, w, h) RSCOPE_VERDICT_##s,
#define RSCOPE_ENUM_STAGE(s, w, h) RSCOPE_STAGE_##s,
#define RSCOPE_ENUM_PATH(s, w, h) RSCOPE_PATH_##s,
#define RSCOPE_ENUM_GIDT(s, w, h) RSCOPE_GIDT_##s,
#define RSCOPE_ENUM_PROTO(s, w, h) RSCOPE_PROTO_##s,
#define RSCOPE_ENUM_LINK(s, w, h) RSCOPE_LINK_##s,
#define RSCOPE_ENUM_FAULT(s, w, h) RSCOPE_FAULT_##s,

enum rscope_op { RSCOPE_OPS(RSCOPE_ENUM_OP) RSCOPE_OP_NR };
enum rscope_qpt { RSCOPE_QP_TYPES(RSCOPE_ENUM_QPT) RSCOPE_QPT_NR };
enum rscope_pattern_kind { RSCOPE_PATTERNS(RSCOPE_ENUM_PATTERN) RSCOPE_PATTERN_NR };
enum rscope_cq { RSCOPE_CQ_KINDS(RSCOPE_ENUM_CQ) RSCOPE_CQ_NR };
enum rscope_mr { RSCOPE_MR_KINDS(RSCOPE_ENUM_MR) RSCOPE_MR_NR };
enum rscope_verdict { RSCOPE_VERDICTS(RSCOPE_ENUM_VERDICT) RSCOPE_VERDICT_NR };
enum rscope_stage { RSCOPE_STAGES(RSCOPE_ENUM_STAGE) RSCOPE_STAGE_NR };
enum rscope_path { RSCOPE_PATHS(RSCOPE_ENUM_PATH) RSCOPE_PATH_NR };
enum rscope_gidt { RSCOPE_GID_TYPES(RSCOPE_ENUM_GIDT) RSCOPE_GIDT_NR };
enum rscope_proto { RSCOPE_PROTOCOLS(RSCOPE_ENUM_PROTO) RSCOPE_PROTO_NR };
enum rscope_link_reason { RSCOPE_LINK_REASONS(RSCOPE_ENUM_LINK) RSCOPE_LINK_NR };
enum rscope_fault { RSCOPE_FAULTS(RSCOPE_ENUM_FAULT) RSCOPE_FAULT_NR };

/** RSCOPE_WORD_OF - expands an enumeration table to an array of its words. */
#define RSCOPE_WORD_OF(s, w, h) w,

#endif /* RDMASCOPE_ABI_H */
