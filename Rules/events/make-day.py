#!/usr/bin/env python3
"""Makes up a day of an app's events, for trying things out: people walk through the screens of the shipped captures,
and their SDK sends what it would send. The same arguments give the same bytes.

usage: Rules/events/make-day.py ENCIRCLE [--end TIME] [--sessions N] [--seed N] > day.ndjson
       Rules/events/make-day.py ENCIRCLE --send URL [--every SECONDS]     posts what happens now, until it is stopped

The day has the shape of days, morning and evening peaks in UTC+8. A new version of the shop, 5.3.0, comes out 14 hours
before its end: its checkout button has another class, so that the rule cart.checkout selects nothing from it any more,
and fewer people find the button of the product page. Taps carry the point that was touched, as $page_x and $page_y.
"""
import argparse
import datetime
import json
import math
import pathlib
import random
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHOP, CHAT = "com.example.shop", "com.example.chat"
NEW_VERSION, OLD_VERSIONS = "5.3.0", ["5.1.0", "5.2.0", "5.2.1", "5.2.1", "5.2.1"]
RELEASE_HOURS = 14

# Where people go from a page, and how many things they tap there on average.
SCREENS = {
    "home-feed": (3, ["product-page", "search", "cart", "channels-a", "tab-bar"]),
    "product-page": (2, ["cart", "home-feed", "product-page"]),
    "search": (2, ["product-page", "home-feed"]),
    "channels-a": (3, ["home-feed"]),
    "cart": (3, ["order", "home-feed"]),
    "order": (2, ["action-sheet", "home-feed", "tab-bar"]),
    "action-sheet": (1, ["home-feed"]),
    "tab-bar": (2, ["segmented", "logout", "home-feed", "swiftui"]),
    "segmented": (2, ["tab-bar", "logout"]),
    "logout": (1, []),
    "swiftui": (1, ["tab-bar"]),
}
FILES = {"order": "order-v5.2", "logout": "alert-ios10"}
# What people like to tap, whatever the screen; everything else has weight 1.
POPULAR = {"加入": 4, "加入购物车": 6, "立即购买": 3, "提交订单": 9, "去领取": 4, "春季大促": 5, "去结算(3)": 25, "关注": 3}
TYPED = ("UITextField", "SearchBarTextField", "UITextView")


class Element:
    """A tappable element of a capture, with what an event says about it."""

    def __init__(self, line, frames, attributes, lists):
        number = line["element"]
        self.content = line.get("content", "")
        self.page, self.title = line.get("page"), line.get("screenTitle")
        self.frame = frames[number]
        self.properties = {"$element_type": self.type(line, lists[number])}
        if self.page:
            self.properties["$screen_name"] = self.page
        if self.title:
            self.properties["$title"] = self.title
        if self.content:
            self.properties["$element_content"] = self.content
        if "section" in line:
            self.properties["$element_position"] = f"{line['section']}:{line.get('row', line.get('item', 0))}"
        self.properties["$element_path"] = line["path"]
        # Only where they are part of the identity, as that of an item of a navigation bar: the event ID comes from these.
        if "&actions(" in line["identity"]:
            self.properties["$element_actions"] = ",".join(attributes[number]["actions"].split())
        if line["kind"] == "alertEvent":
            for name in ("title", "message"):
                if name in attributes["alert"]:
                    self.properties[f"$alert_{name}"] = attributes["alert"][name]
        self.typed = any(name in line["class"] for name in TYPED)
        self.weight = 0 if self.typed else POPULAR.get(self.content, 0.4 if line["kind"] == "controlEvent" else 1)

    @staticmethod
    def type(line, list_class):
        if line["kind"] == "alertEvent":
            return "UIAlertController"
        return list_class if line["kind"] in ("tableViewSelectEvent", "collectionViewSelectEvent") else line["class"]


class Screen:
    """A capture: its app, its size and what can be tapped on it."""

    def __init__(self, tool, name):
        file = ROOT / "ViewTrees" / f"{name}.xml"
        root = xml.etree.ElementTree.parse(file).getroot()
        self.app, self.os_version = root.get("app"), root.get("osVersion")
        self.width, self.height = (float(number) for number in root.get("screen").split())
        frames, attributes, lists = [], {"alert": {}}, []
        # Pre-order, as elements are numbered; frames are in the superview's coordinates.
        stack = [(view, 0.0, 0.0, None) for view in reversed(root.findall("view"))]
        while stack:
            view, left, top, containing = stack.pop()
            x, y, width, height = (float(number) for number in view.get("frame", "0 0 0 0").split())
            attributes[len(frames)] = view.attrib
            frames.append((left + x, top + y, width, height))
            lists.append(containing)
            if view.get("controller") == "UIAlertController":
                attributes["alert"] = view.attrib
            if view.get("class") in ("UITableView", "UICollectionView"):
                containing = view.get("class")
            stack += [(child, left + x, top + y, containing) for child in reversed(view.findall("view"))]
        lines = subprocess.run(
            [tool, "resolve", "--only", "trackable", "--format", "ndjson", str(file)], check=True, text=True,
            encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines()
        elements = [Element(json.loads(line), frames, attributes, lists) for line in lines]
        alerts = [element for element in elements if "$alert_title" in element.properties]
        # Nothing beneath an alert can be tapped.
        self.elements = [e for e in alerts or elements if e.weight > 0 and self.shows(e.frame)]
        self.weights = [element.weight for element in self.elements]
        pages = [element for element in elements if element.page and element.page != "UITabBarController"]
        self.page = max(pages, key=lambda e: sum(e.page == other.page for other in pages)) if pages else None

    def shows(self, frame):
        x, y, width, height = frame
        return width > 0 and height > 0 and 0 <= x + width / 2 <= self.width and 0 <= y + height / 2 <= self.height


class Person:
    def __init__(self, number, random):
        self.id = f"{random.getrandbits(64):016X}" if random.random() < 0.4 else f"u-{10_000 + number}"
        self.os_version = random.choice(["15.8", "16.7", "17.2", "17.2", "17.5", "18.1", "26.0"])
        self.version = random.choice(OLD_VERSIONS)
        # How long after the release the new version is installed, in hours; some never do it.
        self.updates = random.expovariate(1 / 9)
        if number % 97 == 0:
            self.id = f"qa-{number}"


class World:
    def __init__(self, tool, seed):
        self.random = random.Random(seed)
        names = {FILES.get(name, name) for name in SCREENS} | {"order-v5.1", "alert-ios9", "alert-ios26"}
        self.screens = {name: Screen(tool, name) for name in sorted(names)}
        self.people = [Person(number, self.random) for number in range(700)]

    def session(self, begin, release):
        """The events of one visit, which begins at a time in seconds."""
        person = self.people[int(len(self.people) * self.random.random() ** 1.6)]
        version = NEW_VERSION if begin > release + person.updates * 3600 else person.version
        clock = [begin]

        def event(name, properties, app=SHOP, app_version=version, os_version=person.os_version, method="autoTrack"):
            return {
                "_track_id": self.random.getrandbits(32), "distinct_id": person.id, "time": round(clock[0] * 1000),
                "type": "track", "event": name,
                "lib": {"$lib": "iOS", "$lib_method": method, "$lib_version": "4.8.3"},
                "properties": {"$app_id": app, "$app_version": app_version, "$os": "iOS", "$os_version": os_version}
                | properties}

        def visit(screen, taps, **common):
            if screen.page:
                view = {"$screen_name": screen.page.page}
                yield event("$AppViewScreen", view | ({"$title": screen.page.title} if screen.page.title else {}), **common)
            for _ in range(taps):
                clock[0] += self.random.expovariate(1 / 4) + 0.4
                yield event("$AppClick", self.tap(screen, common.get("app_version", version)), **common)
            clock[0] += self.random.expovariate(1 / 6) + 0.5

        if self.random.random() < 0.12:
            chat = self.screens["alert-ios9"]
            common = {"app": CHAT, "app_version": "3.4.0", "os_version": chat.os_version}
            yield event("$AppStart", {"$is_first_time": False}, **common)
            yield from visit(chat, 1 + int(self.random.expovariate(0.5)), **common)
            return
        yield event("$AppStart", {"$is_first_time": self.random.random() < 0.03})
        name = "home-feed"
        for _ in range(2 + int(self.random.expovariate(1 / 4))):
            taps, ways = SCREENS[name]
            yield from visit(self.screen(name, version, person), int(self.random.expovariate(1 / taps)))
            if name == "order" and self.random.random() < 0.5:
                paid = {"amount": round(self.random.lognormvariate(4.4, 0.7), 2), "currency": "CNY"}
                if self.random.random() < 0.3:
                    paid["coupon_id"] = f"C{self.random.randrange(40)}"
                yield event("order_paid", paid, method="code")
            if not ways:
                break
            name = self.random.choices(ways, weights=range(len(ways), 0, -1))[0]
        yield event("$AppEnd", {"$event_duration": round(clock[0] - begin, 3)})

    def screen(self, name, version, person):
        if name == "order" and version < "5.2":
            return self.screens["order-v5.1"]
        if name == "logout" and person.os_version.startswith("26"):
            return self.screens["alert-ios26"]
        return self.screens[FILES.get(name, name)]

    def tap(self, screen, version):
        element = self.random.choices(screen.elements, weights=screen.weights)[0]
        properties = dict(element.properties)
        if version == NEW_VERSION:
            properties["$element_path"] = properties["$element_path"].replace("CheckoutButton", "PayButton")
            if "PrimaryButton" in properties["$element_path"] and self.random.random() < 0.6:
                element = self.random.choices(screen.elements, weights=screen.weights)[0]
                properties = dict(element.properties)
                properties["$element_path"] = properties["$element_path"].replace("CheckoutButton", "PayButton")
        if "_UIStepperButton" in properties["$element_path"]:
            properties["quantity"] = self.random.randrange(1, 6)
        x, y, width, height = element.frame
        # Thumbs hit near the middle.
        across, down = (min(max(self.random.gauss(0.5, 0.17), 0.03), 0.97) for _ in range(2))
        return properties | {"$page_x": round(x + width * across, 1), "$page_y": round(y + height * down, 1)}


def busyness(seconds):
    """How busy the app is at a time of day, from 0 to 1."""
    hour = (seconds / 3600 + 8) % 24

    def peak(at, width, height):
        distance = min(abs(hour - at), 24 - abs(hour - at))
        return height * math.exp(-((distance / width) ** 2))

    return min(1, 0.06 + peak(8.5, 1.6, 0.5) + peak(12.5, 1.4, 0.55) + peak(18, 3, 0.35) + peak(21.2, 2.2, 0.6))


def line(event):
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def day(world, end, sessions):
    begin, release = end - 86_400, end - RELEASE_HOURS * 3600
    events = []
    while sessions > 0:
        at = begin + world.random.random() * 86_400
        if world.random.random() <= busyness(at):
            events += world.session(at, release)
            sessions -= 1
    events = [event for event in events if event["time"] <= end * 1000]
    events.sort(key=lambda event: event["time"])
    for event in events:
        print(line(event))


def accepted(request):
    """Whether the service has taken an event. One that is busy, or being started anew, will later."""
    try:
        urllib.request.urlopen(request, timeout=10).close()
        return True
    except urllib.error.HTTPError as error:
        if error.code in (429, 500, 502, 503, 504):
            return False
        sys.exit(f"make-day: the service does not want events: {error.code} {error.reason}")
    except OSError:
        return False


def send(world, url, every, token):
    release = time.time() - RELEASE_HOURS * 3600
    while True:
        for event in world.session(time.time(), release):
            event["time"] = round(time.time() * 1000)
            event["_flush_time"] = event["time"]
            request = urllib.request.Request(url, data=f"[{line(event)}]".encode(), method="POST")
            request.add_header("Content-Type", "application/json")
            if token:
                request.add_header("Authorization", f"Bearer {token}")
            wait = 1
            while not accepted(request):
                time.sleep(wait)
                wait = min(30, wait * 2)
            time.sleep(world.random.expovariate(1 / every))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", help="the built tool")
    parser.add_argument("--end", help="the end of the day, 2026-03-15T10:00:00Z; now, unless it is given")
    parser.add_argument("--sessions", type=int, default=700, help="visits of the app, each of about 20 events")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--send", metavar="URL", help="post events to this address instead")
    parser.add_argument("--every", type=float, default=1.5, help="seconds between two events that are posted")
    parser.add_argument("--token", help="the token to post with")
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    world = World(options.tool, options.seed)
    if options.send:
        send(world, options.send, options.every, options.token)
    else:
        end = datetime.datetime.fromisoformat(options.end.replace("Z", "+00:00")).timestamp() if options.end else time.time()
        day(world, end, options.sessions)


if __name__ == "__main__":
    main()
