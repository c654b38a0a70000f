#!/usr/bin/env python3
"""Decides events inside ClickHouse: a million made-up events go into a table, and a materialised view decides them.

usage: run.py ENCIRCLE FOLDER [--events N] [--kills N]

ENCIRCLE is the tool, FOLDER an empty folder for the database. Prints counts by rule. Checks that blocks that are sent twice are
stored once, and that the counts are the same as for `encircle match`. Also checks that a back-fill that is stopped after any of its
statements, or killed at any time, changes nothing when it is run again, and that it decides events that arrive during the run, or
reports that it did not.
"""
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

from backfill import ROUNDS, decide_days
from server import HERE, ClickHouse, events, install

VERSION = "v1"
COLUMNS = (
    "distinct_id String, event Nullable(String), page Nullable(String), path Nullable(String), event_id Nullable(String),"
    " content Nullable(String), app_version Nullable(String), properties Map(String, String)"
)


def insert(clickhouse, pool, size, count, block):
    """Inserts events a second apart, in blocks, each of them twice, like a sender that has missed the answer."""
    for start in range(0, count, block):
        for _ in range(2):
            clickhouse.query(f"""
                INSERT INTO events_raw SETTINGS insert_deduplicate = 1, insert_deduplication_token = '{start}',
                    deduplicate_blocks_in_dependent_materialized_views = 1
                SELECT toDateTime64('2026-03-01 00:00:00', 3, 'UTC') + number AS time, p.* EXCEPT place
                FROM (SELECT number FROM numbers({start}, {min(block, count - start)})) AS n
                JOIN (SELECT rowNumberInAllBlocks() AS place, * FROM file('{pool}', JSONEachRow, '{COLUMNS}')) AS p
                    ON n.number % {size} = p.place""")


def backfill(folder, function, version, seconds=None):
    """Decides all days again in a separate process. After `seconds`, if given, kills it with all its child processes.

    Returns its output, or None if it was killed, and its duration.
    """
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, HERE / "backfill.py", folder, function, version], stdout=subprocess.PIPE, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, seconds
    if process.returncode != 0:
        sys.exit(f"clickhouse: the back-fill ends with {process.returncode}")
    return json.loads(output), time.monotonic() - started


def backfill_with_arrivals(clickhouse, times):
    """Decides all days again, while an event arrives before each of the first replacements of a day.

    Returns the error message, if any, and the days whose decided events differ from the events that arrived.
    """
    query, arrived = clickhouse.query, itertools.count()

    def query_with_arrivals(sql):
        if "REPLACE PARTITION" in sql and (number := next(arrived)) < times:
            query(f"INSERT INTO events_raw (time, distinct_id) VALUES ('2026-03-01 12:00:00', 'late {times}.{number}')")
        return query(sql)

    clickhouse.query, message = query_with_arrivals, None
    try:
        decide_days(clickhouse, VERSION)
    except SystemExit as error:
        message = error.code
    clickhouse.query = query
    return message, [row["day"] for row in clickhouse.run("differences.sql")[0]]


def main():
    options = events.arguments(__doc__, events=1_000_000, kills=5)
    tool, folder = options.encircle, options.folder
    function = install(tool, folder)
    events.compile_rules(tool, folder / "rules" / f"{VERSION}.rules")
    clickhouse = ClickHouse(folder, function)
    rows, _ = events.pool()
    pool = folder / "pool.ndjson"
    # Maps are lists of pairs there, and objects in JSON.
    pool.write_text("".join(json.dumps({**row, "properties": dict(row["properties"])}) + "\n" for row in rows))
    clickhouse.run("tables.sql", version=VERSION)
    started = time.monotonic()
    insert(clickhouse, pool, len(rows), options.events, 100_000)
    elapsed = time.monotonic() - started

    counts = [{row["rule"]: row["events"] for row in answer} for answer in clickhouse.run("questions.sql", version=VERSION)]
    for rule, number in counts[0].items():
        print(f"{rule:24} {number:10}")
    print(f"{options.events} events, each sent twice, stored and decided in {elapsed:.1f} s")
    expected = events.expected_counts(tool, folder / "rules" / f"{VERSION}.rules", options.events)
    stored = "SELECT (SELECT count() FROM events_raw) AS raw, (SELECT count() FROM events_decided) AS decided"
    events.check("clickhouse", "events stored once", clickhouse.query(stored), [{"raw": options.events, "decided": options.events}])
    events.check("clickhouse", "counts by rule", counts[0], expected)
    events.check("clickhouse", "retroactive counts", counts[1], expected)

    # Stopped after each of its statements and run again.
    day = {"day": "2026-03-01", "version": VERSION}
    before = clickhouse.total()
    statements = len(clickhouse.statements("backfill.sql", **day))
    for number in range(1, statements + 1):
        for statement in clickhouse.statements("backfill.sql", **day)[:number]:
            clickhouse.query(statement)
        clickhouse.run("backfill.sql", **day)
        events.check(
            "clickhouse", f"back-fill, stopped after {number} of {statements} statements and run again", clickhouse.total(), before)

    # A version without rules: its answers to all rows are errors, which must not replace the decisions of a day.
    message = None
    try:
        decide_days(clickhouse, "none")
    except RuntimeError as error:
        message = str(error)
    events.check("clickhouse", "a back-fill by a version without rules is refused",
                 ("the rules of this version cannot be read" in (message or ""), clickhouse.total()), (True, before))

    # Events that arrive during the run: few, and so many that it gives up.
    events.check("clickhouse", "events that arrive during a back-fill", backfill_with_arrivals(clickhouse, ROUNDS - 1), (None, []))
    message, days = backfill_with_arrivals(clickhouse, 10**9)
    print(message)
    events.check("clickhouse", "days of events that are not decided", days, ["2026-03-01"])
    events.check("clickhouse", "back-fill without arrivals", backfill_with_arrivals(clickhouse, 0), (None, []))
    before = clickhouse.total()
    clickhouse.close()

    # All days with another version, which differs only in its name, once without and once with kills.
    shutil.copy(folder / "rules" / f"{VERSION}.rules", folder / "rules/v2.rules")
    once, seconds = backfill(folder, function, "v2")
    print(f"{options.events} events decided anew in {seconds:.1f} s")
    events.check("clickhouse", "events of another version", (once["events"], once["hash"] != before["hash"]), (before["events"], True))
    back, _ = backfill(folder, function, VERSION)
    events.check("clickhouse", "back-fill by the version of before", back, before)
    dice = random.Random(31)
    killed = 0
    while killed < options.kills:
        if backfill(folder, function, "v2", dice.uniform(0.1, 0.9) * seconds)[0] is None:
            killed += 1
        else:
            # It finished before it could be killed: the machine is less busy now.
            seconds /= 2
    events.check("clickhouse", f"back-fill, killed {options.kills} times and run again", backfill(folder, function, "v2")[0], once)


if __name__ == "__main__":
    main()
