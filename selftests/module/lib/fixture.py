# SPDX-License-Identifier: GPL-2.0
"""Trees of sysfs, procfs and debugfs text for --root, and verdicts about them."""
import os
import re
import shutil

from rscope import TMP, abi_table, same, tool_json

GUID = "5054:00ff:fe12:%04x"
V4 = "0000:0000:0000:0000:0000:ffff:c000:02%02x"
LOCAL = "fe80:0000:0000:0000:5054:00ff:fe12:3456"
SECURE_BOOT = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"


def prometheus(text):
    """{name: {labels: value}}, read strictly: HELP, TYPE, samples of one family together."""
    families, name = {}, None
    for line in text.splitlines():
        m = re.fullmatch(r"# (HELP|TYPE) (\w+) (.+)", line)
        if m and m.group(1) == "HELP":
            name = m.group(2)
            assert name not in families, "twice: " + name
            families[name] = {}
        elif m:
            same((m.group(2), m.group(3)), (name, "gauge"))
        else:
            m = re.fullmatch(r'(\w+)(?:\{((?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? ([0-9.]+)', line)
            assert m and m.group(1) == name, "not a sample of %s: %r" % (name, line)
            labels = tuple(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', m.group(2) or ""))
            assert labels not in families[name], "twice: " + line
            families[name][labels] = float(m.group(3))
    return families


class Tree:
    """A healthy machine: two RoCE ports, the module loaded; spoil it with put()."""

    def __init__(self, devices=("roce0", "roce1")):
        self.root = TMP + "/fixture"
        shutil.rmtree(self.root, ignore_errors=True)
        self.put("proc/filesystems", "nodev\tsysfs\nnodev\tdebugfs\n\text4\n")
        self.put("proc/net/if_inet6", LOCAL.replace(":", "") + " 02 40 20 80 eth0\n")
        self.put("sys/module/rdmascope/refcnt", "0\n")
        self.put("sys/kernel/security/lockdown", "[none] integrity confidentiality\n")
        self.put("etc/libibverbs.d/some.driver", "driver some\n")
        self.put("sys/kernel/debug/rdmascope/abi",
                 "rdmascope abi 1\nversion: 0\nkernel: 0\nloopback: 1\nend\n")
        self.mkdir("sys/class/infiniband")
        for i, dev in enumerate(devices):
            self.device(dev, i)

    def path(self, name):
        return os.path.join(self.root, name)

    def mkdir(self, name):
        os.makedirs(self.path(name), exist_ok=True)

    def put(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())

    def drop(self, name):
        if os.path.isdir(self.path(name)) and not os.path.islink(self.path(name)):
            shutil.rmtree(self.path(name))
        else:
            os.unlink(self.path(name))

    def device(self, dev, i):
        self.put("sys/class/infiniband/%s/node_type" % dev, "1: CA\n")
        self.put("sys/class/infiniband/%s/node_guid" % dev, GUID % i + "\n")
        self.port(dev, "state", "4: ACTIVE")
        self.port(dev, "phys_state", "5: LinkUp")
        self.port(dev, "link_layer", "Ethernet")
        self.port(dev, "rate", "100 Gb/sec (4X EDR)")
        self.gid(dev, 0, V4 % (i + 1), "eth%d" % i)
        self.put("sys/class/infiniband_verbs/uverbs%d/ibdev" % i, dev + "\n")
        self.put("dev/infiniband/uverbs%d" % i, "")
        for key, value in (("flags", "0x1003"), ("ifindex", str(i + 2)), ("carrier", "1"),
                           ("mtu", "1500"), ("operstate", "up"), ("address", "52:54:00:12:34:56")):
            self.net("eth%d" % i, key, value)

    def port(self, dev, key, value):
        self.put("sys/class/infiniband/%s/ports/1/%s" % (dev, key), value + "\n")

    def gid(self, dev, index, gid, netdev, kind="RoCE v2"):
        self.port(dev, "gids/%d" % index, gid)
        self.port(dev, "gid_attrs/ndevs/%d" % index, netdev)
        self.port(dev, "gid_attrs/types/%d" % index, kind)

    def net(self, netdev, key, value):
        self.put("sys/class/net/%s/%s" % (netdev, key), value + "\n")

    def link(self, name, target):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.symlink(target, self.path(name))

    def netdev(self, name, index, kind=None, lower=(), master=None, **files):
        """A network device; what it stands on, and what it is part of."""
        have = dict(flags="0x1003", ifindex=index, iflink=index, carrier="1", type="1")
        have.update(files)
        for key, value in have.items():
            self.net(name, key, str(value))
        if kind:
            self.net(name, "uevent", "DEVTYPE=%s\nINTERFACE=%s" % (kind, name))
        for one in lower:
            self.link("sys/class/net/%s/lower_%s" % (name, one), "../" + one)
        if master:
            self.slave(name, master)

    def slave(self, name, master):
        self.link("sys/class/net/%s/master" % name, "../" + master)
        self.link("sys/class/net/%s/lower_%s" % (master, name), "../" + name)

    def parent(self, dev, pci, driver, node):
        """An adapter: what sysfs has behind the symbolic link of its RDMA device."""
        self.put("sys/devices/%s/numa_node" % pci, "%s\n" % node)
        self.mkdir("sys/drivers/" + driver)
        self.link("sys/devices/%s/driver" % pci, "../../drivers/" + driver)
        self.link("sys/class/infiniband/%s/device" % dev, "../../../devices/" + pci)

    def umad(self, number, dev, port):
        self.put("sys/class/infiniband_mad/umad%d/ibdev" % number, dev + "\n")
        self.put("sys/class/infiniband_mad/umad%d/port" % number, "%d\n" % port)
        self.put("dev/infiniband/umad%d" % number, "")

    def module_link(self, **keys):
        """What the module says of one port, "-" for the rest."""
        have = dict(ifindex="1", ifname="roce0", port="1", state="ACTIVE", netdev="eth0",
                    protocol="roce", link_layer="ethernet", netdev_admin="up", netdev_carrier="1",
                    max_mtu_bytes="4096", agree="1", reason="ok", kverbs="yes")
        have.update(keys)
        line = " ".join("%s=%s" % (key, have.get(key, "-")) for _, key, _ in
                        abi_table("RSCOPE_LINK_KEYS"))
        self.put("sys/kernel/debug/rdmascope/links", "rdmascope links 1\nlink: %s\nend\n" % line)
        gid = " ".join("%s=%s" % (key, dict(ifindex="1", ifname="roce0", port="1", index="0",
                                            gid=V4 % 1, type="roce_v2", scope="ipv4",
                                            netdev="eth0", score="9").get(key, "-"))
                       for _, key, _ in abi_table("RSCOPE_GID_KEYS"))
        self.put("sys/kernel/debug/rdmascope/gids", "rdmascope gids 1\ngid: %s\nend\n" % gid)

    def module_device(self, **keys):
        lines = "".join("%s: %s\n" % (key, keys.get(key, "-")) for _, key, _ in
                        abi_table("RSCOPE_DEVICE_KEYS"))
        self.put("sys/kernel/debug/rdmascope/roce0/device", "rdmascope device 1\n%send\n" % lines)

    def check(self, *args, status=0):
        return tool_json("check", "--root", self.root, *args, status=status)

    def finds(self, *names, dev="roce0", status=0, args=()):
        """The names of all findings about one port, in order; the port."""
        rows = self.check(*args, status=status)
        row = [r for r in rows if r["ifname"] == dev][0]
        same([found["name"] for found in row["findings"]], list(names), str(row))
        return row
