#!/usr/bin/env python3
"""Element paths, identity strings and event IDs of captures, computed with lxml.

A second implementation of the `hubbledata` path and the identity string, which shares no code with
the Swift one and is as plain as possible: lxml builds the document, one loop with an explicit stack
walks it in pre-order. It serves two ends: the Swift tool's answers are compared with it, and its
speed is what a team gets that writes the same thing in Python.

Input is view-tree XML (`<viewTree>`) or an Android uiautomator or Appium page source
(`<hierarchy>`). Output is one JSON object per element on standard output; the elements of several
files follow each other and are numbered anew in each.
"""
import argparse
import json
import math
import os
import sys
import textwrap
import time
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from lxml import etree

TABLE = Path(__file__).resolve().parent.parent / "Sources/EncircleTree/Classes/UIKitClasses.swift"

# Used when the project's table is not there: just what the path rules ask about.
FALLBACK_TABLE = """
UIView
  _UIAlertControllerView
  UIControl
    UIButton
    UIDatePicker
    UIPageControl
    UIRefreshControl
    UISegmentedControl
    UISlider
    UIStepper
    UISwitch
    UITextField
  UIScrollView
    UICollectionView
    UITableView
    UITextView
  UICollectionReusableView
    UICollectionViewCell
  UITableViewCell
  UINavigationBar
UIViewController
  UIAlertController
  UINavigationController
  UISplitViewController
  UITabBarController
"""

# The affixes that runtime hooks add to the name of the class they subclass.
RUNTIME_PREFIXES = ("NSKVONotifying_", "_RX_namespace_")
RUNTIME_SUFFIXES = ("_Aspects_", "_RACSelectorSignal")

CONTAINER_CONTROLLERS = ("UINavigationController", "UITabBarController", "UISplitViewController")
ALERT_CONTROLLER = "UIAlertController"
ALERT_VIEWS = ("_UIAlertControllerView", "UIAlertView", "UIActionSheet")

XML_OPTIONS = dict(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)


class Classes:
    """Tests whether a class is another class or one of its subclasses."""

    def __init__(self, table: str):
        """Reads a table: one class a line, two spaces a level, `#` begins a comment."""
        self.superclass = {}
        ancestors = []
        for line in table.splitlines():
            line = line.split("#", 1)[0].rstrip()
            if not line:
                continue
            name = line.strip()
            level = (len(line) - len(line.lstrip(" "))) // 2
            del ancestors[level:]
            self.superclass.setdefault(name, ancestors[-1] if ancestors else None)
            ancestors.append(name)
        self.known_lineages = {}

    def lineage(self, name: str, superclasses: str | None) -> frozenset[str]:
        """The class itself and all its known superclasses; `superclasses` is the capture's attribute."""
        key = name, superclasses
        if key not in self.known_lineages:
            names = set()
            for each in [name, *(superclasses or "").split()]:
                each = written_class(each)
                while each and each not in names:
                    names.add(each)
                    each = self.superclass.get(each)
            self.known_lineages[key] = frozenset(names)
        return self.known_lineages[key]

    def knows_superclasses(self, name: str, superclasses: str | None) -> bool:
        return bool(superclasses) or name in self.superclass


def written_class(name: str) -> str:
    """The class that was written, for a class that the runtime made of it."""
    made = None
    while name != made:  # hooks can be on top of each other
        made = name
        for prefix in RUNTIME_PREFIXES:
            name = name.removeprefix(prefix) or name
        for suffix in RUNTIME_SUFFIXES:
            name = name.removesuffix(suffix) or name
    return name


def numbers(text: str | None, count: int, kind) -> tuple | None:
    """`count` finite numbers separated by white space, or None when the text is anything else."""
    try:
        values = tuple(kind(part) for part in (text or "").split())
    except ValueError:
        return None
    return values if len(values) == count and all(map(math.isfinite, values)) else None


@dataclass(slots=True)
class Surroundings:
    """The state that an element inherits from the elements above it."""

    path: str = ""
    frame: tuple | None = None  # the superview's: x, y, width, height
    controller: str | None = None
    is_container: bool = False  # the controller is a navigation, tab bar or split view controller
    in_scroll_view: bool = False  # one stands between the controller's root view and this place, both exclusive
    in_navigation_bar: bool = False
    cell_field: str | None = None  # `row` or `item`, by the nearest list
    alert: str = ""  # `&message(M)&title(T)`, as far as the alert has them


def page_locator(frame: tuple | None, superview: tuple | None) -> str:
    """`(indexx:X indexy:Y)`, or nothing where a size is missing or zero."""
    if not frame or not superview or not superview[2] or not superview[3]:
        return ""
    x, y, width, height = frame
    index_x, index_y = (x + width / 2) / superview[2], (y + height / 2) / superview[3]
    if not math.isfinite(index_x) or not math.isfinite(index_y):
        return ""
    return f"(indexx:{math.trunc(index_x)} indexy:{math.trunc(index_y)})"


def cell_locator(view, name: str, lineage: frozenset, around: Surroundings, classes: Classes) -> str | None:
    position = numbers(view.get("indexPath"), 2, int)
    if position is None:
        return None
    if "UITableViewCell" in lineage:
        field = "row"
    elif "UICollectionViewCell" in lineage:
        field = "item"
    elif classes.knows_superclasses(name, view.get("superclasses")):
        return None
    else:
        field = around.cell_field
    return f"(section:{position[0]} {field}:{position[1]})" if field else None


def alert_parts(view) -> str:
    message, title = view.get("message"), view.get("title")
    return ("" if message is None else f"&message({message})") + ("" if title is None else f"&title({title})")


def view_tree_elements(root, classes: Classes):
    """Yields class, path, controller and identity string of every view, in pre-order."""
    top = Surroundings()
    pending = [(view, name, index, top) for view, name, index in reversed(numbered(root))]
    while pending:
        view, name, index, around = pending.pop()
        attributes = view.attrib
        lineage = classes.lineage(name, attributes.get("superclasses"))
        frame = numbers(attributes.get("frame"), 4, float)
        children = numbered(view)
        is_scroll_view = "UIScrollView" in lineage
        is_root_view = "controller" in attributes
        is_bar_item = around.in_navigation_bar and "UIControl" in lineage

        # The rules in order of precedence.
        locator = cell_locator(view, name, lineage, around, classes)
        if locator is None:
            in_page_controller = around.controller is not None and not around.is_container
            if is_bar_item:
                locator = ""
            elif is_root_view and in_page_controller:
                locator = page_locator(frame, around.frame) if around.in_scroll_view else ""
            elif (not is_root_view and not is_scroll_view and in_page_controller and around.in_scroll_view
                  and any("controller" in child.attrib for child, _, _ in children)):
                locator = page_locator(frame, around.frame)  # a page slot
            else:
                locator = f"({index})"

        path = f"{around.path}_{name}{locator}" if around.path else name + locator
        controller, is_container, alert = around.controller, around.is_container, around.alert
        controllers = frozenset()
        if is_root_view:
            controller = written_class(attributes["controller"])
            controllers = classes.lineage(controller, attributes.get("controllerSuperclasses"))
            is_container = not controllers.isdisjoint(CONTAINER_CONTROLLERS)
        if ALERT_CONTROLLER in controllers or not lineage.isdisjoint(ALERT_VIEWS):
            alert = alert_parts(view)

        identity = f"path({path})"
        if is_bar_item:
            actions = attributes.get("actions", "").split()
            identity += f"&actions({','.join(actions)})" if actions else ""
        elif controller is not None:
            identity += f"&controller({controller})"
        yield name, path, controller, identity + alert

        if children:
            below = Surroundings(
                path, frame, controller, is_container,
                in_scroll_view=not is_root_view and (around.in_scroll_view or is_scroll_view),
                in_navigation_bar=around.in_navigation_bar or "UINavigationBar" in lineage,
                cell_field="row" if "UITableView" in lineage else "item" if "UICollectionView" in lineage
                else around.cell_field,
                alert=alert)
            pending.extend((*child, below) for child in reversed(children))


def numbered(parent) -> list:
    """Every subview with its class and its index among the siblings of exactly the same class."""
    seen = Counter()
    views = []
    for view in parent.iterchildren("view"):
        name = written_class(view.attrib["class"])
        views.append((view, name, seen[name]))
        seen[name] += 1
    return views


def android_elements(root):
    """The same for uiautomator (`<node class="…">`) and Appium (`<android.widget.Button …>`)."""
    pending = [(root, "")]
    while pending:
        element, path = pending.pop()
        if element is not root:
            name = class_of_node(element)
            yield name, path, None, f"path({path})"
        seen = Counter()
        children = []
        for child in element.iterchildren():
            name = class_of_node(child)
            component = f"{name}({seen[name]})"
            seen[name] += 1
            children.append((child, f"{path}_{component}" if path else component))
        pending.extend(reversed(children))


def class_of_node(element) -> str:
    return element.get("class") or element.tag


def elements(data: bytes, classes: Classes):
    root = etree.fromstring(data, etree.XMLParser(**XML_OPTIONS))
    if root.tag == "viewTree":
        return view_tree_elements(root, classes)
    if root.tag == "hierarchy":
        return android_elements(root)
    raise ValueError(f"neither a view tree nor a uiautomator capture: <{root.tag}>")


def event_id(identity: str) -> str:
    return sha256(identity.encode()).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="+", type=Path, metavar="CAPTURE")
    parser.add_argument("--quiet", action="store_true",
                        help="compute everything, print only the number of elements and the time it took")
    options = parser.parse_args()
    # The literal of the project's table is indented.
    table = textwrap.dedent(TABLE.read_text("utf-8").split('"""')[1]) if TABLE.is_file() else FALLBACK_TABLE
    classes = Classes(table)

    count = size = 0
    cpu = wall = 0.0
    write = sys.stdout.write
    for capture in options.captures:
        try:
            data = capture.read_bytes()  # outside the time measured
        except OSError as error:
            print(f"{capture}: {error.strerror}", file=sys.stderr)
            return 66
        size += len(data)
        try:
            cpu_start, wall_start = time.process_time(), time.perf_counter()
            found = elements(data, classes)
            if options.quiet:
                for name, path, controller, identity in found:
                    event_id(identity)
                    count += 1
            else:
                for number, (name, path, controller, identity) in enumerate(found):
                    write(json.dumps({"element": number, "class": name, "path": path, "controller": controller,
                                      "identity": identity, "event_id": event_id(identity)},
                                     ensure_ascii=False) + "\n")
            cpu += time.process_time() - cpu_start
            wall += time.perf_counter() - wall_start
        except (etree.XMLSyntaxError, KeyError, ValueError) as error:
            print(f"{capture}: {error!r}" if isinstance(error, KeyError) else f"{capture}: {error}", file=sys.stderr)
            return 65
    if options.quiet:
        print(f"{count} elements of {len(options.captures)} captures, {size / 1e6:.1f} MB: "
              f"{cpu:.3f} s CPU, {wall:.3f} s elapsed, {size / 1e6 / cpu:.1f} MB/s, {count / cpu:.0f} elements/s of CPU time")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        os._exit(74)
