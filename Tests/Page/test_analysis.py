"""Event analysis: a question is entered by hand, drawn, shared by its address, and downloaded as a table."""

import pathlib
import time
import unittest

from axe_playwright_python.sync_playwright import Axe
from support import HeldRequests, PageTest

VERSIONS = ["1.0", "2.0"]


class Analysis(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        now = int(time.time() * 1000)
        texts = [f"第{number}项" for number in range(16)]
        cls.service.send(*[
            {"type": "track", "event": "$AppClick" if number % 3 else "购买", "distinct_id": f"u{number % 7}", "_track_id": number,
             "time": now - number * 3_600_000, "event_id": "ab" * 32,
             "properties": {"$app_version": VERSIONS[number % 2], "$screen_name": "HomeViewController", "$element_content": texts[number % 16]}}
            for number in range(240)])

    def ask(self, path="/analysis"):
        self.show(path)
        # A curve of zeros has no height, so that it does not count as visible.
        self.page.wait_for_selector(".curve, .bar, main .state", state="attached")

    def totals(self):
        rows = self.page.locator("section[aria-label=Totals] tbody tr")
        return [row.locator("td").all_inner_texts() for row in rows.all()]

    def test_a_question_is_asked_by_hand_and_is_in_the_address(self):
        self.ask()
        self.assertEqual(self.page.locator("h1").inner_text(), "Event analysis")
        self.page.get_by_label("30 days").check(force=True)
        self.page.get_by_label("Kind").select_option("event")
        self.page.get_by_label("Name").fill("$AppClick")
        self.page.get_by_label("Name").press("Enter")
        self.page.wait_for_function("() => document.querySelector('section[aria-label=Totals]')?.innerText.includes('160')")
        self.page.get_by_label("Name").fill("购买")
        self.page.get_by_label("Name").press("Enter")
        self.page.wait_for_function("() => document.querySelectorAll('section[aria-label=Totals] tbody tr').length === 2")
        self.assertEqual([row[:3] for row in self.totals()], [["$AppClick", "160", "7"], ["购买", "80", "7"]])
        self.page.get_by_label("Broken down by").fill("app_version")
        self.page.get_by_label("Broken down by").press("Enter")
        self.page.wait_for_function("() => document.querySelectorAll('section[aria-label=Totals] tbody tr').length === 4")
        self.assertEqual(self.page.evaluate("() => document.activeElement.dataset.key"), "by")
        self.page.get_by_label("Property").fill("app_version")
        self.page.get_by_label("Value").fill("2.0")
        self.page.get_by_label("Value").press("Enter")
        self.page.wait_for_function("() => document.querySelectorAll('section[aria-label=Totals] tbody tr').length === 2")
        self.page.get_by_label("Compare with the period before").check()
        self.page.wait_for_selector("section[aria-label=Totals] th:has-text('Change')")
        address = self.page.url
        for part in ("event=%24AppClick", "days=30", "by=app_version", "where=app_version%3D2.0", "compare=previous"):
            self.assertIn(part, address)
        # Somebody else opens the same address.
        shown = self.totals()
        other = self.open_page()
        other.goto(address)
        other.wait_for_selector("section[aria-label=Totals] tbody tr")
        rows = other.locator("section[aria-label=Totals] tbody tr")
        self.assertEqual([row.locator("td").all_inner_texts() for row in rows.all()], shown)
        other.context.close()
        self.page.get_by_role("button", name="Remove app_version = 2.0").click()
        self.page.wait_for_function("() => document.querySelectorAll('section[aria-label=Totals] tbody tr').length === 4")

    def test_a_filter_that_is_not_added_yet_survives_other_choices(self):
        page = self.page
        self.ask("/analysis?event=$AppClick")
        page.get_by_label("Property").fill("app_version")
        page.get_by_label("Comparison").select_option("!=")
        page.get_by_label("Value").fill("2.0")
        page.get_by_label("Kind").select_option("event")
        page.get_by_label("Name").fill("购")
        page.get_by_label("30 days").check(force=True)
        self.assertEqual(page.get_by_label("Name").input_value(), "购")
        page.get_by_label("Value").press("Enter")
        page.get_by_role("button", name="Remove app_version != 2.0").wait_for()
        self.assertEqual(page.get_by_label("Property").input_value(), "")
        page.get_by_label("Name").fill("购买")
        page.get_by_label("Name").press("Enter")
        page.wait_for_selector(".tag:has-text('购买')")
        self.assertEqual(page.get_by_label("Name").input_value(), "")

    def test_rules_for_an_earlier_text_are_not_offered(self):
        page = self.page
        self.ask()
        page.get_by_label("Kind").select_option("rule")
        late = HeldRequests(page, "**/rulesets/default/rules?*", "search=cart")
        with page.expect_request("**/rulesets/default/rules?*search=cart*"):
            page.get_by_label("Name").fill("cart")
        page.get_by_label("Name").fill("home.scan")
        offered = "() => [...document.querySelectorAll('#analysis-subjects option')].map((one) => one.value)"
        page.wait_for_function(f"() => ({offered})().join() === 'home.scan'")
        with page.expect_event("requestfinished"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(page.evaluate(offered), ["home.scan"])

    def test_the_chart_has_curves_and_bars_of_events_and_people(self):
        self.ask("/analysis?by=$element_content&days=30&where=page%3DHomeViewController")
        self.assertEqual(self.page.locator(".curve").count(), 13, "the twelve largest and the rest")
        self.assertEqual(self.totals()[-1][0], "All others")
        self.assertEqual(sum(int(row[1]) for row in self.totals()), 240)
        self.page.get_by_label("Bars").check(force=True)
        self.page.wait_for_selector(".bar")
        self.assertEqual(self.page.evaluate("() => document.activeElement.dataset.key"), "shape-bars")
        self.page.get_by_label("People", exact=True).check(force=True)
        self.assertIn("measure=people", self.page.url)
        self.assertIn("shape=bars", self.page.url)
        chart = self.page.locator("[role=group][aria-label^='Chart over time']")
        chart.focus()
        chart.press("End")
        self.assertIn("第0项", self.page.locator(".series-tip").inner_text())

    def test_a_table_can_be_downloaded(self):
        self.ask("/analysis?event=购买&days=1")
        with self.page.expect_download() as waiting:
            self.page.get_by_role("button", name="CSV").click()
        text = pathlib.Path(waiting.value.path()).read_text(encoding="utf-8")
        self.assertTrue(text.startswith("\ufefftime,rule,event,event_id,value,events,people"), text[:80])
        self.assertEqual(len(text.strip().split("\n")), 25)

    def test_rules_and_elements_lead_here(self):
        rule = self.service.request("GET", "/v1/rulesets/default/rules?limit=1")["rules"][0]["id"]
        self.show(f"/rule/{rule}")
        self.page.get_by_role("link", name="Over time").click()
        self.page.wait_for_selector("h1:has-text('Event analysis')")
        self.assertIn(f"rule={rule}", self.page.url)
        self.page.wait_for_selector(f".tag:has-text('{rule}')")
        capture = self.service.capture("home-feed")
        element = next(one for one in self.service.request("GET", f"/v1/captures/{capture['id']}/elements")["elements"] if one.get("content") and one.get("tracked") is not None)
        self.show(f"/screen/{capture['id']}?element={element['element']}")
        self.page.get_by_role("link", name="Over time").first.click()
        self.page.wait_for_selector("h1:has-text('Event analysis')")
        self.assertIn("event_id=", self.page.url)
        self.page.wait_for_selector(f".tag:has-text('{element['content'][:8]}')")

    def test_it_can_be_used_by_everybody_in_both_languages(self):
        serious = []
        for scheme, size, locale in (("light", (1280, 800), "en-GB"), ("dark", (390, 844), "zh-CN")):
            page = self.open_page(color_scheme=scheme, viewport={"width": size[0], "height": size[1]}, locale=locale)
            self.show("/analysis?event=$AppClick&by=$element_content&days=30&compare=previous&where=app_version%3D1.0", page)
            page.wait_for_selector(".curve", state="attached")
            self.assertLessEqual(page.evaluate("() => document.querySelector('main').scrollWidth"), size[0])
            for finding in Axe().run(page).response["violations"]:
                if finding["impact"] in ("serious", "critical") or finding["id"] == "landmark-unique":
                    serious.append(f"{scheme}: {finding['id']}: {[node['html'][:160] for node in finding['nodes'][:3]]}")
            if locale == "zh-CN":
                self.assertEqual(page.locator("h1").inner_text(), "事件分析")
                self.assertNotRegex(page.locator("main").inner_text(), r"\b(Totals|People|Add|Filters|before)\b")
            page.context.close()
        self.assertEqual(serious, [], "\n".join(serious))

    def test_hostile_values_are_text(self):
        self.service.send({"type": "track", "event": "<img src=x onerror=alert(1)>", "distinct_id": "h", "properties": {"$app_version": "<b>9</b>"}})
        self.ask("/analysis?by=event&days=1")
        self.page.wait_for_selector("td:has-text('<img src=x')")
        self.assertEqual(self.page.locator("main img, main b").count(), 0)


if __name__ == "__main__":
    unittest.main()
