#!/usr/bin/env python3
"""ClickHouse: all events by all rules as joins in SQL, in this process (chdb), on one thread.

Exact paths are joined by path, patterns by page and then by a regular expression, once for each path that occurs.
"""
import json
import resource
from statistics import median

import chdb

from common import is_exact, path_regex
from record import arguments, cpu, first_events, print_record, rules_of, written

COLUMNS = """id UInt32, event Nullable(String), screen Nullable(String), path Nullable(String), regex Nullable(String),
  content_op Nullable(String), content Nullable(String), version_min Nullable(Int64), version_max Nullable(Int64),
  key1 Nullable(String), op1 Nullable(String), values1 Array(String), key2 Nullable(String), op2 Nullable(String),
  values2 Array(String)"""

TABLES = """
CREATE TABLE rules ENGINE = Memory AS SELECT * FROM file('{rules}', JSONEachRow, '{columns}');
CREATE TABLE exact ENGINE = Memory AS SELECT * FROM rules WHERE path IS NOT NULL;
CREATE TABLE pages ENGINE = Memory AS SELECT * FROM rules WHERE path IS NULL AND regex IS NULL;
CREATE TABLE patterns ENGINE = Memory AS SELECT * FROM rules WHERE regex IS NOT NULL AND screen IS NOT NULL;
CREATE TABLE anywhere ENGINE = Memory AS SELECT * FROM rules WHERE regex IS NOT NULL AND screen IS NULL"""

# A missing path or page is an empty text, which matches nothing.
LOAD = """
CREATE OR REPLACE TABLE events ENGINE = Memory AS
SELECT rowNumberInAllBlocks() AS place, event, JSONExtractString(properties, '$screen_name') AS screen,
  JSONExtractString(properties, '$element_path') AS path,
  JSONExtract(properties, '$element_content', 'Nullable(String)') AS content,
  arrayMap(toInt64OrNull, splitByChar('.', JSONExtractString(properties, '$app_version'))) AS parts,
  parts[1] * 100000000 + parts[2] * 10000 + parts[3] AS version, properties
FROM file('{events}', JSONEachRow, 'event String, properties String')
SETTINGS input_format_json_read_objects_as_strings = 1"""

PROPERTY = """(r.key{n} IS NULL OR multiIf(
    r.op{n} = 'exists', JSONHas(e.properties, assumeNotNull(r.key{n})),
    r.op{n} IN ('eq', 'in'), has(r.values{n}, JSONExtractRaw(e.properties, assumeNotNull(r.key{n}))),
    r.op{n} = 'lt', toFloat64OrNull(JSONExtractRaw(e.properties, assumeNotNull(r.key{n}))) < toFloat64OrNull(r.values{n}[1]),
    toFloat64OrNull(JSONExtractRaw(e.properties, assumeNotNull(r.key{n}))) >= toFloat64OrNull(r.values{n}[1])))"""

REST = f"""(r.event IS NULL OR r.event = e.event)
  AND (r.content_op IS NULL OR multiIf(r.content_op = 'eq', e.content = r.content,
    r.content_op = 'prefix', startsWith(e.content, assumeNotNull(r.content)),
    position(e.content, assumeNotNull(r.content)) > 0))
  AND (r.version_min IS NULL OR e.version >= r.version_min) AND (r.version_max IS NULL OR e.version <= r.version_max)
  AND {PROPERTY.format(n=1)} AND {PROPERTY.format(n=2)}"""

MATCH = f"""
SELECT e.place AS place, r.id AS id FROM events AS e JOIN exact AS r ON e.path = r.path
WHERE (r.screen IS NULL OR r.screen = e.screen) AND {REST}
UNION ALL SELECT e.place, r.id FROM events AS e JOIN pages AS r ON e.screen = r.screen WHERE {REST}
UNION ALL SELECT e.place, r.id FROM events AS e JOIN (
  SELECT p.path AS element_path, r.* FROM (SELECT DISTINCT screen, path FROM events WHERE path != '') AS p
  JOIN patterns AS r ON p.screen = r.screen WHERE match(p.path, assumeNotNull(r.regex))
) AS r ON e.path = r.element_path AND e.screen = r.screen WHERE {REST}
UNION ALL SELECT e.place, r.id FROM events AS e JOIN (
  SELECT p.path AS element_path, r.* FROM (SELECT DISTINCT path FROM events WHERE path != '') AS p
  CROSS JOIN anywhere AS r WHERE match(p.path, assumeNotNull(r.regex))
) AS r ON e.path = r.element_path WHERE {REST}"""


def version(text):
    major, minor, patch = map(int, text.split("."))
    return major * 10**8 + minor * 10**4 + patch


def columns(rule):
    """The row of a rule, as a line."""
    row = {name: rule[name] for name in ("id", "event", "screen") if name in rule}
    if "path" in rule:
        row |= {"path": rule["path"]} if is_exact(rule) else {"regex": f"^(?:{path_regex(rule['path'])})$"}
    if "content" in rule:
        row |= {"content_op": rule["content"]["op"], "content": rule["content"]["value"]}
    if "version" in rule:
        row |= {f"version_{end}": version(text) for end, text in ({"min": "0.0.0"} | rule["version"]).items()}
    for number, test in enumerate(rule.get("props", ()), 1):
        wanted = test.get("value")
        texts = [json.dumps(each, ensure_ascii=False) for each in (wanted if isinstance(wanted, list) else [wanted])]
        row |= {f"key{number}": test["key"], f"op{number}": test["op"], f"values{number}": texts}
    return json.dumps(row, ensure_ascii=False) + "\n"


def main():
    options = arguments(__doc__)
    rules = rules_of(options.rules)
    connection = chdb.connect(":memory:")

    def run(text):
        """The result of a statement, and its CPU time."""
        start = cpu(resource.RUSAGE_SELF)
        result = connection.query(text, "JSONCompactEachRow")
        return result, cpu(resource.RUSAGE_SELF) - start

    for setting in ("max_threads = 1", "join_use_nulls = 0"):
        run(f"SET {setting}")
    with written(map(columns, rules), ".ndjson") as rule_file, first_events(options) as events:
        compiling = sum(run(text)[1] for text in TABLES.format(rules=rule_file, columns=COLUMNS.replace("\n", " ")).split(";"))
        loads = [run(LOAD.format(events=events))[1] for _ in range(options.passes)]
    matches = [run(MATCH) for _ in range(options.passes)]
    with open(options.events, "rb") as lines:
        answers = [[] for _, _ in zip(range(options.limit), lines)]
    for line in str(matches[0][0]).splitlines():
        place, rule = json.loads(line)
        answers[int(place)].append(rule)
    matching = median(seconds for _, seconds in matches)
    print_record("clickhouse", options, len(rules), answers, compiling, matching, matching + median(loads),
                 resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


if __name__ == "__main__":
    main()
