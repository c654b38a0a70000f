#!/usr/bin/env python3
"""Decides events inside DuckDB: made-up events go into a table, and a function of the Python package decides them.

usage: run.py ENCIRCLE FOLDER [--events N]

ENCIRCLE is the tool, FOLDER an empty folder. Prints counts by rule, and checks that they are those of `encircle match`.
"""
import argparse
import pathlib
import shutil
import sys
import time

import duckdb

import encircle
import encircle.duckdb

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events


def statements(path):
    lines = [line for line in path.read_text().splitlines() if not line.strip().startswith("--")]
    return [part for part in "\n".join(lines).split(";") if part.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encircle", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--events", type=int, default=1_000_000)
    options = parser.parse_args()
    folder = options.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compiled = folder / "v1.rules"
    events.compile_rules(options.encircle.resolve(), compiled)

    connection = duckdb.connect(str(folder / "events.duckdb"))
    encircle.duckdb.register(connection, encircle.RuleSet.load(compiled))
    made_up = events.table(options.events)
    connection.execute("CREATE TABLE events_raw AS SELECT * FROM made_up")
    started = time.monotonic()
    connection.execute(
        f"CREATE TABLE events_decided AS SELECT *, encircle_decide({', '.join(events.COLUMNS)}) AS decision FROM events_raw"
    )
    elapsed = time.monotonic() - started
    answers = [connection.execute(statement).fetchall() for statement in statements(HERE / "questions.sql")]
    for rule, number, _ in answers[0]:
        print(f"{rule:24} {number:10}")
    print(f"{options.events} events decided and stored in {elapsed:.1f} s")
    expected = events.expected_counts(options.encircle.resolve(), compiled, options.events)
    failures = connection.execute("SELECT count(*) FROM events_decided WHERE decision.error <> ''").fetchall()[0][0]
    rows = connection.execute("SELECT count(*) FROM events_decided").fetchall()[0][0]
    for what, found, wanted in [
        ("rows", rows, options.events),
        ("rows that could not be decided", failures, 0),
        ("counts by rule", {rule: number for rule, number, _ in answers[0]}, expected),
        ("retroactive counts", dict(answers[1]), expected),
    ]:
        if found != wanted:
            sys.exit(f"duckdb: {what}: expected {wanted}, found {found}")
        print(f"{what}: as expected")


if __name__ == "__main__":
    main()
