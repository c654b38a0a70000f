"""Answers that come late do not take the place of what was chosen since, and refusals are not lost."""

import unittest

from support import HeldRequests, PageTest

PATH = "/v1/rulesets/default/draft"


class Late(PageTest):
    def requests(self, part):
        """The addresses of further requests that have this part."""
        asked = []
        self.page.on("request", lambda request: asked.append(request.url) if part in request.url else None)
        return asked

    def test_a_heat_map_that_is_switched_off_stays_off(self):
        page = self.page
        self.show_screen("home-feed")
        button = page.get_by_role("button", name="Heat map")
        late = HeldRequests(page, "**/v1/reports/heatmap*")
        with page.expect_request("**/v1/reports/heatmap*"):
            button.click()
        button.click()
        with page.expect_response("**/v1/reports/heatmap*"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(button.get_attribute("aria-pressed"), "false")
        self.assertFalse(page.locator(".heat-legend").is_visible())

    def test_a_page_whose_service_is_slow_is_not_empty(self):
        late = HeldRequests(self.page, "**/v1/session")
        self.page.goto(f"{self.service.address}/#/screens")
        self.page.locator("#app > [role=status]", has_text="Loading").wait_for()
        late[0].continue_()
        self.page.wait_for_selector("h1:has-text('Screens')")

    def test_a_checklist_that_is_being_read_is_not_empty(self):
        late = HeldRequests(self.page, "**/plan/acceptance*")
        self.page.goto(f"{self.service.address}/#/plan/acceptance?after=0")
        self.page.locator("main [role=status]", has_text="Loading").wait_for()
        late[0].fulfill(status=503, json={"error": {"code": "busy", "message": "The service is busy."}})
        self.page.get_by_text("The service is busy.").wait_for()
        self.assertEqual(self.page.locator("main .skeleton").count(), 0)

    def test_choices_that_are_made_quickly_all_count(self):
        page = self.page
        capture = self.show_screen("home-feed")
        page.mouse.click(*self.place_of(self.element(capture, **{"class": "UIButton", "content": "加入"})["element"]))
        self.wait_for_counts()
        self.circle_once_more()
        late = HeldRequests(page, "**/v1/chips", limit=1)
        choices = [page.locator(f".chips label:has-text('{choice}') input") for choice in ("This row", "Any page")]
        for choice in choices:
            self.assertFalse(choice.is_checked())
        with page.expect_request("**/v1/chips"):
            choices[0].check(force=True)
        with page.expect_response("**/v1/chips"):
            choices[1].check(force=True)
        self.wait_for_counts()
        with page.expect_response("**/v1/chips"):
            late[0].continue_()
        page.wait_for_timeout(200)
        for choice in choices:
            self.assertTrue(choice.is_checked())

    def test_a_late_trial_is_not_taken_for_the_present_one(self):
        page = self.page
        capture = self.show_screen("home-feed")
        page.mouse.click(*self.place_of(self.element(capture, **{"class": "UIButton", "content": "加入"})["element"]))
        self.circle_once_more()
        page.locator("summary:has-text('Try it')").click()
        late = HeldRequests(page, "**/v1/rules/explain", limit=1)
        tap, shown = page.get_by_role("button", name="A tap on this element"), page.locator(".circle-panel .explain")
        with page.expect_request("**/v1/rules/explain"):
            tap.click()
        page.get_by_label("Or an event as JSON").fill('{"event": "other"}')
        page.get_by_role("button", name="Try this event").click()
        shown.get_by_text("no include rule matches").wait_for()
        with page.expect_response("**/v1/rules/explain"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertIn("no include rule matches", shown.inner_text())
        # Nor is it one of the rule as it stands once that was changed.
        late = HeldRequests(page, "**/v1/rules/explain", limit=1)
        with page.expect_request("**/v1/rules/explain"):
            tap.click()
        page.locator("label:has-text('Exclude')").click()
        with page.expect_response("**/v1/rules/explain"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(shown.count(), 0)
        tap.click()
        shown.locator(".badge", has_text="excluded").wait_for()
        page.get_by_label("Rule id").fill("another.id")
        self.assertEqual(shown.count(), 0)

    def test_changes_of_a_version_that_are_closed_stay_closed(self):
        page = self.page
        self.show("/rules/history")
        line = page.locator("main ol > li").first
        button = line.get_by_role("button", name="Changes")
        late = HeldRequests(page, "**/v1/rules/diff")
        with page.expect_request("**/v1/rules/diff"):
            button.click()
        button.click()
        with page.expect_response("**/v1/rules/diff"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertFalse(line.locator(".diff").is_visible())
        page.unroute("**/v1/rules/diff")
        button.click()
        line.locator(".diff").wait_for()

    def test_pictures_are_closed_with_what_they_belong_to(self):
        # The pictures that are not closed observe their size.
        page = self.open_page()
        page.add_init_script("""
          const observed = (window.observed = new Set());
          window.ResizeObserver = class extends ResizeObserver {
            observe(node) { if (node.matches(".stage")) observed.add(this); super.observe(node); }
            disconnect() { observed.delete(this); super.disconnect(); }
          };
        """)
        count = "() => window.observed.size"
        # An event whose screen comes after another event was chosen.
        button = self.element(self.service.capture("home-feed"), **{"class": "UIButton", "content": "加入"})
        self.service.send({"event": "$AppClick", "distinct_id": "u", "event_id": button["event_id"], "properties": {}})
        self.service.send({"event": "other", "distinct_id": "u", "properties": {}})
        self.show("/live", page)
        late = HeldRequests(page, "**/v1/select")
        with page.expect_request("**/v1/select"):
            page.locator(".live-row", has_text="$AppClick").first.click()
        page.locator(".live-row", has_text="other").first.click()
        with page.expect_response("**/v1/select"):
            late[0].continue_()
        page.wait_for_timeout(300)
        self.assertEqual(page.evaluate(count), 0)
        # A screen that was read at the second attempt. A step back leaves it as it is.
        failures = [503]
        page.route("**/elements", lambda route: route.fulfill(status=failures.pop()) if failures else route.fallback())
        capture = self.service.capture("home-feed")
        page.evaluate("id => { location.hash = `#/screen/${id}`; }", capture["id"])
        page.get_by_role("button", name="Try again").click()
        page.wait_for_function("() => window.encirclePicture?.size.width > 0")
        page.mouse.click(*self.place_of(button["element"], page))
        page.evaluate("() => { window.encirclePicture.isSame = true; }")
        page.go_back()
        page.wait_for_function("() => window.encirclePicture.selected === null")
        self.assertTrue(page.evaluate("() => window.encirclePicture.isSame"))
        page.get_by_role("link", name="Rules", exact=True).click()
        page.get_by_role("heading", name="Rules", exact=True).wait_for()
        self.assertEqual(page.evaluate(count), 0)
        page.context.close()

    def test_a_search_for_screens_ends_when_the_view_is_left(self):
        page = self.page
        self.show("/screens")
        asked = self.requests("/v1/screens")
        # One step, because the search begins a moment after the last key.
        page.evaluate("""() => {
          const input = document.querySelector(".search input");
          input.value = "home";
          input.dispatchEvent(new Event("input", { bubbles: true }));
          location.hash = "#/settings";
        }""")
        page.wait_for_timeout(500)
        page.locator("main h1", has_text="Settings").wait_for()
        self.assertEqual(asked, [])

    def test_a_search_for_screens_that_fails_is_not_repeated_by_itself(self):
        page = self.page
        self.show("/screens")
        asked = self.requests("/v1/screens")
        page.route("**/v1/screens*", lambda route: route.fulfill(status=500, json={"error": {"code": "internal", "message": "no"}}))
        page.get_by_label("Search").first.fill("home")
        page.get_by_role("button", name="Try again").wait_for()
        page.wait_for_timeout(300)
        self.assertEqual(len(asked), 1)
        page.unroute("**/v1/screens*")
        page.get_by_role("button", name="Try again").click()
        page.locator(".screen-card").first.wait_for()

    def test_events_that_cannot_be_read_are_not_said_to_be_followed(self):
        page = self.page
        self.show("/live")
        page.get_by_text("listening").wait_for()
        page.route("**/v1/events*", lambda route: route.fulfill(status=500, json={"error": {"code": "internal", "message": "no"}}))
        page.get_by_label("Page", exact=True).fill("Home")
        page.get_by_role("button", name="Try again").wait_for()
        self.assertEqual(page.get_by_text("listening").count(), 0)
        page.unroute("**/v1/events*")
        page.get_by_role("button", name="Try again").click()
        page.get_by_text("listening").wait_for()

    def test_an_answer_that_breaks_off_is_called_a_lost_connection(self):
        page = self.open_page(locale="zh-CN")
        # No server of a test ends a connection within an answer, as a proxy does.
        page.add_init_script("""
          const whole = Response.prototype.text;
          Response.prototype.text = function () {
            return this.url.includes("/v1/coverage") ? Promise.reject(new TypeError("network error")) : whole.call(this);
          };
        """)
        self.show("/coverage", page)
        page.get_by_role("alert").get_by_text("连不上服务").wait_for()
        page.context.close()

    def test_a_proxy_that_answers_in_place_of_the_service_is_not_taken_for_it(self):
        page, chinese = self.page, self.open_page(locale="zh-CN")
        for one in (page, chinese):
            for address in ("**/v1/screens*", "**/v1/rulesets/default"):
                one.route(address, lambda route: route.fulfill(body="<!doctype html><title>Log in</title>", content_type="text/html"))
        self.show("/screens")
        page.get_by_role("alert").get_by_text("A proxy may require a login").wait_for()
        self.show("/screens", chinese)
        chinese.get_by_role("alert").get_by_text("它可能要求先登录").wait_for()
        self.assertEqual(chinese.locator("main [lang=en]").count(), 0)
        page.evaluate("() => { location.hash = '/rules/text'; }")
        page.get_by_role("alert").get_by_text("A proxy may require a login").wait_for()
        self.assertEqual(page.locator(".CodeMirror").count(), 0)
        chinese.context.close()

    def test_a_change_that_ends_late_leaves_another_view_alone(self):
        page = self.page
        capture = self.show_screen("home-feed")
        path = f"/v1/captures/{capture['id']}"
        late = HeldRequests(page, f"**{path}", method="PATCH")
        page.get_by_role("button", name="Rename").click()
        with page.expect_request(f"**{path}"):
            page.get_by_role("dialog").get_by_role("button", name="Rename").click()
        page.keyboard.press("Escape")
        self.ask_for_a_token()
        with page.expect_response(f"**{path}"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertTrue(page.get_by_role("dialog").is_visible())
        # Nor does publishing lead away from there.
        self.service.request("PUT", f"{PATH}/rules/published", {"include": {"event": "late"}})
        self.show("/rules/draft")
        page.wait_for_selector(".changed-rule")
        late = HeldRequests(page, f"**{PATH}/publish")
        page.get_by_label("Reason").fill("late")
        with page.expect_request(f"**{PATH}/publish"):
            page.get_by_role("button", name="Publish", exact=True).click()
        self.ask_for_a_token()
        late[0].continue_()
        page.locator(".toast").get_by_text("is in force").wait_for()
        self.assertTrue(page.get_by_role("dialog").is_visible())

    def test_what_is_removed_late_leaves_another_view_alone(self):
        page = self.page
        tree = '<viewTree version="1" app="x" os="iOS" screen="9 9"><view class="UIWindow" frame="0 0 9 9"/></viewTree>'
        capture = self.service.request("POST", "/v1/captures?name=removed", tree.encode(), "application/xml")["capture"]["id"]
        self.service.request("PUT", f"{PATH}/rules/removed.late", {"include": {"event": "late"}})
        self.discard_draft_at_end()
        for view, path, remove, confirm, said in (
                (f"/screen/{capture}", f"/v1/captures/{capture}", "Remove this screen", "Remove this screen", "The screen has been removed."),
                ("/rule/removed.late", f"{PATH}/rules/removed.late", "Remove", "Remove", "removed.late")):
            self.show(view)
            late = HeldRequests(page, f"**{path}", method="DELETE")
            page.get_by_role("main").get_by_role("button", name=remove, exact=True).click()
            with page.expect_request(f"**{path}"):
                page.get_by_role("dialog").get_by_role("button", name=confirm).click()
            page.keyboard.press("Escape")
            self.ask_for_a_token()
            late[0].continue_()
            page.locator(".toast").get_by_text(said).wait_for()
            page.wait_for_timeout(200)
            self.assertTrue(page.get_by_role("dialog").is_visible(), view)

    def test_the_choice_of_several_rules_that_was_ended_stays_ended(self):
        page = self.page
        self.discard_draft_at_end()
        self.show("/rules")
        several, dialog = page.get_by_role("button", name="Edit several"), page.get_by_role("dialog")
        several.click()
        page.get_by_role("checkbox", name="Choose").first.check()
        page.get_by_role("button", name="Owner, tags, status").click()
        dialog.get_by_label("Owner").fill("late")
        late = HeldRequests(page, f"**{PATH}/rules")
        with page.expect_request(f"**{PATH}/rules"):
            dialog.get_by_role("button", name="Save as draft").click()
        page.keyboard.press("Escape")
        several.click()
        late[0].continue_()
        page.locator(".toast").get_by_text("changed in the draft").wait_for()
        page.locator(".rule-line").first.wait_for()
        self.assertEqual(several.get_attribute("aria-pressed"), "false")

    def test_a_late_answer_does_not_hide_that_there_is_a_draft(self):
        page = self.page
        # Only the frame around the views asks for projects.
        late = HeldRequests(page, "**/v1/projects", limit=1)
        with page.expect_request("**/v1/projects"):
            self.show("/rule/home.scan")
        page.get_by_label("Description").fill("Late")
        page.get_by_role("button", name="Save as draft").click()
        self.discard_draft_at_end()
        page.locator(".draft-note").wait_for()
        with page.expect_response("**/v1/projects"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertTrue(page.locator(".draft-note").is_visible())

    def ask_for_a_token(self):
        """Goes to the settings, and begins to make a token there."""
        self.page.get_by_role("link", name="Settings").click()
        self.page.get_by_role("button", name="Add a token").click()

    def test_a_refusal_is_said_though_its_dialog_is_closed(self):
        page = self.page
        self.service.request("PUT", f"{PATH}/rules/late", {"include": {"event": "late"}})
        self.discard_draft_at_end()
        self.show("/rules/draft")
        late = HeldRequests(page, f"**{PATH}", method="DELETE")
        page.get_by_role("button", name="Discard the draft").click()
        with page.expect_request(f"**{PATH}"):
            page.get_by_role("dialog").get_by_role("button", name="Discard the draft").click()
        page.keyboard.press("Escape")
        late[0].abort()
        page.locator(".toast").get_by_text("The service cannot be reached").wait_for()

    def test_a_refusal_is_said_though_its_view_was_left(self):
        page = self.page
        self.service.request("PUT", f"{PATH}/rules/late", {"include": {"event": "late"}})
        self.discard_draft_at_end()

        def expect_complaint(path, save):
            late = HeldRequests(page, f"**{path}", limit=1)
            with page.expect_request(f"**{path}"):
                save()
            page.evaluate("() => { location.hash = '/live'; }")
            page.get_by_label("Decision").wait_for()
            late[0].abort()
            complaint = page.locator(".toast")
            complaint.get_by_text("The service cannot be reached").wait_for()
            complaint.get_by_role("button", name="OK").click()

        def publish():
            page.get_by_label("Reason").fill("late")
            page.get_by_role("button", name="Publish", exact=True).click()

        def save():
            page.get_by_role("button", name="Save as draft").click()

        self.show("/rules/draft")
        page.wait_for_selector(".changed-rule")
        expect_complaint(f"{PATH}/publish", publish)
        self.show("/rule/late")
        page.get_by_label("Owner").fill("Ada")
        expect_complaint(f"{PATH}/rules/late", save)
        self.show("/rules/text")
        self.write_text("version: 1")
        expect_complaint(PATH, save)
        capture = self.service.capture("home-feed")
        cell = self.element(capture, **{"class": "BannerCell"})
        self.show(f"/screen/{capture['id']}?element={cell['element']}")
        self.wait_for_counts()
        page.get_by_label("Event name").fill("late")
        expect_complaint(f"{PATH}/rules/*", page.locator(".circle-panel form button[type=submit]").click)
        self.show("/settings")
        page.get_by_label("Days to keep events").fill("31")
        expect_complaint("/v1/settings", page.get_by_role("button", name="Save", exact=True).click)


if __name__ == "__main__":
    unittest.main()
