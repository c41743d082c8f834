// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "host.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "holders.h"
#include "kpath.h"
#include "sysread.h"

#define EFIVAR "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define PROVIDERS "/etc/libibverbs.d"

/* Four bytes of attributes, then the value. */
static bool secure_boot(const char *root)
{
	char path[PATH_MAX];
	u8 var[5] = { 0 };
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s" EFIVAR, root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, var, sizeof(var));
	close(fd);
	return n == sizeof(var) && var[4] == 1;
}

/* With debugfs=off the file system is not even registered. */
static bool debugfs_known(const char *root)
{
	char path[PATH_MAX], line[64];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/filesystems", root);
	f = fopen(path, "re");
	if (!f)
		return true;
	while (!found && fgets(line, sizeof(line), f))
		found = !strcmp(line, "nodev\tdebugfs\n");
	fclose(f);
	return found;
}

static bool has_ipc_lock(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &head, data))
		return false;
	return data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK);
}

static u64 memlock_bytes(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return RSCOPE_NONE;
	return limit.rlim_cur;
}

static u64 count_providers(const char *root)
{
	struct list names = LIST(struct sysname);
	u64 n = 0;

	if (sysread_dir(&names, root, PROVIDERS))
		return RSCOPE_NONE;
	list_each(struct sysname, name, &names) {
		const char *dot = strrchr(name->name, '.');

		n += dot && !strcmp(dot, ".driver");
	}
	list_free(&names);
	return n;
}

/* Who is asked only when there is somebody: it means looking at every process. */
static void read_holders(const char *root, struct host *h)
{
	h->module_refs = sysread_num(root, "/sys/module/" RSCOPE_DIR "/refcnt");
	if (h->module_refs && h->module_refs != RSCOPE_NONE && !*root)
		holders_name("/sys/kernel/debug/" RSCOPE_DIR, h->module_holders,
			     sizeof(h->module_holders));
}

/**
 * host_read() - look around
 * @root: prefix of all paths, "" as a rule
 * @h: result
 */
void host_read(const char *root, struct host *h)
{
	struct rscope_error ignored;
	struct rscope_abi abi;

	memset(h, 0, sizeof(*h));
	facts_read(root, &h->facts);
	h->debugfs_known = debugfs_known(root);
	h->secure_boot = secure_boot(root);
	h->abi_err = kpath_abi(root, &abi, &ignored);
	h->loopback = !h->abi_err && abi.loopback == 1;
	read_holders(root, h);
	if (!h->facts.module)
		modcheck_read(root, &h->file);
	h->memlock_bytes = memlock_bytes();
	h->ipc_lock = has_ipc_lock();
	h->providers = count_providers(root);
}
