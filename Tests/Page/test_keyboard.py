"""The whole way by keyboard alone: no test here moves the pointer."""

import unittest

from support import HeldRequests, PageTest


class Keyboard(PageTest):
    def press_until(self, key, script, limit=120):
        """Presses a key until what has the focus is wanted."""
        for _ in range(limit):
            if self.page.evaluate(f"() => {{ const focused = document.activeElement; return {script}; }}"):
                return
            self.page.keyboard.press(key)
        self.fail(f"{key} never leads to {script}")

    def focus(self, text):
        self.press_until("Tab", f"(focused.getAttribute('aria-label') ?? focused.textContent).trim().startsWith({text!r})")

    def test_circle_and_publish(self):
        page = self.page
        self.show("/")
        self.focus("Screens")
        page.keyboard.press("Enter")
        page.wait_for_selector(".screen-card")
        page.keyboard.press("Tab")
        self.press_until("Tab", "focused.type === 'search'")
        page.keyboard.type("HomeViewController")
        page.wait_for_function("() => document.querySelectorAll('.screen-card').length === 1")
        self.press_until("Tab", "Boolean(focused.closest('.screen-card'))")
        page.keyboard.press("Enter")
        page.wait_for_function("() => window.encirclePicture?.size.width > 0")
        self.press_until("Tab", "focused.classList.contains('stage')")
        self.press_until("n", "window.encirclePicture.selected?.content === '加入' && window.encirclePicture.selected?.class === 'UIButton'")
        self.wait_for_counts()
        self.press_until("Tab", "focused.type === 'radio'")
        page.keyboard.press("ArrowRight")
        self.wait_for_counts()
        self.assertTrue(page.evaluate("() => document.activeElement.type === 'radio'"), "the focus stays at the chip")
        self.press_until("Tab", "focused.labels?.[0]?.textContent === 'Rule id'")
        page.keyboard.press("Control+A")
        page.keyboard.type("by.keyboard")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Review and publish")
        self.focus("Review and publish")
        page.keyboard.press("Enter")
        page.wait_for_selector(".diff .add:has-text('by.keyboard')")
        # A request for the rules of the draft would fail once it is published.
        page.wait_for_selector(".changed-rule:has-text('by.keyboard')")
        self.press_until("Tab", "focused.name === 'reason'")
        page.keyboard.type("without a mouse")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=without a mouse")
        ids = [rule["id"] for rule in self.service.request("GET", "/v1/rulesets/default/rules?search=by.keyboard")["rules"]]
        self.assertEqual(ids, ["by.keyboard"])

    def test_the_picture_zooms_and_steps(self):
        page = self.page
        self.show_screen("home-feed")
        page.locator(".stage").focus()
        scale = page.evaluate("() => window.encirclePicture.view.scale")
        page.keyboard.press("+")
        self.assertGreater(page.evaluate("() => window.encirclePicture.view.scale"), scale)
        page.keyboard.press("0")
        self.assertAlmostEqual(page.evaluate("() => window.encirclePicture.view.scale"), scale)
        page.keyboard.press("n")
        first = page.evaluate("() => window.encirclePicture.selected.element")
        page.keyboard.press("n")
        page.keyboard.press("p")
        self.assertEqual(page.evaluate("() => window.encirclePicture.selected.element"), first)
        page.keyboard.press("Escape")
        self.assertIsNone(page.evaluate("() => window.encirclePicture.selected"))
        page.keyboard.press("p")
        self.assertTrue(page.evaluate("() => window.encirclePicture.selected === window.encirclePicture.tracked.at(-1)"))
        # Enter goes beneath what is selected, wherever the last click was.
        page.keyboard.press("Escape")
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        page.keyboard.press("n")
        page.keyboard.press("n")
        above = page.evaluate("() => window.encirclePicture.selected.frame")
        page.keyboard.press("Enter")
        beneath = page.evaluate("() => window.encirclePicture.selected.frame")
        self.assertNotEqual(beneath, above)
        x, y = above[0] + above[2] / 2, above[1] + above[3] / 2
        self.assertTrue(beneath[0] <= x <= beneath[0] + beneath[2] and beneath[1] <= y <= beneath[1] + beneath[3])

    def test_a_choice_that_draws_the_view_anew_keeps_the_focus(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/other", b"version: 1\nrules: []\n", "application/yaml", {"If-Match": "*"})
        for view in ("/", "/rules", "/rule/home.scan", "/rules/draft", "/coverage"):
            self.show(view)
            days = page.get_by_role("group", name="Period").get_by_role("radio")
            days.nth(1).check()
            page.wait_for_function("() => !document.querySelector('.skeleton')")
            days.nth(1).focus()
            for key, place in (("ArrowRight", 2), ("ArrowLeft", 1)):
                page.keyboard.press(key)
                page.wait_for_function("() => !document.querySelector('.skeleton')")
                self.assertTrue(days.nth(place).evaluate("one => one.checked && one === document.activeElement"), f"{view} {key}")
        chooser = page.get_by_role("combobox", name="Rule set")
        chooser.focus()
        page.keyboard.press("o")
        page.wait_for_function("() => JSON.parse(localStorage.getItem('encircle')).ruleset === 'other'")
        page.wait_for_load_state("networkidle")
        self.assertTrue(chooser.evaluate("one => one === document.activeElement && one.value === 'other'"))
        language = page.get_by_role("button", name="中文")
        language.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("html[lang=zh-CN]")
        self.assertEqual(page.evaluate("() => document.activeElement.textContent"), "English")

    def test_every_rule_of_a_long_list_can_be_chosen(self):
        page = self.page
        text = "version: 1\nrules:\n" + "".join(f"  - {{ id: r{number:02}, include: {{ event: e }} }}\n" for number in range(40))
        self.service.request("PUT", "/v1/rulesets/long", text.encode(), "application/yaml", {"If-Match": "*"})
        self.show("/")
        page.evaluate("() => localStorage.setItem('encircle', JSON.stringify({ruleset: 'long'}))")
        self.show("/rules")
        self.focus("Edit several")
        page.keyboard.press("Enter")
        for number in range(40):
            self.focus(f"Choose r{number:02}")
            page.keyboard.press("Space")
            self.assertTrue(page.evaluate("() => document.activeElement.checked"), number)
        page.get_by_text("40 rules chosen").wait_for()
        # The list scrolls while the key is held down.
        page.keyboard.down("Space")
        page.locator(".list").evaluate("list => { list.scrollTop -= 300; }")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.keyboard.up("Space")
        page.get_by_text("39 rules chosen").wait_for()
        self.assertEqual(page.locator(".list [data-index]").evaluate_all("lines => lines.filter((line, place) => line.dataset.index - lines[0].dataset.index !== place)"), [])

    def test_figures_that_come_later_leave_the_focus_where_it_is(self):
        page = self.page
        late = HeldRequests(page, "**/v1/reports/health*")
        self.show("/")
        tile = page.locator("a.tile").first
        tile.focus()
        late[0].continue_()
        page.wait_for_selector("a.tile:has-text('all is well')")
        self.assertTrue(tile.evaluate("one => one === document.activeElement"))

    def test_the_tree_opens_closes_and_tells_its_state(self):
        page = self.page
        self.show_screen("home-feed")
        page.get_by_role("tab", name="Tree").click()
        tree = page.get_by_role("tree")
        tree.focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowLeft")
        root = page.locator("[role=treeitem]").first
        self.assertEqual(root.get_attribute("aria-expanded"), "false")
        self.assertEqual(page.locator("[role=treeitem]").count(), 1)
        page.keyboard.press("ArrowRight")
        self.assertEqual(root.get_attribute("aria-expanded"), "true")
        self.assertEqual(tree.get_attribute("aria-activedescendant"), root.get_attribute("id"))

    def test_a_button_that_waits_for_its_answer_keeps_the_keyboard(self):
        page = self.page
        path = "/v1/rulesets/default/draft"
        self.service.request("PUT", f"{path}/rules/waiting", {"include": {"event": "waiting"}})
        self.discard_draft_at_end()
        self.show("/rule/waiting")
        page.get_by_label("Owner").fill("Ada")
        late = HeldRequests(page, f"**{path}/rules/waiting", method="PATCH")
        save = page.get_by_role("button", name="Save as draft")
        save.press("Enter")
        page.wait_for_function("() => document.activeElement === document.body")
        late[0].continue_()
        page.get_by_text("waiting is in the draft").wait_for()
        page.wait_for_function("() => document.activeElement.textContent === 'Save as draft'")

    def test_a_button_that_is_gone_after_its_answer_leaves_the_keyboard_in_the_view(self):
        page = self.page
        self.service.request("PUT", "/v1/rulesets/default/draft/rules/reverted", {"include": {"event": "reverted"}})
        self.show("/rules/draft")
        page.get_by_role("button", name="Revert: reverted").press("Enter")
        page.get_by_text("Reverted: reverted").wait_for()
        page.wait_for_function("() => document.activeElement.id === 'content'")

    def test_a_save_that_was_refused_keeps_the_keyboard(self):
        page = self.page
        self.show("/settings")
        page.get_by_label("Days to keep events").fill("31")
        refusal = {"error": {"code": "busy", "message": "The service is busy."}}
        page.route("**/v1/settings", lambda route: route.fulfill(status=503, json=refusal) if route.request.method == "PUT" else route.continue_())
        save = page.get_by_role("button", name="Save", exact=True)
        save.press("Enter")
        page.get_by_text("The service is busy.").wait_for()
        page.wait_for_function("() => document.activeElement.textContent === 'Save'")

    def test_the_field_in_which_enter_saves_a_release_keeps_the_keyboard(self):
        page = self.page
        plan = b'version: 1\nevents:\n  - { event: released, since: "5.2", tracking: code }\n'
        self.service.request("PUT", "/v1/rulesets/default/plan", plan, "application/yaml", {"If-Match": "*"})
        self.addCleanup(self.service.request, "DELETE", "/v1/rulesets/default/plan")
        self.show("/plan/releases")
        owner = page.get_by_label("Owner of the release")
        owner.fill("Lin")
        owner.press("Enter")
        page.get_by_text("The release was changed").wait_for()
        page.wait_for_function("() => document.activeElement.value === 'Lin'")

    def test_a_button_that_opens_a_table_after_its_answer_gets_the_keyboard_back(self):
        page = self.page
        self.show_screen("home-feed")
        page.get_by_role("tab", name="Several").click()
        page.locator(".many-list input").first.press("Space")
        page.get_by_role("button", name="A rule for each").press("Enter")
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        page.wait_for_function("() => document.activeElement.textContent === 'A rule for each'")


if __name__ == "__main__":
    unittest.main()
