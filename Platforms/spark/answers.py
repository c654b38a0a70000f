#!/usr/bin/env python3
"""Decides files of rows on a Spark cluster, for Platforms/same_answers.py.

usage: answers.py FOLDER

FOLDER is an empty one for the cluster. Each line of standard input has the path of compiled rules, of a file with lines
{"n": 0, "json": "…"}, and of a file for the answers; each is answered with a line when the file is there.
"""
import json
import pathlib
import sys

import encircle
import encircle.spark
from cluster import Cluster


def main():
    # Spark's own output must not be among the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    with Cluster(pathlib.Path(sys.argv[1])) as cluster:
        print("ready", file=answers, flush=True)
        for line in sys.stdin:
            rules, rows, output = json.loads(line)
            frame = cluster.session.read.schema("n bigint, json string").json(rows)
            # A cluster returns rows in any order, but they keep their numbers.
            decided = encircle.spark.decide(frame.repartition(4), encircle.RuleSet.load(rules), {"json": "json"})
            table = decided.select("n", "decision.*").toArrow()
            pathlib.Path(output).write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
            print("done", file=answers, flush=True)


if __name__ == "__main__":
    main()
