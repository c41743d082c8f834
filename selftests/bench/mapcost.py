#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""mapcost.py COUNT: times of map commands with that many links; see map.sh.

The figures of one count are kept beside the result, for the growth.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

TOOL = os.environ["RDMASCOPE"]
WALK = os.environ["RDMASCOPE_WALK"]
ROUNDS = int(os.environ["ROUNDS"])
KEPT = os.path.join(os.environ.get("RDMASCOPE_OUT", "/tmp"), "map.json")
GROWTH_MOST, GIDS_LEAST, CHECK_MOST_S = 2.5, 10, 10

START = {"links": "version", "netlink": "version", "json": "version", "gids": "version",
         "gids_sysfs": "version", "rdma": "rdma_version", "walk": "walk_start"}
COMMANDS = {
    "version": [TOOL, "--version"], "links": [TOOL, "links"],
    "netlink": [TOOL, "links", "--source", "netlink"], "json": [TOOL, "links", "--json"],
    "rdma": [shutil.which("rdma"), "link"], "rdma_version": [shutil.which("rdma"), "-V"],
    "gids": [TOOL, "gids"], "gids_sysfs": [TOOL, "gids", "--source", "netlink"],
    "walk": [WALK], "walk_start": [WALK, "-"],
}


def say(what, text):
    print(what, text, sep="\t", flush=True)


def judge(good, text):
    say("ok" if good else "not_ok", text)


def once(name, null):
    begin = time.perf_counter_ns()
    pid = os.posix_spawn(COMMANDS[name][0], COMMANDS[name], os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    status = os.waitpid(pid, 0)[1]
    took = time.perf_counter_ns() - begin
    if status:
        sys.exit("%s: status %d" % (name, status))
    return took


def measure(names, rounds):
    """Per round the time of each without its start, in ms; the order rotates."""
    with open(os.devnull, "wb") as null:
        names = names + sorted({START[name] for name in names})
        rows = []
        for i in range(rounds + 1):
            order = names[i % len(names):] + names[:i % len(names)]
            rows.append({name: once(name, null.fileno()) / 1e6 for name in order})
    # The first round fills caches.
    return [{n: row[n] - row[START[n]] if n in START else row[n] for n in names}
            for row in rows[1:]]


def median(rows, name):
    return statistics.median(row[name] for row in rows)


def ratio(rows, a, b):
    return statistics.median(row[a] / row[b] for row in rows)


def kept():
    try:
        with open(KEPT, encoding="ascii") as f:
            return json.load(f)
    except OSError:
        return {}


def calls(name):
    if not shutil.which("strace"):
        return None
    p = subprocess.run(["strace", "-f"] + COMMANDS[name], stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, check=False)
    return p.stderr.count(b"\n")


def links(count, figures):
    names = ["links", "netlink", "json", "rdma"]
    rows = measure(names, ROUNDS)
    say("diag", "%d links, ms: %s; start: rdmascope %.2f, rdma %.2f" % (
        count, ", ".join("%s %.2f" % (n, median(rows, n)) for n in names),
        median(rows, "version"), median(rows, "rdma_version")))
    say("diag", "system calls: " + ", ".join("%s %s" % (n, calls(n)) for n in names))
    for name in ("links", "netlink"):
        text = "%d links: %s / rdma link %.3f" % (count, name, ratio(rows, name, "rdma"))
        if name == "links":
            judge(ratio(rows, name, "rdma") <= 1, text + ", limit 1")
        else:
            say("diag", text)
    figures[str(count)] = {name: median(rows, name) for name in names}
    before = figures.get(str(count // 2))
    if before:
        growth = figures[str(count)]["links"] / before["links"]
        judge(growth <= GROWTH_MOST, "from %d to %d links: %.2f times, limit %.1f (rdma %.2f)" % (
            count // 2, count, growth, GROWTH_MOST, figures[str(count)]["rdma"] / before["rdma"]))


def gids(count):
    rows = measure(["gids", "gids_sysfs", "walk"], 3)
    say("diag", "GIDs of %d ports, ms: module %.2f, without it %.2f, walk in C %.2f" % (
        count, median(rows, "gids"), median(rows, "gids_sysfs"), median(rows, "walk")))
    faster = median(rows, "walk") / median(rows, "gids")
    judge(faster >= GIDS_LEAST, "walk / gids %.1f, at least %d" % (faster, GIDS_LEAST))


def check(count):
    took = []
    for _ in range(3):
        begin = time.monotonic()
        p = subprocess.run([TOOL, "check", "--all", "--json"], stdout=subprocess.PIPE, check=False)
        took.append(time.monotonic() - begin)
        verdicts = [row["verdict"] for row in json.loads(p.stdout)]
        if p.returncode or verdicts != ["PASS"] * count:
            say("not_ok", "check --all: status %d, %s" % (p.returncode, verdicts))
            return
    judge(min(took) <= CHECK_MOST_S, "check --all of %d ports, loopbacks on both paths: %s s" % (
        count, ", ".join("%.2f" % s for s in took)))


def main():
    count, figures = int(sys.argv[1]), kept()
    if count == 4:
        figures = {}
        check(count)
    else:
        links(count, figures)
    if count == 64:
        gids(count)
    with open(KEPT, "w", encoding="ascii") as f:
        json.dump(figures, f)


main()
