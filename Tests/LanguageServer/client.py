"""Drives `encircle lsp` with pygls' client, as an editor would.

usage: client.py TOOL CAPTURES      runs all tests and exits with status 1 if one fails
       client.py TOOL --measure N   prints the processor time of the answer to a keystroke in a file of N rules
"""

import asyncio
import os
import pathlib
import shutil
import sys
import tempfile

from lsprotocol import types as lsp
from pygls.lsp.client import BaseLanguageClient

RULES = """version: 1
rules:
  - id: feed.add
    include:
      page: HomeViewController
      selector: ProductCell(section:0 row:*)/**/UIButton(0)
  - id: feed.count
    include: { page: HomeViewControler, selector: "ProductCell(section:0 row:*)/**/CountButon" }
"""

TESTS = """version: 1
tests:
  - name: adding
    event: { event: $AppClick }
    expect: { includes: [], emit: [] }
  - name: named
    event: { event: $AppClick }
    expect:
      rules: feed.add
"""


class Editor:
    """A client with a workspace, which keeps the diagnostics of each file."""

    def __init__(self, tool, *options, encodings=None):
        self.tool, self.options, self.encodings = tool, options, encodings
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="encircle-lsp-"))
        self.diagnostics = {}
        self.arrived = asyncio.Event()
        self.version = 0
        self.client = BaseLanguageClient("editor", "1")

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params):
            self.diagnostics[params.uri] = params.diagnostics
            self.arrived.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def shown(params):
            print("message:", params.message, file=sys.stderr)

        @self.client.feature(lsp.WINDOW_LOG_MESSAGE)
        def logged(params):
            pass

        @self.client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def registered(params):
            return None

    async def __aenter__(self):
        await self.client.start_io(self.tool, "lsp", *self.options)
        self.result = await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(
                    general=lsp.GeneralClientCapabilities(position_encodings=self.encodings),
                    workspace=lsp.WorkspaceClientCapabilities(
                        did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
                    ),
                ),
                root_uri=self.folder.as_uri(),
                workspace_folders=[lsp.WorkspaceFolder(uri=self.folder.as_uri(), name="rules")],
            )
        )
        self.client.initialized(lsp.InitializedParams())
        return self

    async def __aexit__(self, *_):
        await self.client.shutdown_async(None)
        self.client.exit(None)
        status = await asyncio.wait_for(self.client._server.wait(), 20)
        await self.client.stop()
        shutil.rmtree(self.folder)
        assert status == 0, f"exit status {status}"

    def uri(self, name):
        return (self.folder / name).as_uri()

    def document(self, name):
        return lsp.TextDocumentIdentifier(uri=self.uri(name))

    def open(self, name, text):
        self.diagnostics.pop(self.uri(name), None)
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(
                text_document=lsp.TextDocumentItem(uri=self.uri(name), language_id="yaml", version=0, text=text)
            )
        )

    def change(self, name, text):
        self.version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                text_document=lsp.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.version),
                content_changes=[lsp.TextDocumentContentChangeWholeDocument(text=text)],
            )
        )

    async def wait(self, name, condition):
        """Waits until the diagnostics of a file are as they should be."""
        for _ in range(600):
            found = self.diagnostics.get(self.uri(name))
            if found is not None and condition(found):
                return found
            self.arrived.clear()
            try:
                await asyncio.wait_for(self.arrived.wait(), 0.1)
            except asyncio.TimeoutError:
                pass
        raise AssertionError(f"the diagnostics of {name} are {self.diagnostics.get(self.uri(name))}")


def place(text, before):
    """The position after a part of a text, in UTF-16 units."""
    index = text.index(before) + len(before)
    line = text.count("\n", 0, index)
    start = text.rfind("\n", 0, index) + 1
    return lsp.Position(line=line, character=len(text[start:index].encode("utf-16-le")) // 2)


def codes(diagnostics):
    return sorted(str(d.code) for d in diagnostics)


async def test_diagnostics(tool, captures):
    async with Editor(tool, "--captures", captures) as editor:
        editor.open("shop.yaml", RULES)
        found = await editor.wait("shop.yaml", lambda d: "unknown-class" in codes(d))
        assert "unknown-page" in codes(found), codes(found)
        editor.change("shop.yaml", RULES.replace("include:", "inclde:", 1))
        found = await editor.wait("shop.yaml", lambda d: any("inclde" in x.message for x in d))
        assert all(x.severity == lsp.DiagnosticSeverity.Error for x in found)
        editor.change("shop.yaml", RULES.replace("Controler,", "Controller,").replace("CountButon", "CountButton"))
        found = await editor.wait("shop.yaml", lambda d: "unknown-class" not in codes(d) and not any(
            x.severity == lsp.DiagnosticSeverity.Error for x in d))


async def test_fix(tool, captures):
    async with Editor(tool, "--captures", captures) as editor:
        editor.open("shop.yaml", RULES)
        found = await editor.wait("shop.yaml", lambda d: "unknown-class" in codes(d))
        wrong = next(d for d in found if d.code == "unknown-class")
        actions = await editor.client.text_document_code_action_async(
            lsp.CodeActionParams(
                text_document=editor.document("shop.yaml"), range=wrong.range,
                context=lsp.CodeActionContext(diagnostics=[wrong]),
            )
        )
        (edit,) = next(a for a in actions if "CountButton" in a.title).edit.changes[editor.uri("shop.yaml")]
        lines = RULES.split("\n")
        line = lines[edit.range.start.line]
        lines[edit.range.start.line] = (
            line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
        )
        editor.change("shop.yaml", "\n".join(lines))
        await editor.wait("shop.yaml", lambda d: "unknown-class" not in codes(d))


async def test_completion(tool, captures):
    async with Editor(tool, "--captures", captures) as editor:
        async def labels(text, before):
            editor.change("shop.yaml", text)
            result = await editor.client.text_document_completion_async(
                lsp.CompletionParams(text_document=editor.document("shop.yaml"), position=place(text, before))
            )
            return [item.label for item in result.items] if result else []

        editor.open("shop.yaml", RULES)
        await editor.wait("shop.yaml", lambda d: "unknown-class" in codes(d))
        head = "version: 1\nrules:\n  - id: a\n    include:\n"
        assert "ProductCell" in await labels(head + "      selector: UITableView/Prod", "UITableView/Prod")
        following = await labels(head + "      selector: ProductCell/", "ProductCell/")
        assert following[:2] == ["**", "UITableViewCellContentView"], following[:5]
        assert "row:" in await labels(head + "      selector: ProductCell(section:0 r", "0 r")
        assert "HomeViewController" in await labels(head + "      page: Ho", "page: Ho")
        assert "selector" in await labels(head + "      page: A\n      s", "A\n      s")
        assert "page" not in await labels(head + "      page: A\n      ", "A\n      ")
        assert "加入" in await labels(head + "      where: { $element_content: ", "content: ")
        assert "$element_content" in await labels(head + "      where: { $el", "{ $el")
        assert await labels("version: 1\ntrack: ", "track: ") == ["selected", "all"]


async def test_hover(tool, captures):
    async with Editor(tool, "--captures", captures) as editor:
        editor.open("shop.yaml", RULES)
        await editor.wait("shop.yaml", lambda d: "unknown-class" in codes(d))
        result = await editor.client.text_document_hover_async(
            lsp.HoverParams(text_document=editor.document("shop.yaml"), position=place(RULES, "selector: Pro"))
        )
        assert "home-feed.xml" in result.contents.value, result.contents.value
        text = RULES + "  - id: by.id\n    include: { eventID: 19fcd72be0e5ed2e8c1f42ecda0f4102ab10d08d53612d354a3a44d51654479d }\n"
        editor.change("shop.yaml", text)
        result = await editor.client.text_document_hover_async(
            lsp.HoverParams(text_document=editor.document("shop.yaml"), position=place(text, "eventID: 19"))
        )
        assert "加入" in result.contents.value, result.contents.value


async def test_rename(tool, captures):
    async with Editor(tool) as editor:
        (editor.folder / "shop.test.yaml").write_text(TESTS)
        editor.open("shop.yaml", RULES)
        await editor.wait("shop.yaml", lambda d: True)
        where = place(RULES, "id: feed")
        prepared = await editor.client.text_document_prepare_rename_async(
            lsp.PrepareRenameParams(text_document=editor.document("shop.yaml"), position=where)
        )
        assert prepared.placeholder == "feed.add", prepared
        result = await editor.client.text_document_rename_async(
            lsp.RenameParams(text_document=editor.document("shop.yaml"), position=where, new_name="feed.buy")
        )
        edits = {uri.rsplit("/", 1)[-1]: edits for uri, edits in result.changes.items()}
        assert {name: [e.new_text for e in edits] for name, edits in edits.items()} == {
            "shop.yaml": ["feed.buy"], "shop.test.yaml": ["feed.buy"]}, edits


async def test_formatting(tool, captures):
    async with Editor(tool) as editor:
        editor.open("shop.yaml", RULES.replace("id: feed.add", "id:   'feed.add'"))
        result = await editor.client.text_document_formatting_async(
            lsp.DocumentFormattingParams(
                text_document=editor.document("shop.yaml"),
                options=lsp.FormattingOptions(tab_size=2, insert_spaces=True),
            )
        )
        (edit,) = result
        assert "  - id: feed.add\n" in edit.new_text, edit


async def test_test_files(tool, captures):
    async with Editor(tool) as editor:
        (editor.folder / "shop.yaml").write_text(RULES)
        editor.open("shop.test.yaml", TESTS.replace("rules: feed.add", "rules: feed.ad"))
        found = await editor.wait("shop.test.yaml", lambda d: len(d) > 0)
        assert "feed.add" in found[0].message, found
        editor.change("shop.test.yaml", TESTS)
        await editor.wait("shop.test.yaml", lambda d: not d)


async def test_encoding(tool, captures):
    async with Editor(tool, encodings=[lsp.PositionEncodingKind.Utf8]) as editor:
        assert editor.result.capabilities.position_encoding == "utf-8"
        editor.open("shop.yaml", 'version: 1\nrules:\n  - { id: "加入购物车", inclde: {} }\n')
        found = await editor.wait("shop.yaml", lambda d: any("inclde" in x.message for x in d))
        wrong = next(x for x in found if "inclde" in x.message)
        assert wrong.range.start.character == len('  - { id: "加入购物车", '.encode()), wrong


def processor_time(pid):
    """The processor time of a process in seconds."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(tool, count):
    rules = "version: 1\nrules:\n" + "".join(
        f"""  - id: shop.rule{i}
    name: 规则{i}
    include:
      event: $AppClick
      page: Page{i % 97}ViewController
      selector: Cell{i % 50}(section:0 row:*)/**/UIButton({i % 5})
      where:
        $element_content: {{ prefix: "加入{i}" }}
        $app_version: {{ version: ">=5.{i % 10}" }}
    emit: rule_{i}
""" for i in range(count))
    async with Editor(tool) as editor:
        editor.open("many.yaml", rules)
        await editor.wait("many.yaml", lambda d: True)
        await asyncio.sleep(3)
        pid = editor.client._server.pid
        keys = 20

        async def typed(pause):
            start = processor_time(pid)
            for i in range(keys):
                text = rules + f"  - id: x\n    include: {{ page: Page{'x' * i} }}\n"
                editor.change("many.yaml", text)
                # An answer says that everything before it is done.
                await editor.client.text_document_hover_async(
                    lsp.HoverParams(text_document=editor.document("many.yaml"), position=lsp.Position(0, 0)))
                await asyncio.sleep(pause)
            return (processor_time(pid) - start) / keys * 1000

        print(f"{count} rules, {len(rules.encode())} bytes:")
        print(f"  {await typed(0.15):.0f} ms of processor time for each keystroke, one after another")
        await asyncio.sleep(3)
        keys = 5
        print(f"  {await typed(4):.0f} ms for a keystroke with the check in the pause behind it")


async def main():
    tool = os.path.abspath(sys.argv[1])
    if sys.argv[2] == "--measure":
        return await measure(tool, int(sys.argv[3]))
    captures = os.path.abspath(sys.argv[2])
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    failed = 0
    for name, test in tests:
        try:
            await asyncio.wait_for(test(tool, captures), 120)
            print("passed", name)
        except Exception as problem:
            failed += 1
            print("FAILED", name, type(problem).__name__, problem)
    print(f"{len(tests) - failed} of {len(tests)} tests of the language server passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    asyncio.run(main())
