"""From a click on a picture to a published rule, an event that it selects, and back."""

import unittest

from support import PageTest


class Circling(PageTest):
    def test_circle_widen_publish_watch_and_roll_back(self):
        page = self.page
        before = self.service.request("GET", "/v1/rulesets")["rulesets"][0]["version"]
        capture = self.show_screen("home-feed")
        button = self.element(capture, **{"class": "UIButton", "content": "加入"})

        x, y = self.place_of(button["element"])
        page.mouse.move(x, y)
        self.assertEqual(page.evaluate("() => window.encirclePicture.hovered.element"), button["element"],
                         "hovering outlines what would be tracked")
        page.mouse.click(x, y)
        page.wait_for_selector(".circle-panel h2:has-text('加入')")
        self.wait_for_counts()
        self.circle_once_more()
        page.locator(".chips label:has-text('This row')").click()
        self.wait_for_counts()
        page.locator(".chips label:has-text('Any row')").click()
        self.wait_for_counts()
        page.wait_for_function("number => window.encirclePicture.matches.includes(number)", arg=button["element"])
        self.assertIn("on this screen", page.locator(".counts").inner_text())

        page.get_by_label("Rule id").fill("home.add")
        page.get_by_label("Name", exact=True).fill("加入购物车")
        page.get_by_label("Event name").fill("home_add")
        page.get_by_role("button", name="Save as draft").click()
        page.get_by_role("link", name="Review and publish").click()
        page.wait_for_selector(".diff .add:has-text('home.add')")
        self.publish("the button of the first page")
        now = self.service.request("GET", "/v1/rulesets")["rulesets"][0]
        self.assertEqual(now["version"], before + 1)
        self.assertFalse(now["has_draft"])

        self.show("/live")
        page.wait_for_selector("text=listening")
        self.service.send(self.tap(button, "page-test-1"))
        row = page.locator(".live-row:has-text('home_add')").first
        row.wait_for()
        self.assertIn("selected", row.inner_text())
        row.click()
        page.wait_for_selector(".explain li")
        page.wait_for_selector(".mini canvas")

        self.show("/rules/history")
        page.locator(f"li:has(strong:text-is('v{before}'))").get_by_role("button", name="Roll back to this").click() \
            if before else None
        if before:
            page.get_by_role("dialog").get_by_label("Reason").fill("not yet")
            page.get_by_role("dialog").get_by_role("button", name="Roll back").click()
            page.wait_for_selector("text=not yet")
            rules = self.service.request("GET", "/v1/rulesets/default/rules?search=home.add")["rules"]
            self.assertEqual([rule for rule in rules if rule["id"] == "home.add"], [])

    def test_a_property_is_read_off_another_element(self):
        page = self.page
        capture = self.show_screen("home-feed")
        button = self.element(capture, **{"class": "UIButton", "content": "加入"})
        page.mouse.click(*self.place_of(button["element"]))
        self.wait_for_counts()
        self.circle_once_more()
        page.get_by_label("Rule id").fill("home.priced")
        page.get_by_role("button", name="Read off another element").click()
        page.wait_for_selector("text=Now click the element whose text is to be read")
        page.mouse.click(*self.place_of(self.element(capture, **{"class": "PriceLabel"})["element"]))
        page.wait_for_selector("text=It says “¥76.00” here.")
        page.get_by_label("Name of the property").fill("price")
        page.get_by_label("Only the part that matches").fill("[0-9.]+")
        page.get_by_label("A number").check()
        page.get_by_role("button", name="Add property").click()
        self.assertIn("../PriceLabel(0)", page.locator("[data-part=properties]").inner_text())
        page.get_by_role("button", name="Save as draft").click()
        page.wait_for_selector("text=home.priced")
        page.get_by_role("link", name="Review and publish").wait_for()
        rule = self.service.request("GET", "/v1/rulesets/default/draft/rules/home.priced")
        self.assertEqual(rule["properties"],
                         {"price": {"element": "../PriceLabel(0)", "extract": "[0-9.]+", "type": "number"}})

        page.locator("summary:has-text('Try it')").click()
        page.get_by_role("button", name="A tap on this element").click()
        page.wait_for_selector(".badge.given:has-text('price: 76')")
        self.discard_draft_at_end()

    def test_clicking_again_goes_through_what_lies_beneath(self):
        page = self.page
        capture = self.show_screen("home-feed")
        button = self.element(capture, **{"class": "UIButton", "content": "加入"})
        place = self.place_of(button["element"])
        chosen = []
        for _ in range(4):
            page.mouse.click(*place)
            chosen.append(page.evaluate("() => window.encirclePicture.selected.element"))
        self.assertEqual(chosen[0], button["element"])
        self.assertEqual(len(set(chosen)), 4, chosen)
        # After another element was selected elsewhere, a click begins with the topmost one again.
        page.mouse.click(*place)
        page.go_back()
        page.wait_for_function("number => window.encirclePicture.selected.element === number", arg=chosen[-1])
        page.mouse.click(*place)
        self.assertEqual(page.evaluate("() => window.encirclePicture.selected.element"), button["element"])

    def test_a_click_meets_the_window_in_front(self):
        page = self.page
        # A dump of uiautomator begins with the window in front, here a dialog above a button of the app.
        window = "<node class='android.widget.FrameLayout' bounds='[0,{}][400,800]'>" \
            "<node class='android.widget.Button' clickable='true' text='{}' bounds='[0,500][400,600]'/></node>"
        dump = f"<hierarchy rotation='0'>{window.format(400, 'Leave')}{window.format(0, 'Buy')}</hierarchy>"
        self.service.request("POST", "/v1/captures?name=windows&page=com.example.shop.MainActivity", dump.encode(), "application/xml")
        capture = self.show_screen("windows")
        self.addCleanup(self.service.request, "DELETE", f"/v1/captures/{capture['id']}")
        page.mouse.click(*self.place_of(self.element(capture, content="Buy")["element"]))
        page.wait_for_selector(".circle-panel h2:has-text('Leave')")
        shown = page.evaluate("() => window.encirclePicture.plan.map(({text}) => text).filter(Boolean)")
        self.assertEqual(shown, ["Buy", "Leave"], "the window in front is drawn last")
        self.assertEqual(page.get_by_label("Rule id").input_value(), "main.leave", "a name without the package")
        # Nor does a box around both choose the one beneath.
        chosen = page.evaluate("""() => {
          const picture = window.encirclePicture;
          const chosen = [];
          picture.onSeveral = (elements) => chosen.push(...elements.map(({content}) => content));
          picture.box = {from: {x: 0, y: 450}, to: {x: 400, y: 650}};
          picture.closeBox(true);
          return chosen;
        }""")
        self.assertEqual(chosen, ["Leave"])

    def test_a_click_meets_a_button_that_is_covered_by_a_view_without_taps(self):
        tree = b"""<viewTree version="1"><view class="UIWindow" frame="0 0 390 844">
          <view class="UITableViewCell" indexPath="0 0" frame="0 90 390 90">
          <view class="UIButton" frame="10 10 200 60" title="Beneath" actions="a:"/>
          <view class="UIView" frame="0 0 390 90"/></view></view></viewTree>"""
        self.service.request("POST", "/v1/captures?name=covered", tree, "application/xml")
        capture = self.show_screen("covered")
        self.addCleanup(self.service.request, "DELETE", f"/v1/captures/{capture['id']}")
        self.page.mouse.click(*self.place_of(2))
        self.page.wait_for_selector(".circle-panel h2:has-text('Beneath')")

    def test_a_screen_with_an_element_far_away_opens(self):
        # UIKit gives the dots of a page control without a width such a place.
        tree = b"""<viewTree version="1"><view class="UIWindow" frame="0 0 390 844">
          <view class="UIPageControl" frame="-7.3787e+19 0 98 26" actions="turn:"/>
          <view class="UIButton" frame="10 90 200 60" title="Near" actions="a:"/></view></viewTree>"""
        self.service.request("POST", "/v1/captures?name=far-away", tree, "application/xml")
        capture = self.show_screen("far-away")
        self.addCleanup(self.service.request, "DELETE", f"/v1/captures/{capture['id']}")
        self.page.mouse.click(*self.place_of(2))
        self.page.wait_for_selector(".circle-panel h2:has-text('Near')")

    def test_an_element_can_be_excluded_and_tried_before_anything_is_saved(self):
        page = self.page
        capture = self.show_screen("home-feed")
        button = self.element(capture, **{"class": "UIButton", "content": "加入"})
        page.mouse.click(*self.place_of(button["element"]))
        self.circle_once_more()
        page.locator("label:has-text('Exclude')").click()
        page.locator("summary:has-text('Try it')").click()
        page.get_by_role("button", name="A tap on this element").click()
        page.wait_for_selector(".explain .badge:has-text('excluded')")

    def test_circling_overwrites_no_rule_unasked(self):
        page = self.page
        theirs = {"include": {"event": "$AppClick", "page": "Theirs"}}
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/theirs", theirs)
        capture = self.show_screen("home-feed")
        button = self.element(capture, **{"class": "UIButton", "content": "加入"})
        page.mouse.click(*self.place_of(button["element"]))
        self.circle_once_more()
        self.assertIn("加入", page.get_by_label("Rule id").input_value(), "ids keep Chinese")
        page.get_by_label("Rule id").fill("theirs")
        page.get_by_role("button", name="Save as draft").click()
        page.wait_for_selector("text=A rule theirs already exists.")
        kept = self.service.request("GET", "/v1/rulesets/default/draft/rules/theirs")
        self.assertEqual(kept["include"], theirs["include"])
        page.get_by_role("button", name="Replace it").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        changed = self.service.request("GET", "/v1/rulesets/default/draft/rules/theirs")
        self.assertNotEqual(changed["include"], theirs["include"])
        self.discard_draft_at_end()

    def test_a_rule_is_tried_with_the_others(self):
        page = self.page
        capture = self.show_screen("home-feed")
        button = self.element(capture, **{"class": "UIButton", "content": "加入"})
        exclusion = {"exclude": {"event": "$AppClick", "page": button["page"]}}
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/none-here", exclusion)
        page.mouse.click(*self.place_of(button["element"]))
        self.circle_once_more()
        page.locator("summary:has-text('Try it')").click()
        page.get_by_role("button", name="A tap on this element").click()
        page.wait_for_selector(".explain .badge:has-text('excluded')")
        self.discard_draft_at_end()

    def test_saving_a_rule_on_its_page_keeps_what_the_page_does_not_show(self):
        page = self.page
        rule = {"name": "Old", "owner": "lin", "tags": ["cart"], "from": "2026-01-01",
                "include": {"event": "$AppClick", "page": "HomeViewController"}, "unless": {"page": "Other"}}
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/whole", rule)
        before = self.service.request("GET", "/v1/rulesets/default/draft/rules/whole")
        self.show("/rule/whole")
        page.get_by_label("Name", exact=True).fill("New")
        page.get_by_role("button", name="Save as draft").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        after = self.service.request("GET", "/v1/rulesets/default/draft/rules/whole")
        self.assertEqual(after, {**before, "name": "New"})
        self.discard_draft_at_end()

    @staticmethod
    def tap(element, user):
        return {"type": "track", "event": "$AppClick", "time": 0, "distinct_id": user, "properties": {
            "$element_path": element["path"], "$screen_name": element["page"], "$element_content": element["content"],
            "event_id": element["event_id"]}, "event_id": element["event_id"]}


if __name__ == "__main__":
    unittest.main()
