// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "hints.h"

#include <stdlib.h>

#include "exits.h"

#define ANY_STEP STEP_NR
#define ANY_ERR 0

/* What must be so for a row to apply. */
enum when { ALWAYS, NOT_ROOT, LOCKDOWN, NO_DEBUGFS, NO_MODULE, NO_RDMA, NO_UVERBS };

struct hint_row {
	enum step step;
	int err;
	enum when when;
	struct hint hint;
};

#define ROW(step_, err_, when_, status_, cause_, next_) \
	{ step_, err_, when_, { .cause = cause_, .next = next_, .status = status_ } }

/* The first row that applies is taken: special ones stand before general ones. */
static const struct hint_row rows[] = {
	ROW(STEP_MODULE, ENOENT, NO_RDMA, EXIT_NODEV,
	    "the RDMA core is not loaded",
	    "modprobe ib_core, and the driver of the device"),
	ROW(STEP_MODULE, EACCES, NOT_ROOT, EXIT_PERMIT,
	    "debugfs is open to root only",
	    "run as root; without, links, gids, device and run --path user work"),
	ROW(STEP_MODULE, EPERM, LOCKDOWN, EXIT_PERMIT,
	    "kernel lockdown closes this file",
	    "use --path user; links and gids fall back to netlink and sysfs"),
	ROW(STEP_MODULE, ENOENT, NO_MODULE, EXIT_UNSUPPORTED,
	    "the module rdmascope is not loaded",
	    "modprobe rdmascope (rdmascope check tells what keeps it out), or use --path user"),
	ROW(STEP_MODULE, ENOENT, NO_DEBUGFS, EXIT_UNSUPPORTED,
	    "debugfs is not mounted",
	    "mount -t debugfs none /sys/kernel/debug"),
	ROW(STEP_MODULE, ENOENT, ALWAYS, EXIT_NODEV,
	    "the module has no such file",
	    "rdmascope links shows the devices; with loopback=0 the module runs nothing"),
	ROW(STEP_MODULE, EIO, ALWAYS, EXIT_NODEV,
	    "the device was removed meanwhile",
	    "rdmascope links"),
	ROW(STEP_MODULE, ENODATA, ALWAYS, EXIT_FAIL,
	    "nothing has been run on this port yet",
	    "rdmascope run"),
	ROW(STEP_TEXT, EPROTONOSUPPORT, ALWAYS, EXIT_UNSUPPORTED,
	    "tool and module are of different age",
	    "install both from the same source and load the module again"),
	ROW(STEP_TEXT, EBADMSG, ALWAYS, EXIT_FAIL,
	    "the text is damaged or cut short",
	    "read the file with cat and report it"),
	ROW(STEP_START, EACCES, NOT_ROOT, EXIT_PERMIT,
	    "starting a kernel run needs root",
	    "run as root, or use --path user"),
	ROW(STEP_START, EPERM, LOCKDOWN, EXIT_PERMIT,
	    "kernel lockdown: a kernel-side run is not possible on this boot",
	    "use --path user, or boot without lockdown"),
	ROW(STEP_START, EPERM, ALWAYS, EXIT_PERMIT,
	    "a kernel run needs root and no lockdown",
	    "run as root, or use --path user"),
	ROW(STEP_START, EBUSY, ALWAYS, EXIT_BUSY,
	    "another run is active on this port",
	    "rdmascope status shows it, rdmascope stop ends it"),
	ROW(STEP_START, ENODEV, ALWAYS, EXIT_NODEV,
	    "the device is gone or going",
	    "rdmascope links"),
	ROW(STEP_START, EIO, ALWAYS, EXIT_NODEV,
	    "the device was removed meanwhile",
	    "rdmascope links"),
	ROW(STEP_START, ENETDOWN, ALWAYS, EXIT_FAIL,
	    "the port is not ACTIVE",
	    "rdmascope links; ip link set NETDEV up"),
	ROW(STEP_START, ENODATA, ALWAYS, EXIT_FAIL,
	    "no usable GID in that slot",
	    "rdmascope gids; give the netdev an address or choose --gid-index"),
	ROW(STEP_START, EINVAL, ALWAYS, EXIT_USAGE,
	    "the module does not understand the line",
	    "rdmascope run --help"),
	ROW(STEP_START, ERANGE, ALWAYS, EXIT_USAGE,
	    "a value is beyond a limit of module or device",
	    "rdmascope device shows the limits"),
	ROW(STEP_START, ENOMEM, ALWAYS, EXIT_FAIL,
	    "not enough memory for buffers or queues",
	    "lower --size, --depth or --qps"),
	ROW(STEP_START, EOPNOTSUPP, ALWAYS, EXIT_UNSUPPORTED,
	    "the device lacks what the run needs",
	    "rdmascope device"),
	ROW(STEP_CANCEL, EACCES, NOT_ROOT, EXIT_PERMIT,
	    "stopping a run needs root",
	    "run as root"),
	ROW(STEP_CANCEL, EPERM, ALWAYS, EXIT_PERMIT,
	    "kernel lockdown or missing root",
	    "end the process that started the run"),
	ROW(STEP_CANCEL, ETIMEDOUT, ALWAYS, EXIT_BUSY,
	    "the run did not end within 5 s",
	    "look at the kernel log and at the process that writes to `run`"),
	ROW(STEP_NETLINK, EPROTONOSUPPORT, ALWAYS, EXIT_NODEV,
	    "the RDMA core is not loaded",
	    "modprobe ib_core, and the driver of the device"),
	ROW(STEP_DEVICE, ENOENT, NO_RDMA, EXIT_NODEV,
	    "the RDMA core is not loaded",
	    "modprobe the driver; for soft RoCE: rdma link add rxe0 type rxe netdev NETDEV"),
	ROW(STEP_DEVICE, ENODEV, ALWAYS, EXIT_NODEV,
	    "",
	    "rdmascope links shows the devices"),
	ROW(STEP_DEVICE, ENOTUNIQ, ALWAYS, EXIT_USAGE,
	    "",
	    "name one: rdmascope COMMAND DEV/PORT"),
	ROW(STEP_DEVICE, ENETDOWN, ALWAYS, EXIT_FAIL,
	    "",
	    "rdmascope links tells why"),
	ROW(STEP_NETDEV, ENODEV, ALWAYS, EXIT_NODEV,
	    "",
	    "ip link shows the network devices of this namespace; rdmascope links shows all links"),
	ROW(STEP_NETDEV, ENXIO, ALWAYS, EXIT_NODEV,
	    "it is neither the netdev of a port nor above or below one",
	    "rdmascope links --details; for soft RoCE: rdma link add rxe0 type rxe netdev NETDEV"),
	ROW(STEP_LIBRARY, ANY_ERR, ALWAYS, EXIT_UNSUPPORTED,
	    "libibverbs is missing or too old",
	    "apt install libibverbs1 ibverbs-providers"),
	ROW(STEP_UVERBS, ANY_ERR, NO_UVERBS, EXIT_UNSUPPORTED,
	    "the kernel offers no uverbs device",
	    "modprobe ib_uverbs"),
	ROW(STEP_UVERBS, EACCES, ALWAYS, EXIT_PERMIT,
	    "the uverbs device node is closed to this user",
	    "run as root, or check the mode of /dev/infiniband/uverbs*"),
	ROW(STEP_UVERBS, EPERM, ALWAYS, EXIT_PERMIT,
	    "a container or security policy forbids it",
	    "give the container the /dev/infiniband devices"),
	ROW(STEP_UVERBS, ENODEV, ALWAYS, EXIT_UNSUPPORTED,
	    "libibverbs does not know the device: its provider library is missing",
	    "apt install ibverbs-providers"),
	ROW(STEP_ADDRESS, ENODATA, ALWAYS, EXIT_FAIL,
	    "no usable GID: RoCE needs an address on the netdev",
	    "rdmascope gids; give the netdev an address, or choose --gid-index"),
	ROW(STEP_ADDRESS, ENETDOWN, ALWAYS, EXIT_FAIL,
	    "the port is not ACTIVE",
	    "rdmascope links; ip link set NETDEV up"),
	ROW(STEP_ADDRESS, ERANGE, ALWAYS, EXIT_USAGE,
	    "",
	    "rdmascope links and rdmascope gids"),
	ROW(STEP_SETUP, ENOMEM, NOT_ROOT, EXIT_PERMIT,
	    "the limit of locked memory, or a queue longer than the device allows",
	    "ulimit -l unlimited; lower --size, --depth, --qps; limits: rdmascope device"),
	ROW(STEP_SETUP, ENOMEM, ALWAYS, EXIT_FAIL, "not enough memory, or a queue too long",
	    "lower --size, --depth, --qps; limits: rdmascope device"),
	ROW(STEP_SETUP, EINVAL, ALWAYS, EXIT_UNSUPPORTED,
	    "the device refuses these queue lengths",
	    "rdmascope device shows the limits"),
	ROW(STEP_SETUP, EIO, ALWAYS, EXIT_FAIL,
	    "the device or its driver failed",
	    "look at the kernel log; rdmascope links"),
	ROW(STEP_SETUP, EOPNOTSUPP, ALWAYS, EXIT_UNSUPPORTED,
	    "the device does not offer this",
	    ""),
	ROW(STEP_CONNECT, ENODEV, ALWAYS, EXIT_FAIL,
	    "the GID or its netdev is gone",
	    "rdmascope gids"),
	ROW(STEP_CONNECT, ENETUNREACH, ALWAYS, EXIT_FAIL,
	    "the GID stands for an address that the netdev does not have (the default GID always exists)",
	    "ip addr show dev NETDEV; give it an address, or choose another --gid-index"),
	ROW(STEP_CONNECT, EHOSTUNREACH, ALWAYS, EXIT_FAIL,
	    "no neighbour entry for the GID's address",
	    "ip neigh; ip addr show dev NETDEV"),
	ROW(STEP_CONNECT, ETIMEDOUT, ALWAYS, EXIT_FAIL,
	    "the address could not be resolved",
	    "rdmascope gids; ip neigh"),
	ROW(STEP_CONNECT, EINVAL, ALWAYS, EXIT_FAIL,
	    "MTU above the active one, or a GID that vanished",
	    "rdmascope links; rdmascope gids"),
	ROW(STEP_PASS, ENOMEM, ALWAYS, EXIT_FAIL,
	    "the send queue is full, or too many SGEs or inline bytes",
	    "lower --depth, or --inline 0"),
	ROW(ANY_STEP, EINTR, ALWAYS, EXIT_FAIL,
	    "",
	    ""),
	ROW(ANY_STEP, EACCES, ALWAYS, EXIT_PERMIT,
	    "not permitted",
	    "run as root"),
	ROW(ANY_STEP, EPERM, ALWAYS, EXIT_PERMIT,
	    "not permitted",
	    "run as root"),
	ROW(ANY_STEP, EBUSY, ALWAYS, EXIT_BUSY,
	    "",
	    "try again"),
	ROW(ANY_STEP, ENODEV, ALWAYS, EXIT_NODEV,
	    "the device is gone",
	    "rdmascope links"),
	ROW(ANY_STEP, ANY_ERR, ALWAYS, EXIT_FAIL,
	    "",
	    ""),
};

static bool applies(enum when when, const struct facts *f)
{
	const bool is[] = {
		[ALWAYS] = true,
		[NOT_ROOT] = !f->root,
		[LOCKDOWN] = f->lockdown,
		[NO_DEBUGFS] = !f->debugfs,
		[NO_MODULE] = !f->module,
		[NO_RDMA] = !f->rdma,
		[NO_UVERBS] = !f->uverbs,
	};

	return is[when];
}

/**
 * hints_find() - advice on an error
 * @step: where it happened
 * @err: errno, positive or negative
 * @facts: situation
 *
 * Return: a row of the table, never NULL.
 */
const struct hint *hints_find(enum step step, int err, const struct facts *facts)
{
	const struct hint_row *row = rows;

	err = abs(err);
	for (; row->step != ANY_STEP || row->err != ANY_ERR; row++)
		if ((row->step == step || row->step == ANY_STEP) &&
		    (row->err == err || row->err == ANY_ERR) && applies(row->when, facts))
			break;
	return &row->hint;
}

#define WC(status_, cause_, next_) \
	{ status_, { .cause = cause_, .next = next_, .status = EXIT_FAIL } }

static const struct {
	const char *status;
	struct hint hint;
} wc_rows[] = {
	WC("transport retry counter exceeded",
	   "no answer from the peer: the packets do not arrive",
	   "rdmascope gids: is the GID's netdev up, is the address set?"),
	WC("RNR retry counter exceeded",
	   "the passive side had no receive posted in time",
	   "raise --rnr-retry or lower --depth"),
	WC("local QP operation error",
	   "the device could not send: no route, or the netdev is down",
	   "rdmascope links; ip link"),
	WC("local protection error",
	   "the local buffer is not registered for this",
	   "report it"),
	WC("remote access error",
	   "the remote key or its rights were refused",
	   "report it"),
	WC("remote invalid request error",
	   "the peer found the request malformed",
	   "report it"),
	WC("remote operation error",
	   "the peer could not do the operation",
	   "report it"),
	WC("local length error",
	   "message longer than the receive or the port allows",
	   "lower --size"),
	WC("WR flushed",
	   "the QP went into error before, or the device was reset",
	   "look at the kernel log; rdmascope links"),
	WC("fatal error",
	   "the device had a fatal error",
	   "look at the kernel log"),
};

#undef WC

/**
 * hints_wc() - advice on a failed completion
 * @status: word of the report
 *
 * Return: a row, or NULL when there is nothing to add.
 */
const struct hint *hints_wc(const char *status)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wc_rows); i++)
		if (!strcmp(wc_rows[i].status, status))
			return &wc_rows[i].hint;
	return NULL;
}

/**
 * hints_print() - tell what went wrong, where, why, and what to do
 * @where: command and target
 * @step: where it happened
 * @e: what went wrong
 * @facts: situation
 *
 * Return: the exit status.
 */
int hints_print(const char *where, enum step step, const struct rscope_error *e,
		const struct facts *facts)
{
	const struct hint *h = hints_find(step, e->err, facts);

	fprintf(stderr, "rdmascope %s: %s\n", where, e->msg);
	if (*h->cause)
		fprintf(stderr, "  cause: %s\n", h->cause);
	if (*h->next)
		fprintf(stderr, "  next:  %s\n", h->next);
	return h->status;
}
