"""Tests of the package: `python -m unittest`, with the package's library or the one that ENCIRCLE_LIBRARY names."""
import collections
import datetime
import gzip
import io
import json
import pathlib
import pickle
import tempfile
import threading
import types
import unittest

import encircle

# 2026-03-01, in seconds
MARCH = 1_772_323_200

RULES = {
    "version": 1,
    "rules": [
        {"id": "click", "emit": "Click", "include": {"event": "$AppClick"}},
        {"id": "yes", "include": {"where": {"p": "yes"}}},
        {"id": "not", "exclude": {"where": {"p": "no"}}},
        {"id": "march", "from": MARCH * 1000, "to": MARCH * 1000 + 999, "include": {"event": "$AppClick"}},
    ],
}


def rules(version="v7"):
    return encircle.RuleSet(json.dumps(RULES), version)


class EventTests(unittest.TestCase):
    def test_events_are_mappings_texts_or_bytes(self):
        event = {"event": "$AppClick", "properties": {"p": "yes"}}
        text = json.dumps(event)
        mapping = types.MappingProxyType({"event": "$AppClick", "properties": collections.UserDict({"p": "yes"})})
        for form in [event, mapping, text, text.encode(), bytearray(text.encode())]:
            self.assertEqual(
                rules().decide(form),
                {"selected": True, "rules": ["click", "yes"], "excluded_by": [], "emit": ["Click", "yes"]},
            )

    def test_what_is_no_event_is_an_error_with_its_place(self):
        for text in ["", "[]", "{", "nothing", "\ud800"]:
            with self.assertRaises(encircle.EventError):
                rules().decide(text)
        with self.assertRaisesRegex(encircle.EventError, "^1:1: expected an object"):
            rules().decide("[]")

    def test_what_is_explained_is_what_is_decided(self):
        for text in ["", "[]", '{"结": }', '\ufeff{"event": }', '{"a":"' + "y" * (16 << 20) + '"}']:
            with self.assertRaises(encircle.EventError) as decided:
                rules().decide(text)
            with self.assertRaises(encircle.EventError) as explained:
                rules().explain(text)
            self.assertEqual(str(explained.exception), str(decided.exception))
        self.assertTrue(rules().explain('\ufeff{"event": "$AppClick"}')["selected"])

    def test_a_mapping_that_json_does_not_have_is_no_event(self):
        endless, deep = {}, {}
        endless["properties"] = endless
        for _ in range(100_000):
            deep = {"properties": deep}
        others = [{"time": datetime.datetime.now()}, {"properties": {"p": {"yes"}}}, {("event",): "$AppClick"}]
        for event in [{"time": float("nan")}, {"properties": {"p": float("-inf")}}, endless, deep, *others]:
            for function in [rules().decide, rules().explain]:
                with self.assertRaises(encircle.EventError):
                    function(event)
        self.assertTrue(issubclass(encircle.EventError, ValueError))

    def test_each_line_has_one_decision(self):
        decisions = rules().decide_lines('{"event":"$AppClick"}\nnothing\n\n{}')
        self.assertEqual([d.get("selected") for d in decisions], [True, None, None, False])
        self.assertEqual(["error" in d for d in decisions], [False, True, True, False])
        self.assertEqual(rules().decide_lines('{}\n{"结": }')[1], {"line": 2, "error": "expected a value", "column": 7})
        self.assertEqual(rules().decide_lines(""), [])
        broken, good = rules().decide_lines('{"event":"\ud800"}\n{"event":"$AppClick"}')
        self.assertIn("error", broken)
        self.assertNotIn("error", good)

    def test_what_is_neither_text_nor_bytes_is_a_type_error(self):
        for other in [5, None, ["{}"], [123, 125], {"event": "$AppClick"}]:
            for function in [encircle.RuleSet, rules().decide_lines]:
                with self.assertRaises(TypeError):
                    function(other)

    def test_decisions_are_explained(self):
        explanation = rules().explain({"event": "Other"})
        self.assertEqual([rule["rule"] for rule in explanation["explanations"]], ["click", "march", "not", "yes"])

    def test_decisions_have_the_properties_that_rules_give(self):
        rules = encircle.RuleSet("version: 1\nrules: [{ id: a, include: { event: x }, properties: { k: { property: p } } }]")
        event = {"event": "x", "properties": {"p": "q"}}
        for decision in [rules.decide(event), *rules.decide_lines(json.dumps(event)), rules.explain(event)]:
            self.assertEqual(decision["properties"], {"a": {"k": "q"}})
        self.assertNotIn("properties", rules.decide({"event": "x"}))

    def test_rules_with_mistakes_are_refused_with_all_of_them(self):
        with self.assertRaises(encircle.RulesError) as caught:
            encircle.RuleSet('{"version": 1, "rules": [{"id": "a", "includ": {}}, {"id": 7, "include": {"event": ""}}]}')
        self.assertIn("rules.json:1:", str(caught.exception))
        for data in [b"", b"\xff", b"rules: []", b"{}"]:
            with self.assertRaises(encircle.RulesError):
                encircle.RuleSet(data)

    def test_text_with_half_a_character_is_neither_rules_nor_a_version(self):
        with self.assertRaisesRegex(encircle.RulesError, "UTF-8"):
            encircle.RuleSet("version: 1\nrules: []  # \ud800")
        for version in ["\ud800", "a\0b"]:
            with self.assertRaisesRegex(encircle.RulesError, "version"):
                rules(version)

    def test_a_file_whose_name_is_not_utf_8_needs_a_version(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "v\udcff.json")
            file.write_text(json.dumps(RULES))
            with self.assertRaisesRegex(encircle.RulesError, "version"):
                encircle.RuleSet.load(file)
            self.assertEqual(encircle.RuleSet.load(file, "v7").version, "v7")

    def test_rules_in_yaml_are_read_and_their_mistakes_have_places(self):
        rules = encircle.RuleSet("version: 1\nrules:\n  - { id: a, include: { event: $AppClick } }  # 点击\n")
        self.assertEqual(rules.decide({"event": "$AppClick"})["rules"], ["a"])
        self.assertEqual(len(encircle.RuleSet("{ version: 1, rules: [{ id: a, include: { event: $AppClick } }] }")), 1)
        with self.assertRaisesRegex(encircle.RulesError, "rules.yaml:2:"):
            encircle.RuleSet("version: 1\nrules: [{ id: a, includ: {} }]")

    def test_mistakes_of_a_file_have_its_name(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "checkout.yaml")
            file.write_text("version: 1\nrules:\n  - { id: a, include: { event: x } }\n  - { id: a, include: { event: y } }\n")
            with self.assertRaises(encircle.RulesError) as caught:
                encircle.RuleSet.load(file)
            self.assertTrue(str(caught.exception).startswith(f"{file}:4:"))
            self.assertNotIn("rules.yaml", str(caught.exception))

    def test_explanations_of_a_file_have_its_name_also_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "checkout.yaml")
            file.write_text("version: 1\nrules:\n  - { id: a, include: { event: x } }\n")
            loaded = encircle.RuleSet.load(file)
        for copy in [loaded, pickle.loads(pickle.dumps(loaded))]:
            self.assertEqual(copy.explain({"event": "x"})["explanations"][0]["origin"], f"{file}:3:11")

    def test_rules_may_be_compressed(self):
        text = json.dumps(RULES).encode()
        self.assertEqual(encircle.RuleSet(gzip.compress(text)).decide({"event": "$AppClick"})["rules"], ["click"])
        with self.assertRaisesRegex(encircle.RulesError, "broken gzip data"):
            encircle.RuleSet(gzip.compress(text)[:-9])

    def test_rules_travel(self):
        copy = pickle.loads(pickle.dumps(rules("v9")))
        self.assertEqual((copy.version, len(copy)), ("v9", 4))
        self.assertTrue(copy.decide({"event": "$AppClick"})["selected"])


class BatchTests(unittest.TestCase):
    def setUp(self):
        try:
            import pyarrow
        except ImportError:
            self.skipTest("pyarrow is not installed")
        self.arrow = pyarrow

    def batch(self, **columns):
        return self.arrow.RecordBatch.from_pydict(columns)

    def test_a_batch_has_a_row_for_each_row(self):
        maps = self.arrow.array([[("p", "yes")], [("p", "no"), ("q", "1")], None], self.arrow.map_(self.arrow.string(), self.arrow.string()))
        answer = rules().decide_batch(self.batch(event=["$AppClick", "$AppClick", None], properties=maps))
        self.assertEqual(answer.schema, encircle._columns.decisions_schema())
        answer.validate(full=True)
        self.assertEqual(answer["rules"].to_pylist(), [["click", "yes"], ["click"], []])
        self.assertEqual(answer["emit"].to_pylist(), [["Click", "yes"], [], []])
        self.assertEqual(answer["excluded_by"].to_pylist(), [[], ["not"], []])
        self.assertEqual(answer["selected"].to_pylist(), [True, False, False])
        self.assertEqual(answer["rules_version"].to_pylist(), ["v7"] * 3)
        self.assertEqual(answer["error"].to_pylist(), [""] * 3)

    def test_times_of_all_units_are_milliseconds(self):
        arrow = self.arrow
        for type, factor in [("s", 1), ("ms", 1000), ("us", 10**6), ("ns", 10**9)]:
            times = arrow.array([(MARCH - 1) * factor, MARCH * factor, (MARCH + 1) * factor - (factor > 1), (MARCH + 1) * factor], arrow.timestamp(type))
            answer = rules().decide_batch(self.batch(event=["$AppClick"] * 4, time=times))
            expected = [False, True, type != "s", False]
            self.assertEqual(["march" in r for r in answer["rules"].to_pylist()], expected, type)
        for type in [arrow.int64(), arrow.uint64(), arrow.string()]:
            times = arrow.array([MARCH * 1000 - 1, MARCH * 1000]).cast(type)
            answer = rules().decide_batch(self.batch(event=["$AppClick"] * 2, time=times))
            self.assertEqual(["march" in r for r in answer["rules"].to_pylist()], [False, True], type)

    def test_a_time_beyond_64_bits_is_one_of_its_row(self):
        arrow = self.arrow
        for times in [
            arrow.array([2**64 - 1, MARCH * 1000, 0], arrow.uint64()),
            arrow.array([2**62, MARCH, -(2**62)], arrow.timestamp("s")),
        ]:
            answer = rules().decide_batch(self.batch(event=["$AppClick"] * 3, time=times))
            self.assertEqual(["march" in r for r in answer["rules"].to_pylist()], [False, True, False], times.type)

    def test_a_column_of_times_in_which_some_are_missing_may_be_one_of_fractions(self):
        times = [MARCH * 1000 - 0.5, MARCH * 1000.0, MARCH * 1000 + 0.5, None, float("nan"), 1e300, float("-inf")]
        batch = self.batch(event=["$AppClick"] * len(times), time=self.arrow.array(times, self.arrow.float64()))
        answer = rules().decide_batch(batch)
        self.assertEqual(["march" in r for r in answer["rules"].to_pylist()], [False, True, True] + [False] * 4)
        self.assertEqual(answer["error"].to_pylist(), [""] * len(times))

    def test_infinity_and_nan_are_missing_times(self):
        text = json.dumps(
            {
                "version": 1,
                "rules": [
                    {"id": "later", "from": MARCH * 1000, "include": {"event": "$AppClick"}},
                    {"id": "earlier", "to": MARCH * 1000, "include": {"event": "$AppClick"}},
                ],
            }
        )
        times = [float("inf"), float("-inf"), float("nan"), None, 1e300, -1e300]
        answer = encircle.RuleSet(text).decide_batch(self.batch(event=["$AppClick"] * len(times), time=times))
        self.assertEqual(answer["rules"].to_pylist(), [[], [], [], [], ["later"], ["earlier"]])

    def test_the_same_tuple_with_another_time_is_another_tuple(self):
        answer = rules().decide_batch(self.batch(event=["$AppClick"] * 6, time=[MARCH * 1000 + n for n in [0, -1, 0, -1, 999, 1000]]))
        self.assertEqual(["march" in r for r in answer["rules"].to_pylist()], [True, False, True, False, True, False])

    def test_columns_are_chosen_by_name(self):
        batch = self.batch(name=["$AppClick"], event=["Other"])
        self.assertEqual(rules().decide_batch(batch)["selected"].to_pylist(), [False])
        self.assertEqual(rules().decide_batch(batch, {"event": "name"})["selected"].to_pylist(), [True])
        with self.assertRaisesRegex(encircle.ColumnsError, "'nam'"):
            rules().decide_batch(batch, {"event": "nam"})

    def test_names_that_no_column_of_events_has_are_errors(self):
        batch = self.batch(name=["$AppClick"], screen=["Home"])
        with self.assertRaisesRegex(encircle.ColumnsError, "has the name 'pgae'"):
            rules().decide_batch(batch, {"event": "name", "pgae": "screen"})
        # The package and the library have the same names.
        with self.assertRaises(encircle.ColumnsError) as caught:
            rules().decide_batch(batch)
        self.assertEqual(str(caught.exception).split("these are: ")[1], ", ".join(encircle._columns.NAMES))

    def test_columns_that_are_no_mapping_are_errors(self):
        batch = self.batch(event=["$AppClick"])
        for columns in [["event"], [], "event", 5]:
            with self.assertRaisesRegex(encircle.ColumnsError, "is no mapping"):
                rules().decide_batch(batch, columns)
        with self.assertRaisesRegex(encircle.ColumnsError, "is called 1"):
            rules().decide_batch(batch, {"event": 1})

    def test_columns_of_which_no_event_can_be_made_are_refused_before_a_query(self):
        import encircle.duckdb

        for columns, problem in [
            ([], "no column has the name"),
            (["event", "json"], "no other column can be combined with it"),
            (["properties", "properties_json"], "cannot be combined"),
            (["event", "event"], "occurs twice"),
            (["pgae"], "has the name 'pgae'"),
        ]:
            with self.assertRaisesRegex(encircle.ColumnsError, problem):
                encircle.duckdb.register(None, rules(), columns=columns)

    def test_rules_that_are_registered_again_replace_the_earlier_ones(self):
        try:
            import duckdb
        except ImportError:
            self.skipTest("duckdb is not installed")
        import encircle.duckdb

        connection = duckdb.connect()
        for version in ["v7", "v8"]:
            encircle.duckdb.register(connection, rules(version), columns=["event"])
            answer = connection.execute("SELECT encircle_decide('$AppClick').rules_version").fetchall()
            self.assertEqual(answer, [(version,)])

    def test_columns_of_which_no_event_can_be_made_are_refused_before_spark_runs(self):
        import encircle.spark

        for names, columns, problem in [
            (["name"], None, "no column has the name"),
            (["event", "json"], None, "no other column can be combined with it"),
            (["event", "event"], None, "occurs twice"),
            (["event"], {"event": "evnt"}, "is called 'evnt'"),
            (["event"], {"evnt": "event"}, "has the name 'evnt'"),
            (["event"], ["event"], "is no mapping"),
        ]:
            with self.assertRaisesRegex(encircle.ColumnsError, problem):
                encircle.spark.decide(types.SimpleNamespace(columns=names), rules(), columns)

    def test_data_without_columns_is_an_error(self):
        for data in [None, 5, "x", [1], object(), {"event": [object()]}, self.arrow.array(["x"]), self.arrow.chunked_array([["x"]])]:
            with self.assertRaisesRegex(encircle.ColumnsError, f"^data of type {type(data).__name__} has no columns"):
                rules().decide_batch(data)

    def test_other_columns_are_errors(self):
        for columns, problem in [
            ({"x": ["a"]}, "no column has the name"),
            ({"event": [1]}, "a text is expected"),
            ({"event": ["a"], "json": ["{}"]}, "no other column can be combined with it"),
            ({"properties": ["{}"]}, "expected a map of texts"),
        ]:
            with self.assertRaisesRegex(encircle.ColumnsError, problem):
                rules().decide_batch(self.batch(**columns))

    def test_a_row_that_is_no_event_has_its_reason(self):
        answer = rules().decide_batch(self.batch(json=["{}", "nothing", None, '{"event":"$AppClick"}']))
        self.assertEqual([bool(error) for error in answer["error"].to_pylist()], [False, True, True, False])
        self.assertEqual(answer["selected"].to_pylist(), [False, False, False, True])

    def test_columns_of_bytes_are_columns_of_texts(self):
        event = self.arrow.array([b"$AppClick", b"\xff", None], self.arrow.binary())
        answer = rules().decide_batch(self.arrow.RecordBatch.from_arrays([event], ["event"]))
        self.assertEqual(answer["selected"].to_pylist(), [True, False, False])
        self.assertEqual(answer["error"].to_pylist(), ["", "event: not valid UTF-8", ""])

    def test_a_column_of_nulls_has_no_values(self):
        for name in ["page", "time", "properties", "properties_json"]:
            answer = rules().decide_batch(self.batch(event=["$AppClick", "Other"], **{name: self.arrow.nulls(2)}))
            self.assertEqual(answer["rules"].to_pylist(), [["click"], []], name)

    def test_streams_of_batches_are_tables(self):
        table = self.arrow.table({"event": ["$AppClick", "Other"] * 3})
        chunked = self.arrow.concat_tables([table, table.slice(1)])
        answer = rules().decide_batch(chunked)
        self.assertEqual(answer["selected"].to_pylist(), [e == "$AppClick" for e in chunked["event"].to_pylist()])
        self.assertEqual(rules().decide_batch(table.slice(0, 0)).num_rows, 0)
        for columns, chosen, problem in [
            (table.slice(0, 0), {"event": "nam"}, "'nam'"),
            ({"x": []}, None, "no column has the name"),
            ({"event": self.arrow.array([], self.arrow.int64())}, None, "a text is expected"),
        ]:
            with self.assertRaisesRegex(encircle.ColumnsError, problem):
                rules().decide_batch(self.arrow.table(columns), chosen)
        for name in ["pandas", "polars"]:
            try:
                frame = __import__(name).DataFrame({"event": ["$AppClick", "Other", None]})
            except ImportError:
                continue
            self.assertEqual(rules().decide_batch(frame)["selected"].to_pylist(), [True, False, False], name)

    def test_batches_of_a_reader_are_read_by_their_own_schema(self):
        arrow = self.arrow
        schema = arrow.schema([("event", arrow.string())])
        batches = [self.batch(event=arrow.array(["$AppClick", "Other"], type)) for type in [arrow.string(), arrow.large_string()]]
        answer = rules().decide_batch(arrow.RecordBatchReader.from_batches(schema, batches))
        self.assertEqual(answer["selected"].to_pylist(), [True, False] * 2)

    def test_other_columns_of_a_data_frame_may_have_values_of_any_type(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = pandas.DataFrame({"name": ["Other", "Other"], "event": ["$AppClick", "Other"], "other": [1, "x"]})
        self.assertEqual(rules().decide_batch(frame)["selected"].to_pylist(), [True, False])
        self.assertEqual(rules().decide_batch(frame, {"event": "name"})["selected"].to_pylist(), [False, False])
        empty = pandas.read_csv(io.StringIO("event,page,properties\n$AppClick,,\nOther,,\n"))
        self.assertEqual(rules().decide_batch(empty)["selected"].to_pylist(), [True, False])
        self.assertEqual(rules().decide_batch(empty[["page"]], {"page": "page"})["selected"].to_pylist(), [False, False])
        numbers = pandas.DataFrame({"event": ["Other"], "page": [0.5]})
        with self.assertRaisesRegex(encircle.ColumnsError, "^column page: a text is expected"):
            rules().decide_batch(numbers)
        with self.assertRaisesRegex(encircle.ColumnsError, "'nam'"):
            rules().decide_batch(frame, {"page": "event", "event": "nam"})
        with self.assertRaisesRegex(encircle.ColumnsError, "no column has the name"):
            rules().decide_batch(frame[["name"]])

    def test_threads_share_rules(self):
        shared, found = rules(), []
        batch = self.batch(event=["$AppClick", "Other"] * 500, content=[str(n) for n in range(1000)])

        def work():
            for _ in range(5):
                found.append(sum(shared.decide_batch(batch)["selected"].to_pylist()))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [500] * 40)
        self.assertLessEqual(len(shared._idle), 8)


if __name__ == "__main__":
    unittest.main()
