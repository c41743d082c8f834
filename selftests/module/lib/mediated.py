# SPDX-License-Identifier: GPL-2.0
"""Mediated sessions on rxe0."""
import errno
import os
import signal
import threading
import time

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")


class Session:
    """An armed session; close() is idempotent."""

    def __init__(self, line="op=write size=64"):
        self.fd = PORT.open("mediated")
        words = dict(w.split("=") for w in line.split())
        self.size = int(words.get("size", 64))
        self.read = words.get("op") in ("read", "cas", "faa")
        self.arm_err = self._err(lambda: os.write(self.fd, line.encode() + b"\n"))

    @staticmethod
    def _err(call):
        try:
            call()
        except OSError as e:
            return e.errno
        return 0

    def op(self, data=None, offset=0):
        if self.read:
            return self._err(lambda: os.pread(self.fd, self.size if data is None else len(data),
                                              offset))
        data = b"x" * self.size if data is None else data
        return self._err(lambda: os.pwrite(self.fd, data, offset))

    def close(self):
        if self.fd >= 0:
            os.close(self.fd)
        self.fd = -1


def ended(verdict, reason=None):
    wait_for(PORT.idle, what="the port idle")
    report = PORT.result()
    same(report["path"], "mediated")
    same(report["verdict"], verdict, str(report.get("reason")))
    if reason:
        same(report["reason"], reason)
    return report


def counts(line, n):
    s = Session(line)
    same(s.arm_err, 0, line)
    for _ in range(n):
        same(errno_name(s.op()), errno_name(0), line)
    s.close()
    report = ended("pass")
    same(report["ops"], n, line)
    return report


for OP in ("write", "send", "read", "write_imm", "send_imm", "cas", "faa"):
    for SIZE in (8,) if OP in ("cas", "faa") else (1, 64, 4097, 65537):
        @test("op=%s size=%d: every call is one operation" % (OP, SIZE))
        def exact(op=OP, size=SIZE):
            n = scaled(200, 20)
            same(counts("op=%s size=%d" % (op, size), n)["samples"], n)


@test("op=nop crosses by write and by read, and posts nothing")
def nop():
    n = scaled(1000, 100)
    same(counts("op=nop size=64", n).get("samples"), None)
    s = Session("op=nop size=64")
    same(len(os.pread(s.fd, 64, 0)), 64)
    s.close()
    same(ended("pass")["ops"], 1)


@test("write(2) without an offset works too: the position does not move")
def plain_write():
    s = Session()
    for _ in range(3):
        same(os.write(s.fd, b"y" * 64), 64)
    s.close()
    same(ended("pass")["ops"], 3)


@test("a call that is not one message is EINVAL and the session goes on")
def not_a_message():
    s = Session()
    for data, offset in ((b"x" * 63, 0), (b"x" * 65, 0), (b"", 0), (b"x" * 64, 8)):
        if data:
            same(errno_name(s.op(data, offset)), "EINVAL")
    s.read = True
    same(errno_name(s.op()), "EINVAL", "the other direction")
    s.read = False
    same(s.op(), 0)
    s.close()
    same(ended("pass")["ops"], 1)


@test("read before arming is ENODATA, a bad line EINVAL with its reason")
def before_arming():
    s = Session("op=fly size=64")
    same(errno_name(s.arm_err), "EINVAL")
    assert "op=fly" in PORT.last_error(), PORT.last_error()
    s.read = True
    same(errno_name(s.op()), "ENODATA")
    s.close()
    PORT.good()


@test("more than one operation at a time is the verdict unsupported")
def too_much():
    for line in ("depth=2", "depth=4 batch=4", "qps=2", "qps=2 threads=2", "pattern=pingpong",
                 "verify=1", "cpu=1"):
        s = Session("op=write size=64 " + line)
        same(s.arm_err, 0, line)
        ended("unsupported")
        same(s.op(), errno.EOPNOTSUPP, line)
        s.close()


@test("the port is busy for runs and other sessions until close")
def busy():
    s = Session()
    other = Session()
    same(errno_name(other.arm_err), "EBUSY")
    same(errno_name(PORT.run("op=read size=64").err), "EBUSY")
    same(s.op(), 0)
    s.close()
    ended("pass")
    other.close()
    PORT.good()


for LINE in ("op=write size=64", "op=nop size=64"):
    @test(LINE + ": cancel ends a parked session")
    def cancelled(line=LINE):
        s = Session(line)
        same(s.op(), 0)
        with Within("cancel", LIMIT_S):
            PORT.cancel()
        ended("aborted", "cancel")
        same(errno_name(s.op()), "ECANCELED")
        s.close()
        PORT.good()

    @test(LINE + ": the device goes while a session is parked")
    def removed(line=LINE):
        s = Session(line)
        same(s.op(), 0)
        with Within("rdma link delete"):
            rxe_del("rxe0")
        same(errno_name(s.op()), "EIO")
        s.close()
        rxe_add("rxe0", "d0")
        PORT.good()

    @test(LINE + ": past its deadline a session ends, by call or by close")
    def late(line=LINE):
        for by_call in (True, False):
            s = Session(line + " timeout_ms=1")
            wait_for(lambda: PORT.state()["elapsed_ns"] > 2000000 or PORT.idle())
            if by_call:
                same(errno_name(s.op()), "ETIMEDOUT")
            s.close()
            ended("aborted", "deadline")


@test("SIGKILL of its process ends a session")
def killed():
    pid = os.fork()
    if not pid:
        s = Session()
        while True:
            s.op()
    wait_for(PORT.running, what="operations of the child")
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    wait_for(PORT.idle, what="the port idle after SIGKILL")
    PORT.good()


@test("memory that is not there is EFAULT, and the session goes on")
def bad_memory():
    import ctypes  # pylint: disable=import-outside-toplevel
    libc = ctypes.CDLL(None, use_errno=True)
    libc.pwrite.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_long]
    s = Session()
    same(libc.pwrite(s.fd, 16, 64, 0), -1)
    same(errno_name(ctypes.get_errno()), "EFAULT")
    same(s.op(), 0)
    s.close()
    ended("pass")


@test("sessions, cancels and runs at the same time: the port is free afterwards")
def crowd():
    end = time.monotonic() + scaled(4, 4)

    def sessions():
        while time.monotonic() < end:
            s = Session("op=nop size=64")
            s.op()
            s.close()

    def cancels():
        while time.monotonic() < end:
            PORT.cancel()

    threads = [threading.Thread(target=f) for f in (sessions, sessions, sessions, cancels)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    wait_for(PORT.idle)
    PORT.good()


@test("removal meets sessions that come and go")
def crowd_removed():
    for _ in range(scaled(5, 2)):
        stop = threading.Event()

        def sessions():
            while not stop.is_set():
                try:
                    s = Session("op=write size=64")
                except OSError:
                    continue
                s.op()
                s.close()

        threads = [threading.Thread(target=sessions) for _ in range(2)]
        for t in threads:
            t.start()
        wait_for(lambda: PORT.state()["run_id"] > 0)
        with Within("rdma link delete"):
            rxe_del("rxe0")
        stop.set()
        for t in threads:
            t.join()
        rxe_add("rxe0", "d0")
    PORT.good()


@test("objects are as before all this")
def nothing_left():
    res_becomes(BEFORE)


BEFORE = {}


def setup():
    BEFORE.update(res())


main(setup)
