#!/usr/bin/env python3
"""Decides events on Spark: made-up events are files of Parquet, and the executors of a cluster decide them in Arrow's batches.

usage: run.py ENCIRCLE FOLDER [--events N]

ENCIRCLE is the tool, FOLDER an empty folder. Runs a standalone master and two workers, prints counts by rule, and checks that they
are the same as for `encircle match`, even if an executor is killed while it decides.
"""
import os
import pathlib
import signal
import sys
import threading
import time

import pyarrow.parquet

import encircle
import encircle.spark

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import events
import processes
from cluster import Cluster

FILES = 8
# The columns that the other engines pass, plus the time and the user, which rules with dates would need.
COLUMNS = {name: name for name in events.COLUMNS}


def kill_an_executor(cluster):
    """Kills an executor as soon as its Python decides."""
    for process, line in processes.descendants(cluster.running["worker-0"]):
        if "CoarseGrainedExecutorBackend" in line:
            os.kill(process, signal.SIGKILL)
            return True
    return False


def main():
    options = events.arguments(__doc__, events=1_000_000)
    folder = options.folder
    compiled = folder / "v1.rules"
    events.compile_rules(options.encircle, compiled)
    rules = encircle.RuleSet.load(compiled)
    raw = folder / "events_raw"
    raw.mkdir()
    made_up = events.table(options.events)
    for number in range(FILES):
        part = made_up.slice(options.events * number // FILES, options.events * (number + 1) // FILES - options.events * number // FILES)
        pyarrow.parquet.write_table(part, raw / f"{number}.parquet")

    started = time.monotonic()
    with Cluster(folder) as cluster:
        spark = cluster.session
        print(f"a master and {len(cluster.running) - 1} workers with an executor each, started in {time.monotonic() - started:.1f} s")
        frame = spark.read.parquet(str(raw))
        started = time.monotonic()
        encircle.spark.decide(frame, rules, COLUMNS).write.parquet(str(folder / "events_decided"))
        elapsed = time.monotonic() - started
        spark.read.parquet(str(folder / "events_decided")).createOrReplaceTempView("events_decided")
        tuples = frame.groupBy(*events.COLUMNS).count().withColumnRenamed("count", "events")
        encircle.spark.decide(tuples, rules, COLUMNS).createOrReplaceTempView("tuples_decided")
        answers = [[tuple(row) for row in spark.sql(text).collect()] for text in events.statements((HERE / "questions.sql").read_text())]
        for rule, number, _ in answers[0]:
            print(f"{rule:24} {number:10}")
        memory = cluster.memory()
        print(f"{options.events} events decided and stored in {elapsed:.1f} s; "
              f"at most {memory['java']} MiB of Java and {memory['python']} MiB of Python an executor")

        # Decides again while an executor is killed.
        killed = []
        timer = threading.Timer(elapsed / 3, lambda: killed.append(kill_an_executor(cluster)))
        timer.start()
        encircle.spark.decide(frame, rules, COLUMNS).write.parquet(str(folder / "events_again"))
        timer.join()
        same = """SELECT count(*) AS events, sum(hash(n, decision.rules, decision.emit, decision.selected, decision.rules_version)) AS hash
                  FROM parquet.`%s`"""
        once, again = (tuple(spark.sql(same % (folder / name)).first()) for name in ["events_decided", "events_again"])
        failures = spark.sql("SELECT count(*) FROM events_decided WHERE decision.error <> ''").first()[0]

    expected = events.expected_counts(options.encircle, compiled, options.events)
    for what, found, wanted in [
        ("rows", once[0], options.events),
        ("rows that could not be decided", failures, 0),
        ("counts by rule", {rule: number for rule, number, _ in answers[0]}, expected),
        ("retroactive counts", dict(answers[1]), expected),
        ("an executor is killed", (killed, again), ([True], once)),
    ]:
        events.check("spark", what, found, wanted)


if __name__ == "__main__":
    main()
