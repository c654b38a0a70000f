"""Sends every route of the API's description what no client should send, and sees that each request is refused in the
one shape of errors, that no connection is left hanging, and that the service is as well and as small afterwards.

usage: ENCIRCLE=TOOL python3 Tests/API/hostile.py [PART OF A PATH]
"""

import gzip
import json
import re
import sys
import tempfile
import time
import zlib

from service import ROOT, Raw, Service, tool

METHODS = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE"]
# Routes that take bodies of any length, and answer while these arrive.
ENDLESS = {"match"}
# An SDK deletes its events on most refusals: bad events are kept as rejects, and the answer is 200. What a phone posts with
# an unknown code is answered with the end of its connection, which is all that its SDK understands.
LENIENT = {
    "collect", "collectQuery", "debug", "debugQuery", "postScreen", "collectPostHogBatch", "collectPostHogCapture",
    "collectPostHogEvents", "collectPostHogEventsV0", "collectGrowingIO", "collectGrowingIOQuery", "getPostHogFlags",
    "getPostHogDecision",
}
# A draft may be broken; the answer says how.
DRAFTS = {"putDraft"}
MOST_MEMORY = 1_200

IDS = [
    "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e", "%2e%2e%2f%2e%2e", "..", "....//", "%00", "a%00b", "%ff%fe", "%", "%zz", "-1",
    "99999999999999999999999999", "'%20OR%20'1'='1", "%3Cscript%3Ealert(1)%3C/script%3E", "a" * 8_000, "%F0%9F%98%80",
    "0" * 64, "f" * 64, "0", "1", "null", "NaN", "%20", "a%0d%0ab:c", "*", "%2a", "~", "default",
]
VALUES = IDS + ["", "1e400", "0x10", "1.5", "%5B%5D", "2026-13-45", "true", "%E2%80%AE"]


def bodies():
    """(name, body, headers) of requests that no route with a body may accept."""
    json_type = {"Content-Type": "application/json"}
    deep = 100_000
    zeros = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(zeros.compress(bytes(1 << 20)) for _ in range(300)) + zeros.flush()
    whole = gzip.compress(b'{"text": "' + bytes(range(32, 91)) * 400 + b'"}', mtime=0)
    yield "levels of arrays", b"[" * deep, json_type
    yield "closed levels of arrays", b"[" * deep + b"]" * deep, json_type
    yield "levels of objects", b'{"text":' * deep, json_type
    yield "levels in a member", b'{"text":"version: 1","event":' + b'{"a":[' * deep + b"]}" * deep + b"}", json_type
    yield "levels of YAML", b'{"text":"' + b"[" * deep + b'"}', json_type
    yield "invalid UTF-8", b'{"text":"\xff\xfe\xc0\x80","selector":"\xed\xa0\x80"}', json_type
    yield "half a surrogate", b'{"text":"\\ud800","selector":"\\udfff","name":"\\ud800"}', json_type
    yield "bytes of 0", bytes(5_000), json_type
    yield "nothing", b"", json_type
    yield "null", b"null", json_type
    yield "a number too large", b'{"text":1e999,"limit":1e999,"capture":1e999}', json_type
    yield "not JSON", b"{'a': 1}", json_type
    yield "half of JSON", b'{"text":"vers', json_type
    yield "gzip that is not", b"this is not gzip", json_type | {"Content-Encoding": "gzip"}
    yield "half of gzip", whole[: len(whole) // 2], json_type | {"Content-Encoding": "gzip"}
    yield "gzip with a wrong sum", whole[:-8] + b"\0" * 8, json_type | {"Content-Encoding": "gzip"}
    yield "a gzip bomb", bomb, json_type | {"Content-Encoding": "gzip"}
    yield "a gzip bomb, not declared", bomb, {"Content-Type": "application/octet-stream"}
    yield "gzip in gzip", gzip.compress(whole, mtime=0), json_type | {"Content-Encoding": "gzip, gzip"}
    yield "an unknown encoding", whole, json_type | {"Content-Encoding": "br"}
    yield "a picture", b"\x89PNG\r\n\x1a\n" + bytes(100), {"Content-Type": "image/png"}
    yield "an unknown type", b"hello", {"Content-Type": "application/x-nonsense"}
    yield "a broken type", b"hello", {"Content-Type": "text/; charset=\xff; ="}
    yield "multipart without a boundary", b"--x\r\n\r\n", {"Content-Type": "multipart/form-data"}
    yield "multipart without an end", b"--x\r\nContent-Disposition: form-data; name=capture\r\n\r\n<a", {
        "Content-Type": "multipart/form-data; boundary=x"}
    yield "multipart of many parts", b"--x\r\n\r\na\r\n" * 20_000 + b"--x--", {
        "Content-Type": "multipart/form-data; boundary=x"}
    yield "entities in XML", (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
        b'<!ENTITY c SYSTEM "file:///etc/passwd">]><viewTree version="1">&b;&c;</viewTree>'), {
        "Content-Type": "application/xml"}
    yield "levels of XML", b"<viewTree version='1'>" + b'<view class="A">' * deep, {"Content-Type": "application/xml"}
    yield "YAML of many aliases", json.dumps({"text": "a: &a [x,x,x,x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9))}).encode(), json_type
    yield "a form", b"data_list=%zz&gzip=1&crc=1", {"Content-Type": "application/x-www-form-urlencoded"}


class Findings(list):
    def __init__(self):
        super().__init__()
        self.count = 0

    def add(self, request, text):
        self.append(f"{request}: {text}")
        print(f"  {self[-1]}", flush=True)


def refused(findings, request, answer, lenient=False):
    """Sees that an answer is a refusal; a lenient one may also be a success."""
    findings.count += 1
    if answer is None:
        findings.add(request, "the connection was closed without an answer")
        return
    status, headers, body = answer
    if 200 <= status < 400 and lenient:
        return
    if not (400 <= status < 500 or status == 503):
        findings.add(request, f"{status} {body[:200]!r}")
        return
    try:
        error = json.loads(body)["error"]
        assert isinstance(error["code"], str) and isinstance(error["message"], str)
    except (ValueError, KeyError, TypeError, AssertionError):
        findings.add(request, f"{status} without the shape of errors: {body[:200]!r}")
    if not headers.get("content-type", "").startswith("application/json"):
        findings.add(request, f"{status} as {headers.get('content-type')}")
    if status == 503 and "retry-after" not in headers:
        findings.add(request, "503 without Retry-After")
    if status == 405 and "allow" not in headers:
        findings.add(request, "405 without Allow")


def exchange(findings, service, request, data, seconds=60, body=True):
    """The answer to one request on a new connection."""
    with Raw(service.port, seconds) as connection:
        connection.send(data)
        try:
            return connection.read(body)
        except TimeoutError:
            findings.add(request, f"no answer within {seconds} s")
            return 400, {"content-type": "application/json"}, b'{"error":{"code":"","message":""}}'


def head(service, method, path, headers=None, length=None):
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{service.port}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class Routes:
    """The operations of the description, with values that exist for the parameters of their paths."""

    def __init__(self, service):
        self.description = service.json("GET", "/v1/openapi.json")
        capture = (ROOT / "ViewTrees" / "cart.xml").read_bytes()
        status, _, answer = service.request("POST", "/v1/captures", capture, {"Content-Type": "application/xml"})
        self.capture = json.loads(answer)["capture"]["id"] if status in (200, 201) else "0" * 16
        self.known = {"id": self.capture, "name": "default", "element": "8", "n": "8", "version": "1", "event_id": "0" * 64}

    def __iter__(self):
        for path, methods in sorted(self.description["paths"].items()):
            for method, operation in sorted(methods.items()):
                if method.upper() in METHODS:
                    shared = methods.get("parameters", [])
                    yield method.upper(), path, operation | {"parameters": shared + operation.get("parameters", [])}

    def path(self, template, **values):
        return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], self.known.get(found[1], "x")), template)

    def resolve(self, value):
        while "$ref" in value:
            target = self.description
            for key in value["$ref"].lstrip("#/").split("/"):
                target = target[key]
            value = target
        return value

    def is_stream(self, operation):
        answers = self.resolve(operation["responses"].get("200", {})).get("content", {})
        return "text/event-stream" in answers


def wrong_methods(findings, service, routes):
    for path, operations in sorted(routes.description["paths"].items()):
        for method in METHODS:
            if method.lower() not in operations:
                request = f"{method} {path}"
                answer = exchange(findings, service, request, head(service, method, routes.path(path), length=0))
                refused(findings, request, answer)
                if answer and answer[0] != 405:
                    findings.add(request, f"{answer[0]} instead of 405")


def wrong_bodies(findings, service, routes, only):
    cases = list(bodies())
    for method, path, operation in routes:
        if "requestBody" not in operation or only not in path:
            continue
        lenient = operation["operationId"] in LENIENT | ENDLESS | DRAFTS
        for name, body, headers in cases:
            request = f"{method} {path} with {name}"
            # What a type of body means is a route's own matter, and a file of rules or a reason may be any text.
            maybe = lenient or not headers.get("Content-Type", "").startswith("application/json")
            maybe = maybe or name in ("nothing", "null", "half a surrogate", "a number too large", "not JSON", "levels of YAML",
                                      "YAML of many aliases", "half of JSON", "bytes of 0", "invalid UTF-8", "levels in a member")
            answer = exchange(
                findings, service, request,
                head(service, method, routes.path(path), headers | {"If-Match": "*"}, len(body)) + body)
            refused(findings, request, answer, maybe)


def wrong_parameters(findings, service, routes, only):
    for method, path, operation in routes:
        if only not in path or routes.is_stream(operation):
            continue
        for parameter in map(routes.resolve, operation.get("parameters", [])):
            name = parameter["name"]
            values = {"path": IDS, "query": VALUES}.get(parameter["in"], [])
            for value in values:
                target = routes.path(path, **({name: value} if parameter["in"] == "path" else {}))
                if parameter["in"] == "query":
                    target += f"?{name}={value}"
                request = f"{method} {path} with {name}={value[:40]}"
                answer = exchange(
                    findings, service, request, head(service, method, target, {"If-Match": '"none"'}, 0))
                refused(findings, request, answer, lenient=True)


#: SDKs send events with GET, too. HEAD must store nothing.
STORING = {"/v1/collect", "/v1/debug", "/v3/projects/{project}/collect"}


def heads(findings, service, routes):
    for method, path, operation in routes:
        if method == "GET" and not routes.is_stream(operation):
            target = routes.path(path)
            with Raw(service.port) as connection:
                connection.send(head(service, "HEAD", target))
                answer = connection.read(body=False)
                connection.send(head(service, "GET", target))
                whole = connection.read()
            findings.count += 1
            expected = 405 if path in STORING else whole and whole[0]
            if answer is None or whole is None or answer[0] != expected:
                findings.add(f"HEAD {path}", f"{answer and answer[0]} where GET is {whole and whole[0]}")


def endless_bodies(findings, service, routes, only):
    """Bodies that never end, in chunks, and ones that are shorter or longer than they say."""
    block = b"a" * 65_536
    for method, path, operation in routes:
        if "requestBody" not in operation or only not in path:
            continue
        target = routes.path(path)
        headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked", "If-Match": "*"}
        request = f"{method} {path} with an endless body"
        with Raw(service.port, 60) as connection:
            connection.send(head(service, method, target, headers) + b"a\r\n{\"text\": \"\r\n")
            sent = 0
            while sent < 400 << 20 and connection.send(b"%x\r\n%b\r\n" % (len(block), block)):
                sent += len(block)
                connection.socket.settimeout(0)
                try:
                    connection.buffer += connection.socket.recv(65_536)
                except (BlockingIOError, ConnectionResetError):
                    pass
                connection.socket.settimeout(60)
                if connection.buffer:
                    break
            try:
                refused(findings, request, connection.read(), operation["operationId"] in LENIENT | ENDLESS)
            except TimeoutError:
                findings.add(request, f"is taken without an answer, {sent >> 20} MB")
        request = f"{method} {path} with fewer bytes than it says"
        with Raw(service.port, 60) as connection:
            connection.send(head(service, method, target, {"Content-Type": "application/json", "If-Match": "*"}, 500) + b"{}")
            connection.socket.shutdown(1)
            try:
                refused(findings, request, connection.read(), operation["operationId"] in LENIENT | ENDLESS)
            except TimeoutError:
                findings.add(request, "no answer")
        request = f"{method} {path} with a length of 10^18"
        answer = exchange(
            findings, service, request,
            head(service, method, target, {"Content-Type": "application/json", "If-Match": "*"}, 10**18) + b"{}", 40)
        refused(findings, request, answer, operation["operationId"] in ENDLESS | {"postScreen"})
        request = f"{method} {path} with a broken chunk"
        answer = exchange(
            findings, service, request, head(service, method, target, headers) + b"2\r\n{}\r\nzz\r\n\r\n")
        refused(findings, request, answer, operation["operationId"] in ENDLESS | {"postScreen"})


def broken_http(findings, service):
    host = b"Host: 127.0.0.1\r\n\r\n"
    cases = {
        "an unknown method": b"FOO /healthz HTTP/1.1\r\n" + host,
        "another version": b"GET /healthz HTTP/2.7\r\n" + host,
        "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n",
        "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "a long address": b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n" + host,
        "a long query": b"GET /v1/captures?search=" + b"a" * 1_000_000 + b" HTTP/1.1\r\n" + host,
        "a long header": b"GET /healthz HTTP/1.1\r\nX: " + b"a" * 1_000_000 + b"\r\n" + host,
        "many headers": b"GET /healthz HTTP/1.1\r\n" + b"".join(b"X%d: a\r\n" % i for i in range(20_000)) + host,
        "a long cookie": b"GET /v1/session HTTP/1.1\r\nCookie: encircle_session=" + b"a" * 15_000 + b";" * 9_000 + b"\r\n" + host,
        "two lengths": b"POST /v1/collect HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 5\r\n" + host + b"abcde",
        "a negative length": b"POST /v1/collect HTTP/1.1\r\nContent-Length: -3\r\n" + host + b"abc",
        "a length of letters": b"POST /v1/collect HTTP/1.1\r\nContent-Length: abc\r\n" + host,
        "length and chunks": b"POST /v1/collect HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n" + host + b"0\r\n\r\n",
        "chunks of chunks": b"POST /v1/collect HTTP/1.1\r\nTransfer-Encoding: chunked, chunked, gzip\r\n" + host + b"0\r\n\r\n",
        "a space in a name": b"GET /healthz HTTP/1.1\r\nX Y: 1\r\n" + host,
        "a folded header": b"GET /healthz HTTP/1.1\r\nX: 1\r\n 2\r\n" + host,
        "a 0 in a header": b"GET /healthz HTTP/1.1\r\nX: a\0b\r\n" + host,
        "a path that climbs": b"GET /../../../etc/passwd HTTP/1.1\r\n" + host,
        "one in escapes": b"GET /%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + host,
        "one in backslashes": b"GET /..\\..\\etc\\passwd HTTP/1.1\r\n" + host,
        "one in the page": b"GET /js/..%2f..%2fopenapi/base.json HTTP/1.1\r\n" + host,
        "a 0 in the path": b"GET /index.html%00.js HTTP/1.1\r\n" + host,
        "bad escapes": b"GET /v1/captures/%zz%ff%00 HTTP/1.1\r\n" + host,
        "an asterisk": b"OPTIONS * HTTP/1.1\r\n" + host,
    }
    for name, data in cases.items():
        refused(findings, name, exchange(findings, service, name, data), name == "a folded header")
    for path in ("/healthz", "/v1/captures", "/"):
        with Raw(service.port) as connection:
            connection.send(head(service, "GET", path) * 500)
            findings.count += 1
            for number in range(500):
                answer = connection.read()
                if answer is None or answer[0] >= 400:
                    findings.add(f"500 requests at once, GET {path}", f"{answer and answer[0]} at request {number}")
                    break


def slow_clients(findings, service):
    """The service is configured to wait for three seconds at most."""
    cases = {
        "half a request line": (b"GET /healthz HT", b"a"),
        "a header, byte by byte": (b"GET /healthz HTTP/1.1\r\nX: ", b"a"),
        "a body, byte by byte": (head(service, "POST", "/v1/rules/check", {"Content-Type": "application/json"}, 9_999), b" "),
        "a capture, byte by byte": (head(service, "POST", "/v1/captures", {"Content-Type": "application/xml"}, 9_999), b"<"),
        "events, byte by byte": (head(service, "POST", "/v1/collect", {"Content-Type": "application/json"}, 9_999), b" "),
        "events to match, byte by byte": (
            head(service, "POST", "/v1/match", {"Content-Type": "application/x-ndjson", "Transfer-Encoding": "chunked"}),
            b"1\r\n \r\n"),
        "a body for a path that is not there": (head(service, "POST", "/nothing", {}, 9_999), b" "),
    }
    for name, (begin, more) in cases.items():
        findings.count += 1
        with Raw(service.port, 30) as connection:
            connection.send(begin)
            connection.socket.settimeout(0.4)
            end, answer = time.monotonic() + 45, b""
            while time.monotonic() < end:
                if not connection.send(more):
                    break
                try:
                    data = connection.socket.recv(65_536)
                    if not data:
                        break
                    answer += data
                except TimeoutError:
                    continue
                except ConnectionResetError:
                    break
            else:
                findings.add(name, "is waited for without an end")
            if answer.startswith(b"HTTP/1.1 5") and b" 503 " not in answer[:20]:
                findings.add(name, f"{answer[:300]!r}")


def slow_reader(findings, service):
    """A client that asks and asks, and reads nothing."""
    with Raw(service.port, 30) as connection:
        connection.socket.setsockopt(1, 8, 4_096)
        connection.socket.settimeout(1)
        request = head(service, "GET", "/v1/openapi.json") * 2_000
        try:
            connection.socket.sendall(request)
        except OSError:
            pass
        findings.count += 1
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                if not connection.socket.send(b"\r\n"):
                    break
            except TimeoutError:
                pass
            except OSError:
                break
            time.sleep(0.3)
        else:
            findings.add("a client that reads nothing", "is kept without an end")


def starving(findings, service):
    """What clients without a token can do to others: after each, the service takes events as quickly as before."""
    event = {"event": "A", "type": "track", "distinct_id": "u", "time": round(time.time() * 1000)}
    json_type = {"Content-Type": "application/json"}

    def step(name, attack):
        spent = service.processor_seconds()
        attack()
        spent = service.processor_seconds() - spent
        start = time.monotonic()
        status, _, answer = service.request("POST", "/v1/collect", json.dumps([event]).encode(), json_type)
        findings.count += 1
        if status != 200:
            findings.add(name, f"then collecting is {status} {answer[:200]!r}")
        print(
            f"hostile: {name}: {spent:.1f} s of a processor, then {service.memory():.0f} MB, and collecting takes "
            f"{time.monotonic() - start:.2f} s", flush=True)

    def byte_by_byte(path, count, headers):
        with Raw(service.port, 60) as connection:
            connection.send(head(service, "POST", path, headers | {"Transfer-Encoding": "chunked"}))
            connection.send(b"1\r\n \r\n" * count + b"0\r\n\r\n")
            refused(findings, f"{path} byte by byte", connection.read(), True)

    def login():
        answer = exchange(findings, service, "a login of 16 MB", head(service, "POST", "/v1/session", json_type, 16 << 20))
        if answer is None or answer[0] != 413:
            findings.add("a login of 16 MB", f"{answer and answer[0]}")

    def unread_matches():
        connections = [Raw(service.port) for _ in range(300)]
        start = head(service, "POST", "/v1/match", {"Content-Type": "application/x-ndjson", "Transfer-Encoding": "chunked"})
        block = b"4000\r\n" + b"a" * 0x4000 + b"\r\n"
        for connection in connections:
            connection.socket.settimeout(1)
            try:
                connection.socket.sendall(start + block * 256)
            except OSError:
                pass
        print(f"hostile: while 300 clients match lines without an end: {service.memory():.0f} MB", flush=True)
        for connection in connections:
            connection.socket.close()

    def heads_of_streams():
        for _ in range(300):
            exchange(findings, service, "HEAD /v1/live", head(service, "HEAD", "/v1/live"), body=False)
        with Raw(service.port) as stream:
            stream.send(head(service, "GET", "/v1/live"))
            stream.socket.settimeout(10)
            if b" 200 " not in stream.socket.recv(100):
                findings.add("GET /v1/live", "is refused after 300 times HEAD")

    def too_many_events():
        body = gzip.compress(b"[" + b",".join([b'{"event":"A"}'] * 1_000_000) + b"]", mtime=0)
        status, _, answer = service.request("POST", "/v1/collect", body, json_type | {"Content-Encoding": "gzip"})
        if status != 503:
            findings.add("a million events in a request", f"{status} {answer[:200]!r}")

    def one_bad_event():
        events = [json.dumps(event)] * 49
        events.insert(10, '{"event":"A","n":NaN}')
        status, _, answer = service.request("POST", "/v1/collect", f"[{','.join(events)}]".encode(), json_type)
        if status != 200 or (json.loads(answer)["stored"], json.loads(answer)["rejected"]) != (49, 1):
            findings.add("one NaN among fifty events", f"{status} {answer[:200]!r}")

    def pages():
        for first in range(0, 100_000, 10_000):
            events = [event | {"properties": {"$screen_name": f"page-{n}"}} for n in range(first, first + 10_000)]
            service.json("POST", "/v1/collect", events)

    step("a megabyte of events, byte by byte", lambda: byte_by_byte("/v1/collect", 1 << 20, json_type))
    step("120 kB to match, byte by byte", lambda: byte_by_byte(
        "/v1/match", 120_000, {"Content-Type": "application/x-ndjson"}))
    step("a login of 16 MB", login)
    step("300 clients that match lines without an end", unread_matches)
    step("300 times the head of a stream", heads_of_streams)
    step("a million events in 43 kB", too_many_events)
    step("one NaN among fifty events", one_bad_event)
    step("100,000 pages", pages)


def stops(findings, service):
    """With a stream that never ends, half a request and a connection that says nothing, within the time that it has."""
    with Raw(service.port) as stream, Raw(service.port) as half, Raw(service.port):
        stream.send(head(service, "GET", "/v1/live"))
        half.send(b"POST /v1/rules/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        time.sleep(0.5)
        start = time.monotonic()
        status = service.stop(20)
        if status != 0:
            findings.add("SIGTERM", f"exit status {status}")
        print(f"hostile: stopping with open connections took {time.monotonic() - start:.1f} s")


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    findings = Findings()
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as settings:
        settings.write("limits: { idle_seconds: 3, stall_seconds: 3, stop_seconds: 3 }\n")
        settings.flush()
        service = Service(tool(), "--config", settings.name)
    with service:
        routes = Routes(service)
        steps = {
            "broken HTTP": lambda: broken_http(findings, service),
            "wrong methods": lambda: wrong_methods(findings, service, routes),
            "HEAD": lambda: heads(findings, service, routes),
            "wrong parameters": lambda: wrong_parameters(findings, service, routes, only),
            "wrong bodies": lambda: wrong_bodies(findings, service, routes, only),
            "endless bodies": lambda: endless_bodies(findings, service, routes, only),
            "slow clients": lambda: slow_clients(findings, service),
            "a slow reader": lambda: slow_reader(findings, service),
            "starving": lambda: starving(findings, service),
        }
        for name, step in steps.items():
            start, before = time.monotonic(), findings.count
            step()
            print(
                f"hostile: {name}: {findings.count - before} requests, {time.monotonic() - start:.1f} s, "
                f"{service.memory():.0f} MB", flush=True)
            if service.process.poll() is not None:
                sys.exit(f"hostile: the service has died\n{service.errors()}")
        assert service.request("GET", "/healthz")[0] == 200
        assert service.request("GET", "/readyz")[0] == 200
        if service.memory() > MOST_MEMORY:
            findings.add("memory", f"{service.memory():.0f} MB")
        stops(findings, service)
    print(f"hostile: {findings.count} requests, {len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
