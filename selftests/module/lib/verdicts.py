# SPDX-License-Identifier: GPL-2.0
"""check --root: one thing wrong in a healthy tree. Needs no device and no module."""
import shutil

from fixture import LOCAL, SECURE_BOOT, V4, Tree, prometheus
from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import


def spoilt(*changes):
    tree = Tree()
    for method, *args in changes:
        getattr(tree, method)(*args)
    return tree


@test("fixture: a healthy machine passes; strict JSON with every key")
def healthy():
    rows = Tree().check()
    same([(r["ifname"], r["port"], r["verdict"]) for r in rows],
         [("roce0", 1, "PASS"), ("roce1", 1, "PASS")])
    for r in rows:
        same((r["finding"], r["reason"], r["next"], r["findings"]), (None, None, None, []))
        same((r["kernel"]["outcome"], r["user"]["outcome"]), ("not-tried", "not-tried"))
        same((r["state"], r["netdev"], r["source"]), ("ACTIVE", "eth%s" % r["ifname"][-1], "sysfs"))
    same(len(Tree().check("roce1")), 1)
    same(len(Tree().check("--all")), 2)


# What is spoilt, verdict, findings, exit status, words of the reason or next.
ROWS = (
    ("port and netdev down", [("port", "roce0", "state", "1: DOWN"), ("net", "eth0", "flags", "0x2")],
     "SKIP", ["netdev-down"], 0, "ip link set dev eth0 up"),
    ("ACTIVE without carrier", [("net", "eth0", "carrier", "0")],
     "FAIL", ["active-without-carrier"], 1, "carrier"),
    ("ACTIVE, netdev down", [("net", "eth0", "flags", "0x2")],
     "FAIL", ["active-netdev-down"], 1, "eth0"),
    ("port down alone", [("port", "roce0", "state", "1: DOWN")],
     "FAIL", ["port-down"], 1, "DOWN"),
    ("InfiniBand without subnet manager",
     [("port", "roce0", "state", "2: INIT"), ("port", "roce0", "link_layer", "InfiniBand"),
      ("drop", "sys/class/infiniband/roce0/ports/1/gid_attrs")],
     "FAIL", ["no-subnet-manager"], 1, "subnet manager"),
    ("no GID, and so no netdev", [("gid", "roce0", 0, "0000:" * 7 + "0000", "")],
     "FAIL", ["no-netdev"], 1, "namespace"),
    ("a GID whose netdev is unknown", [("gid", "roce0", 0, V4 % 1, "eth7"),
                                       ("put", "sys/class/infiniband/roce0/parent", "eth0\n"),
                                       ("put", "etc/libibverbs.d/rxe.driver", "")],
     "FAIL", ["no-gid"], 1, "ip addr add"),
    ("link-local only", [("gid", "roce0", 0, LOCAL, "eth0")],
     "WARN", ["gid-link-local"], 0, "link-local"),
    ("a default GID without address", [("gid", "roce0", 0, LOCAL, "eth0"),
                                       ("put", "proc/net/if_inet6", "")],
     "WARN", ["gid-unowned", "gid-link-local"], 0, "does not have"),
    ("the first of two equal GIDs", [("gid", "roce0", 1, LOCAL[:-1] + "7", "eth0"),
                                     ("gid", "roce0", 0, LOCAL, "eth0"),
                                     ("put", "proc/net/if_inet6", "")],
     "WARN", ["gid-unowned", "gid-link-local"], 0, LOCAL),
    ("the better of two GIDs", [("gid", "roce0", 0, LOCAL, "eth0"),
                                ("gid", "roce0", 1, V4 % 1, "eth0")], "PASS", [], 0, ""),
    ("no IPv6 at all", [("gid", "roce0", 0, LOCAL, "eth0"), ("drop", "proc/net/if_inet6")],
     "WARN", ["gid-unowned", "gid-link-local"], 0, "ip addr add"),
    ("v1 only", [("gid", "roce0", 0, V4 % 1, "eth0", "IB/RoCE v1")],
     "WARN", ["gid-roce-v1"], 0, "v1"),
    ("v1 beside v2", [("gid", "roce0", 1, V4 % 1, "eth0", "IB/RoCE v1")], "PASS", [], 0, ""),
    ("zero GUID", [("put", "sys/class/infiniband/roce0/node_guid", "0000:0000:0000:0000\n")],
     "WARN", ["guid-zero"], 0, "zero"),
    ("duplicate GUID", [("put", "sys/class/infiniband/roce0/node_guid", "5054:00ff:fe12:0001\n")],
     "WARN", ["guid-duplicate"], 0, "roce1"),
    ("no uverbs", [("drop", "sys/class/infiniband_verbs/uverbs0")],
     "WARN", ["no-uverbs"], 0, "modprobe ib_uverbs"),
    ("no uverbs node", [("drop", "dev/infiniband/uverbs0")],
     "WARN", ["no-uverbs-node"], 0, "uverbs0"),
    ("no provider", [("drop", "etc/libibverbs.d/some.driver")],
     "WARN", ["no-provider"], 0, "ibverbs-providers"),
    ("provider configuration elsewhere", [("drop", "etc/libibverbs.d")], "PASS", [], 0, ""),
    ("lockdown", [("put", "sys/kernel/security/lockdown", "none [integrity] confidentiality\n")],
     "WARN", ["lockdown"], 5, "lockdown"),
    ("no module", [("drop", "sys/module/rdmascope"), ("drop", "sys/kernel/debug/rdmascope")],
     "WARN", ["module-absent"], 0, "modprobe rdmascope"),
    ("no module, Secure Boot", [("drop", "sys/module/rdmascope"),
                                ("drop", "sys/kernel/debug/rdmascope"),
                                ("put", SECURE_BOOT, b"\6\0\0\0\1")],
     "WARN", ["module-unsigned"], 0, "mokutil"),
    ("no module, Secure Boot off", [("drop", "sys/module/rdmascope"),
                                    ("drop", "sys/kernel/debug/rdmascope"),
                                    ("put", SECURE_BOOT, b"\6\0\0\0\0")],
     "WARN", ["module-absent"], 0, "modprobe"),
    ("debugfs not mounted", [("drop", "sys/kernel/debug")],
     "WARN", ["debugfs-unmounted"], 0, "mount -t debugfs"),
    ("debugfs=off", [("put", "proc/filesystems", "nodev\tsysfs\n")],
     "WARN", ["debugfs-disabled"], 0, "debugfs=off"),
    ("loopback=0", [("put", "sys/kernel/debug/rdmascope/abi",
                     "rdmascope abi 1\nversion: 0\nkernel: 0\nloopback: 0\nend\n")],
     "WARN", ["module-map-only"], 0, "loopback=0"),
    ("another ABI", [("put", "sys/kernel/debug/rdmascope/abi", "rdmascope abi 2\nend\n")],
     "WARN", ["module-other-abi"], 0, "age"),
    ("iWARP", [("put", "sys/class/infiniband/roce0/node_type", "4: RNIC\n")],
     "SKIP", ["iwarp"], 0, "rdma_cm"),
)


def judged(changes, verdict, names, status, words):
    tree = spoilt(*changes)
    row = tree.finds(*names, status=status)
    same(row["verdict"], verdict)
    if names:
        same((row["finding"], row["reason"], row["next"]),
             tuple(row["findings"][0][key] for key in ("name", "reason", "next")))
        assert words in row["reason"] + row["next"], row
        assert all(found["next"] for found in row["findings"]), row
    # Nothing to run: what only a run needs is no error.
    same(tool("check", "--root", tree.root, "--no-run")[0], 0 if status == 5 else status)


for _what, *_row in ROWS:
    test("fixture: %s: %s %s" % (_what, _row[1], ", ".join(_row[2])))(lambda row=_row: judged(*row))


@test("fixture: the module's own words: MTU, network namespaces, kernel verbs")
def module_words():
    for keys, names, words in (
            (dict(active_mtu_bytes="1024", netdev_mtu_bytes="9000"), ["mtu-small"], "4096"),
            (dict(active_mtu_bytes="1024", netdev_mtu_bytes="1500"), [], ""),
            (dict(active_mtu_bytes="4096", netdev_mtu_bytes="1500"), ["mtu-too-large"], "1500"),
            (dict(netns="11", netdev_netns="12"), ["netdev-netns"], "12"),
            (dict(state="-", reason="query-failed", agree="0"), ["query-failed"], "dmesg")):
        tree = Tree(["roce0"])
        tree.module_link(**keys)
        row = tree.finds(*names, status=1 if "query-failed" in names else 0)
        same(row["source"], "module")
        assert words in str(row["reason"]) + str(row["next"]), row
    tree = Tree(["roce0"])
    tree.module_link(kverbs="no")
    tree.module_device(ifindex="1", ifname="roce0", kverbs="no", kverbs_missing="alloc_mr")
    assert "alloc_mr" in tree.finds("no-kernel-verbs")["reason"]


@test("fixture: exit status: fail over not permitted over pass; 4 when all are skipped")
def statuses():
    down = [("port", "roce0", "state", "1: DOWN"), ("net", "eth0", "flags", "0x2")]
    locked = ("put", "sys/kernel/security/lockdown", "none [integrity] confidentiality\n")
    spoilt(*down).check("roce0", status=4)
    spoilt(*down).check(status=0)
    spoilt(*down, ("port", "roce1", "state", "1: DOWN"), ("net", "eth1", "flags", "0x2")).check(
        status=4)
    spoilt(*down, locked).check(status=5)
    spoilt(locked, ("net", "eth1", "carrier", "0")).check(status=1)
    same(Tree([]).check(status=4), [])
    same(tool_json("check", "roce7", "--root", Tree().root, status=3)["error"]["exit"], 3)
    for args in (("--json", "--ktap"), ("roce0", "--all"), ("--no-ru",)):
        same(tool("check", "--root", Tree().root, *args)[0], 2, str(args))


def ktap(text):
    """[(ok, number, name, directive)] of one KTAP document, read strictly; diagnostics."""
    lines = text.splitlines()
    same(lines[0], "KTAP version 1")
    plan = int(re.fullmatch(r"1\.\.(\d+)", lines[1]).group(1))
    results, diagnostics = [], []
    for line in lines[2:]:
        if line.startswith("# "):
            diagnostics.append(line)
            continue
        m = re.fullmatch(r"(not )?ok (\d+) ([^#]*?)(?: # (SKIP .+))?", line)
        assert m, "not KTAP: %r" % line
        results.append((not m.group(1), int(m.group(2)), m.group(3), m.group(4)))
    same([r[1] for r in results], list(range(1, plan + 1)))
    return results, diagnostics


@test("fixture: --ktap: a test for each port, SKIP with the reason, reasons as diagnostics")
def ktap_fixture():
    tree = Tree(["roce0", "roce1", "x#-1 y"])
    tree.net("eth0", "carrier", "0")
    tree.port("roce1", "state", "1: DOWN")
    tree.net("eth1", "flags", "0x2")
    status, out, err = tool("check", "--root", tree.root, "--ktap")
    results, diagnostics = ktap(out)
    same((status, err), (1, ""))
    same([r[:3] for r in results], [(False, 1, "roce0/1"), (True, 2, "roce1/1"),
                                    (True, 3, "x\\043-1\\040y/1")])
    same([bool(r[3]) for r in results], [False, True, False])
    assert "eth1" in results[1][3], results
    assert any("carrier" in line for line in diagnostics), diagnostics
    assert any("next: ip link set dev eth1 up" in line for line in diagnostics), diagnostics
    status, out, _ = tool("check", "--root", Tree([]).root, "--ktap")
    same((status, out.splitlines()), (4, ["KTAP version 1", "1..0 # SKIP no RDMA device"]))


@test("fixture: text: verdict, finding, reason and next command of each port, then the source")
def text():
    tree = spoilt(("net", "eth0", "carrier", "0"))
    status, out, _ = tool("check", "--root", tree.root)
    same(status, 1)
    lines = out.splitlines()
    same(lines[0], "roce0/1: FAIL")
    assert lines[1].startswith("  FAIL active-without-carrier: "), lines
    same(lines[2], "    next: ip link show dev eth0")
    same(lines[3], "roce1/1: PASS")
    assert lines[4].startswith("source: sysfs"), lines


@test("fixture: a hostile device name drives neither terminal, KTAP nor JSON")
def hostile():
    name = "a\"b\\c\x1b[2J\nok 9 x"
    tree = Tree([name])
    tree.net("eth0", "carrier", "0")
    same(tree.check(status=1)[0]["ifname"], name)
    for args in ((), ("--ktap",)):
        _, out, _ = tool("check", "--root", tree.root, *args)
        assert "\x1b" not in out and "\nok 9" not in out, out


def sample(families, name, **labels):
    return [value for key, value in families[name].items() if labels.items() <= dict(key).items()]


@test("fixture: export: every family once, the verdicts of check, a hostile name escaped")
def export():
    name = 'a"b\\c\nd'
    tree = Tree(["roce0", name])
    tree.net("eth0", "carrier", "0")
    status, out, err = tool("export", "--root", tree.root)
    same((status, err), (0, ""))
    families = prometheus(out)
    same(sample(families, "rdmascope_check_verdict", device="roce0", verdict="FAIL"), [1])
    same(sample(families, "rdmascope_check_verdict", device="roce0", verdict="PASS"), [0])
    same(sample(families, "rdmascope_check_finding", device="roce0"), [1])
    same(sample(families, "rdmascope_netdev_carrier", device="roce0"), [0])
    same(sample(families, "rdmascope_link_info", device='a\\"b\\\\c\\nd', netdev="eth1"), [1])
    same(sample(families, "rdmascope_check_status"), [1])
    same(families["rdmascope_loopback_pass"], {})
    same(len(sample(families, "rdmascope_check_verdict")), 8)
    status, out, _ = tool("export", "--root", Tree([]).root)
    same((status, sample(prometheus(out), "rdmascope_check_status")), (0, [4]))


@test("fixture: export --output: replaced in one step, nothing left beside it")
def export_file():
    tree, place = Tree(), TMP + "/prom"
    shutil.rmtree(place, ignore_errors=True)
    os.mkdir(place)
    path = place + "/x.prom"
    for _ in range(2):
        with open(path, "a", encoding="ascii") as old:
            before = os.fstat(old.fileno())
            same(tool("export", "--root", tree.root, "--output", path)[:2], (0, ""))
            after = os.stat(path)
            # The old file is as it was for whoever has it open.
            same(os.fstat(old.fileno()).st_size, before.st_size)
            assert after.st_ino != before.st_ino, "written in place"
        same((os.listdir(place), after.st_mode & 0o777), (["x.prom"], 0o644))
        assert prometheus(read_file(path))["rdmascope_check_status"] == {(): 0.0}
    for where in (place + "/none/x.prom", place):
        status, out, err = tool("export", "--root", tree.root, "--output", where)
        assert status == 1 and where in err and not out, (status, out, err)
    same(os.listdir(place), ["x.prom"])


main()
