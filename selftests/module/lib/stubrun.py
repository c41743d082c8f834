# SPDX-License-Identifier: GPL-2.0
"""Runs on devices that refuse, fail or never answer: the right word for each."""
from stubs import *  # pylint: disable=wildcard-import,unused-wildcard-import

LINE = "op=write size=64 iters=10 warmup=1"


def idle_and_clean(name, before):
    same(Port(name).state()["state"], "idle", name)
    res_becomes(before, name)


@stub_test("kernel verbs missing: unsupported, with the operation; ops says so too")
def missing():
    for verb in MANDATORY:
        port = add("efa0", without=verb, lid=1)
        before = res()
        reason = "the driver offers no kernel verbs: %s is missing" % verb
        result = port.run(LINE)
        same((result.err, result.report["verdict"], result.report["reason"]),
             (0, "unsupported", reason))
        ops = Text(read_file(port.path("ops")), "ops").of_kind("op")
        same({(o["supported"], o["reason"]) for o in ops}, {("no", reason)})
        status, out, err = tool("run", "efa0", "--size", 64)
        same(status, 4, out + err)
        assert verb in out + err, out + err
        idle_and_clean("efa0", before)
        delete("efa0")


@stub_test("no protocol, no fast registration, iWARP: unsupported, and why")
def unsupported():
    netdev_add("s0", "192.0.2.1/28")
    for keys, words in (({"layer": "none"}, "speaks no RDMA protocol"),
                        ({"layer": "raw"}, "speaks no RDMA protocol"),
                        ({"layer": "iwarp", "netdev": "s0"}, "rdma_cm"),
                        ({"fast_reg": 0}, "memory management extensions"),
                        ({"without": "alloc_mr"}, "memory management extensions"),
                        ({"max_qp_wr": 2}, "the device allows 2")):
        port = add("un0", lid=1, **keys)
        report = port.run(LINE).report
        same((report["verdict"], report["stage"]), ("unsupported", "check"), str(keys))
        assert words in report["reason"], report["reason"]
        delete("un0")
    netdev_del("s0")


@stub_test("create_qp failing: the errno and the step; the driver's no is unsupported")
def create_qp():
    for err in (errno.ENOMEM, errno.ENOSPC, errno.EPERM, errno.EIO, errno.EBUSY):
        port = add("qp0", lid=1, fail="create_qp:%d" % err)
        before = res()
        port.refused(LINE, err, "cannot create a QP: -%d" % err)
        idle_and_clean("qp0", before)
        status, out, text = tool("run", "qp0", "--size", 64)
        same(status, {errno.EPERM: 5, errno.EBUSY: 6}.get(err, 1), out + text)
        assert "cannot create a QP" in out + text, out + text
        delete("qp0")
    for err in (errno.EOPNOTSUPP, errno.EINVAL):
        port = add("qp0", lid=1, fail="create_qp:%d" % err)
        report = port.run(LINE).report
        same((report["verdict"], report["stage"], report["reason"]),
             ("unsupported", "qp", "the driver refuses an RC QP: -%d" % err))
        same(tool("run", "qp0", "--size", 64)[0], 4)
        delete("qp0")


# verb, errno, what the reason says
STEPS = (("alloc_pd", errno.ENOMEM, "cannot allocate a PD: -12"),
         ("get_dma_mr", errno.ENOSPC, "cannot allocate a PD: -28"),
         ("create_cq", errno.ENOMEM, "cannot create a CQ"),
         ("to_init", errno.EINVAL, "QP to INIT on port 1: -22"),
         ("to_rtr", errno.ENETUNREACH, "QP to RTR"),
         ("to_rts", errno.EIO, "QP to RTS: -5"),
         ("alloc_mr", errno.ENOMEM, ""), ("map_mr_sg", errno.EIO, ""),
         ("post_send", errno.ENOMEM, ""))


@stub_test("every other step failing: its errno, its words, nothing left behind")
def steps():
    for verb, err, words in STEPS:
        port = add("st0", lid=1, fail="%s:%d" % (verb, err))
        before = res()
        _, after = port.refused(LINE, err, words)
        diag("%s: %s" % (verb, after["last_error"]))
        idle_and_clean("st0", before)
        change("st0", fail="")
        same(port.run(LINE).err, 0, "well again after " + verb)
        delete("st0")


@stub_test("InfiniBand: no LID, not ACTIVE, no full-member P_Key, MTU too large")
def address():
    for keys, err, words in (({}, errno.ENETDOWN, "no LID"),
                             ({"lid": 1, "state": 2}, errno.ENETDOWN, "not ACTIVE"),
                             ({"lid": 1, "pkey": 0x7fff}, errno.ENODATA, "P_Key")):
        port = add("ad0", **keys)
        port.refused(LINE, err, words)
        delete("ad0")
    port = add("ad0", lid=1, mtu=2)
    port.refused(LINE + " mtu=4096", errno.ERANGE, "active MTU 512")
    delete("ad0")
    netdev_add("s0", "192.0.2.1/28")
    try:
        port = add("ad0", layer="roce")
        port.refused(LINE, errno.ENODATA, "no usable GID")
    finally:
        netdev_del("s0")


@stub_test("InfiniBand: a run to the port's own LID, by each port")
def own_lid():
    add("ib0", ports=2, lid=(7, 0xbff0))
    for number, lid in ((1, 7), (2, 0xbff0)):
        report = Port("ib0", number).good(LINE)
        same((report["lid"], report["port"], report["mtu"]), (lid, number, 4096))
        same(report.get("gid_index"), None)
        same(report["ops"], 10)


@stub_test("bytes that never moved are found: fail, wrong bytes")
def wrong_bytes():
    port = add("wb0", lid=1)
    report = port.run(LINE + " verify=1").report
    same((report["verdict"], report["stage"], report["reason"]),
         ("fail", "verify", "wrong bytes"))
    assert report["mismatches"] > 0
    status, _, _ = tool("run", "wb0", "--op", "write", "--size", 64, "--verify", 1)
    same(status, 1)


@stub_test("a failed completion: fail, with its status; the CQ kinds agree")
def failed_completion():
    for cq in ("direct", "softirq", "workqueue"):
        port = add("wc0", lid=1)
        before = res()
        change("wc0", wc=12)
        result = port.run(LINE + " cq=" + cq)
        report = result.report
        same((result.err, report["verdict"], report["wc_status"]),
             (0, "fail", "transport retry counter exceeded"), cq)
        idle_and_clean("wc0", before)
        delete("wc0")


@stub_test("an operation that never completes: the deadline, cancel, removal")
def never():
    port = add("ne0", lid=1)
    before = res()
    send = "op=send size=64 iters=10 warmup=0 timeout_ms="
    result = port.run(send + "200")
    same((errno_name(result.err), result.report["verdict"], result.report["reason"]),
         ("ETIMEDOUT", "aborted", "deadline"))
    idle_and_clean("ne0", before)
    for what, want in (("cancel", "ECANCELED"), ("removed", "ENODEV")):
        writer = Writer(port, send + "300000", wait=False)
        wait_for(lambda: port.state()["state"] == "running", 20, "run under way")
        with Within(what):
            if what == "cancel":
                port.cancel()
            else:
                delete("ne0")
            result = writer.end()
        same(errno_name(result.err), want)
        writer.close()
    same(links_file(), [])


@stub_test("the provider cannot be unloaded from under a run, but removed")
def unload_running():
    port = add("ne0", lid=1)
    writer = Writer(port, "op=send size=64 iters=10 warmup=0 timeout_ms=300000", wait=False)
    wait_for(lambda: port.state()["state"] == "running", 20, "run under way")
    with Within("rmmod rdmascope_stub"):
        sh("rmmod rdmascope_stub")
    same(errno_name(writer.end().err), "ENODEV")
    writer.close()
    sh("insmod " + STUB_KO)


def setup():
    build_writer()


main(setup)
