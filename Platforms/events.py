"""Made-up events for the platforms: the shop's events, repeated a second apart."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

import pyarrow
import pyarrow.compute

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Where the events of the pool have the fields that columns are of.
FIELDS = {"page": "$screen_name", "path": "$element_path", "content": "$element_content", "app_version": "$app_version"}
COLUMNS = ["event", "page", "path", "event_id", "content", "app_version", "properties"]


def arguments(description, **options):
    """Reads ENCIRCLE, FOLDER and options from the command line, and makes the folder. Both paths are absolute.

    An option has a number as its default, a list of choices, or a type; with a type, it is None if missing.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encircle", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("folder", type=lambda text: pathlib.Path(text).resolve())
    for name, value in options.items():
        kind = {"choices": value} if isinstance(value, list) else {"type": value} if isinstance(value, type) else {"type": int, "default": value}
        parser.add_argument(f"--{name.replace('_', '-')}", **kind)
    parsed = parser.parse_args()
    parsed.folder.mkdir(parents=True, exist_ok=True)
    if any(parsed.folder.iterdir()):
        parser.error(f"{parsed.folder} is not empty")
    return parsed


def statements(text):
    """The SQL statements of a text, without comments."""
    lines = [line for line in text.splitlines() if not line.strip().startswith("--")]
    return [part for part in "\n".join(lines).split(";") if part.strip()]


def check(platform, what, found, expected):
    """Ends the program if a result is not the expected one."""
    if found != expected:
        sys.exit(f"{platform}: {what}: expected {expected}, found {found}")
    print(f"{what}: as expected")


def row(event):
    """The columns of an event, and the event that they alone stand for: all properties are texts."""
    properties = {k: v if isinstance(v, str) else json.dumps(v) for k, v in event.get("properties", {}).items()}
    seen = {"properties": dict(properties)} | {name: event[name] for name in ["event", "event_id"] if name in event}
    columns = {name: properties.pop(place, None) for name, place in FIELDS.items()}
    columns |= {name: event.get(name) for name in ["event", "event_id"]}
    return {**columns, "distinct_id": event.get("distinct_id", ""), "properties": list(properties.items())}, seen


def pool():
    """The shop's events as rows of columns, and as the events that these stand for."""
    lines = (ROOT / "Rules/events/shop.ndjson").read_text().splitlines()
    rows, events = zip(*(row(json.loads(line)) for line in lines))
    return rows, list(events)


def table(count, first=0):
    """Events number `first` and on, with their times."""
    rows, _ = pool()
    types = {"properties": pyarrow.map_(pyarrow.string(), pyarrow.string())}
    names = ["distinct_id", *COLUMNS]
    arrays = [pyarrow.array([row[name] for row in rows], types.get(name, pyarrow.string())) for name in names]
    source = pyarrow.Table.from_arrays(arrays, names)
    numbers = pyarrow.array(range(first, first + count), pyarrow.int64())
    places = pyarrow.array([number % len(source) for number in range(first, first + count)])
    # 2026-03-01 00:00:00 UTC
    times = pyarrow.compute.add(pyarrow.compute.multiply(numbers, 1000), 1_772_323_200_000).cast(pyarrow.timestamp("ms"))
    return source.take(places).append_column("time", times).append_column("n", numbers)


def compile_rules(tool, path):
    """Compiles the shipped rules."""
    subprocess.run([tool, "compile", ROOT / "Rules", "-o", path], check=True, capture_output=True)


def expected_counts(tool, rules, count):
    """Returns the number of events that each rule selects, by `encircle match` and the frequency of each event of the pool."""
    _, events = pool()
    lines = "\n".join(json.dumps(event) for event in events)
    output = subprocess.run([tool, "match", "--rules", rules], input=lines, check=True, capture_output=True, text=True)
    counts = collections.Counter()
    for place, line in enumerate(output.stdout.splitlines()):
        decision = json.loads(line)
        if decision["selected"]:
            for rule in decision["rules"]:
                counts[rule] += (count - place + len(events) - 1) // len(events)
    return {rule: number for rule, number in counts.items() if number}
