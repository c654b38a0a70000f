"""Kills the service with SIGKILL during uploads, publishing and collecting, again and again in one directory, and checks after
each start that everything acknowledged is there exactly once. Does the same with power cuts, after which only what was
synchronised with the disk is left. Then fills the disk under it.

usage: ENCIRCLE=TOOL python3 Tests/API/kill.py [KILLS]
"""

import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from events import all_events
from service import ROOT, Service, tool

JSON = {"Content-Type": "application/json"}


class Book:
    """What has been acknowledged."""

    def __init__(self):
        self.lock = threading.Lock()
        self.events = set()
        self.batches = []  # Not acknowledged: to be sent again, as an SDK does.
        self.captures = {}
        self.versions = {}
        self.number = 0

    def next(self):
        with self.lock:
            self.number += 1
            return self.number


def batch(book, run):
    events = []
    for _ in range(20):
        number = book.next()
        events.append({
            "_track_id": number, "distinct_id": f"run-{run}", "time": round(time.time() * 1000), "type": "track",
            "event": "$AppClick", "properties": {"index": number, "$app_version": "5.2.1"}})
    return events


def collect(service, book, run, stop):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    while not stop.is_set():
        events = batch(book, run)
        with book.lock:
            book.batches.append(events)
        connection.request("POST", "/v1/collect?project=default", json.dumps(events), JSON)
        answer = connection.getresponse()
        answer.read()
        if answer.status == 200:
            with book.lock:
                book.events.update(event["properties"]["index"] for event in events)
                book.batches.remove(events)


def upload(service, book, run, stop):
    while not stop.is_set():
        number = book.next()
        rows = "".join(
            f'<view class="Row" indexPath="0 {row}" frame="0 {row * 40} 390 40"><view class="UILabel" text="{number} {row}"/></view>'
            for row in range(200))
        capture = (
            f'<viewTree version="1" app="com.example.kill" appVersion="1.{run}.0"><view class="UIWindow" frame="0 0 390 844">'
            f'<view class="UITableView" frame="0 0 390 844">{rows}</view></view></viewTree>').encode()
        status, _, answer = service.request(
            "POST", f"/v1/captures?name=capture-{number}", capture, {"Content-Type": "application/xml"})
        if status in (200, 201):
            book.captures[json.loads(answer)["capture"]["id"]] = hashlib.sha256(capture).hexdigest()


def publish(service, book, run, stop):
    while not stop.is_set():
        number = book.next()
        text = f"version: 1\nrules:\n  - id: rule.{number}\n    include: {{ event: $AppClick }}\n"
        status, headers, answer = service.request("GET", "/v1/rulesets/default")
        if status != 200:
            continue
        status, headers, answer = service.request(
            "PUT", f"/v1/rulesets/default?reason=run-{run}", text.encode(),
            {"Content-Type": "application/yaml", "If-Match": headers["etag"]})
        assert status == 200, f"publishing: {status} {answer[:300]!r}"
        version = int(headers["etag"].strip('"').split("-")[0])
        book.versions[version] = text


def guarded(work, service, book, run, stop, failures):
    try:
        work(service, book, run, stop)
    except (OSError, http.client.HTTPException):
        pass  # It has been killed.
    except AssertionError as error:
        failures.append(str(error))


def history(service):
    """The numbers of all versions of the rules."""
    versions, page = set(), [None]
    while page:
        page = service.json("GET", f"/v1/rulesets/default/history?limit=1000&offset={len(versions)}")["versions"]
        versions |= {entry["version"] for entry in page}
    return versions


def check(service, book, run, everything):
    """Checks that what was acknowledged is there once; only events of the run before, unless everything is checked."""
    with book.lock:
        again, book.batches = book.batches, []
    for events in again:
        service.json("POST", "/v1/collect?project=default", events)
        book.events.update(event["properties"]["index"] for event in events)
    filters = {} if everything else {"distinct_id": f"run-{run - 1}"}
    found = {}
    for event in all_events(service, **filters):
        content = event["event_json"]
        index = content["properties"]["index"]
        found[index] = found.get(index, 0) + 1
    repeated = [index for index, count in found.items() if count > 1]
    assert not repeated, f"events are there more than once: {repeated[:10]}"
    if everything:
        missing = book.events - found.keys()
        assert not missing, f"{len(missing)} acknowledged events are lost: {sorted(missing)[:10]}"
        assert found.keys() <= book.events, "there are events that nobody sent"
    missing = book.versions.keys() - history(service)
    assert not missing, f"acknowledged versions of the rules are lost: {sorted(missing)}"
    for version in list(book.versions)[-3:] if not everything else book.versions:
        status, _, text = service.request("GET", f"/v1/rulesets/default/history/{version}")
        assert status == 200 and text.decode() == book.versions[version], f"version {version}: {status} {text[:200]!r}"
    for capture in list(book.captures)[-5:] if not everything else book.captures:
        status, _, source = service.request("GET", f"/v1/captures/{capture}/source")
        assert status == 200, f"capture {capture} is lost: {status}"
        assert hashlib.sha256(source).hexdigest() == book.captures[capture], f"capture {capture} has other bytes"


class Disk:
    """What would be left of the files in a directory after a power cut."""

    def __init__(self, directory):
        self.files = pathlib.Path(directory) / "files"
        self.synced = pathlib.Path(directory) / "synced"
        self.files.mkdir()
        self.synced.mkdir()
        library = pathlib.Path(directory) / "synced_files.so"
        source = ROOT / "Tests" / "API" / "synced_files.c"
        compiler = shutil.which("clang") or shutil.which("cc")
        self.is_there = compiler is not None and subprocess.run(
            [compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=False).returncode == 0
        self.environment = {"LD_PRELOAD": str(library), "SYNCED_FROM": str(self.files), "SYNCED_TO": str(self.synced)}

    def cut(self):
        """Leaves of each file what was synchronised last."""
        shutil.rmtree(self.files)
        self.files.mkdir()
        for file in self.synced.iterdir():
            # Copies that a kill has interrupted have a longer name.
            if not file.suffixes[1:]:
                shutil.copy(file, self.files)


def power_cuts(times):
    with tempfile.TemporaryDirectory(prefix="encircle-power-") as directory:
        disk = Disk(directory)
        if not disk.is_there:
            print("skipped: power cuts, as there is no C compiler")
            return
        # The first synchronisations are of empty files; a stopped service has made all of them.
        with Service(tool(), data=disk.files, environment=disk.environment) as service:
            assert service.stop() == 0
        kill(times, disk)
    with tempfile.TemporaryDirectory(prefix="encircle-power-") as directory:
        disk = Disk(directory)
        added = [tool(), "token", "add", "lin", "--role", "publish", "--data", disk.files]
        subprocess.run(added, check=True, stdout=subprocess.DEVNULL, env=os.environ | disk.environment)
        disk.cut()
        listed = subprocess.run([tool(), "token", "list", "--data", disk.files], check=True, capture_output=True, text=True)
        assert "lin" in listed.stdout, "a token is lost"
    print("power cut: a token that was shown is there")
    delivery(times)


def delivery(times):
    """The same for the queue of events that are to be sent."""
    process = ROOT / ".build" / "debug" / "EncircleDeliveryProcess"
    if not process.exists():
        print("skipped: power cuts of the delivery's queue, as the tests have not been built")
        return
    choice, last = random.Random(20), 0
    with tempfile.TemporaryDirectory(prefix="encircle-power-") as directory:
        disk = Disk(directory)
        for _ in range(times):
            # Nobody listens on port 1, so that all events wait.
            run = subprocess.Popen(
                [process, disk.files / "queue.sqlite", "1", "7", str(last + 1), "1000000"], stdout=subprocess.PIPE,
                env=os.environ | disk.environment)
            numbers = []
            reader = threading.Thread(target=lambda: numbers.extend(run.stdout))
            reader.start()
            time.sleep(choice.uniform(0.2, 0.8))
            run.kill()
            run.wait()
            reader.join()
            disk.cut()
            last = int(numbers[-1]) if numbers and numbers[-1].endswith(b"\n") else last
            # A copy, as closing a database changes its files.
            copy = pathlib.Path(directory) / "copy"
            shutil.copytree(disk.files, copy)
            with contextlib.closing(sqlite3.connect(copy / "queue.sqlite")) as queue:
                count = queue.execute("SELECT count(*) FROM events").fetchone()[0]
            shutil.rmtree(copy)
            assert count >= last, f"{last - count} stored events are lost"
            last = count
    print(f"power cut: after {times} cuts {last} events wait to be sent")


def kill(times, disk=None):
    choice = random.Random(19)
    book, failures, slowest = Book(), [], 0.0
    with contextlib.ExitStack() as stack:
        directory = disk.files if disk else stack.enter_context(tempfile.TemporaryDirectory(prefix="encircle-kill-"))
        environment = disk.environment if disk else None
        for run in range(1, times + 1):
            with Service(tool(), data=directory, environment=environment) as service:
                slowest = max(slowest, service.start_seconds)
                if run > 1:
                    check(service, book, run, everything=run % 10 == 0)
                stop = threading.Event()
                threads = [
                    threading.Thread(target=guarded, args=(work, service, book, run, stop, failures), daemon=True)
                    for work in (collect, collect, upload, publish)]
                for thread in threads:
                    thread.start()
                time.sleep(choice.uniform(0.1, 1.2))
                service.kill()
                stop.set()
                for thread in threads:
                    thread.join(40)
                assert not failures, failures
                if disk:
                    disk.cut()
        with Service(tool(), data=directory) as service:
            check(service, book, times + 1, everything=True)
            assert service.stop() == 0
    print(
        f"{'power cut' if disk else 'kill'}: after {times} {'cuts' if disk else 'kills'} {len(book.events)} events, {len(book.captures)} captures and {len(book.versions)} "
        f"versions are there, each once; the slowest start took {slowest:.2f} s")


@contextlib.contextmanager
def small_disk(megabytes):
    directory = tempfile.mkdtemp(prefix="encircle-disk-")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", directory]
    mounted = os.geteuid() == 0 and subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode == 0
    try:
        yield pathlib.Path(directory) if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", directory], check=False)
        os.rmdir(directory)


def copies_onto_full_disk(disk):
    """A directory on a full disk can be backed up to another disk, and what does not fit says so and leaves nothing."""
    with tempfile.TemporaryDirectory(prefix="encircle-backup-") as other:
        backup = f"{other}/backup"
        for arguments, target in (
            (["backup", "--data", disk / "data", "--to", backup], None),
            (["backup", "--data", disk / "data", "--to", disk / "backup"], disk / "backup"),
            (["restore", "--from", backup, "--data", disk / "restored"], disk / "restored"),
        ):
            run = subprocess.run([tool(), *arguments], capture_output=True, text=True, check=False)
            if target is None:
                assert run.returncode == 0, f"a backup of a full disk: {run.stderr}"
            else:
                expected = f"error: {target}: cannot be used: the disk is full\n"
                assert (run.returncode, run.stderr) == (74, expected), f"{arguments[0]} to a full disk: {run.stderr}"
                assert not target.exists(), f"{arguments[0]} to a full disk leaves {target}"


def starts_on_full_disk(disk):
    """A service that cannot start because the disk is full says so, as do commands for its tokens."""
    rest = disk / "rest"
    with contextlib.suppress(OSError), rest.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    for arguments in (["serve", "--port", "0"], ["token", "add", "lin", "--role", "read"]):
        target = disk / arguments[0]
        run = subprocess.run([tool(), *arguments, "--data", target], capture_output=True, text=True, timeout=60, check=False)
        expected = f"error: {target}: cannot be used: the disk is full\n"
        assert (run.returncode, run.stderr) == (74, expected), f"{arguments[0]} on a full disk: {run.stderr}"
    run = subprocess.run([tool(), "doctor", "--data", disk / "data"], capture_output=True, text=True, check=False)
    assert "warning  space: no space is free\n" in run.stdout, f"the check of a full disk: {run.stdout}"
    rest.unlink()


def full_disk():
    with small_disk(72) as disk:
        if disk is None:
            print("skipped: a full disk, as no small file system can be mounted here")
            return
        ballast = disk / "ballast"
        # More than the log, which moves into the file once there is space again.
        ballast.write_bytes(bytes(40 << 20))
        book = Book()
        with Service(tool(), data=disk / "data") as service:
            acknowledged, refusals, wide = set(), 0, "x" * 2_000
            deadline = time.monotonic() + 120
            while refusals < 3 and time.monotonic() < deadline:
                events = batch(book, 0)
                for event in events:
                    event["properties"]["wide"] = wide
                status, headers, answer = service.request("POST", "/v1/collect?project=default", json.dumps(events), JSON)
                if status == 200:
                    assert not refusals or acknowledged, "accepted"
                    acknowledged.update(event["properties"]["index"] for event in events)
                else:
                    assert status == 503 and "retry-after" in headers, f"collecting on a full disk: {status} {answer[:300]!r}"
                    assert json.loads(answer)["error"]["code"], answer
                    refusals += 1
            assert refusals, "the disk never filled"
            for path in ("/healthz", "/v1/events?limit=10", "/v1/rulesets/default", "/v1/captures", "/v1/reports/overview"):
                status, _, answer = service.request("GET", path)
                assert status == 200, f"{path} on a full disk: {status} {answer[:300]!r}"
            status, _, answer = service.request("GET", "/readyz")
            assert status == 503, f"/readyz on a full disk: {status}"
            for method, path, body, headers in (
                ("PUT", "/v1/rulesets/default", b"version: 1\nrules: []\n# " + b"x" * 400_000, {"If-Match": "*"}),
                ("POST", "/v1/captures", b'<viewTree version="1"><view class="UIWindow" text="' + os.urandom(300_000).hex().encode()
                 + b'"/></viewTree>', {"Content-Type": "application/xml"}),
            ):
                status, _, answer = service.request(method, path, body, headers)
                assert status == 503, f"{method} {path} on a full disk: {status} {answer[:300]!r}"
            copies_onto_full_disk(disk)
            starts_on_full_disk(disk)
            ballast.unlink()
            recovered = time.monotonic()
            while time.monotonic() < recovered + 60:
                events = batch(book, 0)
                status, _, answer = service.request("POST", "/v1/collect?project=default", json.dumps(events), JSON)
                if status == 200:
                    acknowledged.update(event["properties"]["index"] for event in events)
                    break
                time.sleep(0.5)
            else:
                raise AssertionError(f"it does not recover after space was freed: {status} {answer[:300]!r}")
            status, _, answer = service.request("GET", "/readyz")
            assert status == 200, f"/readyz after space was freed: {status} {answer!r}"
            found = [event["event_json"]["properties"]["index"] for event in all_events(service)]
            assert len(found) == len(set(found)), "events are there more than once"
            missing = acknowledged - set(found)
            assert not missing, f"{len(missing)} acknowledged events are lost"
            print(
                f"kill: on a full disk events are refused with 503 and all is read; {len(acknowledged)} events are there, "
                f"and {time.monotonic() - recovered:.1f} s after space was freed it takes more")


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    kill(times)
    power_cuts(times)
    full_disk()


if __name__ == "__main__":
    main()
