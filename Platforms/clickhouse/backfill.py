#!/usr/bin/env python3
"""Decides all days anew by a version of the rules, a day at a time. Whenever it is killed, it can be run again.

usage: backfill.py FOLDER FUNCTION VERSION

FOLDER is that of run.py. Prints a hash of the table when all days are decided.
"""
import json
import pathlib
import sys

from server import ClickHouse


def main():
    folder, function, version = sys.argv[1:]
    clickhouse = ClickHouse(pathlib.Path(folder), function)
    for row in clickhouse.query("SELECT DISTINCT toString(toDate(time)) AS day FROM events_raw ORDER BY day"):
        clickhouse.run("backfill.sql", day=row["day"], version=version)
    print(json.dumps(clickhouse.total()))
    clickhouse.close()


if __name__ == "__main__":
    main()
