// SPDX-License-Identifier: GPL-2.0
/*
 * rdmascope_stub: RDMA devices without hardware and without a data path, of any
 * shape a test wants. One line into debugfs is one command:
 *
 *	echo 'add name=ib0 ports=2 layer=ib lid=4,5' > .../rdmascope_stub/control
 *	echo 'set name=ib0 state=1' > .../rdmascope_stub/control
 *	echo 'del name=ib0' > .../rdmascope_stub/control
 *
 * Keys are in stub.h. No uverbs context can be made on a stub: it is for
 * kernel consumers. Unloading removes what is left.
 *
 * stub_lock (mutex) guards the list. It is taken by the control file and by
 * module exit, outside of every lock of the core; no verb takes it.
 */
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "stub.h"

#define STUB_LINE_MAX 4096

static DEFINE_MUTEX(stub_lock);
static LIST_HEAD(stub_devs);
static struct device *stub_root;
static struct dentry *stub_dir;

#define STUB_DROP_VERB(v) \
	if (stub_lacks(&dev->shape, STUB_VERB_##v)) \
		dev->ib.ops.v = NULL;

/* A verb that is not in the table is one the driver does not have. */
static void stub_set_ops(struct stub_dev *dev)
{
	ib_set_device_ops(&dev->ib, &stub_query_ops);
	ib_set_device_ops(&dev->ib, &stub_object_ops);
	ib_set_device_ops(&dev->ib, &stub_queue_ops);
	STUB_VERBS(STUB_DROP_VERB)
}

/* The core takes a name with a % for a format. */
static void stub_quote(char *to, size_t size, const char *name)
{
	for (; *name && size > 2; name++, size--) {
		if (*name == '%') {
			*to++ = '%';
			size--;
		}
		*to++ = *name;
	}
	*to = '\0';
}

static void stub_fill(struct stub_dev *dev)
{
	struct ib_device *ib = &dev->ib;

	ib->node_type = stub_value(dev, STUB_NODE, 1);
	ib->phys_port_cnt = stub_value(dev, STUB_PORTS, 1);
	ib->node_guid = cpu_to_be64(stub_value(dev, STUB_GUID, 1));
	ib->num_comp_vectors = 1;
	if (stub_value(dev, STUB_PARENT, 1))
		ib->dev.parent = stub_root;
	strscpy(ib->node_desc, "rdmascope stub", sizeof(ib->node_desc));
}

static int stub_register(struct stub_dev *dev)
{
	char name[2 * IB_DEVICE_NAME_MAX];

	stub_set_ops(dev);
	stub_fill(dev);
	stub_quote(name, sizeof(name), dev->shape.name);
	return ib_register_device(&dev->ib, name, NULL);
}

static int stub_add(struct stub_shape *s)
{
	struct stub_dev *dev = ib_alloc_device(stub_dev, ib);
	int err;

	if (!dev)
		return -ENOMEM;
	stub_shape_defaults(s);
	dev->shape = *s;
	err = stub_register(dev);
	if (err) {
		ib_dealloc_device(&dev->ib);
		return err;
	}
	list_add_tail(&dev->node, &stub_devs);
	return 0;
}

static struct stub_dev *stub_find(const char *name)
{
	struct stub_dev *dev;

	list_for_each_entry(dev, &stub_devs, node)
		if (!strcmp(dev_name(&dev->ib.dev), name))
			return dev;
	return NULL;
}

static void stub_remove(struct stub_dev *dev)
{
	list_del(&dev->node);
	ib_unregister_device(&dev->ib);
	ib_dealloc_device(&dev->ib);
}

static int stub_del(struct stub_shape *s)
{
	struct stub_dev *dev = stub_find(s->name);

	if (!dev)
		return -ENODEV;
	stub_remove(dev);
	return 0;
}

/* The core keeps P_Keys, GIDs and states in a cache of its own. */
static void stub_tell(struct ib_device *ib)
{
	struct ib_event event = { .device = ib, .event = IB_EVENT_GID_CHANGE };
	u32 port;

	rdma_for_each_port(ib, port) {
		event.element.port_num = port;
		ib_dispatch_event(&event);
	}
}

static int stub_set(struct stub_shape *s)
{
	struct stub_dev *dev = stub_find(s->name);
	int err = dev ? stub_shape_change(&dev->shape, s) : -ENODEV;

	if (!err)
		stub_tell(&dev->ib);
	return err;
}

static const struct {
	const char *word;
	int (*run)(struct stub_shape *s);
} stub_commands[] = { { "add", stub_add }, { "set", stub_set }, { "del", stub_del } };

static int stub_command(struct stub_shape *s, char *line)
{
	char *word = strsep(&line, " ");
	int err = -EINVAL;
	u32 i;

	for (i = 0; line && i < ARRAY_SIZE(stub_commands); i++) {
		if (strcmp(word, stub_commands[i].word))
			continue;
		err = stub_shape_parse(s, line);
		if (err)
			break;
		mutex_lock(&stub_lock);
		err = stub_commands[i].run(s);
		mutex_unlock(&stub_lock);
	}
	return err;
}

static ssize_t stub_control_write(struct file *file, const char __user *from, size_t count,
				  loff_t *pos)
{
	struct stub_shape *s;
	char *line;
	int err;

	if (count < 2 || count > STUB_LINE_MAX)
		return -EINVAL;
	line = memdup_user_nul(from, count);
	if (IS_ERR(line))
		return PTR_ERR(line);
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	err = s ? -EINVAL : -ENOMEM;
	if (s && line[count - 1] == '\n') {
		line[count - 1] = '\0';
		err = stub_command(s, line);
	}
	kfree(s);
	kfree(line);
	return err ? err : count;
}

static const struct file_operations stub_control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = stub_control_write,
	.llseek = noop_llseek,
};

static int __init stub_init(void)
{
	stub_root = root_device_register("rdmascope_stub");
	if (IS_ERR(stub_root))
		return PTR_ERR(stub_root);
	stub_dir = debugfs_create_dir("rdmascope_stub", NULL);
	debugfs_create_file("control", 0200, stub_dir, NULL, &stub_control_fops);
	return 0;
}

static void __exit stub_exit(void)
{
	struct stub_dev *dev, *next;

	debugfs_remove_recursive(stub_dir);
	mutex_lock(&stub_lock);
	list_for_each_entry_safe(dev, next, &stub_devs, node)
		stub_remove(dev);
	mutex_unlock(&stub_lock);
	root_device_unregister(stub_root);
}

module_init(stub_init);
module_exit(stub_exit);

MODULE_DESCRIPTION("RDMA devices of any shape, for the tests of rdmascope");
MODULE_LICENSE("GPL");
