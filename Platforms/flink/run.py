#!/usr/bin/env python3
"""Decides events on Flink: made-up events are files of JSON, and a vectorised Python function on the TaskManagers decides them.

usage: run.py ENCIRCLE FOLDER [--events N]

ENCIRCLE is the tool, FOLDER an empty folder. Runs a JobManager and two TaskManagers, prints counts by rule, and checks that they are
the same as for `encircle match`.
"""
import json
import pathlib
import sys
import time

import encircle
import encircle.flink

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events
from cluster import Cluster, text

FILES = 8


def write(folder, count):
    """Made-up events as lines of JSON, in several files."""
    rows, _ = events.pool()
    folder.mkdir()
    pool = [json.dumps({**row, "properties": json.dumps(dict(row["properties"]))}, ensure_ascii=False)[1:] for row in rows]
    for part in range(FILES):
        with open(folder / f"{part}.json", "w") as file:
            file.writelines(f'{{"n": {number}, {pool[number % len(pool)]}\n' for number in range(part, count, FILES))


def main():
    options = events.arguments(__doc__, events=1_000_000)
    folder = options.folder
    compiled = folder / "v1.rules"
    events.compile_rules(options.encircle, compiled)
    write(folder / "events_raw", options.events)
    started = time.monotonic()
    with Cluster(folder) as cluster:
        print(f"a JobManager and two TaskManagers, started in {time.monotonic() - started:.1f} s")
        tables = cluster.tables()
        tables.create_temporary_function("encircle_decide", encircle.flink.function(encircle.RuleSet.load(compiled)))
        definitions, questions = [
            (HERE / name).read_text().replace("{folder}", text(folder)[1:-1]).replace("{decision}", encircle.flink.DECISION)
            for name in ["tables.sql", "questions.sql"]]
        for statement in events.statements(definitions):
            tables.execute_sql(statement)
        started = time.monotonic()
        memory = cluster.watch(tables.execute_sql("""
            INSERT INTO events_decided
            SELECT n, distinct_id, encircle_decide(event, page, path, event_id, content, app_version, properties) FROM events_raw"""))
        elapsed = time.monotonic() - started

        def rows(sql):
            with tables.execute_sql(sql).collect() as found:
                return [list(row) for row in found]

        answers = [rows(question) for question in events.statements(questions)]
    counts = sorted(answers[0], key=lambda row: (-row[1], row[0]))
    for rule, number, _ in counts:
        print(f"{rule:24} {number:10}")
    print(f"{options.events} events decided and stored in {elapsed:.1f} s; "
          f"at most {memory['java']} MiB of Java and {memory['python']} MiB of Python a TaskManager")
    for what, found, wanted in [
        ("rows, and rows that could not be decided", answers[1], [[options.events, 0]]),
        ("counts by rule", {rule: number for rule, number, _ in counts},
         events.expected_counts(options.encircle, compiled, options.events)),
    ]:
        events.check("flink", what, found, wanted)


if __name__ == "__main__":
    main()
