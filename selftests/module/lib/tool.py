# SPDX-License-Identifier: GPL-2.0
"""The tool against two rxe devices, rxe0 over d0 and rxe1 over d1."""
import shutil

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")
KO = os.environ["RDMASCOPE_KO"]
ITERS = scaled(200, 40)
SHORT = ("--op", "write", "--size", 64, "--warmup", scaled(100, 10), "--iters", scaled(50, 20))
LONG = ("--op", "write", "--size", 64, "--duration-ms", 60000)
COMMANDS = ("links", "gids", "device", "check", "run", "compare", "explain", "status", "stop",
            "watch")
PATHS = ("kernel", "user")


def fresh():
    """Module, netdevs, devices, whatever the test before left."""
    if not os.path.exists(ROOT + "/abi"):
        sh("insmod " + KO)
    for i in (0, 1):
        if not os.path.exists("/sys/class/net/d%d" % i):
            netdev_add("d%d" % i, "192.0.2.%d/26" % (64 * i + 1))
        if not os.path.exists("/sys/class/infiniband/rxe%d" % i):
            rxe_add("rxe%d" % i, "d%d" % i, ready=False)
    for i in (0, 1):
        wait_for(lambda dev="rxe%d" % i: port_ready(dev), 20, "rxe%d ready" % i)


def life(name):
    def add(function):
        def wrapped():
            fresh()
            before = res()
            function()
            fresh()
            res_becomes(before, "after " + name)
        test(name)(wrapped)
        return function
    return add


def status_is(want, *args, words=""):
    status, out, err = tool(*args)
    same(status, want, "%s: %s" % (args, out[-200:] + err))
    assert words in out + err, "%s: no %r in %r" % (args, words, out + err)
    return out, err


@life("usage errors: status 2, usage on stderr, nothing on stdout")
def usage():
    for args in ((), ("link",), ("frobnicate",), ("run", "rxe0", "--siz", 5), ("run", "rxe0", "x"),
                 ("run", "rxe0", "--size"), ("run", "rxe0", "--size", "abc"), ("links", "--fault"),
                 ("run", "rxe0", "--size", 0), ("run", "rxe0", "--path", "air"), ("stop",),
                 ("run", "rxe0/0"), ("run", "rxe0", "--iters", 5, "--duration-ms", 5),
                 ("compare", "rxe0", "--rounds", 5), ("compare", "rxe0", "--sizes", "64,,")):
        out, err = status_is(2, *args)
        same(out, "", str(args))
        assert "rdmascope" in err, args


@life("--help of every command: status 0, on stdout")
def helps():
    out, _ = status_is(0, "--help")
    for command in COMMANDS:
        assert command in out, command
        text, err = status_is(0, command, "--help")
        assert "--json" in text and command in text and not err, command


@life("an unknown device: status 3 for every command, JSON too")
def unknown_device():
    for command in COMMANDS:
        if command in ("links", "gids", "device", "run", "compare", "status", "stop", "watch"):
            status_is(3, command, "rxe9")
            answer = tool_json(command, "rxe9", status=3)
            same(answer["error"]["exit"], 3, command)
    status_is(3, "run", "rxe0/2")


def key_names(table):
    return [key for _, key, _ in abi_table(table)]


@life("links, gids, device: JSON arrays with every key, source named")
def map_json():
    for command, table in (("links", "RSCOPE_LINK_KEYS"), ("gids", "RSCOPE_GID_KEYS"),
                           ("device", "RSCOPE_DEVICE_KEYS")):
        rows = tool_json(command)
        assert isinstance(rows, list) and len(rows) >= 2, command
        for row in rows:
            same(set(key_names(table)) - set(row), set(), command)
            same(row["source"], "module", command)
        only = tool_json(command, "rxe1")
        same({row["ifname"] for row in only}, {"rxe1"}, command)
    row = tool_json("links", "rxe0/1")[0]
    same(row["lid"], 0)
    same(row["netdev_master"], None, "absent is null")
    assert isinstance(row["ifindex"], int) and isinstance(row["state"], str)


def number_or_null(value):
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


DERIVED = ("p50_ns p90_ns p99_ns p999_ns p9999_ns mean_ns stddev_ns ops_per_s bytes_per_s "
           "syscalls_per_op ctxsw_per_op cpu_ns_per_op system_cpu_ns_per_op "
           "above_idle_cpu_ns_per_op").split()


@life("run: one object with the report's keys and the derived ones, on both paths")
def run_json():
    for path in PATHS:
        r = tool_json("run", "rxe0", "--path", path, "--op", "read", "--size", 64, "--iters", 100,
                      "--verify", 1)
        same(set(key_names("RSCOPE_REPORT_KEYS")) - set(r), set(), path)
        same((r["path"], r["dev"], r["port"], r["verdict"], r["ops"]),
             (path, "rxe0", 1, "pass", 100))
        for key in DERIVED:
            assert key in r and number_or_null(r[key]), "%s %s: %r" % (path, key, r.get(key))
        assert r["min_ns"] <= r["p50_ns"] <= r["p90_ns"] <= r["max_ns"], path
        same(r["p9999_ns"], None, "p99.99 of 100 samples")
        assert abs(r["mean_ns"] - r["sum_ns"] / r["samples"]) <= 1
        assert abs(r["ops_per_s"] - 100e9 / r["elapsed_ns"]) <= 1e-3 * r["ops_per_s"] + 1
        same(r["first_mismatch"], None, "absent is null")
        same(sum(count for _, count in r["hist"]) + (r["overflow"] or 0), r["samples"])
        if path == "user":
            assert r["bypass"] in ("none", "unknown"), r["bypass"]
        text, _ = status_is(0, "run", "rxe0", "--path", path, *SHORT)
        assert "pass" in text and "ops %d" % SHORT[-1] in text, text


@life("run --raw: the report as the module writes it, parsed strictly")
def raw():
    for path in PATHS:
        out, _ = status_is(0, "run", "rxe0", "--path", path, "--raw", *SHORT)
        same(Report(out)["path"], path)


@life("compare: rows, ratio with its interval, no bypass on this device")
def compare():
    c = tool_json("compare", "rxe0", "--op", "read", "--sizes", "64,4096", "--rounds", 6, "--iters",
                  ITERS, timeout=300)
    same([row["size"] for row in c["rows"]], [64, 4096])
    same(c["abi"], 1)
    if c["bypass"] == "unknown":
        diag("bypass unknown: perf refused")
    else:
        same(c["bypass"], "none")
        assert c["syscalls_per_post_call"] >= 0.99
        assert "no bypass on this device" in c["headline"], c["headline"]
    assert "gain" not in c["headline"] or "no gain" in c["headline"]
    for key in ("clocksource", "kernel"):
        assert c["env"][key], key
    assert c["effective"]["workload"], "effective"
    for row in c["rows"]:
        ratio = row["ratio"]
        same(ratio["rounds"], 6)
        assert 0 < ratio["low"] <= ratio["median"] <= ratio["high"], ratio
        assert ratio["verdict"], ratio
        for path in PATHS:
            same(row[path]["ops"], 6 * ITERS)
            assert row[path]["min_ns"] <= row[path]["p50_ns"] <= row[path]["max_ns"]
        same(row["mediated"]["ops"], 6 * 200)
        same(len(row["raw"]), 6)
        firsts = [r["first"] for r in row["raw"]]
        same(set(firsts), set(PATHS) | {"mediated"}, "rotating order")
        ids = [r["kernel"]["run_id"] for r in row["raw"]]
        same(len(set(ids)), 6, "run ids")


@life("compare as text: the headline and a row per size")
def compare_text():
    out, _ = status_is(0, "compare", "rxe0", "--size", 64, "--rounds", 6, "--iters", 50)
    assert "bypass" in out and "64" in out, out


@life("busy: status 6 while a run is active, status shows it, stop ends it")
def busy():
    writer = Writer(PORT)
    status_is(6, "run", "rxe0", "--path", "kernel", *SHORT, words="active")
    same(tool_json("run", "rxe0", "--path", "kernel", *SHORT, status=6)["error"]["exit"], 6)
    row = [r for r in tool_json("status") if r["ifname"] == "rxe0"][0]
    same((row["state"], row["run_id"]), ("running", PORT.state()["run_id"]))
    assert row["ops"] > 0 and row["elapsed_ns"] > 0
    # The other device, and user verbs, are free.
    same(tool_json("run", "rxe1", "--path", "kernel", *SHORT)["verdict"], "pass")
    same(tool_json("run", "rxe0", "--path", "user", *SHORT)["verdict"], "pass")
    with Within("stop", 2 * LIMIT_S):
        status_is(0, "stop", "rxe0/1")
    same(errno_name(writer.end().err), "ECANCELED")
    writer.close()
    same({r["state"] for r in tool_json("status", "--all")}, {"idle"})


@life("stop --all ends the runs of all devices; stop of an idle one is fine")
def stop_all():
    writers = [Writer(PORT), Writer(Port("rxe1"))]
    rows = tool_json("stop", "--all")
    same(sorted(r["ifname"] for r in rows), ["rxe0", "rxe1"])
    for writer in writers:
        same(errno_name(writer.end().err), "ECANCELED")
        writer.close()
    status_is(0, "stop", "rxe0")


def as_user(*args):
    """The tool as nobody, from a place that one may read."""
    os.chmod(TMP, 0o755)
    place = TMP + "/tool"
    shutil.copy(TOOL, place)
    os.chmod(place, 0o755)
    p = subprocess.run([place] + [str(a) for a in args], user=65534, group=65534, extra_groups=[],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=60)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


@life("not root: the map from elsewhere, status 5 with the reason for the rest")
def not_root():
    status, out, err = as_user("links", "--json")
    same(status, 0, err)
    rows = strict_json(out)
    same([r["ifname"] for r in rows], ["rxe0", "rxe1"])
    assert rows[0]["source"] in ("netlink", "sysfs"), rows[0]["source"]
    same(as_user("gids", "--json")[0], 0)
    for args in (("run", "rxe0", "--path", "kernel") + SHORT, ("status",), ("stop", "rxe0")):
        status, out, err = as_user(*args)
        same(status, 5, "%s: %s%s" % (args, out, err))
        assert "root" in err, err
    status, out, err = as_user("run", "rxe0", "--path", "user", "--json", *SHORT)
    assert status in (0, 5), "%d %s" % (status, err)
    same(isinstance(strict_json(out), dict), True)


@life("without the module: the map, user verbs; the kernel path says what is missing")
def no_module():
    sh("rmmod rdmascope")
    rows = tool_json("links")
    want = {r["ifname"]: (r["state"], r["netdev"]) for r in rdma_json("link show")}
    same({r["ifname"]: (r["state"], r["netdev"]) for r in rows}, want)
    same(rows[0]["source"], "netlink")
    for source in ("netlink", "sysfs"):
        for command in ("links", "gids", "device"):
            answer = tool_json(command, "--source", source)
            assert len(answer) >= 2 and answer[0]["source"] == source, command
    same(tool_json("run", "rxe0", "--path", "user", *SHORT)["verdict"], "pass")
    same(tool_json("run", "rxe0", *SHORT)["path"], "user")
    status_is(4, "run", "rxe0", "--path", "kernel", *SHORT, words="not loaded")
    for command in ("status", "stop"):
        answer = tool_json(command, "rxe0", status=4)
        assert "not loaded" in answer["error"]["cause"], answer
    c = tool_json("compare", "rxe0", "--size", 64, "--rounds", 6, "--iters", 50, status=4)
    assert c["rows"][0]["user"] and c["rows"][0]["kernel"] is None, c["rows"][0]


@life("sources agree: module, netlink, sysfs")
def sources():
    def rows(source):
        return {r["ifname"]: {k: r[k] for k in ("ifindex", "port", "state", "physical_state",
                                                "netdev", "netdev_index", "netdev_admin",
                                                "active_mtu_bytes", "rate_mbps") if
                              r[k] is not None}
                for r in tool_json("links", "--source", source)}
    module = rows("module")
    for source in ("netlink", "sysfs"):
        for dev, row in rows(source).items():
            same({k: module[dev][k] for k in row}, row, source + " " + dev)

    def gids(source):
        return {(r["ifname"], r["index"]): (r["gid"], r["type"], r["netdev"], r["score"])
                for r in tool_json("gids", "--source", source)}
    same(gids("sysfs"), gids("module"), "gids")


@life("with an empty environment and no other tool")
def bare():
    p = subprocess.run([TOOL, "links", "--json"], env={}, stdout=subprocess.PIPE, check=True)
    same([r["ifname"] for r in strict_json(p.stdout.decode())], ["rxe0", "rxe1"])


def started(path, *args):
    """The tool in the middle of a long run; the process."""
    p = tool_start("run", "rxe0", "--path", path, "--json", *(args or LONG))
    if path == "kernel":
        wait_for(lambda: PORT.running(WARMUP + 1), 20, "run under way")
    else:
        base = res()["rxe0"]["qp"]
        # Two QPs of the run, and time for some operations.
        wait_for(lambda: res()["rxe0"]["qp"] >= 3, 20, "QPs, base %d" % base)
        ticks = cpu_ticks(p.pid)
        wait_for(lambda: cpu_ticks(p.pid) > ticks + 20, 60, "busy tool")
    return p


def cpu_ticks(pid):
    fields = read_file("/proc/%d/stat" % pid).rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def ended(p, seconds=2 * LIMIT_S):
    out, err = p.communicate(timeout=seconds)
    return p.returncode, out.decode(), err.decode()


for _path in PATHS:
    def _signals(path=_path):
        for sig in (signal.SIGINT, signal.SIGTERM):
            p = started(path)
            p.send_signal(sig)
            with Within("end of the tool", 2 * LIMIT_S):
                status, out, err = ended(p)
            same(status, 128 + sig, err)
            r = strict_json(out)
            same((r["verdict"], r["reason"]), ("aborted", "signal"))
            assert r["posted"] >= r["completed"] > 0
    life("SIGINT and SIGTERM during run --path %s: valid JSON, status 128 + n" % _path)(_signals)


@life("SIGINT during compare: the rows so far, valid JSON, status 130")
def signal_compare():
    p = tool_start("compare", "rxe0", "--json", "--sizes", "64,4096", "--rounds", 1000, "--iters",
                   200)
    wait_for(lambda: PORT.state()["run_id"] > 3, 60, "rounds")
    p.send_signal(signal.SIGINT)
    status, out, err = ended(p)
    same(status, 130, err)
    c = strict_json(out)
    assert isinstance(c["rows"], list)
    same(c["aborted"], "signal")


@life("SIGKILL of the tool: nothing is left behind")
def sigkill():
    for path in PATHS:
        p = started(path)
        p.kill()
        ended(p)
    wait_for(PORT.idle, LIMIT_S)


def uverbs_of(pid):
    names = []
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            target = os.readlink("/proc/%d/fd/%s" % (pid, fd))
        except OSError:
            continue
        if "uverbs" in target:
            names.append(os.path.basename(target))
    return names


def uverbs_node(dev):
    for name in os.listdir("/sys/class/infiniband_verbs"):
        path = "/sys/class/infiniband_verbs/%s/ibdev" % name
        if os.path.exists(path) and read_file(path).strip() == dev:
            return name
    return None


@life("only the chosen device is opened, and only for user verbs")
def one_device():
    p = started("user")
    same(set(uverbs_of(p.pid)), {uverbs_node("rxe0")})
    with Within("removal of the other device"):
        sh("rdma link del rxe1")
    p.send_signal(signal.SIGINT)
    same(ended(p)[0], 130)
    p = started("kernel")
    same(uverbs_of(p.pid), [])
    p.send_signal(signal.SIGINT)
    same(ended(p)[0], 130)
    fresh()


def removal(path, command):
    p = started(path)
    with Within(command):
        sh(command)
    status, out, err = ended(p)
    r = strict_json(out)
    assert status in (1, 3), "%d %s" % (status, err)
    same(r.get("reason", "removed"), "removed", out[:300])


for _path in PATHS:
    for _command in ("rdma link del rxe0", "ip link del d0"):
        life("%s during run --path %s: not kept waiting, the tool ends" % (_command, _path))(
            lambda path=_path, command=_command: removal(path, command))


@life("rdma link del during compare: not kept waiting, what was measured is printed")
def removal_compare():
    p = tool_start("compare", "rxe0", "--json", "--size", 64, "--rounds", 1000, "--iters", 500)
    wait_for(lambda: PORT.state()["run_id"] > 3, 60, "rounds")
    with Within("rdma link del"):
        sh("rdma link del rxe0")
    status, out, err = ended(p)
    assert status in (1, 3), "%d %s" % (status, err)
    strict_json(out)


@life("no device named: the only ACTIVE port is used and named; several are refused")
def choice():
    status_is(2, "run", *SHORT, words="rxe1/1")
    sh("ip link set d0 down")
    wait_for(lambda: link_of("rxe0")["state"] == "DOWN", 10)
    for path in PATHS:
        out, err = status_is(0, "run", "--path", path, "--json", *SHORT)
        same(strict_json(out)["dev"], "rxe1")
        assert "rxe1/1" in err, err
    for path in PATHS:
        status_is(1, "run", "rxe0", "--path", path, *SHORT, words="ACTIVE")
    sh("ip link set d1 down")
    wait_for(lambda: link_of("rxe1")["state"] == "DOWN", 10)
    status_is(1, "run", *SHORT, words="no port is ACTIVE")
    sh("ip link set d0 up; ip link set d1 up")


@life("MTU above the active one, empty and impossible GID index: refused with the limit")
def limits():
    for path in PATHS:
        status_is(2, "run", "rxe0", "--path", path, "--mtu", 4096, *SHORT, words="1024")
        status_is(1, "run", "rxe0", "--path", path, "--gid-index", 200, *SHORT, words="200")
        status_is(2, "run", "rxe0", "--path", path, "--gid-index", 1000, *SHORT, words="255")
        status_is(2, "run", "rxe0", "--path", path, "--size", 1 << 30, words="268435456")
    status_is(2, "run", "rxe0", "--fault", "corrupt=64", "--verify", 1, *SHORT)


@life("the provider library is missing: the kernel path still works, the gap is named")
def no_provider():
    hide = ("mkdir -p %s/empty && for d in /etc/libibverbs.d /usr/lib/*/libibverbs; do "
            "[ ! -d $d ] || mount --bind %s/empty $d; done; exec %s run rxe0 --json --iters 50 "
            "--path " % (TMP, TMP, TOOL))

    def hidden(path):
        p = subprocess.run(["unshare", "-m", "sh", "-c", hide + path], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, check=False)
        return p.returncode, strict_json(p.stdout.decode()), p.stderr.decode()
    status, answer, err = hidden("user")
    same(status, 4, err)
    assert "provider" in answer["error"]["cause"], answer
    status, answer, err = hidden("kernel")
    same((status, answer["verdict"]), (0, "pass"), err)


@life("odd device names: escaped text, exact JSON")
def odd_name():
    subprocess.run(["rdma", "dev", "set", "rxe1", "name", "a b\x1b[1m"], check=True)
    try:
        names = {r["ifname"] for r in tool_json("links")}
        same(names, {"rxe0", "a b\x1b[1m"})
        out, _ = status_is(0, "links")
        assert "\x1b" not in out, "escape sequence on the terminal"
        same(tool_json("run", "a b\x1b[1m", "--path", "kernel", *SHORT)["verdict"], "pass")
    finally:
        subprocess.run(["rdma", "dev", "set", "a b\x1b[1m", "name", "rxe1"], check=True)


@life("every workload key is an option of run, on both paths the same word")
def every_key():
    out, _ = status_is(0, "run", "--help")
    with open(SRC + "/include/rdmascope/abi.h", encoding="ascii") as f:
        keys = re.findall(r'^\t[IES]\(\w+, "(\w+)"', f.read(), re.M)
    assert len(keys) > 20, keys
    for key in keys:
        assert "--" + key in out, key


@life("stdout that cannot be written: not status 0")
def full():
    with open("/dev/full", "w", encoding="ascii") as f:
        p = subprocess.run([TOOL, "links", "--json"], stdout=f, stderr=subprocess.PIPE, check=False)
    assert p.returncode, "status 0"


def setup():
    build_writer()
    fresh()


def teardown():
    rxe_del("rxe0", "rxe1")
    netdev_del("d0", "d1")


main(setup, teardown)
