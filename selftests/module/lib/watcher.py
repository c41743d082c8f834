# SPDX-License-Identifier: GPL-2.0
"""A running watch --json, and the state its lines lead to."""
import os
import shutil
import signal
import subprocess

from rscope import LIMIT_S, TMP, TOOL, same, strict_json, tool_json, wait_for

EVENTS = ("present", "appeared", "gone", "renamed", "changed")
NOTICES = ("following", "source", "overrun", "unreadable")


def own_copy():
    """The tool where anybody may run it."""
    os.chmod(TMP, 0o755)
    shutil.copy(TOOL, TMP + "/tool")
    os.chmod(TMP + "/tool", 0o755)
    return TMP + "/tool"


ADDED = {"source", "netdev_uppers", "netdev_lowers", "addresses", "ipoib", "netdev_relation"}


class Watch:
    """Lines as they come; `links` and `gids` are what they say in sum."""

    all = []

    def __init__(self, *args, user=None):
        command = [own_copy() if user else TOOL, "watch", "--json"] + [str(a) for a in args]
        who = dict(user=user, group=user, extra_groups=[], cwd="/") if user else {}
        self.p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, **who)
        Watch.all.append(self)
        os.set_blocking(self.p.stdout.fileno(), False)
        self.rest, self.lines, self.links, self.gids = b"", [], {}, {}
        self.following = self.wait(event="following")["text"]

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.p.poll() is None:
            self.p.kill()
        self.p.wait(LIMIT_S)
        self.p.stdout.close()
        self.p.stderr.close()

    # ------------------------------------------------------------------- lines

    def read(self):
        """Take in what has been printed since."""
        while True:
            try:
                piece = os.read(self.p.stdout.fileno(), 65536)
            except BlockingIOError:
                return
            if not piece:
                return
            *lines, self.rest = (self.rest + piece).split(b"\n")
            for line in lines:
                self.take(strict_json(line.decode()))

    def take(self, line):
        self.lines.append(line)
        assert line["event"] in EVENTS + NOTICES, line
        if line["event"] in EVENTS:
            table = self.links if line["what"] == "link" else self.gids
            key = self.key(line)
            getattr(self, "take_" + line["event"])(table, key, line)

    @staticmethod
    def key(line):
        """sysfs does not tell the index."""
        index = line["ifname"] if line["ifindex"] is None else line["ifindex"]
        return index, line["port"], line.get("index")

    def take_present(self, table, key, line):
        self.take_appeared(table, key, line)
        for gid in line["gids"]:
            self.gids[self.key(gid)] = gid

    def take_appeared(self, table, key, line):
        assert key not in table, "already there: %r" % line
        table[key] = line["record"]

    def take_gone(self, table, key, line):
        same(table.pop(key), line["record"], "gone")

    def take_changed(self, table, key, line):
        same(table[key][line["field"]], line["old"], str(line))
        assert line["old"] != line["new"], line
        table[key][line["field"]] = line["new"]
        if line["what"] == "link":
            table[key]["agree"] = line["agree"]
            if line["field"] == "ifname":
                for gid in self.gids.values():
                    if (gid["ifindex"], gid["port"]) == key[:2]:
                        gid["ifname"] = line["new"]

    take_renamed = take_changed

    def mark(self):
        self.read()
        return len(self.lines)

    def find(self, since=0, **want):
        self.read()
        for line in self.lines[since:]:
            if all(line.get(key) == value for key, value in want.items()):
                return line
        return None

    def wait(self, since=0, **want):
        """The first line since then with these members."""
        try:
            return wait_for(lambda: self.find(since, **want), 20, want)
        except AssertionError as e:
            raise AssertionError("%s in %r" % (e, self.lines[since:])) from None

    # ------------------------------------------------------------------- state

    def in_sum(self, *args):
        """What was told is what there is now."""
        def rows(command, table, keys):
            want = tool_json(command, *args)
            for row in want:
                # What links and gids add to the records is not followed.
                for key in set(row) & ADDED:
                    row.pop(key)
            got = [table[key] for key in sorted(table, key=lambda k: [v or 0 for v in k])]
            return got, sorted(want, key=lambda r: [r[k] for k in keys])

        def both():
            self.read()
            return [rows("links", self.links, ("ifindex", "port")),
                    rows("gids", self.gids, ("ifindex", "port", "index"))]
        try:
            wait_for(lambda: all(got == want for got, want in both()), 20)
        except AssertionError:
            for got, want in both():
                same(got, want)

    # --------------------------------------------------------------------- end

    def end(self, sig=None):
        """Exit status, once it has ended; -n is by signal n."""
        if sig:
            self.p.send_signal(sig)
        status = self.p.wait(LIMIT_S)
        self.read()
        same((self.p.stderr.read(), self.rest), (b"", b""))
        return status

    @classmethod
    def end_all(cls):
        for watch in cls.all:
            watch.__exit__(None, None, None)
        cls.all.clear()


def resting(pid):
    """Is the process stopped?"""
    with open("/proc/%d/stat" % pid, encoding="ascii") as f:
        return f.read().rpartition(")")[2].split()[0] == "T"


def stopped(process):
    process.send_signal(signal.SIGSTOP)
    wait_for(lambda: resting(process.pid), LIMIT_S, "stopped")


def kernel_has(name):
    """Is there such a function in the running kernel?"""
    with open("/proc/kallsyms", encoding="ascii") as f:
        return any(line.split()[2] == name for line in f)

