#!/usr/bin/env python3
"""Decides all days again with a version of the rules, a day at a time. If it is killed, it can be run again.

usage: backfill.py FOLDER FUNCTION VERSION

FOLDER is the folder of run.py. If events arrive for a day during the run, the day is decided once more. Prints a hash of the table
when all days are decided.
"""
import json
import pathlib
import sys

from server import ClickHouse

# The maximum number of attempts; beyond it, too many events arrive.
ROUNDS = 5


def decide_days(clickhouse, version):
    """Decides all days, and repeats the days that lost events that arrived during their replacement."""
    days = clickhouse.query("SELECT DISTINCT toString(toDate(time)) AS day FROM events_raw ORDER BY day")
    for _ in range(ROUNDS):
        for row in days:
            clickhouse.run("backfill.sql", day=row["day"], version=version)
        days = clickhouse.run("differences.sql")[0]
        if not days:
            return
    sys.exit(f"clickhouse: events arrived during each of {ROUNDS} back-fills of {', '.join(row['day'] for row in days)}, and are not"
             " all decided: run it again when fewer arrive")


def main():
    folder, function, version = sys.argv[1:]
    clickhouse = ClickHouse(pathlib.Path(folder), function)
    decide_days(clickhouse, version)
    print(json.dumps(clickhouse.total()))
    clickhouse.close()


if __name__ == "__main__":
    main()
