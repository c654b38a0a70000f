"""Rules that a new version breaks: found, compared side by side, repaired or ended in the draft."""

import unittest

from support import HeldRequests, PageTest

RULES = b"""version: 1
app: com.example.shop
rules:
  - id: order.contact
    name: Contact
    include: { event: $AppClick, page: OrderViewController, selector: OrderBar/UIButton(0) }
  - id: order.invoice
    name: Invoice
    include: { event: $AppClick, page: OrderViewController, selector: OrderBar/UIButton(2) }
"""


class Drift(PageTest):
    def test_broken_rules_are_found_compared_and_settled(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/default?reason=circled", RULES, "application/yaml", {"If-Match": "*"})
        page.goto(f"{self.service.address}/#/rules")
        page.get_by_role("link", name="2 rules break in 5.2.0").click()
        contact = page.get_by_role("region", name="order.contact")
        contact.get_by_text("selects nothing").wait_for()
        self.assertIn("same actions", contact.inner_text())
        # Both screens are there, the element and its successor are selected, and a line connects them.
        page.locator(".drift-line line").wait_for(state="attached")
        self.assertEqual(page.locator(".drift-pictures .picture").count(), 2)
        page.get_by_role("region", name="Old and new screens").get_by_role("status").get_by_text("联系客服").wait_for()

        contact.get_by_role("button", name="Repair").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("OrderBar/**/UIButton(0)").wait_for()
        dialog.get_by_text("stored events of 30 days").wait_for()
        dialog.get_by_role("button", name="Save as draft").click()
        page.get_by_role("region", name="order.contact").get_by_text("Settled in the draft").wait_for()

        gone = page.get_by_role("region", name="order.invoice").get_by_role("button", name="Gone", exact=True)
        gone.click()
        dialog.get_by_text("Events of versions before 5.2.0 stay selected.").wait_for()
        self.assertEqual(dialog.get_by_text("The draft has already changed this rule").count(), 0)
        rule = "/v1/rulesets/default/draft/rules/order.invoice"
        self.service.request("PATCH", rule, {"unless": [{"event": "trial"}]})
        dialog.get_by_role("button", name="Save as draft").click()
        dialog.get_by_text("has changed meanwhile").wait_for()
        unless = self.service.request("GET", rule)["unless"]
        self.assertEqual(unless, [{"event": "trial"}], "what somebody else has written meanwhile stays")
        page.keyboard.press("Escape")
        gone.click()
        dialog.get_by_text("The draft has already changed this rule").wait_for()
        dialog.get_by_role("button", name="Save as draft").click()
        page.get_by_role("region", name="order.invoice").get_by_text("Settled in the draft").wait_for()
        draft = self.service.request("GET", "/v1/rulesets/default/draft").decode()
        self.assertIn('version: ">=5.2.0"', draft)
        self.assertIn("OrderBar/**/UIButton(0)", draft)
        page.get_by_text("2 of them no longer with the draft.").wait_for()

    def test_long_lists_are_cut_and_say_how_many_more_there_are(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/default?reason=circled", RULES, "application/yaml", {"If-Match": "*"})

        def many(now):
            return [{**now["rules"][0], "id": f"rule.{number}"} for number in range(400)]

        page.route("**/v1/drift?*", lambda route: route.fulfill(json=(lambda now: {**now, "rules": many(now)})(route.fetch().json())))
        page.route("**/v1/drift/screens?*", lambda route: route.fulfill(
            json={**route.fetch().json(), "changes": [], "takeovers": [], "gone": [{"element": 1, "title": "x"}] * 1000}))
        self.show("/drift?rule=rule.390")
        screens = page.get_by_role("region", name="Old and new screens")
        screens.get_by_text("more").wait_for()
        self.assertEqual(screens.locator("li button").count(), 300)
        page.get_by_text("and 99 more", exact=True).wait_for()
        self.assertEqual(page.locator("main section[aria-label^='rule.']").count(), 301, "the rule that was asked for is among them")

    def test_a_repair_can_be_saved_after_a_request_failed(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/default?reason=circled", RULES, "application/yaml", {"If-Match": "*"})
        failures = ["once"]
        page.route("**/draft/rules/order.contact", lambda route: route.fulfill(status=503) if failures and failures.pop() else route.fallback())
        self.show("/drift")
        page.get_by_role("region", name="order.contact").get_by_role("button", name="Repair").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Try again").click()
        dialog.get_by_role("button", name="Try again").wait_for(state="detached")
        dialog.get_by_role("button", name="Save as draft").click()
        page.get_by_role("region", name="order.contact").get_by_text("Settled in the draft").wait_for()
        self.discard_draft_at_end()

    def test_events_that_cannot_be_read_are_not_said_to_be_none(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/default?reason=circled", RULES, "application/yaml", {"If-Match": "*"})
        page.route("**/v1/reports/health*", lambda route: route.fulfill(status=500, json={"error": {"code": "internal", "message": "no"}}))
        self.show("/drift")
        contact = page.get_by_role("region", name="order.contact")
        contact.get_by_text("The stored events of this rule could not be read.").wait_for()
        self.assertEqual(page.get_by_text("No events of this rule are stored.").count(), 0)

    def test_a_rule_that_does_not_break_is_not_listed_as_broken(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/default?reason=circled", RULES, "application/yaml", {"If-Match": "*"})
        self.show("/drift?rule=order.paid")
        page.get_by_text("order.paid is not among the rules that break.").wait_for()
        page.get_by_role("region", name="Old and new screens").get_by_role("button").first.wait_for()
        self.assertIn("rule=order.paid", page.url, "no other rule is shown in its place")
        self.show("/drift?rule=order.invoice")
        self.assertEqual(page.get_by_text("is not among").count(), 0)

    def test_the_comparison_is_of_the_pair_that_was_chosen_last(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/default?reason=circled", RULES, "application/yaml", {"If-Match": "*"})
        compared = page.get_by_role("region", name="Old and new screens")
        late = HeldRequests(page, "**/v1/drift/screens*")
        with page.expect_request("**/v1/drift/screens*"):
            self.show("/drift")
        # Without a comparison there is nothing to choose.
        page.locator(".drift-pictures .stage").first.press("Escape")
        with page.expect_request("**/v1/drift/screens*"):
            page.get_by_role("region", name="order.invoice").locator(".drift-change").first.click()
        # The last answer comes first.
        gone = page.get_by_role("region", name="order.invoice").locator(".drift-change").first.inner_text()
        self.assertIn("is gone", gone)
        with page.expect_response("**/v1/drift/screens*"):
            late[1].continue_()
        selected = compared.locator("li").first
        selected.wait_for()
        with page.expect_response("**/v1/drift/screens*"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(compared.get_by_role("status").inner_text(), "", "the successor of the first rule's element is not selected")
        # Where a pair cannot be compared, no other one is shown in its place.
        with page.expect_request("**/v1/drift/screens*"):
            page.get_by_role("region", name="order.contact").locator(".drift-change").first.click()
        late[2].fulfill(status=500, json={"error": {"code": "internal", "message": "no"}})
        compared.get_by_role("alert").wait_for()
        self.assertEqual(compared.locator("li").count(), 0)
        page.locator(".drift-pictures .stage").first.press("Escape")
        self.assertTrue(compared.get_by_role("alert").is_visible())

    def test_kinds_of_changes_are_listed_as_in_the_language(self):
        page = self.open_page(locale="zh-CN")
        self.show("/drift", page)
        page.locator(".drift-change .badge", has_text="移动，改名").wait_for()
        page.context.close()

    def test_each_element_that_is_gone_is_shown_on_its_own_screen(self):
        page = self.page
        for name in ("One", "Two"):
            for version, button in (("1.0.0", f'<view class="UIButton" frame="9 9 90 40" title="{name}" actions="a:"/>'), ("1.1.0", "")):
                tree = (f'<viewTree version="1" app="gone" appVersion="{version}" os="iOS" screen="390 844"><view class="UIWindow" frame="0 0 390 844">'
                        f'<view class="UIView" frame="0 0 390 844" controller="{name}ViewController">{button}</view></view></viewTree>')
                self.service.request("POST", f"/v1/captures?name={name}-{version}", tree.encode(), "application/xml")
        rules = "version: 1\napp: gone\nrules: [{ id: both, include: { event: $AppClick, selector: UIButton(0) } }]\n"
        self.service.request("PUT", "/v1/rulesets/default?reason=both", rules.encode(), "application/yaml", {"If-Match": "*"})
        self.show("/drift")
        for name in ("Two", "One"):
            page.get_by_role("button", name=f"UIButton {name} is gone").click()
            chosen = page.get_by_label("Old and new screens").locator("option:checked")
            self.assertIn(f"{name}ViewController", chosen.inner_text())


if __name__ == "__main__":
    unittest.main()
