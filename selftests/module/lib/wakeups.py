# SPDX-License-Identifier: GPL-2.0
"""Event, softirq and workqueue completions on rxe0: no wake-up is lost."""
from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")
# As many runs of each operation; fewer than six are no comparison.
RUNS = {"write": 17, "read": 17, "send": 16} if not DEBUG else {"write": 6, "send": 6}
ITERS = scaled(1600, 400)
LIMIT_NS = 10000000  # of one sleep, in module and tool
MODES = (("kernel", "event"), ("kernel", "softirq"), ("kernel", "workqueue"), ("user", "event"))
# Patient: on a busy host the ACK timer of a soft device runs out now and then.
PATIENT = ("--ack_timeout", 19, "--timeout_ms", 60000)


def rounds(path, cq, op, signal_):
    """Whole runs, QPs and all, each of them in its own right."""
    row = tool_json("compare", "rxe0", "--paths", path, "--cq", cq, "--op", op, "--size", 64,
                    "--qps", 8, "--depth", 64, "--signal", signal_, "--iters", ITERS,
                    "--rounds", RUNS[op], *PATIENT)["rows"][0]
    same(row["reason"] or row[path + "_reason"], None, "%s signal=%d" % (op, signal_))
    same(len(row["raw"]), RUNS[op], op)
    return [r[path] for r in row["raw"]]


def many_runs(path, cq):
    slept = empty = 0
    for op, signal_ in zip(RUNS, (1, 16, 7)):
        for i, run in enumerate(rounds(path, cq, op, signal_)):
            same((run["ops"], run["lost_wakeups"]), (ITERS, 0), "%s, run %d" % (op, i))
            slept += run["wakeups"]
            empty += run["empty_polls"]
    diag("%s path, cq=%s: %d sleeps ended by a completion, %d empty polls" %
         (path, cq, slept, empty))
    # rxe of 6.1 completes what user space posts before the post call returns.
    assert slept >= sum(RUNS.values()) or not empty, "%d sleeps: nothing was tested" % slept
    if not slept:
        raise Skip("the device never let the user path wait")


for _path, _cq in MODES:
    test("%s path, cq=%s, 8 QPs of depth 64, %d runs: no wake-up is lost" %
         (_path, _cq, sum(RUNS.values())))(lambda path=_path, cq=_cq: many_runs(path, cq))


def run(path, cq, *more):
    return tool_json("run", "rxe0", "--path", path, "--cq", cq, "--op", "read", "--size", 4096,
                     "--iters", 200, *PATIENT, *more)


def one_lost(path, cq):
    """One operation at a time: nothing but the limit of the sleep can end it."""
    report = run(path, cq, "--fault", "wakeup=3")
    same((report["verdict"], report["ops"]), ("pass", 200))
    if not report["empty_polls"]:
        raise Skip("the device never let the user path wait")
    same(report["lost_wakeups"], 1)
    assert report["max_ns"] >= LIMIT_NS / 2, report["max_ns"]
    assert report["wakeups"] >= 3, report["wakeups"]
    same(run(path, cq)["lost_wakeups"], 0, "the run after")


for _path, _cq in MODES:
    test("%s path, cq=%s: a wake-up that is left out is counted as lost" % (_path, _cq))(
        lambda path=_path, cq=_cq: one_lost(path, cq))


@test("polling never sleeps: there is no wake-up to lose")
def polling():
    same(PORT.good("op=write iters=50").get("lost_wakeups"), None)
    report = run("user", "poll")
    same((report["wakeups"], report["lost_wakeups"]), (0, 0))


@test("objects of the runs are gone")
def nothing_left():
    res_becomes(BEFORE)


BEFORE = {}


def setup():
    BEFORE.update(res())


main(setup)
