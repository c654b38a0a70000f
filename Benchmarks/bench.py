#!/usr/bin/env python3
"""Measures Encircle and programs to compare it with, and prints one table. This is what `make bench` runs.

Builds for release, makes the workloads, checks every program's answers against the reference, and fails when one is wrong.
"""
import argparse
import dataclasses
import json
import sys
import time

from harness import engine, floor, peers, table, workloads, yardstick
from harness.places import CACHE, say
from harness.results import WrongAnswer

# By level: seconds of CPU time for the first pass, which decides how many events a pass takes.
BUDGET = {"quick": 1.0, "full": 10.0}
BUDGET_HARD = {"quick": 0.4, "full": 2.0}


def measure(workload, program, reader, native, others, options):
    """Encircle's result and then the others'."""
    say(f"measure: {workload.title}")
    hard = (workload.name, workload.count) in workloads.OWN_HARD
    encircle = engine.measure(program, workload, options.passes, (BUDGET_HARD if hard else BUDGET)[options.level])
    results = [encircle]
    if reader and encircle.matching:
        results.append(floor.measure(reader, workload, encircle, options.passes))
    if native and workload.has_shared_fields:
        for variant in yardstick.VARIANTS:
            # Without another index, the yardstick tries all texts one after the other.
            passes = 1 if hard else options.passes
            results.append(yardstick.measure(native, variant, workload, encircle, passes))
    if others and workload.has_peers:
        results += others.measure(workload)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only these workloads, such as standard or mixed-1000")
    parser.add_argument("--level", choices=BUDGET, default="quick", help="full: a million rules, slow peers, more events")
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--no-peers", action="store_true", help="neither peers nor yardsticks")
    options = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    program = engine.build()
    reader = None if options.no_peers else floor.build()
    native = None if options.no_peers else yardstick.build()
    others = None if options.no_peers else peers.Peers(options.level)
    groups, wrong = [], []
    try:
        for workload in workloads.selected(options.level, options.words):
            try:
                groups.append(measure(workload, program, reader, native, others, options))
            except WrongAnswer as error:
                wrong.append(str(error))
                say(f"WRONG: {error}")
    except KeyboardInterrupt:
        wrong.append("interrupted: the table is not complete")
    if groups:
        print(table.table(groups))
        if others:
            print(peers.PUBLISHED)
        with open(CACHE / "results.json", "w", encoding="utf-8") as file:
            json.dump([dataclasses.asdict(result) for group in groups for result in group], file, indent=1)
    say(f"{time.monotonic() - start:.0f} s; all figures are in {CACHE / 'results.json'}")
    for error in wrong:
        print(f"\nFAILED: {error}")
    if wrong or not groups:
        sys.exit(1)


if __name__ == "__main__":
    main()
