"""Cases of what helps authors: suggestions and elements from events, differences of rule sets, values, corrections."""

from captures import SHAPES, bodies, nested, siblings, view_tree, window
from events import STYLES as PATHS
from judge import Case
from measure import Command, repeated
from rules import listed, many
from workbooks import row, sheet, workbook

CASES = []


def case(command, dimension, start, generate, **options):
    CASES.append(Case(command, dimension, start, generate, **options))


def event(*path, more=()):
    return ['{"event":"$AppClick","properties":{"$screen_name":"A",', *more, '"$element_path":"', *path, '"}}\n']


#: Events with one thing that grows: name, first size, pieces.
EVENTS = [
    ("underscores of a path", 1 << 8, lambda n: event(repeated("_", n))),
    ("names between underscores", 1 << 8, lambda n: event(repeated("a_", n), "b")),
    ("names between underscores before a locator", 1 << 8, lambda n: event(repeated("A_", n), "B(0)")),
    ("ambiguous stretches", 1 << 6, lambda n: event("_".join(["A_B(0)"] * n))),
    ("known names in ambiguous stretches", 1 << 6, lambda n: event("_".join(["UIView_UIButton(0)"] * n))),
    ("components", 1 << 8, lambda n: event(repeated("A(0)_", n), "B(0)")),
    ("components with slashes", 1 << 8, lambda n: event(repeated("A(0)/", n), "B(0)")),
    ("cells", 1 << 6, lambda n: event(repeated("Shop.Cell(section:0 row:1)_", n), "Shop.B(0)")),
    ("bars", 1 << 8, lambda n: event(repeated("UINavigationBar(0)_", n), "UIButton(0)", more=['"$element_content":"Save",'])),
    ("length of a class", 1 << 10, lambda n: event("UIWindow(0)_", repeated("A", n), "(0)")),
    ("stars in a class", 1 << 10, lambda n: event("UIWindow(0)_", repeated("*a", n), "(0)")),
    ("parentheses", 1 << 10, lambda n: event("A", repeated("(", n))),
    ("parentheses with letters", 1 << 10, lambda n: event("A", repeated("(row", n))),
    ("quotes", 1 << 10, lambda n: event("UIWindow(0)/'", repeated("''", n), "'")),
    ("added observations", 1 << 8, lambda n: event(repeated("NSKVONotifying_A(0)_", n), "B(0)")),
    ("properties", 1 << 10, lambda n: event("UIWindow(0)_B(0)", more=(f'"p{i}":1,' for i in range(n)))),
    ("length of a content", 1 << 12, lambda n: event("UINavigationBar(0)_B", more=['"$element_content":"', repeated("é", n), '",'])),
    ("length of an alert's title", 1 << 12, lambda n: event(
        "UIWindow(0)__UIAlertControllerActionView(0)", more=['"$element_content":"x","$alert_title":"', repeated("t", n), '",'])),
    ("length of a page", 1 << 12, lambda n: ['{"event":"e","properties":{"$element_path":"A(0)_B(0)","$screen_name":"', repeated("P", n), '"}}\n']),
    ("length of a name", 1 << 12, lambda n: ['{"event":"', repeated("e", n), '","properties":{"$element_path":"A(0)_B(0)"}}\n']),
    ("depth of a value", 1 << 6, lambda n: event("A(0)", more=['"p":', repeated("[", n), repeated("]", n), ","])),
    ("brackets that do not end", 1 << 10, lambda n: repeated("[", n)),
]
#: What a command reads of it.
for dimension, start, body in EVENTS:
    case("suggest --event", dimension, start, lambda box, size, body=body: Command(
        ["suggest", "--event", box.file("e", body(size))]), statuses=(0, 1, 65), most=1 << 22)
    case("select --event", dimension, start, lambda box, size, body=body: Command(
        ["select", "--count", "--event", box.file("e", body(size)),
         box.file("a.xml", view_tree(nested(60, lambda level: 'class="A"', siblings(2000, lambda i: 'class="B"'))))]),
        statuses=(0, 1, 65), most=1 << 22)
for style, rows in PATHS.items():
    for what, head, tail in rows:
        def styled(box, size, style=style, head=head, tail=tail):
            own, more = "$element_path", ""
            if style == "lede":
                own, more = "viewPath", [" & 0", repeated("-0:1", size)]
            elif style == "growingio":
                own, more = "xpath", ['","xcontent":"/0', repeated("/0" * tail.count("/"), size)]
            elif style == "posthog":
                own = "$elements_chain"
            text = tail.replace("\\", "\\\\").replace('"', '\\"')
            return Command(["suggest", "--event", box.file("e", [
                f'{{"event":"e","properties":{{"{own}":"', head.replace('"', '\\"'), repeated(text, size), more, '"}}\n'])])
        case(f"suggest --event, style {style}", f"{what} of a path", 16, styled, statuses=(0, 1, 65))
case("suggest --event", "lines before the event", 1 << 12, lambda box, size: Command(
    ["suggest", "--event", box.file("e", repeated('{"event":"e"}\n', size)) + f":{size}"]), statuses=(0, 1, 65))
case("suggest --event", "lines that are no event", 1 << 12, lambda box, size: Command(
    ["suggest", "--event", box.file("e", repeated("x\n", size)) + f":{size + 1}"]), statuses=(0, 1, 65))

for dimension in SHAPES:
    start, body = bodies[dimension]
    for what, path in (("window", "UIWindow(0)"), ("cell", "UIWindow(0)_UITableView(0)_UITableViewCell(section:0 row:99999)")):
        case(f"select --event, a {what}", dimension, start, lambda box, size, body=body, path=path: Command(
            ["select", "--count", "--event", box.file("e", '{"event":"e","properties":{"$element_path":"', path, '"}}\n'),
             box.file("a.xml", view_tree(body(size)))]))


def alert(box, size):
    """An event whose path fits all of an alert's elements apart from numbers, so that only the alert's texts distinguish them."""
    box.file("e", event("UIWindow(0)_V(0)_A(section:0 row:99999999)", more=['"$alert_title":"t","$alert_message":"m",']))
    return Command(["select", "--count", "--event", "e", box.file("a.xml", view_tree(window(
        '<view class="V" controller="UIAlertController" title="t" message="m">',
        siblings(size, lambda i: f'class="A" superclasses="UITableViewCell" indexPath="0 {i}"'), "</view>")))])


case("select --event", "elements of an alert", 1 << 10, alert)


# Differences of rule sets.

def differing(old, new, events, *arguments):
    def generate(box, size):
        command = ["diff", box.file("old.yaml", old(size)), box.file("new.yaml", new(size)), *arguments]
        return Command([*command, "--events", box.file("e", events(size))])
    return generate


def clicks(n):
    return (f'{{"event":"e{i}","properties":{{"$element_path":"A(0)_B({i})","$screen_name":"P{i}"}}}}\n' for i in range(n))


NONE = "version: 1\nrules: []\n"
DIFFERENCES = [
    ("rules", 256, lambda n: many(n, lambda i: f"  - {{ id: a{i}, include: {{ event: e{i} }} }}"),
     lambda n: many(n, lambda i: f"  - {{ id: b{i}, include: {{ event: e{i} }} }}"), lambda n: clicks(n)),
    ("rules that are new", 256, lambda n: NONE, lambda n: many(n, lambda i: f"  - {{ id: b{i}, include: {{ event: e{i} }} }}"), clicks),
    ("rules under other names", 256, lambda n: many(n, lambda i: f"  - {{ id: a{i}, emit: x, include: {{ event: e{i} }} }}"),
     lambda n: many(n, lambda i: f"  - {{ id: a{i}, emit: y{i}, include: {{ event: e{i} }} }}"), clicks),
    ("rules that all match", 64, lambda n: NONE, lambda n: many(n, lambda i: f"  - {{ id: b{i}, include: {{ selector: B }} }}"),
     lambda n: repeated('{"event":"e","properties":{"$element_path":"A(0)_B(0)"}}\n', 64)),
    ("rules that all match by turns", 64, lambda n: NONE, lambda n: many(64, lambda i: f"  - {{ id: b{i}, include: {{ where: {{ p: {{ contains: '-{i}-' }} }} }} }}"),
     lambda n: (f'{{"event":"e","properties":{{"p":"{"".join(f"-{k}-" for k in range(64) if i >> (k % 16) & 1)}"}}}}\n' for i in range(n))),
    ("events", 1 << 10, lambda n: NONE, lambda n: listed("  - { id: a, include: { selector: B } }\n"), clicks),
    ("lines that are no event", 1 << 10, lambda n: NONE, lambda n: listed("  - { id: a, include: { selector: B } }\n"), lambda n: repeated("x\n", n)),
    ("length of a path", 1 << 10, lambda n: NONE, lambda n: listed("  - { id: a, include: { event: e } }\n"),
     lambda n: ['{"event":"e","properties":{"$element_path":"', repeated("é", n), '"}}\n']),
    ("length of an event's name", 1 << 10, lambda n: NONE, lambda n: listed("  - { id: a, include: { where: { p: 1 } } }\n"),
     lambda n: ['{"properties":{"p":1},"event":"', repeated("e", n), '"}\n']),
    ("separators of a path", 1 << 8, lambda n: NONE, lambda n: listed("  - { id: a, include: { selector: B } }\n"),
     lambda n: ['{"event":"e","properties":{"$element_path":"', repeated("A_", n), 'B(0)"}}\n']),
    ("brackets", 1 << 10, lambda n: NONE, lambda n: NONE, lambda n: repeated("[", n)),
]
for dimension, start, old, new, events in DIFFERENCES:
    for arguments in ([], ["--format", "json", "--examples", "100"], ["--format", "markdown"]):
        name = "diff " + " ".join(arguments[:2]) if arguments else "diff"
        case(name, dimension, start, differing(old, new, events, *arguments), statuses=(0, 1, 65))
for dimension in SHAPES:
    start, body = bodies[dimension]

    def compared(box, size, body=body):
        return Command(["diff", box.file("old.yaml", NONE), box.file("new.yaml", listed(
            '  - { id: a, include: { selector: "**/:UIControl" } }\n', '  - { id: b, include: { selector: "V*" } }\n',
            '  - { id: c, include: { selector: ":UITableViewCell" } }\n')), "--captures", box.file("a.xml", view_tree(body(size)))])

    case("diff --captures", dimension, start, compared)


def windows(box, size):
    """Two captures with very many windows, and a few scenes that have changed."""
    def capture(name, title):
        scenes = (f'<view class="Scene{i}"><view class="UIButton" title="{title} {i}"/></view>' for i in range(40))
        return box.file(name, view_tree(window(scenes), repeated('<view class="UIWindow"/>\n', size)))
    return Command(["diff", capture("a.xml", "Pay"), capture("b.xml", "Buy")])


case("diff of captures", "windows", 1 << 13, windows)


def moved(box, size):
    """A release that puts every button into another bar, and a rule for each of them."""
    def capture(name, bar):
        buttons = (f'<view class="UIButton" title="b{i}" actions="do{i}"/>' for i in range(size))
        return box.file(name, view_tree(window([f'<view class="{bar}">', buttons, "</view>"])))
    rules = (f'  - {{ id: r{i}, include: {{ selector: "OldBar/UIButton({i})" }} }}\n' for i in range(size))
    return Command(["diff", "--rules", box.file("r.yaml", listed(rules)), capture("a.xml", "OldBar"), capture("b.xml", "NewBar")])


case("diff --rules", "rules that a release breaks", 1 << 5, moved, statuses=(0, 1))


def released(box, size):
    """Events of two versions: a rule selects all elements of the first, and the second has as many others on the same page."""
    def events(version, bar):
        return (f'{{"event":"e","distinct_id":"u{i}","properties":{{"$app_version":"{version}","$screen_name":"P",'
                f'"$element_path":"{bar}(0)_B({i})","$element_content":"{version} {i}","$element_type":"t"}}}}\n' for i in range(size))
    return Command(["drift", "--rules", box.file("r.yaml", listed('  - { id: a, include: { selector: "Old(0)/B" } }\n')),
                    "--events", box.file("e", events("1.0", "Old"), events("1.1", "New"))])


def releases(box, size):
    """A capture of each version, each of another page, among which lost elements are looked for."""
    for i in range(size):
        labels = (f'<view class="UILabel" text="{i} {j}"/>' for j in range(40))
        box.file(f"c/{i}.xml", f'<viewTree version="1" app="a" appVersion="1.{i}"><view class="UIWindow">'
                               f'<view class="UIView" controller="C{i}">', labels, "</view></view></viewTree>")
    return Command(["match", "--rules", box.file("r.yaml", listed("  - { id: a, include: { selector: B } }\n")),
                    "--captures", "c", "--tolerance", "0.8"], stdin=box.file("e", '{"event":"e"}\n'))


case("match --tolerance", "versions of an app", 32, releases, most=1 << 11)


case("drift --events", "elements of a rule that falls to zero", 1 << 8, released, statuses=(0, 1, 65))


# Coverage: every element of events and captures is kept.
ANYTHING = listed("  - { id: a, include: { selector: '*' } }\n")


def covering(events, aside=lambda n: "version: 1\n", rules=lambda n: listed("  - { id: a, include: { selector: B } }\n")):
    def generate(box, size):
        box.file("r.coverage.yaml", aside(size))
        return Command(["coverage", "--rules", box.file("r.yaml", rules(size)), "--events", box.file("e", events(size))])
    return generate


for dimension, start, pieces in EVENTS:
    case("coverage", dimension, start, covering(pieces))
for dimension, start, generate in [
    ("elements on a stream", 1 << 10, covering(clicks)),
    ("people on a stream", 1 << 10, covering(lambda n: (
        f'{{"event":"e","distinct_id":"u{i}","properties":{{"$element_path":"A(0)_C(0)","$app_version":"{i}.0"}}}}\n' for i in range(n)))),
    ("elements that are set aside", 1 << 8, covering(lambda n: clicks(64), lambda n: "version: 1\nsetAside:\n" + "".join(
        f"  - {{ page: P{i}, selector: B, reason: x }}\n" for i in range(n)))),
]:
    case("coverage", dimension, start, generate, statuses=(0, 1, 65))
for dimension in SHAPES:
    start, body = bodies[dimension]
    case("coverage --captures", dimension, start, lambda box, size, body=body: Command(
        ["coverage", "--rules", box.file("r.yaml", NONE), "--captures", box.file("a.xml", view_tree(body(size)))]))
    case("board", dimension, start, lambda box, size, body=body: Command(
        ["board", "--rules", box.file("r.yaml", ANYTHING), "--captures", box.file("a.xml", view_tree(body(size)))]))
    case("suggest --all", dimension, start, lambda box, size, body=body: Command(
        ["suggest", "--all", box.file("a.xml", view_tree(body(size))), "--rules-yaml"]), statuses=(0, 1, 65))
for dimension, start, pieces in EVENTS:
    case("board --events", dimension, start, lambda box, size, pieces=pieces: Command(
        ["board", "--rules", box.file("r.yaml", ANYTHING), "--captures", box.file("a.xml", view_tree(["<view class=\"B\"/>"])),
         "--events", box.file("e", pieces(size))]), statuses=(0, 65))


# Exports: every rule is a row, every name a file.

def exported(tool, rule, style):
    def generate(box, size):
        body = [f"version: 1\nstyle: {style}\napp: a.b\nrules:\n", *(rule(i) for i in range(size))]
        return Command(["export", tool, "--rules", box.file("r.yaml", body), "--allow", "wider", "--format", "json"])
    return generate


for dimension, start, tool, style, rule in [
    ("rules", 1 << 8, "posthog", "posthog", lambda i: f"  - {{ id: r{i}, include: {{ event: $autocapture, page: P, selector: A/B{i} }} }}\n"),
    ("rules with one name", 1 << 6, "posthog", "posthog", lambda i: f"  - {{ id: r{i}, emit: e, include: {{ event: e{i} }} }}\n"),
    ("rules that exclude", 1 << 8, "posthog", "posthog", lambda i: (
        f"  - {{ id: r{i}, include: {{ event: e{i} }} }}\n  - {{ id: x{i}, exclude: {{ event: e{i} }} }}\n")),
    ("names that differ by signs", 1 << 8, "posthog", "posthog", lambda i: f"  - {{ id: r{i}, emit: 'e{'/' * (i % 8)}{i // 8 * '|'}', include: {{ event: e{i} }} }}\n"),
    ("rules", 1 << 8, "sensors", "sensors", lambda i: f"  - {{ id: r{i}, include: {{ event: $AppClick, page: P{i}, selector: /UIView/UIButton({i}) }} }}\n"),
]:
    case(f"export {tool}", dimension, start, exported(tool, rule, style), statuses=(0, 1))
for dimension, start, clause in [
    ("names of an event", 1 << 8, lambda n: f"{{ event: [{', '.join(f'e{i}' for i in range(n))}] }}"),
    ("tests of a clause", 1 << 8, lambda n: f"{{ event: e, where: {{ {', '.join(f'p{i}: x' for i in range(n))} }} }}"),
    ("values of a test", 1 << 8, lambda n: f"{{ event: e, where: {{ p: [{', '.join(f'x{i}, {i}' for i in range(n))}] }} }}"),
    ("clauses of a rule", 1 << 8, lambda n: f"[{', '.join(f'{{ event: e{i} }}' for i in range(n))}]"),
    ("equal clauses of a rule", 1 << 8, lambda n: f"[{', '.join('{ event: e, where: { p: 1 } }' for i in range(n))}]"),
    ("selectors of a clause", 1 << 8, lambda n: f"{{ event: $autocapture, selector: [{', '.join(f'A/B{i}' for i in range(n))}] }}"),
]:
    case("export posthog", dimension, start, lambda box, size, clause=clause: Command(
        ["export", "posthog", "--rules", box.file("r.yaml", f"version: 1\nstyle: posthog\nrules:\n  - {{ id: a, include: {clause(size)} }}\n"),
         "--allow", "wider", "--format", "json"]), statuses=(0, 1, 65))


# Plans: seen events are kept by name, platform and version; tables are compared cell by cell.

ONE_RULE = listed("  - { id: a, include: { selector: B } }\n")


def planned(plan, events=lambda n: (), *arguments):
    def generate(box, size):
        box.file("r.plan.yaml", ("version: 1\nevents:\n", *plan(size)))
        return Command(["plan", "status", "--rules", box.file("r.yaml", ONE_RULE), "--events", box.file("e", events(size)), *arguments])
    return generate


def imported(table, plan=lambda n: (), *arguments):
    def generate(box, size):
        box.file("r.plan.yaml", ("version: 1\nevents:\n", *plan(size)))
        return Command(["plan", "import", "--rules", box.file("r.yaml", ONE_RULE), box.file("t.csv", table(size)), *arguments])
    return generate


def sent(n, **properties):
    text = "".join(f',"{key}":{value}' for key, value in properties.items())
    return (f'{{"event":"e{i}","time":{i},"distinct_id":"u{i}","properties":{{"$lib":"iOS","$app_version":"1.{i}"{text}}}}}\n' for i in range(n))


HEADERS = "Object Type,Event Name,Event Display Name,Property Name,Property Value Type,Enum Values,Note\n"
for dimension, start, pieces in EVENTS:
    case("plan status", dimension, start, planned(lambda n: ["  - { event: e }\n"], pieces), statuses=(0, 1, 65))
for dimension, start, generate in [
    ("planned events", 1 << 9, planned(lambda n: (f"  - {{ event: e{i}, platforms: [ios, web], since: 1.{i} }}\n" for i in range(n)), lambda n: sent(64))),
    ("names, versions and people on a stream", 1 << 9, planned(lambda n: ["  - { event: e }\n"], sent)),
    ("versions that an event is missing in", 1 << 7, planned(
        lambda n: (f"  - {{ event: p{i} }}\n" for i in range(n)), sent, "--missing-people", "1", "--missing-after-days", "0", "--now", "1970-01-02")),
    ("properties of an event", 1 << 8, planned(
        lambda n: ["  - event: e0\n    properties:\n", *(f"      - {{ property: p{i}, type: number, required: true }}\n" for i in range(n))],
        lambda n: sent(64))),
    ("values of a property", 1 << 9, planned(
        lambda n: ["  - event: e0\n    properties:\n      - { property: p, values: [x", *(f", v{i}" for i in range(n)), "] }\n"],
        lambda n: sent(n, p='"y"'))),
    ("length of a value", 1 << 10, planned(
        lambda n: ["  - event: e0\n    properties: [{ property: p, pattern: (a|b)*c$ }]\n"],
        lambda n: sent(16, p='"' + "ab" * n + '"'))),
    ("items of a list", 1 << 9, planned(
        lambda n: ["  - event: e0\n    properties: [{ property: p, type: number, list: true }]\n"],
        lambda n: sent(16, p="[" + ",".join("1" * n) + "]"))),
]:
    case("plan status", dimension, start, generate, statuses=(0, 1, 65))
for dimension, start, generate in [
    ("rows that are new", 1 << 8, imported(lambda n: [HEADERS, *(f"Event,e{i},N {i},,,,x\n" for i in range(n))], lambda n: (), "--write")),
    ("rows that change", 1 << 8, imported(
        lambda n: [HEADERS, *(f"Event,e{i},N {i},,,,x\n" for i in range(n))],
        lambda n: (f"  # {i}\n  - event: e{i}\n    name: x\n" for i in range(n)), "--write")),
    ("rows that are wrong", 1 << 8, imported(lambda n: [HEADERS, *(f"Property,e{i},,p,,,\n" for i in range(n))])),
    ("properties of one event", 1 << 8, imported(
        lambda n: [HEADERS, "Event,e,,,,,\n", *(f"Property,e,,p{i},number,,x\n" for i in range(n))],
        lambda n: ["  - event: e\n    properties:\n", *(f"      - property: p{i}\n" for i in range(0, n, 2))], "--write")),
    ("values in a cell", 1 << 9, imported(lambda n: [HEADERS, "Event,e,,,,,\nProperty,e,,p,,\"", *(f"v{i}, " for i in range(n)), "\",\n"], lambda n: (), "--write")),
    ("length of a cell", 1 << 10, imported(lambda n: [HEADERS, "Event,e,\"", repeated('=\n""', n), "\",,,,\n"], lambda n: (), "--write")),
    ("columns", 1 << 5, imported(lambda n: ["Event Name", *(f",c{i}" for i in range(n)), "\ne", *(f",{i}" for i in range(n)), "\n"], lambda n: (), "--write")),
    ("lines without anything", 1 << 10, imported(lambda n: [HEADERS, repeated("\n", n), "Event,e,,,,,\n"])),
    ("a quote without an end", 1 << 10, imported(lambda n: [HEADERS, '"', repeated("é\n", n)])),
]:
    case("plan import", dimension, start, generate, statuses=(0, 1, 65))


def accepted(plan, events):
    def generate(box, size):
        box.file("r.plan.yaml", ("version: 1\nevents:\n", *plan(size)))
        return Command(["plan", "accept", "--rules", box.file("r.yaml", ONE_RULE), "--events", box.file("e", events(size)), "--format", "json"])
    return generate


def taken(events, *arguments):
    def generate(box, size):
        return Command(["plan", "take", "--rules", box.file("r.yaml", ONE_RULE), "--events", box.file("e", events(size)), *arguments])
    return generate


def one_kind(n, pieces):
    return (f'{{"event":"e","time":{i},"distinct_id":"u{i}","properties":{{"$lib":"iOS",{pieces(i)}}}}}\n' for i in range(n))


for dimension, start, pieces in EVENTS:
    case("plan accept", dimension, start, accepted(lambda n: ["  - { event: e }\n"], pieces), statuses=(0, 1, 65))
    case("plan take", dimension, start, taken(pieces), statuses=(0, 65))
for dimension, start, generate in [
    ("planned events", 1 << 9, accepted(lambda n: (f"  - {{ event: e{i}, platforms: [ios, web] }}\n" for i in range(n)), sent)),
    ("events that are not planned", 1 << 9, accepted(lambda n: ["  - { event: e }\n"], sent)),
    ("devices", 1 << 9, accepted(lambda n: ["  - { event: e }\n"], lambda n: one_kind(n, lambda i: f'"$model":"m{i}","$os_version":"{i}"'))),
    ("values that are wrong", 1 << 9, accepted(
        lambda n: ["  - event: e\n    properties: [{ property: p, type: number }]\n"], lambda n: one_kind(n, lambda i: f'"p":"x{i}"'))),
    ("properties of an event", 1 << 6, accepted(
        lambda n: ["  - event: e\n    properties:\n", *(f"      - {{ property: p{i}, type: number, required: true }}\n" for i in range(n))],
        lambda n: one_kind(64, lambda i: ",".join(f'"p{j}":"{i}"' for j in range(n))))),
    ("length of a value", 1 << 10, accepted(
        lambda n: ["  - event: e\n    properties: [{ property: p, type: number }]\n"], lambda n: one_kind(16, lambda i: '"p":"' + "é" * n + '"'))),
]:
    case("plan accept", dimension, start, generate, statuses=(0, 1, 65))
for dimension, start, generate in [
    ("names", 1 << 9, taken(sent, "--write")),
    ("properties of an event", 1 << 6, taken(lambda n: one_kind(64, lambda i: ",".join(f'"p{j}":{i}' for j in range(n))), "--write")),
    ("values of a property", 1 << 9, taken(lambda n: one_kind(n, lambda i: f'"p":"v{i}"'))),
    ("values that several people sent", 1 << 9, taken(lambda n: one_kind(n, lambda i: f'"p":"v{i % 19}"'))),
    ("length of a value", 1 << 10, taken(lambda n: one_kind(512, lambda i: f'"p":"{i % 3}' + "é" * n + '"'))),
    ("items of a list", 1 << 9, taken(lambda n: one_kind(128, lambda i: '"p":[' + ",".join("1" * n) + "]"))),
]:
    case("plan take", dimension, start, generate, statuses=(0, 65))


def booked(pieces, *arguments, **more):
    def generate(box, size):
        box.file("r.plan.yaml", "version: 1\nevents:\n  - { event: e }\n")
        given = {key: value(size) for key, value in more.items() if callable(value)} | {key: value for key, value in more.items() if not callable(value)}
        return Command(
            ["plan", "import", "--rules", box.file("r.yaml", ONE_RULE), workbook(box, "t.xlsx", sheet(pieces(size)), **given), *arguments])
    return generate


HEAD_ROW = row("Event Name", "Remark")
for dimension, start, generate in [
    ("rows", 1 << 8, booked(lambda n: [HEAD_ROW, *(row(f"e{i}", "x") for i in range(n))], "--write")),
    ("rows without anything", 1 << 10, booked(lambda n: [HEAD_ROW, repeated("<row/>", n)])),
    ("empty cells", 1 << 10, booked(lambda n: [HEAD_ROW, *('<row><c r="ALK9"/></row>' for _ in range(n))])),
    ("columns", 1 << 5, booked(lambda n: [row("Event Name", *(f"c{i}" for i in range(n))), row("e", *map(str, range(n)))], "--write")),
    ("length of a cell", 1 << 10, booked(lambda n: [HEAD_ROW, row("e", "é_x0041_" * n)], "--write")),
    ("texts that are shared", 1 << 9, booked(
        lambda n: [HEAD_ROW, *(f'<row><c t="s"><v>{i}</v></c></row>' for i in range(n))], texts=lambda n: [f"e{i}" for i in range(n)])),
    ("cells that share a long text", 1 << 4, booked(
        lambda n: [HEAD_ROW, *('<row><c/><c t="s"><v>0</v></c></row>' for _ in range(n))], texts=["x" * (1 << 20)])),
    ("what one byte unpacks to", 1 << 12, booked(lambda n: [HEAD_ROW, repeated(" " * 1024, n)], whole=False)),
    ("depth", 1 << 6, booked(lambda n: ["<a>" * n, "</a>" * n])),
    ("parts of the archive", 1 << 7, booked(lambda n: [HEAD_ROW], parts=lambda n: [(f"xl/p{i}.xml", ["x"]) for i in range(n)])),
]:
    case("plan import of a workbook", dimension, start, generate, statuses=(0, 1, 65))


# Definitions of other tools: each becomes a rule, or the reason why it cannot.

def moved(pieces, *arguments, begin="[", end="]"):
    def generate(box, size):
        return Command(["import", box.file("a.json", (begin, *pieces(size), end)), *arguments])
    return generate


def between(items, comma=","):
    for i, item in enumerate(items):
        yield comma + item if i else item


def action(i, steps='{"event":"e"}', **members):
    text = "".join(f',"{key}":{value}' for key, value in members.items())
    return f'{{"id":{i},"name":"n{i}","steps":[{steps}]{text}}}'


def filtered(i, value, operator="exact"):
    return action(i, f'{{"event":"e","properties":[{{"key":"p","operator":"{operator}","value":{value}}}]}}')


for dimension, start, generate in [
    ("actions", 1 << 8, moved(lambda n: between(action(i) for i in range(n)), "--output", "rules")),
    ("actions with one id", 1 << 8, moved(lambda n: between(action(1, f'{{"event":"e{i}"}}') for i in range(n)), "--output", "rules")),
    ("actions with one name", 1 << 8, moved(lambda n: between(action(i).replace(f'"n{i}"', '"n"') for i in range(n)), "--output", "rules")),
    ("actions that are skipped", 1 << 8, moved(lambda n: between(action(i, "") for i in range(n)))),
    ("actions of wrong types", 1 << 9, moved(lambda n: between(['{"id":1,"steps":7}', *(f'{{"id":[{i}],"name":{i},"steps":{{}}}}' for i in range(n))]))),
    ("steps of an action", 1 << 8, moved(lambda n: [action(1, ",".join(f'{{"event":"e{i}"}}' for i in range(n)))], "--output", "rules")),
    ("properties of a step", 1 << 6, moved(lambda n: [action(1, '{"event":"e","properties":[' + ",".join(f'{{"key":"p{i}","value":"x"}}' for i in range(n)) + "]}")])),
    ("tests of one property", 1 << 4, moved(lambda n: [action(1, '{"event":"e","properties":[' + ",".join(f'{{"key":"p","operator":"icontains","value":"x{i}"}}' for i in range(n)) + "]}")], "--output", "rules")),
    ("values of a property", 1 << 9, moved(lambda n: [filtered(1, "[" + ",".join(f'"{i}"' for i in range(n)) + "]")], "--output", "rules")),
    ("length of an expression", 1 << 9, moved(lambda n: [filtered(1, '"' + "(a|b)*" * n + '"', "regex")])),
    ("repetitions that RE2 refuses", 1 << 2, moved(lambda n: [filtered(1, '"' + "(" * n + "x" + "{1000})" * n + '"', "regex")])),
    ("length of a text", 1 << 10, moved(lambda n: [action(1, '{"event":"$autocapture","text_matching":"contains","text":"' + "a%_" * n + '"}')])),
    ("length of a selector", 1 << 8, moved(lambda n: [action(1, '{"event":"$autocapture","selector":"' + " > ".join(["A"] * n) + '"}')])),
    ("length of a name", 1 << 10, moved(lambda n: [action(1).replace('"n1"', '"' + "é" * n + '"')], "--output", "rules")),
    ("depth", 1 << 8, moved(lambda n: ["[" * n, "]" * n])),
    ("a truncated file", 1 << 10, moved(lambda n: between(action(i) for i in range(n)), end=',{"id":')),
    ("visual events", 1 << 8, moved(
        lambda n: between(f'{{"event_name":"e{i}","event_type":"appclick","event":{{"element_path":"A/B[{i}]","screen_name":"S"}}}}' for i in range(n)),
        "--output", "rules", begin='{"os":"iOS","events":[', end="]}")),
    ("visual events with one name", 1 << 8, moved(
        lambda n: between(f'{{"event_name":"e","event_type":"appclick","event":{{"element_path":"A/B[{i}]","screen_name":"S"}}}}' for i in range(n)),
        "--output", "rules", begin='{"os":"iOS","events":[', end="]}")),
    ("alternatives of a path", 1 << 8, moved(
        lambda n: ['{"id":"a","name":"a","eventType":"elem","filter":{"xpath":"', ",".join(f"/A[{i}]#t/*" for i in range(n)), '"}}'], "--output", "rules")),
    ("stars of a page", 1 << 4, moved(lambda n: ['{"id":"a","kind":"Page","name":"a","rules":[{"rule":"//h', "/*x*" * n, '"}]}'])),
    ("alternatives of a feature", 1 << 8, moved(
        lambda n: ['{"id":"a","kind":"Feature","appWide":true,"elementPathRules":["', ",".join(f".c{i}" for i in range(n)), '"]}'], "--output", "rules")),
]:
    case("import", dimension, start, generate, statuses=(0, 1, 65))


# Values, and selectors that match nothing.

def checked(rules, capture, events=lambda n: (), *arguments, **more):
    def generate(box, size):
        command = ["check", box.file("r.yaml", rules(size)), "--captures", box.file("a.xml", view_tree(capture(size)))]
        lines = list(events(size))
        if lines:
            command += ["--events", box.file("e", lines)]
        return Command([*command, *arguments])
    return generate


def one_view(n):
    return window('<view class="UIButton" title="Pay"/>')


def near_view(n):
    # Only a few, because each rule is tried on each element that its selector matches.
    return window('<view class="UITableView">', siblings(200, lambda i: f'class="ShopCell" superclasses="UITableViewCell" indexPath="0 {i}" label="t{i}"'), "</view>")


def said(n):
    return (f'{{"event":"e","properties":{{"p":"value {i}","n":{i},"t":"{i}","$screen_name":"P{i}"}}}}\n' for i in range(n))


VALUES = [
    ("values that do not occur", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ event: e, where: {{ p: "valeu {i}" }} }} }}'), one_view, said),
    ("values of one test that do not occur", 64, lambda n: listed("  - id: a\n    include: { event: e, where: { p: { in: [", (f'"valeu {i}", ' for i in range(n)), "] } } }\n"), one_view, said),
    ("numbers that are texts", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ event: e, where: {{ t: {{ ">": {i} }} }} }} }}'), one_view, said),
    ("length of a value that does not occur", 64, lambda n: listed('  - { id: a, include: { event: e, where: { p: "', repeated("v", n), '" } } }\n'), one_view,
     lambda n: ['{"event":"e","properties":{"p":"', repeated("w", n), '"}}\n']),
    ("texts of elements that do not occur", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: ShopCell, where: {{ $element_content: "tt{i}" }} }} }}'), near_view, lambda n: ()),
    ("pages that do not occur", 64, lambda n: many(n, lambda i: f"  - {{ id: r{i}, include: {{ page: PP{i} }} }}"), one_view, said),
    ("selectors with an item for a row", 16, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "UITableView/ShopCell(section:0 item:{i})" }} }}'), near_view, lambda n: ()),
    ("selectors with a missing step", 16, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "UIWindow/ShopCell(section:0 row:{i})" }} }}'), near_view, lambda n: ()),
    ("selectors of unknown classes", 16, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "ShopCel{i}/Button" }} }}'),
     lambda n: window(siblings(200, lambda i: f'class="ShopCell{i}x"')), lambda n: ()),
    ("length of an unknown class", 16, lambda n: listed(f'  - {{ id: a, include: {{ selector: "{"A" * min(n, 60000)}B" }} }}\n'),
     lambda n: window(f'<view class="{"A" * min(n, 30000)}C"/>'), lambda n: ()),
    ("underscores of an unknown class", 4, lambda n: listed(f'  - {{ id: a, include: {{ selector: "{"_".join(["A"] * min(n, 30000))}" }} }}\n'),
     lambda n: window('<view class="A"/>'), lambda n: ()),
    ("steps of a selector against depth", 4, lambda n: listed(f'  - {{ id: a, include: {{ selector: "{"**/A/" * min(n, 29)}B(3)" }} }}\n'),
     lambda n: nested(900, lambda level: 'class="A"', siblings(n * 16, lambda i: 'class="B" alpha="1"')), lambda n: ()),
    ("locators that differ at depth", 4, lambda n: listed('  - { id: a, include: { selector: "**/A(77777)/**/B(3)" } }\n'),
     lambda n: window((['<view class="C">', nested(60, lambda level: f'class="A" indexPath="0 {i * 60 + level}" superclasses="UITableViewCell"', '<view class="B"/>'), "</view>"] for i in range(n))), lambda n: ()),
]
for dimension, start, rules, capture, events in VALUES:
    case("check --captures --events", dimension, start, checked(rules, capture, events), budget=8)
    case("check --fix --diff", dimension, start, checked(rules, capture, events, "--fix", "--diff"), budget=8)
for dimension, rules in [
    ("selectors of one row", lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "ShopCell(section:0 row:{i})" }} }}')),
    ("selectors of one row on one line", lambda n: ["version: 1\nrules: [", (f'{{ id: r{i}, include: {{ selector: "ShopCell(section:0 item:{i})" }} }}, ' for i in range(n)), "]\n"]),
    ("comments that silence", lambda n: many(n, lambda i: f'  # encircle: off exact-row - it is so\n  - {{ id: r{i}, include: {{ selector: "ShopCell(section:0 row:{i})" }} }}')),
]:
    case("check --fix --diff", dimension, 64, checked(rules, near_view, lambda n: (), "--fix", "--diff"), budget=8)

for dimension, selector in [
    ("classes", "ShopCelll/Button"), ("classes, one of them near", "ShopCell1y"), ("classes, a part of their names", "Shop"), ("classes of a long path", "/".join(["Q"] * 50)),
]:
    case("select without a match", dimension, 1 << 8, lambda box, size, selector=selector: Command(
        ["select", selector, box.file("a.xml", view_tree(window(siblings(size, lambda i: f'class="ShopCell{i}x"'))))]))
case("select without a match", "length of a class", 1 << 8, lambda box, size: Command(
    ["select", "A" * 30000 + "B", box.file("a.xml", view_tree(window('<view class="', repeated("A", size), 'C"/>')))]))


# One event of many, and many rules.

def explained(rules, events, line=lambda n: n, *arguments):
    def generate(box, size):
        name = box.file("e.ndjson", events(size))
        return Command(["explain", *arguments, "--rules", box.file("r.yaml", rules(size)), "--event", f"{name}:{line(size)}"])
    return generate


ONE = lambda n: listed("  - { id: a, include: { selector: B } }\n")  # noqa: E731
case("explain --event FILE:LINE", "lines", 1 << 10, explained(ONE, clicks), statuses=(0, 1))
case("explain --event FILE:LINE", "lines that are no event", 1 << 10, explained(ONE, lambda n: repeated("x\n", n)), statuses=(0, 1, 65))
case("explain --event FILE:LINE", "lines before an event that is not there", 1 << 10, explained(ONE, clicks, lambda n: n + 7), statuses=(0, 1, 65))
for arguments in ([], ["--all"]):
    for dimension, rule in [
        ("rules without a match", lambda i: f"  - {{ id: r{i}, include: {{ event: x{i}, page: Q{i} }} }}"),
        ("rules that miss by one thing", lambda i: f'  - {{ id: r{i}, include: {{ event: e0, page: Q{i}, selector: "B(0)" }} }}'),
    ]:
        case(" ".join(["explain --event FILE:LINE", *arguments]), dimension, 256, explained(
            lambda n, rule=rule: many(n, rule), lambda n: clicks(1), lambda n: 1, *arguments))
