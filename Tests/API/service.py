"""The built tool, serving a separate directory on a separate port, and raw connections to it."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Service:
    """Started at once; stopped, and its directory removed, at the end of a `with` block."""

    def __init__(self, tool, *arguments, data=None, environment=None):
        self.tool = tool
        self.environment = environment or {}
        self.arguments = list(arguments)
        self.own = data is None
        self.data = pathlib.Path(data or tempfile.mkdtemp(prefix="encircle-api-"))
        self.log = tempfile.TemporaryFile("w+b")
        self.start()

    def start(self, seconds=30):
        command = [self.tool, "serve", "--data", str(self.data), "--port", "0", *self.arguments]
        began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True, encoding="utf-8",
                                        env=os.environ | self.environment)
        timer = threading.Timer(seconds, self.process.kill)
        timer.start()
        for line in self.process.stdout:
            if found := re.search(r"http://[^/]*:(\d+)/", line):
                self.port = int(found.group(1))
                break
        else:
            timer.cancel()
            raise AssertionError(f"the service did not start: {self.errors()}")
        timer.cancel()
        self.start_seconds = time.monotonic() - began
        # Nobody reads the rest; the pipe must not fill.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def errors(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")[-2_000:]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self, seconds=30):
        """Ends it as an operator does. Returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the service did not stop within {seconds} s of SIGTERM") from None

    def memory(self):
        """The resident memory, in MB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024

    def processor_seconds(self):
        """The processor time of the process."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as status:
            fields = status.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def request(self, method, path, body=None, headers=None, seconds=30):
        """An answer as (status, headers, bytes)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def json(self, method, path, value=None, headers=None, expect=(200, 201)):
        body = None if value is None else json.dumps(value).encode()
        status, _, answer = self.request(method, path, body, {"Content-Type": "application/json"} | (headers or {}))
        assert status in expect, f"{method} {path}: {status} {answer[:300]!r}"
        return json.loads(answer) if answer else None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        with contextlib.suppress(AssertionError):
            if self.process.poll() is None:
                self.stop()
        if kind is not None:
            print(self.errors())
        self.log.close()
        if self.own:
            shutil.rmtree(self.data, ignore_errors=True)


class Raw:
    """A connection on which any bytes can be sent."""

    def __init__(self, port, seconds=20):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=seconds)
        self.seconds = seconds
        self.buffer = b""
        self.broken = False

    def send(self, data):
        """Sends, unless the service has hung up already."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            self.broken = True
        return not self.broken

    def read(self, body=True):
        """The next answer as (status, headers, bytes); None where the connection was closed without one.

        Raises TimeoutError if no answer comes, as from a stuck connection."""
        deadline = time.monotonic() + self.seconds

        def more():
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(65_536)
            except ConnectionResetError:
                data = b""
            self.buffer += data
            return data

        while b"\r\n\r\n" not in self.buffer:
            if not more():
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        if 100 <= status < 200:
            return self.read(body)
        if not body or status in (204, 304):
            return status, headers, b""
        if headers.get("transfer-encoding") == "chunked":
            content = b""
            while True:
                while b"\r\n" not in self.buffer:
                    if not more():
                        return status, headers, content
                size, self.buffer = self.buffer.split(b"\r\n", 1)
                length = int(size, 16)
                while len(self.buffer) < length + 2:
                    if not more():
                        return status, headers, content
                content += self.buffer[:length]
                self.buffer = self.buffer[length + 2:]
                if length == 0:
                    return status, headers, content
        if "content-length" in headers:
            length = int(headers["content-length"])
            while len(self.buffer) < length and more():
                pass
            content, self.buffer = self.buffer[:length], self.buffer[length:]
            return status, headers, content
        while more():
            pass
        content, self.buffer = self.buffer, b""
        return status, headers, content

    def closed(self):
        """Whether the service closes the connection within the time."""
        self.socket.settimeout(self.seconds)
        try:
            while self.socket.recv(65_536):
                pass
        except ConnectionResetError:
            pass
        except TimeoutError:
            return False
        return True

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def tool():
    """The tool that the tests drive."""
    return os.environ["ENCIRCLE"]


def fill(service):
    """Gives a service the captures and the shop's rules of this repository, as its clients would. Returns the captures."""
    captures = []
    for file in sorted((ROOT / "ViewTrees").glob("*.xml")):
        status, _, answer = service.request(
            "POST", f"/v1/captures?name={file.stem}", file.read_bytes(), {"Content-Type": "application/xml"})
        assert status in (200, 201), f"{file.name}: {status} {answer[:300]!r}"
        captures.append(json.loads(answer)["capture"])
    status, _, answer = service.request(
        "PUT", "/v1/rulesets/default?reason=first", (ROOT / "Rules" / "shop.yaml").read_bytes(),
        {"Content-Type": "application/yaml", "If-Match": "*"})
    assert status == 200, f"rules: {status} {answer[:500]!r}"
    return captures
