#!/usr/bin/env python3
"""Rule sets and event streams that are hard on a rule engine, made from a seed.

    make_rules.py --rules SET COUNT  --output rules.jsonl
    make_rules.py --events STREAM COUNT --output events.ndjson
    make_rules.py --list

Writes one JSON object per line as it is made. The same arguments give the same bytes, and a set begins with the smaller sets of
its kind. The imaginary app rents out rooms; README.md in this folder describes the schema and the sets.
"""
import argparse
import json
import random
import sys

NOUNS = """Room Stay Guest Host Night Suite Cabin Porch Garden Window Desk Lamp Key Tariff Season Voucher Trip Ferry Bike Tent
Basket Meal Spa Sauna Pool Towel Receipt Deposit Passport Luggage Shuttle Parking Wifi Quiet Family Pet Terrace Harbour
Valley Summit Tram Museum Market Opera Guide Weather Alarm Blanket Kettle Pantry""".split()
VIEWS = "View Stack Card Panel Strip Frame Banner Shelf Sheet Wrapper".split()
CELLS = "Cell RowCell TileCell EntryCell".split()
LEAVES = "Button Chip Toggle Link Star Thumb".split()
SYSTEM = """UIView(0) UIStackView(0) UIScrollView(0) UIVisualEffectView(0) _UIVisualEffectContentView(0) UIControl(1)
UIView(1) UIStackView(2)""".split()
WINDOWS = [
    "UIWindow(0)/UITransitionView(0)/UIDropShadowView(0)/UILayoutContainerView(0)/UINavigationTransitionView(0)"
    "/UIViewControllerWrapperView(0)/UIView(0)",
    "UIWindow(0)/UITransitionView(0)/UIDropShadowView(0)/UIView(0)",
    "UIWindow(0)/UITransitionView(1)/UIDropShadowView(0)/UIView(0)",
]
VERBS = "Book Keep Share Rate Cancel Open Compare Extend 预订 收藏 取消 查看 Réserver Öffnen".split()
EVENTS = ["$AppClick"] * 9 + ["$AppLongPress"]
PAGES, PLACES = 120, 40  # places are element templates of one page
DEEP = 200  # components of a deep path
LONG = 100_000  # bytes of a long text


def source(*label):
    """A separate generator for each purpose, so that one more draw for one purpose changes nothing else."""
    return random.Random("/".join(map(str, label)))


class Place:
    """An element of a page; in a list if `cell` is a position in `parts`, where the class stands without locator."""

    __slots__ = ("page", "parts", "cell", "texts")

    def path(self, section, row):
        if self.cell is None:
            return "/".join(self.parts)
        parts = list(self.parts)
        parts[self.cell] += f"(section:{section} row:{row})"
        return "/".join(parts)


class App:
    """Pages with their places. Apps of different names share no app-defined classes, no pages and no texts."""

    def __init__(self, seed, name="Inn"):
        random = source(seed, name, "app")
        self.name = name

        def named(suffixes):
            return f"{name}{random.choice(NOUNS)}{random.choice(NOUNS + [''] * 50)}{random.choice(suffixes)}"

        self.pages = [f"{name}{i}{random.choice(NOUNS)}ViewController" for i in range(PAGES)]
        self.texts = [f"{random.choice(VERBS)} {name} {random.choice(NOUNS).lower()} {i}" for i in range(2_000)]
        self.places = []
        for page in self.pages:
            window = random.choice(WINDOWS)
            views = [named(VIEWS) for _ in range(8)]
            for _ in range(PLACES):
                place = Place()
                place.page = page
                place.parts = window.split("/")
                for _ in range(random.randint(1, 5)):
                    own = f"{random.choice(views)}({random.randint(0, 3)})"
                    place.parts.append(own if random.random() < 0.6 else random.choice(SYSTEM))
                place.cell = None
                if random.random() < 0.7:
                    place.parts.append(f"{random.choice(['UITableView', 'UICollectionView'])}({random.randint(0, 1)})")
                    place.cell = len(place.parts)
                    place.parts.append(named(CELLS))
                    place.parts.append("UIView(0)")
                place.parts.append(f"{named(LEAVES)}({random.randint(0, 4)})")
                place.texts = random.sample(self.texts, 6)
                self.places.append(place)

    def place(self, random):
        """A place; the first pages and places occur more often."""
        page = min(int(random.paretovariate(0.7)) - 1, PAGES - 1) if random.random() < 0.8 else random.randrange(PAGES)
        return self.places[page * PLACES + int(random.random() ** 2 * PLACES)]

    def any_place(self, random):
        return random.choice(self.places)


def section(random):
    return random.choice((0, 0, 0, 1))


def row(random):
    return int(random.random() ** 2 * 30)


# ---------------------------------------------------------------------- rules

def exact(random, app):
    place = app.any_place(random)
    return {"screen": place.page, "path": place.path(section(random), row(random))}


def any_row(random, app):
    while (place := app.any_place(random)).cell is None:
        pass
    return {"screen": place.page, "path": place.path(section(random), "*")}


def suffix(random, app):
    """The end of a path, at any depth."""
    place = app.any_place(random)
    parts = place.path(section(random), random.choice(("*", row(random)))).split("/")
    count = random.randint(3, 5) if place.cell is not None else random.randint(2, 4)
    return {"path": "/".join(["**"] + parts[-count:])}


def suffix_and_text(random, app):
    rule = suffix(random, app)
    text = random.choice(app.texts)
    rule["content"] = random.choice(({"op": "eq", "value": text}, {"op": "contains", "value": part(random, text)}))
    return rule


def part(random, text):
    """A part of a text. Some parts occur in many texts."""
    length = random.randint(5, 14)
    start = random.randint(0, max(0, len(text) - length))
    return text[start:start + length]


def contains(random, app):
    return {"content": {"op": "contains", "value": part(random, random.choice(app.texts))}}


def contains_on_page(random, app):
    return {"screen": random.choice(app.pages), **contains(random, app)}


def not_in(random, app):
    place = app.any_place(random)
    return {"screen": place.page,
            "content": {"op": "not-in", "value": random.sample(place.texts, 3) + random.sample(app.texts, 3)}}


def globstars(random, app):
    """Two to four gaps after a beginning that many paths share."""
    place = app.any_place(random)
    parts = place.path(section(random), random.choice(("*", row(random)))).split("/")
    head = random.randint(2, 4)
    middle = sorted(random.sample(range(head, len(parts) - 1), min(random.randint(1, 3), len(parts) - 1 - head)))
    steps = parts[:head]
    for i in middle + [len(parts) - 1]:
        steps += ["**", parts[i]]
    return {"path": "/".join(steps)}


def expression(random, app):
    verb, noun = random.choice(VERBS), random.choice(NOUNS).lower()
    first, last = sorted((random.randint(0, 9), random.randint(0, 9)))
    value = random.choice((
        f"^({verb}|{random.choice(VERBS)}) {app.name} {noun} [0-9]*[{first}-{last}]$",
        f"{noun} {random.randint(1, 199)}[0-9]?$",
        f"^{verb}.*(a|e)[a-z]+ {random.randint(1, 99)}[0-9]+$",
        f"(?i){app.name} [a-{noun[0]}]+ [0-9]{{2,3}}{last}$",
    ))
    return {"content": {"op": "matches", "value": value}}


def on_one_page(random, app):
    """The kinds of `mixed`, all on the first page."""
    rule = mixed(random, app)
    rule["screen"] = app.pages[0]
    if "path" in rule:
        place = app.places[random.randrange(PLACES)]
        parts = place.path(section(random), "*" if random.random() < 0.3 else row(random)).split("/")
        rule["path"] = "/".join(parts if random.random() < 0.8 else ["**"] + parts[-3:])
    return rule


def deep_parts(random, app):
    """A path of that many components, with few classes that repeat."""
    views = [f"{app.name}{noun}View" for noun in NOUNS[:6]]
    return ["UIWindow(0)"] + [f"{random.choice(views)}({random.randint(0, 1)})" for _ in range(DEEP - 2)] + [
        f"{app.name}{random.choice(NOUNS)}Button(0)"]


def deep(random, app):
    """Exact, with a wildcard, or with gaps, on one of a thousand deep paths."""
    parts = deep_parts(source(app.name, "deep", random.randrange(1_000)), app)
    kind = random.random()
    if kind < 0.4:
        return {"path": "/".join(parts)}
    if kind < 0.6:
        at = random.randrange(1, DEEP - 1)
        return {"path": "/".join(parts[:at] + [parts[at].split("(")[0] + "(*)"] + parts[at + 1:])}
    if kind < 0.8:
        return {"path": "/".join(["**"] + parts[-random.randint(2, 100):])}
    gaps = sorted(random.sample(range(1, DEEP - 1), 6))
    return {"path": "/".join([parts[0]] + [step for at in gaps for step in ("**", parts[at])] + ["**", parts[-1]])}


def mixed(random, app):
    """60 % exact, 20 % any row, 10 % suffix and text, 5 % text contains on a page, 5 % text not in a list on a page."""
    kind = random.random()
    make = (exact if kind < 0.6 else any_row if kind < 0.8 else suffix_and_text if kind < 0.9 else
            contains_on_page if kind < 0.95 else not_in)
    return make(random, app)


def own_properties():
    """The 46 properties that the app adds to each event of the stream `wide`, each with its possible values."""
    random = source("wide")
    for noun in NOUNS[:46]:
        length = random.randint(10, 60)
        yield f"{noun.lower()}_{random.choice(('id', 'name', 'origin'))}", [
            f"{random.getrandbits(4 * length):0{length}x}" for _ in range(8)]


WIDE = list(own_properties())


def wide(random, app):
    """60 % exact, 20 % any row, 20 % suffix; half of them with a test of one of eight of those properties."""
    kind = random.random()
    rule = (exact if kind < 0.6 else any_row if kind < 0.8 else suffix)(random, app)
    if random.random() < 0.5:
        name, values = random.choice(WIDE[::6])
        rule["props"] = [{"key": name, "op": "in", "value": random.sample(values, 2)} if random.random() < 0.7 else
                         {"key": name, "op": "exists"}]
    return rule


# Name: what makes a rule, the app it is for, and the stream to match.
SETS = {
    "none": (mixed, "Other", "usual"),
    "exact": (exact, "Inn", "usual"),
    "mixed": (mixed, "Inn", "usual"),
    "suffix": (suffix, "Inn", "usual"),
    "globstar": (globstars, "Inn", "usual"),
    "contains": (contains, "Inn", "usual"),
    "not-in": (not_in, "Inn", "usual"),
    "regex": (expression, "Inn", "usual"),
    "wide": (wide, "Inn", "wide"),
    "one-page": (on_one_page, "Inn", "one-page"),
    "deep": (deep, "Inn", "deep"),
    "long": (contains, "Inn", "long"),
    "different": (mixed, "Inn", "different"),
    "malformed": (mixed, "Inn", "malformed"),
}


def rules(name, count, seed):
    make, app_name, _ = SETS[name]
    app, random = App(seed, app_name), source(seed, name, "rules")
    for number in range(1, count + 1):
        rule = {"id": number, "kind": name, "action": "exclude" if random.random() < 0.03 else "include"}
        if random.random() < 0.7:
            rule["event"] = "$AppClick"
        yield rule | make(random, app)


# --------------------------------------------------------------------- events

class Phone:
    """The properties of an event besides its element, from a few hundred phones that repeat."""

    def __init__(self, random):
        self.properties = {
            "$app_version": f"7.{random.randint(0, 9)}.{random.randint(0, 3)}", "$os": "iOS",
            "$os_version": f"{random.randint(16, 26)}.{random.randint(0, 6)}",
            "$model": f"iPhone{random.randint(12, 18)},{random.randint(1, 5)}", "$screen_width": 390,
            "$screen_height": 844, "$lib_version": "4.5.1", "$is_first_day": random.random() < 0.05,
            "loyalty": random.choice(("none", "bronze", "gold")), "group": random.randint(0, 99),
        }
        self.id = f"{random.getrandbits(64):016X}-{random.getrandbits(32):08X}"


def event(random, number, phone, page, path, text, position=None):
    element = {"$screen_name": page, "$element_path": path, "$element_type": path.rsplit("/", 1)[-1].split("(")[0],
               "$element_content": text}
    if position:
        element["$element_position"] = position
    body = element | phone.properties if number % 2 else phone.properties | element
    return {"event": random.choice(EVENTS), "time": 1_767_225_600_000 + 41 * number, "distinct_id": phone.id,
            "properties": body}


def usual(random, app, number, phone):
    place = app.place(random)
    at = section(random), row(random)
    position = None if place.cell is None else f"{at[0]}:{at[1]}"
    return event(random, number, phone, place.page, place.path(*at), random.choice(place.texts), position)


def wide_event(random, app, number, phone):
    """60 properties in 3 KB, in an order of the phone's own."""
    made = usual(random, app, number, phone)
    properties = made["properties"] | {name: random.choice(values) for name, values in WIDE}
    names = list(properties)
    source(phone.id).shuffle(names)
    made["properties"] = {name: properties[name] for name in names}
    return made


def one_page(random, app, number, phone):
    place = app.places[random.randrange(PLACES)]
    return event(random, number, phone, place.page, place.path(section(random), row(random)), random.choice(place.texts))


def deep_event(random, app, number, phone):
    parts = deep_parts(source(app.name, "deep", random.randrange(1_000)), app)
    if random.random() < 0.3:
        parts[random.randrange(1, DEEP - 1)] = "UIView(0)"
    return event(random, number, phone, app.pages[0], "/".join(parts), app.texts[0])


def long_event(random, app, number, phone):
    """A text of 100 KB made of words that rules look for, mostly in pieces."""
    place, words, length = app.place(random), [], 0
    while length < LONG:
        words.append(random.choice(app.texts)[:random.randint(2, 12)])
        length += len(words[-1].encode()) + 1
    return event(random, number, phone, place.page, place.path(0, 0), " ".join(words))


def different(random, app, number, phone):
    """No two events are from the same element: a row number occurs once."""
    while (place := app.place(random)).cell is None:
        pass
    return event(random, number, phone, place.page, place.path(0, number), random.choice(place.texts))


def malformed(random, app, number, phone):
    """A line that is not an event. The first one is not JSON, so that the stream is read as lines."""
    line = json.dumps(usual(random, app, number, phone), ensure_ascii=False, separators=(",", ":")).encode()
    kind = random.randrange(6) if number else 5
    if kind == 0:
        return line[:random.randrange(2, len(line) - 2)]
    if kind == 1:
        return line.replace(b'":', b'"=', 1)
    if kind == 2:
        at = random.randrange(10, len(line) - 2)
        return line[:at] + b"\x01" + line[at:] if line[at - 1:at] != b"\\" else line[:-1]
    if kind == 3:
        return line + b"}"
    if kind == 4:
        return line[:-2] + b',"x":"\\q"}}'
    return b"2026-01-01 00:00:00 INFO " + line


STREAMS = {"usual": usual, "wide": wide_event, "one-page": one_page, "deep": deep_event, "long": long_event, "different": different,
           "malformed": malformed}


def events(name, count, seed):
    make, app, random = STREAMS[name], App(seed), source(seed, name, "events")
    phones = [Phone(random) for _ in range(400)]
    for number in range(count):
        made = make(random, app, number, random.choice(phones))
        yield made if isinstance(made, bytes) else json.dumps(
            made, ensure_ascii=False, separators=(",", ":")).encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--rules", nargs=2, metavar=("SET", "COUNT"), help="write COUNT rules of a set")
    what.add_argument("--events", nargs=2, metavar=("STREAM", "COUNT"), help="write COUNT events of a stream")
    what.add_argument("--list", action="store_true", help="list the sets, each with its stream")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", help="standard output without")
    arguments = parser.parse_args()
    if arguments.list:
        for name, (make, _, stream) in SETS.items():
            print(f"{name:10} on events {stream}")
        return
    output = open(arguments.output, "wb") if arguments.output else sys.stdout.buffer
    if arguments.rules:
        name, count = arguments.rules
        for rule in rules(name, int(count), arguments.seed):
            output.write(json.dumps(rule, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    else:
        name, count = arguments.events
        for line in events(name, int(count), arguments.seed):
            output.write(line + b"\n")
    output.flush()


if __name__ == "__main__":
    main()
