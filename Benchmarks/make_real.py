#!/usr/bin/env python3
"""Rules and events for the elements of real captures.

    make_real.py elements ENCIRCLE CAPTURES… > elements.ndjson     the elements of captures, with the tool's suggestions
    make_real.py rules SET COUNT ELEMENTS.ndjson > rules.jsonl     `real`: the kinds of `mixed`; `suggested`: the suggestions
    make_real.py events POPULARITY COUNT ELEMENTS.ndjson > events.ndjson    `zipf` or `uniform`

The elements are the ones that SDKs track, at most 40 per capture. Cells occur in other rows of their lists, too. Suggestions that
the benchmark's rules cannot express, with event IDs, actions, titles, surroundings or quoted names, are omitted. The same elements
and seed give the same bytes.
"""
import argparse
import json
import re
import subprocess
import sys
from functools import partial
from itertools import accumulate

from make_rules import App, Phone, Place, mixed, source, usual

OF_A_CAPTURE = 40
CELL = re.compile(r"(.*)\(section:\d+ row:\d+\)")
COMPONENT = re.compile(r"[^/()*']+\([^()]+\)")
STEP = re.compile(r"\*\*?|[^/()*']+(\([^()]+\))?")
# The conditions of suggestions that rules of the benchmark cannot express.
BEYOND = {"within", "event_id", "actions", "alert_title"}


# ------------------------------------------------------------- from captures to elements

def elements(tool, captures):
    """The tracked elements of captures, each with the suggestions for it."""
    # Some files in the folders are not captures; the tool reports and skips them.
    listed = subprocess.run([tool, "resolve", "--only", "trackable", "--format", "ndjson", *captures],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    of_capture = {}
    for line in listed.stdout.splitlines():
        element = json.loads(line)
        of_capture.setdefault(element["capture"], []).append(element)
    for number, (capture, tracked) in enumerate(sorted(of_capture.items())):
        # Spread over the capture, from its beginning to its end.
        step = max(1, len(tracked) / OF_A_CAPTURE)
        for element in (tracked[int(place * step)] for place in range(min(len(tracked), OF_A_CAPTURE))):
            # The hubbledata SDK writes `_`, which class names have, too; here each component ends with a locator.
            path = element["path"].replace(")_", ")/")
            if all(map(COMPONENT.fullmatch, path.split("/"))):
                yield {"path": path, "page": element.get("page") or f"Screen{number}ViewController",
                       "text": element.get("content", ""), "suggestions": suggestions(tool, capture, element["element"])}


def suggestions(tool, capture, element):
    found = subprocess.run([tool, "suggest", capture, str(element), "--by", "number", "--format", "json"],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [{name: each[name] for name in ("selector", "page", "content") if name in each}
            for each in json.loads(found.stdout)["suggestions"]
            if not BEYOND & each.keys() and all(map(STEP.fullmatch, each["selector"].removeprefix("/").split("/")))]


# ------------------------------------------------------------- from elements to rules and events

class RealApp(App):
    """The elements of captures as places of an app, so that rules and events are made for them as for an invented app."""

    def __init__(self, elements, seed, popularity="uniform"):
        super().__init__(seed)
        random = source(seed, "real", "app")
        self.pages = sorted({element["page"] for element in elements})
        self.texts = [element["text"] for element in elements if element["text"]]
        self.places = [RealPlace(element, random.sample(self.texts, 5)) for element in elements]
        # The elements get the ranks of Zipf's law in random order.
        random.shuffle(self.places)
        self.weights = list(accumulate(1 / rank if popularity == "zipf" else 1 for rank in range(1, len(self.places) + 1)))

    def place(self, random):
        return random.choices(self.places, cum_weights=self.weights)[0]


class RealPlace(Place):
    """An element: if it is in a list, the row of the innermost one is free."""

    __slots__ = ()

    def __init__(self, element, other_texts):
        self.page, self.texts = element["page"], [element["text"], *other_texts]
        self.parts, self.cell = element["path"].split("/"), None
        for number, part in enumerate(self.parts):
            if CELL.fullmatch(part):
                self.cell = number
        if self.cell is not None:
            self.parts[self.cell] = CELL.fullmatch(self.parts[self.cell])[1]


def real(elements, amount, seed):
    """The kinds of `mixed`."""
    app, random = RealApp(elements, seed), source(seed, "real", "rules")
    for number in range(1, amount + 1):
        yield {"id": number, "kind": "real", "action": "exclude" if random.random() < 0.03 else "include"} | mixed(random, app)


def suggested(elements, amount, seed):
    """Each suggestion once, in an order that separates the suggestions of an element."""
    distinct = {json.dumps(each, sort_keys=True): each for element in elements for each in element["suggestions"]}
    rules = list(distinct.values())
    source(seed, "suggested", "rules").shuffle(rules)
    for number, each in enumerate(rules[:amount], 1):
        # Without a slash at its beginning, a selector begins at any depth; a pattern does with `**`.
        selector = each["selector"]
        rule = {"id": number, "kind": "suggested", "action": "include", "event": "$AppClick",
                "path": selector[1:] if selector.startswith("/") else f"**/{selector}"}
        if "page" in each:
            rule["screen"] = each["page"]
        if "content" in each:
            rule["content"] = {"op": "eq", "value": each["content"]}
        yield rule


def events(popularity, elements, amount, seed):
    app, random = RealApp(elements, seed, popularity), source(seed, "real", popularity, "events")
    phones = [Phone(random) for _ in range(400)]
    for number in range(amount):
        yield usual(random, app, number, random.choice(phones))


SETS = {"real": real, "suggested": suggested}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("elements")
    command.add_argument("tool")
    command.add_argument("captures", nargs="+")
    for name, choices in (("rules", SETS), ("events", ("zipf", "uniform"))):
        command = commands.add_parser(name)
        command.add_argument("what", choices=choices)
        command.add_argument("count", type=int)
        command.add_argument("elements")
    options = parser.parse_args()
    if options.command == "elements":
        made = elements(options.tool, options.captures)
    else:
        with open(options.elements, encoding="utf-8") as file:
            read = [json.loads(line) for line in file]
        make = SETS[options.what] if options.command == "rules" else partial(events, options.what)
        made = make(read, options.count, options.seed)
    for each in made:
        sys.stdout.buffer.write(json.dumps(each, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    main()
