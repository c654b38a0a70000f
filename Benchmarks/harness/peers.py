"""Other engines on the external workload (README.md), run by its scripts and by those in Benchmarks/peers, if installed."""
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .places import BENCHMARKS, CACHE, REPOSITORY, SHARED, digest, has_shared, made, say
from .results import Figures, Result, WrongAnswer


@dataclass(frozen=True)
class Peer:
    """A script that runs an engine, with the number of events that it decides for each number of rules; slow engines decide few."""

    name: str
    script: Path
    options: tuple[str, ...]
    # The Python module, or else the program, that it needs, if any.
    needs: str | None
    quick: dict[int, int]
    full: dict[int, int]


THEIRS, OURS = SHARED / "peers", BENCHMARKS / "peers"
PEERS = [
    Peer("python re", THEIRS / "py_re.py", ("--mode", "naive"), None, {10: 2_000, 1_000: 1_000}, {10_000: 500, 100_000: 100}),
    Peer("python re by page", THEIRS / "py_re.py", ("--mode", "bucket"), None, {10: 2_000, 1_000: 2_000, 10_000: 2_000},
         {100_000: 1_000, 1_000_000: 200}),
    Peer("re2 set", THEIRS / "re2_set.py", ("--mode", "set"), "re2", {10: 2_000, 1_000: 2_000}, {10_000: 1_000}),
    Peer("re2 set by page", THEIRS / "re2_set.py", ("--mode", "set-sharded"), "re2", {10: 2_000, 1_000: 2_000, 10_000: 1_000},
         {100_000: 200}),
    Peer("hyperscan", THEIRS / "hyperscan_peer.py", ("--mode", "db"), "hyperscan", {10: 2_000, 1_000: 2_000}, {10_000: 2_000}),
    Peer("hyperscan by page", THEIRS / "hyperscan_peer.py", ("--mode", "db-sharded"), "hyperscan",
         {10: 2_000, 1_000: 2_000, 10_000: 2_000}, {100_000: 2_000}),
    Peer("hyperscan in C", THEIRS / "hsscan_peer.py", ("--binary", "{hsscan}"), None, {10: 5_000, 1_000: 5_000, 10_000: 5_000},
         {100_000: 5_000}),
    Peer("jq", OURS / "jq_peer.py", (), "jq", {10: 2_000, 1_000: 500}, {10_000: 200}),
    # The engine queries all events at once: the more events, the less each costs.
    Peer("clickhouse", OURS / "clickhouse_peer.py", (), "chdb", {10: 20_000, 1_000: 20_000}, {10_000: 2_000}),
    Peer("duckdb", THEIRS / "duckdb_peer.py", (), "duckdb", {10: 20_000, 1_000: 2_000}, {10_000: 500}),
]

# The figures of a peer that does not run here, from its README: https://github.com/aws/event-ruler#performance
PUBLISHED = """\
event-ruler is not run. It publishes over 220,000 events/s (wildcards 170,000, numbers 120,000) by 5 rules of each kind, on
events of some 900 bytes, on a MacBook of 2019."""


class Peers:
    """The peers that this machine has."""

    def __init__(self, level):
        self.level = level
        self.hsscan = build_hsscan() if has_shared() else None
        self.pythons = {module: python_with(module) for module in ("re2", "hyperscan", "chdb", "duckdb")}
        self.pythons["jq"] = shutil.which("jq") and sys.executable
        for needed, python in self.pythons.items():
            if not python:
                say(f"no peer {needed}: it is not installed; see Benchmarks/README.md")

    def measure(self, workload):
        """A result for each peer on a workload. Raises WrongAnswer."""
        for peer in PEERS:
            events = peer.quick.get(workload.count) or (self.level == "full" and peer.full.get(workload.count))
            python = self.pythons.get(peer.needs, sys.executable)
            if not events or not python or "{hsscan}" in peer.options and not self.hsscan:
                continue
            say(f"{peer.name}: {workload.title}, {events} events")
            yield self.measure_one(peer, python, events, workload)

    def measure_one(self, peer, python, events, workload):
        options = [option.format(hsscan=self.hsscan) for option in peer.options]
        command = [python, peer.script, workload.rules, workload.events, "--limit", events, *options,
                   "--expected", workload.expected, "--passes", 3]
        seconds = 1_800 if self.level == "full" else 120
        try:
            ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=seconds,
                                 env=os.environ | {"PYTHONPATH": str(THEIRS)})
        except subprocess.TimeoutExpired:
            return Result(peer.name, workload.title, workload.count, events, failure=f"more than {seconds} s")
        rows = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
        if not rows or "failed" in rows[0]:
            reason = rows[0]["failed"] if rows else (ran.stderr.strip().splitlines() or ["no result"])[-1]
            return Result(peer.name, workload.title, workload.count, events, failure=reason[:80])
        row = rows[0]
        right, checked = row["verified"].split("/")
        if right != checked or checked == "0":
            raise WrongAnswer(f"{peer.name}, {workload.title}: {row['verified']} of the reference's answers")
        return Result(
            peer.name, workload.title, workload.count, row["events"], None,
            Figures([row["e2e_ns"]]) if "e2e_ns" in row else None, None, Figures([row["match_ns"]]), row["compile_s"],
            row.get("bytes_per_rule"), row["peak_rss_mb"] * 1.048576 if "peak_rss_mb" in row else None, None, row["pairs"])


def python_with(module):
    """A Python that has a module, or None. `make platforms` also makes one, with the databases."""
    for python in (os.environ.get("ENCIRCLE_BENCH_PYTHON"), sys.executable, CACHE / "venv/bin/python",
                   REPOSITORY / ".build/platforms/bin/python"):
        if python and shutil.which(python):
            if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
                return python
    return None


def build_hsscan():
    """The runner in C, if Hyperscan's headers are there."""
    compiler, finder = shutil.which("cc"), shutil.which("pkg-config")
    libraries = finder and subprocess.run([finder, "--cflags", "--libs", "libhs"], capture_output=True, text=True)
    if not compiler or not libraries or libraries.returncode:
        return say("no peer hyperscan in C: no compiler, or no libhs by pkg-config")
    source = SHARED / "native/hsscan.c"
    try:
        return made(CACHE / f"bin/hsscan-{digest(source)}", lambda half: subprocess.run(
            [compiler, "-O3", "-march=native", "-w", "-o", half, source, *libraries.stdout.split()], check=True,
            capture_output=True))
    except subprocess.CalledProcessError:
        return say("no peer hyperscan in C: it does not compile")
