#!/usr/bin/env python3
"""Makes the folder of a version: what was read then, and what its tool answered.

usage: Tests/Compatibility/make.py COMMIT TOOL    the tool that was built from this commit

The inputs are those of the commit. A folder is made once, by the tool of its own version, and never again: that later versions answer
alike is what CompatibilityTests shows.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

CAPTURES = ["home-feed.xml", "cart.xml", "alert-ios9.xml", "alert-ios26.xml", "settings.wda.xml", "login.uiautomator.xml",
            "profile.recursive-description.txt", "orders.sentry.json", "checkout.xcui-description.txt", "flowers.html"]
# What tests beside the rules and other commands need.
OTHERS = ["channels-a.xml", "emoji.xml", "product-page.xml", "search.xml", "swiftui.xml", "tab-bar.xml", "order-v5.1.xml", "order-v5.2.xml"]
RULES = ["shop.yaml", "chat.yaml", "shop.test.yaml", "chat.test.yaml", "shop.plan.yaml", "chat.plan.yaml", "events/shop.ndjson",
         "events/broken.ndjson"]
TEXTS = {
    "mistakes.yaml": """version: 1
rules:
  - id: one
    include: { event: $AppClick, selector: "NoSuchCell(section:0 row:*)/UIButton(0)" }
  - id: two
    include: { event: $AppClick, page: HomeViewControler }
  - id: three
    include: { event: $AppClick, where: { $element_content: { equals: a, in: [b] } } }
  - id: four
    enabled: false
    include: { event: $AppClick }
""",
    "broken.yaml": "version: 1\nrules:\n  - id: a\n    includ: { event: x }\n",
    "aside.coverage.yaml": "version: 1\nsetAside:\n  - page: ChatViewController\n    reason: It is old.\n",
}

# What is promised, how answers are compared, the name of the answer, and the arguments of the tool. `{rules}` are the rule files.
RUNS = [
    *[("identities", "ndjson", f"resolve-{name}", f"resolve --only trackable --format ndjson captures/{name}") for name in CAPTURES],
    ("identities", "ndjson", "resolve-sensors", "resolve --style sensors --format ndjson --only trackable captures/home-feed.xml"),
    ("identities", "ndjson", "resolve-growingio", "resolve --style growingio --format ndjson --only trackable captures/home-feed.xml"),
    ("identities", "ndjson", "resolve-posthog", "resolve --style posthog --format ndjson --only trackable captures/home-feed.xml"),
    ("csv", "csv", "resolve-csv", "resolve --only trackable --format csv captures/cart.xml"),
    ("rule files", "json", "test-rules", "test rules --format json"),
    ("rule files", "json", "plan", "plan status --rules rules/shop.yaml --events rules/events/shop.ndjson --now 2026-03-12 --format json"),
    ("rule files", "json", "coverage",
     "coverage --rules rules/chat.yaml --captures captures/alert-ios9.xml --events rules/events/shop.ndjson --format json"),
    ("decisions", "ndjson", "decisions", "match --rules rules --captures captures rules/events/shop.ndjson"),
    ("decisions", "ndjson", "decisions-events", "match --rules rules --output events rules/events/shop.ndjson"),
    ("decisions", "ndjson", "decisions-broken", "match --rules rules rules/events/broken.ndjson"),
    ("json", "json", "explain", "explain --rules rules --capture captures/home-feed.xml --element 35 --rule home.feed.add --format json"),
    ("json", "json", "diff-rules", "diff rules/chat.yaml rules/shop.yaml --events rules/events/shop.ndjson --format json"),
    ("codes", "json", "findings", "check mistakes.yaml --captures captures --format json"),
    ("exit status", "none", "status-done", "id path(A)"),
    ("exit status", "none", "status-findings", "check mistakes.yaml --captures captures"),
    ("exit status", "none", "status-no-match", "select NoSuchView captures/cart.xml"),
    ("exit status", "none", "status-usage", "match --no-such-option"),
    ("exit status", "none", "status-bad-rules", "match --rules broken.yaml rules/events/shop.ndjson"),
    ("exit status", "none", "status-bad-capture", "resolve broken.yaml"),
    ("exit status", "none", "status-no-input", "resolve nothing.xml"),
    ("exit status", "none", "status-tests", "test rules/chat.yaml"),
    ("anchors", "json", "anchors", "diff rules.anchors captures/order-v5.2.xml --format json"),
]
# Files that the version writes.
FILES = ["compile rules -o rules.compiled", "index captures/home-feed.xml captures/cart.xml -o captures.dictionary",
         "anchor rules/shop.yaml --captures captures/order-v5.1.xml -o rules.anchors",
         "anchor rules/shop.yaml --captures captures/order-v5.1.xml --output rules.anchors"]

REQUESTS = [
    ("parse", "/v1/selectors/parse", {"selector": "ProductCell(section:0 row:*)/**/UIButton(0)"}),
    ("check", "/v1/rules/check", {"text": TEXTS["mistakes.yaml"]}),
    ("explain", "/v1/rules/explain", {"ruleset": "default", "event": {"event": "order_paid", "properties": {"amount": 5}}}),
    ("bad-member", "/v1/selectors/parse", {"selecter": "A"}),
    ("bad-selector", "/v1/selectors/parse", {"selector": "A(("}),
    ("resolve", "/v1/resolve", None),
    ("match", "/v1/match", None),
    ("rule set", "/v1/rulesets", "GET"),
    ("captures", "/v1/captures", "GET"),
    ("nothing", "/v1/captures/0123456789abcdef", "GET"),
    ("metrics", "/metrics", "GET"),
]


def main():
    commit, tool = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder = HERE / commit
    folder.mkdir()

    def old(path):
        result = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=ROOT, capture_output=True)
        return result.stdout if result.returncode == 0 else None

    for source, target, names in (("ViewTrees", "captures", CAPTURES + OTHERS), ("Rules", "rules", RULES)):
        for name in names:
            content = old(f"{source}/{name}")
            if content is None:
                continue
            file = folder / target / name
            file.parent.mkdir(parents=True, exist_ok=True)
            # Tests beside the rules name captures and dictionaries by the folders of the repository.
            file.write_bytes(content.replace(b"../ViewTrees", b"../captures"))
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    if old("docs/coverage.md") is None:
        (folder / "aside.coverage.yaml").unlink()
    else:
        (folder / "aside.coverage.yaml").rename(folder / "rules/chat.coverage.yaml")
    (folder / "encircle.h").write_bytes(old("Sources/CEncircle/encircle.h") or b"")
    if not (folder / "encircle.h").read_bytes():
        (folder / "encircle.h").unlink()
    (folder / "answers").mkdir()

    def run(arguments):
        return subprocess.run([tool, *arguments.split(" ")], cwd=folder, capture_output=True)

    for arguments in FILES:
        run(arguments)
    rows = []
    for promise, comparison, name, arguments in RUNS:
        inputs = [word for word in arguments.split(" ") if word.startswith(("captures/", "rules/", "rules.")) and word != "rules"]
        if any(not (folder / word).exists() for word in inputs):
            continue
        result = run(arguments)
        if result.returncode == 64 and promise != "exit status":
            continue  # This version does not have the command.
        if comparison != "none":
            (folder / "answers" / name).write_bytes(result.stdout)
        rows.append(f"{promise} | {comparison} | {name} | {result.returncode} | {arguments}")
    (folder / "commands.txt").write_text("\n".join(rows) + "\n")
    api(folder, tool)
    print(f"{folder}: {len(rows)} commands")


def api(folder, tool):
    data = folder / "data"
    service = subprocess.Popen(
        [tool, "serve", "--data", data, "--port", "0", "--rules", "rules/shop.yaml", "--captures", "captures"], cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = re.search(r":(\d+)/", service.stdout.readline())[1]
        answers = []
        for name, path, body in REQUESTS:
            if body is None:
                body = (folder / ("captures/cart.xml" if path == "/v1/resolve" else "rules/events/shop.ndjson")).read_bytes()
            elif body != "GET":
                body = json.dumps(body, ensure_ascii=False).encode()
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", None if body == "GET" else body)
            kind = {"/v1/resolve": "application/octet-stream", "/v1/match": "application/x-ndjson"}.get(path, "application/json")
            request.add_header("Content-Type", kind)
            try:
                with urllib.request.urlopen(request) as answer:
                    status, text = answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                status, text = error.code, error.read().decode()
            sent = None if body == "GET" else body.decode() if len(body) < 2000 else path
            answers.append({"name": name, "path": path, "type": kind, "body": sent, "status": status, "answer": text})
        (folder / "api.json").write_text(json.dumps(answers, ensure_ascii=False, indent=1) + "\n")
    finally:
        service.terminate()
        service.wait()
        subprocess.run(["rm", "-rf", data])


if __name__ == "__main__":
    main()
