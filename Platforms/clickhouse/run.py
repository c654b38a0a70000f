#!/usr/bin/env python3
"""Decides events inside ClickHouse: a million made-up events go into a table, and a materialised view decides them.

usage: run.py ENCIRCLE FOLDER [--events N]

ENCIRCLE is the tool, FOLDER an empty folder for the database. Prints counts by rule, and checks that
blocks that are sent twice are stored once, that the counts are those of `encircle match`, and that a backfill that is stopped
and run again changes nothing.
"""
import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import time

import chdb

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERSION = "v1"
COLUMNS = (
    "distinct_id String, event Nullable(String), page Nullable(String), path Nullable(String), event_id Nullable(String),"
    " content Nullable(String), app_version Nullable(String), properties Map(String, String)"
)


class ClickHouse:
    """ClickHouse in this process, with the function."""

    def __init__(self, tool, folder):
        rules = folder / "rules"
        rules.mkdir(parents=True)
        run(tool, "compile", ROOT / "Rules", "-o", rules / f"{VERSION}.rules")
        definition = run(tool, "udf", "--config", "--rules", rules)
        self.function = definition.split("<name>")[1].split("</name>")[0]
        # Where the definition has the program: in a folder with its version beside ClickHouse's other scripts.
        program = folder / "scripts" / definition.split("<command>")[1].split()[0]
        program.parent.mkdir(parents=True)
        program.symlink_to(tool)
        (folder / "encircle_function.xml").write_text(definition)
        self.connection = chdb.connect(
            f"{folder}/db?user_scripts_path={folder}/scripts/"
            f"&user_defined_executable_functions_config={folder}/*_function.xml"
        )

    def statements(self, name, **values):
        """The statements of a file, with the values put in."""
        lines = (HERE / name).read_text().splitlines()
        text = "\n".join(line for line in lines if not line.strip().startswith("--"))
        for key, value in {"function": self.function, "version": VERSION, **values}.items():
            text = text.replace("{" + key + "}", value)
        return [part for part in text.split(";") if part.strip()]

    def run(self, name, **values):
        """Runs the statements of a file; returns the rows of each."""
        return [self.query(statement) for statement in self.statements(name, **values)]

    def query(self, sql):
        """Returns the rows as dictionaries."""
        answer = str(self.connection.query(sql, "JSONEachRow"))
        return [json.loads(line) for line in answer.splitlines()]


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def columns(event):
    """The columns of an event, and the event that they alone stand for: all properties are texts."""
    properties = {k: v if isinstance(v, str) else json.dumps(v) for k, v in event.get("properties", {}).items()}
    seen = {"properties": dict(properties)} | {name: event[name] for name in ["event", "event_id"] if name in event}
    fields = {"page": "$screen_name", "path": "$element_path", "content": "$element_content", "app_version": "$app_version"}
    row = {name: properties.pop(place, None) for name, place in fields.items()}
    row |= {name: event.get(name) for name in ["event", "event_id"]}
    return {**row, "distinct_id": event.get("distinct_id", ""), "properties": properties}, seen


def insert(clickhouse, pool, size, count, block):
    """Inserts events a second apart, in blocks, each of them twice, as a sender does that has missed the answer."""
    for start in range(0, count, block):
        for _ in range(2):
            clickhouse.query(f"""
                INSERT INTO events_raw SETTINGS insert_deduplicate = 1, insert_deduplication_token = '{start}',
                    deduplicate_blocks_in_dependent_materialized_views = 1
                SELECT toDateTime64('2026-03-01 00:00:00', 3, 'UTC') + number AS time, p.* EXCEPT place
                FROM (SELECT number FROM numbers({start}, {min(block, count - start)})) AS n
                JOIN (SELECT rowNumberInAllBlocks() AS place, * FROM file('{pool}', JSONEachRow, '{COLUMNS}')) AS p
                    ON n.number % {size} = p.place""")


def expected_counts(tool, rules, events, count):
    """How many events each rule selects, by `encircle match` and by how often each event of the pool is inserted."""
    lines = "\n".join(json.dumps(event) for event in events)
    output = subprocess.run([tool, "match", "--rules", rules], input=lines, check=True, capture_output=True, text=True)
    counts = collections.Counter()
    for place, line in enumerate(output.stdout.splitlines()):
        decision = json.loads(line)
        times = (count - place + len(events) - 1) // len(events)
        if decision["selected"]:
            for rule in decision["rules"]:
                counts[rule] += times
    return {rule: number for rule, number in counts.items() if number}


def check(what, found, expected):
    if found != expected:
        sys.exit(f"clickhouse: {what}: expected {expected}, found {found}")
    print(f"{what}: as expected")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encircle", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--events", type=int, default=1_000_000)
    options = parser.parse_args()
    tool, folder = options.encircle.resolve(), options.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)

    clickhouse = ClickHouse(tool, folder)
    lines = (ROOT / "Rules/events/shop.ndjson").read_text().splitlines()
    rows, events = zip(*(columns(json.loads(line)) for line in lines))
    pool = folder / "pool.ndjson"
    pool.write_text("".join(json.dumps(row) + "\n" for row in rows))
    clickhouse.run("tables.sql")
    started = time.monotonic()
    insert(clickhouse, pool, len(rows), options.events, 100_000)
    elapsed = time.monotonic() - started

    counts = [{row["rule"]: row["events"] for row in answer} for answer in clickhouse.run("questions.sql")]
    for rule, number in counts[0].items():
        print(f"{rule:24} {number:10}")
    print(f"{options.events} events, each sent twice, stored and decided in {elapsed:.1f} s")
    expected = expected_counts(tool, folder / "rules" / f"{VERSION}.rules", events, options.events)
    stored = "SELECT (SELECT count() FROM events_raw) AS raw, (SELECT count() FROM events_decided) AS decided"
    check("events stored once", clickhouse.query(stored), [{"raw": options.events, "decided": options.events}])
    check("counts by rule", counts[0], expected)
    check("retroactive counts", counts[1], expected)

    # Stopped behind each of its statements and run again.
    day = "2026-03-01"
    total = "SELECT sum(cityHash64(*)) AS hash, count() AS events FROM events_decided"
    before = clickhouse.query(total)
    statements = len(clickhouse.statements("backfill.sql", day=day))
    for number in range(1, statements + 1):
        for statement in clickhouse.statements("backfill.sql", day=day)[:number]:
            clickhouse.query(statement)
        clickhouse.run("backfill.sql", day=day)
        check(f"backfill, stopped after {number} of {statements} statements and run again", clickhouse.query(total), before)


if __name__ == "__main__":
    main()
