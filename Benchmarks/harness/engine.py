"""Encircle itself: `bench-rules`, a separate process for each workload."""
import json
import subprocess
import tempfile
from pathlib import Path

from .places import REPOSITORY, say
from .results import Figures, Result, WrongAnswer, check_dump


def build(repository=REPOSITORY, scratch=None):
    """Builds bench-rules for release; returns the path of the program."""
    say(f"build: {repository}")
    command = ["swift", "build", "-c", "release", "--package-path", str(repository / "Benchmarks"), "--product", "bench-rules"]
    if scratch:
        command += ["--scratch-path", str(scratch)]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        raise SystemExit(built.stdout + built.stderr)
    shown = subprocess.run(command + ["--show-bin-path"], capture_output=True, text=True, check=True)
    return Path(shown.stdout.strip()) / "bench-rules"


def run(program, rules, events, *options):
    """One run, as a row of bench-rules. Raises WrongAnswer."""
    ran = subprocess.run(list(map(str, [program, rules, events, *options])), capture_output=True, text=True)
    if ran.returncode:
        raise WrongAnswer(f"encircle, {rules} on {events}: {ran.stderr.strip() or f'status {ran.returncode}'}")
    return json.loads(ran.stdout)


def measure(program, workload, passes, budget, events=None):
    """One run, of as many events as fit into a budget in seconds, or of a fixed number. Raises WrongAnswer."""
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "dump.jsonl"
        row = run(program, workload.rules, workload.events, "--passes", passes, "--dump", workload.answered, dump,
                  *(["--events", events] if events else ["--budget", budget]))
        check_dump("encircle", workload, dump, workload.answered)
    if workload.name == "none" and row["pairs"] or workload.name == "malformed" and row["rejected"] != row["events"]:
        raise WrongAnswer(f"encircle, {workload.title}: {row['pairs']} matches, {row['rejected']} events rejected")
    result = Result(
        "encircle", workload.title, row["rules"], row["events"], row["bytes"], Figures(row["e2e_ns"]),
        Figures(row["read_ns"]), Figures(row["match_ns"]), row["compile_s"],
        row.get("bytes_per_rule", row.get("growth_per_rule")), row["peak_mb"], row.get("memo_hit"), row["pairs"],
        row["kept"])
    if row["rejected"] == row["events"]:
        result.matching = None
    if "bytes_per_rule" not in row:
        result.notes.append("bytes per rule: resident memory gained by compiling")
    return result
