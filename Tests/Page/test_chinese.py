"""The service's texts exist in Chinese: suggestions with their reasons, findings, explanations, errors, paths."""

import re
import unittest

from support import ROOT, PageTest


# What stands in a text of a source for a value, with a few levels of parentheses.
INNER = "[^()]"
for _ in range(4):
    INNER = rf"(?:[^()]|\({INNER}*\))"
VALUE = rf"\\\({INNER}*\)"


def literals(path, begin, end="\0"):
    """The texts in a source from `begin` to `end`, with "x" for each value."""
    source = (ROOT / "Sources" / path).read_text("utf-8")
    source = re.sub(r"^ *//.*$", "", source[source.index(begin):].split(end)[0], flags=re.MULTILINE)
    return texts_in(source)


def texts_in(source):
    found = re.findall(rf'"((?:[^"\\\n]|{VALUE}|\\.)*)"', source)
    return [re.sub(VALUE, "x", text) for text in found]


def with_tail(texts, *tails):
    """The texts with each of the tails in place of a value right after a word."""
    return [re.sub("(?<=[a-z])x$", tail, text) for text in texts for tail in tails]


class Chinese(PageTest):
    def setUp(self):
        super().setUp()
        self.page.context.close()
        self.page = self.open_page(locale="zh-CN")

    def assert_chinese(self, text):
        self.assertRegex(text, "[一-鿿]")
        self.assertNotRegex(text, r"\b(the|which|selects|matches|is a|does not)\b", "no English sentence is left")

    def test_suggestions_explanations_and_paths(self):
        page = self.page
        capture = self.show_screen("home-feed")
        button = self.element(capture, **{"class": "UIButton", "content": "加入"})
        page.mouse.click(*self.place_of(button["element"]))
        page.wait_for_selector(".circled-card")
        self.wait_for_counts()
        page.locator("summary:has-text('高级')").click()
        page.locator(".advanced summary:has-text('个建议')").click()
        for summary in page.locator(".advanced details details summary").all():
            summary.click()
        for text in page.locator(".advanced li, .advanced .suggestion .muted").all_inner_texts():
            self.assert_chinese(text)
        page.locator("summary:has-text('试一试')").click()
        page.get_by_role("button", name="试此元素的点击").click()
        page.wait_for_selector(".explain li")
        for text in page.locator(".explain > p, .explain li li").all_inner_texts():
            self.assert_chinese(text)
        page.get_by_role("tab", name="元素").click()
        page.wait_for_selector(".path-list .meaning")
        for text in page.locator(".path-list .meaning").all_inner_texts():
            self.assert_chinese(text)

    def test_the_choices_of_nested_lists_and_single_elements(self):
        page = self.page
        capture = self.service.capture("ios-shop")
        # An item of a collection in a cell of a table.
        self.show(f"/screen/{capture['id']}?element=36")
        self.wait_for_counts()
        rows = page.locator(".chips .chip-row")
        self.assertEqual(rows.locator("> .label").all_inner_texts(), ["项", "分区", "ExtrasCell 的行", "ExtrasCell 的分区", "页面", "文字"])
        choices = [text.split("\n")[0] for text in rows.nth(0).locator("label").all_inner_texts() + rows.nth(2).locator("label").all_inner_texts()]
        self.assertEqual(choices, ["仅此项", "任意项", "仅此行", "任意行"])
        capture = self.service.capture("web-view")
        self.show(f"/screen/{capture['id']}?element=60")
        self.wait_for_counts()
        self.assertNotRegex(rows.filter(has_text="元素").inner_text(), "[A-Za-z]")

    def test_findings_and_errors(self):
        page = self.page
        self.show("/rules/draft")
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/x", {"include": {"event": "$AppClick", "page": "NoSuchPage"}})
        self.show("/rules/draft")
        page.wait_for_selector(".finding")
        for text in page.locator(".finding > div > div:nth-child(2)").all_inner_texts():
            self.assert_chinese(text)
        page.get_by_text("没有见过页面 NoSuchPage", exact=True).wait_for()
        self.assertEqual(page.locator(".finding [lang=en]").count(), 0, "with its values a finding needs no English beside it")
        self.show("/screen/0000000000000000")
        self.errors.clear()
        self.assert_chinese(page.locator("main .state").inner_text().split("There")[0])

    def test_what_to_write_instead(self):
        instead = ["a test of its items, as in { any: … }", "'version' with the range", "a test of a text, such as 'equals' or 'in'"]
        for file in sorted((ROOT / "Sources/EncircleAuthoring/Check/Checks").glob("*.swift")):
            for part in re.split(r"suggestion:(?! String)", file.read_text("utf-8"))[1:]:
                instead += texts_in(re.split(r"\)\n|,\s+(?:replacement|edit|isGuess|notes|narrowed):", part)[0])
        # Others are what rule files have.
        words = [text for text in instead if re.search(r"[a-z]{2,} [a-z]{2,}", re.sub("'[^']*'", "it", text))]
        self.assertGreater(len(words), 14)
        self.assert_forms("messages.help", [f"instead: {text}" for text in words])

    def test_what_is_wrong_with_selectors_and_names(self):
        checks = "EncircleAuthoring/Check/"
        # Parts of sentences are put together as the sources do.
        whole = [("^has ", "x has "), ("^(x is the (only|last) .*|there are only .*)$", r"\1 of x")]
        wrong = []
        for text in literals(checks + "Loosening/SelectorLoosener+Changes.swift", "") + literals(checks + "Loosening/SelectorLoosener+Signs.swift", ""):
            for part, sentence in whole:
                text = re.sub(part, sentence, text)
            if len(text.split()) > 3:
                wrong.append(text)
        self.assertGreater(len(wrong), 15)
        self.assert_forms("(text) => messages.finding({ code: 'matches-nothing', message: `the selector matches no element of the captures: ${text}` })", wrong)
        refused = [text for text in literals(checks + "Checks/NameRefusal.swift", "") if " " in text]
        self.assert_forms("(text) => messages.finding({ code: 'refused-name', message: `Segment refuses 'x': ${text}` })", refused)

    def test_the_list_shows_the_conditions_of_rules(self):
        page = self.page
        self.show("/rules")
        page.wait_for_selector(".rule-line code")
        summaries = page.locator(".rule-line code").evaluate_all("nodes => nodes.map((node) => node.title)")
        for text in summaries:
            self.assert_chinese(text)
            self.assertNotRegex(text, r"\b(on|at|where|or|unless|and) ")
        # In English the page and the service say the same.
        page = self.show("/rules", self.open_page())
        page.wait_for_selector(".rule-line code")
        english = page.locator(".rule-line code").evaluate_all("nodes => nodes.map((node) => node.title)")
        rules = self.service.request("GET", "/v1/rulesets/default/rules?limit=500")["rules"]
        self.assertEqual(english, [rule["summary"] for rule in rules][:len(english)])
        page.context.close()

    def assert_forms(self, message, texts):
        """Every text of the sources has a Chinese form; `message` is a function of the texts."""
        self.assertGreater(len(texts), 3)
        self.show("/rules")
        say = f"async texts => {{ const messages = await import('/core/messages.js'); return texts.map({message}); }}"
        for english, chinese in zip(texts, self.page.evaluate(say, texts)):
            self.assertRegex(chinese, "[一-鿿]", english)
            self.assertNotRegex(chinese, "[A-Za-z]{2,} [A-Za-z]{2,}", english)

    def test_reasons_of_matches(self):
        source = "EncircleDrift/Mapping/ReasonText.swift"
        names = [name for name in literals(source, "switch topic", "default: return") if " " not in name]
        compared = [text.replace("x", name, 1) for text in literals(source, "if a >= 0, b >= 0", "private static func short") for name in names]
        others = [text for text in literals(source, "switch topic", "private static let texts") if " " in text]
        fixed = [text for text in literals("EncircleDrift/Mapping/MatchReason.swift", "static let equality", "/// The text and the value")]
        self.assertEqual(names, ["text", "label", "identifier", "actions", "controller"])
        self.assert_forms("(text) => messages.match({ text })", compared + others + fixed)

    def test_the_plan_says_why_events_have_their_status(self):
        page = self.page
        self.service.send({"event": "surprise", "distinct_id": "u"})
        self.show("/plan")
        page.wait_for_selector("table.plan tbody tr")
        for text in page.locator("table.plan td:nth-child(5)").all_inner_texts():
            self.assert_chinese(text)
        rows = "() => [...document.querySelectorAll('table.plan tbody tr')].map((row) => row.innerText)"
        self.assertTrue(any("点击 加入、加入购物车（HomeViewController）" in row for row in page.evaluate(rows)))

    def test_evidence_and_triggers_of_plans(self):
        source = "EncircleAuthoring/Plan/PlanEvidence.swift"
        words = [text for text in literals(source, "private static func words", "package static func faults") if text[:1].strip()]
        reasons = [text.replace("x", count, 1) for text in with_tail(words, "", " since 2026-03-02") for count in ("1 person", "7 people")]
        states = [text for text in literals(source, "switch summary.status", "joined") if text]
        faults = [f"p: {text} in 1 of 2 (event:1)" for text in with_tail(literals(source, 'case .missing: "missing"'), "")]
        self.assert_forms("messages.evidence", ["1 event, last 2026-03-02; still sent", "4 events", *reasons, *states, *faults])
        self.assert_forms("messages.trigger", ["Tap on an element", "Tap on an element, on x", "Tap on a or b, on x", *filter(None, literals("EncircleAuthoring/Plan/PlanTrigger.swift", 'let start = isElement ? "Tap'))])

    def test_problems_of_the_checklist(self):
        violations = literals("EncircleAuthoring/Plan/PlanEvidence.swift", 'case .missing: "missing"')
        lacks = [text for text in violations if text == "missing" or text.startswith("no ")]
        others = [text for text in violations if text not in lacks]
        self.assertEqual(len(others), 3)
        self.assert_forms("messages.problem", [f"p: {text}" for text in with_tail(lacks, "", ", but 12") + with_tail(others, "", ": 12")])
        events = [{"event": "pay", "platforms": ["server"], "properties": [{"property": "amount", "type": "number"}]}, {"event": "add_to_cart"}]
        self.service.request("PUT", "/v1/rulesets/default/plan", {"version": 1, "events": events}, headers={"If-Match": "*"})
        page = self.page
        self.show("/plan/acceptance")
        page.get_by_role("button", name="开始").click()
        page.wait_for_selector('tr[data-event="add_to_cart"][data-state="waiting"]')
        self.assertIn("点击", page.locator('tr[data-event="add_to_cart"]').inner_text())
        self.service.send({"event": "pay", "distinct_id": "t", "properties": {"$lib": "Java", "amount": "a lot"}})
        wrong = page.locator('tr[data-event="pay"][data-state="wrong"]')
        wrong.wait_for()
        self.assertIn('amount：不是 number 类型，而是 "a lot"', wrong.inner_text())
        self.show("/plan")
        page.wait_for_selector('tr[data-event="add_to_cart"]')
        self.assertIn("点击", page.locator('tr[data-event="add_to_cart"]').first.inner_text())

    def test_why_definitions_of_other_tools_are_left_out(self):
        details = set()
        for file in sorted((ROOT / "Sources/EncircleAuthoring/Import").rglob("*.swift")):
            for line in file.read_text("utf-8").splitlines():
                if file.name != "ImportReason.swift" and re.search(r"unknownForm|\bfail\(", line):
                    details |= {text for text in texts_in(line) if " " in text}
        self.assertIn("no x", details, "it stands for two names")
        details = sorted(details - {"no x"} | {"no url_host", "no url_path"})
        self.assertGreater(len(details), 8)
        self.assert_forms("(detail) => messages.definition({ code: 'unknown-form', detail })", details)
        left_out = literals("EncircleAuthoring/Import/PostHog/PostHogActions.swift", ".settingsLeftOut", ")\n")[-1:]
        self.assertEqual(left_out, ["Messages to Slack"])
        say = "async detail => (await import('/core/messages.js')).definition({ code: 'settings-left-out', detail })"
        self.assertNotIn("Messages", self.page.evaluate(say, left_out[0]))

    def test_why_a_file_cannot_be_read_as_definitions(self):
        source = "EncircleAuthoring/Import/DefinitionImport.swift"
        wrong = [text for text in literals(source, "func failure(_ message", "private mutating func read") if " " in text]
        wrong += [text for text in literals(source, "private mutating func checkApp", "apps[system] = app") if " " in text]
        form = next(text for text in wrong if text.endswith("expected x"))
        wrong.remove(form)
        wrong += [form[:-1] + text for text in literals("EncircleAuthoring/Import/ImportTool.swift", "func expectation") if " " in text]
        wrong += literals("EncircleText/JSON/JSONError.swift", "extension JSONError.Kind")
        self.assertGreater(len(wrong), 20)
        self.assert_forms("(message) => messages.error({ code: 'bad-definitions', message })", wrong)

    def test_reasons_why_rows_of_a_table_are_refused(self):
        reasons = [text for name in ("PlanImporter", "PlanFacts") for text in literals(f"EncircleAuthoring/Plan/{name}.swift", "") if " " in text and text[0] != ";"]
        # The words that stand for a value of these sentences.
        facts = (ROOT / "Sources/EncircleAuthoring/Plan/PlanFacts.swift").read_text("utf-8")
        whats = set(re.findall(r'\bword\([^,]+, [^,]+, "([^"]+)"', facts))
        self.assertIn("way of tracking", whats)
        words = [f"unknown {what} 'x'{nearest}" for what in whats for nearest in ("", "; did you mean 'y'?")]
        another = next(text for text in reasons if text.endswith("another x"))
        for text in ("way of tracking", "unknown x 'x'", another):
            reasons.remove(text)
        words += [another[:-1] + key for key in ("name", "description", "owner", "tags")]
        places = [f"{place}line 3 has it already" for place in ("", "sheet 2, ")]
        self.assertGreater(len(reasons), 12)
        self.assert_forms("messages.rowReason", reasons + words + places)


if __name__ == "__main__":
    unittest.main()
