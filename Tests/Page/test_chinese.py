"""What the service says is there in Chinese: suggestions with their reasons, findings, explanations, errors, paths."""

import unittest

from support import PageTest


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


if __name__ == "__main__":
    unittest.main()
