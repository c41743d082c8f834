# SPDX-License-Identifier: GPL-2.0
"""Devices of the stub provider: adding, changing, removing, and what they say."""
from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

STUB_KO = os.environ.get("RDMASCOPE_STUB", "")
CONTROL = "/sys/kernel/debug/rdmascope_stub/control"
IB = "/sys/class/infiniband/"
SAME_AS_RDMA = ("ifindex", "ifname", "port", "state", "physical_state", "netdev", "netdev_index",
                "lid", "sm_lid", "subnet_prefix")
NUMBERS = ("ifindex", "port", "netdev_index", "lid", "sm_lid")

# Every verb the core demands of a provider of kernel verbs and that the stub may
# lack, in the core's order: the first missing one is the reason.
MANDATORY = ("alloc_pd dealloc_pd create_qp modify_qp destroy_qp post_send post_recv create_cq "
             "destroy_cq poll_cq req_notify_cq get_dma_mr reg_user_mr dereg_mr").split()

PORT_STATES = ("NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER")
PHYS_STATES = ("NOP", "SLEEP", "POLLING", "DISABLED", "ARMED", "LINK_UP", "LINK_ERROR_RECOVER",
               "PHY_TEST", "UNKNOWN", "OPA_OFFLINE", "UNKNOWN", "OPA_TEST")


def quoted(name):
    return "".join("\\%03o" % b if b <= 0x20 or b in (0x7f, 0x5c) else chr(b)
                   for b in name.encode(errors="surrogateescape")).encode("latin-1")


def control(command, name, **keys):
    """errno of a command to the stub."""
    words = ["%s=%s" % (key, ",".join(str(v) for v in value)
                        if isinstance(value, (list, tuple, range)) else value)
             for key, value in keys.items()]
    line = (command + " name=").encode() + quoted(name) + "".join(
        " " + word for word in words).encode() + b"\n"
    with open(CONTROL, "wb", buffering=0) as f:
        try:
            same(f.write(line), len(line))
        except OSError as e:
            return e.errno
    return 0


def add(name, **keys):
    same(errno_name(control("add", name, **keys)), "0", "add %r %r" % (name, keys))
    return Port(name)


def change(name, **keys):
    same(errno_name(control("set", name, **keys)), "0", "set %r %r" % (name, keys))


def delete(name):
    same(errno_name(control("del", name)), "0", "del %r" % name)


def delete_all():
    for name in {r["ifname"] for r in links_file()}:
        control("del", name)


def stub_test(name):
    """A test that leaves no device."""
    def wrap(function):
        def wrapped():
            try:
                function()
            finally:
                delete_all()
        test(name)(wrapped)
        return function
    return wrap


# ------------------------------------------------------------------ what others say

def by_key(rows):
    return {(r["ifname"], int(r["port"])): r for r in rows}


def typed(record, keys=SAME_AS_RDMA):
    """Values as JSON has them; keys without a value left out."""
    return {k: int(record[k]) if k in NUMBERS else record[k] for k in keys
            if record.get(k) is not None}


def rdma_links():
    rows = [{k: v for k, v in r.items() if k in SAME_AS_RDMA} for r in rdma_json("link show")]
    return sorted(rows, key=lambda r: (r["ifindex"], r["port"]))


def agrees_with_rdma():
    want = rdma_links()
    for who, rows in (("links", links_file()), ("tool", tool_json("links"))):
        same(len(rows), len(want), who)
        for got, row in zip(rows, want):
            # rdma leaves LIDs out on Ethernet; its prefix may be 0 for one not looked up.
            if row.get("subnet_prefix") == "0000:0000:0000:0000":
                row = {k: v for k, v in row.items() if k != "subnet_prefix"}
            same({k: v for k, v in typed(got).items() if k in row}, row, who)


def sysfs(dev, name):
    return read_file(IB + dev + "/" + name).strip()


def sysfs_port(dev, port, name):
    return sysfs(dev, "ports/%s/%s" % (port, name))


def sysfs_rate(dev, port):
    """(Mb/s, width, word for the speed), None where sysfs refuses to tell."""
    try:
        rate, _, rest = sysfs_port(dev, port, "rate").partition(" ")
    except OSError:
        return None
    width, _, word = rest.split("(")[1].rstrip(")").partition(" ")
    return int(float(rate) * 1000), width, word


def agrees_on_rate(record, sysfs_says, what):
    """To sysfs a speed that its kernel does not know is SDR."""
    if sysfs_says is None:
        same((record["rate_mbps"], record["width"]), (None, None), what)
        return
    mbps, width, word = sysfs_says
    same(record["width"], width, what)
    if word != "SDR" or record["rate_mbps"] == str(mbps):
        same(record["rate_mbps"], str(mbps), what)
    else:
        assert record["rate_mbps"] in (None, str(80 * mbps)), "%s: %s" % (what, record["rate_mbps"])


def agrees_with_sysfs(dev):
    """Every port of a device, as far as sysfs tells the same."""
    layers = {"InfiniBand": "infiniband", "Ethernet": "ethernet"}
    for r in [r for r in links_file() if r["ifname"] == dev]:
        what, port = "%s/%s" % (dev, r["port"]), r["port"]
        state = int(sysfs_port(dev, port, "state").split(":")[0])
        same(r["state"], PORT_STATES[state] if state < 6 else "UNKNOWN", what)
        phys = int(sysfs_port(dev, port, "phys_state").split(":")[0])
        same(r["physical_state"], PHYS_STATES[phys] if phys < 12 else "UNKNOWN", what)
        same(int(r["lid"]), int(sysfs_port(dev, port, "lid"), 0), what)
        same(int(r["sm_lid"]), int(sysfs_port(dev, port, "sm_lid"), 0), what)
        layer = sysfs_port(dev, port, "link_layer")
        same(r["link_layer"], layers.get(layer, "unspecified"), what)
        agrees_on_rate(r, sysfs_rate(dev, port), what)


def sources_agree():
    """What netlink and sysfs tell the tool is what the module says."""
    module = by_key(tool_json("links", "--source", "module"))
    for source in ("netlink", "sysfs"):
        rows = by_key(tool_json("links", "--source", source))
        same(sorted(rows), sorted(module), source)
        for key, row in rows.items():
            told = {k: v for k, v in row.items() if v is not None and k not in ("source", "driver")}
            # Sysfs has no addresses and no word for a macvlan: maprel.py.
            if source == "sysfs":
                told = {k: v for k, v in told.items() if k in [key for _, key, _ in LINK_KEYS]}
            # Up to 6.1 sysfs has no netdev of an iWARP port.
            if source == "sysfs" and row["netdev"] is None:
                told.pop("reason")
                told.pop("agree")
            same({k: module[key][k] for k in told}, told, "%s %s" % (source, key))


def gids_agree():
    """GIDs out of sysfs, and by the tool from there, are those of the module."""
    module = tool_json("gids", "--source", "module")
    for source, unknown in (("netlink", ("netdev_netns",)), ("sysfs", ("netdev_netns", "ifindex"))):
        keys = [key for _, key, _ in GID_KEYS if key not in unknown]
        got = tool_json("gids", "--source", source)
        same([[g[k] for k in keys] for g in got], [[g[k] for k in keys] for g in module], source)
    for g in gids_file():
        same(g["gid"], sysfs_port(g["ifname"], g["port"], "gids/" + g["index"]))


def all_agree(*devs):
    agrees_with_rdma()
    for dev in devs:
        agrees_with_sysfs(dev)
    sources_agree()


def device_file(name):
    return Text(read_file("%s/%s/device" % (ROOT, name)), "device")


def ports_of(dev):
    return [r for r in links_file() if r["ifname"] == dev]
