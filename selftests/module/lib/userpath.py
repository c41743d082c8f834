# SPDX-License-Identifier: GPL-2.0
"""The same runs through uverbs, by the tool, on rxe0 over d0."""
from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

OPS = ("write", "read", "send")
SIZES = (1, 8, 255, 256, 257, 1023, 1024, 1025, 2049, 4095, 4096, 4097, 65537, 1 << 20)


def run(*words, status=0):
    return tool_json("run", "rxe0", "--path", "user", *words, status=status)


def args(**keys):
    words = []
    for key, value in keys.items():
        words += ["--" + key, value]
    return words


def iters_of(size):
    return max(2, min(scaled(200, 4), scaled(400000, 13000) // size))


def one_size(size):
    for op in OPS:
        iters = iters_of(size)
        report = run(*args(op=op, size=size, iters=iters, warmup=2, depth=2, verify=1))
        same(report["verdict"], "pass", op)
        same(report["path"], "user", op)
        same(report["ops"], iters, op)
        same(report["bytes"], iters * size, op)
        same(report["verify_ops"], iters, op)
        same(report["mismatches"], 0, op)


for _size in SIZES:
    test("user path: %d bytes, write read send, every byte checked" % _size)(
        lambda size=_size: one_size(size))


for _op in OPS:
    def _damage(op=_op):
        for size in (1, 4097):
            for offset in sorted({0, size // 2, size - 1}):
                what = "%s byte %d of %d" % (op, offset, size)
                report = run("--fault", "corrupt=%d" % offset,
                             *args(op=op, size=size, iters=4, warmup=0, depth=2, verify=1), status=1)
                same(report["verdict"], "fail", what)
                same(report["first_mismatch"], offset, what)
                same(report["mismatches"], 1, what)
                same(report["mismatch_where"], "destination", what)
    test("user path: %s, a damaged byte is found where it is" % _op)(_damage)

SHAPES = ((1, 1, 1, 1, 100), (16, 4, 4, 1, 1001), (16, 5, 7, 3, 1000), (64, 64, 64, 2, 129),
          (8, 8, 3, 16, 999))


for _shape in SHAPES:
    def _run_shape(s=_shape):
        depth, batch, signal_, qps, iters = s
        iters = max(qps, iters if iters < 200 else scaled(iters, 67))
        for op in OPS:
            report = run(*args(op=op, size=32, depth=depth, batch=batch, signal=signal_, qps=qps,
                               iters=iters, warmup=depth, verify=1))
            shares = [iters // qps + (1 if q < iters % qps else 0) for q in range(qps)]
            same(report["verdict"], "pass")
            same(report["ops"], iters)
            same(report["samples"], sum(-(-share // signal_) for share in shares))
    test("user path: exact counts: depth %d batch %d signal %d qps %d iters %d" % _shape)(_run_shape)


@test("user path: duration_ms")
def duration():
    report = run(*args(op="write", size=64, duration_ms=300, depth=8, signal=3))
    same(report["verdict"], "pass")
    assert report["ops"] > 0
    assert report["elapsed_ns"] >= 300e6


@test("both paths resolve one line to the same effective workload")
def same_line():
    words = args(op="read", size=100, iters=30, depth=4, signal=2, verify=1, cpu=0)
    user = run(*words)
    kernel = tool_json("run", "rxe0", "--path", "kernel", *words)
    for key in ("workload", "mtu", "gid_index", "gid", "gid_type", "gid_netdev", "ops", "bytes",
                "samples", "verify_ops", "link", "slots", "rd_atomic", "memory_bytes", "cpu"):
        same(user[key], kernel[key], key)


for _op in ("send_imm", "write_imm", "cas", "faa"):
    def _effect(op=_op):
        size = 8 if op in ("cas", "faa") else 777
        for more in (dict(depth=1), dict(depth=16, signal=7, batch=4, qps=3), dict(cq="event")):
            words = args(op=op, size=size, iters=203, verify=1, **more)
            report = run(*words)
            same((report["ops"], report["verify_ops"], report["mismatches"]), (203, 203, 0), words)
            report = run("--fault", "effect=5", *words, status=1)
            same((report["verdict"], report["mismatch_where"]),
                 ("fail", "source" if size == 8 else "immediate"), words)
    test("user path: %s: bytes, immediate data, both values of an atomic" % _op)(_effect)


@test("user path: other operations and options pass checked, or status 4 with a reason")
def others():
    for words in (args(op="send_inv"), args(qp="ud"), args(qp="uc"), args(pattern="pingpong"),
                  args(cq="event"), args(threads=2, qps=2), args(inline=1, size=16), args(mr="dma"),
                  args(peer="rxe1/1")):
        status, out, err = tool("run", "rxe0", "--path", "user", "--json", "--verify", 1,
                                "--iters", 20, *words)
        report = strict_json(out)
        what = "%s: %d %s" % (words, status, err)
        same(report["verdict"], {0: "pass", 4: "unsupported"}.get(status), what)
        if status:
            assert len(report["reason"]) > 10, what
        else:
            same(report["verify_ops"], 20, what)


@test("user path: objects of the runs are gone")
def nothing_left():
    res_becomes(BEFORE)


BEFORE = {}


def setup():
    BEFORE.update(res())


main(setup)
