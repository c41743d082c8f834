# SPDX-License-Identifier: GPL-2.0
"""Rows of rxe devices by what their netdev is part of."""
from stubs import *  # pylint: disable=wildcard-import,unused-wildcard-import


def need(*modules):
    for module in modules:
        if try_sh("modprobe " + module)[0]:
            raise Skip("no " + module)


def row(dev):
    return ports_of(dev)[0]


def shows(dev, **want):
    def now():
        got = row(dev)
        return {k: got[k] for k in want}
    try:
        wait_for(lambda: now() == want, 20)
    except AssertionError:
        same(now(), want, dev)


def story_is_one():
    agrees_with_rdma()
    sources_agree()


@test("bond and slave, bridge port, veth, dummy: netdev and master of each")
def masters():
    need("bonding max_bonds=0", "bridge")
    netdev_add("t0", "192.0.2.1/28")
    netdev_add("t1", "192.0.2.17/28", "veth", more="peer name t1p")
    sh("ip link set t1p up")
    sh("ip link add b0 type bond mode active-backup; ip link add br0 type bridge; "
       "for i in 2 3; do ip link add t$i type dummy; done; ip link set t2 master b0; "
       "ip link set t3 master br0; ip addr add 192.0.2.33/28 dev b0; "
       "ip addr add 192.0.2.49/28 dev br0; for i in b0 br0 t2 t3; do ip link set $i up; done")
    plan = (("rxt0", "t0", None), ("rxt1", "t1", None), ("rxt2", "t2", "b0"),
            ("rxt3", "t3", "br0"), ("rxb0", "b0", None))
    try:
        for dev, netdev, master in plan:
            rxe_add(dev, netdev, ready=False)
            shows(dev, netdev=netdev, netdev_master=master, state="ACTIVE", agree="1", reason="ok")
        story_is_one()
        sh("ip link set t3 nomaster")
        shows("rxt3", netdev="t3", netdev_master=None)
        sh("ip link set t1p down")
        shows("rxt1", netdev_carrier="0")
        got = row("rxt1")
        want = {"ACTIVE": ("0", "active-without-carrier")}.get(got["state"], ("1", "no-carrier"))
        same((got["agree"], got["reason"]), want)
        story_is_one()
    finally:
        rxe_del(*(dev for dev, _, _ in plan))
        netdev_del("b0", "br0", "t0", "t1", "t2", "t3")


@test("VLAN and macvlan uppers: GIDs by netdev, the port's netdev stays")
def uppers():
    need("8021q", "macvlan")
    netdev_add("t0", "192.0.2.1/28")
    try:
        rxe_add("rxt0", "t0")
        netdev_add("t0.7", "192.0.2.17/28", "vlan", more="id 7", lower="link t0")
        netdev_add("mv0", "192.0.2.33/28", "macvlan", lower="link t0")

        def owners():
            return {(g["netdev"], g["vlan"]) for g in gids_file("rxt0") if g["scope"] == "ipv4"}
        wait_for(lambda: len(owners()) == 3, 20, "GIDs of the uppers")
        same(owners(), {("t0", None), ("t0.7", "7"), ("mv0", None)})
        shows("rxt0", netdev="t0", netdev_master=None, agree="1")
        gids_agree()
        story_is_one()
    finally:
        rxe_del("rxt0")
        netdev_del("t0.7", "mv0", "t0")


@test("a netdev renamed again and again: its row follows at once")
def renames():
    netdev_add("t0", "192.0.2.1/28")
    try:
        rxe_add("rxt0", "t0")
        old = "t0"
        for i in range(scaled(20, 5)):
            new = "tn%d" % i
            sh("ip link set %s down; ip link set %s name %s; ip link set %s up" %
               (old, old, new, new))
            old = new
            shows("rxt0", netdev=new, state="ACTIVE")
        story_is_one()
    finally:
        rxe_del("rxt0")
        netdev_del(old)


@test("64 links at once: 64 rows in order, the same on every read, one story")
def many():
    count = 64
    try:
        sh("for i in $(seq %d); do ip link add w$i type dummy && ip link set w$i up && "
           "rdma link add rxw$i type rxe netdev w$i || exit 1; done" % count, 300)
        rows = links_file()
        same([(r["ifname"], r["netdev"]) for r in rows],
             [("rxw%d" % i, "w%d" % i) for i in range(1, count + 1)])
        for i in (1, count):
            shows("rxw%d" % i, state="ACTIVE", agree="1", reason="ok")
        for path in (ROOT + "/links", ROOT + "/gids"):
            same(len({read_file(path) for _ in range(5)}), 1, path)
        same(len(tool_json("links")), count)
        same({tool("links", "--json")[1] for _ in range(3)}, {tool("links", "--json")[1]})
        story_is_one()
    finally:
        rxe_del(*("rxw%d" % i for i in range(1, count + 1)))
        netdev_del(*("w%d" % i for i in range(1, count + 1)))
    wait_for(lambda: not links_file(), 30, "all gone")


main()
