#!/usr/bin/env python3
"""Decides events inside DuckDB: made-up events go into a table, and a function of the Python package decides them.

usage: run.py ENCIRCLE FOLDER [--events N]

ENCIRCLE is the tool, FOLDER an empty folder. Prints counts by rule, and checks that they are the same as for `encircle match`.
"""
import pathlib
import sys
import time

import duckdb

import encircle
import encircle.duckdb

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events


def main():
    options = events.arguments(__doc__, events=1_000_000)
    compiled = options.folder / "v1.rules"
    events.compile_rules(options.encircle, compiled)

    connection = duckdb.connect(str(options.folder / "events.duckdb"))
    encircle.duckdb.register(connection, encircle.RuleSet.load(compiled))
    made_up = events.table(options.events)
    connection.execute("CREATE TABLE events_raw AS SELECT * FROM made_up")
    started = time.monotonic()
    connection.execute(
        f"CREATE TABLE events_decided AS SELECT *, encircle_decide({', '.join(events.COLUMNS)}) AS decision FROM events_raw"
    )
    elapsed = time.monotonic() - started
    answers = [connection.execute(statement).fetchall() for statement in events.statements((HERE / "questions.sql").read_text())]
    for rule, number, _ in answers[0]:
        print(f"{rule:24} {number:10}")
    print(f"{options.events} events decided and stored in {elapsed:.1f} s")
    expected = events.expected_counts(options.encircle, compiled, options.events)
    failures = connection.execute("SELECT count(*) FROM events_decided WHERE decision.error <> ''").fetchall()[0][0]
    rows = connection.execute("SELECT count(*) FROM events_decided").fetchall()[0][0]
    for what, found, wanted in [
        ("rows", rows, options.events),
        ("rows that could not be decided", failures, 0),
        ("counts by rule", {rule: number for rule, number, _ in answers[0]}, expected),
        ("retroactive counts", dict(answers[1]), expected),
    ]:
        events.check("duckdb", what, found, wanted)


if __name__ == "__main__":
    main()
