#!/usr/bin/env python3
"""Feeds the tool with inputs that double in one dimension at a time.

A case fails when CPU time, peak memory or output grow by more than 2.5 times per doubling once they can be measured, when
the tool dies or does not end. An input that is refused with an error ends its case.
"""

import argparse
import collections
import fnmatch
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import authoring  # noqa: E402
import captures  # noqa: E402
import events  # noqa: E402
import lines  # noqa: E402
import lsp  # noqa: E402
import rules  # noqa: E402
import sessions  # noqa: E402
import short  # noqa: E402
from judge import FULL, SHORT, Judge  # noqa: E402

CASES = captures.CASES + events.CASES + rules.CASES + lines.CASES + authoring.CASES + lsp.CASES + sessions.CASES


def misnamed():
    """The names of several cases, and those of `short` that no case has: it would not run them."""
    numbers = collections.Counter(case.name for case in CASES)
    return [name for name, number in numbers.items() if number > 1] + [name for name in short.CASES if name not in numbers]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", help="the tool, built with -c release")
    parser.add_argument("--only", metavar="PATTERN", action="append", help="only cases with this in their name; * is a wildcard")
    parser.add_argument("--short", action="store_true", help="a tenth of the cases, with smaller inputs, as for a check of every change")
    parser.add_argument("--list", action="store_true", help="list the cases")
    options = parser.parse_args()
    if names := misnamed():
        sys.exit("stress: not the names of exactly one case: " + ", ".join(names))
    patterns = [f"*{pattern}*" for pattern in options.only or [""]]
    cases = [case for case in CASES if any(fnmatch.fnmatchcase(case.name, pattern) for pattern in patterns)]
    if options.short and not options.only:
        cases = [case for case in cases if case.name in short.CASES]
    if options.list:
        for case in cases:
            print(case.name)
        return 0
    if not cases:
        print("stress: no case has that name", file=sys.stderr)
        return 64
    lines.TOOL[0] = os.path.abspath(options.tool)
    with tempfile.TemporaryDirectory(prefix="encircle-stress-") as folder:
        judge = Judge(os.path.abspath(options.tool), os.path.join(folder, "box"), SHORT if options.short else FULL)
        print(f"the tool alone: {judge.base_cpu:.2f} s, {judge.base_memory:.0f} MB, which the figures leave out")
        failures = []
        for case in cases:
            try:
                verdict = judge.judge(case)
            except RuntimeError as error:
                print(f"FAIL  {case.name}\n        {error}", flush=True)
                failures.append(case.name)
                continue
            show(verdict)
            if verdict.failed:
                failures.append(case.name)
    print(f"{len(cases)} cases, {len(cases) - len(failures)} passed, {len(failures)} failed")
    for name in failures:
        print(f"  {name}")
    return 1 if failures else 0


def show(verdict):
    """Prints a case: its verdict, and a line for each of the last sizes."""
    print(f"{'FAIL' if verdict.failed else 'ok  '}  {verdict.case.name}: {verdict.words}")
    print("            size    input MB     CPU s   memory MB   output MB")
    for step in verdict.steps[-4:]:
        print(f"      {step.size:10d}  {step.input / (1 << 20):10.3f}  {step.cpu:8.2f}  {step.memory:10.0f}  {step.output:10.1f}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
