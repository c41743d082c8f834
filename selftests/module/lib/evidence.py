# SPDX-License-Identifier: GPL-2.0
"""The evidence beside the figures, on rxe0."""
from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PATHS = ("kernel", "user", "mediated")
QUICK = ("--sizes", "64", "--rounds", 6, "--iters", 100)


def run(path, *words, **popen):
    return tool_json("run", "rxe0", "--path", path, *words, **popen)


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


@test("objects of the runs are gone")
def nothing_left():
    res_becomes(BEFORE)


BEFORE = {}


def setup():
    BEFORE.update(res())


main(setup)
