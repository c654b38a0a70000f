"""Cases of rule files, of tests beside them, and of the results of rules."""

from math import isqrt

from captures import nested, view_tree, window
from judge import Case
from measure import Command, repeated

CASES = []
EVENT = '{"event":"$AppClick","properties":{"p":"abcabc","$screen_name":"A","$element_path":"UIWindow(0)_A(0)_UIButton(0)"}}\n'


def case(command, dimension, start, generate, **options):
    CASES.append(Case(command, dimension, start, generate, **options))


def commands(box, name):
    """The commands that read rules, by name."""
    def event():
        return box.file("e", EVENT)
    return {
        "check": lambda: Command(["check", name, "--at", "2026-01-01"]),
        "compile": lambda: Command(["compile", name, "-o", "rules.compiled"]),
        "match": lambda: Command(["match", "--rules", name], stdin=event()),
        "fmt": lambda: Command(["fmt", name]),
        "explain": lambda: Command(["explain", "--rules", name, "--event", event()]),
        "test": lambda: Command(["test", name]),
    }


def rows(dimension, start, text, of=("check", "compile", "fmt"), suffix="yaml", statuses=(0, 1, 65), **options):
    """A case for each command that reads a rule file."""
    for command in of:
        def generate(box, size, command=command):
            return commands(box, box.file(f"r.{suffix}", text(size)))[command]()
        case(f"{command}", dimension, start, generate, statuses=statuses, **options)


def listed(*rules):
    return ["version: 1\nrules:\n", *rules]


def clause(*body):
    return listed("  - id: a\n    include: { ", *body, " }\n")


def where(*body):
    return clause("where: { p: { ", *body, " } }")


def many(count, rule):
    return listed((rule(i) + "\n" for i in range(count)))


ALL = ("check", "compile", "match", "fmt", "explain")
FAST = ("check", "compile")
READ = ("check", "fmt")

# The contents of valid files.
rows("rules", 256, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ page: P{i}, selector: "A{i}/B(0)" }} }}'), ALL)
rows("rules on one line", 256, lambda n: ["version: 1\nrules: [", (f'{{ id: r{i}, include: {{ page: P{i}, selector: "A{i}/B(0)" }} }}, ' for i in range(n)), "]\n"], ALL)
rows("rules in JSON on one line", 256, lambda n: ['{"version":1,"rules":[', (f'{{"id":"r{i}","include":{{"page":"P{i}","selector":"A{i}/B(0)"}}}},' for i in range(n)), '{"id":"z","include":{"page":"Z"}}]}'], ALL, "json")
rows("rules that differ in one index", 256, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "A/B({i})" }} }}'), ALL)
rows("rules with recursive wildcards", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "A{i}/**/B{i % 7}/**/C(0)" }} }}'), ALL)
rows("rules with wildcards in names", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "*{i}*/B*x{i}(0)" }} }}'), ALL)
rows("rules with kind-of", 256, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ page: {{ kindOf: K{i} }}, selector: ":K{i}/:UIControl" }} }}'), ALL)
rows("rules that match alike", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ page: P }} }}'), ALL)
rows("exclude rules", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, {"include" if i % 2 else "exclude"}: {{ selector: "A/**/B{i % 5}(row:{i % 11})", page: P{i % 3} }} }}'), ALL)
rows("rules with tests of one property", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ where: {{ p: {{ ">": {i}, "<": {i + 10} }} }} }} }}'), ALL, budget=6)
rows("rules with tests of distinct properties", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ where: {{ p{i}: x, q{i}: {{ prefix: a{i} }} }} }} }}'), ALL, budget=6)
rows("rules with contains", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ where: {{ p: {{ contains: abc{i} }} }} }} }}'), ALL)
rows("rules with unless", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ page: P{i % 9} }}, unless: {{ event: e{i} }} }}'), ALL, budget=6)
rows("rules with sameKind", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, sameKind: true, include: {{ selector: "A(section:0 row:{i})/B(0)" }} }}'), ALL)
rows("rules with identities", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ identity: "path(UIWindow(0)_A(0)_B({i}))&controller(C{i})" }} }}'), ALL)
rows("rules with ambiguous identities", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ identity: "path(UIWindow(0)_A_B_C_D({i}))&controller(C{i})" }} }}'), ALL)
rows("rules with event IDs", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ eventID: "{i:064x}" }} }}'), ALL)
rows("rules with versions", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ where: {{ v: {{ version: ">={i}.1 <{i + 3}" }} }} }} }}'), ALL)
rows("rules with regular expressions", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ where: {{ p: {{ matches: "a{i}[a-z]+" }} }} }} }}'), ALL)
rows("heavy regular expressions", 8, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ where: {{ p: {{ matches: "x{i}(\\\\pL{{1,500}}|\\\\pN{{1,300}})" }} }} }} }}'), ALL, budget=6)
rows("regular expressions in one list", 8, lambda n: listed("  - id: a\n    include:\n", (f'      - {{ where: {{ p: {{ matches: "y{i}[\\\\pL\\\\pN]{{1,900}}" }} }} }}\n' for i in range(n))), FAST)
rows("dates", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, from: 2026-01-01, to: 2026-02-{i % 28 + 1:02}, include: {{ event: e{i} }} }}'), FAST)
rows("settings of checks", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "A/B({i})" }}, checks: {{ exact-row: note }} }}'), FAST)

# Parts of one rule.
rows("clauses", 128, lambda n: listed("  - id: a\n    include:\n", (f"      - {{ page: P{i} }}\n" for i in range(n))), ALL)
rows("clauses of unless", 128, lambda n: listed("  - id: a\n    include: { event: x }\n    unless:\n", (f"      - {{ page: P{i} }}\n" for i in range(n))), ALL, budget=6)
rows("clauses that are alike", 128, lambda n: listed("  - id: a\n    include:\n", repeated("      - { page: P }\n", n)), FAST)
rows("clauses of include and unless", 64, lambda n: listed(
    "  - id: a\n    include:\n", (f'      - {{ selector: "A{i % 3}/**/B({i})" }}\n' for i in range(n)),
    "    unless:\n", (f'      - {{ selector: "**/A{i % 3}/B({i})" }}\n' for i in range(n))), ALL, budget=6)
rows("selectors of a clause", 128, lambda n: clause("selector: [", (f"A{i}/B(0), " for i in range(n)), "]"), ALL, budget=6)
rows("pages of a clause", 128, lambda n: clause("page: [", (f"P{i}, " for i in range(n)), "]"), ALL)
rows("values of in", 128, lambda n: where("in: [", (f"v{i}, " for i in range(n)), "]"), ALL)
rows("numbers of in", 128, lambda n: where("in: [", (f"{i}.5, " for i in range(n)), "]"), ALL)
rows("values of in that fold", 128, lambda n: where("fold: true, in: [", (f"Vé{i}, " for i in range(n)), "]"), ALL)
rows("properties of where", 128, lambda n: clause("where: { ", (f"p{i}: x, " for i in range(n)), "}"), ALL)
rows("event IDs of a clause", 128, lambda n: clause("eventID: [", (f'"{i:064x}", ' for i in range(n)), "]"), ALL)
rows("identities of a clause", 128, lambda n: clause("identity: [", (f'"path(A(0)_B({i}))", ' for i in range(n)), "]"), ALL)
rows("tests in not", 8, lambda n: where(repeated("not: { ", n), "equals: x", repeated(" }", n)), ALL)
rows("length of an equals", 1 << 12, lambda n: where('equals: "', repeated("a", n), '"'), ALL)
rows("length of a prefix that folds", 1 << 12, lambda n: where('fold: true, prefix: "', repeated("ß", n), '"'), FAST)
rows("length of a contains", 1 << 10, lambda n: where('contains: "', repeated("ab", n), '"'), ALL)
rows("length of a contains that folds", 1 << 10, lambda n: where('fold: true, contains: "', repeated("ab", n), '"'), FAST)
rows("wildcards of a glob", 64, lambda n: where('glob: "', repeated("a*", n), '"'), ALL)
rows("length of a glob", 1 << 10, lambda n: where('glob: "', repeated("ab", n), '*"'), FAST)
rows("length of a regular expression", 256, lambda n: where('matches: "', repeated("ab", n), '"'), ALL)
rows("alternatives of a regular expression", 64, lambda n: where('matches: "', (f"a{i}b|" for i in range(n)), 'z"'), ALL)
rows("classes of a regular expression", 16, lambda n: where('matches: "', repeated("[\\\\pL\\\\pN]", n), '"'), ALL)
rows("repetitions of a regular expression", 16, lambda n: where('matches: "', repeated("(ab{3,9}c?)*", n), '"'), ALL)
rows("groups of a regular expression", 16, lambda n: where('matches: "', repeated("(", n), "a", repeated(")", n), '"'), ALL)
rows("stars of a regular expression", 16, lambda n: where('matches: "', repeated("(", n), "a", repeated(")*", n), '"'), ALL)
rows("comparisons of a version", 64, lambda n: where('version: "', (f"!={i} " for i in range(n)), '"'), ALL)
rows("digits of a version", 64, lambda n: where('version: "', repeated("1", n), '"'), FAST)
rows("digits of a number", 64, lambda n: where('">": ', repeated("9", n)), FAST)
rows("exponent of a number", 64, lambda n: where(f'">": 1e{n}'), FAST)
rows("components of an identity", 64, lambda n: clause('identity: "path(', repeated("A(0)_", n), 'B(0))"'), ALL)
rows("separators of an identity", 8, lambda n: clause('identity: "path(', repeated("A_", n), 'B(0))&controller(C)"'), ALL)
rows("steps of a selector", 64, lambda n: clause('selector: "', repeated("A/", n), 'B"'), ALL)
rows("recursive wildcards of a selector", 16, lambda n: clause('selector: "', (f"A{i % 3}/**/" for i in range(n)), 'B"'), ALL)
rows("wildcards of a name", 16, lambda n: clause('selector: "', repeated("*a", n), '"'), ALL)
rows("values of a locator", 16, lambda n: clause('selector: "A(', ",".join(str(2 * i) for i in range(n)), ')"'), ALL)
rows("kind-of steps of a selector", 16, lambda n: clause('selector: "', repeated(":UIView/**/", n), 'B"'), ALL)
rows("any steps of a selector", 16, lambda n: clause('selector: "A/**/', repeated("*/", n), 'B"'), ALL)
rows("length of an id", 1 << 10, lambda n: listed("  - id: ", repeated("a", n), "\n    include: { event: x }\n"), FAST)
rows("tags", 128, lambda n: listed("  - id: a\n    tags: [", (f"t{i}, " for i in range(n)), "]\n    include: { event: x }\n"), FAST)
rows("length of a description", 1 << 12, lambda n: listed('  - id: a\n    description: "', repeated("d ", n), '"\n    include: { event: x }\n'), ("check", "fmt"))

# The rest of a file.
rows("classes", 256, lambda n: ["version: 1\nclasses: { ", (f"K{i}: UIView, " for i in range(n)), "}\n", clause('selector: ":K1"')[1:], ], ALL)
rows("a chain of classes", 256, lambda n: ["version: 1\nclasses: { ", (f"K{i}: K{i + 1}, " for i in range(n)), "}\nrules:\n  - id: a\n    include: { selector: \":K1/:K9\" }\n"], ALL)
rows("a chain of classes, each with a rule", 256, lambda n: ["version: 1\nclasses: { ", (f"K{i}: K{i + 1}, " for i in range(n)), "}\nrules:\n", (f'  - {{ id: r{i}, include: {{ selector: ":K{i}" }} }}\n' for i in range(n))], ALL)
rows("a ring of classes", 256, lambda n: ["version: 1\nclasses: { ", (f"K{i}: K{(i + 1) % n}, " for i in range(n)), "}\nrules:\n  - id: a\n    include: { selector: \":K1/:K9\" }\n"], ALL)
rows("excluded pages", 256, lambda n: ["version: 1\npages: { exclude: [", (f"P{i}, " for i in range(n)), "] }\nrules: []\n"], ALL)
rows("places of a field", 128, lambda n: ["version: 1\nfields: { page: [", (f"p{i}, " for i in range(n)), "] }\nrules: []\n"], ALL)
rows("parts of a pointer", 128, lambda n: clause("where: { ", repeated("/a", n), ": x }"), ALL)

# Invalid files.
rows("unknown keys on one line", 256, lambda n: ["{ version: 1, ", (f"k{i}: 1, " for i in range(n)), "rules: [] }\n"], READ)
rows("unknown keys on lines", 256, lambda n: ["version: 1\n", (f"k{i}: 1\n" for i in range(n)), "rules: []\n"], READ)
rows("unknown long keys", 64, lambda n: ["version: 1\n", (f'k{i}{"x" * 100}: 1\n' for i in range(n)), "rules: []\n"], READ)
rows("length of an unknown key", 1 << 10, lambda n: ["version: 1\n", repeated("k", n), ": 1\nrules: []\n"], READ)
rows("rules with one id", 256, lambda n: listed(repeated("  - { id: a, include: { event: x } }\n", n)), READ)
rows("rules with one id on one line", 256, lambda n: ["version: 1\nrules: [", repeated("{ id: a, include: { event: x } }, ", n), "]\n"], READ)
rows("equal keys", 256, lambda n: ["version: 1\n", repeated("rules: []\n", n)], READ)
rows("equal keys on one line", 256, lambda n: clause("where: { ", repeated("a: x, ", n), "}"), READ)
rows("wrong selectors on one line", 256, lambda n: clause("selector: [", repeated('"A(", ', n), "]"), READ)
rows("length of a wrong selector", 1 << 10, lambda n: clause('selector: "', repeated("A/", n), '("'), READ)
rows("wrong regular expressions on one line", 256, lambda n: ["version: 1\nrules: [", (f'{{ id: r{i}, include: {{ where: {{ p: {{ matches: "(" }} }} }} }}, ' for i in range(n)), "]\n"], READ)
rows("wrong types on one line", 256, lambda n: ["version: 1\nrules: [", repeated("1, ", n), "]\n"], READ)
rows("unknown keys in JSON on one line", 256, lambda n: ['{"version":1,', (f'"k{i}":1,' for i in range(n)), '"rules":[]}'], READ, "json")
rows("unknown classes that look like known ones", 64, lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "UIButon{i}/UILabl" }} }}'), ("check",))

# YAML and JSON as such.
rows("aliases", 2, lambda n: ["version: 1\nrules:\n  - &a { id: a, include: { event: x } }\n", repeated("  - *a\n", n)], READ)
rows("clauses that are used 16 times by aliases", 256, lambda n: [
    "version: 1\nrules:\n  - id: a\n    include: &c\n", (f"      - {{ page: P{i} }}\n" for i in range(n)),
    (f"  - {{ id: r{i}, include: *c }}\n" for i in range(15))], READ, uses=16)
rows("anchors", 256, lambda n: ["version: 1\nrules:\n", (f"  - &a{i} {{ id: r{i}, include: {{ event: e{i} }} }}\n" for i in range(n))], READ)
rows("nested flow sequences", 16, lambda n: ["version: 1\nrules: ", repeated("[", n), repeated("]", n), "\n"], READ)
rows("nested flow mappings", 16, lambda n: ["version: 1\nrules: ", repeated("{a: ", n), repeated("}", n), "\n"], READ)
rows("flow sequences that do not end", 16, lambda n: ["version: 1\nrules: ", repeated("[", n)], READ)
rows("nested block sequences", 16, lambda n: ["version: 1\nrules:\n  ", repeated("- ", n), "a\n"], READ)
# Each level is indented one space more, so that the input grows with the square of the depth.
rows("nested block mappings", 1 << 8, lambda n: ["version: 1\nrules:\n", (" " * (i + 1) + "a:\n" for i in range(isqrt(n)))], READ, most=1 << 26)
rows("question marks", 16, lambda n: ["version: 1\n", repeated("? ", n), "a\n"], READ)
rows("flow keys that are sequences", 16, lambda n: ["version: 1\nrules: {", repeated("[", n), repeated("]: 1", n), "}\n"], READ)
rows("nested arrays in JSON", 16, lambda n: ['{"version":1,"rules":', repeated("[", n), repeated("]", n), "}"], READ, "json")
rows("nested objects in JSON", 16, lambda n: ['{"version":1,"rules":', repeated('{"a":', n), "1", repeated("}", n), "}"], READ, "json")
rows("escapes in JSON", 1 << 10, lambda n: ['{"version":1,"app":"', repeated("\\u00e4", n), '","rules":[]}'], READ, "json")
rows("comments", 1 << 10, lambda n: ["version: 1\n", repeated("# c\n", n), "rules: []\n"], READ)
rows("length of a comment", 1 << 12, lambda n: ["version: 1\n# ", repeated("c", n), "\nrules: []\n"], READ)
rows("comments behind rules", 256, lambda n: many(n, lambda i: f"  - {{ id: r{i}, include: {{ event: e{i} }} }} # c"), ("fmt",))
rows("comments in flow collections", 256, lambda n: ["version: 1\nrules: [\n", (f"  {{ id: r{i}, include: {{ event: e{i} }} }}, # c\n" for i in range(n)), "]\n"], ("fmt",))
rows("empty lines", 1 << 12, lambda n: ["version: 1\n", repeated("\n", n), "rules: []\n"], READ)
rows("spaces", 1 << 12, lambda n: ["version: 1", repeated(" ", n), "\nrules: []\n"], READ)
rows("spaces before a comment", 1 << 12, lambda n: ["version: 1\n", repeated(" ", n), "# c\nrules: []\n"], READ)
rows("documents", 256, lambda n: repeated("---\nversion: 1\nrules: []\n", n), READ)
rows("lines of a folded text", 1 << 10, lambda n: listed("  - id: a\n    include: { event: x }\n    description: >\n", repeated("      a b\n", n)), READ)
rows("lines of a plain text", 1 << 10, lambda n: listed("  - id: a\n    include: { event: x }\n    description: a\n", repeated("      a b\n", n)), READ)
rows("lines of a quoted text", 1 << 10, lambda n: listed('  - id: a\n    include: { event: x }\n    description: "a\n', repeated("\n      a b\n", n), '"\n'), READ)
rows("escapes in a quoted text", 1 << 10, lambda n: listed('  - id: a\n    include: { event: x }\n    description: "', repeated("\\u00e4", n), '"\n'), READ)
rows("quotes in a quoted text", 1 << 10, lambda n: listed("  - id: a\n    include: { event: x }\n    description: '", repeated("''", n), "'\n"), READ)
rows("a quote that does not end", 1 << 10, lambda n: listed('  - id: "', repeated("a\n", n)), READ)
rows("length of a plain key", 1 << 8, lambda n: ["version: 1\n", repeated("k ", n), ": 1\n"], READ)
rows("colons", 1 << 8, lambda n: ["version: 1\nrules: a", repeated(":", n), "b\n"], READ)
rows("commas", 1 << 8, lambda n: ["version: 1\nrules: [", repeated(",", n), "]\n"], READ)
rows("tags of values", 1 << 8, lambda n: ["version: 1\nrules: [", repeated("!!str a, ", n), "]\n"], READ)
rows("tabs", 1 << 10, lambda n: ["version: 1\nrules:", repeated("\t", n), "[]\n"], READ)
rows("bytes that are no text", 1 << 12, lambda n: ["version: 1\n# ", (b"\xff" for _ in range(n))], READ)
rows("bytes of nothing known", 1 << 12, lambda n: repeated("x", n), READ)
rows("braces", 1 << 10, lambda n: repeated("}", n), READ)
rows("indicators", 1 << 10, lambda n: repeated("- ? : ", n), READ)


# Files that fmt would change.
for dimension, start, text in [
    ("rules that are indented otherwise", 256, lambda n: ["version: 1\nrules:\n", (f"    - id: r{i}\n      include: {{ event: e{i} }}\n" for i in range(n))]),
    ("every other rule on its own lines", 256, lambda n: many(n, lambda i: f"  - {{ id: r{i}, include: {{ event: e{i} }} }}" if i % 2 else f"  -  id: r{i}\n     include: {{ event: e }}")),
]:
    case("fmt --diff", dimension, start, lambda box, size, text=text: Command(["fmt", "--diff", box.file("r.yaml", text(size))]))


# Files of rules.
def folder(command):
    def generate(box, size):
        for i in range(size):
            box.file(f"r/{i}.yaml", f"version: 1\nrules: [{{ id: r{i}, include: {{ event: e{i} }} }}]\n")
        return commands(box, "r")[command]()
    return generate


for command in ("check", "compile", "fmt"):
    case(command, "files", 64, folder(command), most=1 << 12)


# Findings, by format, and with captures and events.
def check_format(name):
    def generate(box, size):
        rules = box.file("r.yaml", listed((f'  - {{ id: r{i}, include: {{ selector: "UIButon{i}/B(section:0 row:1)" }} }}\n' for i in range(size))))
        capture = box.file("a.xml", view_tree(window('<view class="UIButton"/>')))
        return Command(["check", rules, "--captures", capture, "--format", name])
    return generate


for name in ("text", "json", "sarif", "github"):
    case(f"check --format {name}", "findings", 64, check_format(name))
    case(f"check --format {name}", "findings on one line", 64, lambda box, size, name=name: Command(
        ["check", "--format", name, box.file("r.yaml", "version: 1\nrules: [", (
            f'{{ id: r{i}, include: {{ page: P, where: {{ v: {{ version: "<{i + 3}" }} }} }} }}, ' for i in range(size)), "]\n")]), budget=6)


def check_captures(capture, rule):
    def generate(box, size):
        box.file("a.xml", view_tree(capture(size)))
        return Command(["check", box.file("r.yaml", listed((rule(i) + "\n" for i in range(min(size, 64))))), "--captures", "a.xml"])
    return generate


SELECTED = [
    ("wildcard", lambda i: f'  - {{ id: r{i}, include: {{ selector: "**/V*/**" }} }}'),
    ("row", lambda i: f'  - {{ id: r{i}, include: {{ selector: "UITableViewCell(section:0 row:{i})/**" }} }}'),
    ("text", lambda i: f'  - {{ id: r{i}, include: {{ selector: "V{i}", where: {{ $element_content: t{i} }} }} }}'),
]
for name, rule in SELECTED:
    case(f"check --captures, rules with a {name}", "siblings", 256, check_captures(
        lambda n: window((f'<view class="V{i}" text="t{i}"/>' for i in range(n))), rule))
    case(f"check --captures, rules with a {name}", "name length at depth 900", 16, check_captures(
        lambda n: nested(900, lambda level: f'class="V{"x" * n}"'), rule))
    case(f"check --captures, rules with a {name}", "cells", 256, check_captures(
        lambda n: window('<view class="UITableView">', (
            f'<view class="UITableViewCell" indexPath="0 {i}"><view class="V" text="t{i}"/></view>' for i in range(n)), "</view>"), rule))


def check_events(line):
    return lambda box, size: Command(["check", box.file("r.yaml", listed("  - { id: a, include: { event: e1x, where: { p1x: a } } }\n")),
                                      "--events", box.file("e", (line(i) for i in range(size)))])


case("check --events", "event names", 1 << 10, check_events(lambda i: f'{{"event":"e{i}"}}\n'))
case("check --events", "property names", 1 << 10, check_events(lambda i: f'{{"event":"e","properties":{{"p{i}":1}}}}\n'))
case("check --events", "pages", 1 << 10, check_events(lambda i: f'{{"event":"e","properties":{{"$screen_name":"P{i}"}}}}\n'))
case("check --events", "lines that are no event", 1 << 10, check_events(lambda i: "x\n"), statuses=(0, 1, 65))
case("check --events", "long names", 16, check_events(lambda i: f'{{"event":"e{i}{"x" * 100000}"}}\n'))


# Events against many rules.
def matching(rules, events):
    return lambda box, size: Command(["match", "--rules", box.file("r.yaml", rules(size))], stdin=box.file("e", events(size)))


case("match", "events that each match many rules", 16, matching(
    lambda n: many(64, lambda i: f'  - {{ id: r{i}, include: {{ event: $AppClick }} }}'), lambda n: repeated(EVENT, n * 16)))
case("match", "a regular expression on a long text", 1 << 12, matching(
    lambda n: where('matches: "(a*)*b"'), lambda n: ['{"event":"e","properties":{"p":"', repeated("a", n), '"}}\n']))
case("match", "a heavy regular expression on a long text", 1 << 12, matching(
    lambda n: where('matches: "(a|aa)+[ab]{500}c"'), lambda n: ['{"event":"e","properties":{"p":"', repeated("ab", n), '"}}\n']))
case("match", "a glob on a long text", 1 << 12, matching(
    lambda n: where('glob: "', "*a" * 50, 'b"'), lambda n: ['{"event":"e","properties":{"p":"', repeated("a", n), '"}}\n']))
case("match", "a glob that grows with the text", 64, matching(
    lambda n: where('glob: "', repeated("*a", n), 'b"'), lambda n: ['{"event":"e","properties":{"p":"', repeated("a", n * 2), '"}}\n']))
case("match", "a contains that grows with the text", 64, matching(
    lambda n: where('contains: "', repeated("a", n), 'b"'), lambda n: ['{"event":"e","properties":{"p":"', repeated("a", n * 2), '"}}\n']))
case("match", "a folding contains that grows with the text", 64, matching(
    lambda n: where('fold: true, contains: "', repeated("a", n), 'b"'), lambda n: ['{"event":"e","properties":{"p":"', repeated("a", n * 2), '"}}\n']))
case("match", "steps against components", 16, matching(
    lambda n: clause('selector: "', "**/A/" * min(n, 12000), 'B(1)"'), lambda n: ['{"event":"e","properties":{"$element_path":"', repeated("A(0)_", n), 'B(0)"}}\n']))
case("match", "any steps against components", 16, matching(
    lambda n: clause('selector: "A/**/', "*/" * min(n, 30000), 'B(1)"'), lambda n: ['{"event":"e","properties":{"$element_path":"', repeated("A(0)_", n * 2), 'B(0)"}}\n']))
case("match", "wildcards of a name against a name", 16, matching(
    lambda n: clause('selector: "', "*a" * min(n, 30000), 'b"'), lambda n: ['{"event":"e","properties":{"$element_path":"', repeated("a", n * 2), '(0)"}}\n']))
case("match", "selectors with recursive wildcards against components", 16, matching(
    lambda n: many(n, lambda i: f'  - {{ id: r{i}, include: {{ selector: "A/**/A/*/**/B{i}*x(1)" }} }}'),
    lambda n: ['{"event":"e","properties":{"$element_path":"', repeated("A(0)_", 200), 'B(0)"}}\n']))
case("explain", "steps against components", 16, lambda box, size: Command(
    ["explain", "--rules", box.file("r.yaml", clause('selector: "', "**/A/" * min(size, 12000), 'B(1)"')), "--event",
     box.file("e", '{"event":"e","properties":{"$element_path":"', repeated("A(0)_", size), 'B(0)"}}\n')]))
case("explain", "rules against a long path", 16, lambda box, size: Command(
    ["explain", "--rules", box.file("r.yaml", many(size, lambda i: f'  - {{ id: r{i}, include: {{ selector: "**/A/B({i})" }} }}')), "--event",
     box.file("e", '{"event":"e","properties":{"$element_path":"', repeated("A(0)_", 1000), 'B(0)"}}\n')]))


# Tests beside rules.
def tested(tests, rules=None, arguments=(), **more):
    def generate(box, size):
        box.file("r.yaml", rules(size) if rules else listed("  - { id: a, include: { event: e } }\n"))
        box.file("a.xml", view_tree(window((f'<view class="V{i}"/>' for i in range(min(size, 5000))))))
        box.file("r.test.yaml", "version: 1\ntests:\n", tests(size))
        return Command(["test", "r.yaml", *arguments])
    return generate


TESTS = [
    ("tests", 64, lambda n: (f"  - {{ name: t{i}, event: {{ event: e }}, expect: {{ selected: true }} }}\n" for i in range(n)), None),
    ("tests that fail", 64, lambda n: (f"  - {{ name: t{i}, event: {{ event: x }}, expect: {{ selected: true }} }}\n" for i in range(n)), None),
    ("tests that fail beside many rules", 16, lambda n: (f"  - {{ name: t{i}, event: {{ event: x }}, expect: {{ selected: true }} }}\n" for i in range(n)),
     lambda n: many(2000, lambda i: f"  - {{ id: r{i}, include: {{ event: e{i} }} }}")),
    ("tests on one line", 64, lambda n: ["  [", (f"{{ name: t{i}, event: {{ event: x }}, expect: {{ selected: true }} }}, " for i in range(n)), "]\n"], None),
    ("a failing test and rules", 64, lambda n: ["  - { name: t, event: { event: x }, expect: { selected: true } }\n"],
     lambda n: many(n, lambda i: f"  - {{ id: r{i}, include: {{ event: e{i} }} }}")),
    ("events of a test", 64, lambda n: ["  - name: t\n    events:\n", repeated("      - { event: x }\n", n), "    expect: { selected: true }\n"], None),
    ("elements of a test", 64, lambda n: ["  - name: t\n    capture: a.xml\n    elements: [", (f"{i}, " for i in range(min(n, 5000))), "]\n    expect: { selected: true }\n"], None),
    ("elements of a test by selector", 64, lambda n: ["  - name: t\n    capture: a.xml\n    elements: [", repeated('"V*", ', n), "]\n    expect: { selected: true }\n"], None),
    ("tests of one capture", 64, lambda n: (f'  - {{ name: t{i}, capture: a.xml, elements: 1, expect: {{ selected: false }} }}\n' for i in range(n)), None),
    ("properties of an event", 64, lambda n: ["  - name: t\n    event: { event: e, properties: {", (f"p{i}: x, " for i in range(n)), "} }\n    expect: { selected: true }\n"], None),
    ("properties of with", 64, lambda n: ["  - name: t\n    event: { event: e }\n    with: {", (f"p{i}: x, " for i in range(n)), "}\n    expect: { selected: true }\n"], None),
    ("pointers of with", 64, lambda n: ["  - name: t\n    event: { event: e }\n    with: {", (f"/a/b{i}/c: x, " for i in range(n)), "}\n    expect: { selected: true }\n"], None),
    ("depth of an event", 8, lambda n: ["  - name: t\n    event: { event: e, a: ", repeated("{a: ", n), "1", repeated("}", n), " }\n    expect: { selected: true }\n"], None),
    ("rules that are expected", 64, lambda n: ["  - name: t\n    event: { event: e }\n    expect: { rules: [", (f"x{i}, " for i in range(n)), "] }\n"], None),
    ("expected elements", 64, lambda n: ["  - name: t\n    capture: a.xml\n    selector: V*\n    expect: { elements: [", (f"{i}, " for i in range(n)), "] }\n"], None),
    ("unknown keys on one line", 64, lambda n: ["  - { name: t, ", (f"k{i}: 1, " for i in range(n)), "expect: { selected: true } }\n"], None),
    ("unknown keys on lines", 64, lambda n: ["  - name: t\n", (f"    k{i}: 1\n" for i in range(n)), "    expect: { selected: true }\n"], None),
    ("length of a name", 1 << 10, lambda n: ["  - { name: ", repeated("t", n), ", event: { event: x }, expect: { selected: true } }\n"], None),
]
for dimension, start, tests, rules in TESTS:
    case("test", dimension, start, tested(tests, rules), statuses=(0, 1, 65))
for dimension in ("tests that fail", "events of a test", "tests on one line", "rules that are expected", "a failing test and rules"):
    start, tests, rules = next((start, tests, rules) for name, start, tests, rules in TESTS if name == dimension)
    case("test --update", dimension, start, tested(tests, rules, ["--update"]), statuses=(0, 1, 65))
    case("test --format junit", dimension, start, tested(tests, rules, ["--format", "junit"]), statuses=(0, 1, 65))


def lines_of_a_file(box, size):
    box.file("r.yaml", listed("  - { id: a, include: { event: e } }\n"))
    box.file("e.ndjson", repeated('{"event":"e"}\n', size))
    box.file("r.test.yaml", "version: 1\ntests:\n  - name: t\n    events: e.ndjson\n    lines: [", (f"{i + 1}, " for i in range(size)), "]\n    expect: { selected: true }\n")
    return Command(["test", "r.yaml", "--coverage"])


case("test", "lines of a file of events", 256, lines_of_a_file)


# Compiled rules.
def compiled(box, size):
    rules = box.file("r.yaml", many(size, lambda i: f'  - {{ id: r{i}, include: {{ page: P{i}, selector: "A{i}/**/B(0)", where: {{ p: {{ contains: x{i} }} }} }} }}'))
    return Command(["match", "--rules", "rules.compiled"], setup=[["compile", rules, "-o", "rules.compiled"]], stdin=box.file("e", EVENT))


case("match with compiled rules", "rules", 256, compiled)
