"""What the service says is there in Chinese: suggestions with their reasons, findings, explanations, errors, paths."""

import re
import unittest

from support import ROOT, PageTest


def literals(path, begin="", end="\0"):
    """The texts in quotes of a source, or of the part of it from `begin` to `end`, with "x" for what stands in parentheses in them."""
    source = (ROOT / "Sources" / path).read_text("utf-8")
    source = re.sub(r"^ *//.*$", "", source, flags=re.MULTILINE)
    part = source[source.index(begin):].split(end)[0]
    found = re.findall(r'"((?:[^"\\\n]|\\\((?:[^()\n]|\([^()\n]*\))*\)|\\.)*)"', part)
    return [re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", "x", text) for text in found]


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

    def test_the_list_says_what_rules_ask_for(self):
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
        """What the sources can say has a form in Chinese; `message` is a function of the texts."""
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
        fixed = [text for text in literals("EncircleDrift/Mapping/MatchReason.swift", "static let equality", "public var description")]
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
        say = "async text => (await import('/core/messages.js')).evidence(text)"
        for english in [
            "1 event, last 2026-03-02; the plan does not have this platform", "the plan does not have this version", "archived in the plan, and still sent",
            "no event, though 1 person used the version since 2026-03-02", "no event, though 7 people used the version", "no event, though cart shows its element",
            "stopped, though 7 people used the version of late", "emitted by a, b, c and 2 more, no event yet", "no rule and no event yet", "no event yet",
            "4 events; still sent", "set in the plan", "set in the plan, not sent", "p: missing in 1 of 2 (event:1)", "p: not among the values in 1 of 2 (event:1)",
            "p: does not match the pattern in 1 of 2 (event:1)", "p: a list in 1 of 2 (event:1)", "p: no list in 1 of 2 (event:1)", "p: no number in 1 of 2 (event:1)",
        ]:
            chinese = page.evaluate(say, english)
            self.assert_chinese(chinese)
            self.assertNotRegex(chinese, "[a-z]+ [a-z]+", english)


if __name__ == "__main__":
    unittest.main()
