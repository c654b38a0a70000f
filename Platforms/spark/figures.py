#!/usr/bin/env python3
"""Measures Spark for Platforms/figures.py: two executors decide a table, beside a function that does nothing.

usage: figures.py FOLDER TABLE RULES COLUMN…

FOLDER is an empty one for the cluster, TABLE a folder with files of Parquet, RULES compiled rules.
"""
import pathlib
import sys
import time

import pyarrow

import encircle
import encircle.spark
from cluster import Cluster


def nothing(frame, columns):
    """A function that answers each row with empty lists, as `encircle.spark.decide` would."""
    from pyspark.sql.types import StructField, StructType

    def answer(batches):
        for batch in batches:
            n = batch.num_rows
            lists = pyarrow.ListArray.from_arrays(pyarrow.array([0] * (n + 1), pyarrow.int32()), pyarrow.array([], pyarrow.string()))
            texts = pyarrow.array([""] * n)
            arrays = [lists] * 4 + [pyarrow.array([True] * n), texts, texts]
            names = ["rules", "emit", "excluded_by", "pages", "selected", "rules_version", "error"]
            decisions = pyarrow.StructArray.from_arrays(arrays, names)
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, decisions], [*columns, "decision"])

    decision = StructField("decision", StructType.fromDDL(encircle.spark.DECISION))
    return frame.mapInArrow(answer, StructType([*frame.schema.fields, decision]))


def main():
    folder, table, rules, *columns = sys.argv[1:]
    loaded = encircle.RuleSet.load(rules)
    with Cluster(pathlib.Path(folder)) as cluster:
        frame = cluster.session.read.parquet(table).select(*columns)
        rows = frame.count()
        rates = {}
        for label, decided in [("nothing", nothing(frame, columns)), ("decided", encircle.spark.decide(frame, loaded))]:
            best = float("inf")
            for _ in range(4):
                started = time.perf_counter()
                found = decided.where("decision.selected AND size(decision.rules) >= 0").count()
                best = min(best, time.perf_counter() - started)
            rates[label] = rows / best
            print(f"Spark, two executors, {label:36} {rates[label] / 1e6:7.2f} M/s  {found}", flush=True)
        print(f"Spark decides at {rates['decided'] / rates['nothing']:.0%} of nothing; an executor has {cluster.memory()} MiB at most")


if __name__ == "__main__":
    main()
