"""The events that a draft would have selected, before it is published."""

import re
import unittest

from support import PageTest


class Draft(PageTest):
    def test_changed_rules_are_tried_on_stored_events(self):
        page = self.page
        for number in range(10):
            self.service.send({"type": "track", "event": "tried" if number < 3 else "other", "distinct_id": f"draft-{number}", "properties": {}})
        draft = "/v1/rulesets/default/draft/rules/"
        self.service.request("PUT", draft + "tried.now", {"include": {"event": "tried"}})
        self.service.request("PUT", draft + "tried.never", {"include": {"event": "nothing is called so"}})
        self.service.request("DELETE", draft + "home.scan")
        asked = []
        page.route("**/v1/reports/retroactive", lambda route: (asked.append(1), route.fulfill(
            status=503, json={"error": {"code": "too-much-work", "message": "This takes too long."}}) if len(asked) == 1 else route.continue_()))
        page.goto(f"{self.service.address}/#/rules/draft")
        past = page.get_by_role("region", name="In the past")
        past.get_by_role("alert").get_by_text("This takes too long.").wait_for()
        # What fails here keeps nobody from the rest.
        self.assertTrue(page.get_by_role("main").get_by_role("button", name="Publish", exact=True).is_visible())
        past.get_by_role("button", name="Try again").click()
        past.get_by_text("of 10 events in 7 days").wait_for()
        rows = [row.locator("td").all_inner_texts()[:3] for row in past.locator("tbody tr").all()]
        self.assertEqual(rows, [["tried.now", "3", "30%"], ["tried.never", "0", "0%"]], "only what is new or changed")
        today = past.locator("tbody tr").first.get_by_role("img").locator("title").all_text_contents()
        self.assertEqual(len(today), 8)
        self.assertEqual(sum(int(day.split(": ")[1]) for day in today), 3)

    def test_a_draft_that_was_overtaken_says_which_version_it_replaces(self):
        page = self.page
        path = "/v1/rulesets/default"
        self.service.request("PUT", f"{path}/draft/rules/tried.late", {"include": {"event": "late"}})
        version = next(one["version"] for one in self.service.request("GET", "/v1/rulesets")["rulesets"] if one["name"] == "default")
        self.service.request("PUT", path, b"version: 1\nrules: []\n", "application/yaml", {"If-Match": "*"})
        self.show("/rules/draft")
        form = page.get_by_role("form", name="Publish")
        form.get_by_text(f"The draft was made from version {version}, and version {version + 1} is in force.").wait_for()
        form.get_by_label("Reason").fill("after all")
        form.get_by_role("button", name=f"Publish in place of version {version + 1}").click()
        page.wait_for_selector("h1:has-text('History')")
        self.assertIn("tried.late", self.service.request("GET", path).decode())

    def test_a_rule_is_shown_although_its_draft_is_published_meanwhile(self):
        page = self.page
        draft = "/v1/rulesets/default/draft"
        self.service.request("PUT", f"{draft}/rules/tried.race", {"include": {"event": "race"}, "owner": "lin"})
        published = []

        def publish(route):
            if not published:
                published.append(self.service.request("POST", f"{draft}/publish", {"reason": "meanwhile"}))
            route.continue_()
        page.route(re.compile(r"/v1/rulesets/default/rules\?.*draft=true"), publish)
        page.goto(f"{self.service.address}/#/rule/tried.race")
        page.get_by_label("Owner").wait_for()
        self.assertEqual(page.get_by_label("Owner").input_value(), "lin")
        self.assertEqual(len(published), 1)
        # The browser notes that the draft was gone.
        self.errors[:] = [error for error in self.errors if "draft=true" not in error]

    def test_an_alarm_says_from_when_on_it_counts_and_the_table_that_it_counts_all_events(self):
        page = self.page
        alarm = {"kind": "zero", "from_version": "1.0", "to_version": "2.0", "since": "2026-03-02T10:00:00.000Z", "p_value": 1e-9,
                 "before": {"events": 50, "all": 200}, "after": {"events": 0, "all": 300}, "message": "Nothing matches in 2.0."}
        versions = [{"app_version": "1.0", "events": 60, "all": 1200, "rate": 0.05}, {"app_version": "2.0", "events": 0, "all": 300, "rate": 0}]
        rule = {"id": "home.scan", "last_seen": None, "events_24h": 0, "events_7d": 0, "versions": versions, "alarm": alarm}
        page.route("**/v1/reports/health*", lambda route: route.fulfill(json={"rules": [rule], "alpha": 0.001}))
        self.show("/rule/home.scan")
        page.get_by_text("Only events since 2 Mar 2026").wait_for()
        self.assertIn("all events of a version", page.get_by_role("region", name="Health").inner_text())

    def test_rules_beside_a_draft_with_errors_are_not_called_removed(self):
        page = self.page
        draft = "/v1/rulesets/default/draft"
        self.service.request("PUT", draft, b"version: 1\nrules: [\n  - { id: home.scan", "application/yaml", {"If-Match": "*"})
        self.addCleanup(lambda: self.service.request("DELETE", draft, headers={"If-Match": "*"}))
        self.show("/rule/home.scan")
        page.get_by_text("The draft has errors.").wait_for()
        self.assertEqual(page.get_by_text("The draft removes this rule.").count(), 0)
        self.assertTrue(page.get_by_role("region", name="Health").is_visible(), "the rule in force is shown")
        page.get_by_role("link", name="Correct the draft").click()
        page.locator(".editor .CodeMirror").wait_for()


if __name__ == "__main__":
    unittest.main()
