"""Runs the tool on one generated input and measures what it costs."""

import json
import os
import resource
import selectors
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

#: Above this much address space an allocation fails, so that a case cannot take the whole machine.
ADDRESS_SPACE = 12 << 30


@dataclass
class Command:
    """A command line of the tool, and what it reads from standard input."""

    arguments: list
    stdin: str | None = None  # the name of a file
    feed: object = None  # or an iterable of pieces, which go through a pipe
    setup: list = None  # command lines that run before, and are not measured


class Box:
    """The folder of one run. A generator writes the inputs to it piece by piece and keeps its own memory small, because the
    memory of a process counts for the peak of its child processes."""

    def __init__(self, folder):
        self.folder = folder
        self.bytes = 0

    def file(self, name, *pieces):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb", buffering=1 << 16) as file:
            for data in flatten(pieces):
                file.write(data)
                self.bytes += len(data)
        return name


def flatten(pieces):
    """The pieces as bytes: texts, bytes, and iterables of them."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece.encode("utf-8", "surrogatepass")
        elif isinstance(piece, (bytes, bytearray)):
            yield bytes(piece)
        else:
            yield from flatten(piece)


def repeated(text, count):
    """A text repeated many times, in pieces of some size."""
    step = max(1, (1 << 16) // max(1, len(text)))
    while count > 0:
        yield text * min(step, count)
        count -= step


@dataclass
class Measurement:
    size: int
    input: int = 0  # bytes
    cpu: float = 0.0  # seconds, of user and system
    memory: float = 0.0  # megabytes, the peak
    output: float = 0.0  # megabytes, of both outputs
    status: int = 0
    timed_out: bool = False
    errors: str = ""  # the beginning of standard error


def measure(tool, generate, size, folder, time_out, output_limit):
    """Generates the input of a size and runs the tool on it."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    feed_read, feed_write = os.pipe()
    report_read, report_write = os.pipe()
    worker = os.fork()
    if worker == 0:
        work(tool, generate, size, folder, feed_read, feed_write, report_read, report_write)
    os.close(feed_write)
    os.close(report_write)
    with os.fdopen(report_read) as reports:
        plan = json.loads(reports.readline() or '{"failure": "the generator failed"}')
        try:
            if "failure" in plan:
                os.waitpid(worker, 0)
                raise RuntimeError(plan["failure"])
            result = run(tool, plan, size, folder, feed_read, time_out, output_limit)
        finally:
            os.close(feed_read)
        end = json.loads(reports.readline() or "{}")
    if "failure" not in plan:
        os.waitpid(worker, 0)
    result.input = end.get("bytes", plan["bytes"])
    return result


def work(tool, generate, size, folder, feed_read, feed_write, report_read, report_write):
    """The life of the process that generates an input."""
    try:
        os.close(feed_read)
        os.close(report_read)
        box = Box(folder)
        command = generate(box, size)
        for arguments in command.setup or []:
            done = subprocess.run([tool, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
            if done.returncode not in (0, 1):
                raise RuntimeError(f"{arguments[0]} before it failed: {done.stderr[:300]}")
        report(report_write, arguments=command.arguments, stdin=command.stdin, feed=command.feed is not None, bytes=box.bytes)
        if command.feed is not None:
            try:
                for data in flatten([command.feed]):
                    box.bytes += len(data)
                    view = memoryview(data)
                    while view:
                        view = view[os.write(feed_write, view) :]
            except BrokenPipeError:
                pass
            report(report_write, bytes=box.bytes)
    except Exception as error:
        report(report_write, failure=f"{type(error).__name__}: {error}")
    finally:
        os._exit(0)


def report(descriptor, **members):
    os.write(descriptor, (json.dumps(members) + "\n").encode())


def run(tool, plan, size, folder, feed, time_out, output_limit):
    """Runs the tool and reads all that it writes without keeping it."""
    stdin = subprocess.DEVNULL
    if plan["feed"]:
        stdin = feed
    elif plan["stdin"]:
        stdin = open(os.path.join(folder, plan["stdin"]), "rb")
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"}

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(time_out), int(time_out) + 1))

    process = subprocess.Popen(
        [tool, *plan["arguments"]], cwd=folder, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment, preexec_fn=limit)
    result = Measurement(size)
    errors = bytearray()
    written = 0
    # On a busy machine, time passes faster than the tool can work.
    deadline = time.monotonic() + time_out * 10
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stderr, selectors.EVENT_READ)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0 or written > output_limit:
                result.timed_out = left <= 0
                process.send_signal(signal.SIGKILL)
                break
            for key, _ in selector.select(left):
                data = os.read(key.fd, 1 << 16)
                if not data:
                    selector.unregister(key.fileobj)
                written += len(data)
                if key.fileobj is process.stderr and len(errors) < 4096:
                    errors += data
    # A run that closed its outputs ends immediately, or hangs.
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > deadline:
            result.timed_out = True
            process.send_signal(signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
            break
        time.sleep(0.001)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == -signal.SIGXCPU:
        result.timed_out = True
    process.stdout.close()
    process.stderr.close()
    if stdin not in (subprocess.DEVNULL, feed):
        stdin.close()
    result.cpu = usage.ru_utime + usage.ru_stime
    result.memory = usage.ru_maxrss / (1 << 20 if os.uname().sysname == "Darwin" else 1 << 10)
    result.output = written / (1 << 20)
    result.status = process.returncode
    result.errors = errors[:4096].decode("utf-8", "replace")
    return result
