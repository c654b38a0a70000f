"""Many elements at once: chosen by box, by list and as a whole screen, named in a table by keyboard, saved as one draft; and rings."""

import unittest
import urllib.error

from support import PageTest


class Many(PageTest):
    def setUp(self):
        super().setUp()
        # Nothing is circled, so that all can be.
        self.service.request("PUT", "/v1/rulesets/default?reason=empty", b"version: 1\nrules: [{ id: other, include: { event: other } }]\n",
                             "application/yaml", {"If-Match": "*"})
        self.page.set_default_timeout(20_000)
        self.saves = []
        self.page.on("request", lambda request: self.saves.append(request.url) if request.method == "PATCH" else None)

    def rules(self):
        """The rules of the draft except the one from before; none without a draft."""
        try:
            rules = self.service.request("GET", "/v1/rulesets/default/rules?draft=true&limit=500")["rules"]
        except urllib.error.HTTPError:
            return {}
        return {rule["id"]: rule for rule in rules if rule["id"] != "other"}

    def buttons(self, capture):
        elements = self.service.request("GET", f"/v1/captures/{capture['id']}/elements")["elements"]
        return [one for one in elements if one["class"] == "UIButton" and one.get("content") == "加入"]

    def open_several(self):
        self.page.get_by_role("tab", name="Several").click()
        self.page.wait_for_selector(".many-list input")

    def test_a_box_and_clicks_choose_and_a_table_edited_by_keyboard_becomes_one_draft(self):
        page = self.page
        capture = self.show_screen("home-feed")
        self.open_several()
        places = [self.place_of(button["element"]) for button in self.buttons(capture)[:2]]
        (left, top), (right, bottom) = min(places), max(places)
        page.keyboard.down("Shift")
        page.mouse.move(min(left, right) - 50, min(top, bottom) - 30)
        page.mouse.down()
        page.mouse.move(max(left, right) + 50, max(top, bottom) + 30, steps=4)
        page.mouse.up()
        page.keyboard.up("Shift")
        page.wait_for_selector(".chosen-bar:has-text('2 elements chosen')")
        # One more, and without it again.
        other = self.element(capture, **{"class": "CountButton"})
        for count in (3, 2, 3):
            page.keyboard.down("Control")
            page.mouse.click(*self.place_of(other["element"]))
            page.keyboard.up("Control")
            page.wait_for_selector(f".chosen-bar:has-text('{count} elements chosen')")
        self.assertEqual(page.evaluate("() => window.encirclePicture.chosen.size"), 3)
        page.locator("summary:has-text('How rules are named')").click()
        page.get_by_label("Template of ids").fill("{page}.{element}")
        page.get_by_label("Words").fill("加入 add")
        page.get_by_role("button", name="A rule for each").click()
        page.wait_for_selector("text=This line has no word behind a colon: 加入 add")
        page.get_by_label("Words").fill("加入: add")
        page.get_by_role("button", name="A rule for each").click()
        dialog = page.get_by_role("dialog")
        dialog.wait_for()
        # Both buttons are one element, in any row.
        rows = dialog.locator("tbody tr")
        self.assertEqual(rows.count(), 2)
        self.assertIn("home.add", [rows.nth(number).locator("[data-column=id]").input_value() for number in range(2)])
        # By keyboard alone: the name has the focus, Tab goes to the id, Enter to the next row's id.
        self.assertEqual(page.evaluate("() => document.activeElement.dataset.column"), "name")
        page.keyboard.press("Control+A")
        page.keyboard.type("First")
        page.keyboard.press("Tab")
        page.keyboard.press("Control+A")
        page.keyboard.type("same")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("() => document.activeElement.dataset.row + document.activeElement.dataset.column"), "1id")
        page.keyboard.type("same")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("dialog .problem:has-text('Another rule of the table has this id.')")
        page.keyboard.press("Control+A")
        page.keyboard.type("second")
        # What was typed survives the way out and back.
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        page.get_by_role("button", name="Go on with the table (2)").click()
        self.assertEqual(dialog.locator("[data-row='1'][data-column=id]").input_value(), "second")
        dialog.locator("[data-row='1'][data-column=id]").focus()
        page.keyboard.down("Control")
        # The key is held, so that it repeats.
        for _ in range(3):
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        page.keyboard.up("Control")
        page.wait_for_selector("text=2 rules are in the draft.")
        self.assertEqual(len(self.saves), 1, "all are one change")
        self.assertEqual(page.locator(".toast.bad").count(), 0)
        rules = self.rules()
        self.assertEqual(set(rules), {"same", "second"})
        self.assertEqual(rules["same"]["name"], "First")
        page.wait_for_function("() => window.encirclePicture.rings.length > 1")
        self.assertEqual(page.evaluate("() => window.encirclePicture.chosen.size"), 0)
        self.discard_draft_at_end()

    def test_elements_are_chosen_in_the_list(self):
        page = self.page
        self.show_screen("cart")
        self.open_several()
        # Only the rows in sight are in the document.
        page.locator(".many-list").evaluate("node => { node.scrollTop = node.scrollHeight; }")
        page.get_by_role("checkbox", name="去结算").check()
        page.wait_for_selector(".many-panel strong:has-text('1 of')")
        page.get_by_role("button", name="A rule for each").click()
        page.wait_for_selector("dialog tbody tr")
        self.assertEqual(page.locator("dialog [data-column=name]").input_value(), "去结算(3)")
        page.get_by_role("dialog").get_by_role("button", name="Save all as draft").click()
        page.wait_for_selector("text=1 rule is in the draft.")
        (rule,) = self.rules().values()
        self.assertEqual(rule["clauses"][0]["selector"], "CheckoutButton")
        self.discard_draft_at_end()

    def test_the_whole_screen_is_chosen_and_doubtful_selectors_say_why(self):
        page = self.page
        capture = self.show_screen("settings.wda")
        self.open_several()
        page.get_by_role("button", name="All tracked of this screen").click()
        page.get_by_role("button", name="A rule for each").click()
        page.wait_for_selector("dialog tbody tr")
        rows = page.locator("dialog tbody tr")
        self.assertGreater(rows.count(), 3)
        self.assertGreater(page.locator("dialog tr.doubtful .why li").count(), 0)
        self.assertIn("Doubtful", page.locator("dialog tr.doubtful .why").first.inner_text())
        # One is left out, and of another the selector is wrong.
        left_out = page.locator("dialog [data-column=id]").first.input_value()
        page.locator("dialog tbody input[type=checkbox]").first.uncheck()
        selector = page.locator("dialog [data-row='1'][data-column=selector]")
        right = selector.input_value()
        selector.fill("A/B(")
        page.get_by_role("dialog").get_by_role("button", name="Save all as draft").click()
        page.wait_for_selector("dialog .notice.bad:not([hidden])")
        self.assertEqual(self.rules(), {}, "nothing was saved")
        selector.fill(right)
        count = rows.count() - 1
        page.get_by_role("dialog").get_by_role("button", name="Save all as draft").click()
        page.wait_for_selector(f"text={count} rules are in the draft.")
        rules = self.rules()
        self.assertEqual(len(rules), count)
        self.assertNotIn(left_out, rules)
        # The same again: they are circled now.
        page.get_by_role("button", name="All tracked of this screen").click()
        page.get_by_role("button", name="A rule for each").click()
        page.wait_for_selector("dialog tbody tr")
        self.assertEqual(page.locator("dialog [data-column=id]").count(), 1)
        self.assertIn("have rules already", page.get_by_role("dialog").inner_text())
        page.keyboard.press("Escape")
        self.discard_draft_at_end()
        self.assertTrue(capture)

    def test_rings_with_numbers_of_taps_and_a_click_on_one_circles(self):
        page = self.page
        capture = self.service.capture("home-feed")
        control = self.element(capture, **{"class": "CountButton"})
        ringed = control["element"]
        for number in range(3):
            self.service.send({"event": "$AppClick", "distinct_id": "u", "_track_id": 7000 + number, "event_id": control["event_id"],
                               "properties": {"$screen_name": "HomeViewController"}})
        self.show("/coverage")
        # The screen with the most taps comes first.
        page.wait_for_selector(".coverage-picture select option:checked:has-text('HomeViewController')", state="attached")
        page.wait_for_function("number => window.encirclePicture?.openRings.some(one => one.element === number && one.taps === 3)", arg=ringed)
        rings = page.get_by_role("button", name="Rings")
        rings.click()
        self.assertEqual(page.evaluate("() => window.encirclePicture.openRings.length"), 0)
        self.assertEqual(rings.get_attribute("aria-pressed"), "false")
        rings.click()
        # By keyboard: from ring to ring, with a link that circles.
        page.locator(".coverage-picture .stage").focus()
        page.keyboard.press("n")
        page.locator(".coverage-picture").get_by_role("link", name="Circle it").wait_for()
        page.evaluate("() => window.encirclePicture.stage.scrollIntoView()")
        page.mouse.click(*self.place_of(ringed))
        page.wait_for_function("place => location.hash.startsWith(place)", arg=f"#/screen/{capture['id']}?element={ringed}")
        page.wait_for_selector(".circle-panel")
        self.wait_for_counts()

    def test_owner_tags_and_status_of_many_rules_are_one_change(self):
        page = self.page
        text = ("version: 1\nrules:\n  - { id: a, owner: lin, tags: [old], include: { event: a } }\n  - { id: b, tags: [x], include: { event: b } }\n"
                "  - { id: c, include: { event: c } }\n")
        self.service.request("PUT", "/v1/rulesets/default?reason=three", text.encode(), "application/yaml", {"If-Match": "*"})
        self.show("/rules")
        page.get_by_role("button", name="Edit several").click()
        page.get_by_role("checkbox", name="Choose a").check()
        page.get_by_role("checkbox", name="Choose b").check()
        page.wait_for_selector("text=2 rules chosen")
        page.get_by_role("button", name="Owner, tags, status").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Save as draft").click()
        page.wait_for_selector("text=Nothing changes by this.")
        dialog.locator("label:has-text('disabled')").click()
        dialog.get_by_label("Owner").fill("wang")
        dialog.get_by_label("Add tags").fill("cart, x")
        dialog.get_by_label("Take tags away").fill("old")
        # What somebody else changes meanwhile stays.
        self.service.request("PATCH", "/v1/rulesets/default/draft/rules/b", {"tags": ["x", "theirs"]})
        dialog.get_by_role("button", name="Save as draft").click()
        page.wait_for_selector("text=2 rules are changed in the draft.")
        self.assertEqual(len(self.saves), 1)
        self.assertEqual(page.evaluate("() => document.activeElement.id"), "content", "the button that opened the dialog is gone")
        rules = self.rules()
        for name in ("a", "b"):
            self.assertEqual((rules[name]["owner"], rules[name]["enabled"]), ("wang", False), name)
        self.assertEqual((rules["a"]["tags"], rules["b"]["tags"]), (["cart", "x"], ["x", "theirs", "cart"]))
        self.assertEqual((rules["c"].get("owner"), rules["c"]["enabled"]), (None, True))
        self.discard_draft_at_end()


if __name__ == "__main__":
    unittest.main()
