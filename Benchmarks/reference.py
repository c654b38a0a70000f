#!/usr/bin/env python3
"""Which rules match which events, computed slowly and plainly: every rule against every event, one at a time.

    reference.py RULES.jsonl EVENTS.ndjson --events K > expected.jsonl

Writes one line per event, `{"i":0,"ids":[3,17]}`; a line that is not an event matches nothing. There is no index, and rules share
nothing. The program shares no code with Encircle, so that an error is unlikely to be in both.
"""
import argparse
import json
import re
import sys
from itertools import islice

COMPONENT = re.compile(r"(.*)\(([^()]*)\)", re.S)
CELL = re.compile(r"(section|indexx):(\S+) (row|item|indexy):(\S+)")


def component(text):
    """A component or a step that is one: class name and locator, which is a tuple of texts; in a step it may be missing."""
    found = COMPONENT.fullmatch(text)
    if not found:
        return text, None
    name, locator = found.groups()
    cell = CELL.fullmatch(locator)
    return name, cell.groups() if cell else (locator,)


def step_matches(step, component):
    if step == "*":
        return True
    (name, locator), (own_name, own_locator) = step, component
    if name != own_name or locator is None:
        return name == own_name
    return len(locator) == len(own_locator) and all(test in ("*", value) for test, value in zip(locator, own_locator))


def path_matches(steps, path):
    """Returns whether the steps match the whole path; `**` matches any number of components.

    After each step, `ends` has the numbers of components that the steps so far can match.
    """
    ends = {0}
    for step in steps:
        if step == "**":
            ends = set(range(min(ends), len(path) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(path) and step_matches(step, path[end])}
        if not ends:
            return False
    return len(path) in ends


def equal(a, b):
    """Compares without conversion: a number is not a text, and true is not 1."""
    is_number = [isinstance(x, (int, float)) and not isinstance(x, bool) for x in (a, b)]
    return a == b and (type(a) is type(b) or all(is_number))


def holds(test, properties, key):
    """Returns whether a test holds; on a missing value, only `not-in` does."""
    operator, wanted, has = test["op"], test.get("value"), key in properties
    value = properties.get(key)
    if operator == "exists":
        return has
    if operator == "not-in":
        return not (has and any(equal(value, each) for each in wanted))
    if not has:
        return False
    if operator == "eq":
        return equal(value, wanted)
    if operator == "in":
        return any(equal(value, each) for each in wanted)
    if operator in ("lt", "ge"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return value < wanted if operator == "lt" else value >= wanted
    if not isinstance(value, str):
        return False
    if operator == "prefix":
        return value.startswith(wanted)
    if operator == "suffix":
        return value.endswith(wanted)
    if operator == "contains":
        return wanted in value
    if operator == "matches":
        return re.search(wanted, value) is not None
    raise ValueError(operator)


def version(text):
    return [int(number) for number in text.split(".")]


class Rule:
    def __init__(self, rule):
        self.id, self.event, self.screen = rule["id"], rule.get("event"), rule.get("screen")
        self.steps = None
        if "path" in rule:
            self.steps = [text if text in ("*", "**") else component(text) for text in rule["path"].split("/")]
        self.tests = [("$element_content", rule["content"])] if "content" in rule else []
        self.tests += [(test["key"], test) for test in rule.get("props", [])]
        self.version = rule.get("version")

    def matches(self, event):
        properties = event.properties
        if self.event is not None and self.event != event.name:
            return False
        if self.screen is not None and self.screen != properties.get("$screen_name"):
            return False
        if self.steps is not None and (event.path is None or not path_matches(self.steps, event.path)):
            return False
        if not all(holds(test, properties, key) for key, test in self.tests):
            return False
        if self.version:
            if "$app_version" not in properties:
                return False
            own = version(properties["$app_version"])
            if "min" in self.version and own < version(self.version["min"]):
                return False
            if "max" in self.version and own > version(self.version["max"]):
                return False
        return True


class Event:
    def __init__(self, event):
        self.name, self.properties = event["event"], event["properties"]
        path = self.properties.get("$element_path")
        self.path = [component(text) for text in path.split("/")] if path else None


def read_event(line):
    """Returns the event in a line; None if the line is not an event."""
    try:
        return Event(json.loads(line))
    except ValueError:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules")
    parser.add_argument("events")
    parser.add_argument("--events", type=int, dest="count", metavar="K", help="only the first K events")
    arguments = parser.parse_args()
    with open(arguments.events, "rb") as file:
        events = [read_event(line) for line in islice(file, arguments.count)]
    answers = [[] for _ in events]
    with open(arguments.rules, encoding="utf-8") as file:
        for line in file:
            rule = Rule(json.loads(line))
            for event, ids in zip(events, answers):
                if event is not None and rule.matches(event):
                    ids.append(rule.id)
    for i, ids in enumerate(answers):
        sys.stdout.write('{"i":%d,"ids":%s}\n' % (i, json.dumps(sorted(ids), separators=(",", ":"))))


if __name__ == "__main__":
    main()
