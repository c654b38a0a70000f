#!/usr/bin/env python3
"""Rules and events of which one property grows while the rest stays the same, as input for growth.py.

    make_growing.py size BYTES          events of BYTES bytes, for the rules of the set `mixed`
    make_growing.py path COMPONENTS     a thousand different paths of COMPONENTS components, and rules for them
    make_growing.py new-path COMPONENTS the same, but no two events have the same path
    make_growing.py elements COUNT      events of COUNT elements, each equally often, for the rules of the set `mixed`

Writes one JSON object per line to standard output: N rules with --rules, which only `path` has, and N events with --events. The
same arguments give the same bytes.
"""
import argparse
import json
import sys
from functools import partial
from itertools import count

from make_rules import NOUNS, App, Phone, event, source, usual

SMALLEST = 320  # bytes of an event that has only what the rules ask for
DEEP_PATHS = 1_000
# As UIKit nests views: a few classes that come again and again.
CONTAINERS = "UIView UIStackView UIScrollView UIVisualEffectView InnCardView InnPanelView".split()


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


# ------------------------------------------------------------------ size of an event

def sized(target, amount, seed):
    """Events of about that many bytes, filled up with properties that no rule asks for."""
    random, others = source(seed, "size", "events"), source(seed, "size", target)
    app, phones = App(seed), [Phone(random) for _ in range(400)]
    for number in range(amount):
        # All sizes have the same elements, so only elements that fit into the smallest size.
        while len(line(made := small(usual(random, app, number, random.choice(phones))))) > SMALLEST:
            pass
        length = len(line(made))
        for name in map("attribute_{}".format, count()):
            value = f"{others.choice(NOUNS)} {others.getrandbits(others.choice((32, 64, 128))):x}"
            length += len(line({name: value})) - 1
            if length > target:
                break
            made["properties"][name] = value
        yield line(made)


def small(event):
    kept = ("$screen_name", "$element_path", "$element_content")
    return event | {"properties": {name: event["properties"][name] for name in kept}}


# ---------------------------------------------------------------- length of a path

def deep_path(number, components, seed):
    """One of the paths of that length."""
    random = source(seed, "path", components, number)
    inner = [f"{random.choice(CONTAINERS)}({random.randint(0, 2)})" for _ in range(components - 3)]
    return ["UIWindow(0)", *inner, f"InnDeepCell(section:0 row:{number % 30})", f"Inn{NOUNS[number % len(NOUNS)]}Button(0)"]


def path_rules(components, amount, seed):
    """60 % exact, 20 % any row, 10 % the end, 10 % with a gap, at every length."""
    random = source(seed, "path", components, "rules")
    for number in range(1, amount + 1):
        parts = deep_path(random.randrange(DEEP_PATHS), components, seed)
        kind = random.random()
        if kind >= 0.6:
            parts[-2] = "InnDeepCell(section:0 row:*)"
        if 0.8 <= kind < 0.9:
            parts = ["**", *parts[-3:]]
        elif kind >= 0.9:
            parts = [parts[0], "**", *parts[-3:]]
        yield line({"id": number, "kind": "path", "action": "include", "path": "/".join(parts)})


def path_events(components, amount, seed, each_new=False):
    random = source(seed, "path", components, "events")
    app, phones = App(seed), [Phone(random) for _ in range(400)]
    paths = [deep_path(number, components, seed) for number in range(DEEP_PATHS)]
    for number in range(amount):
        parts = list(random.choice(paths))
        if each_new:
            parts[-2] = f"InnDeepCell(section:0 row:{100 + number})"
        yield line(event(random, number, random.choice(phones), app.pages[0], "/".join(parts), app.texts[0]))


# -------------------------------------------------------- distinct elements on the stream

def elements_events(distinct, amount, seed):
    """An element is repeated only after all others, so that only the first round has new elements."""
    random = source(seed, "elements", "events")
    app, phones = App(seed), [Phone(random) for _ in range(400)]
    lists = [place for place in app.places if place.cell is not None]
    for number in range(amount):
        element = number % distinct
        place = lists[element * 7919 % len(lists)]
        yield line(event(random, number, random.choice(phones), place.page, place.path(0, element // len(lists)), place.texts[0]))


EVENTS = {"size": sized, "path": path_events, "new-path": partial(path_events, each_new=True), "elements": elements_events}
RULES = {"path": path_rules}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=EVENTS)
    parser.add_argument("value", type=int)
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--rules", type=int, metavar="N")
    kind.add_argument("--events", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    make, amount = (RULES[arguments.what], arguments.rules) if arguments.rules else (
        EVENTS[arguments.what], arguments.events)
    for each in make(arguments.value, amount, arguments.seed):
        sys.stdout.buffer.write(each + b"\n")


if __name__ == "__main__":
    main()
