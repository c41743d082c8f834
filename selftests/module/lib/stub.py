# SPDX-License-Identifier: GPL-2.0
"""The map of devices of every shape, held against rdma(8) and sysfs."""
import glob
import threading

from stubs import *  # pylint: disable=wildcard-import,unused-wildcard-import


@stub_test("the stub refuses what it does not know")
def refusals():
    for name, keys in (("x", {"colour": 1}), ("x", {"ports": "many"}), ("x", {"layer": "wire"}),
                       ("x", {"without": "sing"}), ("x", {"fail": "create_qp"}), ("n" * 64, {}),
                       ("", {}), ("x", {"lid": list(range(17))}), ("x", {"netdev": "nowhere"})):
        assert control("add", name, **keys), "%r %r" % (name, keys)
    same(control("del", "x"), errno.ENODEV)
    add("x")
    same(errno_name(control("add", "x")), "ENFILE")
    same(control("set", "x", ports=2), errno.EINVAL)


@stub_test("InfiniBand: two ports, LIDs, rate, MTU, GIDs; no netdev by design")
def infiniband():
    add("ib0", ports=2, lid=(4, 0xbfff), sm_lid=1, speed=(32, 64), width=(2, 16), mtu=(5, 1),
        guid=0x0002c90300aabb00, prefix=0xfe80000000000001)
    want = {"state": "ACTIVE", "physical_state": "LINK_UP", "protocol": "ib", "netdev": None,
            "link_layer": "infiniband", "driver": "rdmascope_stub", "kverbs": "yes", "agree": "1",
            "reason": "ib-link-layer", "gids": "8", "sm_lid": "1", "max_mtu_bytes": "4096",
            "subnet_prefix": "fe80:0000:0000:0001"}
    own = ({"port": "1", "lid": "4", "rate_mbps": "100000", "width": "4X",
            "active_mtu_bytes": "4096"},
           {"port": "2", "lid": "49151", "rate_mbps": "100000", "width": "2X",
            "active_mtu_bytes": "256"})
    for port, row in zip(own, ports_of("ib0")):
        port.update(want)
        same({k: row[k] for k in port}, port)
    for g, port in zip(gids_file("ib0"), (1, 2)):
        same((g["port"], g["index"], g["gid"], g["type"], g["scope"], g["netdev"], g["score"]),
             (str(port), "0", "fe80:0000:0000:0001:0002:c903:00aa:bb0%d" % port, "ib",
              "link-local", None, "1"))
        same(g["gid"], sysfs_port("ib0", port, "gids/0"))
    same(len(gids_file("ib0")), 2)
    all_agree("ib0")
    gids_agree()
    out = tool("links", "ib0")[1]
    assert "InfiniBand ports have no port netdev by design" in out, out


@stub_test("every logical and physical state, also those nobody knows")
def states():
    add("st0", ports=12, state=range(6), phys=range(12), lid=range(1, 13))
    for i, row in enumerate(ports_of("st0")):
        same((row["state"], row["physical_state"]), (PORT_STATES[i % 6], PHYS_STATES[i]))
        same((row["agree"], row["reason"]), ("1", "ib-link-layer"))
    all_agree("st0")
    add("st1", ports=4, state=(6, 7, 100, 255), phys=(12, 13, 100, 255))
    for row in ports_of("st1"):
        same((row["state"], row["physical_state"]), ("UNKNOWN", "UNKNOWN"))
    all_agree("st1")


@stub_test("every speed on every width: the rate sysfs shows")
def rates():
    speeds = (1, 2, 4, 8, 16, 32, 64, 128, 256, 3)
    mbps = (2500, 5000, 10000, 10000, 14000, 25000, 50000, 100000, 200000, None)
    for i, (code, lanes) in enumerate(((1, 1), (2, 4), (4, 8), (8, 12), (16, 2), (3, None))):
        name = "rate%d" % i
        add(name, ports=len(speeds), speed=speeds, width=code)
        same([r["rate_mbps"] for r in ports_of(name)],
             [str(m * lanes) if m and lanes else None for m in mbps])
        same({r["width"] for r in ports_of(name)}, {"%dX" % lanes if lanes else None})
        agrees_with_sysfs(name)
    for i in range(6):
        delete("rate%d" % i)
    # Those that every kernel knows, out of all sources.
    add("known0", ports=8, speed=speeds[:8])
    sources_agree()


@stub_test("ports of different link layers on one device")
def mixed():
    netdev_add("m0", "192.0.2.1/28")
    try:
        # The core wants an iWARP port to have a netdev.
        add("mix0", ports=5, layer=("ib", "roce", "iwarp", "raw", "none"),
            netdev=("", "", "m0", "", ""), lid=1)
        got = [(r["protocol"], r["link_layer"], r["reason"]) for r in ports_of("mix0")]
        same(got, [("ib", "infiniband", "ib-link-layer"), ("roce", "ethernet", "no-netdev"),
                   ("iwarp", "ethernet", "ok"), ("none", "ethernet", "no-netdev"),
                   ("none", "unspecified", "no-netdev")])
        agrees_with_rdma()
        agrees_with_sysfs("mix0")
        same({g["type"] for g in gids_file("mix0")}, {"ib"})
        delete("mix0")
        add("iw0", node=4, layer="iwarp", netdev="m0")
        same([(g["type"], g["score"]) for g in gids_file("iw0")], [("ib", "1")])
        all_agree("iw0")
        gids_agree()
    finally:
        # The core keeps the netdev of an iWARP port until the driver lets go.
        delete_all()
        netdev_del("m0")


@stub_test("node types, as rdma and sysfs name them")
def node_types():
    words = {1: "ca", 2: "switch", 3: "router", 4: "rnic", 5: "usnic", 6: "usnic_udp",
             7: "unspecified"}
    for node, word in words.items():
        name = "node%d" % node
        add(name, node=node, ports=1)
        same(device_file(name)["node_type"], word)
        same(int(sysfs(name, "node_type").split(":")[0]), node)
        same(device_file(name)["ports"], 1)
    told = {r["ifname"]: r["node_type"] for r in rdma_json("dev show")}
    for node, word in words.items():
        # Older rdma(8) does not know the last ones.
        if told["node%d" % node] not in ("unknown", "node_type:%d" % node):
            same(told["node%d" % node], word)
    agrees_with_rdma()
    for row in tool_json("device"):
        same(row["node_type"], words[int(row["ifname"][4:])])


@stub_test("zero and duplicate GUIDs are shown as they are")
def guids():
    zero, odd = "0000:0000:0000:0000", "0002:c903:00aa:bbcc"
    add("zero0", guid=0, sys_guid=0, lid=1)
    add("twin0", guid=0x0002c90300aabbcc, sys_guid=0x0002c90300aabbcc, lid=2)
    add("twin1", guid=0x0002c90300aabbcc, sys_guid=0x0002c90300aabbcc, lid=3)
    add("max0", guid=2 ** 64 - 2, sys_guid=2 ** 64 - 2, lid=4)
    want = {"zero0": zero, "twin0": odd, "twin1": odd, "max0": "ffff:ffff:ffff:fffe"}
    dev = {r["ifname"]: r for r in rdma_json("dev show")}
    for name, guid in want.items():
        text = device_file(name)
        for key in ("node_guid", "sys_image_guid"):
            same((text.keys[key], sysfs(name, key), dev[name][key]), (guid,) * 3, name + key)
    same({r["ifname"]: r["node_guid"] for r in tool_json("device")}, want)
    for source in ("netlink", "sysfs"):
        same({r["ifname"]: (r["node_guid"], r["sys_image_guid"])
              for r in tool_json("device", "--source", source)},
             {name: (guid, guid) for name, guid in want.items()}, source)
    same(gids_file("zero0"), [])
    # Without a GID an InfiniBand port still has its LID.
    same([g["ifname"] for g in gids_file()], ["twin0", "twin1", "max0"])
    all_agree(*want)


@stub_test("device: parent, firmware, limits, the same as rdma -j dev")
def device():
    add("dev0", ports=4, max_qp_wr=77, fast_reg=0)
    add("dev1", parent=0)
    text = device_file("dev0")
    want = {"driver": "rdmascope_stub", "fw": "stub-1.2.3", "parent": "rdmascope_stub", "ports": 4,
            "kverbs": "yes", "kverbs_missing": "-", "max_qp_wr": 77, "max_send_sge": 4,
            "max_recv_sge": 3, "fast_reg": "no", "atomic": "glob", "max_qp_rd_atom": 8,
            "max_qp_init_rd_atom": 7}
    same({k: text[k] for k in want}, want)
    same((device_file("dev1")["parent"], device_file("dev1")["fast_reg"]), ("-", "yes"))
    for name in ("dev0", "dev1"):
        dev = rdma_json("dev show " + name)[0]
        row = tool_json("device", name)[0]
        for key in ("ifindex", "ifname", "fw", "node_guid", "sys_image_guid"):
            same((dev[key], row[key]), (dev[key], dev[key]), key)
    same(len(ports_of("dev0")), 4)
    same(len(ports_of("dev1")), 1)


def lacking(name, verbs):
    add(name, without=verbs, lid=1)
    text = device_file(name)
    first = [verb for verb in MANDATORY if verb in verbs][0]
    same((text["kverbs"], text["kverbs_missing"]), ("no", first), name)
    same(ports_of(name)[0]["kverbs"], "no")
    return first


@stub_test("each verb the core demands, missing: kverbs no, and which")
def missing_verbs():
    for i, verb in enumerate(MANDATORY):
        lacking("no%d" % i, (verb,))
    lacking("efa0", ("create_qp", "post_send", "post_recv", "poll_cq", "get_dma_mr"))
    lacking("efa1", ("get_dma_mr", "alloc_pd"))
    add("opt0", without=("alloc_mr", "map_mr_sg", "query_qp"))
    same(device_file("opt0")["kverbs"], "yes")
    all_agree("efa0", "efa1", "opt0")
    for row in tool_json("device"):
        same(row["kverbs"] == "no", row["kverbs_missing"] is not None, row["ifname"])
        if row["kverbs"] == "no":
            same(row["kverbs_missing"], device_file(row["ifname"])["kverbs_missing"])


NAMES = ("n" * 63, "a b", "%", "100%", "%s%n%x", "a%db", "%%", "tab\tx", "line\nfeed", "a=b", "a\\b",
         "-", "--json", "links", "gids", "abi", "fault", "a:b", "\x01\x7f", "a'b\"c", "$(reboot)",
         "caf\u00e9", "\udcff\udcfe", ".hidden", "*", "x@1", " ")


def has_files(name, index):
    """The directory of a device, found by its index in the device file."""
    for path in (name, "%s@%s" % (name, index)):
        try:
            text = Text(read_file("%s/%s/device" % (ROOT, path)), "device")
        except OSError:
            continue
        if str(text["ifindex"]) == index:
            same(text.keys["ifname"], name)
            return path
    raise AssertionError("%r has no directory in %r" % (name, os.listdir(ROOT)))


@stub_test("hostile names: each has its row, its directory and its place in the tool")
def names():
    for name in NAMES:
        add(name, lid=1)
    rows = {r["ifname"]: r["ifindex"] for r in links_file()}
    same(sorted(rows), sorted(NAMES))
    for name, index in rows.items():
        has_files(name, index)
    plain = sorted(n for n in NAMES if "\udcff" not in n)
    for command in ("links", "device"):
        got = sorted(r["ifname"] for r in tool_json(command))
        same([n for n in got if "\ufffd" not in n], plain, command)
        same(len(got), len(NAMES), command)
    for name in NAMES:
        if name.startswith("--"):
            continue
        same(tool("links", name)[0], 0, repr(name))
        same(tool("device", name)[0], 0, repr(name))
    for line in tool("links")[1].splitlines():
        assert all(" " <= c != "\x7f" for c in line), "%r reaches a terminal" % line


@stub_test("names that are no file names: a slash, dot and dot dot")
def no_file_names():
    # The driver core makes "!" of a slash when a device is registered.
    add("a/b", lid=1)
    same([r["ifname"] for r in links_file()], ["a!b"])
    has_files("a!b", ports_of("a!b")[0]["ifindex"])
    for name in (".", ".."):
        err = control("add", name, lid=1)
        diag("%r: %s" % (name, errno_name(err)))
        if err:
            continue
        row = ports_of(name)[0]
        same(Text(read_file("%s/%s@%s/device" % (ROOT, name, row["ifindex"])))["ifname"], name)
        same(tool("device", name)[0], 0)
        delete(name)


@stub_test("a rename to a name with a slash keeps the files within reach")
def slash_rename():
    add("plain0", lid=1)
    index = ports_of("plain0")[0]["ifindex"]
    for new in ("sl/ash", "100%d", "plain0"):
        old = links_file()[0]["ifname"]
        p = subprocess.run(["rdma", "dev", "set", old, "name", new], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, check=False)
        row = links_file()[0]
        diag("to %r: %s, now %r" % (new, p.stdout.decode().strip() or "done", row["ifname"]))
        same(row["ifindex"], index)
        paths = [d for d in os.listdir(ROOT) if os.path.isdir(ROOT + "/" + d)]
        same(len(paths), 1, str(paths))
        same(Text(read_file("%s/%s/device" % (ROOT, paths[0])))["ifname"], row["ifname"])
        same(tool_json("device")[0]["ifname"], row["ifname"], "tool")


@stub_test("200 ports: every row in order, the directory of each")
def many_ports():
    add("wide0", ports=200, lid=range(1, 17), state=(4, 1))
    rows = ports_of("wide0")
    same([int(r["port"]) for r in rows], list(range(1, 201)))
    same([int(r["lid"]) for r in rows], [i % 16 + 1 for i in range(200)])
    same(sorted(int(d) for d in os.listdir(ROOT + "/wide0") if d.isdigit()), list(range(1, 201)))
    same(len(tool_json("links", "wide0")), 200)
    same(len(tool_json("links", "wide0/200")), 1)
    same(tool("links", "wide0/201")[0], 3)
    agrees_with_rdma()


@stub_test("two devices below one parent, one of four ports: five rows")
def one_parent():
    add("pf0", ports=1, lid=1)
    add("pf1", ports=4, lid=(2, 3, 4, 5))
    same([(r["ifname"], r["port"], r["lid"]) for r in links_file()],
         [("pf0", "1", "1")] + [("pf1", str(i), str(i + 1)) for i in range(1, 5)])
    same({device_file(n)["parent"] for n in ("pf0", "pf1")}, {"rdmascope_stub"})
    all_agree("pf0", "pf1")


@stub_test("a driver that fails to answer: query-failed, and well again")
def query_failed():
    add("sick0", ports=2, lid=1)
    change("sick0", fail="query_port:5")
    for row in ports_of("sick0"):
        same((row["state"], row["width"], row["agree"], row["reason"]),
             (None, None, "0", "query-failed"))
    assert "failed to answer" in tool("links", "sick0")[1]
    same(errno_name(Port("sick0").run("op=write size=64 iters=1").err), "EIO")
    change("sick0", fail="")
    same(ports_of("sick0")[0]["state"], "ACTIVE")
    all_agree("sick0")


def roce_row(**want):
    row = ports_of("re0")[0]
    same({k: row[k] for k in want}, want)


@stub_test("RoCE: every disagreement between port and netdev is flagged")
def disagreements():
    netdev_add("s0", "192.0.2.1/28", "veth", more="peer name s1")
    sh("ip link set s1 up")
    try:
        add("re0", layer="roce", netdev="s0", gids=16)
        wait_for(lambda: ports_of("re0")[0]["netdev_carrier"] == "1")
        roce_row(netdev="s0", agree="1", reason="ok", protocol="roce", netdev_admin="up",
                 subnet_prefix=None)
        agrees_with_rdma()
        change("re0", state=1, phys=3)
        roce_row(state="DOWN", physical_state="DISABLED", agree="0", reason="port-down")
        sh("ip link set s1 down")
        wait_for(lambda: ports_of("re0")[0]["netdev_carrier"] == "0")
        roce_row(agree="1", reason="no-carrier")
        change("re0", state=4)
        roce_row(agree="0", reason="active-without-carrier")
        sh("ip link set s0 down")
        roce_row(agree="0", reason="active-netdev-down", netdev_admin="down")
        change("re0", state=1)
        roce_row(agree="1", reason="netdev-down")
        change("re0", netdev="")
        roce_row(netdev=None, netdev_index=None, agree="1", reason="no-netdev")
        agrees_with_rdma()
    finally:
        netdev_del("s0")
    change("re0", state=4)
    roce_row(netdev=None, reason="no-netdev")


@stub_test("each port has its own netdev, and GIDs of that one")
def netdevs():
    for i in range(3):
        netdev_add("p%d" % i, "192.0.2.%d/28" % (16 * i + 1))
    try:
        add("np0", ports=3, layer="roce", netdev=("p0", "p1", "p2"), gids=16)
        same([r["netdev"] for r in ports_of("np0")], ["p0", "p1", "p2"])

        def owners():
            return {(g["port"], g["netdev"]) for g in gids_file("np0") if g["scope"] == "ipv4"}
        wait_for(lambda: len(owners()) == 3, 20, "GIDs")
        same(owners(), {("1", "p0"), ("2", "p1"), ("3", "p2")})
        gids_agree()
        agrees_with_rdma()
        with Within("ip link del"):
            sh("ip link del p1")
        same([r["netdev"] for r in ports_of("np0")], ["p0", None, "p2"])
    finally:
        netdev_del("p0", "p1", "p2")


@stub_test("all shapes at once: repeated reads are byte for byte equal")
def repeated():
    add("ib0", ports=2, lid=(4, 5))
    add("efa0", layer="none", node=7, without="post_send")
    add("a b", guid=0)
    add("sw0", node=2, ports=3)
    add("mix0", ports=4, layer=("ib", "roce", "raw", "none"))
    files = [ROOT + "/links", ROOT + "/gids"] + glob.glob(ROOT + "/*/device") + \
        [f for name in ("link", "gids", "ops", "state") for f in glob.glob(ROOT + "/*/*/" + name)]
    assert len(files) > 40, files
    for path in files:
        same(len({read_file(path) for _ in range(scaled(10, 3))}), 1, path)
    for command in ("links", "gids", "device"):
        for options in ((), ("--json",)):
            same(len({tool(command, *options)[1] for _ in range(5)}), 1, command)


class Readers:
    """Eight threads that read everything the module shows; what was wrong."""

    def __init__(self):
        self.stop, self.wrong, self.reads = threading.Event(), [], [0] * 8
        self.threads = [threading.Thread(target=self.loop, args=(i,)) for i in range(8)]

    def loop(self, own):
        while not self.stop.is_set():
            try:
                rows = [(int(r["ifindex"]), int(r["port"])) for r in links_file()]
                same(rows, sorted(set(rows)), "order")
                gids_file()
                for path in glob.glob(ROOT + "/*/device") + glob.glob(ROOT + "/*/*/[lgo]*"):
                    self.device(path)
                self.reads[own] += 1
            except Exception as e:  # pylint: disable=broad-except
                self.wrong.append(repr(e))

    @staticmethod
    def device(path):
        try:
            Text(read_file(path))
        except OSError as e:
            # Gone since it was listed, or while it was read.
            assert e.errno in (errno.ENOENT, errno.EIO), repr(e)

    def __enter__(self):
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for t in self.threads:
            t.join()


@stub_test("devices come and go under eight readers")
def churn():
    with Readers() as readers:
        wait_for(lambda: all(readers.reads), 60, "every reader has begun")
        for i in range(scaled(60, 10)):
            add("ib0", ports=2 + i % 3, lid=1)
            add("efa0", layer="none", without="poll_cq")
            assert {"ib0", "efa0"} <= {r["ifname"] for r in links_file()}, "not listed"
            change("ib0", state=1 + i % 4)
            for name in ("ib0", "efa0"):
                with Within("removal"):
                    delete(name)
                assert not ports_of(name), "still listed"
                assert not os.path.exists(ROOT + "/" + name), "directory left"
    same(readers.wrong, [])
    diag("reads: %r" % readers.reads)


@stub_test("the provider is unloaded under eight readers, and loaded again")
def unload_provider():
    with Readers() as readers:
        for _ in range(scaled(10, 3)):
            for i in range(4):
                add("un%d" % i, ports=2, lid=1)
            with Within("rmmod rdmascope_stub"):
                sh("rmmod rdmascope_stub")
            same(links_file(), [])
            sh("insmod " + STUB_KO)
        wait_for(lambda: all(readers.reads), 60, "every reader has read")
    same(readers.wrong, [])


@stub_test("rdmascope is unloaded and loaded over devices of every shape")
def unload_module():
    add("ib0", ports=2, lid=1)
    add("efa0", layer="none", node=7, without="post_send")
    add(".x y", guid=0)
    before = read_file(ROOT + "/links")
    for _ in range(scaled(10, 3)):
        with Within("rmmod rdmascope"):
            sh("rmmod rdmascope")
        assert not os.path.exists(ROOT)
        sh("insmod " + os.environ["RDMASCOPE_KO"])
    same(read_file(ROOT + "/links"), before)


main()
