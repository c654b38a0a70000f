"""Tests of the benchmark's own programs, small ones: `python3 -m unittest discover -s Benchmarks/tests`."""
import json
import sys
import unittest
from collections import Counter
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import growth
import make_growing
import make_real
import make_rules
import process
import reference
from harness import plot

SVG = "{http://www.w3.org/2000/svg}"


def matched(rules, events):
    """By the reference, the ids of the rules that match, for each event."""
    rules = [reference.Rule(rule) for rule in rules]
    events = [reference.Event(event) for event in events]
    return [[rule.id for rule in rules if rule.matches(event)] for event in events]


class PlotTests(unittest.TestCase):
    def test_each_size_is_a_point_and_axes_reach_around_all_of_them(self):
        drawn = ElementTree.fromstring(plot.svg("a < b", "rules", "ns", {"one": [(10, 500), (1_000_000, 7_000)], "two": [(10, 90)]}))
        points = [(float(point.get("cx")), float(point.get("cy"))) for point in drawn.iter(f"{SVG}circle")]
        self.assertEqual(len(points), 3)
        for x, y in points:
            self.assertTrue(plot.LEFT <= x <= plot.WIDTH - plot.RIGHT and plot.TOP <= y <= plot.HEIGHT - plot.BOTTOM, (x, y))
        texts = [text.text for text in drawn.iter(f"{SVG}text")]
        self.assertLessEqual({"a < b", "rules", "ns", "one", "two", "10", "1M", "100", "10k"}, set(texts))

    def test_an_axis_of_few_values_has_ticks_between_decades(self):
        self.assertEqual(plot.LogAxis([320, 16_000], 0, 100).ticks, [200, 500, 1_000, 2_000, 5_000, 10_000, 20_000])
        axis = plot.LogAxis([10, 1_000_000], 0, 100)
        self.assertEqual((axis(10), axis(1_000_000)), (0, 100))


class GrowthTests(unittest.TestCase):
    def setUp(self):
        points = [growth.Point(line, size, None, None, 1) for size in (10, 20) for line in ("known", "new")]
        self.growth = growth.Growth("path", "", "components", points, {"reading": "read_ns"}, {"memo, %": ("memo", 100)})
        self.rows = {point: [{"e2e_ns": [point.size + turn], "read_ns": [turn + 1], "memo": 0.5} for turn in (0, 9, 1)]
                     for point in points}

    def test_figures_are_medians_of_the_runs(self):
        self.assertEqual(growth.lines(self.growth, self.rows),
                         {"known": [(10, 11), (20, 21)], "new": [(10, 11), (20, 21)], "reading": [(10, 2), (20, 2)]})

    def test_the_table_has_a_row_for_each_size(self):
        self.assertEqual(growth.markdown(self.growth, self.rows).splitlines(), [
            "| components | known, ns | new, ns | reading, ns | memo, % |", "|---:|---:|---:|---:|---:|",
            "| 10 | 11 | 11 | 2 | 50 |", "| 20 | 21 | 21 | 2 | 50 |"])

    def test_sizes_double_up_to_the_last(self):
        self.assertEqual(growth.doubling(10, 100), [10, 20, 40, 80, 100])
        self.assertEqual(growth.doubling(10, 80), [10, 20, 40, 80])


class GrowingTests(unittest.TestCase):
    def test_events_have_the_size_and_in_all_sizes_the_same_elements(self):
        small, large = (list(make_growing.sized(size, 40, 1)) for size in (320, 16_000))
        self.assertTrue(all(len(event) <= 320 for event in small))
        self.assertTrue(all(15_900 < len(event) <= 16_000 for event in large))
        paths = [[json.loads(event)["properties"]["$element_path"] for event in events] for events in (small, large)]
        self.assertEqual(*paths)

    def test_paths_have_the_length_and_rules_match_them(self):
        for components in (4, 200):
            rules = list(map(json.loads, make_growing.path_rules(components, 200, 1)))
            events = list(map(json.loads, make_growing.path_events(components, 50, 1)))
            paths = [event["properties"]["$element_path"] for event in events]
            self.assertEqual({path.count("/") + 1 for path in paths}, {components})
            self.assertTrue(any(matched(rules, events)))

    def test_new_paths_are_all_different(self):
        paths = [json.loads(event)["properties"]["$element_path"] for event in make_growing.path_events(5, 300, 1, each_new=True)]
        self.assertEqual(len(set(paths)), 300)

    def test_a_stream_has_so_many_elements(self):
        elements = [json.loads(event)["properties"] for event in make_growing.elements_events(64, 200, 1)]
        self.assertEqual(len({(each["$screen_name"], each["$element_path"]) for each in elements}), 64)


class RealTests(unittest.TestCase):
    elements = [
        {"path": f"UIWindow(0)/UITableView(0)/ItemCell(section:0 row:{number})/UIButton({number % 3})", "page": "CartController",
         "text": f"Buy {number}", "suggestions": [
             {"selector": f"ItemCell(section:0 row:*)/**/UIButton({number % 3})", "page": "CartController"},
             {"selector": "/UIWindow(0)/**/UIButton", "content": f"Buy {number}"}]} for number in range(12)]

    def test_suggestions_become_rules_once_each_and_match_their_elements(self):
        rules = list(make_real.suggested(self.elements, 100, 1))
        self.assertEqual(len(rules), 3 + 12)
        events = [{"event": "$AppClick", "properties": {
            "$screen_name": each["page"], "$element_path": each["path"], "$element_content": each["text"]}} for each in self.elements]
        self.assertEqual([len(ids) for ids in matched(rules, events)], [2] * 12)

    def test_the_row_of_a_cell_is_free(self):
        place = make_real.RealPlace(self.elements[4], [])
        self.assertEqual(place.path(1, "*"), "UIWindow(0)/UITableView(0)/ItemCell(section:1 row:*)/UIButton(1)")

    def test_by_zipf_a_few_elements_are_popular(self):
        def most(popularity):
            buttons = Counter(event["properties"]["$element_type"] + event["properties"]["$screen_name"] for event in
                              make_real.events(popularity, pages, 1_000, 1))
            return buttons.most_common(1)[0][1]

        pages = [each | {"page": f"Page{number}"} for number, each in enumerate(self.elements)]
        self.assertGreater(most("zipf"), 250)
        self.assertLess(most("uniform"), 125)

    def test_rules_of_mixed_kinds_match_something(self):
        rules = list(make_real.real(self.elements, 60, 1))
        self.assertTrue(any(matched(rules, make_real.events("uniform", self.elements, 50, 1))))


class WideTests(unittest.TestCase):
    def test_events_have_60_properties_in_3_kilobytes_and_rules_match_them(self):
        events = list(make_rules.events("wide", 200, 1))
        self.assertTrue(all(2_900 < len(event) < 3_500 for event in events))
        self.assertLessEqual({len(json.loads(event)["properties"]) for event in events}, {60, 61})
        rules = list(islice(make_rules.rules("wide", 1_000, 1), 1_000))
        self.assertTrue(any(matched(rules, map(json.loads, events))))


class ReferenceTests(unittest.TestCase):
    def test_steps_match_components(self):
        for pattern, path, expected in (
                ("A", "A(3)", True), ("A", "A(section:0 item:3)", True), ("A", "B(3)", False), ("A(*)", "A(section:0 row:1)", False),
                ("A(section:* item:2)", "A(section:0 item:2)", True), ("A(section:* item:2)", "A(section:0 row:2)", False),
                ("**/A", "B(0)/A(0)", True), ("A(indexx:1 indexy:*)", "A(indexx:1 indexy:0)", True)):
            with self.subTest(pattern, path=path):
                rule = reference.Rule({"id": 1, "path": pattern})
                event = reference.Event({"event": "e", "properties": {"$element_path": path}})
                self.assertEqual(rule.matches(event), expected)


class RuleFileTests(unittest.TestCase):
    def test_a_line_becomes_a_rule_of_a_rule_file(self):
        line = {"id": 7, "kind": "x", "action": "exclude", "event": "$AppClick", "screen": "Page", "path": "**/Host<A, B>(0)/C(*)",
                "content": {"op": "contains", "value": "a"}, "props": [{"key": "plan", "op": "in", "value": ["pro", 1]},
                {"key": "age", "op": "ge", "value": 18}], "version": {"min": "5.1.0", "max": "5.6.2"}}
        self.assertEqual(process.rule_of(line), {"id": "0000007", "exclude": {
            "event": "$AppClick", "page": "Page", "selector": "'Host<A, B>'(0)/C(*)", "where": {
                "$element_content": {"contains": "a"}, "plan": ["pro", 1], "age": {">=": 18},
                "$app_version": {"version": ">=5.1.0 <=5.6.2"}}}})


if __name__ == "__main__":
    unittest.main()
