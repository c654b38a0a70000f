#!/usr/bin/env python3
"""Decides events inside ClickHouse: a million made-up events go into a table, and a materialised view decides them.

usage: run.py ENCIRCLE FOLDER [--events N]

ENCIRCLE is the tool, FOLDER an empty folder for the database. Prints counts by rule, and checks that
blocks that are sent twice are stored once, that the counts are those of `encircle match`, and that a backfill that is stopped
and run again changes nothing.
"""
import json
import pathlib
import subprocess
import sys
import time

import chdb

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events

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
        run(tool, "compile", events.ROOT / "Rules", "-o", rules / f"{VERSION}.rules")
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
        text = (HERE / name).read_text()
        for key, value in {"function": self.function, "version": VERSION, **values}.items():
            text = text.replace("{" + key + "}", value)
        return events.statements(text)

    def run(self, name, **values):
        """Runs the statements of a file; returns the rows of each."""
        return [self.query(statement) for statement in self.statements(name, **values)]

    def query(self, sql):
        """Returns the rows as dictionaries."""
        answer = str(self.connection.query(sql, "JSONEachRow"))
        return [json.loads(line) for line in answer.splitlines()]


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


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


def main():
    options = events.arguments(__doc__, events=1_000_000)
    tool, folder = options.encircle, options.folder
    clickhouse = ClickHouse(tool, folder)
    rows, _ = events.pool()
    pool = folder / "pool.ndjson"
    # Maps are lists of pairs there, and objects in JSON.
    pool.write_text("".join(json.dumps({**row, "properties": dict(row["properties"])}) + "\n" for row in rows))
    clickhouse.run("tables.sql")
    started = time.monotonic()
    insert(clickhouse, pool, len(rows), options.events, 100_000)
    elapsed = time.monotonic() - started

    counts = [{row["rule"]: row["events"] for row in answer} for answer in clickhouse.run("questions.sql")]
    for rule, number in counts[0].items():
        print(f"{rule:24} {number:10}")
    print(f"{options.events} events, each sent twice, stored and decided in {elapsed:.1f} s")
    expected = events.expected_counts(tool, folder / "rules" / f"{VERSION}.rules", options.events)
    stored = "SELECT (SELECT count() FROM events_raw) AS raw, (SELECT count() FROM events_decided) AS decided"
    events.check("clickhouse", "events stored once", clickhouse.query(stored), [{"raw": options.events, "decided": options.events}])
    events.check("clickhouse", "counts by rule", counts[0], expected)
    events.check("clickhouse", "retroactive counts", counts[1], expected)

    # Stopped behind each of its statements and run again.
    day = "2026-03-01"
    total = "SELECT sum(cityHash64(*)) AS hash, count() AS events FROM events_decided"
    before = clickhouse.query(total)
    statements = len(clickhouse.statements("backfill.sql", day=day))
    for number in range(1, statements + 1):
        for statement in clickhouse.statements("backfill.sql", day=day)[:number]:
            clickhouse.query(statement)
        clickhouse.run("backfill.sql", day=day)
        events.check("clickhouse", f"backfill, stopped after {number} of {statements} statements and run again", clickhouse.query(total), before)


if __name__ == "__main__":
    main()
