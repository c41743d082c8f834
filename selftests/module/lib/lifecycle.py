# SPDX-License-Identifier: GPL-2.0
"""Whatever happens during a run of a minute, it ends, and at once."""
import errno
import random
import threading

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")
KO = os.environ["RDMASCOPE_KO"]
BEFORE = {}


def load(*params):
    sh("insmod %s %s" % (KO, " ".join(params)))
    wait_for(lambda: os.path.exists(ROOT + "/abi"), 5)


def have(kind, name):
    return os.path.exists("/sys/class/%s/%s" % (kind, name))


def fresh():
    """rxe0 over d0, idle, whatever the test before left."""
    if not os.path.exists(ROOT + "/abi"):
        load()
    if not have("net", "d0"):
        netdev_add("d0", "192.0.2.1/24")
    if not have("infiniband", "rxe0"):
        rxe_add("rxe0", "d0")
    wait_for(lambda: port_ready("rxe0"), 20, "rxe0 ready")
    BEFORE.clear()
    BEFORE.update(res())


def life(name):
    """A test that starts from a fresh device and must leave one that works."""
    def add(function):
        def wrapped():
            fresh()
            function()
            fresh()
            PORT.good("op=send size=4096 iters=20 verify=1")
            res_becomes(BEFORE, "after " + name)
        test(name)(wrapped)
        return function
    return add


def aborted(report, reason):
    same(report["verdict"], "aborted")
    same(report["reason"], reason)
    same(report["stage"], "timed")
    assert report["posted"] >= report["completed"] > 0, "%s %s" % (report["posted"],
                                                                   report["completed"])
    same((report["qp_state"], report["peer_qp_state"]), ("RTS", "RTS"))
    assert report["teardown_ns"] < LIMIT_S * 1e9


def command(text):
    with Within(text):
        sh(text)


def removed_by(text):
    writer = Writer(PORT)
    command(text)
    result = writer.end()
    same(errno_name(result.err), "ENODEV", text)
    same(errno_name(result.read_err), "EIO", "read after removal")
    same(writer.close(), 0, "close")
    wait_for(lambda: not os.path.exists(ROOT + "/rxe0"), LIMIT_S, "directory gone")


@life("rdma link del during a run: ENODEV")
def link_del():
    removed_by("rdma link del rxe0")
    assert not have("infiniband", "rxe0")


@life("ip link del during a run: ENODEV")
def netdev_gone():
    removed_by("ip link del d0")
    wait_for(lambda: not have("infiniband", "rxe0"), LIMIT_S)


@life("ip link del of a veth peer during a run: ENODEV")
def peer_gone():
    rxe_del("rxe0")
    netdev_del("d0")
    netdev_add("d0", "192.0.2.1/24", "veth", more="peer name v1")
    sh("ip link set v1 up")
    rxe_add("rxe0", "d0")
    removed_by("ip link del v1")


@life("rmmod rdma_rxe during a run: ENODEV")
def driver_gone():
    removed_by("rmmod rdma_rxe")
    sh("modprobe rdma_rxe")


@life("stop, then rmmod rdma_rxe: ECANCELED, and the idle module pins nothing")
def stop_then_rmmod():
    writer = Writer(PORT)
    if os.access(TOOL, os.X_OK):
        command(TOOL + " stop rxe0")
    else:
        PORT.cancel()
    result = writer.end()
    same(errno_name(result.err), "ECANCELED")
    aborted(result.report, "cancel")
    command("rmmod rdma_rxe")
    writer.close()
    assert os.path.exists(ROOT + "/links")
    same(links_file(), [])
    sh("modprobe rdma_rxe")


@life("write to cancel: ECANCELED and an aborted report, also in result")
def cancel():
    writer = Writer(PORT)
    running = PORT.state()
    same(running["state"], "running")
    assert running["elapsed_ns"] > 0
    more = running["ops"]
    wait_for(lambda: PORT.state()["ops"] > more, LIMIT_S, "progress")
    with Within("cancel"):
        PORT.cancel()
        result = writer.end()
    same(errno_name(result.err), "ECANCELED")
    aborted(result.report, "cancel")
    same(result.report["run_id"], running["run_id"])
    same(PORT.result().keys, result.report.keys)
    writer.close()


@life("SIGINT of the writer: EINTR and an aborted report")
def sigint():
    writer = Writer(PORT)
    writer.kill(signal.SIGINT)
    result = writer.end()
    same(errno_name(result.err), "EINTR")
    aborted(result.report, "signal")
    writer.close()


@life("SIGKILL of the writer: gone at once, the result is kept")
def sigkill():
    writer = Writer(PORT)
    run_id = PORT.state()["run_id"]
    writer.kill(signal.SIGKILL)
    with Within("exit"):
        writer.gone()
    report = PORT.result()
    same(report["run_id"], run_id)
    aborted(report, "signal")


OTHER_SHAPES = ("threads=2 qps=4 depth=8", "cq=softirq", "cq=workqueue threads=2 qps=2",
                "cq=event depth=16", "mr=dma", "pattern=pingpong", "pattern=pingpong cq=event",
                "pattern=pingpong threads=2")


@life("cancel, SIGINT and deadline with threads, sleeping CQs, DMA key, ping-pong")
def other_shapes():
    hows = ("cancel", "signal", "deadline")
    for i, shape in enumerate(OTHER_SHAPES):
        line = "op=send size=64 duration_ms=60000 " + shape
        # All of them for each shape, but not where each takes seconds.
        for how in hows[i % 3:i % 3 + 1] if DEBUG else hows:
            writer = Writer(PORT, line + (" timeout_ms=1000" if how == "deadline" else ""),
                            wait=how != "deadline")
            if how == "cancel":
                PORT.cancel()
            elif how == "signal":
                writer.kill(signal.SIGINT)
            result = writer.end()
            want = {"cancel": "ECANCELED", "signal": "EINTR", "deadline": "ETIMEDOUT"}[how]
            same(errno_name(result.err), want, shape)
            same((result.report["verdict"], result.report["reason"]), ("aborted", how), shape)
            writer.close()


@life("rdma link del during runs with threads, sleeping CQs, DMA key, ping-pong: ENODEV")
def other_shapes_removed():
    for shape in OTHER_SHAPES:
        fresh()
        writer = Writer(PORT, "op=send size=64 duration_ms=60000 " + shape)
        command("rdma link del rxe0")
        same(errno_name(writer.end().err), "ENODEV", shape)
        writer.close()


@life("SIGSTOP of the writer: the port is free while it is stopped")
def sigstop():
    writer = Writer(PORT)
    writer.kill(signal.SIGSTOP)
    wait_for(PORT.idle, LIMIT_S, "idle while the writer is stopped")
    aborted(PORT.result(), "signal")
    PORT.good()
    writer.kill(signal.SIGCONT)
    result = writer.end()
    same(errno_name(result.err), "EINTR")
    writer.close()


@life("timeout_ms: ETIMEDOUT and an aborted report")
def deadline():
    for ms in (1, 300):
        with Within("run", LIMIT_S):
            result = PORT.run("op=write size=64 warmup=0 duration_ms=60000 timeout_ms=%d" % ms)
        same(errno_name(result.err), "ETIMEDOUT")
        same((result.report["verdict"], result.report["reason"]), ("aborted", "deadline"))
    aborted(result.report, "deadline")
    assert result.report["elapsed_ns"] < 300e6 + 1e9 * LIMIT_S / 5


@life("cancel in the verify pass: nothing is wrong, only aborted")
def cancel_verify():
    writer = Writer(PORT, "op=send size=4096 duration_ms=500 warmup=0 verify=1 depth=4", wait=False)
    last = [0]

    def next_pass():
        # Each pass counts from 0.
        state = PORT.state()
        fell, last[0] = state["ops"] < last[0], state["ops"]
        assert state["state"] == "running" or not last[0], "ended: %r" % writer.end()
        return fell and state["state"] == "running"

    wait_for(next_pass, 60, "the pass after the timed one; %s" % PORT.state().keys)
    PORT.cancel()
    result = writer.end()
    same(errno_name(result.err), "ECANCELED")
    same(result.report["verdict"], "aborted")
    assert result.report["stage"] in ("cost", "verify"), result.report["stage"]
    assert not result.report.get("mismatches")
    writer.close()


@life("rename during a run: the directory follows, the run goes on")
def rename():
    writer = Writer(PORT)
    run_id = PORT.state()["run_id"]
    command("rdma dev set rxe0 name rocefoo")
    new = Port("rocefoo")
    assert not os.path.exists(ROOT + "/rxe0")
    state = new.state()
    same((state["state"], state["run_id"]), ("running", run_id))
    same([r["ifname"] for r in links_file()], ["rocefoo"])
    wait_for(lambda: new.state()["ops"] > state["ops"], LIMIT_S, "progress")
    new.cancel()
    result = writer.end()
    same(errno_name(result.err), "ECANCELED")
    same(result.report["run_id"], run_id)
    writer.close()
    sh("rdma dev set rocefoo name rxe0")


@life("rmmod rdmascope during a run: in use; after stop and close it goes")
def own_module():
    writer = Writer(PORT)
    status, out = try_sh("rmmod rdmascope")
    assert status and "in use" in out, "%d %s" % (status, out)
    same(PORT.state()["state"], "running")
    PORT.cancel()
    same(errno_name(writer.end().err), "ECANCELED")
    status, out = try_sh("rmmod rdmascope")
    assert status and "in use" in out, "open descriptor: %d %s" % (status, out)
    writer.close()
    command("rmmod rdmascope")
    assert not os.path.exists(ROOT), "the directory is still there"


@life("a second device goes while the first one runs: not disturbed")
def other_device():
    netdev_add("d1", "203.0.113.1/24")
    for _ in range(scaled(5, 2)):
        writer = Writer(PORT)
        rxe_add("rxe1", "d1")
        Port("rxe1").good()
        command("rdma link del rxe1")
        same(PORT.state()["state"], "running")
        PORT.cancel()
        same(errno_name(writer.end().err), "ECANCELED")
        writer.close()
    netdev_del("d1")


def fails_with(err, function, *args):
    try:
        function(*args)
    except OSError as e:
        same(errno_name(e.errno), errno_name(err), function.__name__)
        return
    raise AssertionError("%s%r worked" % (function.__name__, args))


@life("open descriptors survive removal: EIO, close is fine, then rmmod works")
def open_descriptors():
    PORT.good()
    names = sorted(set(os.listdir(PORT.dir)) - {"cancel"})
    fds = {n: PORT.open(n, os.O_RDWR if n == "run" else os.O_RDONLY) for n in names}
    fds["device"] = os.open(ROOT + "/rxe0/device", os.O_RDONLY)
    cancel_fd = PORT.open("cancel", os.O_WRONLY)
    root = {n: os.open(ROOT + "/" + n, os.O_RDONLY) for n in ("abi", "links", "gids")}
    same(write_fd(fds["run"], b"iters=5\n"), 0)
    os.read(fds["run"], 10)
    command("rdma link del rxe0")
    for fd in fds.values():
        fails_with(errno.EIO, os.read, fd, 10)
        fails_with(errno.EIO, os.lseek, fd, 0, os.SEEK_SET)
    fails_with(errno.EIO, os.write, fds["run"], b"iters=5\n")
    fails_with(errno.EIO, os.write, cancel_fd, b"1\n")
    for name, fd in root.items():
        Text(read_fd(fd)[1].decode(), name)
    # A device of the same name does not revive them.
    rxe_add("rxe0", "d0")
    fails_with(errno.EIO, os.write, fds["run"], b"iters=5\n")
    PORT.good()
    assert try_sh("rmmod rdmascope")[0], "unloaded with open descriptors"
    for fd in list(fds.values()) + list(root.values()) + [cancel_fd]:
        os.close(fd)
    command("rmmod rdmascope")


@life("a reader that waits for the run on the same descriptor is woken by removal")
def blocked_reader():
    ends = {}
    fd = PORT.open()

    def write():
        ends["write"] = write_fd(fd, b"op=write duration_ms=60000\n")

    def read():
        ends["read"] = read_fd(fd)[0]

    threads = [threading.Thread(target=write), threading.Thread(target=read)]
    threads[0].start()
    wait_for(PORT.running, 20)
    threads[1].start()
    command("rdma link del rxe0")
    with Within("threads"):
        for t in threads:
            t.join()
    same(errno_name(ends["write"]), "ENODEV")
    assert ends["read"] in (0, errno.EIO, errno.ENODATA), ends
    os.close(fd)


@life("netdev down during a run: fail or aborted, the next run after up passes")
def netdev_down():
    writer = Writer(PORT, "op=write size=64 duration_ms=60000 timeout_ms=20000 retry_cnt=1")
    sh("ip link set d0 down")
    result = writer.end(20 + 2)
    end = (errno_name(result.err), result.report["verdict"])
    assert end in (("0", "fail"), ("ETIMEDOUT", "aborted")), end
    diag("%s %s: %s, %s" % (end + (result.report["reason"], result.report.get("wc_status"))))
    if end[0] == "0":
        assert result.report["wc_status"] and result.report["qp_state"] == "ERR"
        assert result.report["failed_op"] <= result.report["posted"]
    writer.close()
    wait_for(lambda: PORT.run("op=write").err == errno.ENETDOWN, LIMIT_S, "ENETDOWN")
    sh("ip link set d0 up")
    wait_for(lambda: port_ready("rxe0"), 20)


@life("address deleted and added again during a run: it ends with a status")
def address():
    writer = Writer(PORT)
    cycles = scaled(200, 20)
    with open(TMP + "/batch", "w", encoding="ascii") as f:
        f.write("addr del 192.0.2.1/24 dev d0\naddr add 192.0.2.1/24 dev d0\n" * cycles)
    sh("ip -batch %s/batch" % TMP)
    PORT.cancel()
    result = writer.end()
    assert errno_name(result.err) in ("ECANCELED", "0"), result
    diag("%d cycles: %r" % (cycles, result))
    writer.close()


@life("bond under rxe deleted during a run and during reads")
def bond_gone():
    rxe_del("rxe0")
    netdev_add("b0", "192.0.2.3/24", "bond", more="mode active-backup")
    sh("ip link set d0 down; ip link set d0 master b0; ip link set d0 up; ip link set b0 up")
    port = rxe_add("rxeb", "b0")
    stop = threading.Event()

    def reader():
        while not stop.is_set():
            links_file()
            gids_file()

    t = threading.Thread(target=reader)
    t.start()
    try:
        writer = Writer(port)
        command("ip link del b0")
        same(errno_name(writer.end().err), "ENODEV")
        writer.close()
    finally:
        stop.set()
        t.join()
    netdev_del("d0")


def random_line(rng):
    return "op=%s size=4096 duration_ms=60000 depth=8 qps=3 verify=%d cq=%s threads=%d mr=%s" % (
        rng.choice(("write", "read", "send")), rng.randint(0, 1),
        rng.choice(("poll", "poll", "softirq", "workqueue")), rng.randint(1, 3),
        rng.choice(("fastreg", "dma")))


def one_removal(rng, remove):
    writer = Writer(PORT, random_line(rng), wait=False)
    time.sleep(rng.uniform(0, 0.5 if DEBUG else 0.08))
    command(remove)
    result = writer.end()
    same(writer.close(), 0)
    wait_for(lambda: not os.path.exists(ROOT + "/rxe0"), LIMIT_S)
    return errno_name(result.err)


def random_removals(remove, count, seed):
    rng = random.Random(seed)
    ends = {}
    for _ in range(count):
        fresh()
        end = one_removal(rng, remove)
        # EIO: the file was gone before the write began.
        assert end in ("ENODEV", "EIO"), end
        ends[end] = ends.get(end, 0) + 1
    diag("seed %d, ends %s" % (seed, ends))


@life("rdma link del at random instants of a run")
def random_link_del():
    random_removals("rdma link del rxe0", 5 if DEBUG else 20, 101)


@life("ip link del at random instants of a run")
def random_netdev_del():
    random_removals("ip link del d0", 3 if DEBUG else 10, 102)


@life("SIGINT, SIGKILL and cancel at random instants of a run")
def random_aborts():
    seed = 103
    rng = random.Random(seed)
    count = 6 if DEBUG else 40
    diag("seed %d" % seed)
    for _ in range(count):
        writer = Writer(PORT, random_line(rng), wait=False)
        how = rng.choice((signal.SIGINT, signal.SIGKILL, None))
        time.sleep(rng.uniform(0, 0.5 if DEBUG else 0.06))
        if how == signal.SIGKILL:
            writer.kill(how)
            writer.gone()
        else:
            # The write may not have begun: then neither of them hits it.
            wait_for(lambda: not PORT.idle(), 20, "running")
            if how:
                writer.kill(how)
            else:
                PORT.cancel()
            same(errno_name(writer.end().err), "EINTR" if how else "ECANCELED")
            writer.close()
        wait_for(PORT.idle, LIMIT_S)
    res_becomes(BEFORE)


@life("load and unload with devices present")
def reload():
    netdev_add("d1", "203.0.113.1/24")
    rxe_add("rxe1", "d1")
    want = res()
    for _ in range(20 if not DEBUG else 5):
        command("rmmod rdmascope")
        assert not os.path.exists(ROOT)
        load()
        same({"rxe0", "rxe1"} - set(os.listdir(ROOT)), set())
        same(PORT.state()["run_id"], 0, "run ids start again")
        same(PORT.good("iters=5")["run_id"], 1)
    res_becomes(want)
    rxe_del("rxe1")
    netdev_del("d1")


@life("loopback=0: a map, and nothing to write to")
def map_only():
    sh("rmmod rdmascope")
    load("loopback=0")
    same(Text(read_file(ROOT + "/abi"), "abi")["loopback"], 0)
    for _, _, files in os.walk(ROOT):
        same(set(files) & {"run", "cancel", "mediated", "fault"}, set())
    same(link_of("rxe0")["state"], "ACTIVE")
    assert gids_file("rxe0")
    sh("rmmod rdmascope")
    load()
    same(Text(read_file(ROOT + "/abi"), "abi")["loopback"], 1)


@test("without fault_points there is no file fault")
def no_fault_file():
    assert not os.path.exists(ROOT + "/fault")


def setup():
    build_writer()


def teardown():
    rxe_del("rxe0", "rxeb")
    netdev_del("d0", "b0")


main(setup, teardown)
