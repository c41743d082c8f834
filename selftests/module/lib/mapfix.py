# SPDX-License-Identifier: GPL-2.0
"""The map below --root: what no guest has. Needs no device and no module."""
import shutil

from fixture import V4, Tree
from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT_GUID = "0002:c903:00aa:bbc%d"
LIBRARY = "usr/lib/x86_64-linux-gnu/libibverbs/lib%s-rdmav34.so"


def links(tree, *args, status=0):
    return tool_json("links", "--root", tree.root, *args, status=status)


def device(tree, dev, *args):
    return tool_json("device", dev, "--root", tree.root, *args)[0]


def steps(rows, *keys):
    return [tuple(r[key] for key in keys) for r in rows]


def stacked():
    """eth0 and eth1, both RoCE, in one bond with a VLAN and a bridge above."""
    tree = Tree()
    tree.netdev("bond0", 10, "bond")
    tree.netdev("bond0.7", 11, "vlan", lower=["bond0"], iflink=10)
    tree.put("proc/net/vlan/bond0.7", "bond0.7  VID: 7\t REORDER_HDR: 1  dev->priv_flags: 1001\n")
    tree.netdev("br0", 12, "bridge")
    tree.slave("bond0.7", "br0")
    tree.netdev("mv0", 13, lower=["eth0"], iflink=2)
    tree.netdev("v0", 14, iflink=15)
    tree.netdev("v1", 15, iflink=14)
    for name in ("eth0", "eth1"):
        tree.slave(name, "bond0")
    tree.net("bond0", "bonding/active_slave", "eth1")
    return tree


@test("fixture: bond with active slave, VLAN and bridge above it, macvlan; a veth is no upper")
def uppers():
    tree = stacked()
    rows = links(tree)
    for row, active in zip(rows, (False, True)):
        want = [("bond0", "bond", active, None), ("bond0.7", "vlan", None, 7),
                ("br0", "bridge", None, None)]
        got = steps(row["netdev_uppers"], "netdev", "relation", "active", "vlan")
        same([s for s in got if s[0] != "mv0"], want, row["ifname"])
        same((row["netdev_lowers"], row["addresses"], row["ipoib"]), ([], None, None))
        same([s["addresses"] for s in row["netdev_uppers"]], [None] * len(got))
    same([("mv0", "upper", "eth0", 13)], [s for s in steps(
        rows[0]["netdev_uppers"], "netdev", "relation", "over", "ifindex") if s[0] == "mv0"])
    # The slave's own word is better than the bond's.
    tree.net("eth0", "bonding_slave/state", "active")
    same(links(tree)[0]["netdev_uppers"][0]["active"], True)
    out = tool("links", "--root", tree.root, "--details")[1]
    assert "\n  above bond0: bond on eth0, active\n" in out, out
    assert "\n  above bond0.7: vlan 7 on bond0\n" in out, out


@test("fixture: --netdev: every link that serves it, and how")
def netdev():
    tree = stacked()
    both = ["roce0", "roce1"]
    for name, want in (("eth0", both[:1]), ("eth1", both[1:]), ("bond0", both), ("bond0.7", both),
                       ("br0", both), ("mv0", both[:1])):
        rows = links(tree, "--netdev", name)
        same([r["ifname"] for r in rows], want, name)
        same({r["serves"]["netdev"] for r in rows}, {name})
    row = links(tree, "roce1", "--netdev", "br0")[0]["serves"]
    same((row["relation"], row["path"], row["active"]),
         ("bridge", ["eth1", "bond0", "bond0.7", "br0"], True))
    same(links(tree, "--netdev", "br0")[0]["serves"]["active"], False)
    same(links(tree, "--netdev", "eth0")[0]["serves"], {
        "netdev": "eth0", "relation": "port", "active": None, "path": ["eth0"]})
    out = tool("links", "--root", tree.root, "--netdev", "bond0.7")[1]
    assert "serves bond0.7: vlan, active, eth1 - bond0 - bond0.7" in out, out


@test("fixture: --netdev of one that no link serves, or that is not there: status 3, a hint")
def netdev_unknown():
    tree = stacked()
    for name, words in (("v0", "no RDMA link serves it"), ("nowhere", "no such network device")):
        error = links(tree, "--netdev", name, status=3)["error"]
        assert words in error["message"] and name in error["message"], error
        assert error["next"], error
        status, out, err = tool("links", "--root", tree.root, "--netdev", name)
        same((status, out), (3, ""))
        assert "next:" in err, err
    same(tool("links", "--netdev")[0], 2)
    same(tool("gids", "--netdev", "eth0")[0], 2)


def infiniband():
    """Two InfiniBand ports of one adapter, IPoIB on both, a partition on the first."""
    tree = Tree([])
    base = "sys/class/infiniband/mlx5_0/"
    tree.parent("mlx5_0", "0000:3b:00.0", "mlx5_core", 1)
    for name, text in (("node_type", "1: CA"), ("node_guid", PORT_GUID % 0), ("fw_ver", "20.31.1014"),
                       ("sys_image_guid", PORT_GUID % 0)):
        tree.put(base + name, text + "\n")
    for port in (1, 2):
        for key, value in (("state", "4: ACTIVE"), ("phys_state", "5: LinkUp"),
                           ("link_layer", "InfiniBand"), ("rate", "100 Gb/sec (4X EDR)"),
                           ("lid", "0x%x" % (16 + port)), ("sm_lid", "0x1"),
                           ("gids/0", "fe80:0000:0000:0000:" + PORT_GUID % port)):
            tree.put(base + "ports/%d/%s" % (port, key), value + "\n")
        tree.umad(port, "mlx5_0", port)
    guid = "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:aa:bb:c%d"
    for name, index, port, more in (("ib0", 5, 1, {}), ("ib1", 6, 2, {"flags": "0x1002"}),
                                    ("ib0.8001", 7, 1, {"iflink": 5})):
        tree.netdev(name, index, address=guid % port, dev_port=port - 1, mtu=2044,
                    pkey="0x8001" if more.get("iflink") else "0xffff",
                    lower=["ib0"] if more.get("iflink") else (),
                    **{**more, "type": 32})
        tree.link("sys/class/net/%s/device" % name, "../../../devices/0000:3b:00.0")
    return tree


@test("fixture: IPoIB netdevs by port GUID, those of partitions too; never by node GUID")
def ipoib():
    tree = infiniband()
    rows = links(tree)
    same([steps(r["ipoib"], "netdev", "pkey", "parent", "admin") for r in rows],
         [[("ib0", "0xffff", None, "up"), ("ib0.8001", "0x8001", "ib0", "up")],
          [("ib1", "0xffff", None, "down")]])
    for row in rows:
        same((row["netdev"], row["reason"], row["netdev_uppers"], row["lid"]),
             (None, "ib-link-layer", None, 16 + row["port"]))
    same(rows[0]["ipoib"][0]["mtu_bytes"], 2044)
    tree.drop("sys/class/net/ib1/device")
    tree.net("ib1", "address", "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:aa:bb:c0")
    same([len(r["ipoib"]) for r in links(tree)], [2, 0], "the node GUID is nobody's")
    out = tool("links", "--root", tree.root, "--details")[1]
    assert "\n  ipoib ib0.8001: pkey 0x8001\n" in out, out


@test("fixture: IPoIB with a GUID set by hand: by adapter and port number")
def ipoib_by_port():
    tree = infiniband()
    for name in ("ib0", "ib1", "ib0.8001"):
        tree.net(name, "address", ":".join(["80"] * 20))
    same([[d["netdev"] for d in r["ipoib"]] for r in links(tree)], [["ib0", "ib0.8001"], ["ib1"]])
    tree.net("ib1", "dev_port", "7")
    same([len(r["ipoib"]) for r in links(tree)], [2, 0])


@test("fixture: --netdev of IPoIB, its partition and a bond above it")
def ipoib_netdev():
    tree = infiniband()
    tree.netdev("bond1", 20, "bond")
    tree.slave("ib0", "bond1")
    for name, path in (("ib0", ["ib0"]), ("ib0.8001", ["ib0.8001"]), ("bond1", ["ib0", "bond1"])):
        rows = links(tree, "--netdev", name)
        same([r["port"] for r in rows], [1], name)
        same(rows[0]["serves"]["path"], path)
    same(links(tree, "--netdev", "ib0")[0]["serves"]["relation"], "ipoib")
    same(sorted(steps(links(tree)[0]["ipoib"][0]["uppers"], "netdev", "relation")),
         [("bond1", "bond"), ("ib0.8001", "ipoib")])


@test("fixture: device: PCI address, NUMA node, firmware, GUIDs, uverbs, umad, provider library")
def pci():
    tree = infiniband()
    tree.put("sys/class/infiniband_verbs/uverbs3/ibdev", "mlx5_0\n")
    tree.put("dev/infiniband/uverbs3", "")
    row = device(tree, "mlx5_0")
    want = {"pci": "0000:3b:00.0", "parent": "0000:3b:00.0", "numa_node": 1, "fw": "20.31.1014",
            "driver": "mlx5_core", "node_guid": PORT_GUID % 0, "sys_image_guid": PORT_GUID % 0,
            "uverbs": {"node": "uverbs3", "openable": True, "reason": None},
            "umad": [{"port": p, "node": "umad%d" % p, "openable": True, "reason": None}
                     for p in (1, 2)],
            "provider": {"name": "mlx5", "library": None, "present": False, "configured": False}}
    same({key: row[key] for key in want}, want)
    tree.put(LIBRARY % "mlx5", "")
    tree.put("etc/libibverbs.d/mlx5.driver", "driver mlx5\n")
    tree.drop("dev/infiniband/umad2")
    row = device(tree, "mlx5_0")
    same(row["provider"], {"name": "mlx5", "library": "/" + LIBRARY % "mlx5", "present": True,
                           "configured": True})
    same(row["umad"][1], {"port": 2, "node": "umad2", "openable": False,
                          "reason": "No such file or directory"})
    out = tool("device", "--root", tree.root)[1]
    for line in ("pci: 0000:3b:00.0", "numa_node: 1", "uverbs: uverbs3, can be opened",
                 "umad_port_2: umad2, No such file or directory",
                 "provider: mlx5, /" + LIBRARY % "mlx5"):
        assert "\n" + line + "\n" in out, (line, out)
    tree.drop("sys/class/infiniband_verbs/uverbs3")
    same(device(tree, "mlx5_0")["uverbs"],
         {"node": None, "openable": False, "reason": "the kernel offers none"})


@test("fixture: what the module says of a device, and what is added to it")
def module_device():
    tree = Tree(["roce0"])
    tree.module_link(driver="mlx5_ib")
    tree.module_device(ifindex="1", ifname="roce0", driver="mlx5_ib", parent="0000:3b:00.1",
                       numa_node="0", fw="16.35.2000")
    row = device(tree, "roce0")
    same([row[k] for k in ("source", "pci", "numa_node", "fw")],
         ["module", "0000:3b:00.1", 0, "16.35.2000"])
    same((row["provider"]["name"], row["uverbs"]["node"]), ("mlx5", "uverbs0"))
    for parent, want in (("10003:00:1f.7", "10003:00:1f.7"), ("0000:3b:00", None),
                         ("0000:3b:00.0.1", None), ("mlx5_core.rdma.0", None), ("-", None)):
        tree.module_device(ifindex="1", ifname="roce0", parent=parent)
        same(device(tree, "roce0")["pci"], want, parent)


@test("fixture: a device without its provider library: check says so")
def provider():
    tree = Tree(["roce0"])
    tree.parent("roce0", "0000:3b:00.0", "bnxt_en", 0)
    row = tree.finds("no-provider")
    assert "bnxt_re" in row["reason"], row
    tree.put("etc/libibverbs.d/bnxt_re.driver", "driver bnxt_re\n")
    tree.finds()
    tree.drop("etc/libibverbs.d/bnxt_re.driver")
    tree.put(LIBRARY % "bnxt_re", "")
    tree.finds()


@test("fixture: a netdev that only sysfs names: it is in another namespace")
def unseen():
    tree = Tree(["roce0"])
    tree.put("sys/class/infiniband/roce0/parent", "eth0\n")
    tree.put("etc/libibverbs.d/rxe.driver", "driver rxe\n")
    tree.finds()
    shutil.rmtree(tree.path("sys/class/net/eth0"))
    row = tree.finds("netdev-netns")
    assert row["reason"].startswith("eth0, its netdev, is in another"), row
    same((row["netdev"], row["verdict"]), (None, "WARN"))
    out = tool("links", "--root", tree.root)[1]
    assert "roce0/1: its netdev, eth0, is in another network namespace" in out, out
    same(links(tree)[0]["reason"], "no-netdev")


@test("fixture: references of the module are told, and who has them as far as one can see")
def held():
    tree = Tree(["roce0"])
    same((tree.check()[0]["module_refs"], tree.check()[0]["module_held_by"]), (0, None))
    tree.put("sys/module/rdmascope/refcnt", "2\n")
    same((tree.check()[0]["module_refs"], tree.check()[0]["module_held_by"]), (2, None))
    out = tool("check", "--root", tree.root)[1]
    assert "\nmodule: held by a process that only root sees (references: 2)\n" in out, out


@test("fixture: GIDs: what their netdev is to that of the port")
def gid_relations():
    tree = stacked()
    for index, name in enumerate(("eth0", "bond0", "bond0.7", "mv0", "v0"), 1):
        tree.gid("roce0", index, V4 % (index + 8), name)
    rows = tool_json("gids", "roce0", "--root", tree.root)
    same(steps(rows, "netdev", "netdev_relation", "vlan"),
         [("eth0", "port", None), ("eth0", "port", None), ("bond0", "bond", None),
          ("bond0.7", "vlan", 7), ("mv0", "upper", None), ("v0", None, None)])


@test("fixture: GID tables of any length are counted")
def slots():
    for count in (1, 2, 3, 4, 5, 127, 128, 129):
        tree = Tree(["roce0"])
        for index in range(count):
            tree.port("roce0", "gids/%d" % index, V4 % 1)
        same(links(tree)[0]["gids"], count)
    shutil.rmtree(tree.path("sys/class/infiniband/roce0/ports/1/gids"))
    same(links(tree)[0]["gids"], None)
    tree.mkdir("sys/class/infiniband/roce0/ports/1/gids")
    same(links(tree)[0]["gids"], 0)


@test("fixture: a hostile netdev name drives no terminal")
def hostile():
    tree = Tree(["roce0"])
    name = "a\x1b[2J"
    tree.netdev(name, 10, "bridge")
    tree.slave("eth0", name)
    same(links(tree)[0]["netdev_uppers"][0]["netdev"], name)
    for args in (("--details",), ("--netdev", name)):
        out = tool("links", "--root", tree.root, *args)[1]
        assert "\x1b" not in out, out


main()
