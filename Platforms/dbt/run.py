#!/usr/bin/env python3
"""Decides events in a project of dbt on DuckDB, an hour at a time, and runs hours again.

usage: run.py ENCIRCLE FOLDER [--events N]

ENCIRCLE is the tool, FOLDER an empty folder. Prints counts by rule, and checks that they are the same as for `encircle match`, and
that repeated hours change nothing.
"""
import datetime
import os
import pathlib
import subprocess
import sys
import time

import duckdb

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events

BEGIN = datetime.datetime(2026, 3, 1)


def dbt(folder, first, last, select="events_decided+"):
    """Runs the project for the hours from `first` up to `last`, in a separate process."""
    command = [
        str(pathlib.Path(sys.executable).with_name("dbt")), "--quiet", "run", "--select", select, "--project-dir", HERE / "project",
        "--profiles-dir", HERE / "project", "--target-path", folder / "target", "--log-path", folder / "logs",
        "--event-time-start", first.isoformat(), "--event-time-end", last.isoformat(),
    ]
    environment = {
        **os.environ, "ENCIRCLE_DATABASE": str(folder / "events.duckdb"), "ENCIRCLE_RULES": str(folder / "v1.rules"),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")])),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    result = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"dbt: {result.stdout}{result.stderr}")


def query(folder, sql):
    with duckdb.connect(str(folder / "events.duckdb"), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def main():
    options = events.arguments(__doc__, events=1_000_000)
    tool, folder = options.encircle, options.folder
    events.compile_rules(tool, folder / "v1.rules")
    with duckdb.connect(str(folder / "events.duckdb")) as connection:
        made_up = events.table(options.events)
        connection.execute("CREATE TABLE events_raw AS SELECT * FROM made_up")
    hours = (options.events + 3599) // 3600
    started = time.monotonic()
    dbt(folder, BEGIN, BEGIN + datetime.timedelta(hours=hours))
    elapsed = time.monotonic() - started
    counts = dict(query(folder, "SELECT rule, events FROM events_by_rule ORDER BY events DESC, rule"))
    for rule, number in counts.items():
        print(f"{rule:24} {number:10}")
    print(f"{options.events} events in {hours} hours decided and stored in {elapsed:.1f} s")

    total = "SELECT count(*), sum(hash(n, time, decision)) FROM events_decided"
    before = query(folder, total)
    dbt(folder, BEGIN + datetime.timedelta(hours=1), BEGIN + datetime.timedelta(hours=3))
    failures = query(folder, "SELECT count(*) FROM events_decided WHERE decision.error <> ''")[0][0]
    for what, found, wanted in [
        ("rows", before[0][0], options.events),
        ("rows that could not be decided", failures, 0),
        ("counts by rule", counts, events.expected_counts(tool, folder / "v1.rules", options.events)),
        ("hours that are run again", query(folder, total), before),
    ]:
        events.check("dbt", what, found, wanted)


if __name__ == "__main__":
    main()
