#!/usr/bin/env python3
"""Decides files of rows on a Flink cluster, for Platforms/same_answers.py.

usage: answers.py FOLDER

FOLDER is an empty one for the cluster. Each line of standard input has the path of compiled rules, of a file with lines
{"n": 0, "json": "…"}, and of a file for the answers; each is answered with a line when the file is there.
"""
import json
import pathlib
import shutil
import sys

import encircle
import encircle.flink
from cluster import Cluster, text


def main():
    # Flink's own output must not be among the answers.
    output, sys.stdout = sys.stdout, sys.stderr
    folder = pathlib.Path(sys.argv[1])
    with Cluster(folder) as cluster:
        print("ready", file=output, flush=True)
        tables = cluster.tables()
        for line in sys.stdin:
            rules, rows, answers = json.loads(line)
            shutil.rmtree(folder / "decided", ignore_errors=True)
            tables.create_temporary_function("decide", encircle.flink.function(encircle.RuleSet.load(rules), ["json"]))
            for name, path, column in [("lines", rows, "`json` STRING"), ("decided", folder / "decided", "d " + encircle.flink.DECISION)]:
                tables.execute_sql(f"""CREATE TEMPORARY TABLE `{name}` (n BIGINT, {column})
                                       WITH ('connector' = 'filesystem', 'path' = {text(path)}, 'format' = 'json')""")
            tables.execute_sql("INSERT INTO decided SELECT n, decide(`json`) FROM `lines`").wait()
            with open(answers, "w") as file:
                for part in (folder / "decided").glob("[!.]*"):
                    for found in map(json.loads, open(part)):
                        file.write(json.dumps({"n": found["n"], **found["d"]}) + "\n")
            for name in ["lines", "decided"]:
                tables.execute_sql(f"DROP TEMPORARY TABLE `{name}`")
            tables.drop_temporary_function("decide")
            print("done", file=output, flush=True)


if __name__ == "__main__":
    main()
