# SPDX-License-Identifier: GPL-2.0
"""watch about rxe0 over d0 and rxe1 over v0, whose peer is v1."""
from fixture import Tree
from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import
from watcher import Watch, kernel_has, own_copy, stopped

KO = os.environ["RDMASCOPE_KO"]


def watching(name, *args, **who):
    """A test with a watch that must end well and tell what there is."""
    def add(function):
        def wrapped():
            fresh()
            with Watch(*args, **who) as watch:
                function(watch)
                same(watch.end(signal.SIGTERM), 128 + signal.SIGTERM)
        test(name)(wrapped)
        return function
    return add


def fresh():
    if not os.path.exists(ROOT + "/abi"):
        sh("insmod " + KO)
    sh("for i in d0 v0 v1; do ip link set $i up mtu 1500; done")
    for dev in ("rxe0", "rxe1"):
        wait_for(lambda d=dev: port_ready(d), 20, dev + " ready")


@watching("it starts with one line for each link, and says what it follows")
def start(watch):
    lines = watch.lines
    same([(r["event"], r.get("ifname")) for r in lines],
         [("present", "rxe0"), ("present", "rxe1"), ("following", None)])
    assert "source module" in watch.following and "rtnetlink" in watch.following, watch.following
    same("RDMA monitor" in watch.following, kernel_has("rdma_nl_notify_event"), watch.following)
    diag(watch.following)
    watch.in_sum()


@watching("carrier lost through the veth peer, and back: values and verdict")
def carrier(watch):
    since = watch.mark()
    sh("ip link set v1 down")
    watch.wait(since, ifname="rxe1", event="changed", field="netdev_carrier", old=1, new=0)
    line = watch.wait(since, ifname="rxe1", field="reason", old="ok")
    # Older kernels of rxe keep the port ACTIVE.
    assert (line["new"], line["agree"]) in (("active-without-carrier", 0), ("no-carrier", 1)), line
    watch.in_sum()
    since = watch.mark()
    sh("ip link set v1 up")
    watch.wait(since, ifname="rxe1", field="netdev_carrier", old=0, new=1)
    watch.wait(since, ifname="rxe1", field="reason", new="ok", agree=1)
    watch.in_sum()
    assert not watch.find(0, event="changed", ifname="rxe0"), watch.lines


@watching("netdev down and up: both layers change, and agree")
def admin(watch):
    since = watch.mark()
    sh("ip link set d0 down")
    watch.wait(since, ifname="rxe0", field="netdev_admin", old="up", new="down")
    watch.wait(since, ifname="rxe0", field="state", old="ACTIVE", new="DOWN")
    watch.wait(since, ifname="rxe0", field="reason", old="ok", new="netdev-down", agree=1)
    sh("ip link set d0 up")
    watch.wait(since, ifname="rxe0", field="state", old="DOWN", new="ACTIVE")
    watch.wait(since, ifname="rxe0", field="reason", new="ok")
    watch.in_sum()


@watching("an address added and removed: its GID appears and is gone")
def address(watch):
    since = watch.mark()
    sh("ip addr add 198.51.100.77/32 dev d0")
    gid = "0000:0000:0000:0000:0000:ffff:c633:644d"
    line = watch.wait(since, what="gid", event="appeared", ifname="rxe0", gid=gid)
    same((line["record"]["scope"], line["record"]["netdev"]), ("ipv4", "d0"))
    watch.in_sum()
    sh("ip addr del 198.51.100.77/32 dev d0")
    watch.wait(since, what="gid", event="gone", ifname="rxe0", gid=gid, index=line["index"])
    sh("ip addr add 2001:db8::77/128 dev d0 nodad")
    gid = "2001:0db8:" + "0000:" * 5 + "0077"
    watch.wait(since, what="gid", event="appeared", gid=gid)
    sh("ip addr del 2001:db8::77/128 dev d0")
    watch.wait(since, what="gid", event="gone", gid=gid)
    watch.in_sum()


@watching("MTU: that of the netdev and that of the port")
def mtu(watch):
    since = watch.mark()
    sh("ip link set d0 mtu 4200")
    watch.wait(since, ifname="rxe0", field="netdev_mtu_bytes", old=1500, new=4200)
    watch.wait(since, ifname="rxe0", field="active_mtu_bytes", old=1024, new=4096)
    sh("ip link set d0 mtu 1500")
    watch.wait(since, ifname="rxe0", field="netdev_mtu_bytes", old=4200, new=1500)
    watch.in_sum()


@watching("rdma link add and delete: a link appears and is gone, with its GIDs")
def links(watch):
    netdev_add("d2", "203.0.113.1/28")
    since = watch.mark()
    rxe_add("rxe2", "d2")
    line = watch.wait(since, what="link", event="appeared", ifname="rxe2")
    same(line["record"]["netdev"], "d2")
    watch.wait(since, what="gid", event="appeared", ifname="rxe2")
    watch.in_sum()
    with Within("rdma link del"):
        sh("rdma link del rxe2")
    watch.wait(since, what="link", event="gone", ifname="rxe2")
    watch.wait(since, what="gid", event="gone", ifname="rxe2")
    netdev_del("d2")
    watch.in_sum()


@watching("renames: of the netdev and of the RDMA device, each told as one")
def renames(watch):
    since = watch.mark()
    sh("ip link set d0 down; ip link set d0 name e0; ip link set e0 up")
    watch.wait(since, event="renamed", ifname="rxe0", field="netdev", old="d0", new="e0")
    since = watch.mark()
    sh("rdma dev set rxe0 name roce0")
    watch.wait(since, event="renamed", what="link", field="ifname", old="rxe0", new="roce0")
    watch.in_sum()
    sh("rdma dev set roce0 name rxe0; ip link set e0 down; ip link set e0 name d0; "
       "ip link set d0 up")
    watch.wait(since, event="renamed", field="netdev", old="e0", new="d0")
    watch.wait(since, event="renamed", field="ifname", old="roce0", new="rxe0")
    watch.in_sum()
    assert not watch.find(0, what="link", event="gone"), watch.lines


@watching("a netdev moved to another network namespace: its link says so, or goes")
def netns(watch):
    netdev_add("d3", "203.0.113.17/28")
    rxe_add("rxe3", "d3")
    sh("ip netns add A")
    try:
        watch.wait(0, what="gid", event="appeared", ifname="rxe3")
        since = watch.mark()
        sh("ip link set d3 netns A")
        wait_for(lambda: watch.find(since, what="link", ifname="rxe3", event="gone") or
                 watch.find(since, ifname="rxe3", field="netdev_netns") or
                 watch.find(since, ifname="rxe3", field="netdev", new=None), 20)
        watch.in_sum()
    finally:
        rxe_del("rxe3")
        try_sh("ip netns del A")
    watch.wait(0, what="link", event="gone", ifname="rxe3")
    watch.in_sum()


def batch(lines):
    """As fast as one process can."""
    p = subprocess.run(["ip", "-batch", "-"], input="\n".join(lines).encode() + b"\n",
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=60)
    same((p.returncode, p.stdout), (0, b""))


def burst(count):
    """Changes of every kind, the last of which stays."""
    kinds = ("link set d0 mtu 1400", "addr add 198.51.100.%d/32 dev d0", "link set v1 down",
             "link set d0 mtu 1500", "addr del 198.51.100.%d/32 dev d0", "link set v1 up",
             "link set d0 down", "link set d0 up")
    batch(kinds[i % 8] % (100 + i // 8) if "%" in kinds[i % 8] else kinds[i % 8]
          for i in range(count))


@watching("a burst of 203 changes: the sum of what was told is what there is")
def bursts(watch):
    burst(203)
    watch.in_sum()
    burst(200)
    sh("ip addr del 198.51.100.125/32 dev d0")
    watch.in_sum()
    same(watch.links[min(watch.links)]["netdev_mtu_bytes"], 1500)


@watching("notifications dropped by the kernel: told, and nothing is lost")
def overrun(watch):
    stopped(watch.p)
    since = watch.mark()
    batch("link set d0 mtu %d" % (1400 + i % 2) for i in range(600))
    sh("ip link set d0 mtu 1300")
    watch.p.send_signal(signal.SIGCONT)
    watch.wait(since, event="overrun")
    watch.wait(since, ifname="rxe0", field="netdev_mtu_bytes", new=1300)
    sh("ip link set d0 mtu 1500")
    watch.wait(since, ifname="rxe0", field="netdev_mtu_bytes", old=1300, new=1500)
    watch.in_sum()


@watching("DEV: changes of others are not told; it is followed to its new name", "rxe0/1")
def one_device(watch):
    same([line.get("ifname") for line in watch.lines], ["rxe0", None])
    sh("ip link set v1 down; rdma dev set rxe0 name roce0; ip link set d0 mtu 1400")
    watch.wait(0, event="renamed", field="ifname", new="roce0")
    watch.wait(0, ifname="roce0", field="netdev_mtu_bytes", new=1400)
    sh("rdma dev set roce0 name rxe0; ip link set d0 mtu 1500; ip link set v1 up")
    watch.wait(0, event="renamed", field="ifname", new="rxe0")
    watch.wait(0, ifname="rxe0", field="netdev_mtu_bytes", new=1500)
    same({line["ifname"] for line in watch.lines if "ifname" in line}, {"rxe0", "roce0"})


@watching("the module unloaded and loaded: another source, no change of a link")
def module(watch):
    since = watch.mark()
    sh("rmmod rdmascope")
    same(watch.wait(since, event="source")["text"], "netlink, was module")
    sh("ip link set d0 mtu 1400")
    watch.wait(since, ifname="rxe0", field="netdev_mtu_bytes", old=1500, new=1400)
    sh("ip link set d0 mtu 1500")
    watch.wait(since, ifname="rxe0", field="netdev_mtu_bytes", old=1400, new=1500)
    sh("insmod " + KO)
    wait_for(lambda: watch.find(since, event="source", text="module, was netlink"), 20)
    fields = {line["field"] for line in watch.lines[since:] if "field" in line}
    same(fields - {"netdev_mtu_bytes", "active_mtu_bytes"}, set())
    assert not watch.find(since, event="gone"), watch.lines


@watching("nobody: from netlink, told as well", user=65534)
def nobody(watch):
    assert "source netlink" in watch.following and "rtnetlink" in watch.following, watch.following
    same("RDMA monitor" in watch.following, kernel_has("rdma_nl_notify_event"), watch.following)
    sh("ip link set d0 down; ip addr add 198.51.100.78/32 dev d0")
    watch.wait(0, ifname="rxe0", field="reason", new="netdev-down")
    watch.wait(0, what="gid", event="appeared", gid="0000:0000:0000:0000:0000:ffff:c633:644e")
    sh("ip addr del 198.51.100.78/32 dev d0; ip link set d0 up")
    watch.wait(0, ifname="rxe0", field="reason", new="ok")


@test("a state nobody notifies of is found by reading again")
def silent():
    tree = Tree()
    with Watch("--root", tree.root) as watch:
        same(watch.following, "source sysfs, read again each second")
        tree.port("roce0", "state", "1: DOWN")
        watch.wait(0, ifname="roce0", field="state", old="ACTIVE", new="DOWN")
        watch.wait(0, ifname="roce0", field="reason", new="port-down", agree=0)
        tree.gid("roce1", 1, "fe80" + ":0000" * 6 + ":0009", "eth1")
        watch.wait(0, what="gid", event="appeared", ifname="roce1", index=1)
        same(watch.end(signal.SIGINT), 128 + signal.SIGINT)


@test("--count and --timeout: status 0, or 1 when fewer changes came")
def limits():
    fresh()
    with Watch("--count", 2) as watch:
        sh("ip link set d0 mtu 1400; ip link set d0 mtu 1500; ip link set d0 mtu 1400")
        same(watch.end(), 0)
        same(len([line for line in watch.lines if line["event"] == "changed"]), 2)
    sh("ip link set d0 mtu 1500")
    wait_for(lambda: link_of("rxe0")["active_mtu_bytes"] == "1024", 20)
    with Watch("--timeout", 1) as watch:
        same(watch.end(), 0)
    with Watch("--timeout", 1, "--count", 1) as watch:
        same(watch.end(), 1)
    for args in (("--count", 0), ("--timeout", "x"), ("rxe0", "rxe1"), ("--all",)):
        same(tool("watch", *args)[0], 2, str(args))
    same(tool("watch", "rxe9")[0], 3)
    same(tool_json("watch", "rxe0/2", status=3)["error"]["exit"], 3)


@test("idle: hardly any wake-up, hardly any CPU time, no libibverbs")
def idle():
    fresh()
    p = tool_start("watch", "--timeout", 4, env=dict(os.environ, LD_DEBUG="libs"))
    out, err = p.stdout.read(), p.stderr.read()
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    same(p.returncode, 0)
    same(len(out.splitlines()), 3, out)
    assert b"libmnl" in err and b"libibverbs" not in err, err[-500:]
    cpu = usage.ru_utime + usage.ru_stime
    diag("4 s of two links: %.3f s of CPU time, %d wake-ups" % (cpu, usage.ru_nvcsw))
    # A loop would take all of it; emulated CPUs count what their host does besides.
    assert cpu < 2.5, "%.2f s of CPU time" % cpu
    # Each reading may sleep a few times; a loop would do so thousands of times.
    assert usage.ru_nvcsw < 400, "%d wake-ups" % usage.ru_nvcsw


@test("the reader closes the pipe: it ends at once, and quietly")
def closed_pipe():
    fresh()
    p = tool_start("watch")
    while b"following" not in p.stdout.readline():
        pass
    p.stdout.close()
    status = p.wait(LIMIT_S)
    same((status, p.stderr.read()), (128 + signal.SIGPIPE, b""))
    status, out = try_sh("%s watch | head -n 1" % own_copy())
    same((status, len(out.splitlines())), (0, 1), out)


@test("text: a line for each change: time, port, value, old, new, verdict")
def text():
    fresh()
    p = tool_start("watch", "rxe0", "--count", 1)
    stamp = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d "
    first, second = (p.stdout.readline().decode() for _ in range(2))
    assert re.fullmatch(stamp + r"rxe0/1 present: ACTIVE LINK_UP, netdev d0 up carrier 1, "
                        r"GIDs \d+, ok \(the layers agree\)\n", first), first
    assert re.fullmatch(stamp + "following: source module, read again each second.*\n",
                        second), second
    sh("ip link set d0 mtu 1400")
    third = p.stdout.read().decode()
    assert re.fullmatch(stamp + r"rxe0/1 netdev_mtu_bytes: 1500 -> 1400\n", third), third
    same(p.wait(LIMIT_S), 0)
    sh("ip link set d0 mtu 1500")


def setup():
    netdev_add("d0", "192.0.2.1/28")
    netdev_add("v0", "192.0.2.17/28", "veth", more="peer name v1")
    sh("ip link set v1 up")
    rxe_add("rxe0", "d0")
    rxe_add("rxe1", "v0")


def teardown():
    Watch.end_all()
    rxe_del("rxe0", "rxe1")
    netdev_del("d0", "v0")


main(setup, teardown)
