/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few places where kernels differ. Nothing else asks for HAVE_*.
 */
#ifndef RSCOPE_COMPAT_H
#define RSCOPE_COMPAT_H

#include <linux/debugfs.h>
#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <rdma/ib_verbs.h>

#ifdef HAVE_IB_DEVICE_GET_NETDEV
static inline struct net_device *rscope_port_netdev(struct ib_device *ib, u32 port)
{
	return ib_device_get_netdev(ib, port);
}
#else
/* ib_device_get_netdev() is private there; this reads what it reads. */
static inline struct net_device *rscope_port_netdev(struct ib_device *ib, u32 port)
{
	struct net_device *ndev;
	struct ib_port_data *pdata;

	if (!rdma_is_port_valid(ib, port) || !ib->port_data)
		return NULL;
	if (ib->ops.get_netdev)
		return ib->ops.get_netdev(ib, port);
	pdata = &ib->port_data[port];
	spin_lock(&pdata->netdev_lock);
	ndev = rcu_dereference_protected(pdata->netdev, lockdep_is_held(&pdata->netdev_lock));
	if (ndev)
		dev_hold(ndev);
	spin_unlock(&pdata->netdev_lock);
	return ndev;
}
#endif

#ifdef HAVE_DEBUGFS_CHANGE_NAME
static inline bool rscope_dir_rename(struct dentry *root, struct dentry *dir, const char *name)
{
	return !debugfs_change_name(dir, "%s", name);
}
#else
static inline bool rscope_dir_rename(struct dentry *root, struct dentry *dir, const char *name)
{
	return !IS_ERR_OR_NULL(debugfs_rename(root, dir, root, name));
}
#endif

/*
 * Should this thread let others run? need_resched() alone misses the lazy
 * flag, which is all that a tick sets under lazy preemption.
 */
static inline bool rscope_should_yield(void)
{
#ifdef TIF_NEED_RESCHED_LAZY
	if (test_thread_flag(TIF_NEED_RESCHED_LAZY))
		return true;
#endif
	return need_resched();
}

#endif /* RSCOPE_COMPAT_H */
