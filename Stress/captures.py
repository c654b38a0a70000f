"""Cases of captures: all formats, and the commands that read them."""

import gzip
import os

from judge import Case
from measure import Command, repeated

CASES = []
NDJSON = ["resolve", "--format", "ndjson"]
STYLES = ["hubbledata-android", "lede", "sensors", "sensors-exact", "growingio", "posthog"]


def view_tree(*body, attributes=""):
    return [f'<?xml version="1.0"?>\n<viewTree version="1" app="a.b" appVersion="1.0" os="iOS"{attributes}>\n', *body, "</viewTree>\n"]


def nested(count, view, inner=""):
    """Views in views; `view` gives the attributes at a level."""
    return [(f"<view {view(level)}>\n" for level in range(count)), inner, repeated("</view>\n", count)]


def window(*body):
    return ['<view class="UIWindow">\n', *body, "</view>\n"]


def siblings(count, view):
    return (f"<view {view(index)}/>\n" for index in range(count))


#: Trees by dimension: name, first size, body.
TREES = [
    ("name length", 1 << 14, lambda n: window('<view class="', repeated("A", n), '"/>')),
    ("name length on 100 levels", 16, lambda n: nested(100, lambda level: f'class="{"A" * n}"')),
    ("separators in a name", 1 << 12, lambda n: window('<view class="', repeated("_A", n), '"/>')),
    ("parentheses in a name", 1 << 12, lambda n: window('<view class="', repeated("(0)", n), '"/>')),
    ("depth", 64, lambda n: nested(n, lambda level: 'class="UIView"')),
    ("depth with distinct names", 64, lambda n: nested(n, lambda level: f'class="V{level}"')),
    ("depth with controllers", 64, lambda n: nested(n, lambda level: f'class="V{level}" controller="C{level}"')),
    ("depth of cells with texts", 64,
     lambda n: nested(n, lambda level: f'class="UITableViewCell" indexPath="0 {level}" label="{"x" * 50}"')),
    ("depth of scroll views with controllers", 64,
     lambda n: nested(n, lambda level: f'class="UIScrollView" controller="C{level}" frame="0 0 9 9"')),
    ("siblings of one class", 1 << 12, lambda n: window(siblings(n, lambda index: 'class="UIView"'))),
    ("siblings of distinct classes", 1 << 12, lambda n: window(siblings(n, lambda index: f'class="V{index}"'))),
    ("siblings with distinct actions", 1 << 12,
     lambda n: window('<view class="UINavigationBar">', siblings(n, lambda index: f'class="UIButton" actions="a{index}:"'), "</view>")),
    ("siblings with controllers", 1 << 12,
     lambda n: window(siblings(n, lambda index: f'class="V" controller="C{index}"'))),
    ("children of scroll views with controllers", 1 << 12,
     lambda n: nested(1, lambda level: 'class="UIView" controller="P"', [
         '<view class="UIScrollView" frame="0 0 10 10">',
         siblings(n, lambda index: f'class="V" frame="{index * 10} 0 10 10" controller="C{index}"'), "</view>"])),
    ("cells", 1 << 11, lambda n: window('<view class="UITableView">', siblings(
        n, lambda index: f'class="UITableViewCell" indexPath="0 {index}" label="text {index}" frame="0 {index * 10} 10 10"'), "</view>")),
    ("texts in one cell", 1 << 12, lambda n: window(
        '<view class="UITableViewCell" indexPath="0 0">', siblings(n, lambda index: f'class="UILabel" text="text {index}"'), "</view>")),
    ("hidden views below 100 levels", 1 << 10, lambda n: nested(
        100, lambda level: 'class="UIView"', siblings(n, lambda index: 'class="UILabel" hidden="true" text="x"'))),
    ("texts below 100 levels", 1 << 10, lambda n: nested(
        100, lambda level: 'class="UIView"', siblings(n, lambda index: f'class="UILabel" text="text {index}"'))),
    ("segments", 1 << 11, lambda n: window(
        '<view class="UISegmentedControl" selectedIndex="1">',
        siblings(n, lambda index: f'class="UISegment" frame="{index * 7 % 1000} 0 1 1" title="{index}"'), "</view>")),
    ("windows", 1 << 12, lambda n: siblings(n, lambda index: 'class="UIWindow"')),
    ("elements with one identity", 1 << 12, lambda n: window(
        siblings(n, lambda index: 'class="UITableViewCell" indexPath="0 0"'))),
    ("pairs with one identity", 1 << 12, lambda n: window(
        siblings(n, lambda index: f'class="UITableViewCell" indexPath="0 {index // 2}"'))),
    ("a deep chain of long names with leaves", 1 << 7, lambda n: nested(
        n, lambda level: f'class="{"A" * 40}"', siblings(n * 40, lambda index: 'class="B"')) if n < 990 else nested(
        990, lambda level: f'class="{"A" * (n * 40 // 990)}"', siblings(n * 40, lambda index: 'class="B"'))),
    ("an alert's message and its elements", 1 << 12, lambda n: window(
        '<view class="V" controller="UIAlertController" message="', repeated("m", n), '">',
        siblings(n // 64, lambda index: 'class="UILabel" text="a"'), "</view>")),
    ("a controller's name and its elements", 1 << 12, lambda n: window(
        '<view class="V" controller="', repeated("C", n), '">', siblings(n // 64, lambda index: 'class="B"'), "</view>")),
    ("attributes of a view", 64, lambda n: window('<view class="A" ', (f'a{i}="{i}" ' for i in range(n)), "/>")),
    ("unknown attributes of many views", 1 << 10, lambda n: window(siblings(n, lambda i: f'class="A" a{i}="x" b{i}="y"'))),
    ("distinct names of processing instructions", 1 << 12, lambda n: window((f"<?p{i}?>" for i in range(n)))),
    ("length of an attribute", 1 << 14, lambda n: window('<view class="A" label="', repeated("x", n), '"/>')),
    ("text of a label in nested cells", 1 << 10, lambda n: nested(
        200, lambda level: f'class="UITableViewCell" indexPath="0 {level}"', f'<view class="UILabel" text="{"é" * n}"/>')),
    ("superclasses of one view", 1 << 10, lambda n: window(
        '<view class="A" superclasses="', (f"S{i} " for i in range(n)), 'UIView"/>')),
    ("superclasses of ten views each", 1 << 8, lambda n: window(siblings(
        n, lambda index: f'class="A{index}" superclasses="{" ".join(f"S{index}x{i}" for i in range(10))} UIView"'))),
    ("a chain of superclasses through views", 1 << 10, lambda n: window(siblings(
        n, lambda index: f'class="K{index}" superclasses="K{index + 1}"'))),
    ("a chain of superclasses in two names each", 1 << 10, lambda n: window(siblings(
        n, lambda index: f'class="K{index}" superclasses="K{index + 1} K{index + 2} UIButton"'))),
    ("superclasses in a ring", 1 << 10, lambda n: window(siblings(
        n, lambda index: f'class="K{index}" superclasses="K{(index + 1) % n}"'))),
    ("superclasses of a controller", 1 << 10, lambda n: window(
        '<view class="A" controller="C" controllerSuperclasses="', (f"S{i} " for i in range(n)), '"/>')),
    ("actions of a control", 1 << 10, lambda n: window(
        '<view class="UINavigationBar"><view class="UIButton" actions="', (f"a{i}: " for i in range(n)), '"/></view>')),
    ("gestures of a view", 1 << 10, lambda n: window('<view class="A" gestures="', repeated("tap pan ", n), '"/>')),
    ("digits of a frame", 1 << 10, lambda n: window('<view class="A" frame="0 0 ', repeated("9", n), ' 1"/>')),
    ("digits of a fraction in a frame", 1 << 10, lambda n: window('<view class="A" frame="0 0 0.', repeated("9", n), ' 1"/>')),
    ("spaces in lists", 1 << 10, lambda n: window(
        '<view class="A" superclasses="', repeated(" ", n), '" frame="', repeated(" ", n), '1 1 1 1" actions="', repeated(" ", n), '"/>')),
    ("digits of an index path", 8, lambda n: window('<view class="UITableViewCell" indexPath="0 ', repeated("9", n), '"/>')),
    ("character references", 1 << 10, lambda n: window('<view class="A" label="', repeated("&#65;", n), '"/>')),
    ("entity references", 1 << 10, lambda n: window('<view class="A" label="', repeated("&amp;", n), '"/>')),
    ("comments", 1 << 12, lambda n: window(repeated("<!-- c -->", n))),
    ("length of a comment", 1 << 14, lambda n: window("<!--", repeated("c", n), "-->")),
    ("processing instructions", 1 << 12, lambda n: window(repeated("<?p i?>", n))),
    ("text between views", 1 << 14, lambda n: window(repeated("\n ", n))),
    ("spaces between attributes", 1 << 14, lambda n: window('<view class="A"', repeated(" ", n), 'label="x"/>')),
    ("spaces before the tree", 1 << 14, lambda n: None),
    ("elements on one line with an error at its end", 1 << 12, lambda n: window(
        repeated('<view class="A"/>', n), '<view class="A" frame="x"/>')),
    ("React Native tags", 1 << 12, lambda n: window(siblings(n, lambda i: f'class="RCTView" reactTag="{i}" nativeID="n{i}" testID="t{i}"'))),
    ("unique tags of a style", 1 << 12, lambda n: window(
        '<view class="V" controller="C">', siblings(n, lambda i: f'class="V" growingUniqueTag="t{i}" postHogLabel="l{i}"'), "</view>")),
    ("segments without titles", 1 << 12, lambda n: window(
        '<view class="UISegmentedControl" selectedIndex="1">', siblings(n, lambda i: f'class="UISegment" frame="{i} 0 1 1"'), "</view>")),
    ("tabs", 1 << 12, lambda n: window(
        '<view class="UITabBar">', siblings(n, lambda i: f'class="UITabBarButton" frame="{i} 0 1 1"'), "</view>")),
]
#: The work for these trees depends on their shape, so every command gets them.
SHAPES = ["depth with distinct names", "siblings of one class", "siblings of distinct classes", "cells", "elements with one identity",
          "a deep chain of long names with leaves", "superclasses of one view", "a chain of superclasses through views",
          "superclasses in a ring", "name length", "length of an attribute", "depth with controllers", "texts in one cell",
          "an alert's message and its elements", "depth of cells with texts"]


def case(command, dimension, start, generate, **options):
    CASES.append(Case(command, dimension, start, generate, **options))


def write(box, body, size, name="a.xml"):
    if body(16) is None:
        return box.file(name, repeated("\n", size), '<viewTree version="1">', '<view class="A"/></viewTree>')
    return box.file(name, view_tree(body(size)))


def reading(arguments, body, **extra):
    return lambda box, size: Command([*arguments, write(box, body, size)], **extra)


def with_file(body, arguments):
    """A command whose arguments name the capture somewhere: it is CAPTURE in them."""
    def generate(box, size):
        write(box, body, size)
        return Command(["a.xml" if argument == "CAPTURE" else argument for argument in arguments])
    return generate


for dimension, start, body in TREES:
    most = 1 << 62
    case("resolve", dimension, start, reading(NDJSON, body), statuses=(0, 1, 65) if "error" in dimension else (0, 1), most=most)

bodies = {dimension: (start, body) for dimension, start, body in TREES}
for dimension in SHAPES:
    start, body = bodies[dimension]
    case("resolve as a table", dimension, start, reading(["resolve"], body))
    case("index", dimension, start, reading(["index", "-o", "d"], body))
    case("select kind-of", dimension, start, reading(["select", ":UIControl", "--format", "csv"], body))
    case("suggest", dimension, start, with_file(body, ["suggest", "CAPTURE", "1", "--by", "number"]))
    case("select --same-kind", dimension, start, with_file(body, ["select", "--same-kind", "--levels", "all", "--format", "csv", "1", "CAPTURE"]))

    def rules(box, text=None):
        return box.file("r.yaml", text or (
            'version: 1\nrules:\n  - id: a\n    include: { selector: "**/:UIControl" }\n'
            '  - id: b\n    include: { selector: "UIView/**/B(1)", page: { kindOf: C1 } }\n'))

    def matching(box, size, body=body):
        write(box, body, size)
        return Command(["match", "--rules", rules(box), "--captures", "a.xml"], stdin=box.file(
            "e", '{"event":"a","properties":{"$element_path":"UIWindow(0)_A(0)"}}\n'))

    def checking(box, size, body=body):
        write(box, body, size)
        return Command(["check", rules(box), "--captures", "a.xml"])

    def compiling(box, size, body=body):
        write(box, body, size)
        return Command(["compile", rules(box), "--captures", "a.xml", "-o", "rules.compiled"])

    case("match --captures", dimension, start, matching)
    case("check --captures", dimension, start, checking)
    case("compile --captures", dimension, start, compiling)

for style in STYLES:
    for dimension in ["depth with distinct names", "depth with controllers", "siblings with controllers", "siblings of one class", "cells",
                      "elements with one identity", "segments", "tabs", "unique tags of a style", "name length"]:
        start, body = bodies[dimension]

        def controlled(n, body=body):
            return ['<view class="R" controller="RootController">', body(n), "</view>"]

        def resolving(box, size, body=controlled, style=style):
            os_name = "Android" if "android" in style else "iOS"
            return Command(["resolve", "--style", style, "--format", "ndjson", box.file(
                "a.xml", f'<viewTree version="1" os="{os_name}">', body(size), "</viewTree>")])

        case(f"resolve --style {style}", dimension, start, resolving)


# The other formats.

def wda(*body):
    return ["<AppiumAUT>", *body, "</AppiumAUT>"]


def wda_element(kind, attributes, *body):
    return [f'<XCUIElementType{kind} type="XCUIElementType{kind}" x="0" y="0" width="9" height="9" {attributes}>', *body, f"</XCUIElementType{kind}>\n"]


def android(*body):
    return ['<hierarchy rotation="0">', *body, "</hierarchy>"]


def node(attributes, close="/"):
    return f'<node class="android.widget.FrameLayout" bounds="[0,0][9,9]" {attributes}{close}>\n'


def description(count, line):
    return (line(index) for index in range(count))


def text_view(text, indent=""):
    return [indent, "<UILabel: 0x10; frame = (0 0; 1 1); text = '", text, "'; layer = <CALayer: 0x20>>\n"]


ROOT = "<UIWindow: 0x1; frame = (0 0; 1 1); layer = <CALayer: 0x2>>\n"


def sentry(*body):
    return ['{"rendering_system":"UIKIT","windows":[', *body, "]}"]


def calabash(*body):
    return ['{"type":"CalabashRootView","children":[', *body, "]}"]


#: A view of Calabash without the end of its description.
CALABASH = '{"type":"V","frame":{"x":0,"y":0,"width":1,"height":1},"description":"<V: 0x1; frame = (0 0; 1 1)'


def wrapped(*body):
    return ['{"value":"', *body, '","sessionId":null}']


def element(level, rest="Other, 0x1f, {{0.0, 0.0}, {1.0, 1.0}}, label: 'x'"):
    return " " * (2 * level) + rest + "\n"


CONTROLLER = "   | <Shop.C{0} 0x9>, state: appeared, view: <UIView: 0x{1:x}>\n"
OTHERS = [
    ("xcui-description", "depth", 64, lambda n: (element(i) for i in range(n))),
    ("xcui-description", "siblings", 1 << 11, lambda n: [element(0), repeated(element(1), n)]),
    ("xcui-description", "text length", 1 << 13, lambda n: [element(0), "  Other, 0x1, label: '", repeated("x", n), "'\n"]),
    ("xcui-description", "quotes in a text", 1 << 12, lambda n: [element(0), "  Other, 0x1, label: '", repeated("', ", n), "'\n"]),
    ("xcui-description", "lines of a text", 1 << 12, lambda n: [element(0), "  Other, 0x1, label: '", repeated("a\n", n), "'\n"]),
    ("xcui-description", "quotes that do not end", 1 << 11, lambda n: [element(0), repeated("  Other, 0x1, value: 'a\n", n)]),
    ("xcui-description", "lines of a value", 1 << 12, lambda n: [element(0), "  Other, 0x1, value: a\n", repeated("a\n", n)]),
    ("xcui-description", "addresses in a text", 1 << 12, lambda n: [element(0), "  Other, 0x1, label: '", repeated(" 0x1", n), "'\n"]),
    ("xcui-description", "fields of a view", 1 << 12, lambda n: [element(0), "  Other, 0x1", repeated(", label: 'a'", n), "\n"]),
    ("xcui-description", "lines before the first view", 1 << 12, lambda n: [repeated("t = 1.2s\n", n), element(0)]),
    ("sentry", "depth", 64, lambda n: sentry(repeated('{"type":"V","children":[', n), repeated("]}", n))),
    ("sentry", "siblings", 1 << 11, lambda n: sentry('{"type":"V"}', repeated(',{"type":"V","x":1,"y":2,"width":3,"height":4}', n))),
    ("sentry", "controllers", 1 << 11, lambda n: sentry('{"type":"V"}', (f',{{"type":"V","view_controller":"C{i}"}}' for i in range(n)))),
    ("sentry", "name length", 1 << 13, lambda n: sentry('{"type":"', repeated("A", n), '"}')),
    ("sentry", "escapes in a text", 1 << 12, lambda n: sentry('{"type":"A","text":"', repeated("\\u786e", n), '"}')),
    ("sentry", "members", 4, lambda n: sentry('{"type":"A"', (f',"m{i}":1' for i in range(n)), "}")),
    ("sentry", "numbers in a list", 1 << 12, lambda n: sentry('{"type":"A","list":[1', repeated(",1", n), "]}")),
    ("calabash", "siblings", 1 << 10, lambda n: calabash(CALABASH + '>"}', repeated("," + CALABASH + '>"}', n))),
    ("calabash", "text of a description", 1 << 12, lambda n: calabash(CALABASH, "; text = '", repeated("a'; ", n), "'>\"}")),
    ("deviceagent", "nested alerts", 64, lambda n: ['{"type":"Application","test_id":1,"children":[', repeated('{"label":"a","type":"Alert","children":[', n), repeated("]}", n), "]}"]),
    ("maestro", "siblings", 1 << 11, lambda n: ['{"attributes":{},"children":[{"attributes":{}}', repeated(',{"attributes":{"class":"a.B","bounds":"[0,0][9,9]","text":"x"}}', n), "]}"]),
    ("maestro", "containers in one another", 64, lambda n: ['{"attributes":{"class":"a.B"},"children":[', repeated('{"attributes":{},"children":[', n // 2), repeated("]}", n // 2), "]}"]),
    ("axe", "siblings", 1 << 11, lambda n: ['{"axeContext":{"axeView":{"children":[{"className":"a.B"}', repeated(',{"className":"a.B","text":"x"}', n), "]}}}"]),
    ("detox", "siblings", 1 << 11, lambda n: ["<ViewHierarchy>", repeated('<V class="V" x="1" y="2" width="<number>" height="<number>"/>', n), "</ViewHierarchy>"]),
    ("detox", "depth", 64, lambda n: ["<ViewHierarchy>", repeated('<V class="V">', n), repeated("</V>", n), "</ViewHierarchy>"]),
    ("webdriveragent", "page source in JSON", 1 << 11, lambda n: wrapped("<AppiumAUT>", repeated("\\n<UIAWindow name=\\\"a\\\"/>", n), "</AppiumAUT>")),
    ("webdriveragent", "page source in JSON with a broken end", 1 << 11, lambda n: wrapped("<AppiumAUT>", repeated("\\n<UIAWindow name=\\\"a\\\"/>", n), "</a>")),
    ("recursive-description", "lines of controllers", 1 << 10, lambda n: [ROOT, (CONTROLLER.format(i, i + 3) for i in range(n)), ROOT]),
    ("webdriveragent", "depth", 64, lambda n: wda(
        repeated('<XCUIElementTypeOther type="XCUIElementTypeOther" x="0" y="0" width="9" height="9">', n), repeated("</XCUIElementTypeOther>", n))),
    ("webdriveragent", "siblings", 1 << 11, lambda n: wda(wda_element("Table", "", repeated("".join(wda_element("Cell", 'label="x"')), n)))),
    ("webdriveragent", "distinct element names", 1 << 11, lambda n: wda((f'<XCUIElementTypeX{i} x="0" y="0" width="1" height="1"/>' for i in range(n)))),
    ("webdriveragent", "texts in an alert", 1 << 10, lambda n: wda(wda_element("Alert", 'label="a"', repeated("".join(wda_element("StaticText", 'value="text" label="text"')), n)))),
    ("webdriveragent", "nested alerts", 64, lambda n: wda(
        repeated('<XCUIElementTypeAlert x="0" y="0" width="9" height="9" label="a">', n), repeated("</XCUIElementTypeAlert>", n))),
    ("webdriveragent", "length of a label", 1 << 14, lambda n: wda('<XCUIElementTypeButton x="0" y="0" width="9" height="9" label="', repeated("x", n), '"/>')),
    ("uiautomator", "depth", 64, lambda n: android(repeated(node("", ""), n), repeated("</node>", n))),
    ("uiautomator", "siblings", 1 << 11, lambda n: android((node(f'index="{i}" resource-id="a:id/r{i}"') for i in range(n)))),
    ("uiautomator", "resource ids in common", 1 << 11, lambda n: android(repeated(node('resource-id="a:id/r"'), n))),
    ("uiautomator", "length of a text", 1 << 14, lambda n: android('<node class="a.B" bounds="[0,0][9,9]" text="', repeated("x", n), '"/>')),
    ("uiautomator", "digits of bounds", 1 << 10, lambda n: android('<node class="a.B" bounds="[0,0][9,', repeated("9", n), ']"/>')),
    ("recursive-description", "depth", 64, lambda n: [ROOT, description(n, lambda i: "   | " + "   | " * i + f"<V{i}: 0x3; frame = (0 0; 1 1); layer = <CALayer: 0x4>>\n")]),
    ("recursive-description", "siblings", 1 << 11, lambda n: [ROOT, repeated("   | <UIView: 0x3; frame = (0 0; 1 1); layer = <CALayer: 0x4>>\n", n)]),
    ("recursive-description", "layers", 1 << 12, lambda n: [ROOT, repeated("   | <CALayer: 0x4> (layer)\n", n)]),
    ("recursive-description", "name length", 1 << 14, lambda n: [ROOT, "   | <", repeated("A", n), ": 0x3; frame = (0 0; 1 1); layer = <CALayer: 0x4>>\n"]),
    ("recursive-description", "text length", 1 << 13, lambda n: [ROOT, text_view(repeated("x", n), "   | ")]),
    ("recursive-description", "quotes in a text", 1 << 12, lambda n: [ROOT, text_view(repeated("'; ", n), "   | ")]),
    ("recursive-description", "fields in a text", 1 << 12, lambda n: [ROOT, text_view(repeated("'; frame = (1 1; 1 1)", n), "   | ")]),
    ("recursive-description", "lines of a text", 1 << 12, lambda n: [ROOT, text_view(repeated("a\n", n), "   | ")]),
    ("recursive-description", "ends of views in a text", 1 << 12, lambda n: [ROOT, text_view(repeated(">\n", n), "   | ")]),
    ("recursive-description", "views in a text", 1 << 11, lambda n: [ROOT, text_view(repeated("\n   | <UIView: 0x3; frame = (0 0; 1 1); layer = <CALayer: 0x4>>", n), "   | ")]),
    ("recursive-description", "beginnings of views", 1 << 12, lambda n: [ROOT, "   | ", repeated("<A: 0x1; ", n), ">\n"]),
    ("recursive-description", "beginnings of escaped lines", 1 << 12, lambda n: [text_view(repeated("\\n<", n), "")]),
    ("recursive-description", "angle brackets", 1 << 12, lambda n: [ROOT, "   | ", repeated("<", n), "A: 0x1; frame = (0 0; 1 1)>\n"]),
    ("recursive-description", "texts that do not end", 1 << 11, lambda n: [ROOT, repeated("   | <UILabel: 0x3; frame = (0 0; 1 1); text = 'a; layer = <CALayer: 0x4>>\n", n)]),
    ("recursive-description", "fields of a view", 1 << 12, lambda n: [ROOT, "   | <UIView: 0x3; frame = (0 0; 1 1)", repeated("; a = <B: 0x1>", n), "; layer = <CALayer: 0x4>>\n"]),
    ("recursive-description", "bars before a line", 1 << 12, lambda n: [ROOT, repeated("|", n), " <UIView: 0x3; frame = (0 0; 1 1)>\n"]),
    ("recursive-description", "spaces before a line", 1 << 12, lambda n: [ROOT, repeated(" ", n), "<UIView: 0x3; frame = (0 0; 1 1)>\n"]),
    ("recursive-description", "lines before the first view", 1 << 12, lambda n: [repeated("(lldb) po x\n", n), ROOT]),
    ("recursive-description", "lines after the last view", 1 << 12, lambda n: [ROOT, repeated("text\n", n)]),
    ("recursive-description", "comment marks", 1 << 12, lambda n: [repeated("// ", n), ROOT]),
    ("recursive-description", "views on one line", 1 << 11, lambda n: [repeated(ROOT.strip() + "\\n   | ", n), ROOT]),
    ("any format", "bytes of nothing known", 1 << 14, lambda n: repeated("x", n)),
    ("any format", "lines of nothing known", 1 << 14, lambda n: repeated("x y\n", n)),
    ("any format", "spaces", 1 << 14, lambda n: repeated(" ", n)),
    ("any format", "beginnings of tags", 1 << 14, lambda n: repeated("<a", n)),
    ("any format", "tags of one letter", 64, lambda n: repeated("<a>", n)),
]
for kind, dimension, start, body in OTHERS:
    for command, arguments in [("resolve", NDJSON), ("index", ["index", "-o", "d"])]:
        if command == "index" and kind == "any format":
            continue
        case(f"{command} {kind}", dimension, start, lambda box, size, body=body, arguments=arguments: Command(
            [*arguments, box.file("a", body(size))]),
            statuses=(0, 1, 65) if kind == "any format" or "end" in dimension or "begin" in dimension or "angle" in dimension
            or "line" in dimension or "bars" in dimension or "marks" in dimension or "views" in dimension or "quotes" in dimension
            or "digits" in dimension else (0, 1))


# Files around captures.

def zipped(box, size):
    path = os.path.join(box.folder, "a.gz")
    with gzip.open(path, "wb", 6) as file:
        file.write(b'<viewTree version="1"><view class="A"/>')
        for piece in repeated(" " * 1024, size):
            file.write(piece.encode())
        file.write(b"</viewTree>")
    box.bytes = os.path.getsize(path) * 1000  # what it holds, about
    return Command([*NDJSON, "a.gz"])


def encoded(name):
    def generate(box, size):
        mark = {"utf-16": b"\xff\xfe", "utf-32": b"\xff\xfe\x00\x00"}.get(name, b"")
        codec = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(name, name)
        head = f'<?xml version="1.0" encoding="{name}"?><viewTree version="1">' if not mark else '<viewTree version="1">'
        return Command([*NDJSON, box.file("a.xml", mark, head.encode(codec), (
            '<view class="视图"/>'.encode(codec) for _ in range(size)), "</viewTree>".encode(codec))])
    return generate


case("resolve", "bytes of a gzip file", 1 << 8, zipped)
for name in ["utf-16", "utf-32", "gb18030"]:
    case("resolve", f"views in {name}", 1 << 11, encoded(name))


def many(arguments, tree='<view class="UIWindow"><view class="V{0}" label="x"/></view>'):
    def generate(box, size):
        for index in range(size):
            box.file(f"c/{index}.xml", view_tree(tree.format(index)))
        return Command([*arguments, "c"])
    return generate


case("resolve", "captures", 64, many(NDJSON), most=1 << 13)
case("index", "captures", 64, many(["index", "-o", "d"]), most=1 << 13)
case("index", "captures with one event ID", 64, many(
    ["index", "-o", "d"], '<view class="UIWindow"><view class="A" label="{0}"/></view>'), most=1 << 13)
case("select", "captures", 64, many(["select", "V*"]), most=1 << 13)


#: Bodies of HTML pages.
PAGES = [
    ("elements of a page", 1 << 11, lambda n: (f'<i id="e{i}">t{i}</i>' for i in range(n))),
    ("equal texts of a page", 1 << 11, lambda n: repeated(f"<p>{'text ' * 40}</p>", n)),
    ("rows of a page", 1 << 10, lambda n: (f'<li class="row r{i % 9}"><a href="/{i}">{i}</a></li>' for i in range(n))),
    ("bytes of a text of a page", 1 << 15, lambda n: ["<p>", repeated("文", n), "</p>"]),
    ("unclosed formatting of a page", 64, lambda n: repeated("<b><p>x", n)),
    ("cells without a table row", 256, lambda n: ["<table>", repeated("<td>x", n)]),
]
for style in ["sensors-web", "posthog-web"]:
    for dimension, start, body in PAGES:

        def paging(box, size, body=body, style=style):
            return Command(["resolve", "--style", style, "--format", "ndjson", box.file(
                "a.html", "<!DOCTYPE html><html><body>", body(size), "</body></html>")])

        case(f"resolve --style {style}", dimension, start, paging)


case("resolve --style sensors-android", "rows of an alert", 1 << 10, lambda box, size: Command(
    ["resolve", "--style", "sensors-android", "--format", "ndjson", box.file("a.xml", [
        '<viewTree version="1" app="a.b" os="Android"><view class="com.android.internal.policy.DecorView" controller="a.Main"/>',
        '<view class="com.android.internal.policy.DecorView" window="dialog">',
        '<view class="android.widget.ListView" identifier="android:id/select_dialog_listview">',
        (f'<view class="R" indexPath="0 {i}"/>' for i in range(size)), "</view></view></viewTree>"])]))


# Selectors, as an argument.

def selecting(selector, body=bodies["depth with distinct names"][1], depth=900):
    return lambda box, size: Command(["select", selector(size), "--count", write(box, body, depth)])


SELECTORS = [
    ("steps", 16, lambda n: "/".join(["*"] * n)),
    ("recursive wildcards", 16, lambda n: "**/" + "**/".join(["V*/"] * n) + "*"),
    ("recursive wildcards of one class", 16, lambda n: "/".join(["**/UIView"] * n)),
    ("wildcards in a name", 16, lambda n: "*V" * n + "*"),
    ("wildcards side by side", 16, lambda n: "*" * n),
    ("values of a locator", 16, lambda n: "V*(" + ",".join(str(i) for i in range(n)) + ")"),
    ("digits of an index", 16, lambda n: "V(" + "1" * n + ")"),
    ("kind-of steps", 16, lambda n: "/".join([":UIView"] * n)),
    ("name length", 16, lambda n: "A" * n),
    ("quotes in a name", 16, lambda n: "'" + "''" * n + "'"),
    ("parentheses", 16, lambda n: "A" + "(" * n),
    ("slashes", 16, lambda n: "A" + "/" * n),
]
for dimension, start, selector in SELECTORS:
    for shape in ["depth with distinct names", "depth"]:
        case("select", f"{dimension}, in a tree of {shape}", start, selecting(selector, bodies[shape][1]), most=1 << 16,
             statuses=(0, 1, 64, 65))
case("select", "name length under a name with wildcards", 1 << 12, lambda box, size: Command(
    ["select", "*a*a*a*a*a*b", "--count", box.file("a.xml", view_tree(window('<view class="', repeated("a", size), '"/>')))]))
case("select", "siblings under recursive wildcards", 1 << 10, lambda box, size: Command(
    ["select", "**/*/**/*/**/*/**/*", "--count", write(box, bodies["siblings of one class"][1], size)]))
case("suggest", "elements with one text", 1 << 10, lambda box, size: Command(
    ["suggest", box.file("a.xml", view_tree(window(siblings(size, lambda i: 'class="UILabel" text="same"')))), "same", "--by", "text"]))
case("suggest", "length of a text", 1 << 12, lambda box, size: Command(
    ["suggest", box.file("a.xml", view_tree(window(f'<view class="UIButton" title="{"t" * size}"/>'))), "1", "--by", "number", "--rules-yaml"]))


def against(box, size):
    for index in range(size):
        box.file(f"c/{index}.xml", view_tree(window(f'<view class="UIButton" title="{index}"/>')))
    return Command(["suggest", box.file("a.xml", view_tree(window('<view class="UIButton" title="x"/>'))), "1", "--by", "number", "--against", "c"])


case("suggest --against", "captures", 64, against, most=1 << 13)
