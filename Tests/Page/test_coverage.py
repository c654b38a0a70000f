"""Tapped elements without a rule: their list, and the way from there to circling."""

import unittest

from support import HeldRequests, PageTest


class Coverage(PageTest):
    def test_the_most_tapped_element_without_a_rule_is_opened_to_be_circled(self):
        page = self.page
        capture = self.service.capture("home-feed")
        control = self.element(capture, element=90)
        taken = self.element(capture, **{"class": "UIButton", "content": "加入"})
        for number, element in enumerate([control, control, control, taken]):
            self.service.send({"event": "$AppClick", "distinct_id": f"u{number // 2}", "_track_id": number, "event_id": element["event_id"],
                               "properties": {"$screen_name": "HomeViewController", "$app_version": f"5.{number}"}})
        self.show("/screens")
        page.get_by_role("link", name="Without a rule").click()
        page.wait_for_selector(".coverage-open tbody tr")
        self.assertIn("of taps", page.locator("main .notice strong").inner_text())
        first = page.locator(".coverage-open tbody tr").first
        self.assertIn("HomeViewController", first.inner_text())
        self.assertEqual(first.locator("td.end").all_inner_texts(), ["3", "2", "0"])
        self.assertIn("5.0 – 5.2", first.inner_text())
        first.get_by_role("link").click()
        page.wait_for_function("() => window.encirclePicture?.size.width > 0")
        self.assertIn(f"/screen/{capture['id']}?element=90", page.url)
        self.wait_for_counts()
        # Somebody who reads Chinese has no English left but what the app says.
        chinese = self.show("/coverage", self.open_page(locale="zh-CN"))
        self.assertEqual(chinese.locator(".coverage-open th").all_inner_texts(), ["元素", "页面", "未覆盖点击", "人数", "版本", "已覆盖点击", "操作"])
        chinese.context.close()

    def test_an_element_that_no_screen_has_is_named_by_its_event_id(self):
        self.service.send({"event": "$AppClick", "distinct_id": "u", "_track_id": 9, "event_id": "ab" * 32, "properties": {"$screen_name": "Lost"}})
        self.show("/coverage")
        row = self.page.locator(".coverage-open tbody tr", has_text="Lost")
        self.assertIn("Event ID abababababab…", row.inner_text())
        self.assertIn("No stored screen has this element.", row.inner_text())
        self.assertEqual(row.get_by_role("link").count(), 0)

    def test_an_element_is_set_aside_with_a_reason_and_taken_back(self):
        page = self.page
        self.show("/coverage")
        page.wait_for_selector(".coverage-open tbody tr")
        rows = page.locator(".coverage-open tbody tr")
        first = rows.filter(has=page.get_by_role("button", name="Set aside")).first
        name = first.get_by_role("link").inner_text()
        named = rows.filter(has=page.get_by_role("link", name=name, exact=True))
        before = named.count()
        first.get_by_role("button", name="Set aside").click()
        page.get_by_label("Reason").fill("Changes nothing.")
        page.get_by_role("dialog").get_by_role("button", name="Set aside").click()
        aside = page.locator(".coverage-aside tbody tr")
        aside.wait_for()
        self.assertIn("Changes nothing.", aside.inner_text())
        self.assertLess(named.count(), before)
        # A second request would be refused, and the page complains of what is not found.
        aside.get_by_role("button", name="Take back").dblclick()
        # It is on the list again, once that has been read anew.
        named.first.wait_for()
        self.assertEqual(page.evaluate("() => document.activeElement.id"), "content", "the button is gone, and the keyboard is in the view")
        self.assertEqual(named.count(), before)
        self.assertEqual(page.locator(".coverage-aside").count(), 0)

    def test_the_picture_stays_on_its_screen_when_an_element_is_set_aside(self):
        page = self.page
        self.show("/coverage")
        chooser = page.get_by_role("region", name="Without a rule, on the picture").get_by_label("Page")
        second = chooser.locator("option").nth(1).get_attribute("value")
        chooser.select_option(second)
        page.get_by_role("button", name="Set aside").first.click()
        page.get_by_label("Reason").fill("Changes nothing.")
        page.get_by_role("dialog").get_by_role("button", name="Set aside").click()
        page.locator(".coverage-aside tbody tr").wait_for()
        self.assertEqual(chooser.input_value(), second)
        page.get_by_role("button", name="Take back").click()
        page.locator(".coverage-aside").wait_for(state="detached")
        self.assertEqual(chooser.input_value(), second)

    def test_the_picture_leads_to_no_other_screen_than_it_shows(self):
        page = self.page
        self.show("/coverage")
        chooser = page.get_by_role("region", name="Without a rule, on the picture").get_by_label("Page")
        page.wait_for_function("() => window.encirclePicture?.openRings.length > 0")
        first, second, third = chooser.locator("option").evaluate_all("all => all.slice(0, 3).map((one) => one.value)")
        # One that a click in its middle reaches.
        ring = page.evaluate("""() => {
          const { index, openRings } = window.encirclePicture;
          return openRings.map((one) => one.element).find((number) => {
            const [x, y, width, height] = index.byNumber.get(number).frame;
            return index.trackedAt(x + width / 2, y + height / 2)?.element === number;
          });
        }""")
        late = {}
        page.route("**/v1/captures/*/elements", lambda route: late.update({route.request.url.split("/")[-2]: route}))
        for capture in (second, third):
            with page.expect_request(f"**/v1/captures/{capture}/elements"):
                chooser.select_option(capture)
        # The picture still has the first screen, whose elements have other numbers.
        page.evaluate("() => window.encirclePicture.stage.scrollIntoView()")
        page.mouse.click(*self.place_of(ring))
        page.wait_for_timeout(200)
        self.assertTrue(page.url.endswith("#/coverage"), page.url)
        # The answer to an earlier choice does not take the place of the last.
        late[third].continue_()
        page.wait_for_function("() => window.encirclePicture.openRings.length > 0")
        shown = page.evaluate("() => window.encirclePicture.openRings.map((one) => one.element)")
        with page.expect_response(f"**/v1/captures/{second}/elements"):
            late[second].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(page.evaluate("() => window.encirclePicture.openRings.map((one) => one.element)"), shown)
        self.assertNotIn(first, late)

    def test_the_answer_for_an_earlier_period_is_dropped(self):
        page = self.page
        late = HeldRequests(page, "**/v1/coverage*", "days=30")
        self.show("/coverage")
        page.get_by_label("30 days").check()
        page.wait_for_selector(".skeleton")
        page.get_by_label("7 days").check()
        page.wait_for_selector(".coverage-open tbody tr")
        with page.expect_event("requestfinished"):
            late[0].fulfill(json={"screens": [], "open": []})
        page.wait_for_timeout(200)
        self.assertTrue(page.locator(".coverage-open").is_visible())


if __name__ == "__main__":
    unittest.main()
