# SPDX-License-Identifier: GPL-2.0
"""Runs of the kernel path on rxe0 over d0."""
import errno
import itertools

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")
PORT.shared = False
OPS = ("write", "read", "send")
SIZES = (1, 8, 255, 256, 257, 1023, 1024, 1025, 2049, 4095, 4096, 4097, 65537, 1 << 20)


def iters_of(size):
    return max(2, min(scaled(200, 4), scaled(400000, 13000) // size))


def one_size(size):
    for op in OPS:
        iters = iters_of(size)
        report = PORT.good("op=%s size=%d iters=%d warmup=2 depth=2 verify=1" % (op, size, iters))
        same(report["ops"], iters, op + " ops")
        same(report["bytes"], iters * size, op + " bytes")
        same(report["verify_ops"], iters, op + " verify_ops")
        same(report["mismatches"], 0, op + " mismatches")
        assert report["verify_bytes"] >= 2 * iters * size, op + " verify_bytes"


for _size in SIZES:
    test("kernel path: %d bytes, write read send, every byte checked" % _size)(
        lambda size=_size: one_size(size))


def damaged(op, size, offset):
    arm("corrupt", offset)
    result = PORT.run("op=%s size=%d iters=4 warmup=0 depth=2 verify=1" % (op, size))
    what = "%s byte %d of %d" % (op, offset, size)
    same(result.err, 0, what)
    report = result.report
    same(report["verdict"], "fail", what)
    same(report["stage"], "verify", what)
    same(report["first_mismatch"], offset, what)
    same(report["mismatches"], 1, what)
    same(report["mismatch_where"], "destination", what)
    same(report["mismatch_expected"] ^ report["mismatch_got"], 0xff, what)
    assert "bytes" in report["reason"], report["reason"]


for _op, _size in itertools.product(OPS, (1, 64, 4097, 65537)):
    def _damage(op=_op, size=_size):
        for offset in sorted({0, size // 2, size - 1}):
            damaged(op, size, offset)
            same(armed(), {}, "one-shot")
        PORT.good("op=%s size=%d iters=4 warmup=0 depth=2 verify=1" % (op, size))
    test("kernel path: %s of %d bytes, a damaged byte is found where it is" % (_op, _size))(_damage)


@test("a damaged byte beyond the message does not exist")
def beyond():
    arm("corrupt", 64)
    PORT.good("op=write size=64 iters=4 verify=1")
    same(armed(), {}, "consumed")


@test("without verify nothing is damaged and nothing is checked")
def unverified():
    arm("corrupt", 0)
    report = PORT.good("op=write size=64 iters=4")
    same(report.get("verify_ops"), None)
    same(armed(), {"corrupt": 0}, "still armed")
    damaged("write", 64, 0)


# depth batch signal qps iters
SHAPES = (
    (1, 1, 1, 1, 1), (1, 1, 1, 1, 1000), (2, 1, 2, 1, 7), (16, 1, 4, 1, 1000), (16, 4, 4, 1, 1001),
    (16, 16, 16, 1, 1000), (16, 5, 7, 3, 1000), (64, 64, 1, 1, 130), (64, 64, 64, 2, 129),
    (3, 2, 3, 5, 5), (8, 8, 3, 16, 999), (128, 33, 100, 1, 1000), (1, 1, 1, 128, 128),
    (256, 64, 32, 8, 2000), (1000, 1, 1000, 1, 3),
)


def shape(op, depth, batch, signal_, qps, iters, verify):
    iters = max(qps, iters if iters < 200 else scaled(iters, 67))
    line = "op=%s size=32 depth=%d batch=%d signal=%d qps=%d iters=%d warmup=%d verify=%d" % (
        op, depth, batch, signal_, qps, iters, depth + 1, verify)
    report = PORT.good(line)
    shares = [iters // qps + (1 if q < iters % qps else 0) for q in range(qps)]
    samples = sum(-(-share // signal_) for share in shares)
    same(report["ops"], iters, line + ": ops")
    same(report["samples"], samples, line + ": samples")
    same(report["bytes"], iters * 32, line + ": bytes")
    same(report["overflow"], 0, line + ": overflow")
    if verify:
        same(report["verify_ops"], iters, line + ": verify_ops")
    assert report["min_ns"] * samples <= report["sum_ns"] <= report["max_ns"] * samples, line
    assert report["max_at_op"] < iters, line
    assert 0 < report["min_ns"] <= report["max_ns"] <= report["elapsed_ns"], line
    assert "depth=%d batch=%d signal=%d qps=%d" % (depth, batch, signal_, qps) in report["workload"]


for _shape in SHAPES:
    def _run_shape(s=_shape):
        for op in OPS:
            shape(op, *s, verify=1)
        shape("write", *s, verify=0)
    test("exact counts: depth %d batch %d signal %d qps %d iters %d" % _shape)(_run_shape)


@test("random shapes: counts are exact")
def random_shapes():
    import random
    seed = 20240229
    diag("seed %d" % seed)
    rng = random.Random(seed)
    for _ in range(scaled(40, 8)):
        depth = rng.choice((1, 2, 3, 5, 8, 31, 64, 100))
        qps = rng.choice((1, 1, 2, 3, 7))
        shape(rng.choice(OPS), depth, rng.randint(1, min(64, depth)), rng.randint(1, depth), qps,
              rng.randint(qps, 400), rng.randint(0, 1))


@test("duration_ms: runs that long, all that was posted completes")
def duration():
    for extra in ("", " depth=16 signal=5 batch=3", " depth=8 qps=4 signal=8"):
        report = PORT.good("op=write size=64 duration_ms=300" + extra)
        assert report["ops"] > 0
        assert 300e6 <= report["elapsed_ns"] < 300e6 + (5e9 if DEBUG else 2e9), report["elapsed_ns"]
        assert "duration_ms=300" in report["workload"] and "iters" not in report["workload"]
        assert report["samples"] <= report["ops"]


@test("duration_ms=1 and verify")
def duration_verify():
    report = PORT.good("op=send size=64 duration_ms=1 verify=1 depth=4 signal=4")
    same(report["verify_ops"], report["ops"])


@test("warmup is not counted; warmup=0 works")
def warmup():
    for n in (0, 1, 500):
        same(PORT.good("op=read size=8 iters=20 warmup=%d" % n)["ops"], 20)


@test("pinned: the report names the CPU, the writer keeps its own mask")
def pinned():
    mask = os.sched_getaffinity(0)
    for cpu in sorted(mask):
        same(PORT.good("op=write size=8 iters=50 cpu=%d" % cpu)["cpu"], cpu)
        same(os.sched_getaffinity(0), mask)
    PORT.refused("cpu=8191", errno.ERANGE, "cpu=8191")


@test("retry and timer keys over their range")
def timers():
    for line in ("ack_timeout=1", "ack_timeout=31", "retry_cnt=0", "rnr_retry=0", "rnr_retry=7",
                 "min_rnr_timer=1", "min_rnr_timer=31"):
        PORT.good("op=send size=64 iters=20 " + line)


@test("sends: no RNR, no retry exceeded, no stall of the RNR timer")
def no_rnr():
    base = "/sys/class/infiniband/rxe0/ports/1/hw_counters/"
    names = [n for n in os.listdir(base) if "rnr" in n or "exceeded" in n]
    assert len(names) >= 3, "counters: %s" % names
    late = base + "completer_retry_err"
    before, timeouts = [read_file(base + n) for n in names], read_file(late)
    for shape_ in ("depth=1", "depth=16 batch=4 signal=4", "depth=8 qps=4"):
        report = PORT.good("op=send size=64 iters=%d %s" % (scaled(1500), shape_))
        assert report["max_ns"] < 600e6, "a latency of %d ns" % report["max_ns"]
    same([read_file(base + n) for n in names], before, str(names))
    # A busy host lets the ACK timer run out now and then.
    diag("ACK timeouts: %s before, %s after" % (timeouts.strip(), read_file(late).strip()))


@test("the path MTU follows the netdev; a larger one is refused")
def mtu():
    same(PORT.good()["mtu"], 1024)
    PORT.refused("mtu=2048", errno.ERANGE, "active MTU 1024")
    PORT.refused("mtu=1000", errno.ERANGE, "256 512 1024 2048 4096")
    for value in (256, 512, 1024):
        report = PORT.good("op=read size=4097 iters=4 verify=1 mtu=%d" % value)
        same(report["mtu"], value)
    sh("ip link set d0 mtu 9000")
    wait_for(lambda: link_of("rxe0")["active_mtu_bytes"] == "4096", 5, "MTU of the port")
    for op in OPS:
        same(PORT.good("op=%s size=65537 iters=3 verify=1" % op)["mtu"], 4096)
    sh("ip link set d0 mtu 1500")
    wait_for(lambda: link_of("rxe0")["active_mtu_bytes"] == "1024", 5, "MTU of the port")
    same(PORT.good()["mtu"], 1024)


@test("gid_index: used when given, ENODATA with the table's size when empty")
def gid_index():
    for gid in gids_file("rxe0"):
        report = PORT.good("op=write size=64 iters=5 gid_index=" + gid["index"])
        same(report["gid_index"], int(gid["index"]))
        same(report["gid"], gid["gid"])
        same(report["gid_type"], gid["type"])
        same(report["gid_netdev"], gid["netdev"])
    size = link_of("rxe0")["gids"]
    PORT.refused("gid_index=200", errno.ENODATA, "table of " + size)
    PORT.refused("gid_index=255", errno.ENODATA, "gid_index=255")
    PORT.refused("gid_index=256", errno.ERANGE, "out of range")
    best = max(gids_file("rxe0"), key=lambda g: int(g["score"]))
    same(PORT.good()["gid"], best["gid"], "best by score")
    same(best["scope"], "ipv4")


@test("port down: ENETDOWN, and works after up")
def port_down():
    before = res()
    sh("ip link set d0 down")
    wait_for(lambda: link_of("rxe0")["state"] != "ACTIVE", 5)
    PORT.refused("op=write", errno.ENETDOWN, "not ACTIVE")
    res_becomes(before)
    sh("ip link set d0 up")
    wait_for(lambda: port_ready("rxe0"), 20)
    PORT.good()


@test("no address: the link-local GID is used, without one ENODATA")
def no_address():
    sh("ip addr flush dev d0 scope global")
    wait_for(lambda: all(g["scope"] != "ipv4" for g in gids_file("rxe0")), 10)
    result = PORT.run("op=write size=64 iters=5")
    gids = [g for g in gids_file("rxe0") if int(g["score"])]
    same(errno_name(result.err), "0" if gids else "ENODATA", repr(gids))
    if gids:
        same(result.report["gid"], gids[0]["gid"])
    sh("ip addr add 192.0.2.1/24 dev d0")
    wait_for(lambda: any(g["scope"] == "ipv4" for g in gids_file("rxe0")), 10)
    same(PORT.good()["gid_netdev"], "d0")


def ops_table():
    rows = Text(read_file(PORT.path("ops")), "ops").of_kind("op")
    return {(r["op"], r["qp"]): r["reason"] for r in rows}


def supported_or_reason(line, reason=""):
    """Passes whole and checked, or is unsupported with a reason (this one)."""
    run_id = PORT.state()["run_id"]
    result = PORT.run(line + " timeout_ms=120000")
    what = "%s: %r %s" % (line, result, PORT.last_error())
    same(errno_name(result.err), "0", what)
    report = result.report
    same(report["run_id"], run_id + 1, what)
    same(PORT.result().keys, report.keys, "result")
    if report["verdict"] == "pass":
        assert not reason, what
        return report
    same(report["verdict"], "unsupported", what)
    same(report["stage"], "check", what)
    same(report.get("ops"), None, what)
    assert len(report["reason"]) > 10, what
    assert reason in ("", report["reason"]), what
    return None


@test("every operation on every QP type: checked, or a verdict with the reason ops gives")
def every_op():
    before = res()
    told = ops_table()
    for (op, qp), reason in told.items():
        size = 8 if op in ("cas", "faa") else 1000
        report = supported_or_reason("op=%s qp=%s size=%d iters=20 verify=1 depth=3 signal=2" %
                                     (op, qp, size), reason or "")
        same(report is None, reason is not None, "%s %s" % (op, qp))
        if report:
            same((report["ops"], report["verify_ops"]), (20, 20), op + " " + qp)
    diag("supported: %s" % ["%s/%s" % k for k, v in told.items() if not v])
    same(res(), before, "rdma res show")
    PORT.good()


@test("nop and peer are unsupported here, with a reason")
def not_here():
    for line in ("op=nop", "peer=rxe1/1"):
        same(supported_or_reason(line), None, line)


EFFECTS = ("send_imm", "write_imm", "cas", "faa")
EFFECT_SHAPES = ("depth=1", "depth=16 signal=7 batch=4 qps=3", "cq=workqueue depth=3", "mr=dma",
                 "threads=2 qps=2 cq=softirq")


def wrong_effect(line, where):
    """Immediate data or an operand that is not what is checked: found once, there."""
    arm("effect", 5)
    bad = PORT.run(line + " timeout_ms=120000").report
    same((bad["verdict"], bad["mismatch_where"]), ("fail", where), line)
    assert bad["mismatches"] == 1 if where == "immediate" else 1 <= bad["mismatches"] <= 8, line
    PORT.good()


for _op, _shape in itertools.product(EFFECTS, EFFECT_SHAPES):
    @test("%s %s: bytes, immediate data, both values of an atomic" % (_op, _shape))
    def effects(op=_op, shape=_shape):
        size = 8 if op in ("cas", "faa") else 777
        line = "op=%s size=%d iters=203 verify=1 %s" % (op, size, shape)
        report = supported_or_reason(line)
        assert report, line
        same((report["ops"], report["verify_ops"], report["mismatches"]), (203, 203, 0), line)
        wrong_effect(line, "source" if op in ("cas", "faa") else "immediate")


@test("atomics are 8 bytes when no size is given; inline data is refused for them")
def atomic_size():
    assert "size=8 " in supported_or_reason("op=faa iters=10 verify=1")["workload"]
    same(supported_or_reason("op=cas inline=1"), None)


OPTIONS = (
    "threads=2 qps=2", "threads=2 qps=5 depth=4 signal=3", "threads=4 qps=4 batch=2 depth=2",
    "cq=direct", "cq=softirq", "cq=workqueue", "cq=event", "cq=event depth=64 qps=8 signal=16",
    "cq=softirq threads=2 qps=2 depth=8", "mr=dma", "mr=dma depth=8 signal=8", "inline=1",
    "inline=1 depth=4 signal=4", "pattern=pingpong",
    "pattern=pingpong cq=event", "pattern=pingpong threads=2 qps=2",
    "pattern=pingpong threads=2", "pattern=pingpong threads=4 qps=2 mr=dma",
    "mr=dma cq=workqueue inline=1",
)


def one_option(option):
    for op in ("write", "send") if "pingpong" in option else OPS:
        size = 16 if "inline" in option else 1500
        line = "op=%s size=%d iters=103 verify=1 %s" % (op, size, option)
        report = supported_or_reason(line)
        if not report:
            diag("%s %s: %s" % (op, option, PORT.result()["reason"]))
            continue
        same((report["ops"], report["verify_ops"]), (103, 103), line)
        same(report["mismatches"], 0, line)
        for word in option.split():
            want = "cq=poll" if word == "cq=direct" else word
            assert want in report["workload"] or word in report["workload"], report["workload"]
        if "inline" in option:
            assert report["inline_bytes"] >= 16, line
        if "mr=dma" in option:
            same(report["local_key"], "dma", line)
        for offset in (0, size - 1):
            arm("corrupt", offset)
            bad = PORT.run(line + " timeout_ms=120000").report
            same([bad.get(key) for key in ("verdict", "first_mismatch", "mismatches")],
                 ["fail", offset, 1], "%s: %s" % (line, bad.keys))
        same(PORT.good("op=%s size=%d duration_ms=50 %s" % (op, size, option))["verdict"], "pass")


for _option in OPTIONS:
    test("option %s: exact counts, damage found; or a reason" % _option)(
        lambda option=_option: one_option(option))


@test("a ping-pong of sends with a thread for each end that sleeps")
def sleeping_ends():
    for cq in ("event", "softirq", "workqueue"):
        line = "op=send size=100 pattern=pingpong threads=2 iters=103 verify=1 cq=" + cq
        report = supported_or_reason(line)
        if report:
            same((report["ops"], report["verify_ops"], report["mismatches"]), (103, 103, 0), line)


@test("event mode: many completions per event, 6400 operations, again and again")
def events():
    for _ in range(scaled(10, 2)):
        supported_or_reason("op=send size=8 cq=event depth=64 qps=8 signal=1 iters=%d" %
                            scaled(6400, 800))


@test("limits: memory, depth, QPs are refused before anything is made")
def limits():
    before = res()
    PORT.refused("size=1073741824", errno.ERANGE, "268435456")
    PORT.refused("size=1048576 depth=512 verify=1", errno.ERANGE, "limit")
    PORT.refused("depth=16384 qps=128", errno.ERANGE, "depth=16384 times qps=128")
    PORT.refused("depth=16385", errno.ERANGE, "1..16384")
    PORT.refused("depth=2 signal=3", errno.ERANGE, "signal=3 exceeds depth=2")
    PORT.refused("depth=2 batch=3", errno.ERANGE, "batch=3 exceeds depth=2")
    PORT.refused("qps=2 threads=3", errno.ERANGE, "threads=3")
    PORT.refused("qps=3 iters=2", errno.ERANGE, "iters=2")
    PORT.refused("op=cas size=16", errno.ERANGE, "8 bytes")
    PORT.refused("iters=5 duration_ms=5", errno.EINVAL, "exclude")
    PORT.refused("op=read pattern=pingpong", errno.EINVAL, "pingpong")
    PORT.refused("pattern=pingpong threads=3", errno.ERANGE, "twice that, a thread for each end")
    PORT.refused("pattern=pingpong qps=2 threads=3", errno.ERANGE, "exceeds qps=2")
    PORT.refused("op=write pattern=pingpong threads=2 cq=event", errno.EINVAL, "threads=1")
    PORT.refused("pattern=pingpong depth=4", errno.ERANGE, "depth=1")
    same(res(), before, "rdma res show")


@test("greatest depth: passes, or unsupported with the device's limit")
def deep():
    result = PORT.run("op=write size=8 depth=16384 signal=1000 batch=64 iters=%d" %
                      scaled(20000, 2000))
    same(errno_name(result.err), "0", str(PORT.last_error()))
    assert result.report["verdict"] in ("pass", "unsupported"), result
    assert result.report["verdict"] == "pass" or "allows" in result.report["reason"]


SETUP = ["setup_%s_ns" % s for s in ("pd", "cq", "mr", "qp", "init", "rtr", "rts")]
COMPLETE = SETUP + (
    "run_id path dev port driver kernel workload verdict stage link ops bytes elapsed_ns samples "
    "min_ns max_ns max_at_op sum_ns pivot_ns sq_hi sq_lo overflow cost_ops post_calls post_ns "
    "poll_calls poll_ns empty_polls teardown_ns cpu_ns ctxsw clock_ns cpu memory_bytes verify_ops "
    "verify_bytes mismatches mtu gid_index gid gid_type gid_netdev slots rd_atomic sq_wrs "
    "cq_entries mrs local_key page_bytes").split()


@test("a report is complete")
def complete():
    report = PORT.good("op=read size=64 iters=100 verify=1")
    missing = [key for key in COMPLETE if key not in report.keys]
    same(missing, [], "missing keys")
    for key, want in (("path", "kernel"), ("dev", "rxe0"), ("port", 1), ("verdict", "pass"),
                      ("stage", "done"), ("link", "internal-loopback"), ("local_key", "fastreg"),
                      ("driver", "rdma_rxe"), ("kernel", os.uname().release), ("slots", 1)):
        same(report[key], want, key)
    for key in SETUP + ["teardown_ns", "cpu_ns", "clock_ns", "post_ns", "poll_ns"]:
        assert report[key] > 0, key
    assert report["post_calls"] > 0 and report["cost_ops"] == 100
    assert report["memory_bytes"] >= 2 * 64
    same(report.get("first_mismatch"), None)
    same(report.get("reason"), None)


@test("run_id counts up by one; result is the last report; own report by the same descriptor")
def run_ids():
    first = PORT.good()
    second = PORT.good("op=read size=8 iters=3")
    same(second["run_id"], first["run_id"] + 1)
    same(PORT.result().keys, second.keys)
    same(PORT.state()["run_id"], second["run_id"])


@test("the workload line of a report gives the same run again")
def again():
    line = PORT.good("op=send size=100 iters=30 depth=4 signal=2 verify=1")["workload"]
    report = PORT.good(line)
    same(report["workload"], line)
    assert "op=send" in line and "size=100" in line and "iters=30" in line


@test("ops lists every operation and type, with a reason for each no")
def ops_file():
    text = Text(read_file(PORT.path("ops")), "ops")
    rows = text.of_kind("op")
    ops = [w for w in abi_words("RSCOPE_OPS") if w != "nop"]
    types = abi_words("RSCOPE_QP_TYPES")
    same([(r["op"], r["qp"]) for r in rows], list(itertools.product(ops, types)))
    for r in rows:
        assert (r["reason"] is None) == (r["supported"] == "yes"), r
        assert r["supported"] == "yes" or (r["op"], r["qp"]) not in [(op, "rc") for op in OPS], r


@test("the bytes stay inside: counters of a veth do not grow")
def internal():
    netdev_add("v0", "198.51.100.1/24", "veth", more="peer name v1")
    sh("ip link set v1 up")
    port = rxe_add("rxe1", "v0")

    def packets():
        base = "/sys/class/net/v0/statistics/"
        return int(read_file(base + "rx_packets")) + int(read_file(base + "tx_packets"))
    before = packets()
    same(port.good("op=write size=64 iters=500")["link"], "internal-loopback")
    assert packets() - before < 100, "%d packets" % (packets() - before)
    rxe_del("rxe1")
    netdev_del("v0")


@test("objects of the runs are gone")
def nothing_left():
    want = {"rxe0": BEFORE["rxe0"]}
    res_becomes(want)


BEFORE = {}


def setup():
    BEFORE.update(res())


main(setup)
