"""Measures the service with wrk: mixed routes, collecting, and matching on one stream beside `encircle match`; and how long
people who write rules wait, with the shop's rules and with 2,000 rules about 500 captures; and how long those who look at
coverage and the plan wait, when a million events are stored.

usage: ENCIRCLE=TOOL python3 Tests/API/load.py [mixed] [collect] [beside] [match] [authoring] [plan]
SECONDS_EACH=60   how long wrk sends
EVENTS=1000000    how many events `plan` stores
"""

import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from service import ROOT, Service, tool

SECONDS = int(os.environ.get("SECONDS_EACH", "60"))
EVENTS = int(os.environ.get("EVENTS", "1000000"))

MIXED = """
local requests = {%s}
local at = 0
function request()
  at = at %% #requests + 1
  local r = requests[at]
  return wrk.format(r.method, r.path, r.headers, r.body)
end
"""

# Batches of 50, each event one that nobody has sent before.
COLLECT = """
local threads = 0
function setup(thread)
  threads = threads + 1
  thread:set("id", threads)
end
local number = 0
local headers = {["Content-Type"] = "application/json"}
function request()
  local events = {}
  for i = 1, 50 do
    number = number + 1
    events[i] = string.format('{"_track_id":%%d,"distinct_id":"w-%%d-%%d","time":%d,"type":"track","event":"$AppClick",'
      .. '"lib":{"$lib":"iOS"},"properties":{"$app_id":"com.example.shop","$app_version":"5.2.1",'
      .. '"$screen_name":"HomeViewController","$element_content":"加入","$element_path":"UIWindow(0)_UITableView(0)_ProductCell('
      .. 'section:0 row:%%d)_UITableViewCellContentView(0)_UIButton(0)"}}', (id * 1000000000 + number) %% 4294967296, id, number,
      number %% 40)
  end
  return wrk.format("POST", "/v1/collect?project=default", headers, "[" .. table.concat(events, ",") .. "]")
end
"""


def wrk(service, script, connections, seconds):
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        run = subprocess.run(
            ["wrk", f"-t{min(2, connections)}", f"-c{connections}", f"-d{seconds}s", "--latency", "--timeout", "30s", "-s",
             file.name, service.url], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # It goes on with another request where the script is wrong.
        assert not run.stderr, run.stderr
        output = run.stdout
    find = lambda pattern, default="0": (re.search(pattern, output) or [None, default])[1]
    return {
        "requests": int(find(r"(\d+) requests in")), "rate": float(find(r"Requests/sec:\s+([\d.]+)")),
        "p50": find(r"\n +50% +(\S+)", "-"), "p99": find(r"\n +99% +(\S+)", "-"),
        "wrong": int(find(r"Non-2xx or 3xx responses: (\d+)")),
        "failed": sum(int(count) for count in re.findall(r"(?:connect|read|write|timeout) (\d+)", output)),
    }


def lua(value):
    if isinstance(value, dict):
        # With spaces, as two brackets begin a text.
        return "{" + ",".join(f"[ {lua(key)} ]={lua(item)}" for key, item in value.items() if item is not None) + "}"
    return "[==[" + value + "]==]"


def mixed(service):
    capture = service.json("GET", "/v1/captures?search=cart")["captures"][0]["id"]
    json_type = {"Content-Type": "application/json"}
    add = "ProductCell(section:* row:*)/**/UIButton(0)"
    rules = (ROOT / "Rules" / "chat.yaml").read_text(encoding="utf-8")
    event = (ROOT / "Rules" / "events" / "shop.ndjson").read_text(encoding="utf-8").splitlines()[2]
    requests = [
        *[{"method": "GET", "path": path} for path in (
            "/", "/v1/captures?limit=50", "/v1/screens", f"/v1/captures/{capture}/elements", f"/v1/captures/{capture}/elements/8",
            f"/v1/captures/{capture}/at?x=300&y=700", f"/v1/captures/{capture}/thumbnail", "/v1/rulesets/default",
            "/v1/rulesets/default/rules?limit=100", "/v1/events?limit=50", "/v1/reports/overview?days=1",
            "/v1/reports/counts?by=rule", "/v1/session", "/healthz")],
        {"method": "POST", "path": "/v1/select", "headers": json_type,
         "body": json.dumps({"clause": {"selector": add}, "capture": capture})},
        {"method": "POST", "path": "/v1/selectors/parse", "headers": json_type, "body": json.dumps({"selector": add})},
        {"method": "POST", "path": "/v1/suggest", "headers": json_type,
         "body": json.dumps({"capture": capture, "element": 8, "limit": 5})},
        {"method": "POST", "path": "/v1/rules/check", "headers": json_type, "body": json.dumps({"text": rules})},
        {"method": "POST", "path": "/v1/match", "headers": json_type, "body": event},
    ]
    for request in requests:
        status, _, answer = service.request(
            request["method"], request["path"], request.get("body", "").encode() or None, request.get("headers"))
        assert status == 200, f"{request['method']} {request['path']}: {status} {answer[:300]!r}"
    script = MIXED % ",".join(map(lua, requests))
    wrk(service, script, 16, 5)
    before = service.memory()
    result = wrk(service, script, 16, SECONDS)
    after = service.memory()
    print(
        f"mixed: {len(requests)} routes, 16 connections, {SECONDS} s: {result['rate']:,.0f} requests/s, p50 {result['p50']}, "
        f"p99 {result['p99']}, {result['wrong'] + result['failed']} failed; {before:.0f} MB at the start, {after:.0f} MB at the end")


def stored(service):
    return service.json("GET", "/v1/reports/overview?days=1")["events"]


def collect(service):
    for connections in (1, 4, 16):
        before, memory = stored(service), service.memory()
        result = wrk(service, COLLECT % (time.time() * 1000), connections, max(5, SECONDS // 3))
        time.sleep(1)
        events = stored(service) - before
        sent = (result["requests"] - result["wrong"]) * 50
        print(
            f"collect: {connections} connections, batches of 50: {result['rate'] * 50:,.0f} events/s acknowledged, "
            f"p50 {result['p50']}, p99 {result['p99']}, {result['wrong'] + result['failed']} failed; {sent:,} acknowledged, "
            f"{events:,} stored; {memory:.0f} MB before, {service.memory():.0f} MB after")


def beside(service):
    """Collecting while others ask what takes long."""
    ends = threading.Event()

    def ask(method, path, body=None):
        while not ends.is_set():
            try:
                service.request(method, path, body, {"Content-Type": "application/json"}, seconds=120)
            except (OSError, http.client.HTTPException):
                pass

    many = json.dumps({"text": "version: 1\nrules:\n" + "".join(
        f"  - id: r{n}\n    include: {{ event: $AppClick, page: P{n % 50}, selector: 'C{n % 40}/**/UIButton' }}\n"
        for n in range(2_000))}).encode()
    askers = [threading.Thread(target=ask, args=("GET", "/v1/reports/counts?by=rule&page=Home"), daemon=True) for _ in range(16)]
    askers += [threading.Thread(target=ask, args=("POST", "/v1/rules/check", many), daemon=True) for _ in range(4)]
    for name, some in (("alone", []), ("with 16 readers of counts and 4 checks of 2,000 rules", askers)):
        for asker in some:
            asker.start()
        result = wrk(service, COLLECT % (time.time() * 1000), 4, max(5, SECONDS // 3))
        print(
            f"collect, 4 connections, {name}: {result['rate'] * 50:,.0f} events/s acknowledged, p50 {result['p50']}, "
            f"p99 {result['p99']}, {result['wrong'] + result['failed']} failed")
    ends.set()
    for asker in askers:
        asker.join()


def match(service, day):
    with tempfile.NamedTemporaryFile(suffix=".ndjson") as file:
        text = day.read_bytes()
        count = 0
        while count < 400_000:
            file.write(text)
            count += text.count(b"\n")
        file.flush()
        arguments = [tool(), "match", "--rules", str(ROOT / "Rules" / "shop.yaml"), "--captures", str(ROOT / "ViewTrees"), file.name]

        def alone(*more):
            start = time.monotonic()
            output = subprocess.run(
                arguments + list(more), check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            return time.monotonic() - start, output.count(b"\n")

        ratios = []
        for _ in range(3):
            own, output = alone()
            single, _ = alone("--threads", "1")
            start = time.monotonic()
            decisions = subprocess.run(
                ["curl", "-sS", "-T", file.name, "-X", "POST", "-H", "Content-Type: application/x-ndjson", "-H", "Expect:",
                 f"{service.url}/v1/match?ruleset=default"], check=True, stdout=subprocess.PIPE).stdout.count(b"\n")
            over_http = time.monotonic() - start
            ratios.append(own / over_http)
            print(
                f"match: {count:,} events; the tool {count / own:,.0f} events/s, with one thread {count / single:,.0f}, "
                f"over HTTP {count / over_http:,.0f}: {ratios[-1]:.2f} and {single / over_http:.2f} of it; "
                f"{output:,} and {decisions:,} decisions, {service.memory():.0f} MB")
        print(f"match: median {sorted(ratios)[1]:.2f} of the tool")


def many_rules(service, count):
    """Rules about elements of the stored captures, each another one, as YAML."""
    lines, seen = ["version: 1", "rules:"], set()
    captures = service.json("GET", "/v1/captures?limit=1000")["captures"]
    for turn in range(100):
        for capture in captures:
            elements = service.json("GET", f"/v1/captures/{capture['id']}/elements")["elements"]
            tracked = [one for one in elements if one["tracked"] == one["element"] and one.get("page")]
            for element in tracked[turn * 8:turn * 8 + 8]:
                # Components end with their index, except in bars.
                selector = ")/".join(element["path"].split(")_")[-3:])
                if not selector.endswith(")") or "/_UINavigationBar" in selector:
                    continue
                key = (element["page"], selector, element.get("content"))
                if key in seen:
                    continue
                seen.add(key)
                clause = {"event": "$AppClick", "page": element["page"], "selector": selector}
                if element.get("content"):
                    clause["where"] = {"$element_content": element["content"]}
                lines += [f"  - id: rule.{len(seen)}", f"    include: {json.dumps(clause, ensure_ascii=False)}"]
                if len(seen) == count:
                    return "\n".join(lines) + "\n"
        if turn * 8 > 5_000:
            break
    raise AssertionError(f"these captures have elements for {len(seen)} rules only")


def authoring(service, name):
    """What people wait for after an edit: each answer once from nothing, then after one edit of a rule."""
    draft = "/v1/rulesets/default/draft"
    rules = service.json("GET", "/v1/rulesets/default/rules?limit=1000")
    first = next(rule["id"] for rule in rules["rules"] if rule.get("kind") == "include")
    captures = service.json("GET", "/v1/captures?limit=1000")["captures"]
    screen = captures[len(captures) // 2]["id"]
    asked = {
        "check": ("POST", "/v1/rules/check", lambda: {"text": service.request("GET", draft)[2].decode(), "name": "rules.yaml"}),
        "review": ("POST", "/v1/rules/diff", lambda: {"old": {"ruleset": "default"}, "new": {"ruleset": "default", "draft": True}}),
        "list": ("GET", "/v1/rulesets/default/rules?draft=true&days=7&limit=500", lambda: None),
        "circled": ("GET", f"/v1/captures/{screen}/rules", lambda: None),
    }
    print(f"authoring, {name}: {rules['total']:,} rules, {len(captures)} captures")
    for turn in range(4):
        edit = json.dumps({"name": f"edited {turn}"}).encode()
        status, _, answer = service.request("PATCH", f"{draft}/rules/{first}", edit, {"Content-Type": "application/json"})
        assert status == 200, answer[:300]
        times = []
        used = service.processor_seconds()
        for what, (method, path, body) in asked.items():
            given = body()
            data = json.dumps(given).encode() if given else None
            began = time.monotonic()
            status, _, answer = service.request(method, path, data, {"Content-Type": "application/json"}, seconds=120)
            assert status == 200, f"{what}: {status} {answer[:300]!r}"
            took, used_now = time.monotonic() - began, service.processor_seconds()
            times.append(f"{what} {took:.2f} s ({used_now - used:.2f} s of a processor)")
            used = used_now
        print(f"  {'from nothing' if turn == 0 else f'after edit {turn}'}: {', '.join(times)}; {service.memory():.0f} MB")


def authoring_of_both_sizes(day):
    with Service(tool(), "--captures", str(ROOT / "ViewTrees"), "--rules", str(ROOT / "Rules" / "shop.yaml"), "--events", str(day)) as service:
        authoring(service, "as shipped")
    with tempfile.TemporaryDirectory() as directory:
        captures = pathlib.Path(directory) / "captures"
        subprocess.run(
            [sys.executable, str(ROOT / "Benchmarks" / "make_captures.py"), "--kind", "viewtree", "--elements", "200", "--files", "500",
             "--output", str(captures)], check=True, stderr=subprocess.DEVNULL)
        with Service(tool(), "--captures", str(captures), "--events", str(day)) as service:
            text = many_rules(service, 2_000).encode()
            status, _, answer = service.request(
                "PUT", "/v1/rulesets/default?reason=many", text, {"Content-Type": "application/yaml", "If-Match": "*"}, seconds=120)
            assert status in (200, 201), answer[:300]
            authoring(service, "large")


def store_taps(service, count):
    """Stores taps on elements of the captures, by 50,000 people within 20 days, some with a name of their own."""
    elements = []
    for capture in service.json("GET", "/v1/captures?limit=1000")["captures"]:
        found = service.json("GET", f"/v1/captures/{capture['id']}/elements")["elements"]
        elements += [one for one in found if one["tracked"] == one["element"] and one.get("page")]
    now, number = int(time.time() * 1000), 0
    while number < count:
        batch = []
        for number in range(number + 1, min(number + 500, count) + 1):
            # Few elements have most of the taps.
            element = elements[int(len(elements) * ((number * 7919 % 100_003) / 100_003) ** 3)]
            properties = {
                "$app_version": f"5.{number % 8}.0", "$screen_name": element["page"], "$element_path": element["path"],
                "$element_content": element.get("content") or "", "price": number % 50}
            batch.append({
                "_track_id": number, "distinct_id": f"p{number * 31 % 50_021}", "type": "track",
                "time": now - number * 7919 % (20 * 86_400_000), "lib": {"$lib": "iOS" if number % 3 else "Android"},
                "event": f"code_{number % 200}" if number % 10 == 0 else "$AppClick", "properties": properties})
        service.json("POST", "/v1/collect?project=default", batch)
    return len(elements)


def plan(service):
    """What coverage and the plan's status take: from nothing, after an event, and after an edit of the draft."""
    text = many_rules(service, 2_000)
    status, _, answer = service.request(
        "PUT", "/v1/rulesets/default?reason=many", text.encode(), {"Content-Type": "application/yaml", "If-Match": "*"}, seconds=120)
    assert status in (200, 201), answer[:300]
    planned = ["version: 1", "events:"]
    for i in range(1, 1_801):
        properties = "[{ property: price, type: number, required: true }]"
        planned.append(f"  - {{ event: rule.{i}, platforms: [ios, android], since: \"5.{i % 8}\", properties: {properties} }}")
    planned += [f"  - {{ event: code_{i}, tracking: code }}" for i in range(150)]
    status, _, answer = service.request(
        "PUT", "/v1/rulesets/default/plan", "\n".join(planned).encode(),
        {"Content-Type": "application/yaml", "If-None-Match": "*"}, seconds=120)
    assert status == 200, answer[:300]
    began, used = time.monotonic(), service.processor_seconds()
    elements = store_taps(service, EVENTS)
    print(
        f"plan: 2,000 rules, 1,950 planned events, 500 captures with {elements:,} tracked elements, {EVENTS:,} events, stored in "
        f"{time.monotonic() - began:.0f} s ({service.processor_seconds() - used:.0f} s of a processor)")
    asked = {
        "coverage": "/v1/coverage?days=30", "plan status": "/v1/rulesets/default/plan/status",
        "plan as CSV": "/v1/rulesets/default/plan?format=csv"}
    one = {"type": "track", "event": "code_1", "distinct_id": "x", "lib": {"$lib": "iOS"}, "properties": {"$app_version": "5.2.0"}}
    first = "rule.1"
    for turn in ["from nothing", "again", "after an event", "again", "after an edit of the draft"]:
        if turn == "after an event":
            service.json("POST", "/v1/collect?project=default", [one | {"_track_id": 4_000_000_000, "time": int(time.time() * 1000)}])
        if turn == "after an edit of the draft":
            service.request("PATCH", f"/v1/rulesets/default/draft/rules/{first}", b'{"name": "edited"}', {"Content-Type": "application/json"})
        times = []
        for what, path in asked.items():
            if turn.startswith("after an edit") and what != "plan as CSV":
                path += "&draft=true" if "?" in path else "?draft=true"
            began, used = time.monotonic(), service.processor_seconds()
            status, _, answer = service.request("GET", path, seconds=120)
            assert status == 200, f"{what}: {status} {answer[:300]!r}"
            took, used = time.monotonic() - began, service.processor_seconds() - used
            times.append(f"{what} {took * 1000:.0f} ms ({used * 1000:.0f} of a processor)")
        print(f"  {turn}: {', '.join(times)}; {service.memory():.0f} MB", flush=True)


def plan_of_many():
    with tempfile.TemporaryDirectory() as directory:
        captures = pathlib.Path(directory) / "captures"
        subprocess.run(
            [sys.executable, str(ROOT / "Benchmarks" / "make_captures.py"), "--kind", "viewtree", "--elements", "200", "--files", "500",
             "--output", str(captures)], check=True, stderr=subprocess.DEVNULL)
        with Service(tool(), "--captures", str(captures)) as service:
            plan(service)


def main():
    wanted = sys.argv[1:] or ["mixed", "collect", "beside", "match", "authoring", "plan"]
    if "plan" in wanted:
        plan_of_many()
    if wanted == ["plan"]:
        return
    with tempfile.TemporaryDirectory() as directory:
        day = pathlib.Path(directory) / "day.ndjson"
        with day.open("wb") as file:
            subprocess.run(
                [sys.executable, str(ROOT / "Rules" / "events" / "make-day.py"), tool()], check=True, stdout=file)
        if "authoring" in wanted:
            authoring_of_both_sizes(day)
        if wanted == ["authoring"]:
            return
        with Service(
            tool(), "--captures", str(ROOT / "ViewTrees"), "--rules", str(ROOT / "Rules" / "shop.yaml"), "--events", str(day)) as service:
            events = day.read_bytes().count(b"\n")
            print(f"start: {service.start_seconds:.2f} s with captures, rules and {events:,} events")
            if "mixed" in wanted:
                mixed(service)
            if "collect" in wanted:
                collect(service)
            if "beside" in wanted:
                beside(service)
            if "match" in wanted:
                match(service, day)


if __name__ == "__main__":
    main()
