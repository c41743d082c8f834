# SPDX-License-Identifier: GPL-2.0
"""What is left under lockdown integrity, and under confidentiality."""
import errno
import stat

from rscope import *  # pylint: disable=wildcard-import,unused-wildcard-import

LOCKDOWN = "/sys/kernel/security/lockdown"
PORT = Port("rxe0")
HAVE_TOOL = os.access(TOOL, os.X_OK)
BEFORE = {}


def open_errno(path, flags=os.O_RDONLY):
    try:
        os.close(os.open(path, flags))
        return 0
    except OSError as e:
        return e.errno


def files():
    return [os.path.join(d, f) for d, _, names in os.walk(ROOT) for f in names]


@test("before lockdown: a run passes")
def before():
    PORT.good()
    BEFORE["links"] = read_file(ROOT + "/links")
    BEFORE["result"] = read_file(PORT.path("result"))
    BEFORE["fd"] = PORT.open()


@test("integrity: files of mode 0444 are read as before")
def integrity():
    with open(LOCKDOWN, "w", encoding="ascii") as f:
        f.write("integrity\n")
    assert "[integrity]" in read_file(LOCKDOWN)
    for path in files():
        if stat.S_IMODE(os.stat(path).st_mode) == 0o444:
            Text(read_file(path))
    same(read_file(ROOT + "/links"), BEFORE["links"])
    same(read_file(PORT.path("result")), BEFORE["result"])


@test("integrity: run and cancel are EPERM")
def refused():
    same(errno_name(open_errno(PORT.path("run"), os.O_RDWR)), "EPERM")
    same(errno_name(open_errno(PORT.path("run"), os.O_RDONLY)), "EPERM")
    same(errno_name(open_errno(PORT.path("cancel"), os.O_WRONLY)), "EPERM")
    same(errno_name(open_errno(PORT.path("result"), os.O_RDWR)), "EPERM")


@test("integrity: a descriptor of before still works and can be closed")
def old_descriptor():
    assert write_fd(BEFORE["fd"], b"iters=5\n") in (0, errno.EPERM)
    os.close(BEFORE["fd"])


@test("integrity: the tool maps, refuses the kernel path with status 5 and says lockdown")
def tool_integrity():
    if not HAVE_TOOL:
        raise Skip("the tool is not built")
    same([r["ifname"] for r in tool_json("links")], ["rxe0"])
    status, _, err = tool("run", "rxe0", "--path", "kernel", "--iters", 10)
    same(status, 5, err)
    assert "lockdown" in err, err
    answer = tool_json("run", "rxe0", "--path", "kernel", "--iters", 10, status=5)
    assert "lockdown" in answer["error"]["cause"], answer
    same(tool_json("run", "rxe0", "--path", "user", "--iters", 10)["verdict"], "pass")
    same(tool("stop", "rxe0")[0], 5)


@test("integrity: check verifies the user path, says lockdown, status 5; 0 with --no-run")
def check_integrity():
    if not HAVE_TOOL:
        raise Skip("the tool is not built")
    row = tool_json("check", "rxe0", status=5)[0]
    same((row["verdict"], [found["name"] for found in row["findings"]]), ("WARN", ["lockdown"]))
    same((row["kernel"]["outcome"], row["user"]["outcome"]), ("not-tried", "pass"))
    tool_json("check", "rxe0", "--no-run")


@test("confidentiality: debugfs is closed, the tool maps from elsewhere and says so")
def confidentiality():
    with open(LOCKDOWN, "w", encoding="ascii") as f:
        f.write("confidentiality\n")
    same(errno_name(open_errno(PORT.path("run"), os.O_RDWR)), "EPERM")
    diag("links: %s" % errno_name(open_errno(ROOT + "/links")))
    if not HAVE_TOOL:
        raise Skip("the tool is not built")
    same([r["ifname"] for r in tool_json("links")], ["rxe0"])
    assert tool_json("gids")
    same(tool_json("run", "rxe0", "--path", "user", "--iters", 10)["verdict"], "pass")


main()
