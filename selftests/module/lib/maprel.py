# SPDX-License-Identifier: GPL-2.0
"""Uppers, lowers, addresses and user space of rxe devices, held against ip(8)."""
import json
import shutil

from stubs import *  # pylint: disable=wildcard-import,unused-wildcard-import

KO = os.environ["RDMASCOPE_KO"]
SOURCES = ("module", "netlink", "sysfs")
ABOVE = ("netdev", "ifindex", "relation", "active", "vlan")


def ip_links(netns=""):
    return {r["ifname"]: r for r in json.loads(sh("ip %s -j -d link show" % netns))}


def ip_addresses():
    return {r["ifname"]: ["%s/%d" % (a["local"], a["prefixlen"]) for a in r["addr_info"]]
            for r in json.loads(sh("ip -j addr show"))}


def above(name, links):
    """Every netdev on top of this one, out of ip: (name, ifindex, relation, active, vlan)."""
    found, todo = [], [name]
    while todo:
        low = todo.pop(0)
        info = links[low].get("linkinfo", {})
        master = links[low].get("master")
        ups = [(n, r["linkinfo"]["info_kind"], None) for n, r in links.items()
               if r.get("link") == low and r["linkinfo"]["info_kind"] != "veth"]
        if master:
            state = info.get("info_slave_data", {}).get("state")
            kind = info["info_slave_kind"]
            ups.append((master, kind, state == "ACTIVE" if kind == "bond" else None))
        for up, kind, active in ups:
            if up not in [f[0] for f in found]:
                vlan = links[up].get("linkinfo", {}).get("info_data", {}).get("id")
                found.append((up, links[up]["ifindex"], kind, active,
                              vlan if kind == "vlan" or vlan else None))
                todo.append(up)
    return sorted(found)


def tuples(rows, *keys):
    return [tuple(r[key] for key in keys) for r in rows]


def settled(read):
    """What read() says when the same is said right before and after it."""
    def quiet():
        links, addrs = ip_links(), ip_addresses()
        said = read()
        return (links, addrs, said) if addrs == ip_addresses() else None
    return wait_for(quiet, 20, "netdevs that stay as they are")


def known(relation, source):
    """What a source has as the relation: a macvlan is no type of its own in sysfs."""
    return "upper" if (relation, source) == ("macvlan", "sysfs") else relation


def agrees_with_ip(*devs):
    """Uppers, lowers and addresses of these links, out of every source."""
    for source in SOURCES:
        links, addrs, rows = settled(lambda s=source: {
            r["ifname"]: r for r in tool_json("links", "--source", s)})
        for dev in devs:
            row, what = rows[dev], "%s by %s" % (dev, source)
            name = row["netdev"]
            want = [(n, i, known(kind, source), *rest)
                    for n, i, kind, *rest in above(name, links)]
            same(sorted(tuples(row["netdev_uppers"], *ABOVE)), want, what)
            lowers = sorted(n for n in links if name in [u[0] for u in above(n, links)])
            same(sorted(r["netdev"] for r in row["netdev_lowers"]), lowers, what)
            if source == "sysfs":
                same(row["addresses"], None)
                continue
            same(row["addresses"], addrs[name], what)
            for other in row["netdev_uppers"] + row["netdev_lowers"]:
                same(other["addresses"], addrs[other["netdev"]], what)


def need(*modules):
    for module in modules:
        if try_sh("modprobe " + module)[0]:
            raise Skip("no " + module)


def with_world(name):
    """Bond b0 over t2 and t3 with VLAN b0.5 in bridge br0; macvlan and VLAN on t0; a veth."""
    def wrap(function):
        def wrapped():
            need("bonding max_bonds=0", "bridge", "8021q", "macvlan")
            try:
                build()
                function()
            finally:
                rxe_del("rxt0", "rxt2", "rxt3", "rxtb", "rxtv")
                netdev_del("br0", "b0.5", "mv0", "t0.7", "b0", "t0", "t2", "t3", "v0")
        test(name)(wrapped)
        return function
    return wrap


def build():
    netdev_add("t0", "192.0.2.1/28")
    sh("ip addr add 192.0.2.14/28 dev t0; ip addr add 2001:db8::1/64 dev t0 nodad")
    netdev_add("t0.7", "192.0.2.17/28", "vlan", more="id 7", lower="link t0")
    netdev_add("mv0", "192.0.2.33/28", "macvlan", lower="link t0")
    netdev_add("v0", "192.0.2.49/28", "veth", more="peer name v1")
    sh("ip link set v1 up; ip link add b0 type bond mode active-backup miimon 20")
    for i in (2, 3):
        sh("ip link add t%d type dummy; ip link set t%d master b0; ip link set t%d up" % (i, i, i))
    sh("ip addr add 192.0.2.65/28 dev b0; ip link set b0 up; ip link set b0 type bond "
       "active_slave t2")
    sh("ip link add link b0 name b0.5 type vlan id 5; ip link set b0.5 up; "
       "ip link add br0 type bridge; ip addr add 192.0.2.81/28 dev br0; ip link set br0 up; "
       "ip link set b0.5 master br0")
    for dev, netdev in (("rxt0", "t0"), ("rxt2", "t2"), ("rxt3", "t3"), ("rxtb", "b0"),
                        ("rxtv", "v0")):
        rxe_add(dev, netdev, ready=False)


def uppers(dev, *args):
    return tool_json("links", dev, *args)[0]["netdev_uppers"]


@with_world("uppers, lowers, addresses agree with ip -j -d link and ip -j addr, out of every source")
def relations():
    agrees_with_ip("rxt0", "rxt2", "rxt3", "rxtb", "rxtv")
    same(sorted(tuples(uppers("rxt0"), "netdev", "relation", "vlan", "over")),
         [("mv0", "macvlan", None, "t0"), ("t0.7", "vlan", 7, "t0")])
    same(tuples(uppers("rxt2"), "netdev", "relation", "over"),
         [("b0", "bond", "t2"), ("b0.5", "vlan", "b0"), ("br0", "bridge", "b0.5")])
    row = tool_json("links", "rxt0")[0]
    assert {"192.0.2.1/28", "192.0.2.14/28", "2001:db8::1/64"} < set(row["addresses"]), row
    lowers = tool_json("links", "rxtb")[0]["netdev_lowers"]
    same(sorted(tuples(lowers, "netdev", "relation", "active", "under")),
         [("t2", "bond", True, "b0"), ("t3", "bond", False, "b0")])
    same(uppers("rxtv"), [], "the peer of a veth stands on nothing")
    out = tool("links", "--details")[1]
    for line in ("  above b0: bond on t2, active, 192.0.2.65/28",
                 "  above b0: bond on t3, not active, 192.0.2.65/28",
                 "  below t2: bond of b0, active"):
        assert any(got.startswith(line) for got in out.splitlines()), (line, out)


def active():
    return {dev: {source: uppers(dev, "--source", source)[0]["active"] for source in SOURCES}
            for dev in ("rxt2", "rxt3")}


@with_world("fail-over: the active slave changes over, in every source")
def fail_over():
    first = {"rxt2": dict.fromkeys(SOURCES, True), "rxt3": dict.fromkeys(SOURCES, False)}
    second = {"rxt2": dict.fromkeys(SOURCES, False), "rxt3": dict.fromkeys(SOURCES, True)}
    same(active(), first)
    sh("ip link set t2 down")
    wait_for(lambda: active() == second, 20, "t3 active: %r" % active())
    agrees_with_ip("rxt2", "rxt3", "rxtb")
    same({r["ifname"]: r["serves"]["active"] for r in tool_json("links", "--netdev", "b0")},
         {"rxt2": False, "rxt3": True, "rxtb": None})
    sh("ip link set t2 up; ip link set b0 type bond active_slave t2")
    wait_for(lambda: active() == first, 20, "t2 active")


SERVED = {
    "t0": {"rxt0": ("port", ["t0"])}, "t0.7": {"rxt0": ("vlan", ["t0", "t0.7"])},
    "mv0": {"rxt0": ("macvlan", ["t0", "mv0"])}, "v0": {"rxtv": ("port", ["v0"])},
    "t2": {"rxt2": ("port", ["t2"]), "rxtb": ("bond", ["b0", "t2"])},
    "b0": {"rxt2": ("bond", ["t2", "b0"]), "rxt3": ("bond", ["t3", "b0"]), "rxtb": ("port", ["b0"])},
    "b0.5": {"rxt2": ("vlan", ["t2", "b0", "b0.5"]), "rxt3": ("vlan", ["t3", "b0", "b0.5"]),
             "rxtb": ("vlan", ["b0", "b0.5"])},
    "br0": {"rxt2": ("bridge", ["t2", "b0", "b0.5", "br0"]),
            "rxt3": ("bridge", ["t3", "b0", "b0.5", "br0"]),
            "rxtb": ("bridge", ["b0", "b0.5", "br0"])},
}


@with_world("links --netdev: which link serves a netdev, for each kind, out of every source")
def netdev():
    for source in SOURCES:
        for name, want in SERVED.items():
            rows = tool_json("links", "--netdev", name, "--source", source)
            got = {r["ifname"]: (r["serves"]["relation"], r["serves"]["path"]) for r in rows}
            same(got, {dev: (known(relation, source), path)
                       for dev, (relation, path) in want.items()}, "%s by %s" % (name, source))
    same([r["ifname"] for r in tool_json("links", "rxt3", "--netdev", "br0")], ["rxt3"])
    out = tool("links", "--netdev", "br0")[1]
    assert "  serves br0: bridge, active, t2 - b0 - b0.5 - br0\n" in out, out


@with_world("links --netdev: of one without a link, or none: status 3 and what to do")
def netdev_unknown():
    for name, words in (("lo", "no RDMA link serves it"), ("v1", "no RDMA link serves it"),
                        ("nowhere", "no such network device")):
        status, out, err = tool("links", "--netdev", name)
        same((status, out), (3, ""), name)
        assert words in err and "next:" in err and name in err, err
        same(tool_json("links", "--netdev", name, status=3)["error"]["exit"], 3)


@with_world("GIDs: what their netdev is to that of the port")
def gid_relations():
    wait_for(lambda: {"t0.7", "mv0"} <= {g["netdev"] for g in gids_file("rxt0")}, 20, "GIDs")
    want = {"t0": "port", "t0.7": "vlan", "mv0": "macvlan"}
    for source in SOURCES:
        rows = tool_json("gids", "rxt0", "--source", source)
        same({g["netdev"]: g["netdev_relation"] for g in rows},
             {name: known(relation, source) for name, relation in want.items()}, source)
    # The GIDs of a slave are those of its bond and of what stands on that.
    got = {(g["netdev"], g["netdev_relation"]) for g in tool_json("gids", "rxt2")}
    assert ("b0", "bond") in got, got
    assert got <= {("t2", "port"), ("b0", "bond"), ("b0.5", "vlan"), ("br0", "bridge")}, got


def as_nobody(*args):
    """The tool as nobody, from a place that one may read."""
    os.chmod(TMP, 0o755)
    shutil.copy(TOOL, TMP + "/tool")
    os.chmod(TMP + "/tool", 0o755)
    p = subprocess.run([TMP + "/tool", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False, timeout=60, preexec_fn=lambda: (
                           os.setgroups([]), os.setgid(65534), os.setuid(65534)))
    return p.returncode, p.stdout.decode(), p.stderr.decode()


@with_world("nobody sees the same netdevs, addresses, GIDs and drivers as root")
def nobody():
    mine = {r["ifname"]: r for r in tool_json("links", "--source", "netlink")}
    status, out, err = as_nobody("links", "--json")
    same((status, err), (0, ""))
    for row in strict_json(out):
        same(row, mine[row["ifname"]])
        same(row["driver"], "rdma_rxe")
    status, out, err = as_nobody("links", "--netdev", "br0")
    same((status, err), (0, ""))
    assert "serves br0" in out, out


def node_of(dev):
    for path in glob_nodes():
        if read_file(path + "/ibdev").strip() == dev:
            return os.path.basename(path)
    return None


def glob_nodes():
    base = "/sys/class/infiniband_verbs/"
    return [base + n for n in os.listdir(base) if n.startswith("uverbs")]


@test("device: uverbs and umad nodes, provider library, the same out of every source")
def user_space():
    need("ib_umad")
    netdev_add("t0", "192.0.2.1/28")
    try:
        rxe_add("rxt0", "t0")
        row = tool_json("device", "rxt0")[0]
        same(row["uverbs"], {"node": node_of("rxt0"), "openable": True, "reason": None})
        same([(u["port"], u["openable"]) for u in row["umad"]], [(1, True)])
        same((row["provider"]["name"], row["provider"]["present"]), ("rxe", True))
        assert os.path.exists(row["provider"]["library"]), row
        same((row["driver"], row["pci"], row["numa_node"]), ("rdma_rxe", None, None))
        extra = ("uverbs", "umad", "provider", "driver", "pci", "parent", "numa_node", "fw",
                 "node_guid", "node_type")
        for source in SOURCES:
            other = tool_json("device", "rxt0", "--source", source)[0]
            same({k: other[k] for k in extra}, {k: row[k] for k in extra}, source)
        path = "/dev/infiniband/" + row["uverbs"]["node"]
        mode = os.stat(path).st_mode & 0o7777
        os.chmod(path, 0o600)
        status, out, err = as_nobody("device", "rxt0", "--json")
        os.chmod(path, mode)
        same((status, err), (0, ""))
        same(strict_json(out)[0]["uverbs"],
             {"node": row["uverbs"]["node"], "openable": False, "reason": "Permission denied"})
    finally:
        rxe_del("rxt0")
        netdev_del("t0")
        try_sh("rmmod ib_umad")


@test("map commands do not load libibverbs")
def no_library():
    netdev_add("t0", "192.0.2.1/28")
    try:
        rxe_add("rxt0", "t0")
        for args in (("links", "--details"), ("links", "--netdev", "t0"), ("links", "--json"),
                     ("gids", "--json"), ("device", "--json"), ("device",)):
            status, _, err = tool(*args, env=dict(os.environ, LD_DEBUG="libs"))
            same(status, 0, str(args))
            assert "libmnl" in err and "libibverbs" not in err, args
    finally:
        rxe_del("rxt0")
        netdev_del("t0")


@test("a netdev in another namespace: from outside and from inside, with the module and without")
def netns():
    sh("ip netns add A")
    try:
        sh("ip -n A link add t5 type dummy; ip -n A addr add 192.0.2.97/28 dev t5; "
           "ip -n A link set t5 up; ip -n A link set lo up; "
           "ip -n A link add link t5 name t5.9 type vlan id 9")
        status, out = try_sh("ip netns exec A rdma link add rxt5 type rxe netdev t5")
        if status:
            raise Skip("no rxe in a namespace: " + out.strip())
        row = tool_json("links", "rxt5", "--source", "module")[0]
        same((row["netdev"], row["netdev_uppers"], row["addresses"]), ("t5", None, None))
        inside = json.loads(sh("ip netns exec A %s links rxt5 --json --source netlink" % TOOL))[0]
        same((inside["netdev"], inside["addresses"][0]), ("t5", "192.0.2.97/28"))
        same(tuples(inside["netdev_uppers"], "netdev", "vlan"), [("t5.9", 9)])
        sh("ip netns exec A %s links --netdev t5.9 --source netlink" % TOOL)
        same(tool("links", "--netdev", "t5")[0], 3)
        sh("rmmod rdmascope")
        out = tool("links")[1]
        assert "rxt5/1: its netdev, t5, is in another network namespace" in out, out
        for source in ("netlink", "sysfs"):
            found = tool_json("check", "rxt5", "--source", source)[0]
            same(found["findings"][0]["name"], "netdev-netns", source)
            assert "t5, its netdev" in found["reason"], found
    finally:
        sh("ip netns del A")
        if not os.path.exists(ROOT + "/abi"):
            sh("insmod " + KO)
        wait_for(lambda: "rxt5" not in [r["ifname"] for r in links_file()], 20, "rxt5 gone")


@test("active MTU without the module: judged once the device was asked")
def mtu():
    netdev_add("t0", "192.0.2.1/28")
    try:
        rxe_add("rxt0", "t0")
        # 256 is the smallest MTU there is, and does not fit.
        sh("ip link set t0 mtu 280")
        wait_for(lambda: link_of("rxt0")["active_mtu_bytes"] == "256", 20, "active MTU")
        with_module = [f["name"] for f in tool_json("check", "rxt0", "--no-run")[0]["findings"]]
        assert "mtu-too-large" in with_module, with_module
        sh("rmmod rdmascope")
        status, out, _ = tool("check", "rxt0", "--json")
        row = strict_json(out)[0]
        diag("status %d, user %s" % (status, row["user"]["outcome"]))
        assert "mtu-too-large" in [f["name"] for f in row["findings"]], row
        sh("ip link set t0 mtu 1500")
        names = [f["name"] for f in tool_json("check", "rxt0")[0]["findings"]]
        same(names, ["module-absent"])
    finally:
        if not os.path.exists(ROOT + "/abi"):
            sh("insmod " + KO)
        rxe_del("rxt0")
        netdev_del("t0")


@test("check names whoever holds a file of the module, busy or not")
def holders():
    netdev_add("t0", "192.0.2.1/28")
    try:
        rxe_add("rxt0", "t0")
        row = tool_json("check", "rxt0", "--no-run")[0]
        same((row["module_refs"], row["module_held_by"]), (0, None))
        fd = os.open(ROOT + "/links", os.O_RDONLY)
        row = tool_json("check", "rxt0", "--no-run")[0]
        who = "python3 (%d)" % os.getpid()
        same((row["verdict"], row["module_refs"], row["module_held_by"]), ("PASS", 1, who))
        assert "\nmodule: held by %s\n" % who in tool("check", "rxt0", "--no-run")[1]
        _, out, _ = as_nobody("check", "rxt0", "--no-run")
        assert "\nmodule: held by a process that only root sees (references: 1)\n" in out, out
        os.close(fd)
        same(tool_json("check", "rxt0", "--no-run")[0]["module_refs"], 0)
    finally:
        rxe_del("rxt0")
        netdev_del("t0")


main()
