// SPDX-License-Identifier: GPL-2.0
/*
 * Which files are there and who is allowed what? Directories, names and the
 * readers; the one file that runs something is in runfile.c.
 *
 * debugfs makes removal wait for handlers and fails everything but release
 * afterwards (fs/debugfs/file.c).
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include "compat.h"
#include "dbgfs.h"
#include "device.h"
#include "dirname.h"
#include "fault.h"
#include "gids.h"
#include "job.h"
#include "links.h"
#include "medfile.h"
#include "mediated.h"
#include "runfile.h"
#include "snapshot.h"
#include "support.h"

static struct dentry *rscope_root;
static bool rscope_loopback;
static bool rscope_fault_points;

/* ----------------------------------------------------------------- readers */

static void rscope_show_abi(struct rscope_buf *b, void *priv)
{
	struct rscope_abi a;

	rscope_record_clear(rscope_abi_fields, ARRAY_SIZE(rscope_abi_fields), &a);
	strscpy(a.version, RSCOPE_VERSION, sizeof(a.version));
	strscpy(a.kernel, init_utsname()->release, sizeof(a.kernel));
	a.loopback = rscope_loopback;
	rscope_buf_lines(b, rscope_abi_fields, ARRAY_SIZE(rscope_abi_fields), &a);
}

RSCOPE_READER(abi, "abi");

static void rscope_link_record(struct rscope_buf *b, struct rscope_port *port)
{
	struct rscope_link l;

	rscope_link_fill(&l, port->dev->ib, port->num);
	rscope_buf_record(b, "link", rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &l);
}

static void rscope_show_links(struct rscope_buf *b, void *priv)
{
	rscope_walk_ports(b, rscope_link_record);
}

RSCOPE_READER(links, "links");

static void rscope_gid_records(struct rscope_buf *b, struct rscope_port *port)
{
	rscope_gids_show(b, port->dev->ib, port->num);
}

static void rscope_show_gids(struct rscope_buf *b, void *priv)
{
	rscope_walk_ports(b, rscope_gid_records);
}

RSCOPE_READER(gids, "gids");

static void rscope_show_device(struct rscope_buf *b, void *priv)
{
	struct rscope_dev *dev = priv;
	struct rscope_device d;

	rscope_device_fill(&d, dev->ib);
	rscope_buf_lines(b, rscope_device_fields, ARRAY_SIZE(rscope_device_fields), &d);
}

RSCOPE_READER(device, "device");

static void rscope_show_link(struct rscope_buf *b, void *priv)
{
	struct rscope_port *port = priv;
	struct rscope_link l;

	rscope_link_fill(&l, port->dev->ib, port->num);
	rscope_buf_lines(b, rscope_link_fields, ARRAY_SIZE(rscope_link_fields), &l);
}

RSCOPE_READER(link, "link");

static void rscope_show_port_gids(struct rscope_buf *b, void *priv)
{
	rscope_gid_records(b, priv);
}

RSCOPE_READER(port_gids, "gids");

static void rscope_show_ops(struct rscope_buf *b, void *priv)
{
	struct rscope_port *port = priv;

	rscope_ops_show(b, port->dev->ib, port->num);
}

RSCOPE_READER(ops, "ops");

static void rscope_show_state(struct rscope_buf *b, void *priv)
{
	struct rscope_port *port = priv;
	struct rscope_state s;

	rscope_job_state(port->job, &s);
	rscope_buf_lines(b, rscope_state_fields, ARRAY_SIZE(rscope_state_fields), &s);
}

RSCOPE_READER(state, "state");

/* ------------------------------------------------------------------ writers */

static ssize_t rscope_cancel_write(struct file *file, const char __user *from, size_t count,
				   loff_t *pos)
{
	struct rscope_port *port = file_inode(file)->i_private;
	int err;

	rscope_job_stop(port->job, -ECANCELED);
	err = rscope_mediated_cancel(port);
	return err ? err : count;
}

static const struct file_operations rscope_cancel_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = rscope_cancel_write,
	.llseek = noop_llseek,
};

static void rscope_show_fault(struct rscope_buf *b, void *priv)
{
	rscope_fault_show(b);
}

static int rscope_fault_open(struct inode *inode, struct file *file)
{
	return rscope_snapshot_open(file, "fault", rscope_show_fault, NULL);
}

static ssize_t rscope_fault_write(struct file *file, const char __user *from, size_t count,
				  loff_t *pos)
{
	struct rscope_error e = {};
	char line[64];
	int err;

	if (count > sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, count))
		return -EFAULT;
	err = rscope_fault_arm(line, count, &e);
	return err ? err : count;
}

static const struct file_operations rscope_fault_fops = {
	.owner = THIS_MODULE,
	.open = rscope_fault_open,
	.read = rscope_snapshot_read,
	.write = rscope_fault_write,
	.llseek = default_llseek,
	.release = rscope_snapshot_release,
};

/* -------------------------------------------------------------- directories */

/**
 * struct rscope_file - one row of the file tables in abi.h
 * @name: of the file
 * @mode: its permissions
 * @fops: its operations
 */
struct rscope_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
};

/* Port and root both have a file "gids", with different content. */
#define rscope_port_link_fops rscope_link_fops
#define rscope_port_ops_fops rscope_ops_fops
#define rscope_port_run_fops rscope_run_fops
#define rscope_port_result_fops rscope_result_fops
#define rscope_port_state_fops rscope_state_fops
#define rscope_port_cancel_fops rscope_cancel_fops
#define rscope_port_mediated_fops rscope_mediated_fops

#define RSCOPE_FILE(n, m, ...) { #n, m, &rscope_##n##_fops },
#define RSCOPE_PORT_FILE(n, m, ...) { #n, m, &rscope_port_##n##_fops },

static const struct rscope_file rscope_root_files[] = { RSCOPE_ROOT_FILES(RSCOPE_FILE) };
static const struct rscope_file rscope_test_files[] = { RSCOPE_TEST_FILES(RSCOPE_FILE) };
static const struct rscope_file rscope_dev_files[] = { RSCOPE_DEV_FILES(RSCOPE_FILE) };
static const struct rscope_file rscope_port_files[] = { RSCOPE_PORT_FILES(RSCOPE_PORT_FILE) };

/* Without loopback there is nothing to write to. */
static bool rscope_file_wanted(const struct rscope_file *f)
{
	return rscope_loopback || !(f->mode & 0222);
}

static void rscope_create_files(struct dentry *dir, const struct rscope_file *f, size_t n,
				void *priv)
{
	for (; n; n--, f++)
		if (rscope_file_wanted(f))
			debugfs_create_file(f->name, f->mode, dir, priv, f->fops);
}

static bool rscope_name_reserved(const char *name)
{
	u32 i;

	if (rscope_dirname_dots(name))
		return true;
	for (i = 0; i < ARRAY_SIZE(rscope_root_files); i++)
		if (!strcmp(name, rscope_root_files[i].name))
			return true;
	for (i = 0; i < ARRAY_SIZE(rscope_test_files); i++)
		if (!strcmp(name, rscope_test_files[i].name))
			return true;
	return false;
}

/* Looked up first: debugfs logs an error when a name is taken. */
static bool rscope_name_taken(const char *name)
{
	struct dentry *d;

	if (rscope_name_reserved(name))
		return true;
	d = debugfs_lookup(name, rscope_root);
	if (IS_ERR_OR_NULL(d))
		return false;
	dput(d);
	return true;
}

/* In exclusive netns mode two devices may have one name; debugfs is global. */
static void rscope_dir_name(struct rscope_dev *dev, char *to)
{
	rscope_dirname(to, dev->ib->name, RSCOPE_NONE);
	if (rscope_name_taken(to))
		rscope_dirname(to, dev->ib->name, dev->ib->index);
}

static int rscope_create_port(struct rscope_port *port)
{
	char name[16];

	snprintf(name, sizeof(name), "%u", port->num);
	port->dir = debugfs_create_dir(name, port->dev->dir);
	if (IS_ERR(port->dir))
		return PTR_ERR(port->dir);
	rscope_create_files(port->dir, rscope_port_files, ARRAY_SIZE(rscope_port_files), port);
	return 0;
}

/**
 * rscope_dbgfs_add() - directory of a new device
 * @dev: device, jobs of its ports allocated
 *
 * Context: process, under the core's client locks.
 * Return: 0 or why debugfs refused; the directory is gone then.
 */
int rscope_dbgfs_add(struct rscope_dev *dev)
{
	char name[RSCOPE_DIRNAME_MAX];
	int err = 0;
	u32 i;

	rscope_dir_name(dev, name);
	dev->dir = debugfs_create_dir(name, rscope_root);
	if (IS_ERR(dev->dir))
		return PTR_ERR(dev->dir);
	rscope_create_files(dev->dir, rscope_dev_files, ARRAY_SIZE(rscope_dev_files), dev);
	for (i = 0; !err && i < dev->nr_ports; i++)
		err = rscope_create_port(&dev->port[i]);
	if (err)
		debugfs_remove_recursive(dev->dir);
	return err;
}

/**
 * rscope_dbgfs_rename() - let the directory follow its device
 * @dev: device with its new name
 *
 * Context: process, under the core's client locks. Open files stay valid.
 */
void rscope_dbgfs_rename(struct rscope_dev *dev)
{
	char name[RSCOPE_DIRNAME_MAX];

	rscope_dir_name(dev, name);
	if (!rscope_dir_rename(rscope_root, dev->dir, name))
		ibdev_warn(dev->ib, "rdmascope: the debugfs directory keeps its old name\n");
}

/**
 * rscope_dbgfs_init() - directory of the module, still empty
 * @loopback: runs are allowed
 * @fault_points: tests may let things fail
 *
 * Without debugfs the calls fail and there is nothing to see: the module loads
 * all the same, as debugfs users are meant to.
 *
 * Context: process.
 */
void rscope_dbgfs_init(bool loopback, bool fault_points)
{
	rscope_loopback = loopback;
	rscope_fault_points = fault_points;
	rscope_root = debugfs_create_dir(RSCOPE_DIR, NULL);
	if (fault_points)
		rscope_fault_enable();
}

/**
 * rscope_dbgfs_publish() - the files that speak of all devices
 *
 * After the devices that exist: whoever finds a list finds it complete, and who
 * finds none asks another source.
 *
 * Context: process.
 */
void rscope_dbgfs_publish(void)
{
	rscope_create_files(rscope_root, rscope_root_files, ARRAY_SIZE(rscope_root_files), NULL);
	if (rscope_fault_points)
		rscope_create_files(rscope_root, rscope_test_files, ARRAY_SIZE(rscope_test_files),
				    NULL);
}

static void rscope_remove_files(const struct rscope_file *f, size_t n)
{
	for (; n; n--, f++) {
		struct dentry *d = debugfs_lookup(f->name, rscope_root);

		if (IS_ERR_OR_NULL(d))
			continue;
		debugfs_remove(d);
		dput(d);
	}
}

/**
 * rscope_dbgfs_withdraw() - undo rscope_dbgfs_publish()
 *
 * Before the devices are forgotten, one by one.
 *
 * Context: may sleep; waits for handlers.
 */
void rscope_dbgfs_withdraw(void)
{
	rscope_remove_files(rscope_test_files, ARRAY_SIZE(rscope_test_files));
	rscope_remove_files(rscope_root_files, ARRAY_SIZE(rscope_root_files));
}

/**
 * rscope_dbgfs_exit() - remove what is left
 *
 * Context: may sleep; waits for handlers.
 */
void rscope_dbgfs_exit(void)
{
	debugfs_remove_recursive(rscope_root);
}
