# SPDX-License-Identifier: GPL-2.0
"""Placement of the lanes of a run on rxe0."""
import glob
import os

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

PORT = Port("rxe0")


def lane_cpus():
    """Name and allowed CPUs of every lane thread of the module."""
    found = {}
    for comm in glob.glob("/proc/[0-9]*/comm"):
        try:
            name = read_file(comm).strip()
            if not name.startswith("rdmascope/"):
                continue
            for line in read_file(os.path.dirname(comm) + "/status").splitlines():
                if line.startswith("Cpus_allowed_list:"):
                    found[name] = line.split()[1]
        except OSError:
            continue
    return found


def placed(line, want):
    writer = Writer(PORT, line)
    try:
        wait_for(lambda: lane_cpus() == want, what="%s, got %s" % (want, lane_cpus()))
        assert PORT.running(), "the run is over"
    finally:
        PORT.cancel()
        writer.end()
    wait_for(lambda: not lane_cpus(), what="the threads gone")


@test("cpu=0 threads=2: the second lane is pinned to CPU 1")
def second_cpu():
    placed("op=write size=64 qps=2 threads=2 cpu=0 duration_ms=60000", {"rdmascope/1": "1"})


@test("cpu=1 threads=2: the second lane wraps around to CPU 0")
def wraps():
    placed("op=write size=64 qps=2 threads=2 cpu=1 duration_ms=60000", {"rdmascope/1": "0"})


@test("a thread for each end of a ping-pong: the passive one runs on the next CPU")
def ends():
    placed("op=send size=64 pattern=pingpong threads=2 cpu=0 duration_ms=60000",
           {"rdmascope/1": "1"})


@test("cpu=-1: lanes may run where the writer may")
def unpinned():
    placed("op=write size=64 qps=2 threads=2 duration_ms=60000",
           {"rdmascope/1": "0-%d" % (os.cpu_count() - 1)})


main(build_writer)
