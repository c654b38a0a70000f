"""Findings of check are shown where they belong, and their fixes correct the draft."""

import unittest

from support import PageTest

DRAFT = """version: 1
rules:
  # The start of the app.
  - id: app.start
    include: { event: $AppStart }
  - id: home.feed
    include:
      event: $AppClick
      page: HomeViewControler
"""


class Findings(PageTest):
    def setUp(self):
        super().setUp()
        self.service.request("PUT", "/v1/rulesets/default/draft", DRAFT.encode(), "application/yaml", {"If-Match": "*"})

    def draft(self):
        return self.service.request("GET", "/v1/rulesets/default/draft").decode()

    def test_a_double_click_on_a_fix_sends_it_once(self):
        page = self.page
        sent = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
        self.show("/rules/draft")
        page.locator(".findings .button svg").first.dblclick()
        page.get_by_text("Fixed in the draft").wait_for()
        self.assertEqual(len(sent), 1)

    def test_a_long_fix_is_no_wider_than_a_phone(self):
        rule = {"include": {"event": "$AppClick", "page": "HomeViewController", "selector": "ProductCell(section:1 row:0)/**/UIButton"}}
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/home.drinks", rule)
        page = self.open_page(viewport={"width": 320, "height": 640})
        self.show("/rules/draft", page)
        page.locator(".finding .button", has_text="Write ProductCell").wait_for()
        self.assertLessEqual(page.evaluate("() => document.querySelector('main').scrollWidth"), 320)
        page.context.close()

    def test_a_finding_is_shown_beside_its_line_and_its_fix_corrects_the_text(self):
        page = self.page
        self.show("/rules/text")
        line = page.locator(".editor .CodeMirror-gutter-wrapper.warning")
        line.locator(".CodeMirror-linenumber", has_text="9").wait_for()
        mark = line.locator("[title]")
        self.assertIn("HomeViewControler", mark.get_attribute("title"))
        finding = page.get_by_role("region", name="Findings").locator(".finding")
        self.assertIn("HomeViewControler", finding.inner_text())
        finding.get_by_role("button", name="Line 9").click()
        self.assertEqual(page.evaluate("() => document.querySelector('.CodeMirror').CodeMirror.getSelection().trim()"), "page: HomeViewControler")

        finding.get_by_role("button", name="Write HomeViewController").click()
        page.wait_for_selector("text=No problems found.")
        mended = DRAFT.replace("HomeViewControler", "HomeViewController")
        self.assertEqual(self.read_text(), mended)
        self.assertEqual(mark.count(), 0)
        self.assertEqual(self.draft(), DRAFT, "a fix of the text is not saved before one saves")
        page.get_by_role("button", name="Save as draft").click()
        page.wait_for_selector("text=Draft saved")
        self.assertEqual(self.draft(), mended)

    def test_an_error_is_shown_beside_its_line(self):
        self.show("/rules/text")
        self.write_text(DRAFT.replace("      page:", "      pgae:"))
        self.page.locator(".editor .CodeMirror-gutter-wrapper.error .CodeMirror-linenumber", has_text="9").wait_for()
        self.assertIn("Did you mean page?", self.page.get_by_role("region", name="Findings").inner_text())

    def test_a_fix_mends_the_draft_where_it_is_reviewed_and_where_the_rule_is(self):
        for view in ("/rules/draft", "/rule/home.feed"):
            self.service.request("PUT", "/v1/rulesets/default/draft", DRAFT.encode(), "application/yaml", {"If-Match": "*"})
            self.show(view)
            self.page.get_by_role("button", name="Write HomeViewController").click()
            self.page.locator(".finding").wait_for(state="detached")
            self.assertIn("page: HomeViewController\n", self.draft(), view)

    def test_a_fix_does_not_undo_what_someone_else_has_written_meanwhile(self):
        self.show("/rules/draft")
        self.page.get_by_role("button", name="Write HomeViewController").wait_for()
        theirs = DRAFT + "# more\n"
        self.service.request("PUT", "/v1/rulesets/default/draft", theirs.encode(), "application/yaml", {"If-Match": "*"})
        self.page.get_by_role("button", name="Write HomeViewController").click()
        self.page.wait_for_selector("#toasts .toast")
        self.assertEqual(self.draft(), theirs)

    def test_a_finding_about_a_circled_rule_is_fixed_beside_it(self):
        page = self.page
        capture = self.show_screen("home-feed")
        button = self.element(capture, **{"class": "UIButton", "content": "加入"})
        page.mouse.click(*self.place_of(button["element"]))
        self.wait_for_counts()
        page.locator("summary:has-text('Advanced')").click()
        page.get_by_label("Selector", exact=True).fill("UIButtn(0)")
        page.get_by_label("Rule id").fill("home.add")
        page.get_by_role("button", name="Save as draft").click()
        page.wait_for_selector("text=home.add is in the draft.")
        page.get_by_role("button", name="Write UIButton(0)").first.click()
        page.wait_for_selector(".circle-panel .finding:has-text('UIButtn')", state="detached")
        self.assertNotIn("UIButtn(", self.draft())
        self.assertIn("UIButton(0)", self.draft())


if __name__ == "__main__":
    unittest.main()
