# SPDX-License-Identifier: GPL-2.0
"""User path with every key, mediated path, and the comparison of all, on rxe0."""
import csv
import io
import tempfile

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

ITERS = scaled(2001, 101)
QUICK = ("--sizes", "64", "--rounds", 6, "--iters", scaled(200, 60))


def words_of(keys):
    words = []
    for key, value in keys.items():
        words += ["--" + key, value]
    return words


def run(path="user", status=0, **keys):
    return tool_json("run", "rxe0", "--path", path, *words_of(keys), status=status)


def compare(*words, status=0):
    return tool_json("compare", "rxe0", *words, status=status)


SHAPES = (dict(cq="event"), dict(cq="event", op="read"), dict(cq="softirq", op="send", depth=16),
          dict(cq="workqueue", size=4096, depth=4), dict(threads=2, qps=2),
          dict(threads=2, qps=5, depth=4, op="send"), dict(threads=3, qps=8, cq="event", depth=16),
          dict(pattern="pingpong"), dict(pattern="pingpong", op="send"),
          dict(pattern="pingpong", cq="event", op="send"),
          dict(pattern="pingpong", threads=2, qps=3), dict(pattern="pingpong", threads=2),
          dict(pattern="pingpong", threads=4, qps=2, op="send"),
          dict(pattern="pingpong", threads=2, op="send", cq="event"), dict(inline=1), dict(inline=1, op="send"))

for _keys in SHAPES:
    def _shape(keys=_keys):
        report = run(iters=ITERS, verify=1, **keys)
        same(report["verdict"], "pass", report["reason"])
        for key in ("ops", "samples", "verify_ops"):
            same(report[key], ITERS, key)
        same(report["mismatches"], 0)
        same(report["bypass"], "none")
        assert report["wakeups"] <= report["empty_polls"]
    test("user path: %s" % " ".join("%s=%s" % kv for kv in _keys.items()))(_shape)


def uverbs_open(pid):
    """Has this process opened a uverbs node?"""
    links = []
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            links.append(os.readlink("/proc/%d/fd/%s" % (pid, fd)))
        except OSError:
            continue
    return any("/uverbs" in link for link in links)


@test("user path: a sleeping run ends by signal and deadline")
def sleepers_end():
    for keys in (dict(cq="event"), dict(cq="event", threads=2, qps=2),
                 dict(cq="event", pattern="pingpong", op="send"),
                 dict(pattern="pingpong", threads=2)):
        report = run(status=1, duration_ms=60000, timeout_ms=500, **keys)
        same((report["verdict"], report["reason"]), ("aborted", "deadline"))
        child = tool_start("run", "rxe0", "--path", "user", "--json", "--duration_ms", 60000,
                           *words_of(keys))
        wait_for(lambda: uverbs_open(child.pid), what="the device open")
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=LIMIT_S)
        same(strict_json(out)["reason"], "signal", str(keys))


@test("user path: what it has no key for is unsupported, with the reason")
def unsupported():
    for keys in (dict(mr="dma"), dict(inline=1, op="read")):
        report = run(status=4, **keys)
        same(report["verdict"], "unsupported")
        assert len(report["reason"]) > 10


@test("user path: the count notices every system call of a post")
def counted_calls():
    for extra in (0, 1, 3):
        for keys in (dict(), dict(depth=16, batch=4), dict(cq="event", op="send")):
            report = tool_json("run", "rxe0", "--path", "user", "--fault", "syscalls=%d" % extra,
                               *words_of(dict(keys, iters=50)))
            same(report["syscalls_per_post_call"], 1.0 + extra, str(keys))
            same(report["bypass"], "none")


@test("mediated: one system call per operation, exact counts")
def mediated():
    for op in ("write", "send", "read", "write_imm", "send_imm", "cas", "faa"):
        for iters in (1, 2, 100):
            report = run("mediated", op=op, size=8, iters=iters)
            same(report["verdict"], "pass")
            same((report["path"], report["ops"], report["samples"]), ("mediated", iters, iters))
            same(report["bypass"], "none")
            same(report["syscalls_per_op"], 1.0)
            assert report["crossing_ns"] > 0
            assert report["syscall_ns"] > 0
            assert report["setup_qp_ns"] > 0


@test("compare: atomics have one size, and --sizes is refused for them")
def compared_atomics():
    for op in ("cas", "faa"):
        rows = compare("--op", op, "--iters", 50, "--rounds", 6)["rows"]
        same([row["size"] for row in rows], [8], op)
        same(tool("compare", "rxe0", "--op", op, "--sizes", "8,64")[0], 2, op)


@test("mediated: more than one operation per call is unsupported, with the reason")
def mediated_shapes():
    for keys in (dict(depth=2), dict(qps=2), dict(pattern="pingpong"), dict(verify=1),
                 dict(threads=2, qps=2), dict(depth=4, batch=2)):
        report = run("mediated", status=4, **keys)
        assert "one operation per call" in report["reason"], report["reason"]


@test("mediated: SIGINT, deadline and duration")
def mediated_ends():
    report = run("mediated", duration_ms=200)
    assert report["elapsed_ns"] >= 200e6
    report = run("mediated", status=1, duration_ms=60000, timeout_ms=500)
    same((report["verdict"], report["reason"]), ("aborted", "deadline"))
    child = tool_start("run", "rxe0", "--path", "mediated", "--json", "--duration_ms", 60000)
    wait_for(Port("rxe0").running, what="operations")
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=LIMIT_S)
    same(strict_json(out)["reason"], "signal")


def pending_sigint():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    os.kill(os.getpid(), signal.SIGINT)


@test("a signal that came before the run ends it at once, on every path")
def signal_before():
    for path in ("kernel", "user", "mediated"):
        child = tool_start("run", "rxe0", "--path", path, "--json", "--duration_ms", 60000,
                           preexec_fn=pending_sigint)
        out, _ = child.communicate(timeout=LIMIT_S)
        report = strict_json(out)
        same((child.returncode, report["path"]), (130, path))
        same((report["verdict"], report["reason"]), ("aborted", "signal"), path)
    assert Port("rxe0").idle()


@test("compare: three paths, in rotating order, and what the whole is made of")
def three_paths():
    document = compare(*QUICK)
    row = document["rows"][0]
    assert document["headline"].startswith("no bypass on this device"), document["headline"]
    for path in ("kernel", "user", "mediated"):
        same(row[path]["rounds"], 6, path)
        assert row[path]["value_ns"] > 0
        assert row[path]["noise"] in (True, False)
    same([r["first"] for r in row["raw"]], ["kernel", "user", "mediated"] * 2)
    for r in row["raw"]:
        for path in ("kernel", "user", "mediated"):
            assert r[path]["elapsed_ns"] > 0, path
    for part in ("crossing_ns", "implementation_ns", "total"):
        same(row["parts"][part]["rounds"], 6, part)
        assert row["parts"][part]["low"] <= row["parts"][part]["median"]
        assert row["parts"][part]["median"] <= row["parts"][part]["high"]
    same(row["mediated"]["syscalls_per_op"], 1.0)


@test("compare: a path is left out with a reason, or because nobody asked")
def left_out():
    row = compare(*QUICK, "--depth", 4)["rows"][0]
    same((row["mediated"], row["parts"]), (None, None))
    assert "one operation per call" in row["mediated_reason"]
    same([r["first"] for r in row["raw"]][-2:], ["kernel", "user"])
    row = compare(*QUICK, "--paths", "user,mediated")["rows"][0]
    same((row["kernel"], row["kernel_reason"]), (None, None))
    same(row["mediated"]["rounds"], 6)
    status, _, _ = tool("compare", "rxe0", "--paths", "user,user")
    same(status, 2)


@test("compare --csv: environment, one header, every field in every row")
def csv_document():
    status, out, _ = tool("compare", "rxe0", "--csv", "--sizes", "8,64", "--rounds", 6,
                          "--iters", 50)
    same(status, 0)
    lines = out.splitlines()
    head = [line for line in lines if line.startswith("# ")]
    assert any(line.startswith("# kernel: ") for line in head), head
    rows = list(csv.reader(io.StringIO("\n".join(lines[len(head):]))))
    same(len(rows), 3)
    same({len(row) for row in rows}, {len(rows[0])})
    same([row[0] for row in rows], ["size", "8", "64"])
    for column in ("kernel_value_ns", "user_p50_ns", "total_median"):
        assert float(rows[1][rows[0].index(column)]) > 0, column


@test("compare --baseline: worse rows are listed, what does not fit is refused by name")
def baseline():
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        document = compare(*QUICK)
        json.dump(document, f)
        f.flush()
        args = QUICK + ("--baseline", f.name)
        same(compare(*args, "--tolerance", 1000)["baseline"]["worse"], [])
        slow = ("--fault", "delay=%d" % (2 * document["rows"][0]["user"]["value_ns"]))
        worse = compare(*args, "--tolerance", 50, *slow, status=1)["baseline"]["worse"]
        same([w["path"] for w in worse if w["path"] != "mediated"], ["kernel", "user"])
        for more, name in ((("--op", "read"), "op"), (("--depth", 2), "depth")):
            status, out, err = tool("compare", "rxe0", *args, *more)
            same((status, out), (2, ""))
            assert name + " differs" in err, err
        status, _, err = tool("compare", "rxe0", "--size", 128, *args[2:])
        same(status, 2)
        assert "size differs" in err, err


@test("compare --self: a known delay is found, on both paths")
def known_delay():
    for path in ("user", "kernel"):
        # Half of the rounds may be disturbed; what 5 % need is for bench/calibrate.sh.
        delay = run(path, iters=scaled(500, 100))["p50_ns"]
        row = compare("--self", path, *QUICK, "--rounds", 15,
                      "--fault", "delay=%d" % delay)["rows"][0]
        same(row["ratio"]["verdict"], "kernel faster", path)
        assert row["ratio"]["median"] < 0.8, row["ratio"]


@test("explain: every call with its cost on both paths")
def explain():
    rows = tool_json("explain", "rxe0", "--iters", 100)
    same([row["step"] for row in rows], ["pd", "cq", "qp", "init", "rtr", "rts", "mr", "post",
                                         "wait", "poll", "teardown"])
    for row in rows:
        assert len(row["text"]) > 20
        if row["step"] != "wait":
            assert row["kernel_ns"] > 0 and row["user_ns"] > 0, row


@test("run --histogram: bars, and JSON without them")
def histogram():
    status, out, _ = tool("run", "rxe0", "--path", "user", "--iters", 100, "--histogram")
    same(status, 0)
    assert any(" ns " in line and line.endswith("#") for line in out.splitlines()), out
    same(run(iters=10)["verdict"], "pass")


@test("objects of all paths are gone")
def nothing_left():
    res_becomes(BEFORE)


BEFORE = {}


def setup():
    BEFORE.update(res())


main(setup)
