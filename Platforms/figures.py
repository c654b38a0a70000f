#!/usr/bin/env python3
"""Measures engines that decide by many rules, each beside a function that does nothing, in one run.

usage: figures.py ENCIRCLE FOLDER [--events N] [--rules N] [--tuples N] [--only ENGINE] [--spark PYTHON]

PYTHON is an interpreter with the packages of Spark; without it, Spark is left out.

Rows are drawn from a limited number of distinct rows, because past events repeat; in each engine's last line, all rows differ.
Prints millions of rows per second, the best of three runs, and processor time, with one thread for each engine.
"""
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import time

import chdb
import duckdb
import pyarrow
import pyarrow.parquet

import encircle
import encircle.duckdb
import events

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["event", "page", "path", "content", "app_version"]
PLACES = {"page": "$screen_name", "path": "$element_path", "content": "$element_content", "app_version": "$app_version"}
# Reads rows of RowBinary and answers each with empty lists.
NOTHING = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned char in[1 << 20], out[1 << 18];
static size_t have, at, made;
static void flush(void) { for (size_t n = 0; n < made;) { ssize_t w = write(1, out + n, made - n); if (w <= 0) exit(1); n += w; } made = 0; }
static int more(void) {
  memmove(in, in + at, have - at); have -= at; at = 0; flush();
  ssize_t n = read(0, in + have, sizeof in - have);
  if (n > 0) have += n;
  return n > 0;
}
static int text(size_t *p, size_t *length) {
  size_t value = 0; int shift = 0;
  for (;;) { if (*p >= have) return 0; unsigned char b = in[(*p)++]; value |= (size_t)(b & 127) << shift; shift += 7; if (b < 128) break; }
  if (have - *p < value) return 0;
  *p += value; *length = value; return 1;
}
int main(int count, char **arguments) {
  int columns = atoi(arguments[1]), nullable = atoi(arguments[2]);
  for (;;) {
    size_t p = at, length, version;
    int whole = text(&p, &length);
    version = p - length;
    for (int i = 0; whole && i < columns; i++) {
      size_t ignored;
      if (nullable) { if (p >= have) { whole = 0; break; } if (in[p++] == 1) continue; }
      whole = text(&p, &ignored);
    }
    if (!whole) { if (!more()) break; continue; }
    memset(out + made, 0, 5); made += 5;
    out[made++] = (unsigned char)length; memcpy(out + made, in + version, length); made += length;
    out[made++] = 0; at = p;
    if (made > sizeof out - 4096) flush();
  }
  flush();
  return 0;
}
"""


def rules(count, folder):
    """A rule file in JSON, of the set `mixed` of Benchmarks/make_rules.py."""
    made = folder / "rules.jsonl"
    subprocess.run([sys.executable, ROOT / "Benchmarks/make_rules.py", "--rules", "mixed", str(count), "--output", made], check=True)
    found = []
    for line in made.read_text().splitlines():
        rule = json.loads(line)
        clause = {}
        if "event" in rule:
            clause["event"] = rule["event"]
        if "screen" in rule:
            clause["page"] = rule["screen"]
        if "path" in rule:
            clause["selector"] = rule["path"]
        if "content" in rule:
            value = rule["content"]["value"]
            test = {"eq": value, "contains": {"contains": value}, "not-in": {"exists": True, "not": {"in": value}}}[rule["content"]["op"]]
            clause["where"] = {"$element_content": test}
        found.append({"id": f"rule.{rule['id']}", rule["action"]: clause})
    source = folder / "rules.json"
    source.write_text(json.dumps({"version": 1, "rules": found}, ensure_ascii=False))
    return source


def rows(count, tuples, folder):
    """Rows drawn from distinct ones, and rows that all differ, as tables of columns and of whole events."""
    made = folder / "events.ndjson"
    subprocess.run([sys.executable, ROOT / "Benchmarks/make_rules.py", "--events", "usual", str(tuples), "--output", made], check=True)
    events = [json.loads(line) for line in made.read_text().splitlines()]

    def columns(event):
        return [event["event"]] + [event["properties"].get(place) for place in PLACES.values()]

    pool = pyarrow.Table.from_arrays([pyarrow.array(values, pyarrow.string()) for values in zip(*map(columns, events))], COLUMNS)
    pool = pool.append_column("json", pyarrow.array([json.dumps(event, ensure_ascii=False) for event in events]))
    chance = random.Random(31)
    drawn = pool.take(pyarrow.array([chance.randrange(tuples) for _ in range(count)])).combine_chunks()
    texts = pyarrow.array([f"{text} {n}" for n, text in enumerate(drawn["content"].to_pylist())])
    return drawn, drawn.set_column(COLUMNS.index("content"), "content", texts)


def measure(label, count, run, check=None):
    """Prints the rate of the best of three runs; returns what the last one has found."""
    best, processor = float("inf"), float("inf")
    for _ in range(3):
        before = sum(sum(resource.getrusage(who)[:2]) for who in [resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN])
        started = time.perf_counter()
        found = run()
        best = min(best, time.perf_counter() - started)
        after = sum(sum(resource.getrusage(who)[:2]) for who in [resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN])
        processor = min(processor, after - before)
    print(f"{label:58} {count / best / 1e6:7.2f} M/s  {processor:6.2f} s of processor  {'' if check is None else found}", flush=True)
    return found


def arrow(rules, drawn, different):
    def decide(batches):
        return sum(rules.decide_batch(batch)["selected"].true_count for batch in batches)

    def nothing(batches):
        return sum(len(pyarrow.RecordBatch.from_arrays(batch.columns, batch.schema.names)) for batch in batches)

    coded = pyarrow.table({name: column.combine_chunks().dictionary_encode() for name, column in zip(COLUMNS, drawn.select(COLUMNS).columns)})
    for label, table in [("texts", drawn.select(COLUMNS)), ("dictionaries", coded), ("texts that all differ", different.select(COLUMNS)),
                         ("whole events in JSON", drawn.select(["json"]))]:
        batches = table.to_batches(max_chunksize=65_536)
        measure(f"Arrow, {label}, nothing", len(table), lambda: nothing(batches))
        measure(f"Arrow, {label}", len(table), lambda: decide(batches), True)


def in_duckdb(rules, drawn, different):
    connection = duckdb.connect(config={"threads": 1})
    encircle.duckdb.register(connection, rules, columns=COLUMNS)

    class Nothing:
        schema = encircle.decisions_type()

        def decide_batch(self, batch):
            n = batch.num_rows
            empty = pyarrow.array([[]] * n, self.schema.field(0).type) if n != 2048 else self.lists
            texts = pyarrow.array([""] * n) if n != 2048 else self.texts
            return pyarrow.RecordBatch.from_arrays([empty] * 4 + [pyarrow.array([True] * n), texts, texts], schema=fields(self.schema))

    def fields(type):
        return pyarrow.schema(list(type))

    Nothing.lists, Nothing.texts = pyarrow.array([[]] * 2048, Nothing.schema.field(0).type), pyarrow.array([""] * 2048)
    encircle.duckdb.register(connection, Nothing(), name="nothing", columns=COLUMNS)
    arguments = ", ".join(COLUMNS)
    for label, table in [("texts", drawn), ("texts that all differ", different)]:
        connection.register("source", table.select(COLUMNS))
        connection.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM source")
        for name, function in [(", nothing", "nothing"), ("", "encircle_decide")]:
            sql = f"SELECT count(*) FROM (SELECT {function}({arguments}) AS d FROM events) WHERE d.selected"
            measure(f"DuckDB, {label}{name}", len(table), lambda: connection.execute(sql).fetchall()[0][0], True)
    connection.register("source", drawn.select(COLUMNS))
    connection.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM source")
    for name, function in [(", nothing", "nothing"), ("", "encircle_decide")]:
        sql = f"""SELECT sum(n) FROM (SELECT {function}({arguments}) AS d, n FROM
                  (SELECT {arguments}, count(*) AS n FROM events GROUP BY ALL)) WHERE d.selected"""
        measure(f"DuckDB, distinct tuples first{name}", len(drawn), lambda: connection.execute(sql).fetchall()[0][0], True)


def in_clickhouse(tool, folder, drawn, different):
    scripts = folder / "scripts"
    (folder / "nothing.c").write_text(NOTHING)
    scripts.mkdir()
    subprocess.run(["cc", "-O2", folder / "nothing.c", "-o", scripts / "nothing"], check=True)
    for columns, name in [(COLUMNS, "columns"), (["json"], "json")]:
        definition = subprocess.run(
            [tool, "udf", "--config", "--rules", folder, "--columns", ",".join(columns), "--name", f"decide_{name}"],
            check=True, capture_output=True, text=True).stdout
        program = scripts / definition.split("<command>")[1].split()[0]
        program.parent.mkdir(exist_ok=True)
        if not program.exists():
            program.symlink_to(tool)
        (folder / f"{name}_function.xml").write_text(definition)
        command = definition.split("<command>")[1].split("</command>")[0]
        nothing = definition.replace(command, f"nothing {len(columns)} {int(columns != ['json'])}").replace(f"decide_{name}", f"nothing_{name}")
        (folder / f"nothing_{name}_function.xml").write_text(nothing)
    connection = chdb.connect(
        f"{folder}/db?user_scripts_path={scripts}/&user_defined_executable_functions_config={folder}/*_function.xml")
    pyarrow.parquet.write_table(drawn, folder / "drawn.parquet")
    pyarrow.parquet.write_table(different, folder / "different.parquet")
    types = ", ".join(f"{name} Nullable(String)" for name in COLUMNS) + ", json String"

    def query(sql):
        return int(str(connection.query(sql + " SETTINGS max_threads = 1", "TSV")))

    for table in ["drawn", "different"]:
        connection.query(f"CREATE TABLE {table} ({types}) ENGINE = Memory")
        connection.query(f"INSERT INTO {table} SELECT * FROM file('{folder}/{table}.parquet')")
    arguments = ", ".join(COLUMNS)
    for label, table, name, passed in [("columns", "drawn", "columns", arguments), ("columns that all differ", "different", "columns", arguments),
                                       ("whole events in JSON", "drawn", "json", "json")]:
        for what, function in [(", nothing", f"nothing_{name}"), ("", f"decide_{name}")]:
            sql = f"SELECT count() FROM (SELECT {function}('rules', {passed}) AS d FROM {table}) WHERE length(d.rules) >= 0 AND d.selected"
            measure(f"ClickHouse, {label}{what}", len(drawn), lambda: query(sql), True)
    for what, function in [(", nothing", "nothing_columns"), ("", "decide_columns")]:
        sql = f"""SELECT sum(n) FROM (SELECT {function}('rules', {arguments}) AS d, n FROM
                  (SELECT {arguments}, count() AS n FROM drawn GROUP BY ALL)) WHERE d.selected"""
        measure(f"ClickHouse, distinct tuples first{what}", len(drawn), lambda: query(sql), True)


def in_spark(python, folder, drawn):
    table = folder / "drawn"
    table.mkdir()
    for number, batch in enumerate(drawn.select(COLUMNS).to_batches(max_chunksize=len(drawn) // 8 + 1)):
        pyarrow.parquet.write_table(pyarrow.Table.from_batches([batch]), table / f"{number}.parquet")
    (folder / "spark").mkdir()
    with open(folder / "spark/figures.log", "wb") as log:
        command = [python, ROOT / "Platforms/spark/figures.py", folder / "spark", table, folder / "rules.rules", *COLUMNS]
        subprocess.run(command, check=True, stderr=log)


def main():
    options = events.arguments(__doc__, events=1_000_000, rules=1000, tuples=25_000, only=["arrow", "duckdb", "clickhouse", "spark"], spark=pathlib.Path)
    tool, folder = options.encircle, options.folder
    source = rules(options.rules, folder)
    subprocess.run([tool, "compile", source, "-o", folder / "rules.rules"], check=True, capture_output=True)
    loaded = encircle.RuleSet(source.read_bytes(), "rules")
    drawn, different = rows(options.events, options.tuples, folder)
    distinct = duckdb.sql(f"SELECT count(*) FROM (SELECT DISTINCT {', '.join(COLUMNS)} FROM drawn)").fetchall()[0][0]
    print(f"{options.events} rows, {distinct} of them distinct, {len(loaded)} rules; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    for name, run in [("arrow", lambda: arrow(loaded, drawn, different)), ("duckdb", lambda: in_duckdb(loaded, drawn, different)),
                      ("clickhouse", lambda: in_clickhouse(tool, folder, drawn, different)),
                      ("spark", lambda: in_spark(options.spark, folder, drawn))]:
        if options.only in (None, name) and (name != "spark" or options.spark):
            run()


if __name__ == "__main__":
    main()
