#!/usr/bin/env python3
"""Compares the decisions of `encircle match`, the C library, the Python package, ClickHouse, DuckDB, Spark and Flink.

usage: same_answers.py ENCIRCLE FOLDER [--rule-sets N] [--events N] [--spark PYTHON] [--flink PYTHON]

PYTHON is an interpreter with the packages of that engine; without it, the engine is left out.
Uses the shipped rules, and rule sets and events that are made from seeds: nulls, values of other types, Unicode, escapes, huge
texts, unreadable paths, and lines that are not events. Every engine must give one row for each event, with the same answer.
"""
import json
import pathlib
import random
import subprocess
import sys

import chdb
import duckdb
import pyarrow

import encircle
import encircle.duckdb
from events import arguments

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTS = ["rules", "emit", "excluded_by", "pages"]
CLASSES = ["UIButton", "UIView", "ProductCell", "CartRowCell", "_UIStepperButton", "UITableView"]
PAGES = ["HomeViewController", "CartViewController", "DebugViewController", "UIAlertController"]
TEXTS = ["去结算", "e\u0301", "é", "", "a\\b", "\"", "\u0001", "\U0010FFFF", "x" * 70, "5.2", "12", "true", "'", "\t"]
# Where events have the fields that columns are of, by the shape of Sensors' events.
FIELDS = {
    "event": ("event",), "time": ("time",), "distinct_id": ("distinct_id",), "event_id": ("event_id",),
    "page": ("properties", "$screen_name"), "path": ("properties", "$element_path"),
    "title": ("properties", "$title"), "type": ("properties", "$element_type"),
    "content": ("properties", "$element_content"), "position": ("properties", "$element_position"),
    "app": ("properties", "$app_id"), "app_version": ("properties", "$app_version"), "os": ("properties", "$os"),
}


def component(chance, wild=False):
    name = chance.choice(CLASSES)
    index = chance.choice(["(0)", "(1)", "(section:0 row:%s)" % chance.randrange(4)] + ["(*)"] * wild)
    return name + index


def condition(chance):
    text = chance.choice(TEXTS)
    return chance.choice([
        text, [text, chance.choice(TEXTS) + "1"], {"contains": text or "a"}, {"prefix": text or "a"}, {"exists": chance.random() < 0.5},
        {"version": chance.choice(["<5.2", ">=5.2 <6", ">1"])}, {">": chance.randrange(20)}, chance.randrange(20), True, None,
        {"not": text}, {"matches": chance.choice(["^[0-9.]+$", "a.*b", "结"])}, {"suffix": "b"}, {"glob": "*" + text + "*"},
        {"equals": text + "É", "fold": True}, {"exists": True, "not": {"in": TEXTS[:4]}},
    ])


def clause(chance):
    parts = {}
    if chance.random() < 0.4:
        parts["event"] = chance.choice(["$AppClick", ["$AppClick", "Other"]])
    if chance.random() < 0.4:
        parts["page"] = chance.choice(PAGES + [PAGES[:2]])
    if chance.random() < 0.5:
        steps = [component(chance, wild=True) for _ in range(chance.randrange(1, 4))]
        parts["selector"] = chance.choice(["/", "/**/"]).join(steps)
    if chance.random() < 0.5 or not parts:
        names = ["$element_content", "$app_version", "p", "q", "/distinct_id", "$title", "/lib/$lib", "/properties/p"]
        parts["where"] = {name: condition(chance) for name in chance.sample(names, chance.randrange(1, 3))}
    return parts


def rule_set(chance):
    """Rules in JSON, most of them valid; `usable` leaves out those with invalid conditions."""
    rules = []
    for number in range(chance.randrange(1, 12)):
        effect = "include" if chance.random() < 0.8 else "exclude"
        rule = {"id": f"r{number}", effect: [clause(chance) for _ in range(chance.randrange(1, 3))]}
        if chance.random() < 0.2:
            rule["unless"] = clause(chance)
        if effect == "include" and chance.random() < 0.3:
            rule["emit"] = chance.choice(["same", "其他"])
        if chance.random() < 0.2:
            rule[chance.choice(["from", "to"])] = 1_700_000_000_000 + chance.randrange(10)
        rules.append(rule)
    rules_file = {"version": 1, "rules": rules}
    if chance.random() < 0.2:
        rules_file["track"] = "all"
    if chance.random() < 0.3:
        rules_file["pages"] = {"exclude": [chance.choice(PAGES)]}
    return rules_file


def usable(rules_file):
    """Without the rules that the reader refuses."""
    kept = [rule for rule in rules_file["rules"] if loads({"version": 1, "rules": [rule]})]
    return {**rules_file, "rules": kept}


def loads(rules_file):
    try:
        encircle.RuleSet(json.dumps(rules_file))
        return True
    except encircle.RulesError:
        return False


def event(chance):
    """An event as a tree, with values of the wrong types here and there."""
    def value(*usual):
        if chance.random() < 0.06:
            return chance.choice([None, 7, 5.5, True, [], {"a": 1}, "", "y" * 20_000])
        return chance.choice(usual)

    properties = {}
    tree = {"properties": properties}
    path = "/".join(component(chance) for _ in range(chance.randrange(1, 6)))
    if chance.random() < 0.2:
        path = chance.choice(["(", "_A_B", "UIWindow(0)_" + path.replace("/", "_"), path * 200, "UIButton(0)_x(1)/A"])
    places = {
        "event": value("$AppClick", "$AppClick", "Other"), "time": value(1_700_000_000_000 + chance.randrange(10), "1700000000005"),
        "distinct_id": value(*TEXTS), "event_id": value("00", "x"), "page": value(*PAGES), "path": path,
        "title": value(*TEXTS), "type": value("UIButton"), "content": value(*TEXTS), "position": value("0:1"),
        "app": value("com.example.shop", "other"), "app_version": value("4.9", "5.2", "6", "x"), "os": value("iOS"),
    }
    for field, found in places.items():
        if chance.random() < 0.75:
            target = properties if len(FIELDS[field]) == 2 else tree
            target[FIELDS[field][-1]] = found
    for name in ["p", "q", chance.choice(TEXTS)]:
        if chance.random() < 0.5:
            properties[name] = value(*TEXTS)
    if chance.random() < 0.2:
        tree["lib"] = {"$lib": chance.choice(TEXTS)}
    return tree


def line(chance):
    """An event in JSON, or now and then a line that is not an event."""
    if chance.random() < 0.03:
        return chance.choice(["{", "[]", "null", '{"a":1}}', '{"event":"\\ud800"}', '{"event":', "nothing", '{"a" 1}', "\u0001"])
    text = json.dumps(event(chance), ensure_ascii=chance.random() < 0.5)
    return " " + text if chance.random() < 0.1 else text


def row(chance):
    """The columns of an event, all of them texts, and the event that they stand for."""
    tree = event(chance)
    columns = {}
    for field, place in FIELDS.items():
        source = tree["properties"] if len(place) == 2 else tree
        found = source.pop(place[-1], None)
        columns[field] = found if isinstance(found, str) or found is None else json.dumps(found)
    pairs = {name: found if isinstance(found, str) else json.dumps(found) for name, found in tree["properties"].items()}
    seen = {"properties": dict(pairs)}
    for field, found in columns.items():
        if found is None:
            continue
        # A time is a number where it is one.
        whole = field == "time" and found.isdigit() and str(int(found)) == found
        (seen["properties"] if len(FIELDS[field]) == 2 else seen)[FIELDS[field][-1]] = int(found) if whole else found
    return columns, list(pairs.items()), json.dumps(seen, ensure_ascii=False)


def answer(decision):
    """The parts of an answer that all engines give: the lists, and whether the event is selected; "error" for other lines."""
    if decision.get("error"):
        return "error"
    return ([list(decision.get(name) or []) for name in LISTS], bool(decision["selected"]))


def by_match(tool, compiled, lines):
    """The answers of `encircle match`, which omits lines that are not events."""
    # After a complete event in the first line, a single `{` does not begin a document of several lines.
    text = "".join(line + "\n" for line in ["{}", *lines]).encode("utf-8", "surrogatepass")
    output = subprocess.run([tool, "match", "--rules", compiled], input=text, capture_output=True)
    answers = ["error"] * len(lines)
    for decision in map(json.loads, output.stdout.splitlines()[1:]):
        answers[decision["line"] - 2] = answer(decision)
    return answers


def numbered(file, lines):
    """Writes numbered lines to a file."""
    file.write_text("".join(json.dumps({"n": n, "json": text}) + "\n" for n, text in enumerate(lines)))
    return file


def in_order(decisions, count):
    """The answers of an engine by row number; a missing or duplicate row is a difference."""
    answers = ["missing"] * count
    for number, decision in decisions:
        answers[number] = answer(decision) if answers[number] == "missing" else "twice"
    return answers


def by_clickhouse(clickhouse, function, version, file, count):
    """The answers of `encircle udf` in an embedded ClickHouse."""
    sql = f"""SELECT n, {function}('{version}', json) AS d FROM file('{file}', JSONEachRow,
              'n UInt64, json String') SETTINGS max_block_size = 1000"""
    found = map(json.loads, str(clickhouse.query(sql, "JSONEachRow")).splitlines())
    return in_order(((int(row["n"]), row["d"]) for row in found), count)


class Cluster:
    """An engine with its own processes: Platforms/ENGINE/answers.py, in the interpreter that has its packages."""

    def __init__(self, engine, python, folder):
        self.engine, self.answers = engine, folder / f"{engine.lower()}-answers.ndjson"
        own = folder / engine.lower()
        own.mkdir()
        script = ROOT / "Platforms" / engine.lower() / "answers.py"
        with open(own / "answers.log", "wb") as log:
            self.process = subprocess.Popen(
                [python, script, own], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        self.expect("ready")

    def expect(self, word):
        if self.process.stdout.readline() != word + "\n":
            sys.exit(f"{self.engine} does not answer; see {self.answers.parent}/{self.engine.lower()}/answers.log")

    def decide(self, compiled, file, count):
        print(json.dumps([str(compiled), str(file), str(self.answers)]), file=self.process.stdin, flush=True)
        self.expect("done")
        with open(self.answers) as lines:
            return in_order(((row["n"], row) for row in map(json.loads, lines)), count)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def start_clickhouse(tool, folder):
    definition = subprocess.run(
        [tool, "udf", "--config", "--rules", folder, "--columns", "json"], check=True, capture_output=True, text=True
    ).stdout
    program = folder / "scripts" / definition.split("<command>")[1].split()[0]
    program.parent.mkdir(parents=True)
    program.symlink_to(tool)
    (folder / "encircle_function.xml").write_text(definition)
    connection = chdb.connect(
        f"{folder}/db?user_scripts_path={folder}/scripts/"
        f"&user_defined_executable_functions_config={folder}/*_function.xml"
    )
    return connection, definition.split("<name>")[1].split("</name>")[0]


def rows_of(batch):
    return [answer(decision) for decision in batch.to_pylist()]


def by_duckdb(rules, columns, batch):
    connection = duckdb.connect()
    encircle.duckdb.register(connection, rules, columns=columns)
    table = pyarrow.Table.from_batches([batch]).append_column("n", pyarrow.array(range(batch.num_rows)))
    connection.register("events", table)
    arguments = ", ".join(columns)
    found = connection.execute(f"SELECT n, encircle_decide({arguments}) AS d FROM events ORDER BY n").fetchall()
    return [answer(decision) for _, decision in found]


class Differences:
    def __init__(self):
        self.compared = 0
        self.found = 0
        self.matched = 0

    def compare(self, label, expected, answers, sources):
        if len(answers) != len(expected):
            self.found += 1
            print(f"{label}: {len(answers)} answers to {len(expected)} rows", file=sys.stderr)
        for one, other, source in zip(expected, answers, sources):
            self.compared += 1
            self.matched += one != "error" and any(one[0])
            if one != other:
                self.found += 1
                if self.found <= 5:
                    print(f"{label}:\n  {source[:500]!r}\n  match {one}\n  found {other}", file=sys.stderr)


def main():
    options = arguments(__doc__, rule_sets=200, events=20_000, spark=pathlib.Path, flink=pathlib.Path)
    tool, folder = options.encircle, options.folder
    clickhouse, function = start_clickhouse(tool, folder)
    clusters = [Cluster(engine, python, folder) for engine, python in [("Spark", options.spark), ("Flink", options.flink)] if python]
    differences = Differences()
    errors = 0
    for number in range(options.rule_sets + 1):
        chance = random.Random(f"rules {number}")
        compiled = folder / f"v{number}.rules"
        if number == 0:
            source = ROOT / "Rules"
        else:
            source = folder / f"v{number}.json"
            source.write_text(json.dumps(usable(rule_set(chance))))
        subprocess.run([tool, "compile", source, "-o", compiled], check=True, capture_output=True)
        rules = encircle.RuleSet.load(compiled)

        lines = [line(chance) for _ in range(options.events)]
        expected = by_match(tool, compiled, lines)
        errors += expected.count("error")
        text = "\n".join(lines)
        differences.compare(f"{compiled.name}, C", expected, [answer(d) for d in rules.decide_lines(text)], lines)
        batch = pyarrow.RecordBatch.from_arrays([pyarrow.array(lines)], ["json"])
        differences.compare(f"{compiled.name}, Python", expected, rows_of(rules.decide_batch(batch)), lines)
        file = numbered(folder / "rows.ndjson", lines)
        found = by_clickhouse(clickhouse, function, compiled.stem, file, len(lines))
        differences.compare(f"{compiled.name}, ClickHouse", expected, found, lines)
        for cluster in clusters:
            differences.compare(f"{compiled.name}, {cluster.engine}", expected, cluster.decide(compiled, file, len(lines)), lines)
        differences.compare(f"{compiled.name}, DuckDB", expected, by_duckdb(rules, ["json"], batch), lines)

        # Columns, each row several times.
        rows = [row(chance) for _ in range(options.events // 4)] * 2
        events = [seen for _, _, seen in rows]
        expected = by_match(tool, compiled, events)
        arrays = [pyarrow.array([columns[field] for columns, _, _ in rows], pyarrow.string()) for field in FIELDS]
        maps = pyarrow.array([pairs for _, pairs, _ in rows], pyarrow.map_(pyarrow.string(), pyarrow.string()))
        names = [*FIELDS, "properties"]
        plain = pyarrow.RecordBatch.from_arrays([*arrays, maps], names)
        coded = pyarrow.RecordBatch.from_arrays([*(array.dictionary_encode() for array in arrays), maps], names)
        views = pyarrow.RecordBatch.from_arrays([*(array.cast(pyarrow.string_view()) for array in arrays), maps], names)
        for what, batch in [("plain", plain), ("dictionaries", coded), ("views", views), ("a slice", plain.slice(7, 999))]:
            start = 7 if what == "a slice" else 0
            found = rows_of(rules.decide_batch(batch))
            differences.compare(f"{compiled.name}, columns, {what}", expected[start : start + batch.num_rows], found, events[start:])
        texts = [name for name in names if name != "time"]
        timed = plain.select(texts)
        without = [json.dumps({k: v for k, v in json.loads(seen).items() if k != "time"}, ensure_ascii=False) for seen in events]
        found = by_duckdb(rules, texts, timed)
        differences.compare(f"{compiled.name}, columns, DuckDB", by_match(tool, compiled, without), found, without)
        if number % 20 == 0:
            print(f"{number} of {options.rule_sets} rule sets, {differences.compared} answers, {differences.found} differences", file=sys.stderr)
    for cluster in clusters:
        cluster.end()
    engines = ", ".join(["C", "Python", "ClickHouse", "DuckDB", *(cluster.engine for cluster in clusters)])
    print(f"{engines}: {options.rule_sets + 1} rule sets, {differences.compared} answers compared ({differences.matched} with rules or pages, "
          f"{errors} lines are no events): {differences.found} differences")
    sys.exit(differences.found > 0)


if __name__ == "__main__":
    main()
