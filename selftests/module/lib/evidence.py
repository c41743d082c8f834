# SPDX-License-Identifier: GPL-2.0
"""The evidence beside the figures, on rxe0."""
import ctypes

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PATHS = ("kernel", "user", "mediated")
QUICK = ("--sizes", "64", "--rounds", 6, "--iters", 100)


def run(path, *words, preexec_fn=None):
    child = tool_start("run", "rxe0", "--path", path, *words, "--json", preexec_fn=preexec_fn)
    out, err = child.communicate(timeout=120)
    same(child.returncode, 0, "%s: %s" % (words, err))
    return strict_json(out)


# --------------------------------------------------------------- system CPU

@test("system CPU: beyond idle, on every path, where the run is long enough")
def system_cpu():
    for path in PATHS:
        report = run(path, "--duration_ms", 500, "--idle_ms", 300)
        ops, elapsed = report["ops"], report["elapsed_ns"]
        same(report["system_cpu_unknown"], None, path)
        # One thread polls all the time; there are two CPUs, and a tick of each to spare.
        busy = report["system_cpu_ns_per_op"] * ops
        assert 0.5 * elapsed < busy < (os.cpu_count() + 0.2) * elapsed, (path, busy, elapsed)
        idle = report["idle_cpu_ns_per_s"] * elapsed / 1e9
        want = max(0, busy - idle)
        got = report["above_idle_cpu_ns_per_op"] * ops
        assert abs(got - want) <= 2 * ops, (path, got, want)
        diag("%s: %d ns per operation, %d beyond idle (idle %d ns a second)" %
             (path, report["system_cpu_ns_per_op"], report["above_idle_cpu_ns_per_op"],
              report["idle_cpu_ns_per_s"]))


@test("system CPU: load that was there before the run is idle baseline, not its cost")
def baseline_load():
    spin = subprocess.Popen(["sh", "-c", "while :; do :; done"])
    try:
        report = run("kernel", "--duration_ms", 400, "--idle_ms", 400)
    finally:
        spin.kill()
        spin.wait()
    assert report["idle_cpu_ns_per_s"] > 5e8, report["idle_cpu_ns_per_s"]
    assert report["above_idle_cpu_ns_per_op"] < report["system_cpu_ns_per_op"]


@test("system CPU: unknown, with the reason, in a short run or without a baseline")
def system_cpu_unknown():
    for path in PATHS:
        report = run(path, "--iters", 20, "--idle_ms", 20)
        same(report["above_idle_cpu_ns_per_op"], None, path)
        assert "200 ms" in report["system_cpu_unknown"], report["system_cpu_unknown"]
        report = run(path, "--duration_ms", 250, "--idle_ms", 0)
        same((report["idle_cpu_ns_per_s"], report["above_idle_cpu_ns_per_op"]), (None, None))
        assert "--idle-ms" in report["system_cpu_unknown"], report["system_cpu_unknown"]
        assert report["system_cpu_ns_per_op"] > 0, path
    _, out, _ = tool("run", "rxe0", "--path", "user", "--iters", 20)
    assert "unknown: the timed pass took less than 200 ms" in out, out
    _, out, _ = tool("compare", "rxe0", *QUICK)
    same(out.count("above idle unknown: "), len(PATHS), out)


# --------------------------------------------------------------- BlueFlame

@test("BlueFlame, inline and retpolines are named; rxe has no BlueFlame to switch off")
def confounders():
    for more in ((), ("--no-blueflame",)):
        for path in PATHS:
            same(run(path, "--iters", 20, *more)["blueflame"], "not applicable", path)
    document = tool_json("compare", "rxe0", *QUICK, "--no-blueflame")
    for side in document["effective"]["may_differ"].values():
        same(side["blueflame"], "not applicable")
        assert "inline_bytes" in side
    same(document["env"]["spectre_v2"],
         read_file("/sys/devices/system/cpu/vulnerabilities/spectre_v2").strip())
    _, out, _ = tool("run", "rxe0", "--path", "user", "--iters", 20)
    assert "blueflame not applicable" in out, out


# ------------------------------------------------- system calls not counted

SYS_ADMIN, PERFMON, CLONE_NEWNS = 21, 38, 0x20000
PARANOID = "/proc/sys/kernel/perf_event_paranoid"
LIBC = ctypes.CDLL(None, use_errno=True)


def no_perf():
    """In the child: root, but without what perf and mount ask for."""
    for cap in (SYS_ADMIN, PERFMON):
        LIBC.prctl(24, cap, 0, 0, 0)


def no_tracepoints():
    """In the child: the same, and nothing to read where tracefs is mounted."""
    assert not LIBC.unshare(CLONE_NEWNS)
    assert not LIBC.mount(b"none", b"/", None, 0x44000, None)
    for where in (b"/sys/kernel/tracing", b"/sys/kernel/debug/tracing"):
        if os.path.isdir(where):
            assert not LIBC.mount(b"none", where, b"tmpfs", 0, None), where
    no_perf()


def uncounted(preexec):
    def child(*args):
        p = tool_start(*args, preexec_fn=preexec)
        out, err = p.communicate(timeout=120)
        same(p.returncode, 0, err)
        return out.decode()
    for path in ("user", "mediated"):
        report = strict_json(child("run", "rxe0", "--path", path, "--iters", 50, "--json"))
        same((report["verdict"], report["bypass"]), ("pass", "unknown"), path)
        for key in ("syscalls_per_op", "syscalls_per_post_call"):
            same(report[key], None, path + " " + key)
    document = strict_json(child("compare", "rxe0", *QUICK, "--json"))
    same((document["bypass"], document["syscalls_per_post_call"]), ("unknown", None))
    assert "no gain is claimed" in document["headline"], document["headline"]
    same(document["rows"][0]["ratio"]["verdict"], "bypass unknown")
    out = child("compare", "rxe0", *QUICK)
    assert "no gain is claimed" in out, out
    row = [line for line in out.splitlines() if line.split()[:1] == ["64"]][0]
    # Size, five figures a path, then no ratio, no interval, and why.
    same(row.split()[-5:], ["-", "-", "-", "bypass", "unknown"])


@test("perf refused by kernel.perf_event_paranoid=3: bypass unknown, no gain printed")
def perf_refused():
    before = read_file(PARANOID)
    try:
        with open(PARANOID, "w", encoding="ascii") as f:
            f.write("3")
        if run("user", "--iters", 50, preexec_fn=no_perf)["bypass"] != "unknown":
            raise Skip("this kernel does not refuse perf at level 3")
        uncounted(no_perf)
    finally:
        with open(PARANOID, "w", encoding="ascii") as f:
            f.write(before)


@test("tracepoint unreadable: bypass unknown, no gain printed")
def no_tracefs():
    uncounted(no_tracepoints)


@test("with perf the same commands count again")
def counted_again():
    report = run("user", "--iters", 50)
    same((report["bypass"], report["syscalls_per_post_call"]), ("none", 1.0))


# ------------------------------------------------------- a clock that costs

CLOCK = "/sys/devices/system/clocksource/clocksource0/"


class Clock:
    """Another clock source within the block."""

    def __init__(self, name):
        self.name, self.before = name, read_file(CLOCK + "current_clocksource").strip()

    @staticmethod
    def switch(name):
        with open(CLOCK + "current_clocksource", "w", encoding="ascii") as f:
            f.write(name)
        wait_for(lambda: read_file(CLOCK + "current_clocksource").strip() == name, what=name)

    def __enter__(self):
        self.switch(self.name)

    def __exit__(self, kind, value, trace):
        self.switch(self.before)


def slow_clock(name):
    if name not in read_file(CLOCK + "available_clocksource").split():
        raise Skip("this machine has no " + name)
    fast = [run("user", "--iters", 50) for _ in range(3)]
    same({report["clock_warning"] for report in fast}, {None})
    with Clock(name):
        for path in PATHS:
            report = run(path, "--iters", 50)
            same((report["verdict"], report["clocksource"]), ("pass", name), path)
            assert name in report["clock_warning"], report["clock_warning"]
        slow = [run("user", "--iters", 50) for _ in range(3)]
        status, out, err = tool("compare", "rxe0", *QUICK, "--json")
        env = strict_json(out)["env"]
        same((status, env["clocksource"]), (0, name))
        assert name in env["clock_warning"] and name in err, (env["clock_warning"], err)
        _, out, err = tool("run", "rxe0", "--path", "user", "--iters", 20)
        assert "warning" in out and name in err, (out, err)
    # A system call each; only the least disturbed of each kind can be compared.
    slow_ns, fast_ns = (min(report["clock_ns"] for report in some) for some in (slow, fast))
    diag("%s: a clock read takes %d ns, else %d" % (name, slow_ns, fast_ns))
    assert slow_ns > fast_ns, (slow_ns, fast_ns)


for _name in ("hpet", "acpi_pm"):
    test("clock source %s: named, warned of, JSON is valid" % _name)(
        lambda name=_name: slow_clock(name))


# ------------------------------------------------ perftest's known biases

@test("the maximum is the slowest operation, exactly, on both paths")
def true_maximum():
    # Every post is delayed; the maximum lies in the last bucket, and all lies within the sum.
    for path in ("kernel", "user"):
        report = run(path, "--iters", 300, "--fault", "delay=777777")
        assert report["min_ns"] >= 777777, report["min_ns"]
        low = report["hist"][-1][0]
        assert low <= report["max_ns"] < low + low // 64 + 1, (low, report["max_ns"])
        assert report["p50_ns"] <= report["max_ns"] <= report["sum_ns"] - 299 * 777777
        same(report["samples"], 300)


@test("duration_ms: every operation is a sample, percentiles included")
def duration_percentiles():
    for path in PATHS:
        report = run(path, "--duration_ms", 300)
        same(report["samples"], report["ops"], path)
        values = [report[k] for k in ("min_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns")]
        same(values, sorted(values), path)
        assert report["stddev_ns"] is not None


@test("sweep: all sizes in one document, each with its extremes")
def sweep():
    rows = tool_json("compare", "rxe0", "--sizes", "1:256:x4", "--rounds", 6, "--iters", 50,
                     "--paths", "kernel,user")["rows"]
    same([row["size"] for row in rows], [1, 4, 16, 64, 256])
    for row in rows:
        for path in ("kernel", "user"):
            raw = [r[path] for r in row["raw"]]
            same(row[path]["max_ns"], max(r["max_ns"] for r in raw))
            same(row[path]["min_ns"], min(r["min_ns"] for r in raw))
            same(row[path]["ops"], 300)


@test("warm-up: its operations, the first included, are no samples")
def warm_up():
    for path in PATHS:
        for warmup in (0, 1, 100):
            report = run(path, "--iters", 20, "--warmup", warmup)
            same((report["ops"], report["samples"]), (20, 20), "%s %d" % (path, warmup))


@test("objects of the runs are gone")
def nothing_left():
    res_becomes(BEFORE)


BEFORE = {}


def setup():
    BEFORE.update(res())


main(setup)
