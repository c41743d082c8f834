# SPDX-License-Identifier: GPL-2.0
"""What the tests share: results, files of the module, devices, waiting.

A test is a function decorated with @test("name"); what it asserts is what it
tests. main() runs all of a file and prints one line of result for each.
"""
import errno
import json
import os
import re
import signal
import subprocess
import time
import traceback

DEBUG = bool(os.environ.get("RDMASCOPE_DEBUG"))
ROOT = "/sys/kernel/debug/rdmascope"
SRC = os.environ["RDMASCOPE_SRC"]
TOOL = os.environ.get("RDMASCOPE", "")
TMP = os.environ["TMP"]

# Operations that are not counted, by default; state shows them running too.
WARMUP = 100

# What "at once" means: a command returns within this many seconds.
LIMIT_S = 20 if DEBUG else 5


def scaled(count, low=1):
    """Fewer repetitions on a debug kernel, which is 30 times slower."""
    return max(low, count // 30) if DEBUG else count


# ------------------------------------------------------------------- results

TESTS = []


class Skip(Exception):
    """The test cannot run here, and why."""


def test(name):
    def add(function):
        TESTS.append((name, function))
        return function
    return add


def emit(what, name, why=""):
    why = why.replace("\\", "\\\\").replace("\t", " ").replace("\n", "\\n")
    print(what, name, why, sep="\t", flush=True)


def diag(text):
    emit("diag", text)


def run_test(name, function):
    begin = time.monotonic()
    try:
        function()
        emit("ok", name)
    except Skip as why:
        emit("skip", name, str(why))
    except Exception:  # pylint: disable=broad-except
        emit("not_ok", name, traceback.format_exc(limit=-4))
    Writer.end_all()
    took = time.monotonic() - begin
    if took > 5:
        diag("%s: %.1f s" % (name, took))


def main(setup=None, teardown=None):
    """Run the tests of the file; RDMASCOPE_ONLY picks some, a regular expression."""
    if setup:
        setup()
    for name, function in TESTS:
        if re.search(os.environ.get("RDMASCOPE_ONLY", ""), name):
            run_test(name, function)
    if teardown:
        teardown()


def same(got, want, what=""):
    assert got == want, "%s: got %r, want %r" % (what, got, want)


def wait_for(condition, seconds=LIMIT_S, what=""):
    """Poll until condition() is true; its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, "not within %s s: %s" % (seconds, what or condition)
        time.sleep(0.01)


class Within:
    """The block must be over in time: nothing of ours may block others."""

    def __init__(self, what, seconds=LIMIT_S):
        self.what, self.seconds = what, seconds

    def __enter__(self):
        self.begin = time.monotonic()

    def __exit__(self, kind, value, trace):
        took = time.monotonic() - self.begin
        assert kind or took < self.seconds, "%s took %.1f s" % (self.what, took)


def errno_name(err):
    return errno.errorcode.get(err, str(err)) if err else "0"


# ------------------------------------------------------------- key tables

def abi_table(name):
    """[(kind, key, required)] of a key table of abi.h."""
    with open(SRC + "/include/rdmascope/abi.h", encoding="ascii") as f:
        text = f.read()
    body = re.search(r"#define %s\([^)]*\) \\\n((?:.*\\\n)*.*\n)" % name, text).group(1)
    rows = re.findall(r"^\t([A-Z])\((\w+), ([^,]+)", body, re.M)
    return [(kind, key, third.strip() == "1") for kind, key, third in rows]


def abi_words(name):
    """Words of an enumeration table of abi.h."""
    with open(SRC + "/include/rdmascope/abi.h", encoding="ascii") as f:
        text = f.read()
    body = re.search(r"#define %s\(X\) \\\n((?:.*\\\n)*.*\n)" % name, text).group(1)
    return re.findall(r'X\(\w+, "([^"]+)"', body)


REPORT_KEYS = abi_table("RSCOPE_REPORT_KEYS")
LINK_KEYS = abi_table("RSCOPE_LINK_KEYS")
GID_KEYS = abi_table("RSCOPE_GID_KEYS")


def unescape(text):
    return re.sub(r"\\([0-7]{3})", lambda m: chr(int(m.group(1), 8)), text)


class Text:
    """A file of the module, read strictly: head, no repeated key, end."""

    def __init__(self, text, kind=None):
        lines = text.split("\n")
        assert lines[-1] == "" and lines[-2] == "end", "no end: %r" % lines[-3:]
        head = re.fullmatch(r"rdmascope (\w+) 1", lines[0])
        assert head, "head %r" % lines[0]
        if kind:
            same(head.group(1), kind, "kind")
        self.keys, self.records = {}, []
        for line in lines[1:-2]:
            key, value = line.split(": ", 1)
            if re.match(r"\S+=", value) and key in ("link", "gid", "hist", "op", "fault"):
                self.records.append((key, self.words(value)))
                continue
            assert key not in self.keys, "twice: " + key
            self.keys[key] = unescape(value)

    @staticmethod
    def words(line):
        pairs = [word.split("=", 1) for word in line.split(" ")]
        same(len({key for key, _ in pairs}), len(pairs), "repeated word in " + line)
        return {key: None if value == "-" else unescape(value) for key, value in pairs}

    def __getitem__(self, key):
        value = self.keys[key]
        return int(value) if value.isdigit() else value

    def get(self, key):
        return self[key] if key in self.keys else None

    def of_kind(self, kind):
        return [words for tag, words in self.records if tag == kind]


class Report(Text):
    """A report: also every required key, no unknown one, sums that agree."""

    def __init__(self, text):
        super().__init__(text, "result")
        known = [key for _, key, _ in REPORT_KEYS]
        for kind, key, required in REPORT_KEYS:
            assert not required or key in self.keys, "missing: " + key
            if kind == "U" and key in self.keys:
                assert self.keys[key].isdigit(), "%s: %s" % (key, self.keys[key])
        for key in self.keys:
            assert key in known, "unknown: " + key
        hist = [(int(h["low_ns"]), int(h["count"])) for h in self.of_kind("hist")]
        same(hist, sorted(set(hist)), "order of the histogram")
        if self.get("samples") is not None and not self.get("overflow"):
            same(sum(count for _, count in hist), self["samples"], "sum of the histogram")


def read_file(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return f.read()


# ------------------------------------------------------------------- a port

class Result:
    """How one write into run ended, and what could be read after it."""

    def __init__(self, err, text=None, read_err=0):
        self.err, self.text, self.read_err = err, text, read_err
        self.report = Report(text) if text else None

    def __repr__(self):
        what = "%s %s" % (self.report["verdict"], self.report.get("reason")) if self.report else ""
        return "<%s %s read %s>" % (errno_name(self.err), what, errno_name(self.read_err))


def write_fd(fd, data):
    """errno of one write of all of data, 0 when it was taken whole."""
    try:
        same(os.write(fd, data), len(data), "bytes written")
        return 0
    except OSError as e:
        return e.errno


def read_fd(fd):
    """(errno, bytes up to the end)"""
    data = b""
    try:
        while True:
            piece = os.read(fd, 65536)
            if not piece:
                return 0, data
            data += piece
    except OSError as e:
        return e.errno, data


class Port:
    shared = True  # run ids count for all ports of the module

    def __init__(self, dev, port=1):
        self.dev, self.num = dev, port
        self.dir = "%s/%s/%d" % (ROOT, dev, port)

    def path(self, name):
        return self.dir + "/" + name

    def open(self, name="run", flags=os.O_RDWR):
        return os.open(self.path(name), flags)

    def write(self, data):
        """One write of these bytes; then the report by the same descriptor."""
        fd = self.open()
        try:
            err = write_fd(fd, data)
            read_err, text = read_fd(fd)
            return Result(err, text.decode() or None, read_err)
        finally:
            os.close(fd)

    def run(self, line):
        return self.write(line.encode() + b"\n")

    def good(self, line="op=write size=64 iters=10"):
        """A run that must pass; its report. Nobody else may use the port."""
        before = self.state()["run_id"]
        # The default deadline is for machines that do nothing else.
        result = self.run(line if "timeout_ms" in line else line + " timeout_ms=120000")
        same(result.err, 0, "%s: errno %s %s" % (line, errno_name(result.err), self.last_error()))
        report = result.report
        same(report["verdict"], "pass", "%s: %s" % (line, report.get("reason")))
        # Python writes again after EINTR: a run that ended so would not show.
        after = self.state()["run_id"]
        same(report["run_id"], after, line)
        if not self.shared:
            same(after, before + 1, line + ": started more than once: " + self.last_error())
        return report

    def refused(self, line, err, words=""):
        """A run that must not start; the reason must hold these words."""
        before = self.state()
        result = self.run(line) if isinstance(line, str) else self.write(line)
        shown = repr(line[:60])
        same(errno_name(result.err), errno_name(err), shown)
        same(errno_name(result.read_err), "ENODATA", shown + ": read")
        after = self.state()
        same(after["state"], "idle", shown)
        assert words in str(after["last_error"]), "%s: reason %r" % (shown, after["last_error"])
        assert after["last_error"] != "-", shown + ": no reason"
        return before, after

    def state(self):
        return Text(read_file(self.path("state")), "state")

    def last_error(self):
        return self.state()["last_error"]

    def result(self):
        return Report(read_file(self.path("result")))

    def cancel(self):
        with open(self.path("cancel"), "w", encoding="ascii") as f:
            f.write("1\n")

    def running(self, ops=1):
        state = self.state()
        return state["state"] == "running" and state["ops"] >= ops

    def idle(self):
        return self.state()["state"] == "idle"


def arm(point, arg=0):
    with open(ROOT + "/fault", "w", encoding="ascii") as f:
        f.write("%s=%d\n" % (point, arg))


def armed():
    records = Text(read_file(ROOT + "/fault"), "fault").of_kind("fault")
    return {r["point"]: int(r["arg"]) for r in records if r["arg"] is not None}


# ------------------------------------------------------- commands and devices

def sh(command, timeout=60):
    """Output of a shell command that must succeed."""
    p = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       timeout=timeout, check=False)
    out = p.stdout.decode(errors="replace")
    assert p.returncode == 0, "%s: status %d: %s" % (command, p.returncode, out)
    return out


def try_sh(command, timeout=60):
    p = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       timeout=timeout, check=False)
    return p.returncode, p.stdout.decode(errors="replace")


def rdma_json(what):
    return json.loads(sh("rdma -j " + what) or "[]")


def res():
    """{device: {kind: count}} of `rdma res show`."""
    return {r.pop("ifname"): {k: v for k, v in r.items() if k != "ifindex"}
            for r in rdma_json("res show")}


def res_becomes(want, what=""):
    """Objects in destruction may still be counted for a moment."""
    try:
        wait_for(lambda: res() == want, LIMIT_S)
    except AssertionError:
        same(res(), want, "rdma res show " + what)


def netdev_add(name, addr, kind="dummy", more="", lower=""):
    sh("ip link add %s name %s type %s %s && ip addr add %s dev %s && ip link set %s up" %
       (lower, name, kind, more, addr, name, name))


def netdev_del(*names):
    try_sh("; ".join("ip link del " + name for name in names))


def port_ready(dev):
    base = "/sys/class/infiniband/%s/ports/1/" % dev
    try:
        if "ACTIVE" not in read_file(base + "state"):
            return False
        return any(r["ifname"] == dev and int(r["score"])
                   for r in Text(read_file(ROOT + "/gids")).of_kind("gid"))
    except OSError:
        return False


def rxe_add(dev, netdev, ready=True):
    sh("rdma link add %s type rxe netdev %s" % (dev, netdev))
    if ready:
        wait_for(lambda: port_ready(dev), 20, dev + " ready")
    return Port(dev)


def rxe_del(*devs):
    try_sh("; ".join("rdma link del " + dev for dev in devs))


def rxe_setup(dev="rxe0", netdev="d0", addr="192.0.2.1/24"):
    netdev_add(netdev, addr)
    return rxe_add(dev, netdev)


def links_file():
    return Text(read_file(ROOT + "/links"), "links").of_kind("link")


def link_of(dev):
    return [r for r in links_file() if r["ifname"] == dev][0]


def gids_file(dev=None):
    records = Text(read_file(ROOT + "/gids"), "gids").of_kind("gid")
    return [r for r in records if dev in (None, r["ifname"])]


# ------------------------------------------------------------ background runs

class Writer:
    """A process that writes one line into run and tells how that ended.

    lib/writer.c says what it prints; it keeps the descriptor until close().
    """

    # A minute; longer where the test itself may take one.
    LINE = "op=write size=64 duration_ms=%d" % (300000 if DEBUG else 60000)
    all = []

    def __init__(self, port, line=LINE, wait=True):
        self.port = port
        self.p = subprocess.Popen([TMP + "/writer", port.path("run"), line],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        same(self.p.stdout.readline(), b"opened\n", "writer")
        Writer.all.append(self)
        if wait:
            wait_for(lambda: port.running(WARMUP + 1), 20, "timed pass under way")

    def kill(self, sig):
        os.kill(self.p.pid, sig)

    def end(self, seconds=LIMIT_S):
        """Result of the write; the descriptor stays open."""
        begin = time.monotonic()
        words = self.p.stdout.readline().split()
        assert words and words[0] == b"write", "writer says %r" % words
        took = time.monotonic() - begin
        assert took < seconds, "the write ended after %.1f s" % took
        words.extend(self.p.stdout.readline().split())
        text = self.p.stdout.read(int(words[4])).decode()
        return Result(int(words[1]), text or None, int(words[3]))

    def close(self):
        self.p.stdin.close()
        self.p.stdout.close()
        return self.p.wait(LIMIT_S)

    def gone(self, seconds=LIMIT_S):
        self.p.wait(seconds)
        self.p.stdin.close()
        self.p.stdout.close()

    @classmethod
    def end_all(cls):
        """A failed test must not leave a descriptor open for the next one."""
        for writer in cls.all:
            if writer.p.poll() is None:
                writer.kill(signal.SIGKILL)
                writer.gone(60)
        cls.all.clear()


def build_writer():
    sh("${CC:-gcc} -O1 -o %s/writer %s/selftests/module/lib/writer.c" % (TMP, SRC), 120)


# ----------------------------------------------------------------- the tool

def tool(*args, timeout=120, env=None):
    """(status, stdout, stderr) of the tool."""
    p = subprocess.run([TOOL] + [str(a) for a in args], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=timeout,
                       check=False, env=env)
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def strict_json(text):
    """One JSON value; no repeated key, no NaN, nothing behind it."""
    def pairs(items):
        keys = [key for key, _ in items]
        same(len(set(keys)), len(keys), "repeated key in %r" % keys)
        return dict(items)

    def constant(word):
        raise AssertionError("not JSON: " + word)
    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)


def tool_json(*args, status=0, timeout=120):
    code, out, err = tool(*args, "--json", timeout=timeout)
    same(code, status, "%s: %s %s" % (args, out[-300:], err))
    return strict_json(out)


def tool_start(*args, **popen):
    return subprocess.Popen([TOOL] + [str(a) for a in args], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **popen)


def ignore_sigpipe():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
