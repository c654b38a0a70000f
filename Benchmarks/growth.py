#!/usr/bin/env python3
"""Measures how the cost of an event grows with the rules, the event, the path and the elements: what `make bench-growth` runs.

For each of them, writes a table in Markdown to standard output, and a plot into a folder. All sizes run in turns, several times,
each time in a new process, so that a slow machine slows down all of them; the figures are medians.
"""
import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness import engine, places, plot, workloads
from harness.places import BENCHMARKS, CACHE, digest, made, say
from harness.results import WrongAnswer
from harness.table import number


@dataclass(frozen=True)
class Point:
    """One size of the growing thing, on one line of the plot."""

    line: str
    size: int
    rules: Path
    events: Path
    count: int
    limit: int | None = None


@dataclass(frozen=True)
class Growth:
    """The growing thing, and its presentation."""

    name: str
    title: str
    axis: str
    points: list[Point]
    # Figures of bench-rules with separate lines, besides the total.
    parts: dict[str, str]
    # More columns of the table: the heading, and a figure of bench-rules with its factor.
    columns: dict[str, tuple[str, float]]


def generated(what, size, kind, count):
    """A file of make_growing.py."""
    generator, base = BENCHMARKS / "make_growing.py", BENCHMARKS / "make_rules.py"
    path = CACHE / f"growth-{digest(generator, base)}" / f"{what}-{size}-{count}.{kind}"
    return made(path, lambda half: workloads.run(generator, what, size, f"--{kind}", count, output=half))


def doubling(first, last):
    """`first` and its doubles, and at last `last`."""
    sizes = [first]
    while sizes[-1] * 2 < last:
        sizes.append(sizes[-1] * 2)
    return sizes + [last]


def by_rules():
    """The external workload, where slightly more rules match with each size; or `mixed`, up to its number of places."""
    if places.has_shared():
        zipf, uniform = (workloads.shared(name, 10, 1_000_000) for name in ("standard", "uniform"))
        rules = zipf.rules.parent / "standard-1000000/rules.jsonl"
        lines = {"popular elements": zipf.events, "equally frequent ones": uniform.events}
        sizes, elements = doubling(10, 1_000_000), 100_000
    else:
        mixed = workloads.own("mixed", 10_000)
        rules, lines, sizes, elements = mixed.rules, {"popular elements": mixed.events}, doubling(10, 10_000), 100_000
    return Growth(
        "rules", "Cost of an event by the number of rules", "rules",
        [Point(line, size, rules, events, elements, size) for size in sizes for line, events in lines.items()], {},
        {"matches an event": ("matches", 1), "memo, %": ("memo_hit", 100), "MB of rules": ("megabytes", 1)})


def by_size():
    rules = workloads.own("mixed", 10_000).rules
    return Growth(
        "size", "Cost of an event by its size", "bytes of an event",
        [Point("whole", size, rules, generated("size", size, "events", 20_000), 20_000)
         for size in (320, 500, 1_000, 2_000, 4_000, 8_000, 16_000)],
        {"reading": "read_ns", "matching": "match_ns"}, {"GB/s": ("rate", 1)})


def by_path():
    points = []
    for size in (4, 6, 12, 25, 50, 100, 200):
        rules = generated("path", size, "rules", 10_000)
        points += [Point("known elements", size, rules, generated("path", size, "events", 20_000), 20_000),
                   Point("each element new", size, rules, generated("new-path", size, "events", 20_000), 20_000)]
    return Growth("path", "Cost of an event by the length of its path", "components of a path", points,
                  {"reading": "read_ns"}, {"bytes an event": ("event_bytes", 1)})


def by_elements():
    rules, count = workloads.own("mixed", 10_000).rules, 1 << 17
    return Growth(
        "elements", "Cost of an event by how many elements the stream has", f"elements in {count:,} events",
        [Point("whole", 1 << power, rules, generated("elements", 1 << power, "events", count), count)
         for power in range(10, 18)],
        {"matching": "match_ns"}, {"known, %": ("known", 100), "memo, %": ("memo_hit", 100)})


GROWTHS = {"rules": by_rules, "size": by_size, "path": by_path, "elements": by_elements}


def measure(growth, program, rounds):
    """For each point the rows of bench-rules. All must agree on what was matched."""
    rows = {point: [] for point in growth.points}
    for turn in range(rounds):
        for point in growth.points if turn % 2 == 0 else reversed(growth.points):
            say(f"{growth.name}, {turn + 1} of {rounds}: {point.line}, {point.size:,}")
            options = ["--passes", 1, "--events", point.count]
            if point.limit:
                options += ["--limit", point.limit]
            if not growth.parts:
                options += ["--only", "e2e"]
            row = engine.run(program, point.rules, point.events, *options)
            rows[point].append(row | {
                "matches": row["pairs"] / row["events"], "megabytes": row["bytes_per_rule"] * row["rules"] / 1e6,
                "event_bytes": row["bytes"] / row["events"], "known": max(0, 1 - point.size / row["events"]),
                "rate": row["bytes"] / row["events"] / row["e2e_ns"][0]})
            if len({(each["pairs"], each["kept"]) for each in rows[point]}) > 1:
                raise WrongAnswer(f"{growth.name}, {point.size}: not each run matches the same")
    return rows


def figure(rows, name):
    values = [row.get(name) for row in rows]
    values = [value[0] if isinstance(value, list) else value for value in values]
    return None if None in values else median(values)


def lines(growth, rows):
    """The points of each line of the plot, by its name."""
    result = {}
    for point in growth.points:
        result.setdefault(point.line, []).append((point.size, figure(rows[point], "e2e_ns")))
    for name, part in growth.parts.items():
        first = growth.points[0].line
        result[name] = [(point.size, figure(rows[point], part)) for point in growth.points if point.line == first]
    return result


def markdown(growth, rows):
    """A table with a row for each size: nanoseconds an event for each line, and the other columns for the first one."""
    drawn = lines(growth, rows)
    heads = [growth.axis] + [f"{name}, ns" for name in drawn] + list(growth.columns)
    table = ["| " + " | ".join(heads) + " |", "|" + "---:|" * len(heads)]
    first = growth.points[0].line
    for point in growth.points:
        if point.line == first:
            cells = [f"{point.size:,}"] + [number(dict(line).get(point.size)) for line in drawn.values()]
            for name, factor in growth.columns.values():
                value = figure(rows[point], name)
                cells.append(number(value if value is None else value * factor, 2))
            table.append("| " + " | ".join(cells) + " |")
    return "\n".join(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help=f"only these: {', '.join(GROWTHS)}")
    parser.add_argument("--runs", type=int, default=5, help="how often each size runs")
    parser.add_argument("--plots", type=Path, default=CACHE / "growth", help="the folder for the plots")
    options = parser.parse_args()
    if unknown := set(options.words) - set(GROWTHS):
        parser.error(f"not among {', '.join(GROWTHS)}: {', '.join(sorted(unknown))}")
    options.plots.mkdir(parents=True, exist_ok=True)
    program = engine.build()
    figures = {}
    for name in options.words or GROWTHS:
        growth = GROWTHS[name]()
        rows = measure(growth, program, options.runs)
        print(f"{growth.title}:\n\n{markdown(growth, rows)}\n", flush=True)
        drawn = lines(growth, rows)
        (options.plots / f"growth-{name}.svg").write_text(
            plot.svg(growth.title, growth.axis, "CPU time, ns an event", drawn), encoding="utf-8")
        figures[name] = [{"line": point.line, "size": point.size, "runs": rows[point]} for point in growth.points]
    (CACHE / "growth.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except WrongAnswer as error:
        sys.exit(f"FAILED: {error}")
