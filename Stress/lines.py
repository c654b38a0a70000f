"""Cases of commands that take lines of text, and of dictionaries."""

import os
import sqlite3

from captures import view_tree, window
from events import RULES
from judge import Case
from measure import Command, repeated

CASES = []


def case(command, dimension, start, generate, **options):
    CASES.append(Case(command, dimension, start, generate, **options))


def lined(arguments, pieces):
    return lambda box, size: Command(arguments, stdin=box.file("l", pieces(size)))


case("id -", "bytes of a line", 1 << 16, lined(["id", "-"], lambda n: [repeated("x", n), "\n"]), statuses=(0, 65))
case("id -", "bytes of a line without an end", 1 << 16, lined(["id", "-"], lambda n: repeated("x", n)), statuses=(0, 65))
case("id -", "lines", 1 << 13, lined(["id", "-"], lambda n: (f"path(UIWindow({i}))\n" for i in range(n))))
case("id -", "empty lines", 1 << 13, lined(["id", "-"], lambda n: repeated("\n", n)), statuses=(0, 65))
case("id -", "lines that are no identity", 1 << 13, lined(["id", "-"], lambda n: repeated("x\n", n)), statuses=(0, 65))
case("id -", "bytes of a path", 1 << 13, lined(["id", "-"], lambda n: ["path(", repeated("A(0)_", n), "B(0))\n"]), statuses=(0, 65))
case("id", "bytes of an argument", 1 << 10, lambda box, size: Command(["id", f"path({'A' * size}(0))"]), most=1 << 16)

case("path", "ambiguous separators", 4, lambda box, size: Command(["path", "_".join(["A"] * size) + "(0)"]), most=1 << 14, statuses=(0, 1, 65))
case("path", "ambiguous stretches", 4, lambda box, size: Command(["path", "_".join(["A_B(0)"] * size)]), most=1 << 13, statuses=(0, 1, 65))
case("path", "ambiguous stretches with classes", 4, lambda box, size: Command(
    ["path", "--class", "A_B", "--class", "A", "--class", "B", "_".join(["A_B(0)"] * size)]), most=1 << 13, statuses=(0, 1, 65))
case("path", "components", 64, lambda box, size: Command(["path", "_".join(["A(0)"] * size)]), most=1 << 14)
case("path", "classes", 16, lambda box, size: Command(
    ["path", *[argument for i in range(size) for argument in ("--class", f"A_{i}")], "A_1_A_2(0)"]), most=1 << 13, statuses=(0, 1, 65))
case("path", "argument that is no path", 64, lambda box, size: Command(["path", "A(" * size]), most=1 << 15, statuses=(0, 1, 65))


def indexed(box, size=100):
    box.file("a.xml", view_tree(window((f'<view class="V{i}" controller="C{i}"/>' for i in range(size)))))
    return ["index", "a.xml", "-o", "d"]


STYLED = {"hubbledata": "UIWindow(0){}", "sensors": "UIView{}", "lede": "A{} & 0", "growingio": "/A{} & /0", "posthog": "A{}",
          "hubbledata-android": "A:D[0]{}"}
TAILS = {"hubbledata": "_A_B(0)", "sensors": "/A[0][1]", "lede": "-B", "growingio": "/B", "posthog": ";B", "hubbledata-android": "/B[0]#i"}
for style, form in STYLED.items():
    to = "sensors" if style != "sensors" else "sensors-exact"
    case(f"convert --from {style}", "lines", 1 << 10, lambda box, size, style=style, form=form, to=to: Command(
        ["convert", "--from", style, "--to", to, "--dictionary", "d", "-"], setup=[indexed(box)],
        stdin=box.file("l", repeated(form.format("") + "\n", size))), statuses=(0, 1, 65))
    case(f"convert --from {style}", "components of a path", 64, lambda box, size, style=style, form=form, to=to: Command(
        ["convert", "--from", style, "--to", to, "--dictionary", "d", "-"], setup=[indexed(box)],
        stdin=box.file("l", form.split("{}")[0], repeated(TAILS[style], size), form.split("{}")[1],
                       repeated("-0" if style == "lede" else "/0", size) if style in ("lede", "growingio") else "", "\n")), statuses=(0, 1, 65))
case("convert", "bytes of a line", 1 << 16, lambda box, size: Command(
    ["convert", "--from", "sensors", "--to", "growingio", "--dictionary", "d", "-"], setup=[indexed(box)],
    stdin=box.file("l", repeated("x", size), "\n")), statuses=(0, 1, 65))

for dimension, start, pieces in [
    ("lines", 1 << 12, lambda n: (f"{i:064x}\n" for i in range(n))),
    ("short lines", 1 << 12, lambda n: (f"{i:08x}\n" for i in range(n))),
    ("lines that are no ID", 1 << 12, lambda n: repeated("x\n", n)),
    ("bytes of a line", 1 << 16, lambda n: [repeated("a", n), "\n"]),
    ("bytes of a line without an end", 1 << 16, lambda n: repeated("x", n)),
    ("empty lines", 1 << 12, lambda n: repeated("\n", n)),
]:
    case("lookup", dimension, start, lambda box, size, pieces=pieces: Command(
        ["lookup", "--dictionary", "d"], setup=[indexed(box)], stdin=box.file("l", pieces(size))), statuses=(0, 1, 65))


# Dictionaries from other sources.

def altered(box, size, change):
    """Indexes a capture, and then changes the file."""
    def alter():
        connection = sqlite3.connect(os.path.join(box.folder, "d"))
        change(connection)
        connection.commit()
        connection.execute("VACUUM")
        connection.close()
    import subprocess
    import sys

    tool = TOOL[0]
    done = subprocess.run([tool, *indexed(box, size)], cwd=box.folder, capture_output=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"index: {done.stderr[:200]}")
    alter()
    box.bytes = os.path.getsize(os.path.join(box.folder, "d"))


TOOL = [None]


def equal_prefixes(connection):
    connection.execute("UPDATE element SET event_id = CAST(x'0102030405060708' || randomblob(24) AS BLOB)")
    count = connection.execute("SELECT count(*) FROM element").fetchone()[0]
    connection.executemany("UPDATE element SET event_id = ? WHERE id = ?", (
        (b"\1\2\3\4\5\6\7\x08" + i.to_bytes(24, "big"), i) for i in range(1, count + 1)))


def matched(box, size):
    altered(box, size, equal_prefixes)
    stdin = box.file("e", '{"event":"$AppClick","event_id":"' + "01" * 32 + '"}\n')
    return Command(["match", "--rules", box.file("r.yaml", RULES), "--dictionary", "d"], stdin=stdin)


def looked_up(box, size):
    altered(box, size, equal_prefixes)
    return Command(["lookup", "--dictionary", "d"], stdin=box.file("l", repeated("0102030405060708\n", 1000)))


def one_id(connection):
    connection.execute("UPDATE element SET event_id = ?", (b"\1" * 32,))


def changed(change, arguments, stdin=None):
    def generate(box, size):
        altered(box, size, change)
        box.file("r.yaml", RULES)
        return Command(arguments, stdin=box.file("l", stdin) if stdin else None)
    return generate


def chained(connection):
    count = connection.execute("SELECT count(*) FROM element").fetchone()[0]
    connection.executemany("UPDATE element SET above = ? WHERE id = ?", ((i - 1, i) for i in range(2, count + 1)))


def superclasses(connection):
    names = [row[0] for row in connection.execute("SELECT id FROM name WHERE text LIKE 'V%' ORDER BY id")]
    connection.executemany("INSERT OR REPLACE INTO class VALUES (?, ?)", zip(names, names[1:]))


case("match --dictionary", "event IDs with equal first bytes", 1 << 10, matched, most=1 << 15)
case("lookup", "event IDs with equal first bytes", 1 << 10, looked_up, statuses=(0, 1, 65), most=1 << 15)
for name, change in [("elements with one event ID", one_id), ("a chain of elements", chained), ("a chain of superclasses", superclasses)]:
    case("match --dictionary", name, 1 << 10, changed(
        change, ["match", "--rules", "r.yaml", "--dictionary", "d"], '{"event":"$AppClick","event_id":"' + "01" * 32 + '"}\n'), statuses=(0, 65), most=1 << 15)
    case("match --dictionary, style sensors", name, 1 << 8, lambda box, size, change=change: (
        altered(box, size, change), Command(
            ["match", "--rules", box.file("r.yaml", "version: 1\nstyle: sensors\nrules:\n  - id: a\n    include: { selector: A }\n"), "--dictionary", "d"],
            stdin=box.file("l", '{"event":"$AppClick"}\n')))[1], statuses=(0, 65), most=1 << 15)
    case("check --dictionary", name, 1 << 10, changed(change, ["check", "r.yaml", "--dictionary", "d"]), statuses=(0, 1, 65), most=1 << 15)
    case("stats", name, 1 << 10, changed(change, ["stats", "--dictionary", "d"]), statuses=(0, 1, 65), most=1 << 15)
    case("lookup", name, 1 << 10, changed(change, ["lookup", "--dictionary", "d", "01" * 32]), statuses=(0, 1, 65), most=1 << 15)


def versions(box, size):
    for i in range(size):
        box.file(f"c/{i}.xml", f'<viewTree version="1" app="a" appVersion="1.{i}"><view class="UIWindow"><view class="V{i}" controller="C"/></view></viewTree>')
    return Command(["stats", "--dictionary", "d"], setup=[["index", "c", "-o", "d"]])


case("stats", "versions of an app", 32, versions, most=1 << 12)
