# SPDX-License-Identifier: GPL-2.0
"""check about rxe0 over d0, which is well, and rxe1 over d1, which is down."""
import glob
import resource
import shutil

from fixture import Tree, prometheus
from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")
KO = os.environ["RDMASCOPE_KO"]
NODES = "/dev/infiniband"
KEYS = {"ifindex", "ifname", "port", "state", "physical_state", "netdev", "netdev_index", "verdict",
        "finding", "reason", "next", "findings", "kernel", "user", "module_refs",
        "module_held_by", "source"}


def fresh():
    """Module, netdevs, devices, whatever the test before left."""
    if not os.path.exists(ROOT + "/abi"):
        sh("insmod %s fault_points=1" % KO)
    for i in (0, 1):
        if not os.path.exists("/sys/class/net/d%d" % i):
            netdev_add("d%d" % i, "192.0.2.%d/26" % (64 * i + 1))
        if not os.path.exists("/sys/class/infiniband/rxe%d" % i):
            rxe_add("rxe%d" % i, "d%d" % i, ready=False)
    wait_for(lambda: port_ready("rxe0"), 20, "rxe0 ready")
    sh("ip link set d1 down")
    wait_for(lambda: link_of("rxe1")["state"] == "DOWN", 20, "rxe1 down")


def life(name):
    def add(function):
        def wrapped():
            fresh()
            before = res()
            function()
            fresh()
            res_becomes(before, "after " + name)
        test(name)(wrapped)
        return function
    return add


def check(*args, status=0):
    rows = tool_json("check", *args, status=status)
    for row in rows:
        same(set(row), KEYS)
        same(row["verdict"], row["findings"][0]["verdict"] if row["findings"] else "PASS")
    return {row["ifname"]: row for row in rows}


def names(row):
    return [found["name"] for found in row["findings"]]


def passed(row, *paths):
    for path in ("kernel", "user"):
        want = "pass" if path in paths else "not-tried"
        same(row[path]["outcome"], want, "%s: %s" % (path, row[path]))
        if want == "pass":
            same((row[path]["verify_ops"], row[path]["mismatches"]), (200, 0), path)
            assert row[path]["p50_ns"] > 0, row[path]


@life("a link that is well passes on both paths, one that is down is skipped: status 0")
def well_and_down():
    with Within("check of two ports", 2 * LIMIT_S):
        rows = check("--all")
    same(sorted(rows), ["rxe0", "rxe1"])
    same((rows["rxe0"]["verdict"], names(rows["rxe0"])), ("PASS", []))
    passed(rows["rxe0"], "kernel", "user")
    same((rows["rxe1"]["verdict"], names(rows["rxe1"])), ("SKIP", ["netdev-down"]))
    same(rows["rxe1"]["next"], "ip link set dev d1 up")
    passed(rows["rxe1"])
    same(sorted(check()), ["rxe0", "rxe1"], "no target is all")
    same(list(check("rxe0/1")), ["rxe0"])
    check("rxe1", status=4)
    same(tool_json("check", "rxe9", status=3)["error"]["exit"], 3)


@life("the next command of a link that is down brings it up")
def advice():
    sh(check("rxe1", status=4)["rxe1"]["next"])
    wait_for(lambda: port_ready("rxe1"), 20, "rxe1 ready")
    row = check("rxe1")["rxe1"]
    same((row["verdict"], names(row)), ("PASS", []))
    passed(row, "kernel", "user")


@life("--no-run judges and runs nothing")
def no_run():
    before = PORT.state()["run_id"]
    row = check("rxe0", "--no-run")["rxe0"]
    same(row["verdict"], "PASS")
    passed(row)
    same(PORT.state()["run_id"], before)
    passed(check("rxe0")["rxe0"], "kernel", "user")
    assert PORT.state()["run_id"] > before, "no run"


def libraries(*args):
    env = dict(os.environ, LD_DEBUG="libs")
    return "libibverbs" in tool("check", *args, env=env)[2]


@life("libibverbs is loaded for the loopback over user verbs only")
def no_library():
    same((libraries("rxe0", "--no-run"), libraries("rxe1"), libraries("rxe0")),
         (False, False, True))


@life("--ktap: parsed strictly, the same verdicts, SKIP with its reason")
def ktap():
    status, out, err = tool("check", "--ktap")
    lines = out.splitlines()
    same((status, err, lines[:2]), (0, "", ["KTAP version 1", "1..2"]))
    results = [line for line in lines[2:] if not line.startswith("# ")]
    same(results[0], "ok 1 rxe0/1")
    assert re.fullmatch(r"ok 2 rxe1/1 # SKIP d1 is administratively down.*", results[1]), results
    same(len(results), 2)
    for path in ("kernel", "user"):
        assert any(re.match(r"# %s loopback: 200 operations verified" % path, line)
                   for line in lines), out


@life("a flipped byte fails the loopback of both paths: status 1, the reason names it")
def corrupt():
    rows = check("rxe0", "--fault", "corrupt=7", status=1)
    row = rows["rxe0"]
    same((row["verdict"], names(row)), ("FAIL", ["kernel-loopback", "user-loopback"]))
    for path in ("kernel", "user"):
        same((row[path]["outcome"], row[path]["mismatches"]), ("fail", 1), path)
        assert "wrong bytes" in row[path]["reason"], row[path]
    out = tool("check", "rxe0", "--ktap", "--fault", "corrupt=7")[1]
    assert "\nnot ok 1 rxe0/1\n" in out, out


@life("carrier lost: FAIL, whatever the port says; no loopback")
def carrier():
    sh("ip link add v0 type veth peer name v1; ip addr add 192.0.2.129/26 dev v0; "
       "ip link set v0 up; ip link set v1 up")
    rxe_add("rxe2", "v0")
    same(check("rxe2")["rxe2"]["verdict"], "PASS")
    sh("ip link set v1 down")
    wait_for(lambda: link_of("rxe2")["netdev_carrier"] == "0", 20)
    row = check("rxe2", status=1)["rxe2"]
    # Older kernels of rxe keep the port ACTIVE.
    same(names(row)[0], {"ACTIVE": "active-without-carrier"}.get(row["state"], "no-carrier"))
    diag("port %s without carrier: %s" % (row["state"], row["reason"]))
    passed(row)
    rxe_del("rxe2")
    netdev_del("v0")


@life("no address: the default GID alone; named before the loopback, which tells the rest")
def no_address():
    sh("ip link add d2 type dummy; sysctl -qw net.ipv6.conf.d2.disable_ipv6=1; ip link set d2 up")
    rxe_add("rxe2", "d2")
    row = check("rxe2", "--no-run")["rxe2"]
    same((row["verdict"], names(row)), ("WARN", ["gid-unowned", "gid-link-local"]))
    same(row["next"], "ip addr add ADDRESS/LEN dev d2")
    status = tool("check", "rxe2")[0]
    row = check("rxe2", status=status)["rxe2"]
    diag("loopback from the default GID: %s %s" % (row["kernel"], row["user"]))
    same(status, 1 if "fail" in (row["kernel"]["outcome"], row["user"]["outcome"]) else 0)
    sh("ip addr add 192.0.2.193/26 dev d2")
    wait_for(lambda: any(g["scope"] == "ipv4" for g in gids_file("rxe2")), 20, "GID")
    same(check("rxe2")["rxe2"]["verdict"], "PASS")
    rxe_del("rxe2")
    netdev_del("d2")


@life("two devices with one node GUID: each names the other")
def twins():
    for i in (2, 3):
        netdev_add("d%d" % i, "192.0.2.%d/28" % (129 + 16 * i))
        sh("ip link set d%d address 02:00:00:00:00:07" % i)
        rxe_add("rxe%d" % i, "d%d" % i)
    rows = check("--no-run")
    for i in (2, 3):
        row = rows["rxe%d" % i]
        same(names(row), ["guid-duplicate"], str(row))
        assert "rxe%d" % (5 - i) in row["reason"], row
    same(names(rows["rxe0"]), [])
    rxe_del("rxe2", "rxe3")
    netdev_del("d2", "d3")


@life("without the module: WARN, the user path verified, status 0")
def no_module():
    sh("rmmod rdmascope")
    row = check("rxe0")["rxe0"]
    same((row["verdict"], names(row)), ("WARN", ["module-absent"]))
    same((row["next"], row["source"]), ("modprobe rdmascope", "netlink"))
    passed(row, "user")
    same(names(check("rxe0", "--source", "sysfs")["rxe0"]), ["module-absent"])


@life("module with loopback=0: said so, the user path verified")
def map_only():
    sh("rmmod rdmascope; insmod %s loopback=0" % KO)
    row = check("rxe0")["rxe0"]
    same((row["verdict"], names(row), row["source"]), ("WARN", ["module-map-only"], "module"))
    passed(row, "user")
    sh("rmmod rdmascope")


def as_nobody(*args, memlock=None):
    """(status, {device: row}) of the tool as nobody, from a place that one may read."""
    os.chmod(TMP, 0o755)
    place = TMP + "/tool"
    shutil.copy(TOOL, place)
    os.chmod(place, 0o755)

    def limit():
        if memlock:
            resource.setrlimit(resource.RLIMIT_MEMLOCK, (memlock, memlock))
    p = subprocess.run([place, "check", "--json"] + [str(a) for a in args], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False, timeout=60, preexec_fn=lambda: (
                           limit(), os.setgroups([]), os.setgid(65534), os.setuid(65534)))
    return p.returncode, {r["ifname"]: r for r in strict_json(p.stdout.decode())}


@life("nobody: everything that needs no privilege, status 5 for the rest, 0 with --no-run")
def nobody():
    modes = {n: os.stat(NODES + "/" + n).st_mode for n in os.listdir(NODES)}
    sh("chmod 666 %s/uverbs*" % NODES)
    status, rows = as_nobody(memlock=256 << 20)
    same((status, rows["rxe0"]["verdict"], names(rows["rxe0"])), (5, "WARN", ["debugfs-closed"]))
    passed(rows["rxe0"], "user")
    same(rows["rxe0"]["next"], "sudo rdmascope check rxe0/1")
    same(names(rows["rxe1"]), ["netdev-down"])
    same(as_nobody("--no-run", memlock=256 << 20)[0], 0)
    _, rows = as_nobody("--no-run", memlock=65536)
    same(names(rows["rxe0"]), ["memlock", "debugfs-closed"])
    assert "65536" in rows["rxe0"]["reason"], rows["rxe0"]
    sh("chmod 600 %s/uverbs*" % NODES)
    status, rows = as_nobody(memlock=256 << 20)
    same((status, names(rows["rxe0"])), (5, ["uverbs-closed", "debugfs-closed"]))
    passed(rows["rxe0"])
    for name, mode in modes.items():
        os.chmod(NODES + "/" + name, mode & 0o7777)


@life("nobody without the module: nothing is refused, status 0")
def nobody_no_module():
    sh("rmmod rdmascope; chmod 666 %s/uverbs*" % NODES)
    status, rows = as_nobody(memlock=256 << 20)
    same((status, names(rows["rxe0"])), (0, ["module-absent"]))
    passed(rows["rxe0"], "user")


def unseen(hide, *args):
    """Rows of check in a mount namespace of its own, where something is hidden."""
    command = "%s && exec %s check rxe0 --json %s" % (hide, TOOL, " ".join(args))
    p = subprocess.run(["unshare", "-m", "sh", "-c", command], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False, timeout=60)
    return p.returncode, strict_json(p.stdout.decode())[0]


@life("user space is blind: no node, no provider library, no provider configuration")
def blind():
    os.makedirs(TMP + "/empty", exist_ok=True)
    over = "mount --bind %s/empty " % TMP
    status, row = unseen(over + NODES)
    same((status, names(row)), (0, ["no-uverbs-node"]))
    passed(row, "kernel")
    status, row = unseen(over + "/etc/libibverbs.d")
    same((status, names(row)), (0, ["no-provider"]))
    passed(row, "kernel")
    found = glob.glob("/usr/lib*/**/libibverbs/librxe-rdmav*.so")
    if not found:
        raise Skip("the provider library of rxe is not found")
    status, row = unseen("mount --bind /dev/null " + found[0])
    same((status, row["kernel"]["outcome"], names(row)), (0, "pass", ["user-loopback-impossible"]))
    assert "provider library is missing" in row["reason"], row


@life("debugfs is not mounted: WARN with the command that mounts it")
def unmounted():
    status, row = unseen("umount /sys/kernel/debug")
    same((status, names(row)), (0, ["debugfs-unmounted"]))
    passed(row, "user")
    # The command that it names, in the same namespace.
    status, row = unseen("umount /sys/kernel/debug && " + row["next"])
    same((status, names(row)), (0, []))


@life("busy: WARN, and who holds the port and the module")
def busy():
    writer = Writer(PORT)
    row = check("rxe0")["rxe0"]
    same((row["verdict"], names(row)), ("WARN", ["port-busy"]))
    assert "writer (%d)" % writer.p.pid in row["reason"], row
    same(row["next"], "rdmascope status rxe0/1")
    same(row["user"]["outcome"], "pass")
    PORT.cancel()
    same(errno_name(writer.end().err), "ECANCELED")
    writer.close()


@life("SIGINT: the verdicts so far, valid JSON, status 130")
def interrupted():
    wait_for(PORT.idle, LIMIT_S)
    p = tool_start("check", "--json", "--fault", "delay=100000000")
    wait_for(PORT.running, 20, "loopback under way")
    p.send_signal(signal.SIGINT)
    with Within("end of the tool", 2 * LIMIT_S):
        out, err = p.communicate(timeout=60)
    same(p.returncode, 130, err.decode())
    same(strict_json(out.decode()), [])
    wait_for(PORT.idle, LIMIT_S)


@life("export: the loopback of both paths as metrics")
def export():
    status, out, err = tool("export", "rxe0")
    same((status, err), (0, ""))
    families = prometheus(out)
    for path in ("kernel", "user"):
        labels = (("device", "rxe0"), ("port", "1"), ("path", path))
        same(families["rdmascope_loopback_pass"][labels], 1)
        assert 0 < families["rdmascope_loopback_p50_seconds"][labels] < 1, path
    same(families["rdmascope_check_status"], {(): 0.0})


@life("four ports in a few seconds")
def four():
    for i in (2, 3):
        netdev_add("d%d" % i, "192.0.2.%d/28" % (129 + 16 * i))
        rxe_add("rxe%d" % i, "d%d" % i)
    sh("ip link set d1 up")
    wait_for(lambda: port_ready("rxe1"), 20, "rxe1 ready")
    begin = time.monotonic()
    rows = check("--all")
    diag("check --all of four ports: %.2f s" % (time.monotonic() - begin))
    assert time.monotonic() - begin < (120 if DEBUG else 10)
    same({r["verdict"] for r in rows.values()}, {"PASS"})
    for row in rows.values():
        passed(row, "kernel", "user")
    rxe_del("rxe2", "rxe3")
    netdev_del("d2", "d3")


class Installed:
    """A tree with our module and the running kernel's ib_core in it."""

    def __init__(self):
        self.tree, release = Tree(["roce0"]), os.uname().release
        for name in ("sys/module/rdmascope", "sys/kernel/debug/rdmascope"):
            self.tree.drop(name)
        self.dir = "lib/modules/%s/" % release
        core = sh("modinfo -n ib_core").strip()
        self.core = self.dir + "kernel/" + os.path.basename(core)
        self.copy(core, self.core)
        self.copy("/sys/module/ib_core/notes/.note.gnu.build-id")
        self.tree.put("proc/sys/kernel/osrelease", release + "\n")
        self.own(read_bytes(KO))

    def copy(self, path, to=None):
        self.tree.put(to or path.lstrip("/"), read_bytes(path))

    def own(self, data, name="updates/rdmascope.ko"):
        self.path = self.tree.path(self.dir + name)
        self.tree.put(self.dir + name, data)
        self.tree.put(self.dir + "modules.dep", "%s:\n%s: %s\n" % (
            self.core[len(self.dir):], name, self.core[len(self.dir):]))

    def finds(self, name, words):
        """The finding, and the kernel's word on that file."""
        row = self.tree.finds(name)
        assert words in row["reason"] + row["next"], row
        if name != "module-absent":
            same(row["next"].count("-k " + os.uname().release), 2, row)
        return row

    def refused(self):
        status, out = try_sh("insmod " + self.path)
        assert status, "it loads"
        diag("insmod: " + out.strip())


def read_bytes(path):
    with open(path, "rb") as f:
        return f.read()


def doctored(data, old, new):
    same(data.count(old), 1, repr(old))
    return data.replace(old, new)


@life("a module of another RDMA stack, of another kernel, cut short: found as the kernel finds it")
def other_stack():
    sh("rmmod rdmascope")
    place = Installed()
    place.finds("module-absent", "modprobe rdmascope")
    good = read_bytes(KO)
    magic = re.search(rb"vermagic=[^\0]*", good).group(0)
    place.own(doctored(good, magic, magic.replace(b"SMP", b"UP!")))
    place.finds("module-other-kernel", "UP!")
    place.refused()
    place.own(good[:len(good) // 2])
    place.finds("module-file-unreadable", "cut short")
    place.refused()
    versions = re.findall(rb"(....\0\0\0\0)(ib_[a-z_]+)\0", good, re.S)
    if b"modversions" not in magic:
        diag("this kernel has no symbol versions")
        same(versions, [])
        return
    crc, name = versions[0]
    bad = doctored(good, crc + name + b"\0", bytes([crc[0] ^ 1]) + crc[1:] + name + b"\0")
    place.own(bad)
    row = place.finds("module-other-stack", name.decode() + " differs")
    diag(row["reason"])
    place.refused()
    if shutil.which("xz"):
        sh("xz -0 -q " + place.path)
        place.own(read_bytes(place.path + ".xz"), "updates/rdmascope.ko.xz")
        place.finds("module-other-stack", name.decode() + " differs")
    place.tree.put("sys/module/ib_core/notes/.note.gnu.build-id", b"\0" * 36)
    assert "replaced" in place.tree.finds("module-stale-core")["reason"]


def setup():
    build_writer()
    fresh()


def teardown():
    rxe_del("rxe0", "rxe1")
    netdev_del("d0", "d1")


main(setup, teardown)
