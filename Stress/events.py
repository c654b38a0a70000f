"""Cases of events: single ones that grow, and streams that do not end."""

import gzip
import itertools
import os

from judge import Case
from measure import Command, repeated

CASES = []

RULES = """version: 1
classes: { ProductCell: UITableViewCell }
pages: { exclude: [LoginViewController] }
rules:
  - id: add
    include:
      event: $AppClick
      page: { kindOf: UIViewController, not: { suffix: Debug } }
      selector: UITableView/:UITableViewCell(section:0 row:*)/UIButton(1)
      where: { $element_content: { equals: x }, $app_version: { version: ">=5.2 <6" } }
  - id: glob
    include: { selector: "/A*a/B*b/C*c/D*d/E*e/F*f(0)" }
  - id: deep
    include: { selector: "UIWindow/**/V*/**/B(1)", where: { p: { matches: "a+b", not: { glob: "*a*b*a*" } } } }
  - id: numbers
    exclude: { where: { n: { ">": 10 }, /a/b/0: { in: [1, 2, x] }, q: { contains: ab, fold: true } } }
  - id: identity
    include: { identity: "path(UIWindow(0)_UIButton(0))&controller(A)" }
"""


def case(dimension, start, event, command="match", output=None, rules=RULES, statuses=(0, 1, 65), **options):
    """A case of one event that grows; `event` gives its pieces."""
    def generate(box, size):
        arguments = ["match", "--rules", box.file("r.yaml", rules)]
        if output:
            arguments += ["--output", output]
        return Command(arguments, stdin=box.file("e", event(size)))
    CASES.append(Case(command, dimension, start, generate, statuses=statuses, **options))


def properties(*body):
    return ['{"event":"$AppClick","properties":{', *body, "}}\n"]


def path(*body):
    return properties('"$screen_name":"A","$element_path":"', *body, '"')


#: Events by dimension: name, first size, pieces.
EVENTS = [
    ("length of a text", 1 << 14, lambda n: properties('"p":"', repeated("a", n), '"')),
    ("length of a text with fold", 1 << 14, lambda n: properties('"q":"', repeated("Ää", n), '"')),
    ("escapes in a text", 1 << 12, lambda n: properties('"p":"', repeated("\\u00e4", n), '"')),
    ("surrogate pairs in a text", 1 << 12, lambda n: properties('"p":"', repeated("\\ud83d\\ude00", n), '"')),
    ("escapes in a key", 1 << 12, lambda n: properties('"', repeated("\\u0061", n), '":1')),
    ("length of a key", 1 << 14, lambda n: properties('"', repeated("k", n), '":1')),
    ("keys", 1 << 12, lambda n: properties((f'"k{i}":{i},' for i in range(n)), '"z":1')),
    ("equal keys", 1 << 12, lambda n: properties(repeated('"p":"aab",', n), '"z":1')),
    ("properties members", 1 << 10, lambda n: ["{", repeated('"properties":{"p":"ab"},', n), '"event":"a"}\n']),
    ("depth of arrays", 32, lambda n: properties('"p":', repeated("[", n), repeated("]", n))),
    ("depth of objects", 32, lambda n: properties('"p":', repeated('{"a":', n), "1", repeated("}", n))),
    ("depth that does not end", 1 << 12, lambda n: properties('"p":', repeated("[", n))),
    ("length of an array", 1 << 13, lambda n: ['{"a":{"b":[', repeated("1,", n), '2]},"event":"a"}\n']),
    ("digits of a number", 1 << 12, lambda n: properties('"n":', repeated("9", n))),
    ("digits of a fraction", 1 << 12, lambda n: properties('"n":0.', repeated("0", n), "1")),
    ("digits of an exponent", 1 << 12, lambda n: properties('"n":1e', repeated("9", n))),
    ("value of an exponent", 16, lambda n: properties(f'"n":1e{n}')),
    ("white space", 1 << 14, lambda n: properties(repeated(" ", n), '"p":1', repeated("\t", n))),
    ("numbers of a version", 1 << 12, lambda n: properties('"$screen_name":"A","$element_content":"x","$app_version":"5', repeated(".1", n), '"')),
    ("components of a path", 1 << 9, lambda n: path("UIWindow(0)", repeated("_UIView(0)", n))),
    ("components of a path with slashes", 1 << 9, lambda n: path("UIWindow(0)", repeated("/UIView(0)", n))),
    ("separators of an ambiguous stretch", 16, lambda n: path(repeated("UIView_", n), "B(0)")),
    ("ambiguous stretches of 513 separators", 1, lambda n: path("_".join(["_".join(["UIView"] * 513) + "(0)"] * n))),
    ("ambiguous stretches of 2 separators", 16, lambda n: path("_".join(["A_B_C(0)"] * n))),
    ("ambiguous stretches of the rule's classes", 16, lambda n: path("_".join(["UIView_Aa_Bb_UIButton(0)"] * n))),
    ("components without locators that match wildcards", 16, lambda n: path(repeated("Aa_Bb_Cc_Dd_Ee_", n), "Ff(0)")),
    ("underscores of a path", 16, lambda n: path(repeated("_", n), "A(0)")),
    ("length of a class name of a path", 1 << 10, lambda n: path("UIWindow(0)_", repeated("V", n), "(0)")),
    ("distinct class names of a path", 1 << 9, lambda n: path("UIWindow(0)", (f"_V{i}(0)" for i in range(n)))),
    ("parentheses of a path", 1 << 10, lambda n: path("A", repeated("(", n))),
    ("pairs of parentheses of a path", 1 << 10, lambda n: path("A", repeated("(0)", n))),
    ("spaces in a locator of a path", 1 << 10, lambda n: path("A(section:0", repeated(" ", n), "row:1)")),
    ("digits of an index of a path", 16, lambda n: path("A(", repeated("1", n), ")")),
    ("quotes of a path", 1 << 10, lambda n: path("UIWindow(0)/'", repeated("''", n), "'")),
    ("escapes of a path", 1 << 10, lambda n: path(repeated("\\u0055IView(0)_", n), "A(0)")),
    ("length of a page", 1 << 13, lambda n: properties('"$element_path":"UIWindow(0)","$screen_name":"', repeated("P", n), '"')),
    ("length of an event name", 1 << 13, lambda n: ['{"event":"', repeated("e", n), '"}\n']),
    ("length of an event ID", 1 << 13, lambda n: ['{"event":"$AppClick","event_id":"', repeated("a", n), '"}\n']),
    ("length of actions", 1 << 13, lambda n: properties('"$element_path":"UINavigationBar(0)_UIButton","$element_actions":"', repeated("a:,", n), '"')),
    ("a list of actions", 1 << 12, lambda n: properties('"$element_path":"UINavigationBar(0)_UIButton","$element_actions":[', repeated('"a:",', n), '"b"]')),
    ("length of a position", 1 << 12, lambda n: properties('"$element_position":"0:', repeated("1", n), '"')),
    ("length of an alert's message", 1 << 13, lambda n: properties('"$element_path":"UIWindow(0)","$alert_message":"', repeated("m", n), '"')),
    ("bytes of a line that is no event", 1 << 14, lambda n: [repeated("x", n), "\n"]),
    ("bytes of a text that does not end", 1 << 14, lambda n: ['{"p":"', repeated("x", n), "\n"]),
    ("backslashes that do not end", 1 << 14, lambda n: ['{"p":"', repeated("\\", n), "\n"]),
    ("bytes that are not UTF-8", 1 << 14, lambda n: [b'{"p":"', repeated("é", n), b"\xff", b'"}\n']),
    ("lines that are no event", 1 << 12, lambda n: repeated("x\n", n)),
    ("empty lines", 1 << 14, lambda n: repeated("\n", n)),
    ("elements of an array of events", 1 << 12, lambda n: ["[", repeated('{"event":"a"},', n), '{"event":"a"}]']),
    ("elements of an array that does not end", 1 << 12, lambda n: ["[", repeated('{"event":"a"},', n)]),
    ("elements that are no events", 1 << 12, lambda n: ["[", repeated("1,", n), "1]"]),
    ("brackets", 1 << 12, lambda n: repeated("[", n)),
    ("lines of brackets", 1 << 12, lambda n: repeated("[\n", n)),
    ("lines of an event", 1 << 12, lambda n: ['{\n"event":"a"', (f',\n"k{i}":1' for i in range(n)), "}\n"]),
    ("beginnings of objects", 1 << 12, lambda n: repeated("{\n", n)),
    ("broken documents", 1 << 12, lambda n: repeated('[{"event":"a"},\n{"x":}\n]\n', n)),
    ("quotes", 1 << 12, lambda n: ["[", repeated('"', n)]),
]
for dimension, start, event in EVENTS:
    case(dimension, start, event)
for dimension in ["keys", "length of a text", "escapes in a text", "equal keys", "white space", "properties members"]:
    start, event = next((start, event) for name, start, event in EVENTS if name == dimension)
    case(dimension, start, lambda n, event=event: [event(n), event(n)], command="match --output events", output="events")
    case(dimension, start, lambda n, event=event: event(n), command="match --output selected", output="selected",
         rules="version: 1\ntrack: all\nrules: []\n")
case("members named $encircle", 1 << 10, lambda n: ["{", repeated('"$encircle":{"a":1},', n), '"event":"a"}\n'],
     command="match --output events", output="events")

for name in ["lines that are no event", "bytes of a line that is no event", "bytes of a text that does not end", "elements that are no events"]:
    start, event = next((start, event) for dimension, start, event in EVENTS if dimension == name)
    CASES.append(Case("match --rejects", name, start, lambda box, size, event=event: Command(
        ["match", "--rejects", "x", "--rules", box.file("r.yaml", RULES)], stdin=box.file("e", event(size)))))

# Paths of other styles.
STYLES = {
    "sensors": [("components", "UIView", "/UIView[0]"), ("undecided cells", "UIView", "/Cell[0][-]"), ("cells", "UIView", "/Cell[0][1]"),
                ("brackets", "A", "["), ("undecided kinds", "UIView", "/A[1][2]/B")],
    "sensors-exact": [("cells", "UIView", "/Cell[0][1]")],
    "hubbledata-android": [("components", "A:DecorView[0]", "/B[0]"), ("ids", "A:DecorView[0]", "/B[0]#id"), ("signs", "A:DecorView[0]", "/B#a#b[0]#id"),
                           ("colons", "A", ":B"), ("groups", "A:DecorView[0]", "/B[group:1,child:2]")],
    "lede": [("components", "A", "-B")],
    "growingio": [("components", "/A", "/B"), ("sections", "/A", "/Section/Cell")],
    "posthog": [("components", "A", ";B"), ("attributes", "A:", 'attr__class="B"'), ("quotes", 'A:text="', '\\"'), ("spaces", "A;", " ")],
}
for style, rows in STYLES.items():
    rules = f"version: 1\nstyle: {style}\nrules:\n  - id: a\n    include: {{ selector: \"UIView/**/B/**/Cell\" }}\n  - id: b\n    include: {{ selector: \"*/*/B*\" }}\n"
    for what, head, tail in rows:
        def event(n, style=style, head=head, tail=tail):
            if style == "lede":
                return properties('"viewPath":"', head, repeated(tail, n), " & 0", repeated("-0:1", n), '"')
            if style == "growingio":
                return properties('"xpath":"', head, repeated(tail, n), '","xcontent":"/0', repeated("/0" * tail.count("/"), n), '"')
            key = "$elements_chain" if style == "posthog" else "$element_path"
            return properties(f'"{key}":"', head.replace('"', '\\"'), repeated(tail.replace("\\", "\\\\").replace('"', '\\"'), n), '"')
        case(f"{what} of a path", 16, event, command=f"match, style {style}", rules=rules)


# Streams. Their contents are kept up to a limit in bytes, if at all.

def stream(dimension, start, line, arguments=(), command="match on a stream", rules=RULES):
    def generate(box, size):
        return Command(["match", "--rules", box.file("r.yaml", rules), *arguments], feed=(line(i) for i in range(size)))
    CASES.append(Case(command, dimension, start, generate, statuses=(0, 65), bound=400))


def one(key, length, quote='"'):
    def line(i):
        return f'{{"event":"$AppClick","properties":{{"$screen_name":"A","{key}":{quote}{str(i) + "x" * length}{quote}}}}}\n'
    return line


for length, what, start in [(0, "short", 1 << 14), (1 << 16, "64 KB", 128)]:
    for key in ["$element_content", "$app_version", "$app_id", "$element_type", "$title", "$os", "p"]:
        if length and key not in ("$element_content", "p"):
            continue
        stream(f"distinct {key}, {what}", start, one(key, length))
    stream(f"distinct pages, {what}", start, lambda i, n=length: (
        f'{{"event":"$AppClick","properties":{{"$element_path":"UIWindow(0)","$screen_name":"P{i}{"x" * n}"}}}}\n'))
    stream(f"distinct paths, {what}", start, lambda i, n=length: (
        f'{{"event":"$AppClick","properties":{{"$screen_name":"A","$element_path":"UIWindow(0)_{"UIView(0)_" * (n // 10)}V({i})"}}}}\n'))
    stream(f"distinct class names, {what}", start, lambda i, n=length: (
        f'{{"event":"$AppClick","properties":{{"$screen_name":"A","$element_path":"UIWindow(0)_{"x" * n}V{i}(0)"}}}}\n'))
    stream(f"distinct ambiguous class names, {what}", start, lambda i, n=length: (
        f'{{"event":"$AppClick","properties":{{"$screen_name":"A","$element_path":"UIWindow(0)_{"x" * n}V{i}_A_B(0)"}}}}\n'))
    stream(f"distinct keys, {what}", start, lambda i, n=length: f'{{"event":"a","properties":{{"k{i}{"x" * n}":1}}}}\n')
    stream(f"distinct event names, {what}", start, lambda i, n=length: f'{{"event":"e{i}{"x" * n}"}}\n')
    stream(f"lines that are no event, {what}", start, lambda i, n=length: f'x{i}{"x" * n}\n')
    stream(f"lines that are no event, {what}, --rejects", start, lambda i, n=length: f'x{i}{"x" * n}\n', ["--rejects", "/dev/null"])
stream("distinct event IDs", 1 << 14, lambda i: f'{{"event":"$AppClick","event_id":"{i:064x}"}}\n')
stream("distinct identities", 1 << 14, lambda i: (
    f'{{"event":"$AppClick","properties":{{"$screen_name":"P{i}","$element_path":"UINavigationBar(0)_B(0)","$element_actions":"a{i}:"}}}}\n'))
stream("distinct class names of 1 MB", 16, lambda i: (
    f'{{"event":"$AppClick","properties":{{"$screen_name":"A","$element_path":"UIWindow(0)_{"x" * 1000000}V{i}(0)"}}}}\n'))
stream("lines of 15 MB", 2, lambda i: f'{{"event":"{"x" * (15 << 20)}"}}\n')
stream("lines of 17 MB", 2, lambda i: f'{{"event":"{"x" * (17 << 20)}"}}\n')
stream("lines of 15 MB, one thread", 2, lambda i: f'{{"event":"{"x" * (15 << 20)}"}}\n', ["--threads", "1"])
stream("events", 1 << 15, lambda i: '{"event":"$AppClick","properties":{"$screen_name":"A","$element_path":"UIWindow(0)_UIButton(0)"}}\n')
for style, line in {
    "sensors": lambda i: f'{{"event":"a","properties":{{"$screen_name":"A","$element_path":"UIView/V{i}[0]/C[{i}][-]"}}}}\n',
    "hubbledata-android": lambda i: f'{{"event":"a","properties":{{"$element_path":"A:DecorView[0]/V{i}[0]#id{i}"}}}}\n',
    "lede": lambda i: f'{{"event":"a","properties":{{"viewPath":"A-V{i} & 0-{i}"}}}}\n',
    "growingio": lambda i: f'{{"event":"a","properties":{{"xpath":"/A/V{i}","xcontent":"/0/{i}"}}}}\n',
    "posthog": lambda i: f'{{"event":"a","properties":{{"$elements_chain":"V{i};UIWindow"}}}}\n',
}.items():
    stream(f"distinct paths of style {style}", 1 << 14, line,
           rules=f"version: 1\nstyle: {style}\nrules:\n  - id: a\n    include: {{ selector: \"UIView/**/B\" }}\n")


def array(box, size):
    lines = itertools.chain(["["], ('{"event":"a"},' for _ in range(size)), ['{"event":"a"}]'])
    return Command(["match", "--rules", box.file("r.yaml", RULES)], feed=lines)


CASES.append(Case("match on a stream", "an array without an end", 1 << 14, array, bound=400))
CASES.append(Case("match on a stream", "one line without an end", 1 << 12, lambda box, size: Command(
    ["match", "--rules", box.file("r.yaml", RULES)], feed=repeated("x" * 1024, size)), statuses=(0, 65), bound=400))
CASES.append(Case("match on a stream", "one text without an end", 1 << 12, lambda box, size: Command(
    ["match", "--rules", box.file("r.yaml", RULES)], feed=itertools.chain(['{"event":"'], repeated("x" * 1024, size))), statuses=(0, 65), bound=400))
CASES.append(Case("match on a stream", "spaces without an end", 1 << 12, lambda box, size: Command(
    ["match", "--rules", box.file("r.yaml", RULES)], feed=repeated(" " * 1024, size)), statuses=(0, 65), bound=400))


def zipped(box, size):
    name = os.path.join(box.folder, "e.gz")
    with gzip.open(name, "wb", 6) as file:
        file.write(b'{"event":"')
        for piece in repeated("x" * 1024, size):
            file.write(piece.encode())
        file.write(b'"}\n')
    box.bytes = size << 10
    return Command(["match", "--rules", box.file("r.yaml", RULES), "e.gz"])


CASES.append(Case("match on a stream", "a gzip file of one line", 1 << 10, zipped, statuses=(0, 65), bound=400))


# A single event.
def explaining(event):
    return lambda box, size: Command(["explain", "--rules", box.file("r.yaml", RULES), "--event", box.file("e", event(size))])


for name in ["length of a text", "keys", "components of a path", "ambiguous stretches of 513 separators", "length of a page", "depth of arrays",
             "ambiguous stretches of 2 separators", "components without locators that match wildcards", "separators of an ambiguous stretch",
             "digits of a number", "white space", "length of a class name of a path"]:
    start, event = next((start, event) for dimension, start, event in EVENTS if dimension == name)
    CASES.append(Case("explain", name, start, explaining(event), statuses=(0, 1)))
