"""Elements already circled on a screen: rings, the rule that a click opens, its edits; rules about several elements and pages."""

import unittest

from support import HeldRequests, PageTest


class Circled(PageTest):
    def tearDown(self):
        super().tearDown()
        try:
            self.service.request("DELETE", "/v1/rulesets/default/draft")
        except OSError:
            pass

    def rule(self, id):
        return self.service.request("GET", f"/v1/rulesets/default/draft/rules/{id}")

    def rings(self):
        return self.page.evaluate("() => window.encirclePicture.rings.map(one => [one.rule.id, one.rule.stage, one.element])")

    def button(self, capture, row=None):
        """The button 加入 of the first section, or of a row of the second, whose rows the capture has in reverse order."""
        path = "section:0" if row is None else f"section:1_row:{row}"
        elements = self.service.request("GET", f"/v1/captures/{capture['id']}/elements")["elements"]
        buttons = [one for one in elements if one["class"] == "UIButton" and one["content"] == "加入"]
        return {0: buttons[1], 1: buttons[0], None: buttons[2]}[row] if len(buttons) == 3 else self.fail(path)

    def test_rings_show_what_is_in_force_and_what_is_in_the_draft(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/home.stepper",
                             {"name": "新的", "include": {"event": "$AppClick", "page": "HomeViewController", "selector": "ProductCell(section:1 row:0)/**/UIButton"}})
        self.show_screen("home-feed")
        page.wait_for_function("() => window.encirclePicture.rings.length > 5")
        stages = {stage for _, stage, _ in self.rings()}
        self.assertEqual(stages, {"published", "draft"})
        listed = page.locator(".circled-rule:has-text('新的')")
        self.assertIn("draft", listed.inner_text(), "a word says what the colour says")
        self.assertIn("in force", page.locator(".circled-rule").first.inner_text())
        page.get_by_role("button", name="Circled", exact=True).click()
        self.assertEqual(self.rings(), [])
        page.get_by_role("button", name="Circled", exact=True).click()
        page.wait_for_function("() => window.encirclePicture.rings.length > 5")

    def test_a_click_on_a_circled_element_opens_its_rule_which_is_edited_in_place(self):
        page = self.page
        rule = {"name": "好", "description": "d", "owner": "lin", "tags": ["a", "b"], "from": "2026-01-01", "unless": {"page": "Other"},
                "include": {"event": "$AppClick", "page": "HomeViewController", "selector": "ProductCell(section:1 row:0)/**/UIButton"}}
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/mine", rule)
        capture = self.show_screen("home-feed")
        page.wait_for_function("() => window.encirclePicture.rings.length > 5")
        page.mouse.click(*self.place_of(self.button(capture, 0)["element"]))
        page.wait_for_selector("text=Already circled as 好")
        self.wait_for_counts()
        self.assertEqual(page.get_by_label("Rule id").input_value(), "mine")
        self.assertEqual(page.get_by_label("Owner").input_value(), "lin")
        self.assertEqual(page.get_by_label("Tags").input_value(), "a, b")
        page.locator(".chips label:has-text('Any row')").click()
        self.wait_for_counts()
        page.get_by_label("Tags").fill("a，c")
        page.get_by_role("button", name="Save the changes as draft").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        saved = self.rule("mine")
        self.assertNotEqual(saved["include"], rule["include"])
        self.assertEqual(saved["tags"], ["a", "c"])
        for key in ("name", "description", "owner", "from", "unless"):
            self.assertEqual(saved[key], rule[key], key)

    def test_saving_in_the_panel_writes_only_its_changes(self):
        page = self.page
        clauses = [{"event": "$AppClick", "page": "HomeViewController", "selector": f"ProductCell(section:1 row:{row})/**/UIButton"} for row in (0, 1)]
        rule = {"name": "好", "tags": ["a, b", "红、蓝"], "emit": ["one", "two"], "include": clauses}
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/mine", rule)
        capture = self.show_screen("home-feed")
        page.wait_for_function("() => window.encirclePicture.rings.length > 5")
        page.mouse.click(*self.place_of(self.button(capture, 1)["element"]))
        page.wait_for_selector("text=Already circled as 好")
        self.wait_for_counts()
        page.get_by_label("Owner").fill("lin")
        page.get_by_role("button", name="Save the changes as draft").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        saved = self.rule("mine")
        self.assertEqual({key: saved.get(key) for key in [*rule, "owner"]}, {**rule, "owner": "lin"})
        self.service.request("PATCH", "/v1/rulesets/default/draft/rules/mine", {"description": "Theirs"})
        page.get_by_label("Event name").fill("one, two, three")
        page.get_by_role("button", name="Save the changes as draft").click()
        page.get_by_role("button", name="Replace it").wait_for()
        self.assertEqual(self.rule("mine")["emit"], ["one", "two"], "somebody else has changed the rule meanwhile")
        page.get_by_role("button", name="Replace it").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        saved = self.rule("mine")
        self.assertEqual((saved["emit"], saved["description"], saved["include"]), (["one", "two", "three"], "Theirs", clauses))

    def test_what_is_written_in_the_panel_survives_other_elements_views_and_a_reload_until_it_is_saved(self):
        page = self.page
        capture = self.show_screen("home-feed")
        # A count, so that nothing of the screen is read any more.
        page.wait_for_function("() => window.encirclePicture.rings.length > 3")
        place = self.place_of(self.button(capture, 0)["element"])
        page.mouse.click(*place)
        self.wait_for_counts()
        self.circle_once_more()
        page.get_by_label("Rule id").fill("kept.rule")
        page.get_by_label("Name", exact=True).fill("还在")
        page.locator(".chips label:has-text('Any row')").click()
        self.wait_for_counts()
        count = page.locator(".counts strong").first.inner_text()

        def is_back():
            page.get_by_text("Your unsaved changes are back.").wait_for()
            self.wait_for_counts()
            self.assertEqual(page.get_by_label("Rule id").input_value(), "kept.rule")
            self.assertEqual(page.get_by_label("Name", exact=True).input_value(), "还在")
            self.assertTrue(page.locator(".chips label:has-text('Any row') input").is_checked())
            self.assertEqual(page.locator(".counts strong").first.inner_text(), count)

        page.mouse.click(*self.place_of(self.button(capture)["element"]))
        self.wait_for_counts()
        self.assertEqual(page.get_by_text("Your unsaved changes are back.").count(), 0)
        page.go_back()
        is_back()
        page.reload()
        is_back()
        self.show("/rules")
        self.show_screen("home-feed")
        page.mouse.click(*place)
        is_back()
        page.get_by_role("button", name="Save as draft").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        self.assertEqual(self.rule("kept.rule")["name"], "还在")
        page.reload()
        self.wait_for_counts()
        self.assertEqual(page.get_by_text("Your unsaved changes are back.").count(), 0)

    def test_one_rule_can_be_about_a_further_element(self):
        page = self.page
        capture = self.show_screen("cart")
        page.wait_for_function("() => window.encirclePicture.size.width > 0")
        elements = self.service.request("GET", f"/v1/captures/{capture['id']}/elements")["elements"]
        first = next(one for one in elements if one["class"] == "UISwitch")
        second = next(one for one in elements if one["class"] == "UIStepper")
        page.mouse.click(*self.place_of(first["element"]))
        page.wait_for_selector(".circle-panel h2")
        self.wait_for_counts()
        again = page.get_by_role("button", name="Circle it once more")
        if again.count():
            again.click()
            self.wait_for_counts()
        page.get_by_role("button", name="Or this element, too").click()
        page.mouse.click(*self.place_of(second["element"]))
        page.wait_for_selector("text=It also matches")
        self.wait_for_counts()
        page.get_by_label("Rule id").fill("both")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        clauses = self.rule("both")["include"]
        self.assertEqual(len(clauses), 2)
        self.assertNotEqual(*clauses)

    def test_a_box_chooses_several_elements_for_one_rule(self):
        page = self.page
        capture = self.show_screen("home-feed")
        buttons = [self.place_of(self.button(capture, row)["element"]) for row in (0, 1)]
        page.keyboard.down("Shift")
        page.mouse.move(buttons[0][0] - 50, buttons[0][1] - 30)
        page.mouse.down()
        page.mouse.move(buttons[1][0] + 50, buttons[1][1] + 30, steps=4)
        page.mouse.up()
        page.keyboard.up("Shift")
        page.wait_for_selector("text=2 elements in one rule")
        page.wait_for_selector(".circle-panel h2:has-text('加入')")

    def test_a_box_around_too_many_elements_says_how_many_of_them_are_in_the_rule(self):
        page = self.page
        views = "".join(f'<view class="B{number}" superclasses="UIButton UIControl UIView" frame="10 {90 + 25 * number} 200 20" title="b{number}" actions="a:"/>'
                        for number in range(25))
        tree = (f'<viewTree version="1" app="a" os="iOS" screen="390 844"><view class="UIWindow" frame="0 0 390 844">'
                f'<view class="UIView" frame="0 0 390 844" controller="ManyViewController">{views}</view></view></viewTree>')
        self.service.request("POST", "/v1/captures?name=boxed", tree.encode(), "application/xml")
        capture = self.show_screen("boxed")
        first, last = (self.place_of(self.element(capture, content=name)["element"]) for name in ("b0", "b24"))
        page.keyboard.down("Shift")
        page.mouse.move(first[0] - 110, first[1] - 15)
        page.mouse.down()
        page.mouse.move(last[0] + 110, last[1] + 15, steps=4)
        page.mouse.up()
        page.keyboard.up("Shift")
        page.get_by_text("20 of 25 elements in one rule").wait_for()

    def test_unreadable_details_of_an_element_are_read_again(self):
        page = self.page
        failures = [503, 503]
        page.route("**/v1/chips", lambda route: route.fulfill(status=failures.pop()) if failures else route.fallback())
        capture = self.show_screen("home-feed")
        page.mouse.click(*self.place_of(self.button(capture, 0)["element"]))
        again = page.locator(".circle-panel").get_by_role("button", name="Try again")
        again.click()
        page.wait_for_function("() => document.querySelector('.circle-panel[aria-busy=false]')")
        again.click()
        self.wait_for_counts()
        # Where a further choice fails, nothing is kept that mixes it with the earlier clause.
        self.circle_once_more()
        row = page.locator(".chips label:has-text('This row')")
        failures.append(503)
        row.click()
        again.click()
        self.wait_for_counts()
        self.assertTrue(row.locator("input").is_checked())
        page.reload()
        self.wait_for_counts()
        self.assertTrue(row.locator("input").is_checked(), "a choice that succeeded at last is kept")

    def test_details_that_come_late_or_fail_late_are_not_those_of_another_element(self):
        page = self.page
        capture = self.show_screen("home-feed")
        first, second = (self.button(capture, row)["element"] for row in (0, 1))
        late = HeldRequests(page, f"**/elements/{first}")
        page.get_by_role("tab", name="Element").click()
        page.mouse.click(*self.place_of(first))
        page.mouse.click(*self.place_of(second))
        details = page.get_by_role("tabpanel")
        details.get_by_role("heading", name="Path").wait_for()
        late[0].fulfill(status=503)
        page.mouse.click(*self.place_of(first))
        details.get_by_role("heading", name="Path").wait_for(state="detached")
        with page.expect_event("requestfinished"):
            late[1].fulfill(status=503)
        details.get_by_role("button", name="Try again").click()
        with page.expect_event("requestfinished"):
            late[2].continue_()
        details.get_by_role("heading", name="Path").wait_for()

    def test_what_was_circled_in_an_earlier_period_does_not_replace_the_present_one(self):
        page = self.page
        self.show_screen("home-feed")
        page.wait_for_function("() => window.encirclePicture.rings.length > 0")
        late = HeldRequests(page, "**/captures/*/rules?*", "days=1")
        page.get_by_label("24 hours").check()
        page.wait_for_timeout(200)
        with page.expect_response("**/captures/*/rules?*"):
            page.get_by_label("7 days").check()
        with page.expect_event("requestfinished"):
            late[0].fulfill(json={"rules": [], "starts": [], "elements": []})
        page.wait_for_timeout(200)
        self.assertGreater(page.evaluate("() => window.encirclePicture.rings.length"), 0)

    def test_nothing_is_marked_once_nothing_is_selected(self):
        page = self.page
        capture = self.show_screen("home-feed")
        page.mouse.click(*self.place_of(self.button(capture, 0)["element"]))
        # In one step, because the elements are counted a moment after they are shown.
        page.wait_for_function("""() => {
          if (!document.querySelector(".circle-panel .counts")) return false;
          document.querySelector(".stage").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
          return true;
        }""")
        page.wait_for_timeout(500)
        self.assertEqual(page.evaluate("() => window.encirclePicture.matches"), [])

    def test_each_of_several_selectors_can_be_edited_by_hand(self):
        page = self.page
        # As a repair leaves a rule: with the selectors of the old and the new release.
        selectors = ["CartFooterView(0)/CheckoutButton(0,1)", "OldFooterView/CheckoutButton"]
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/cart.pay",
                             {"include": {"event": "$AppClick", "page": "CartViewController", "selector": selectors}})
        capture = self.service.capture("cart")
        button = self.element(capture, **{"class": "CheckoutButton"})
        self.show(f"/screen/{capture['id']}?element={button['element']}")
        self.wait_for_counts()
        card = page.locator(".circled-card", has_text="cart.pay")
        if card.get_by_role("button", name="Edit").count():
            card.get_by_role("button", name="Edit").click()
            self.wait_for_counts()
        page.locator("summary", has_text="Advanced").click()
        box = page.get_by_label("Selector", exact=True)
        self.assertEqual(box.input_value(), "\n".join(selectors))
        box.fill("\n".join([selectors[0], "OlderFooterView/CheckoutButton"]))
        page.wait_for_function("() => document.querySelector('.circle-panel[aria-busy=false] .counts strong')?.textContent === '1'")
        page.locator(".circle-panel form button[type=submit]").first.click()
        page.get_by_role("link", name="Review and publish").wait_for()
        self.assertEqual(self.rule("cart.pay")["include"]["selector"], [selectors[0], "OlderFooterView/CheckoutButton"])

    def test_the_page_itself_is_circled_by_its_title(self):
        page = self.page
        self.show_screen("cart")
        page.get_by_role("button", name="购物车", exact=True).click()
        page.get_by_label("Rule id").fill("cart.viewed")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        self.assertEqual(self.rule("cart.viewed")["include"], {"event": "$AppViewScreen", "page": "CartViewController"})
        # The next click on the title opens this rule rather than another one about the same.
        self.show_screen("cart")
        page.get_by_role("button", name="购物车", exact=True).click()
        page.get_by_text("Already circled as 购物车 is viewed").wait_for()
        self.assertEqual(page.get_by_label("Rule id").input_value(), "cart.viewed")
        page.get_by_label("Event name").fill("cart_viewed")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("link", name="Review and publish").wait_for()
        self.assertEqual(self.rule("cart.viewed")["emit"], "cart_viewed")

    def test_the_period_is_chosen_once_for_all_counts(self):
        page = self.page
        capture = self.show_screen("home-feed")
        button = self.button(capture, 0)
        self.service.send(*({"type": "track", "event": "$AppClick", "distinct_id": f"u{number}", "_track_id": number, "event_id": button["event_id"],
                             "properties": {"$app_id": "com.example.shop", "$app_version": "5.2.1", "$element_path": button["path"], "$screen_name": button["page"], "$element_content": "加入"}} for number in range(3)))
        page.get_by_label("24 hours").check()
        page.wait_for_function("() => window.encirclePicture.rings.some(one => one.rule.events === 3 && one.rule.series.length === 24)")
        page.get_by_role("button", name="Heat map").click()
        page.wait_for_selector("text=3 taps, 24 hours")
        # Beside an element, too.
        page.mouse.click(*self.place_of(button["element"]))
        self.wait_for_counts()
        page.locator(".counts", has_text="events in 24 hours").wait_for()
        page.get_by_label("7 days").check()
        page.locator(".taps", has_text="7 days").wait_for()
        page.locator(".counts", has_text="events in 7 days").wait_for()
        self.show("/")
        self.assertTrue(page.get_by_label("7 days").is_checked())
        page.get_by_label("30 days").check()
        self.show_screen("home-feed")
        self.assertTrue(page.get_by_label("30 days").is_checked())

    def test_a_screen_of_another_platform_than_the_rules_says_that_they_do_not_match_there(self):
        self.show_screen("home-feed")
        self.page.wait_for_function("() => window.encirclePicture.rings.length > 0")
        warning = self.page.locator("main .notice.warn", has_text="another platform")
        self.assertEqual(warning.count(), 0)
        self.show_screen("android-shop")
        warning.wait_for()
        self.assertIn("the style hubbledata", warning.inner_text())
        warning.get_by_role("link", name="Text").click()
        self.page.wait_for_selector("h1:has-text('Text')")


if __name__ == "__main__":
    unittest.main()
