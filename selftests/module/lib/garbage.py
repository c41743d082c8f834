# SPDX-License-Identifier: GPL-2.0
"""Bad lines and odd uses of the file run of rxe0."""
import errno
import random
import stat
import threading

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")
GOOD = "op=write size=64 iters=10"

# name, bytes written, errno, what the reason must say
GARBAGE = (
    ("nothing at all", b"", "EINVAL", "no LF"),
    ("an empty line", b"\n", "EINVAL", "empty line"),
    ("blanks only", b" \t \n", "EINVAL", "empty line"),
    ("no LF", b"op=read size=64", "EINVAL", "no LF"),
    ("two LFs", b"op=read\n\n", "EINVAL", "behind the first LF"),
    ("two lines", b"op=read\nop=write\n", "EINVAL", "behind the first LF"),
    ("bytes behind the LF", b"op=read\nx", "EINVAL", "behind the first LF"),
    ("CR LF", b"op=read\r\n", "EINVAL", "op=read"),
    ("NUL inside", b"op=read\0 size=64\n", "EINVAL", "NUL"),
    ("NUL first", b"\0op=read\n", "EINVAL", "NUL"),
    ("NUL at the end", b"op=read\n\0", "EINVAL", "NUL"),
    ("only NULs", bytes(100), "EINVAL", "NUL"),
    ("4097 bytes", b"op=read" + b" " * 4089 + b"\n", "EINVAL", "4097 bytes"),
    ("64 KiB", b"a" * 65536, "EINVAL", "65536 bytes"),
    ("64 KiB with LF", b"op=read" + b" " * 65528 + b"\n", "EINVAL", "65536 bytes"),
    ("1 MiB", b"size=1\n" * 149797, "EINVAL", "bytes, at most 4096"),
    ("a negative size", b"size=-1\n", "ERANGE", "size=-1: out of range 1..1073741824"),
    ("a zero size", b"size=0\n", "ERANGE", "size=0"),
    ("zero iterations", b"iters=0\n", "ERANGE", "iters=0"),
    ("zero QPs", b"qps=0\n", "ERANGE", "qps=0"),
    ("zero depth", b"depth=0\n", "ERANGE", "depth=0"),
    ("zero batch", b"batch=0\n", "ERANGE", "batch=0"),
    ("zero signal", b"signal=0\n", "ERANGE", "signal=0"),
    ("zero threads", b"threads=0\n", "ERANGE", "threads=0"),
    ("zero duration", b"duration_ms=0\n", "ERANGE", "duration_ms=0"),
    ("zero timeout", b"timeout_ms=0\n", "ERANGE", "timeout_ms=0"),
    ("timeout over an hour", b"timeout_ms=3600001\n", "ERANGE", "1..3600000"),
    ("32 bit overflow", b"size=4294967297\n", "ERANGE", "size=4294967297"),
    ("64 bit overflow", b"size=18446744073709551617\n", "ERANGE", "size=1844"),
    ("64 bit minimum", b"iters=-9223372036854775808\n", "ERANGE", "iters=-9"),
    ("200 digits", b"size=" + b"9" * 200 + b"\n", "ERANGE", "size=999"),
    ("absurd depth", b"depth=1000000000\n", "ERANGE", "1..16384"),
    ("absurd depth times QPs", b"depth=16384 qps=128\n", "ERANGE", "exceeds 32768"),
    ("8 GiB", b"size=8589934592\n", "ERANGE", "size=8589934592"),
    ("memory over the limit", b"size=1073741824\n", "ERANGE", "limit of 268435456"),
    ("verify over the limit", b"size=16777216 depth=16 verify=1\n", "ERANGE", "limit of 268435456"),
    ("a key twice", b"size=64 size=64\n", "EINVAL", "size is given twice"),
    ("a key twice, far apart", b"op=read size=64 iters=3 op=read\n", "EINVAL", "op is given twice"),
    ("an unknown key", b"foo=1\n", "EINVAL", "foo=1: unknown key"),
    ("a path", b"dev=../../x\n", "EINVAL", "unknown key"),
    ("upper case", b"SIZE=1\n", "EINVAL", "unknown key"),
    ("half a key", b"siz=1\n", "EINVAL", "siz=1: unknown key"),
    ("more than a key", b"sizes=1\n", "EINVAL", "sizes=1: unknown key"),
    ("trailing words", b"size=1 2\n", "EINVAL", "2: not key=value"),
    ("a trailing word", b"op=read size=64 now\n", "EINVAL", "now: not key=value"),
    ("an empty value", b"size=\n", "EINVAL", "size=: the value is missing"),
    ("an empty word value", b"op= size=1\n", "EINVAL", "op=: the value is missing"),
    ("an empty key", b"=5\n", "EINVAL", "unknown key"),
    ("only =", b"=\n", "EINVAL", "unknown key"),
    ("two =", b"size==5\n", "EINVAL", "not a decimal integer"),
    ("blank around =", b"size = 5\n", "EINVAL", "size: not key=value"),
    ("an unknown operation", b"op=foo\n", "EINVAL", "not one of send"),
    ("half an operation", b"op=rea\n", "EINVAL", "not one of send"),
    ("more than an operation", b"op=reads\n", "EINVAL", "not one of send"),
    ("an operation as a number", b"op=5\n", "EINVAL", "not one of"),
    ("hexadecimal", b"size=0x40\n", "EINVAL", "not a decimal integer"),
    ("a plus sign", b"size=+5\n", "EINVAL", "not a decimal integer"),
    ("a lone minus", b"size=-\n", "EINVAL", "not a decimal integer"),
    ("two minus", b"size=--5\n", "EINVAL", "not a decimal integer"),
    ("a suffix", b"size=4k\n", "EINVAL", "not a decimal integer"),
    ("a fraction", b"size=1.5\n", "EINVAL", "not a decimal integer"),
    ("an exponent", b"size=1e3\n", "EINVAL", "not a decimal integer"),
    ("a comma", b"size=1,2\n", "EINVAL", "not a decimal integer"),
    ("control bytes", b"size=\x01\x1b[31m\n", "EINVAL", "size=??"),
    ("bytes that are not UTF-8", b"\xff\xfe=\x80\n", "EINVAL", "unknown key"),
    ("vertical tab as a blank", b"op=read\vsize=4\n", "EINVAL", "op=read"),
    ("an MTU that is none", b"mtu=1500\n", "ERANGE", "not one of 256"),
    ("an MTU over the range", b"mtu=8192\n", "ERANGE", "0..4096"),
    ("signal above depth", b"depth=2 signal=3\n", "ERANGE", "exceeds depth=2"),
    ("batch above depth", b"depth=2 batch=3\n", "ERANGE", "exceeds depth=2"),
    ("threads above QPs", b"threads=2\n", "ERANGE", "exceeds qps=1"),
    ("iters below QPs", b"qps=3 iters=2\n", "ERANGE", "less than qps=3"),
    ("atomics of another size", b"op=faa size=16\n", "ERANGE", "8 bytes"),
    ("iters and duration_ms", b"iters=5 duration_ms=5\n", "EINVAL", "exclude each other"),
    ("verify=2", b"verify=2\n", "ERANGE", "0..1"),
    ("a long peer", b"peer=" + b"x" * 64 + b"\n", "ERANGE", "peer"),
    ("peer with control bytes", b"peer=a\x01b\n", "EINVAL", "peer"),
    ("an empty GID slot", b"gid_index=200\n", "ENODATA", "gid_index=200"),
    ("a GID beyond any table", b"gid_index=1000000\n", "ERANGE", "-1..255"),
    ("a CPU that is not there", b"cpu=8191\n", "ERANGE", "not online"),
)


def refuse(name, data, err, words):
    before, after = PORT.refused(data, getattr(errno, err), words)
    # These are decided only when the port is known to be free.
    if name not in ("an empty GID slot", "a CPU that is not there"):
        same(after["run_id"], before["run_id"], "run_id")
    reason = after.keys["last_error"]
    assert reason.isascii() and reason.isprintable() and len(reason) < 192, repr(reason)
    same(PORT.good(GOOD)["ops"], 10, "a good line right after")


for _row in GARBAGE:
    test("run refuses %s: %s" % (_row[0], _row[2]))(lambda row=_row: refuse(*row))


@test("refused lines leave the result of the last run alone")
def result_stays():
    want = PORT.good(GOOD).keys
    PORT.refused("size=0", errno.ERANGE)
    PORT.refused("gid_index=200", errno.ENODATA)
    same(PORT.result().keys, want)


@test("4096 bytes are a line; blanks and tabs separate, also in front and behind")
def longest():
    for data in (b"iters=9" + b" " * 4088 + b"\n", b"\t size=64\t\titers=5  \n"):
        result = PORT.write(data)
        same(errno_name(result.err), "0", str(PORT.last_error()))
        same(result.report["verdict"], "pass")


@test("leading zeros are decimal")
def zeros():
    same(PORT.good("size=000000000000000000000064 iters=010")["bytes"], 640)


@test("one byte per write: each is refused, nothing starts")
def bytewise():
    before = PORT.state()
    fd = PORT.open()
    for byte in b"op=read\n":
        same(errno_name(write_fd(fd, bytes([byte]))), "EINVAL", chr(byte))
    same(read_fd(fd)[0], errno.ENODATA)
    os.close(fd)
    same(PORT.state()["run_id"], before["run_id"])


@test("a line in two pieces, also by writev: refused, never joined")
def pieces():
    before = PORT.state()
    fd = PORT.open()
    same(errno_name(write_fd(fd, b"op=read ")), "EINVAL")
    same(errno_name(write_fd(fd, b"64\n")), "EINVAL")
    try:
        os.writev(fd, [b"op=read ", b"size=64\n"])
        raise AssertionError("writev of two pieces was taken")
    except OSError as e:
        same(errno_name(e.errno), "EINVAL")
    os.close(fd)
    same(PORT.state()["run_id"], before["run_id"])


@test("read before any write: ENODATA; the result file too before any run")
def nothing_to_read():
    fd = PORT.open()
    same(errno_name(read_fd(fd)[0]), "ENODATA")
    os.close(fd)
    netdev_add("d9", "203.0.113.9/24")
    fresh = rxe_add("rxe9", "d9")
    fd = fresh.open("result", os.O_RDONLY)
    same(errno_name(read_fd(fd)[0]), "ENODATA")
    state = fresh.state()
    same((state["state"], state["run_id"], state["ops"], state["elapsed_ns"]), ("idle", 0, 0, 0))
    os.close(fd)
    rxe_del("rxe9")
    netdev_del("d9")


@test("second write and read on one descriptor; a refused write drops the report")
def twice():
    fd = PORT.open()
    same(write_fd(fd, b"op=write iters=5\n"), 0)
    first = Report(read_fd(fd)[1].decode())
    same(write_fd(fd, b"op=read iters=6\n"), 0)
    second = Report(read_fd(fd)[1].decode())
    same((first["ops"], second["ops"]), (5, 6))
    same(second["run_id"], first["run_id"] + 1)
    same(errno_name(write_fd(fd, b"size=0\n")), "ERANGE")
    same(errno_name(read_fd(fd)[0]), "ENODATA")
    same(write_fd(fd, b"op=send iters=7\n"), 0)
    same(Report(read_fd(fd)[1].decode())["ops"], 7)
    os.close(fd)


@test("reading half of a report and writing again starts the next at its head")
def half_read():
    fd = PORT.open()
    for _ in range(2):
        same(write_fd(fd, b"iters=5\n"), 0)
        same(os.read(fd, 11), b"rdmascope r")
    os.close(fd)


@test("pwrite: ESPIPE; nothing starts")
def pwrite():
    before = PORT.state()
    fd = PORT.open()
    for offset in (0, 5):
        try:
            os.pwrite(fd, b"op=read\n", offset)
            raise AssertionError("pwrite was taken")
        except OSError as e:
            same(errno_name(e.errno), "ESPIPE")
    os.close(fd)
    same(PORT.state()["run_id"], before["run_id"])


@test("the position is no matter for writing; lseek and pread work for reading")
def seeking():
    fd = PORT.open()
    os.lseek(fd, 12345, os.SEEK_SET)
    same(write_fd(fd, b"iters=5\n"), 0)
    same(os.lseek(fd, 0, os.SEEK_CUR), 0)
    err, whole = read_fd(fd)
    same(err, 0)
    Report(whole.decode())
    os.lseek(fd, 10, os.SEEK_SET)
    same(read_fd(fd)[1], whole[10:])
    same(os.pread(fd, 100, 20), whole[20:120])
    same(os.pread(fd, 100, 1 << 40), b"")
    try:
        os.lseek(fd, -1, os.SEEK_SET)
        raise AssertionError("lseek to -1")
    except OSError as e:
        same(errno_name(e.errno), "EINVAL")
    os.lseek(fd, 0, os.SEEK_SET)
    bytewise_text = b"".join(iter(lambda: os.read(fd, 1), b""))
    same(bytewise_text, whole, "read byte by byte")
    os.close(fd)


@test("write-only and read-only descriptors; append and truncate change nothing")
def flags():
    fd = PORT.open(flags=os.O_WRONLY)
    same(write_fd(fd, b"iters=5\n"), 0)
    same(errno_name(read_fd(fd)[0]), "EBADF")
    os.close(fd)
    fd = PORT.open(flags=os.O_RDONLY)
    same(errno_name(write_fd(fd, b"iters=5\n")), "EBADF")
    os.close(fd)
    for more in (os.O_APPEND, os.O_TRUNC, os.O_NONBLOCK, os.O_CLOEXEC):
        fd = PORT.open(flags=os.O_RDWR | more)
        same(write_fd(fd, b"iters=5\n"), 0)
        Report(read_fd(fd)[1].decode())
        os.close(fd)


@test("each descriptor keeps the report of its own run; result shows the last")
def own_report():
    a, b = PORT.open(), PORT.open()
    same(write_fd(a, b"op=write iters=5\n"), 0)
    old = PORT.open("result", os.O_RDONLY)
    same(write_fd(b, b"op=read iters=6\n"), 0)
    report_a, report_b = Report(read_fd(a)[1].decode()), Report(read_fd(b)[1].decode())
    same((report_a["ops"], report_b["ops"]), (5, 6))
    same(PORT.result()["run_id"], report_b["run_id"])
    same(Report(read_fd(old)[1].decode())["run_id"], report_a["run_id"], "result opened before")
    for fd in (a, b, old):
        os.close(fd)


@test("two writers: exactly one EBUSY, which says who is in the way")
def busy():
    writer = Writer(PORT)
    running = PORT.state()["run_id"]
    result = PORT.run(GOOD)
    same(errno_name(result.err), "EBUSY")
    same(errno_name(result.read_err), "ENODATA")
    assert "run %d" % running in PORT.last_error(), PORT.last_error()
    # Checked before the port is asked for.
    same(errno_name(PORT.run("size=0").err), "ERANGE")
    PORT.cancel()
    ended = writer.end()
    same(errno_name(ended.err), "ECANCELED")
    same(ended.report["run_id"], running)
    writer.close()
    PORT.good(GOOD)


@test("many writers at once: each one runs or is told EBUSY, reports are not mixed")
def many():
    gate = threading.Barrier(8)
    results = []

    def one(index):
        for turn in range(scaled(20, 3)):
            gate.wait(120)
            results.append((100 + index, PORT.run("op=write size=%d iters=50" % (100 + index))))
            assert turn >= 0

    threads = [threading.Thread(target=one, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    same(len(results), 8 * scaled(20, 3))
    same({errno_name(r.err) for _, r in results} - {"0", "EBUSY"}, set())
    good = [(size, r.report) for size, r in results if not r.err]
    assert good, "nobody ran"
    for size, report in good:
        same(report["bytes"], 50 * size)
    ids = [report["run_id"] for _, report in good]
    same(len(set(ids)), len(ids), "run ids")
    diag("%d of %d ran" % (len(good), len(results)))


@test("cancel: any bytes, success when idle, and the next run is not hit")
def cancel_idle():
    for data in (b"1\n", b"", b"\0", b"x" * 65536):
        fd = PORT.open("cancel", os.O_WRONLY)
        same(write_fd(fd, data), 0)
        os.close(fd)
        PORT.good(GOOD)


@test("modes: as in the table, directories for root only")
def modes():
    for directory, table in ((ROOT, "RSCOPE_ROOT_FILES"), (ROOT + "/rxe0", "RSCOPE_DEV_FILES"),
                             (PORT.dir, "RSCOPE_PORT_FILES")):
        with open(SRC + "/include/rdmascope/abi.h", encoding="ascii") as f:
            body = f.read().split("#define %s(X)" % table)[1].split("\n\n")[0]
        want = {name: int(mode, 8) for name, mode in re.findall(r"X\((\w+), (0\d+),", body)}
        got = {name: stat.S_IMODE(os.stat(directory + "/" + name).st_mode) for name in
               os.listdir(directory) if stat.S_ISREG(os.stat(directory + "/" + name).st_mode)}
        same(got, want, directory)


@test("an ordinary user gets EACCES")
def ordinary_user():
    pid = os.fork()
    if not pid:
        os.setgroups([])
        os.setuid(65534)
        seen = set()
        for name in ("links", "rxe0/1/run", "rxe0/1/cancel"):
            try:
                os.open(ROOT + "/" + name, os.O_RDONLY)
                seen.add(0)
            except OSError as e:
                seen.add(e.errno)
        os._exit(0 if seen == {errno.EACCES} else 1)
    same(os.waitpid(pid, 0)[1], 0, "child")


def random_line(rng):
    keys = ["op", "qp", "size", "iters", "depth", "batch", "signal", "qps", "mtu", "verify",
            "gid_index", "warmup", "cq", "mr", "inline", "peer", "cpu", "timeout_ms", "threads",
            "duration_ms", "pattern", "rnr_retry", "bogus", ""]
    words_of = {"op": ("read", "write", "send", "cas"), "qp": ("rc", "ud"), "cq": ("poll", "event"),
                "mr": ("fastreg", "dma"), "pattern": ("oneway",), "mtu": ("256", "1024", "4096")}
    values = ["0", "1", "2", "3", "8", "64", "-1", "256", "1024", "read", "write", "send", "cas",
              "rc", "poll", "fastreg", "oneway", "", "99999999999999999999", "0x1", "-", "a b"]
    words = []
    for _ in range(rng.randint(0, 5)):
        key = rng.choice(keys)
        fit = words_of.get(key, ("1", "2", "3", "8", "64"))
        words.append("%s=%s" % (key, rng.choice(fit if rng.random() < 0.8 else values)))
    data = bytearray(" ".join(words).encode() + b"\n")
    for _ in range(rng.choice((0, 0, 0, 1, 3))):
        at = rng.randrange(len(data))
        what = rng.randrange(3)
        if what == 0:
            data[at] = rng.randrange(256)
        elif what == 1:
            data.insert(at, rng.randrange(256))
        elif len(data) > 1:
            del data[at]
    return bytes(data)


@test("random lines: an errno and a reason, or a verdict; never anything else")
def fuzz():
    seed = 0x5eed
    rng = random.Random(seed)
    count = scaled(500, 100)
    diag("seed %#x, %d lines" % (seed, count))
    ends = {}
    for _ in range(count):
        data = random_line(rng)
        before = PORT.state()
        result = PORT.write(data)
        if result.err:
            end = errno_name(result.err)
            assert end in ("EINVAL", "ERANGE", "ENODATA", "ETIMEDOUT"), "%r: %s" % (data, end)
            if end in ("EINVAL",):
                same(PORT.state()["run_id"], before["run_id"], repr(data))
        else:
            end = result.report["verdict"]
            assert end in ("pass", "unsupported"), "%r: %s" % (data, end)
        ends[end] = ends.get(end, 0) + 1
    diag("ends: %s" % ends)
    assert ends.get("pass") and ends.get("EINVAL") and ends.get("ERANGE"), ends
    PORT.good(GOOD)


@test("random bytes of any length")
def fuzz_bytes():
    rng = random.Random(7)
    for _ in range(scaled(1000, 100)):
        data = rng.randbytes(rng.choice((1, 10, 100, 4095, 4096, 4097, 9000)))
        result = PORT.write(data)
        same(errno_name(result.err), "EINVAL", repr(data[:40]))
    PORT.good(GOOD)


@test("a whole line in every position of junk is never executed")
def embedded():
    before = PORT.state()
    for data in (b"\nop=read\n", b"#op=read\n", b"op=read;\n", b"op=read\n\xff", b" op=read"):
        same(errno_name(PORT.write(data).err), "EINVAL", repr(data))
    same(PORT.state()["run_id"], before["run_id"])


@test("objects are as before all this")
def nothing_left():
    res_becomes(BEFORE)


BEFORE = {}


def setup():
    build_writer()
    BEFORE.update(res())


main(setup)
