# SPDX-License-Identifier: GPL-2.0
"""Failure points of the module, and the kernel's own fault injection."""
import errno

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")
LINE = "op=send size=4096 iters=20 depth=2 qps=2 verify=1"
BEFORE = {}

# point: (argument, what the reason must name)
SETUP_POINTS = {
    "pd": "PD", "cq": "CQ", "mr": "MR", "qp": "QP", "init": "INIT", "rtr": "RTR", "rts": "RTS",
}


def recovered(what):
    res_becomes(BEFORE, what)
    same(armed(), {}, what + ": one-shot")
    same(PORT.good(LINE)["ops"], 20, what)
    same(PORT.state()["state"], "idle", what)
    res_becomes(BEFORE, what)


@test("the fault file lists every point of the table, none armed")
def listing():
    records = Text(read_file(ROOT + "/fault"), "fault").of_kind("fault")
    same([r["point"] for r in records], abi_words("RSCOPE_FAULTS"))
    same(armed(), {})


@test("every point of the table is tested here")
def all_points():
    same(set(abi_words("RSCOPE_FAULTS")), set(SETUP_POINTS) | {"corrupt", "effect", "post", "delay", "wakeup"})


def setup_fails(point):
    want = PORT.good("op=read iters=3").keys
    arm(point)
    result = PORT.run(LINE)
    assert result.err in (errno.ENOMEM, errno.EINVAL, errno.EIO), result
    same(errno_name(result.read_err), "ENODATA")
    reason = PORT.last_error()
    assert SETUP_POINTS[point] in reason, "reason %r" % reason
    diag("%s: %s, %s" % (point, errno_name(result.err), reason))
    same(PORT.result().keys, want, "result of the run before")
    recovered(point)


for _point in sorted(SETUP_POINTS):
    test("failure point %s: errno, reason, no leak, next run passes" % _point)(
        lambda point=_point: setup_fails(point))


def post_fails(op, nth, depth):
    arm("post", nth)
    result = PORT.run("op=%s size=64 iters=50 warmup=10 depth=%d verify=1" % (op, depth))
    what = "%s post %d depth %d: %r, %s" % (op, nth, depth, result, PORT.last_error())
    same(errno_name(result.err), "ENOMEM", what)
    assert "-12" in PORT.last_error() or "post" in PORT.last_error(), what
    recovered(what)


for _op in ("write", "read", "send"):
    def _post(op=_op):
        # First, second, at the change of passes, in the last pass.
        for nth in (1, 2, 10, 11, 60, 61, 111):
            post_fails(op, nth, 1)
        post_fails(op, 5, 16)
    test("failure point post at several posts of %s" % _op)(_post)


@test("failure point post beyond the run: passes, stays armed, then hits")
def post_later():
    arm("post", 1000)
    PORT.good("op=write iters=50")
    assert armed().get("post"), armed()
    same(errno_name(PORT.run("op=write iters=2000 warmup=0").err), "ENOMEM")
    recovered("post")


@test("failure point delay slows each post of one timed pass, and no more than 1 ms")
def delayed():
    for arg, low, high in ((200000, 200000, None), (10**15, 10**6, 10**9)):
        arm("delay", arg)
        report = PORT.good("op=write iters=20")
        assert report["min_ns"] >= low, report["min_ns"]
        assert high is None or report["min_ns"] < high, report["min_ns"]
    same(armed(), {})
    recovered("delay")


@test("two points armed at once: the first in the setup's order hits, then the other")
def two_points():
    arm("rts")
    arm("pd")
    assert PORT.run(LINE).err and "PD" in PORT.last_error()
    same(armed(), {"rts": 0})
    assert PORT.run(LINE).err and "RTS" in PORT.last_error()
    recovered("both")


@test("bad lines to the fault file arm nothing")
def bad_lines():
    for data, want in ((b"", "EINVAL"), (b"pd=1", "EINVAL"), (b"foo=1\n", "EINVAL"),
                       (b"pd\n", "EINVAL"), (b"pd=\n", "EINVAL"), (b"pd=-1\n", "EINVAL"),
                       (b"pd=x\n", "EINVAL"), (b"pd=1\n\n", "EINVAL"), (b"pd=\0\n", "EINVAL"),
                       (b"p" * 65 + b"\n", "EINVAL"), (b"PD=1\n", "EINVAL"),
                       (b"pd=99999999999999999999\n", "EINVAL")):
        fd = os.open(ROOT + "/fault", os.O_WRONLY)
        same(errno_name(write_fd(fd, data)), want, repr(data))
        os.close(fd)
    same(armed(), {})


@test("the same failures do not touch the removal of the device")
def then_remove():
    for point in sorted(SETUP_POINTS):
        arm(point)
        assert PORT.run(LINE).err
    with Within("rdma link del"):
        sh("rdma link del rxe0")
    rxe_add("rxe0", "d0")
    recovered("new device")


class FailNth:
    """In the block, the nth allocation of this thread fails; was it reached?

    The files are opened before, because that allocates too; they cannot seek.
    """

    def __init__(self, nth):
        self.nth = nth
        self.reached = False

    def __enter__(self):
        path = "/proc/self/task/%d/fail-nth" % os.getpid()
        self.set, self.get = os.open(path, os.O_WRONLY), os.open(path, os.O_RDONLY)
        os.write(self.set, b"%d" % self.nth)
        return self

    def __exit__(self, *_):
        self.reached = int(os.read(self.get, 20).split()[0].strip(b"\0")) == 0
        os.write(self.set, b"0")
        os.close(self.set)
        os.close(self.get)


def fail_nth(nth, data):
    """Let the nth allocation of one write fail: (errno, was it reached, report)."""
    fd = PORT.open()
    try:
        with FailNth(nth) as fail:
            err = write_fd(fd, data)
        return err, fail.reached, read_fd(fd)[1].decode()
    finally:
        os.close(fd)


def write_all(path, value):
    with open(path, "w", encoding="ascii") as f:
        f.write(value)


def injection(*names):
    for name in names:
        base = "/sys/kernel/debug/" + name
        if not os.path.exists(base) or not os.path.exists("/proc/self/fail-nth"):
            raise Skip("kernel without " + name)
        for key, value in (("ignore-gfp-wait", "0"), ("ignore-gfp-highmem", "0"), ("verbose", "1"),
                           ("min-order", "0"), ("cache-filter", "0")):
            if os.path.exists(base + "/" + key):
                write_all(base + "/" + key, value + "\n")


@test("every allocation of a run fails in turn: an errno or a pass, never a leak")
def allocations():
    injection("failslab", "fail_page_alloc")
    data = b"op=send size=4096 iters=4 warmup=2 depth=2 verify=1 timeout_ms=30000\n"
    ends, nth, misses = {}, 0, 0
    while misses < 3 and nth < 400:
        nth += 1
        err, reached, text = fail_nth(nth, data)
        if not reached:
            misses += 1
            same(errno_name(err), "0", "nth %d" % nth)
            continue
        end = errno_name(err) if err else Report(text)["verdict"]
        ends[end] = ends.get(end, 0) + 1
        assert end in ("ENOMEM", "ENFILE", "EAGAIN", "pass", "EINVAL", "EIO", "ENODATA", "fail"), \
            "allocation %d: %s %s" % (nth, end, PORT.last_error())
        if err:
            assert PORT.last_error() != "-", "allocation %d: no reason" % nth
        if nth % 10 == 0:
            res_becomes(BEFORE, "allocation %d" % nth)
    diag("%d allocations: %s" % (nth, ends))
    assert ends.get("ENOMEM", 0) > 5, ends
    same(misses, 3, "the end was not reached")
    recovered("allocations")


@test("every allocation of a reader fails in turn: ENOMEM or the whole text")
def readers():
    injection("failslab", "fail_page_alloc")
    for name in ("links", "gids", "rxe0/device", "rxe0/1/link", "rxe0/1/ops", "rxe0/1/state"):
        want, failed, nth = read_file(ROOT + "/" + name), 0, 0
        fail = FailNth(0)
        fail.reached = True
        while fail.reached and nth < 100:
            nth += 1
            try:
                with FailNth(nth) as fail:
                    fd = os.open(ROOT + "/" + name, os.O_RDONLY)
            except OSError as e:
                same(errno_name(e.errno), "ENOMEM", name)
                failed += 1
                continue
            text = read_fd(fd)[1].decode()
            os.close(fd)
            # A driver may be unable to answer for want of memory.
            assert text == want or "query-failed" in text, "%s %d: %s" % (name, nth, text)
        assert failed and not fail.reached, "%s: %d failures of %d" % (name, failed, nth)
    same(PORT.good()["verdict"], "pass")


@test("objects are as before all this")
def nothing_left():
    res_becomes(BEFORE)


def setup():
    BEFORE.update(res())


main(setup)
