"""Tests of encircle_lldb.py on apps that stand in for paused ones. Scripts/probe runs them."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock as mock
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Probe"))
import encircle_lldb as probe  # noqa: E402


def superclasses_of_uikit():
    result, path = {}, []
    source = (ROOT / "Sources/EncircleTree/Classes/UIKitClasses.swift").read_text(encoding="utf-8")
    for line in source.split('"""')[1].splitlines():
        name = line.split("#")[0].strip()
        if not name:
            continue
        depth = len(line) - len(line.lstrip())
        while path and path[-1][0] >= depth:
            path.pop()
        result[name] = [above for _, above in reversed(path)]
        path.append((depth, name))
    return result


UIKIT = superclasses_of_uikit()


class StandInApp:
    """An app with the views of a capture. Its texts are only given to requests that allow them."""

    def __init__(self, root):
        self.root, self.nodes, self.asked = root, [], {}
        pending = [(window, -1) for window in reversed(list(root))]
        while pending:
            node, parent = pending.pop()
            self.nodes.append((node, parent))
            pending += [(child, len(self.nodes) - 1) for child in reversed(list(node))]

    @staticmethod
    def classes(node, own, superclasses, root):
        names = [node.get(own)] + (node.get(superclasses) or "").split()
        names += UIKIT.get(names[-1], [])
        return (names[:names.index(root)] if root in names else names) + [root, "UIResponder", "NSObject"]

    def facts(self):
        keys = ("app", "appVersion", "os", "osVersion")
        width, height = self.root.get("screen", "390 844").split()
        return {key: self.root.get(key) for key in keys} | {"screen": f"NSRect: {{{{0, 0}}, {{{width}, {height}}}}}"}

    def views(self):
        return [self.view(number, *node) for number, node in enumerate(self.nodes)]

    def view(self, number, node, parent):
        names = self.classes(node, "class", "superclasses", "UIView")
        view = {"number": number, "parent": parent, "address": 4096 + number, "classes": names}
        view["takesKeys"] = int(bool({"UITextField", "UITextView", "WKContentView"} & set(names)))
        if node.get("frame"):
            x, y, width, height = node.get("frame").split()
            view["frame"] = f"NSRect: {{{{{x}, {y}}}, {{{width}, {height}}}}}"
        if node.get("controller"):
            view["controller"] = self.classes(node, "controller", "controllerSuperclasses", "UIViewController")
        if node.get("indexPath"):
            view["indexPath"] = [int(part) for part in node.get("indexPath").split()]
        view["actions"] = (node.get("actions") or "").split()
        kinds = {kind: name for name, kind in probe.GESTURES}
        view["gestures"] = [[kinds[word], "NSObject"] for word in (node.get("gestures") or "").split()]
        for key in ("on", "enabled", "hidden", "selected", "secure"):
            if node.get(key):
                view[key] = {"true": "1", "false": "0"}[node.get(key)]
        for key in ("selectedIndex", "value", "alpha", "tag"):
            if node.get(key):
                view[key] = node.get(key)
        return view

    def texts(self, requests):
        return [self.text(address - 4096, bits) for address, bits in requests]

    def text(self, number, bits):
        self.asked[number] = bits
        node = self.nodes[number][0]
        names = self.classes(node, "class", "superclasses", "UIView")
        found = {}
        if bits & probe.IDENTIFIER:
            found["identifier"] = node.get("identifier")
        if bits & probe.LABEL:
            found["label"] = node.get("label")
        if bits & probe.PLACEHOLDER:
            found["placeholder"] = node.get("placeholder")
        if bits & probe.TEXTS:
            if "UILabel" in names:
                found["text"] = node.get("text")
            if "UIButton" in names:
                found["title"] = node.get("title")
            if "UIButton" in names or "UIImageView" in names:
                found["imageName"] = node.get("imageName")
            found["controllerTitle"] = node.get("controllerTitle")
            found["alertTitle"], found["alertMessage"] = node.get("title"), node.get("message")
        return {key: value for key, value in found.items() if value is not None}


def captures():
    """Returns the captures of iOS apps; the other probe has those of Android."""
    files = sorted((ROOT / "ViewTrees").glob("*.xml"))
    texts = [(file, file.read_text(encoding="utf-8")) for file in files if file.name != "big-list.xml"]
    return [file for file, text in texts if "<viewTree" in text and 'os="Android"' not in text]


def views(*rows):
    """Returns an app of views with the given parents and classes."""
    root = ElementTree.Element("viewTree")
    elements = []
    for parent, attributes in rows:
        above = root if parent < 0 else elements[parent]
        elements.append(ElementTree.SubElement(above, "view", attributes))
    return StandInApp(root)


class CaptureTests(unittest.TestCase):
    @unittest.skipUnless(os.environ.get("ENCIRCLE"), "ENCIRCLE does not name the tool")
    def test_captures_have_the_identities_of_those_whose_views_were_found(self):
        def resolve(files):
            command = [os.environ["ENCIRCLE"], "resolve", "--format", "ndjson", *map(str, files)]
            output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
            keys = (
                "element", "class", "path", "controller", "page", "identity", "event_id", "trackable", "type", "kind",
                "section", "row", "item", "screenTitle", "switchState", "selectedIndex")
            return [
                [pathlib.Path(element["capture"]).name] + [element.get(key) for key in keys]
                for element in map(json.loads, output.splitlines())]

        files = captures()
        with tempfile.TemporaryDirectory() as directory:
            copies = []
            for file in files:
                copies.append(pathlib.Path(directory) / file.name)
                xml = probe.capture(StandInApp(ElementTree.parse(file).getroot()))
                copies[-1].write_text(xml, encoding="utf-8")
            expected = resolve(files)
            self.assertGreater(len(expected), 1500)
            for one, other in zip(expected, resolve(copies)):
                self.assertEqual(one, other)

    def test_nothing_that_somebody_typed_is_written(self):
        for file in captures():
            xml = probe.capture(StandInApp(ElementTree.parse(file).getroot()))
            self.assertNotIn("do-not-leak", xml, file.name)

    def test_of_a_field_only_the_placeholder_is_asked_for_and_of_what_is_in_it_nothing(self):
        app = views(
            (-1, {"class": "UIWindow"}), (0, {"class": "FormCell", "superclasses": "UITableViewCell UIView", "label": "typed"}),
            (1, {"class": "UITextField", "text": "typed", "placeholder": "手机号"}), (2, {"class": "UILabel", "text": "typed"}),
            (1, {"class": "UILabel", "text": "电话", "label": "电话"}), (0, {"class": "NoteComposer"}),
            (5, {"class": "UILabel", "text": "typed"}), (0, {"class": "PasswordButton", "superclasses": "UIButton UIView"}))
        xml = probe.capture(app)
        self.assertNotIn("typed", xml)
        self.assertIn('placeholder="手机号"', xml)
        every = probe.TEXTS | probe.IDENTIFIER | probe.LABEL
        self.assertEqual(app.asked[2], probe.PLACEHOLDER | probe.IDENTIFIER)
        self.assertNotIn(3, app.asked)
        self.assertEqual(app.asked[1], probe.TEXTS | probe.IDENTIFIER)
        self.assertEqual([app.asked.get(number) for number in (4, 6, 7)], [every, None, every])

    def test_a_view_of_which_too_little_is_known_is_taken_for_a_field(self):
        found = [{"parent": -1, "classes": ["UIView"]}, {"parent": -1, "takesKeys": 0, "classes": []}]
        probe.set_privacy(found)
        self.assertEqual([view["privacy"] for view in found], [probe.INPUT, probe.INPUT])

    def test_an_alert_has_its_title_and_message_and_a_page_its_title(self):
        xml = probe.capture(views(
            (-1, {"class": "UIWindow"}), (0, {"class": "UIView", "controller": "HomePage", "controllerTitle": "首页"}),
            (0, {"class": "UIView", "controller": "UIAlertController", "title": "", "message": "确定?"})))
        self.assertIn('controller="HomePage" controllerSuperclasses="UIViewController" controllerTitle="首页"/>', xml)
        self.assertIn('title="" message="确定?"/>', xml)

    def test_headers_have_section_and_role_and_index_paths_that_are_none_are_left_out(self):
        found = list(dict(probe.attributes(view, {})) for view in (
            {"classes": ["UIView"], "section": 2, "role": "header"}, {"classes": ["UIView"], "indexPath": [2**63 - 1, 0]},
            {"classes": ["UIView"], "indexPath": [1, 7]}))
        self.assertEqual((found[0]["section"], found[0]["role"]), ("2", "header"))
        self.assertEqual([view["indexPath"] for view in found], [None, None, "1 7"])

    def test_windows_are_those_of_the_foreground_from_the_back_to_the_front(self):
        found = [
            {"number": 0, "parent": -1, "scene": "0", "windowLevel": "2000"}, {"number": 1, "parent": 0},
            {"number": 2, "parent": -1, "scene": "2", "windowLevel": "0"}, {"number": 3, "parent": 2},
            {"number": 4, "parent": -1, "scene": "0", "windowLevel": "0"}, {"number": 5, "parent": 4},
            {"number": 6, "parent": 5}]
        kept = probe.foreground(found)
        self.assertEqual([view["number"] for view in kept], [4, 5, 6, 0, 1])
        self.assertEqual([view["parent"] for view in kept], [-1, 0, 1, -1, 3])
        for view in found:
            view.pop("scene", None)
        self.assertEqual(len(probe.foreground(found)), 7)

    def test_views_nested_20000_deep_are_written_without_recursion(self):
        rows = [{"number": i, "parent": i - 1, "address": i, "classes": ["UIView"], "takesKeys": 0} for i in range(20_000)]

        class App(StandInApp):
            def views(self):
                return rows

            def texts(self, requests):
                return [{} for _ in requests]

        xml = probe.capture(App(ElementTree.Element("viewTree")))
        self.assertEqual(xml.count("<view "), 20_000)
        self.assertEqual(xml.count("</view>"), 19_999)


class TextTests(unittest.TestCase):
    def test_any_text_is_read_back_as_it_was_but_for_what_xml_cannot_hold(self):
        for text, read in [
            ("a<b>&\"'c]]>", None), ("line\nline\r\n\tend ", None), ("e\u0301 é \x7f\x85\u2028\U0010ffff", None), ("", None),
            ("a\x00\x1f\ufffe\ud83db", "a\ufffd\ufffd\ufffd\ufffdb"),
        ]:
            element = ElementTree.fromstring(f'<a b="{probe.escaped(text)}"/>')
            self.assertEqual(element.get("b"), text if read is None else read)

    def test_rectangles_and_points_are_read_from_what_the_debugger_prints(self):
        for text, count, expected in [
            ("NSRect: {{20, 100.5}, {374, 44}}", 4, "20 100.5 374 44"), ("{x = 0; y = -1; width = 2; height = 3}", 4, "0 -1 2 3"),
            ("NSPoint: {0, 1e-05}", 2, "0 1e-05"), ("NSRect: {{inf, 0}, {1, 1}}", 4, None), (None, 4, None), ("", 2, None),
        ]:
            self.assertEqual(probe.numbers(text, count), expected)

    def test_colors_are_written_as_css_does(self):
        for text, expected in [
            ("UIExtendedSRGBColorSpace 1 0.5 0 0.8", "rgba(255, 128, 0, 0.8)"), ("UIExtendedGrayColorSpace 1 1", "rgba(255, 255, 255, 1)"),
            ("<UIDynamicSystemColor: 0x6000; name = labelColor>", None), (None, None),
        ]:
            self.assertEqual(probe.rgba(text), expected)

    def test_long_texts_are_cut_between_characters(self):
        self.assertEqual(probe.shortened("文" * 10_000), "文" * 5461)


class InputNameTests(unittest.TestCase):
    def test_classes_are_fields_by_their_names_as_in_the_probe(self):
        # The rows of the test in Swift.
        source = (ROOT / "Probe/Tests/Tests/EncircleProbeTests/PrivateTextTests.swift").read_text(encoding="utf-8")
        rows = re.findall(r'\("([^"\\]*)", (true|false)\)', source)
        self.assertGreater(len(rows), 20)
        for name, is_input in rows:
            self.assertEqual(probe.InputNames.suggest_input(name), is_input == "true", name)
        self.assertTrue(probe.InputNames.suggest_input("A" * 5000))

    def test_the_lists_are_those_of_the_probe(self):
        source = (ROOT / "Probe/Sources/EncircleProbe/InputNames.swift").read_text(encoding="utf-8")
        for name in ("parts", "inputWords", "inputNouns", "genericWords", "harmlessLastWords", "harmlessClasses"):
            words = re.findall('"([^"]+)"', re.search(rf"let {name}(?:: Set)? = \[(.*?)\n?\s*\]", source, re.DOTALL)[1])
            constant = re.sub("([A-Z])", r"_\1", name).upper()
            self.assertEqual(set(words), set(getattr(probe.InputNames, constant)), name)

    def test_the_lists_of_the_probe_for_android_are_the_same_and_have_web_views(self):
        source = (ROOT / "Probe/Android/EncircleProbe.java").read_text(encoding="utf-8")
        for name, more in (
            ("PARTS", {"webview"}), ("INPUT_WORDS", set()), ("INPUT_NOUNS", set()), ("GENERIC_WORDS", set()),
            ("HARMLESS_LAST_WORDS", set()),
        ):
            words = re.findall('"([^"]+)"', re.search(rf"> {name} = Arrays.asList\((.*?)\);", source, re.DOTALL)[1])
            self.assertEqual(set(words), set(getattr(probe.InputNames, name)) | more, name)


class CommandTests(unittest.TestCase):
    def test_the_xml_is_written_to_the_named_file_also_below_the_home_folder(self):
        with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, HOME=home), \
                mock.patch.object(probe, "evaluator"), mock.patch.object(probe, "capture", return_value='<view class="文"/>'):
            for name in ("~/home.xml", f"'{home}/a b.xml'"):
                result = mock.Mock()
                probe.encircle(None, f"-o {name}", result, None)
                result.SetError.assert_not_called()
            self.assertEqual({file.name: file.read_text(encoding="utf-8") for file in pathlib.Path(home).iterdir()},
                             {"home.xml": '<view class="文"/>', "a b.xml": '<view class="文"/>'})

    def test_what_fails_is_the_error_of_the_command(self):
        for command in ("-o /no/such/folder/home.xml", "-o 'no end"):
            with mock.patch.object(probe, "evaluator"), mock.patch.object(probe, "capture", return_value=""):
                result = mock.Mock()
                probe.encircle(None, command, result, None)
                self.assertTrue(result.SetError.call_args[0][0].startswith("encircle: "))
                result.AppendMessage.assert_not_called()


class ExpressionTests(unittest.TestCase):
    def test_texts_are_read_in_chunks_and_those_that_fail_are_left_out(self):
        sizes = []

        def evaluate(expression):
            addresses = re.search(r"e_addresses\[\] = \{ (.*?) \}", expression)[1].split(", ")
            sizes.append(len(addresses))
            if "0x7UL" in addresses:
                raise RuntimeError("JSON cannot hold it")
            return json.dumps([{"text": address} for address in addresses])

        found = probe.ExpressionApp(evaluate).texts([(number, 15) for number in range(1000)])
        self.assertEqual(len(found), 1000)
        self.assertEqual(found[7], {})
        self.assertEqual(found[8], {"text": "0x8UL"})
        self.assertEqual(sizes.count(500), 2)
        self.assertLess(len(sizes), 25)

    @unittest.skipUnless(shutil.which("clang"), "there is no clang")
    def test_the_expressions_are_objective_c(self):
        declarations = """
            typedef signed char BOOL;
            @interface NSString @end
            @interface NSConstantString : NSString @end
            id NSStringFromClass(Class); Class NSClassFromString(NSString *); id NSProtocolFromString(NSString *);
            Class object_getClass(id); Class class_getSuperclass(Class);
        """
        for expression in (probe.facts_expression(), probe.views_expression(), probe.texts_expression([(1, 15), (2, 8)])):
            statements, _, last = expression.strip().rpartition("\n")
            source = f"{declarations}\nid f(void) {{\n{statements}\nreturn {last}\n}}\n"
            # Messages to classes that are not declared, as in the debugger, are warnings.
            command = ["clang", "-x", "objective-c", "-fsyntax-only", "-target", "arm64-apple-ios15", "-Wno-everything", "-"]
            result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_no_function_with_a_variable_number_of_arguments_is_called(self):
        # The debugger does not know that they are, and on arm64 these take their arguments elsewhere.
        for expression in (probe.facts_expression(), probe.views_expression(), probe.texts_expression([(1, 15)])):
            for name in ("WithFormat:", "WithObjects:", "arrayWithObjects", "NSLog", "printf"):
                self.assertNotIn(name, expression)


if __name__ == "__main__":
    unittest.main()
