#!/usr/bin/env python3
"""Compares two revisions on the same workloads: what `make bench-compare BASE=rev` runs.

Each revision is built from a separate work tree, with that revision's Swift part of the benchmark. Both run in turns, so that a
slow machine slows down both. A difference is outside the noise when all runs of one are faster than all runs of the other; with
five runs each, that happens by chance once in 126 times.
"""
import argparse
import shutil
import subprocess
import sys
from contextlib import contextmanager

from harness import engine, workloads
from harness.places import BENCHMARKS, CACHE, REPOSITORY, say
from harness.results import Figures

WORKLOADS = ["standard-1000", "uniform-10000", "gap-1000", "mixed-10000", "contains-1000", "different-10000"]
FIGURES = {"end to end": "end_to_end", "reading": "reading", "matching": "matching"}


@contextmanager
def checked_out(revision, scratch):
    """A temporary work tree of a revision; without a revision, the repository itself.

    Its path and the paths of the build's products are always the same, so that little is rebuilt.
    """
    if revision is None:
        yield engine.build()
        return
    tree = CACHE / "compare" / scratch
    remove(tree)
    git("worktree", "add", "--quiet", "--detach", str(tree), revision)
    try:
        if not (tree / "Benchmarks/Sources/bench-rules/Engine.swift").exists():
            raise SystemExit(f"{revision} is older than this benchmark")
        resolved = BENCHMARKS / "Package.resolved"
        if resolved.exists():
            shutil.copy(resolved, tree / "Benchmarks")  # the same dependencies for both
        yield engine.build(tree, CACHE / "compare" / f"{scratch}.build")
    finally:
        remove(tree)


def git(*arguments):
    subprocess.run(["git", "-C", str(REPOSITORY), *arguments], check=True)


def remove(tree):
    if tree.exists():
        git("worktree", "remove", "--force", str(tree))
    git("worktree", "prune")


def verdict(base, head):
    """Returns how much longer the second takes, and whether that is more than noise."""
    change = (head.median / base.median - 1) * 100
    if head.spread[1] < base.spread[0]:
        return f"{change:+6.1f} %  faster"
    if head.spread[0] > base.spread[1]:
        return f"{change:+6.1f} %  SLOWER"
    return f"{change:+6.1f} %  noise"


def compare(programs, workload, runs, budget):
    """Figures by name and revision, each of `runs` runs, in turns."""
    times = {name: ([], []) for name in FIGURES}
    answers = set()
    events = None
    for turn in range(runs):
        for which in (0, 1) if turn % 2 == 0 else (1, 0):
            result = engine.measure(programs[which], workload, 1, budget, events)
            # All take as many events as the first.
            events = result.events
            answers.add((result.pairs, result.kept))
            for name, attribute in FIGURES.items():
                if figures := getattr(result, attribute):
                    times[name][which].append(figures.median)
    if len(answers) > 1:
        raise SystemExit(f"WRONG: {workload.title}: the revisions match differently: {answers}")
    return {name: tuple(map(Figures, values)) for name, values in times.items() if all(values)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="the revision to compare with")
    parser.add_argument("head", nargs="?", help="the revision that is compared; without, what is in the work tree")
    parser.add_argument("--only", nargs="+", default=WORKLOADS, metavar="WORD", help="workloads, as for bench.py")
    parser.add_argument("--runs", type=int, default=5, help="runs of each")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds of CPU time for a pass of the first run")
    options = parser.parse_args()
    (CACHE / "compare").mkdir(parents=True, exist_ok=True)
    with checked_out(options.base, "base") as base, checked_out(options.head, "head") as head:
        print(f"{'workload':18} {'':12} {'base ns/event':>15} {'min-max':>17} {'head ns/event':>15} {'min-max':>17}   change")
        for workload in workloads.selected("full", options.only):
            say(f"compare: {workload.title}")
            for name, (old, new) in compare((base, head), workload, options.runs, options.budget).items():
                ranges = [f"{f.median:15,.0f} {f'{f.spread[0]:,.0f}-{f.spread[1]:,.0f}':>17}" for f in (old, new)]
                print(f"{workload.title:18} {name:12} {ranges[0]} {ranges[1]}  {verdict(old, new)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
