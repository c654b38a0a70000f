"""Cases of the language server: streams of messages with one growing dimension."""

import json
import time

from captures import siblings, view_tree, window
from judge import Case
from measure import Command, repeated

CASES = []
URI = "file:///w/r.yaml"


def framed(*pieces):
    body = b"".join(piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)
    return [f"Content-Length: {len(body)}\r\n\r\n", body]


def note(method, **params):
    return framed(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))


def ask(number, method, **params):
    return framed(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))


def opened(text, uri=URI):
    return note("textDocument/didOpen", textDocument={"uri": uri, "languageId": "yaml", "version": 1, "text": text})


def changed(version, text, uri=URI):
    return note("textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=[{"text": text}])


def at(number, method, line, character, **more):
    return ask(number, f"textDocument/{method}", textDocument={"uri": URI}, position={"line": line, "character": character}, **more)


START = [ask(0, "initialize", capabilities={}, rootUri=None), note("initialized")]
END = [ask("end", "shutdown"), note("exit")]
RULES = "version: 1\nrules:\n"


def pause(seconds=0.5):
    """Nothing, after a pause that lets the server do the work that it only does when no message waits."""
    time.sleep(seconds)
    return
    yield


def case(dimension, start, messages, arguments=(), **options):
    def generate(box, size):
        return Command(["lsp", *arguments], feed=[START, messages(size), END])
    CASES.append(Case("lsp", dimension, start, generate, statuses=(0, 1), **options))


def later(generator):
    """Messages that are only made, and paused for, when it is their turn."""
    return lambda n: (piece for piece in generator(n))


def rules(n):
    return RULES + "".join(f'  - {{ id: r{i}, include: {{ page: P{i}, selector: "A{i}/B(0)" }} }}\n' for i in range(n))


# Messages.
case("empty messages", 1 << 12, lambda n: repeated("Content-Length: 0\r\n\r\n", n))
case("messages that are no JSON", 1 << 12, lambda n: repeated("Content-Length: 1\r\n\r\nx", n))
case("messages of unknown methods", 1 << 12, lambda n: (ask(i, "x/y") for i in range(n)))
case("notifications of unknown methods", 1 << 12, lambda n: (note("$/x") for i in range(n)))
case("answers nobody asked for", 1 << 12, lambda n: (framed(f'{{"jsonrpc":"2.0","id":{i},"result":null}}') for i in range(n)))
case("requests, each of them cancelled", 1 << 10, lambda n: [
    (at(i, "hover", 1, 1) for i in range(n)), (note("$/cancelRequest", id=i) for i in range(n))])
case("requests that wait, and cancellations of others", 1 << 10, lambda n: [
    opened(rules(2000)), (ask(f"f{i}", "textDocument/formatting", textDocument={"uri": URI}, options={"tabSize": 2, "insertSpaces": True}) for i in range(8)),
    (at(i, "hover", 1, 1) for i in range(n)), (note("$/cancelRequest", id=-i - 1) for i in range(n))])
case("bytes of one message", 1 << 12, lambda n: framed('{"jsonrpc":"2.0","method":"x","params":"', "x" * n, '"}'))
case("bytes of a method", 1 << 12, lambda n: ask(1, "m" * n))
case("bytes of a request's id", 1 << 12, lambda n: ask("i" * n, "x"))
case("bytes of messages that are too long", 1 << 20, lambda n: [f"Content-Length: {(64 << 20) + n}\r\n\r\n", repeated("x", (64 << 20) + n)], bound=400)
case("bytes of a header", 1 << 8, lambda n: ["X: ", repeated("x", n), "\r\n\r\n"])
case("lines of a header", 1 << 8, lambda n: [repeated("X: y\r\n", n), "Content-Length: 2\r\n\r\n{}"])
case("a header without an end", 1 << 12, lambda n: repeated("x", n))
case("digits of a length", 1 << 6, lambda n: ["Content-Length: ", repeated("9", n), "\r\n\r\n"])
case("depth of a message", 1 << 6, lambda n: framed('{"jsonrpc":"2.0","method":"x","params":', "[" * n, "]" * n, "}"))
case("members of a message", 1 << 8, lambda n: framed('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{', ",".join(f'"k{i}":1' for i in range(n)), "}}"))
case("escapes of a text", 1 << 10, lambda n: framed(
    f'{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{URI}","languageId":"yaml","version":1,"text":"', "\\u00e4" * n, '"}}}'))
case("a message that does not end", 1 << 12, lambda n: ["Content-Length: 60000000\r\n\r\n", repeated("x", n)])

# Documents.
case("documents that are open", 32, later(lambda n: [[opened(rules(2), f"file:///w/{i}.yaml") for i in range(n)], pause()]), most=1 << 14)
case("documents that are opened and closed", 128, lambda n: (
    [opened(rules(2), f"file:///w/{i}.yaml"), note("textDocument/didClose", textDocument={"uri": f"file:///w/{i}.yaml"})] for i in range(n)))
case("length of a document's name", 1 << 8, lambda n: opened(rules(2), "file:///w/" + "a" * n + ".yaml"))
case("escapes in a document's name", 1 << 8, lambda n: opened(rules(2), "file:///w/" + "%61" * n + ".yaml"))
case("folders in a document's name", 1 << 8, lambda n: opened(rules(2), "file:///" + "a/../" * n + "r.yaml"))
case("changes of a small document", 1 << 10, lambda n: [opened(rules(2)), (changed(i, rules(2 + i % 2)) for i in range(n))])
case("changes of a document of 2,000 rules", 8, lambda n: [opened(rules(2000)), (changed(i, rules(2000 + i % 2)) for i in range(n))])
case("changes of 200 documents", 1 << 8, lambda n: [
    (opened(rules(2), f"file:///w/{i}.yaml") for i in range(200)), (changed(i, rules(1 + i % 3), f"file:///w/{i % 200}.yaml") for i in range(n))])
case("texts of one change", 64, lambda n: [opened(rules(2)), note(
    "textDocument/didChange", textDocument={"uri": URI, "version": 2}, contentChanges=[{"text": rules(2)}] * n)])

#: Texts of a document, with requests at the end.
TEXTS = [
    ("rules", 256, rules),
    ("rules on one line", 256, lambda n: "version: 1\nrules: [" + ", ".join(f'{{ id: r{i}, include: {{ selector: "A{i}/B(0)" }} }}' for i in range(n)) + "]\n"),
    ("wrong rules", 64, lambda n: RULES + "".join(f"  - {{ id: r{i}, inclde: {{ page: P }}, x: y }}\n" for i in range(n))),
    ("wrong rules on one line", 64, lambda n: "version: 1\nrules: [" + ", ".join(f"{{ id: é{i}, inclde: {{ page: P }} }}" for i in range(n)) + "]\n"),
    ("length of a line", 1 << 10, lambda n: RULES + '  - { id: a, include: { page: "' + "é" * n + '" } }\n'),
    ("length of a selector", 1 << 8, lambda n: RULES + '  - { id: a, include: { selector: "' + "A/" * n + 'B" } }\n'),
    ("empty lines", 1 << 10, lambda n: RULES + "\n" * n),
    ("brackets", 1 << 6, lambda n: RULES + "[" * n),
    ("braces with keys", 1 << 6, lambda n: RULES + "{a: " * n),
    ("indentation", 1 << 5, lambda n: RULES + "".join(" " * (2 + i) + "a:\n" for i in range(n))),
    ("dashes", 1 << 6, lambda n: RULES + "  " + "- " * n),
    ("a quote that does not end", 1 << 10, lambda n: RULES + '  - id: "' + "a\n" * n),
    ("lines of a block text", 1 << 10, lambda n: RULES + "  - id: a\n    description: |\n" + "      x\n" * n),
    ("bytes of nothing known", 1 << 10, lambda n: "x" * n),
    ("JSON", 256, lambda n: '{"version":1,"rules":[' + ",".join(f'{{"id":"r{i}","include":{{"page":"P"}}}}' for i in range(n)) + "]}"),
]
for dimension, start, text in TEXTS:
    def asked(n, text=text):
        body = text(n)
        lines = body.split("\n")
        last = len(lines) - (2 if body.endswith("\n") and len(lines) > 1 else 1)
        end = len(lines[last])
        yield opened(body)
        yield pause()
        for number, method in enumerate(("completion", "hover", "prepareRename")):
            yield at(number, method, last, end)
            yield at(number + 10, method, last, max(0, end - 8))
        yield at(20, "rename", 2, 11, newName="other")
        yield ask(21, "textDocument/formatting", textDocument={"uri": URI}, options={"tabSize": 2, "insertSpaces": True})
        yield ask(22, "textDocument/codeAction", textDocument={"uri": URI}, context={"diagnostics": []},
                  range={"start": {"line": 0, "character": 0}, "end": {"line": last, "character": end}})
    case(f"questions about a document: {dimension}", start, asked)


# Elements from captures.
def known(n):
    yield opened(RULES + '  - { id: a, include: { selector: "" } }\n  - { id: b, include: { selector: "V*" } }\n  - { id: c, include: { where: { $element_content: "" } } }\n')
    yield pause(2)
    for number, (line, character) in enumerate([(2, 37), (3, 38), (4, 56)]):
        yield at(number, "completion", line, character)
        yield at(number + 10, "hover", line, character)


def with_captures(dimension, start, body):
    def generate(box, size):
        box.file("a.xml", view_tree(body(size)))
        return Command(["lsp", "--captures", "a.xml"], feed=[START, known(size), END])
    CASES.append(Case("lsp --captures", dimension, start, generate, statuses=(0, 1)))


with_captures("siblings of distinct classes", 1 << 10, lambda n: window(siblings(n, lambda i: f'class="V{i}" label="t{i}"')))
with_captures("length of a class", 1 << 10, lambda n: window('<view class="V', repeated("a", n), '"/>'))
with_captures("length of a text", 1 << 10, lambda n: window('<view class="UIButton" title="', repeated("a", n), '"/>'))
