# SPDX-License-Identifier: GPL-2.0
"""Files links, gids, device and directories against rdma(8), ip(8) and sysfs."""
import threading

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

SAME_AS_RDMA = ("ifindex", "ifname", "port", "state", "physical_state", "netdev", "netdev_index")
HAVE_TOOL = os.access(TOOL, os.X_OK)


def as_rdma(record):
    """The keys shared with `rdma -j link`, absent where it leaves them out."""
    pairs = {key: record[key] for key in SAME_AS_RDMA if record[key] is not None}
    return {k: int(v) if k in ("ifindex", "port", "netdev_index") else v for k, v in pairs.items()}


def by_rdma():
    return [{k: v for k, v in r.items() if k in SAME_AS_RDMA} for r in rdma_json("link show")]


def agrees(what=""):
    """The file and the tool say what rdma says, in the same order."""
    want = sorted(by_rdma(), key=lambda r: (r["ifindex"], r["port"]))
    same([as_rdma(r) for r in links_file()], want, "links " + what)
    if HAVE_TOOL:
        rows = tool_json("links")
        same([as_rdma(r) for r in rows], want, "tool " + what)


def becomes(dev, **want):
    def now():
        link = link_of(dev)
        return all(link[key] == value for key, value in want.items())
    try:
        wait_for(now, 10)
    except AssertionError:
        same({key: link_of(dev)[key] for key in want}, want, dev)


@test("two rxe links, one down: agrees with rdma -j link")
def two_links():
    agrees("both up")
    for dev in ("rxe0", "rxe1"):
        becomes(dev, state="ACTIVE", physical_state="LINK_UP", netdev_admin="up",
                netdev_carrier="1", agree="1", reason="ok", driver="rdma_rxe", kverbs="yes",
                protocol="roce", link_layer="ethernet")
    sh("ip link set d0 down")
    becomes("rxe0", state="DOWN", netdev_admin="down", agree="1", reason="netdev-down")
    agrees("netdev down")
    sh("ip link set d0 up")
    becomes("rxe0", state="ACTIVE", reason="ok")
    agrees("up again")


@test("carrier lost through the veth peer: both layers are shown")
def carrier():
    sh("ip link set v1 down")
    becomes("rxe1", netdev_admin="up", netdev_carrier="0")
    link = link_of("rxe1")
    agrees("no carrier")
    # Older kernels of rxe keep the port ACTIVE.
    want = {"ACTIVE": ("0", "active-without-carrier")}.get(link["state"], ("1", "no-carrier"))
    same((link["agree"], link["reason"]), want, link["state"])
    diag("port %s without carrier" % link["state"])
    sh("ip link set v0 down")
    becomes("rxe1", netdev_admin="down", state="DOWN", reason="netdev-down")
    agrees("both down")
    sh("ip link set v0 up; ip link set v1 up")
    becomes("rxe1", state="ACTIVE", reason="ok", netdev_carrier="1")
    agrees("back")


@test("every record has every key of the table, in its order")
def keys():
    with open(ROOT + "/links", encoding="ascii") as f:
        lines = f.read().splitlines()
    same(lines[0], "rdmascope links 1")
    same(lines[-1], "end")
    for line in lines[1:-1]:
        got = [w.split("=")[0] for w in line.split(": ", 1)[1].split(" ")]
        same(got, [key for _, key, _ in LINK_KEYS])
    for record in gids_file():
        same(list(record), [key for _, key, _ in GID_KEYS])


@test("links, the port's link file and sysfs say the same")
def same_story():
    for record in links_file():
        dev, ndev = record["ifname"], record["netdev"]
        port = Text(read_file("%s/%s/1/link" % (ROOT, dev)), "link")
        same({k: None if v == "-" else v for k, v in port.keys.items()}, record, dev)
        base = "/sys/class/net/%s/" % ndev
        same(record["netdev_index"], read_file(base + "ifindex").strip())
        same(record["netdev_mtu_bytes"], read_file(base + "mtu").strip())
        same(record["netdev_addr"], read_file(base + "address").strip())
        same(record["netdev_carrier"], read_file(base + "carrier").strip())
        same(record["netdev_oper"], read_file(base + "operstate").strip())
        same(int(record["netns"]), os.stat("/proc/self/ns/net").st_ino)
        same(int(record["netdev_netns"]), os.stat("/proc/self/ns/net").st_ino)
        base = "/sys/class/infiniband/%s/ports/1/" % dev
        rate = float(read_file(base + "rate").split()[0])
        same(float(record["rate_mbps"]), rate * 1000, "rate")


@test("device: the device and its limits")
def device():
    text = Text(read_file(ROOT + "/rxe0/device"), "device")
    same(list(text.keys), [key for _, key, _ in abi_table("RSCOPE_DEVICE_KEYS")])
    dev = rdma_json("dev show rxe0")[0]
    same(text["ifindex"], dev["ifindex"])
    same(text["node_type"], dev["node_type"])
    same(text["node_guid"], read_file("/sys/class/infiniband/rxe0/node_guid").strip())
    same((text["driver"], text["kverbs"], text["ports"]), ("rdma_rxe", "yes", 1))
    assert text["max_qp"] > 0 and text["max_cqe"] > 0 and text["max_fast_reg_pages"] > 1


@test("abi: version and kernel")
def abi():
    text = Text(read_file(ROOT + "/abi"), "abi")
    same(text["kernel"], os.uname().release)
    same(text["version"], read_file("/sys/module/rdmascope/version").strip())
    same(text["loopback"], 1)


@test("repeated reads are byte for byte equal; also in small pieces")
def repeated():
    for name in ("links", "gids", "abi", "rxe0/device", "rxe0/1/link", "rxe0/1/ops", "rxe0/1/gids"):
        whole = {read_file(ROOT + "/" + name) for _ in range(10)}
        same(len(whole), 1, name)
        fd = os.open(ROOT + "/" + name, os.O_RDONLY)
        pieces = b"".join(iter(lambda f=fd: os.read(f, 7), b""))
        same(pieces.decode(), whole.pop(), name)
        same(os.pread(fd, 5, 3), pieces[3:8], name)
        os.close(fd)


@test("a descriptor shows the moment it was opened")
def snapshot():
    fd = os.open(ROOT + "/links", os.O_RDONLY)
    before = read_file(ROOT + "/links")
    sh("ip link set d0 down")
    becomes("rxe0", state="DOWN")
    same(read_fd(fd)[1].decode(), before)
    os.close(fd)
    sh("ip link set d0 up")
    becomes("rxe0", state="ACTIVE")


def sysfs_gids(dev):
    base = "/sys/class/infiniband/%s/ports/1/" % dev
    table = {}
    for index in range(16):
        gid = read_file("%sgids/%d" % (base, index)).strip()
        if gid.strip("0:"):
            table[index] = (gid, read_file("%sgid_attrs/ndevs/%d" % (base, index)).strip(),
                            read_file("%sgid_attrs/types/%d" % (base, index)).strip())
    return table


def gids_agree(dev):
    kinds = {"roce_v2": "RoCE v2", "roce_v1": "IB/RoCE v1"}
    got = {int(g["index"]): (g["gid"], g["netdev"], kinds[g["type"]]) for g in gids_file(dev)}
    same(got, sysfs_gids(dev), "gids of " + dev)
    port = Text(read_file("%s/%s/1/gids" % (ROOT, dev)), "gids").of_kind("gid")
    same(port, gids_file(dev), "port file")


@test("gids agree with sysfs: index, GID, type, netdev")
def gids():
    for dev in ("rxe0", "rxe1"):
        gids_agree(dev)
        scopes = {g["scope"] for g in gids_file(dev)}
        assert "ipv4" in scopes, scopes


@test("GIDs of VLAN and macvlan uppers: netdev, VLAN id; a run over each")
def uppers():
    for module in ("8021q", "macvlan"):
        if try_sh("modprobe " + module)[0]:
            raise Skip("no " + module)
    netdev_add("d0.5", "192.0.2.65/28", "vlan", more="id 5", lower="link d0")
    netdev_add("mv0", "192.0.2.97/28", "macvlan", lower="link d0")
    wait_for(lambda: any(g["netdev"] == "d0.5" and g["scope"] == "ipv4"
                         for g in gids_file("rxe0")), 20, "GID of the VLAN")
    gids_agree("rxe0")
    for g in gids_file("rxe0"):
        same(g["vlan"], "5" if g["netdev"] == "d0.5" else None, str(g))
    diag("netdevs: %s" % sorted({g["netdev"] for g in gids_file("rxe0")}))
    best = max(gids_file("rxe0"), key=lambda g: int(g["score"]))
    same(best["netdev"], "d0", "best GID")
    port = Port("rxe0")
    same(port.good()["gid_netdev"], "d0")
    for g in gids_file("rxe0"):
        result = port.run("op=write size=64 iters=5 verify=1 gid_index=%s timeout_ms=5000" %
                          g["index"])
        diag("%s vlan %s: %r" % (g["netdev"], g["vlan"], result))
        if g["netdev"] == "d0":
            same((result.err, result.report["verdict"]), (0, "pass"))
    same(link_of("rxe0")["netdev"], "d0")
    netdev_del("d0.5", "mv0")
    wait_for(lambda: {g["netdev"] for g in gids_file("rxe0")} == {"d0"}, 20, "uppers gone")


@test("bond slaves: each device is listed with its master and runs on itself")
def bond():
    if try_sh("modprobe bonding max_bonds=0")[0]:
        raise Skip("no bonding")
    netdev_add("b0", "198.51.100.65/28", "bond", more="mode active-backup")
    for i in (2, 3):
        netdev_add("d%d" % i, "203.0.113.%d/28" % (16 * i + 1))
        sh("ip link set d%d down; ip link set d%d master b0; ip link set d%d up" % (i, i, i))
    sh("ip link set b0 up")
    for i in (2, 3):
        rxe_add("rxe%d" % i, "d%d" % i, ready=False)
        becomes("rxe%d" % i, netdev="d%d" % i, netdev_master="b0")
    agrees("bond")
    same(len(links_file()), 4, "records")
    for i in (2, 3):
        sh("ip addr add 203.0.113.%d/28 dev d%d 2>&1 || :" % (16 * i + 1, i))
        result = Port("rxe%d" % i).run("op=write size=64 iters=5 verify=1")
        diag("slave d%d: %r" % (i, result))
        if result.report:
            same(result.report["dev"], "rxe%d" % i)
            assert result.report["gid_netdev"] in ("d%d" % i, "b0")
    same(link_of("rxe0")["netdev_master"], None)
    rxe_del("rxe2", "rxe3")
    netdev_del("b0", "d2", "d3")


@test("a netdev in another network namespace: the row stays, or goes with a reason")
def netns():
    sh("ip netns add A")
    netdev_add("d4", "203.0.113.65/28")
    rxe_add("rxe4", "d4")
    for mode in ("shared", "exclusive"):
        status, out = try_sh("rdma system set netns " + mode)
        if status:
            diag("netns mode %s: %s" % (mode, out.strip()))
    sh("rdma system set netns shared 2>&1 || :")
    sh("ip link set d4 netns A")
    wait_for(links_file, 5)
    for record in links_file():
        if record["ifname"] != "rxe4":
            continue
        diag("moved: netdev %s netns %s" % (record["netdev"], record["netdev_netns"]))
        if record["netdev"]:
            assert record["netdev_netns"] != record["netns"]
    in_a = sh("ip netns exec A cat %s/links 2>&1 || ip netns exec A sh -c "
              "'mount -t debugfs none /sys/kernel/debug; cat %s/links'" % (ROOT, ROOT))
    Text(in_a[in_a.index("rdmascope links"):], "links")
    # A device made inside: its netdev lives there.
    sh("ip netns exec A ip link add d5 type dummy; ip -n A addr add 203.0.113.81/28 dev d5; "
       "ip -n A link set d5 up; ip -n A link set lo up")
    status, out = try_sh("ip netns exec A rdma link add rxe5 type rxe netdev d5")
    if status:
        diag("rxe in a namespace: " + out.strip())
    else:
        record = link_of("rxe5")
        inode = int(sh("ip netns exec A stat -Lc %i /proc/self/ns/net"))
        same((record["netdev"], int(record["netdev_netns"])), ("d5", inode))
        result = Port("rxe5").run("op=write size=64 iters=5 timeout_ms=5000")
        diag("run in the namespace: %r %s" % (result, Port("rxe5").last_error()))
        assert result.report or Port("rxe5").last_error() != "-", "neither report nor reason"
    with Within("ip netns del"):
        sh("ip netns del A")
    wait_for(lambda: "rxe5" not in [r["ifname"] for r in links_file()], 20, "rxe5 gone")
    rxe_del("rxe4", "rxe5")
    netdev_del("d4")
    agrees("namespace gone")


@test("exclusive mode: two devices of one name, two directories")
def same_name():
    if try_sh("rdma system set netns exclusive")[0]:
        raise Skip("the mode cannot be changed now")
    try:
        sh("ip netns add B; ip -n B link add d6 type dummy; ip -n B link set d6 up")
        status, out = try_sh("ip netns exec B rdma link add rxe0 type rxe netdev d6")
        if status:
            raise Skip("no second rxe0: " + out.strip())
        names = [n for n in os.listdir(ROOT) if n.startswith("rxe0")]
        index = [r["ifindex"] for r in links_file() if r["netdev"] == "d6"][0]
        same(sorted(names), ["rxe0", "rxe0@" + index])
    finally:
        try_sh("ip netns exec B rdma link del rxe0; ip netns del B")
        wait_for(lambda: [n for n in os.listdir(ROOT) if n.startswith("rxe0")] == ["rxe0"], 20)
        try_sh("rdma system set netns shared")


class Readers:
    """Threads that read the map until the block ends; what they saw wrong."""

    def __init__(self, count=2):
        self.stop, self.wrong, self.reads = threading.Event(), [], 0
        self.threads = [threading.Thread(target=self.loop) for _ in range(count)]

    def loop(self):
        while not self.stop.is_set():
            try:
                names = [r["ifname"] for r in links_file()]
                same(len(set(names)), len(names), "a device twice: %r" % names)
                gids_file()
                self.reads += 1
            except Exception as e:  # pylint: disable=broad-except
                self.wrong.append(repr(e))

    def __enter__(self):
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for t in self.threads:
            t.join()


@test("rename while readers loop: no stale name after the command, the directory follows")
def rename():
    with Readers() as readers:
        old = "rxe0"
        for i in range(scaled(10, 3)):
            new = "rocefoo%d" % i
            sh("rdma dev set %s name %s" % (old, new))
            same(link_of(new)["ifname"], new)
            assert old not in [r["ifname"] for r in links_file()], "stale name"
            assert os.path.exists("%s/%s/1/link" % (ROOT, new)), "directory " + new
            assert not os.path.exists("%s/%s" % (ROOT, old)), "stale directory"
            old = new
        sh("rdma dev set %s name rxe0" % old)
    same(readers.wrong, [])
    assert readers.reads > 0
    agrees("renamed back")


@test("rename during a run: run goes on under the new name")
def rename_running():
    writer = Writer(Port("rxe0"))
    sh("rdma dev set rxe0 name rocebar")
    same(Port("rocebar").state()["state"], "running")
    Port("rocebar").cancel()
    same(errno_name(writer.end().err), "ECANCELED")
    writer.close()
    sh("rdma dev set rocebar name rxe0")


@test("names that are taken or reserved become DEV@INDEX, on rename too")
def reserved():
    index = link_of("rxe0")["ifindex"]
    for name in ("links", "gids", "abi", "fault"):
        sh("rdma dev set rxe0 name " + name)
        same(link_of(name)["ifindex"], index)
        port = Port("%s@%s" % (name, index))
        same(port.good()["dev"], name)
        Text(read_file(ROOT + "/links"), "links")
        sh("rdma dev set %s name rxe0" % name)
        assert os.path.isdir(ROOT + "/rxe0/1")
        assert not os.path.exists(port.dir)
    netdev_add("d7", "203.0.113.97/28")
    port = rxe_add("links", "d7")
    index = link_of("links")["ifindex"]
    same(Port("links@" + index).good()["dev"], "links")
    rxe_del("links")
    wait_for(lambda: not os.path.exists("%s/links@%s" % (ROOT, index)), 10)
    assert os.path.isfile(ROOT + "/links")
    netdev_del("d7")


@test("names with odd bytes are escaped and have their directory")
def odd_names():
    for name in ("a=b", "a b", "a\\b", "-", "a:b", "tab\there"):
        p = subprocess.run(["rdma", "dev", "set", "rxe0", "name", name], check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if p.returncode:
            diag("%r: %s" % (name, p.stdout.decode().strip()))
            continue
        try:
            same(sorted(r["ifname"] for r in links_file()), sorted([name, "rxe1"]))
            same(Port(name).good("iters=5")["dev"], name)
            if HAVE_TOOL:
                same(sorted(r["ifname"] for r in tool_json("links")), sorted([name, "rxe1"]))
        finally:
            subprocess.run(["rdma", "dev", "set", name, "name", "rxe0"], check=True)


@test("12 devices whose names share 31 characters: 12 directories, 12 rows")
def long_names():
    prefix = "p" * 31
    names = ["%s_%s_%02d" % (prefix, "q" * 24, i) for i in range(12)]
    for i, name in enumerate(names):
        sh("ip link add l%d type dummy; ip link set l%d up; rdma link add tmp%d type rxe netdev l%d; "
           "rdma dev set tmp%d name %s" % (i, i, i, i, i, name))
    same(set(names) - set(os.listdir(ROOT)), set())
    rows = {r["ifname"]: r["netdev"] for r in links_file()}
    same({n: rows.get(n) for n in names}, {n: "l%d" % i for i, n in enumerate(names)})
    agrees("long names")
    for i, name in enumerate(names):
        same(Text(read_file("%s/%s/1/link" % (ROOT, name)))["netdev"], "l%d" % i)
    rxe_del(*names)
    netdev_del(*("l%d" % i for i in range(12)))
    wait_for(lambda: not set(names) & set(os.listdir(ROOT)), 20, "directories gone")


@test("loaded and unloaded under a reader: the list is complete or not there")
def complete():
    before = read_file(ROOT + "/abi")
    names = ["rxe%d" % i for i in range(20, 28)]
    for i, name in enumerate(names):
        sh("ip link add c%d type dummy; ip link set c%d up; rdma link add %s type rxe netdev c%d" %
           (i, i, name, i))
    total, seen, end = len(links_file()), set(), threading.Event()

    def reader():
        while not end.is_set():
            try:
                seen.add(len(links_file()))
            except FileNotFoundError:
                seen.add(None)

    thread = threading.Thread(target=reader)
    thread.start()
    for _ in range(scaled(16, 3)):
        # An open file pins the module.
        wait_for(lambda: try_sh("rmmod rdmascope")[0] == 0, 20, "rmmod")
        sh("insmod " + os.environ["RDMASCOPE_KO"])
    end.set()
    thread.join()
    rxe_del(*names)
    netdev_del(*("c%d" % i for i in range(8)))
    same(seen | {None}, {None, total}, "records in a list")
    same(read_file(ROOT + "/abi"), before)


@test("16 parallel readers of one descriptor, by dup and pread")
def parallel():
    for name in ("links", "gids", "rxe0/device", "rxe0/1/ops"):
        want = read_file(ROOT + "/" + name).encode()
        fd = os.open(ROOT + "/" + name, os.O_RDONLY)
        wrong = []

        def reader(fd=fd, want=want, wrong=wrong):
            own = os.dup(fd)
            for offset in range(0, len(want), max(1, len(want) // scaled(200, 20))):
                if os.pread(own, 4096, offset) != want[offset:offset + 4096]:
                    wrong.append(offset)
            os.close(own)

        threads = [threading.Thread(target=reader) for _ in range(16)]
        for t in threads:
            t.start()
        os.close(fd)
        for t in threads:
            t.join()
        same(wrong, [], name)


@test("16 processes that open and read at once")
def processes():
    sh("for i in $(seq 16); do (for j in $(seq %d); do cat %s/links %s/gids %s/rxe0/1/* "
       ">/dev/null 2>&1; done) & done; wait" % (scaled(4, 1), ROOT, ROOT, ROOT), 300)


@test("readers against a loop of add and delete")
def churn():
    netdev_add("d8", "203.0.113.113/28")
    with Readers() as readers:
        for _ in range(scaled(12, 4)):
            rxe_add("rxe8", "d8", ready=False)
            assert "rxe8" in [r["ifname"] for r in links_file()], "not listed"
            with Within("rdma link del"):
                sh("rdma link del rxe8")
            assert "rxe8" not in [r["ifname"] for r in links_file()], "still listed"
            assert not os.path.exists(ROOT + "/rxe8")
    same(readers.wrong, [])
    diag("%d reads" % readers.reads)
    netdev_del("d8")


@test("an idle module pins no netdev and no driver")
def pins():
    same(read_file("/sys/module/rdma_rxe/refcnt").strip(), "0")
    fd = os.open(ROOT + "/links", os.O_RDONLY)
    fd2 = os.open(ROOT + "/rxe0/1/result", os.O_RDONLY)
    netdev_add("d9", "203.0.113.129/28")
    rxe_add("rxe9", "d9")
    fd3 = os.open(ROOT + "/rxe9/1/gids", os.O_RDONLY)
    with Within("ip link del"):
        sh("ip link del d9")
    wait_for(lambda: "rxe9" not in [r["ifname"] for r in links_file()], LIMIT_S)
    for f in (fd, fd2, fd3):
        os.close(f)


def setup():
    build_writer()
    netdev_add("d0", "192.0.2.1/24")
    netdev_add("v0", "198.51.100.1/26", "veth", more="peer name v1")
    sh("ip addr add 198.51.100.2/26 dev v1; ip link set v1 up")
    rxe_add("rxe0", "d0")
    rxe_add("rxe1", "v0")


def teardown():
    rxe_del("rxe0", "rxe1")
    netdev_del("d0", "v0")


main(setup, teardown)
