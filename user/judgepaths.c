// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Is a path open, and what became of a loopback on it?
 */
#include "judges.h"

/* Locked memory that distributions give nowadays; an application needs more. */
#define MEMLOCK_BYTES (8ULL << 20)

static bool no_verbs(const struct port_facts *f)
{
	return !strcmp(f->link.kverbs, "no") || !strcmp(f->device.kverbs, "no");
}

static enum obstacle kernel_obstacle(const struct port_facts *f)
{
	const struct host *h = &f->host;
	const struct {
		bool is;
		enum obstacle what;
	} rows[] = {
		{ no_verbs(f), KERNEL_NO_VERBS },
		{ h->facts.lockdown, KERNEL_LOCKDOWN },
		{ !h->debugfs_known, KERNEL_NO_DEBUGFS },
		{ !h->facts.module && h->file.fit == MODFIT_STALE_CORE, KERNEL_STALE_CORE },
		{ !h->facts.module && h->file.fit == MODFIT_OTHER_STACK, KERNEL_OTHER_STACK },
		{ !h->facts.module && h->file.fit == MODFIT_OTHER_KERNEL, KERNEL_OTHER_KERNEL },
		{ !h->facts.module && h->file.fit == MODFIT_UNREADABLE, KERNEL_FILE_UNREADABLE },
		{ !h->facts.module && h->secure_boot, KERNEL_UNSIGNED },
		{ !h->facts.module, KERNEL_NO_MODULE },
		{ !h->facts.debugfs, KERNEL_UNMOUNTED },
		{ h->abi_err == -EACCES, KERNEL_CLOSED },
		{ h->abi_err == -EPROTONOSUPPORT || h->abi_err == -EBADMSG, KERNEL_OTHER_ABI },
		{ h->abi_err, KERNEL_UNREADABLE },
		{ !h->loopback, KERNEL_MAP_ONLY },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].is)
			return rows[i].what;
	return KERNEL_OPEN;
}

static enum gap user_gap(const struct port_facts *f)
{
	int err = f->uverbs_err;

	if (!*f->uverbs)
		return USER_NO_UVERBS;
	if (err == -ENOENT)
		return USER_NO_NODE;
	if (err == -EACCES || err == -EPERM)
		return USER_CLOSED;
	if (err)
		return USER_BROKEN;
	if (!f->host.providers)
		return USER_NO_PROVIDER;
	return provider_missing(&f->provider) ? USER_NO_LIBRARY : USER_OPEN;
}

/**
 * judge_obstacle() - is this what closes the kernel path?
 * @f: facts
 * @obstacle: enum obstacle
 *
 * Return: true when it is, on a port where the loopback would be next.
 */
bool judge_obstacle(const struct port_facts *f, int obstacle)
{
	return judge_runnable(f) && kernel_obstacle(f) == (enum obstacle)obstacle;
}

/**
 * judge_no_verbs() - can kernel consumers not use the device?
 * @f: facts
 * @runnable: of a port with a loopback, or of one without
 *
 * Return: true when they cannot.
 */
bool judge_no_verbs(const struct port_facts *f, int runnable)
{
	return judge_up(f) && no_verbs(f) && judge_runnable(f) == runnable;
}

/**
 * judge_gap() - is this why user space does not reach the device?
 * @f: facts
 * @gap: enum gap
 *
 * Return: true when it is, on a port that is up.
 */
bool judge_gap(const struct port_facts *f, int gap)
{
	return judge_up(f) && user_gap(f) == (enum gap)gap;
}

/**
 * judge_memlock() - will applications run out of locked memory?
 * @f: facts
 * @what: not used
 *
 * Return: true when the limit is below what distributions give.
 */
bool judge_memlock(const struct port_facts *f, int what)
{
	return judge_up(f) && !f->host.ipc_lock && f->host.memlock_bytes < MEMLOCK_BYTES;
}

/**
 * judge_kernel() - did the loopback over kernel verbs end so?
 * @f: facts
 * @outcome: enum trial_outcome
 *
 * Return: true when it did.
 */
bool judge_kernel(const struct port_facts *f, int outcome)
{
	return f->trial[TRIAL_KERNEL].outcome == (enum trial_outcome)outcome;
}

/**
 * judge_user() - did the loopback over user verbs end so?
 * @f: facts
 * @outcome: enum trial_outcome
 *
 * Return: true when it did.
 */
bool judge_user(const struct port_facts *f, int outcome)
{
	return f->trial[TRIAL_USER].outcome == (enum trial_outcome)outcome;
}

/**
 * judge_open() - can a path be tried?
 * @f: facts
 * @path: which
 *
 * Return: true when nothing is known that closes it.
 */
bool judge_open(const struct port_facts *f, enum trial_path path)
{
	return path == TRIAL_KERNEL ? kernel_obstacle(f) == KERNEL_OPEN : user_gap(f) == USER_OPEN;
}
