"""Turn rules in the benchmark workload's schema (one JSON object a line) into an Encircle rule file (JSON).

The schema is that of a generator of element-path rules: id, action, event, screen, path pattern, content, props and
version. Patterns are anchored at both ends; `Class(*)` is any index, `*` any one component.

    python3 convert_rules.py rules.jsonl --limit 1000 > rules.json
"""

import argparse
import json
import re
import sys

NAME = re.compile(r"[^\x00-\x20\x7f/()'*:]+\Z")
EXACT = re.compile(r"(.*)\(([^()]*)\)\Z")


def step(component):
    """A component of a pattern as a step of a selector."""
    if component in ("*", "**"):
        return component
    name, locator = EXACT.match(component).groups()
    if not NAME.match(name):
        name = "'" + name.replace("'", "''") + "'"
    return f"{name}({locator})"


def components(pattern):
    """Splits at slashes; class names of the workload have none."""
    return pattern.split("/")


def rule(source):
    clause = {}
    if "event" in source:
        clause["event"] = source["event"]
    if "screen" in source:
        clause["page"] = source["screen"]
    if "path" in source:
        clause["selector"] = "/" + "/".join(step(c) for c in components(source["path"]))
    where = {}

    def add(key, test):
        where.setdefault(key, {}).update(test)

    if "content" in source:
        operator = {"eq": "equals", "prefix": "prefix", "contains": "contains"}[source["content"]["op"]]
        add("$element_content", {operator: source["content"]["value"]})
    for prop in source.get("props", []):
        operator = {"eq": "equals", "in": "in", "lt": "<", "ge": ">=", "exists": "exists"}[prop["op"]]
        add(prop["key"], {operator: prop.get("value", True)})
    version = source.get("version")
    if version:
        bounds = [f">={version['min']}"] if "min" in version else []
        bounds += [f"<={version['max']}"] if "max" in version else []
        add("$app_version", {"version": " ".join(bounds)})
    if where:
        clause["where"] = where
    # Padded, so that the order of ids is that of the numbers.
    return {"id": f"{source['id']:07d}", source["action"]: clause}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", help="rules.jsonl of the workload")
    parser.add_argument("--limit", type=int, help="take only the first LIMIT rules")
    arguments = parser.parse_args()
    with open(arguments.rules, encoding="utf-8") as file:
        lines = file.readlines()[: arguments.limit]
    sys.stdout.write('{"version": 1, "track": "selected", "rules": [\n')
    rows = [json.dumps(rule(json.loads(line)), ensure_ascii=False) for line in lines]
    sys.stdout.write(",\n".join(rows) + "\n]}\n")


if __name__ == "__main__":
    main()
