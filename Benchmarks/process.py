#!/usr/bin/env python3
"""Measures the tool as a process, with 10 rules to a million: what `make bench-process` runs.

Rules are compiled to a file, and `encircle match` decides a stream by it on one thread. The time without events is for starting and
loading; the rest is for deciding. The number of selected events must be the same as in bench-rules.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness import engine, places, tool, workloads
from harness.places import CACHE, say
from harness.table import number

COMPONENT = re.compile(r"(.*)(\([^()]*\))", re.S)
PLAIN = re.compile(r"[A-Za-z0-9_.]+")
TESTS = {"prefix": "prefix", "suffix": "suffix", "contains": "contains", "matches": "matches", "lt": "<", "ge": ">="}


# ------------------------------------------------------------- rules as a rule file

def selector(pattern):
    steps = []
    for step in pattern.split("/"):
        found = COMPONENT.fullmatch(step)
        quoted = found and not PLAIN.fullmatch(found[1])
        steps.append("'" + found[1].replace("'", "''") + "'" + found[2] if quoted else step)
    # A selector begins at any depth unless a slash says that it begins at the window.
    return "/".join(steps[1:] if steps[0] == "**" else ["", *steps])


def test_of(test):
    """Returns a test in the form of a rule file."""
    operator, value = test["op"], test.get("value")
    if operator in ("eq", "in"):
        return value
    if operator == "exists":
        return {"exists": True}
    return {"not": value} if operator == "not-in" else {TESTS[operator]: value}


def rule_of(line):
    """Returns a rule of a workload in the form of a rule file. Ids have the same length as in bench-rules."""
    clause = {name: line[own] for name, own in (("event", "event"), ("page", "screen")) if own in line}
    if "path" in line:
        clause["selector"] = selector(line["path"])
    where = {"$element_content": test_of(line["content"])} if "content" in line else {}
    where |= {test["key"]: test_of(test) for test in line.get("props", ())}
    if "version" in line:
        bounds = [sign + line["version"][end] for end, sign in (("min", ">="), ("max", "<=")) if end in line["version"]]
        where["$app_version"] = {"version": " ".join(bounds)}
    return {"id": f"{line['id']:07}", line["action"]: clause | ({"where": where} if where else {})}


def write_rule_file(rules, path):
    """JSON, which is also YAML, one rule a line."""
    with open(rules, encoding="utf-8") as lines, open(path, "w", encoding="utf-8") as output:
        output.write('{"version":1,"pages":{"defaults":false},"rules":[\n')
        for place, line in enumerate(lines):
            text = json.dumps(rule_of(json.loads(line)), ensure_ascii=False, separators=(",", ":"))
            output.write((",\n" if place else "") + text)
        output.write("\n]}\n")


# --------------------------------------------------------------------- processes

@dataclass
class Cost:
    """The resources that a process has used."""

    seconds: float  # by the clock
    cpu: float
    peak: int  # bytes


def run(*command, output=os.devnull):
    """Runs a program to its end; ends this one if it fails."""
    with open(output, "wb") as file, tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        process = subprocess.Popen(list(map(str, command)), stdout=file, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        if process.returncode:
            errors.seek(0)
            raise SystemExit(f"{' '.join(map(str, command))}: status {process.returncode}: {errors.read(600).decode()}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def middle(costs):
    return Cost(median(cost.seconds for cost in costs), median(cost.cpu for cost in costs), max(cost.peak for cost in costs))


def measure(encircle, program, workload, events, runs, folder):
    """A row of the table for one number of rules."""
    rules, compiled, selected = folder / "rules.json", folder / "rules.compiled", folder / "selected.ndjson"
    write_rule_file(workload.rules, rules)
    say(f"compile: {workload.title}")
    compiling = run(encircle, "compile", rules, "-o", compiled)
    count = sum(1 for _ in open(workload.rules, "rb"))
    expected = engine.run(program, workload.rules, events, "--passes", 1, "--only", "read")
    match = [encircle, "match", "--threads", 1, "--output", "selected", "--rules", compiled]
    say(f"match: {workload.title}")
    loads, wholes, doubles = [], [], []
    for _ in range(runs):
        loads.append(run(*match, os.devnull))
        wholes.append(run(*match, events, output=selected))
        doubles.append(run(*match, events, events))
    kept = sum(1 for _ in open(selected, "rb"))
    if kept != expected["kept"]:
        raise SystemExit(f"FAILED: {workload.title}: {kept} events selected, bench-rules selects {expected['kept']}")
    load, whole, double = middle(loads), middle(wholes), middle(doubles)
    return [f"{count:,}", number(compiling.seconds), number(compiling.peak / 1e6), number(compiled.stat().st_size / 1e6),
            number(load.seconds), number(load.cpu), number(load.peak / 1e6),
            f"{expected['events'] / (whole.cpu - load.cpu):,.0f}", number(whole.peak / 1e6), number(double.peak / 1e6)], load.peak


HEADS = ["rules", "compile, s", "its peak, MB", "file, MB", "load, s", "load, CPU s", "loaded, MB", "events/s behind it",
         "peak, MB", "peak of twice the events, MB", "bytes a rule"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, help="numbers of rules", default=[10, 1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    if not places.has_shared():
        sys.exit("The rules come from the external workload: ENCIRCLE_SHARED names the folder that has bench/gen.py.")
    encircle, program = tool.path(), engine.build()
    print("| " + " | ".join(HEADS) + " |\n|" + "---:|" * len(HEADS))
    smallest = None
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        for size in options.sizes:
            workload = workloads.shared("standard", size, max(options.sizes))
            row, loaded = measure(encircle, program, workload, workload.events, options.runs, Path(folder))
            smallest = smallest or loaded
            row.append(number((loaded - smallest) / size) if size >= 1_000 else "")
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
