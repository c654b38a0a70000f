"""Many captures and rules, and a service that has nothing yet."""

import time
import unittest

from support import HeldRequests, PageTest


class ManyThings(PageTest):
    captures = False

    def test_1_a_new_service_says_how_to_begin(self):
        self.show("/")
        self.page.wait_for_selector("text=Welcome. Circle your first element.")
        for view, text in (("/screens", "No screens yet"), ("/rules", "No rules yet"), ("/rules/draft", "No draft"), ("/live", "Waiting for events")):
            self.show(view)
            self.page.wait_for_selector(f"text={text}")

    def test_1_events_of_unknown_elements_are_shown_without_failing_requests(self):
        # Whatever is answered with 404 while the page works fails the test.
        known = "ab" * 32
        self.service.send({"type": "track", "event": "$AppClick", "distinct_id": "u", "event_id": known, "properties": {"event_id": known}})
        self.show("/")
        self.page.wait_for_selector("text=Most tapped elements")
        self.show("/live")
        self.page.locator(".live-row").first.click()
        self.page.wait_for_selector("text=No stored screen has this element.")
        for view in ("/rules", "/rules/text", "/rules/draft", "/rules/history"):
            self.show(view)

    def test_1_alarms_that_cannot_be_read_are_not_waited_for(self):
        self.service.send({"type": "track", "event": "$AppClick", "distinct_id": "u", "_track_id": 2})
        self.page.route("**/v1/reports/health*", lambda route: route.fulfill(status=500, json={"error": {"code": "internal", "message": "no"}}))
        self.show("/")
        tile = self.page.locator("a.tile:has-text('Rules with an alarm')")
        tile.get_by_text("Something went wrong").wait_for()
        self.assertEqual(tile.locator(".figure").inner_text(), "–")
        self.show("/rules")
        self.page.get_by_text("The alarms of the rules could not be read.").wait_for()
        self.page.locator(".segmented label", has_text="With an alarm").click()
        self.page.get_by_role("alert").get_by_text("Something went wrong").wait_for()
        self.assertEqual(self.page.get_by_text("Nothing found").count(), 0)
        self.show("/rules?health=alarm")
        self.page.get_by_role("alert").get_by_text("Something went wrong").wait_for()
        self.assertFalse(self.page.locator("main .card.pane").is_visible(), "no empty frame stands above the failure")
        self.page.unroute("**/v1/reports/health*")
        self.page.get_by_role("button", name="Try again").click()
        self.page.get_by_text("Nothing found").wait_for()

    def test_1_the_chart_of_a_day_has_all_its_hours(self):
        self.service.send({"type": "track", "event": "$AppClick", "distinct_id": "u", "_track_id": 1, "time": int(time.time() - 7200) * 1000})
        self.page.goto(self.service.address)
        self.page.evaluate("() => localStorage.setItem('encircle', JSON.stringify({days: 1}))")
        self.show("/")
        rows = self.page.locator("table.visually-hidden tbody tr")
        self.assertEqual(rows.count(), 24)
        self.assertEqual(rows.nth(22).locator("td").nth(1).inner_text(), "0")

    def test_2_two_thousand_rules(self):
        rules = "".join(f"  - id: rule.{number:04}\n    include: {{ event: e{number} }}\n" for number in range(2000))
        self.service.request("PUT", "/v1/rulesets/default/draft", ("version: 1\nrules:\n" + rules).encode(), "application/yaml")
        self.service.request("POST", "/v1/rulesets/default/draft/publish", {"reason": "many"})
        self.show("/rules")
        self.page.wait_for_selector("text=rule.0000")
        self.assertLess(self.page.locator(".rule-line").count(), 60)
        self.page.evaluate("() => { const list = document.querySelector('.list'); list.scrollTop = list.scrollHeight; }")
        for _ in range(6):
            self.page.wait_for_timeout(300)
            self.page.evaluate("() => { const list = document.querySelector('.list'); list.scrollTop = list.scrollHeight; }")
        self.page.wait_for_selector("text=rule.1999")
        self.page.get_by_label("Search rules").fill("rule.1234")
        self.page.wait_for_function("() => document.querySelectorAll('.rule-line').length === 1")

    def test_2_a_slow_answer_to_an_earlier_search_is_dropped(self):
        text = "version: 1\nrules:\n  - id: first\n    include: { event: a }\n  - id: second\n    include: { event: b }\n"
        self.service.request("PUT", "/v1/rulesets/slow", text.encode(), "application/yaml", {"If-Match": "*"})
        page = self.page
        page.goto(self.service.address)
        page.evaluate("() => localStorage.setItem('encircle', JSON.stringify({ruleset: 'slow'}))")
        slow = HeldRequests(page, "**/slow/rules?*", limit=1)
        page.goto("about:blank")
        page.goto(f"{self.service.address}/#/rules")
        page.wait_for_function("() => performance.getEntriesByName(location.origin + '/v1/rulesets').length > 0")
        page.get_by_label("Search rules").fill("second")
        page.locator(".rule-line").first.wait_for()
        with page.expect_response(lambda answer: "/slow/rules?" in answer.url and "search=" not in answer.url):
            slow[0].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(page.locator(".rule-line .ellipsis > strong").all_inner_texts(), ["second"])

    def test_2_lists_that_are_cut_say_how_many_more_there_are(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/long", b"version: 1\nrules: []\n", "application/yaml", {"If-Match": "*"})
        self.service.request("PUT", "/v1/rulesets/long/draft", b"version: 1\nrules: [{ id: one, include: { event: e } }]\n", "application/yaml")

        def answer(path, change):
            page.route(f"**{path}", lambda route: route.fulfill(json=change(route.fetch().json())))

        finding = {"severity": "error", "code": "unknown-event", "message": "no such event"}
        answer("/v1/rulesets/long/draft/changes", lambda now: {**now, "changes": [{**now["changes"][0], "rule": f"r{number}"} for number in range(1200)]})
        answer("/v1/rules/diff", lambda now: {**now, "rules": [], "unified": "\n".join("+ line" for _ in range(4100))})
        answer("/v1/rules/check", lambda now: {**now, "findings": [finding] * 1000, "total": 1300, "errors": 1300})
        page.goto(self.service.address)
        page.evaluate("() => localStorage.setItem('encircle', JSON.stringify({ruleset: 'long'}))")
        self.show("/rules/draft")
        for place, line, count, more in ((".change-list", "li:has(button)", 1000, "and 200 more"), (".diff", ".add", 4000, "and 100 more"),
                                         (".findings", ".finding", 200, "and 1,100 more")):
            page.locator(place).get_by_text(more).wait_for()
            self.assertEqual(page.locator(place).locator(line).count(), count, place)
        page.get_by_role("form", name="Publish").get_by_text("1300").wait_for()
        self.show("/rules/text")
        page.locator(".findings").get_by_text("and 1,100 more").wait_for()

    def test_3_five_hundred_captures(self):
        for number in range(500):
            tree = (f'<viewTree version="1" app="a" appVersion="1.{number // 45}" os="iOS" screen="390 844"><view class="UIWindow" frame="0 0 390 844">'
                    f'<view class="UIView" frame="0 0 390 844" controller="Page{number:03}ViewController"><view class="UIButton" frame="9 9 90 40" title="b{number}" actions="a:"/></view></view></viewTree>')
            self.service.request("POST", f"/v1/captures?name=many-{number:03}", tree.encode(), "application/xml")
        self.show("/screens")
        self.page.wait_for_selector(".screen-card")
        self.assertLess(self.page.locator(".screen-card").count(), 200)
        # The newest screens are listed, and all versions can be asked for.
        versions = ["All versions", *(f"v1.{number}" for number in reversed(range(12)))]
        self.assertEqual(self.page.get_by_label("App version").locator("option").all_inner_texts(), versions)
        self.show("/screens?app_version=1.3")
        self.assertEqual(self.page.get_by_label("App version").locator("option").all_inner_texts(), versions)
        self.assertEqual(self.page.get_by_label("App version").input_value(), "1.3")
        self.page.get_by_label("App version").select_option("")
        self.page.get_by_label("Search pages, titles, apps").fill("Page321")
        self.page.wait_for_function("() => document.querySelectorAll('.screen-card').length === 1")

    def test_4_every_version_is_listed_and_compared_with_the_one_before_it(self):
        path = "/v1/rulesets/often"
        for number in range(1, 104):
            text = f"version: 1\nrules:\n  - id: one\n    include: {{ event: e{number} }}\n"
            self.service.request("PUT", path, text.encode(), "application/yaml", {"If-Match": "*"})
        page = self.page
        page.goto(self.service.address)
        page.evaluate("() => localStorage.setItem('encircle', JSON.stringify({ruleset: 'often'}))")
        self.show("/rules/history")
        lines = page.locator("main ol > li")
        self.assertEqual(lines.count(), 100)
        last = lines.last
        last.get_by_role("button", name="Changes").click()
        last.locator(".diff .del").wait_for()
        self.assertEqual([text.strip("- ") for text in last.locator(".diff .del").all_inner_texts()], ["include: { event: e3 }"])
        page.get_by_role("button", name="Older versions").click()
        page.wait_for_function("() => document.querySelectorAll('main ol > li').length === 103")
        self.assertTrue(lines.last.get_by_text("v1", exact=True).is_visible())
        self.assertEqual(page.get_by_role("button", name="Older versions").count(), 0)


if __name__ == "__main__":
    unittest.main()
