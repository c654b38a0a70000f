"""Tokens and roles: logging in, the choices of each role, a second person's approval, logging out."""

import unittest

from support import HeldRequests, PageTest

DRAFT = "version: 1\nrules:\n  - id: app.start\n    include: { event: $AppStart }\n"


class Roles(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        people = [("Lin", "publish"), ("Bob", "author"), ("Eve", "publish"), ("Rea", "read"), ("Shop app", "collect")]
        cls.tokens = {name: cls.service.add_token(name, role) for name, role in people}
        cls.service.headers = {"Authorization": f"Bearer {cls.tokens['Lin']}"}
        cls.service.wait_for_tokens()

    def setUp(self):
        super().setUp()
        self.service.request("PUT", "/v1/settings", {"approval": False})
        self.service.request("PUT", "/v1/rulesets/default/draft", DRAFT.encode(), "application/yaml", {"If-Match": "*"})

    def log_in(self, name, page=None):
        page = page or self.page
        page.goto(self.service.address)
        page.get_by_label("Token").fill(self.tokens[name])
        page.get_by_role("button", name="Log in").click()
        page.locator("header").get_by_text(f"{name} ·").wait_for()
        return page

    def person(self, name):
        page = self.log_in(name, self.open_page())
        self.addCleanup(page.context.close)
        return page

    def test_a_wrong_token_is_refused_in_plain_words(self):
        page = self.page
        page.goto(self.service.address)
        for token, answer in (("no-such-token", "This token is unknown or has expired."), (self.tokens["Shop app"], "This token can only send events.")):
            page.get_by_label("Token").fill(token)
            page.get_by_role("button", name="Log in").click()
            page.get_by_role("alert").get_by_text(answer).wait_for()
            self.assertEqual(page.locator("header").count(), 0)
        self.assertEqual(page.evaluate("() => document.activeElement.name"), "token", "one can write another token at once")
        self.log_in("Rea")
        self.assertEqual(page.evaluate("() => document.activeElement.id"), "content", "the keyboard goes on in the view")

    def test_a_tab_goes_on_in_the_session_of_another_tab_of_the_same_person_alone(self):
        page = self.log_in("Bob")
        self.show("/rule/app.start")
        other = page.context.new_page()
        for name in ("Bob", "Eve"):
            other.goto(self.service.address)
            other.get_by_role("button", name="Log out").click()
            self.log_in(name, other)
            page.get_by_label("Description").fill(f"while {name} is logged in")
            page.get_by_role("button", name="Save as draft").click()
            if name == "Bob":
                page.get_by_role("link", name="Review and publish").wait_for()
        page.get_by_label("Token").wait_for()
        self.assertEqual(self.service.request("GET", "/v1/rulesets/default/draft/rules/app.start")["description"], "while Bob is logged in")
        page.get_by_label("Token").fill(self.tokens["Bob"])
        page.get_by_role("button", name="Log in").click()
        self.assertEqual(page.get_by_label("Description").input_value(), "while Eve is logged in", "what was written is kept")

    def test_what_is_written_in_a_dialog_is_there_again_after_the_session_has_ended(self):
        page = self.log_in("Lin")
        self.show("/settings")
        dialog = page.get_by_role("dialog")
        name, role = dialog.get_by_label("Who or what is it for?"), dialog.get_by_label("Role")

        def add():
            page.get_by_role("button", name="Add a token").click()
            return [name.input_value(), role.input_value()]

        self.assertEqual(add(), ["", "collect"])
        name.fill("Till")
        role.select_option("author")
        page.context.clear_cookies()
        dialog.get_by_role("button", name="Add a token").click()
        page.get_by_label("Token", exact=True).fill(self.tokens["Lin"])
        page.get_by_role("button", name="Log in").click()
        self.assertEqual(add(), ["Till", "author"])
        self.assertIn("drafts", dialog.locator(".help").first.inner_text(), "the role is explained")
        dialog.get_by_text("Your unsaved changes are back.").wait_for()
        dialog.get_by_role("button", name="Discard mine").click()
        self.assertEqual([name.input_value(), role.input_value()], ["", "collect"])
        # What is cancelled or saved is not offered again.
        name.fill("Tilda")
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        self.assertEqual(add(), ["", "collect"])
        name.fill("Tilda")
        dialog.get_by_role("button", name="Add a token").click()
        page.get_by_role("button", name="I have copied it").click()
        self.assertEqual(add(), ["", "collect"])
        self.assertEqual(dialog.get_by_text("Your unsaved changes are back.").count(), 0)

    def test_what_somebody_has_not_saved_is_not_offered_to_the_next_person(self):
        page = self.log_in("Bob")
        for name, shown in (("Bob", ""), ("Eve", ""), ("Bob", "by Bob alone")):
            page.get_by_role("button", name="Log out").click()
            page.get_by_label("Token").wait_for()
            self.log_in(name)
            self.show("/rule/app.start")
            self.assertEqual(page.get_by_label("Description").input_value(), shown, name)
            if name == "Bob":
                page.get_by_label("Description").fill("by Bob alone")

    def test_logging_out_ends_the_session(self):
        page = self.log_in("Rea")
        cookies = page.context.cookies()
        self.assertTrue(cookies and all(cookie["httpOnly"] and cookie["sameSite"] == "Strict" for cookie in cookies))
        page.get_by_role("button", name="Log out").click()
        page.get_by_label("Token").wait_for()
        page.reload()
        page.get_by_label("Token").wait_for()
        page.context.add_cookies(cookies)
        page.reload()
        page.get_by_label("Token").wait_for()

    def test_logging_out_leaves_no_link_and_no_input_to_the_next_person(self):
        page = self.log_in("Bob")
        self.show("/connect")
        page.get_by_label("URL scheme of the app").fill("sa12345678")
        page.get_by_label("Address for the phone").fill("10.0.0.1:8080")
        page.get_by_role("button", name="Create the QR code").click()
        page.locator(".qr").wait_for()
        page.get_by_role("button", name="Log out").click()
        page.get_by_label("Token").fill(self.tokens["Eve"])
        page.get_by_role("button", name="Log in").click()
        page.get_by_text("The code is shown once").wait_for()
        self.assertEqual(page.locator(".qr").count(), 0)
        page.evaluate("() => { location.hash = '#/rules/text'; }")
        page.wait_for_selector(".CodeMirror")
        self.write_text(DRAFT + "# mine\n")
        page.get_by_role("button", name="Log out").click()
        page.get_by_label("Token").wait_for()
        self.assertEqual(page.evaluate("() => Object.keys(sessionStorage).filter((key) => key.includes('[null,'))"), [])

    def test_a_failed_logout_is_said(self):
        page = self.log_in("Rea")
        page.route("**/v1/session", lambda route: route.abort() if route.request.method == "DELETE" else route.fallback())
        page.get_by_role("button", name="Log out").click()
        page.locator(".toast").get_by_text("The service cannot be reached").wait_for()
        page.locator("header").get_by_text("Rea ·").wait_for()

    def test_a_refusal_that_comes_late_takes_neither_the_token_nor_the_next_session(self):
        page = self.log_in("Rea")
        self.show("/rules")
        # Only the frame around the views asks for projects; three views are shown before the next session.
        late = HeldRequests(page, "**/v1/projects", limit=3)
        for view in ("/screens", "/rules"):
            with page.expect_request("**/v1/projects"):
                page.evaluate("view => { location.hash = view; }", view)
        page.context.clear_cookies()
        page.evaluate("() => { location.hash = '/rules/history'; }")
        token = page.get_by_label("Token", exact=True)
        token.fill("half of i")

        def refuse(route):
            with page.expect_event("requestfinished"):
                route.fulfill(status=401, json={"error": {"code": "unauthorized", "message": "no"}})
            page.wait_for_timeout(200)

        refuse(late[0])
        self.assertEqual(token.input_value(), "half of i")
        token.fill(self.tokens["Rea"])
        page.get_by_role("button", name="Log in").click()
        page.locator("header").get_by_text("Rea ·").wait_for()
        refuse(late[1])
        self.assertTrue(page.locator("header").get_by_text("Rea ·").is_visible())
        self.assertEqual(token.count(), 0)
        late[2].abort()

    def test_a_removed_token_leads_to_the_login(self):
        token = self.service.request("POST", "/v1/tokens", {"name": "Tom", "role": "read"})
        self.tokens["Tom"] = token["token"]
        page = self.log_in("Tom")
        self.service.request("DELETE", f"/v1/tokens/{token['id']}")
        page.goto(f"{self.service.address}/#/rules")
        page.get_by_label("Token").wait_for()

    def test_a_reader_is_offered_nothing_that_changes(self):
        page = self.log_in("Rea")
        for view, absent in (("/screens", "Upload"), ("/rules/draft", "Discard the draft"), ("/rules/draft", "Publish"), ("/rules/history", "Roll back to this"),
                             ("/rule/app.start", "Save as draft"), ("/rule/app.start", "Remove")):
            self.show(view, page)
            self.assertEqual(page.get_by_role("main").get_by_role("button", name=absent).count(), 0, f"{view}: {absent}")
        self.show("/rule/app.start", page)
        for field in ("Name", "Event name", "Description", "Owner", "Tags", "Enabled"):
            self.assertTrue(page.get_by_label(field, exact=True).is_disabled(), field)
        self.show("/rules/text", page)
        self.assertFalse(page.get_by_label("Text", exact=True).is_editable())
        for view, disabled in (("/rules/text", "Save as draft"), ("/connect", "Create the QR code")):
            self.show(view, page)
            self.assertTrue(page.get_by_role("button", name=disabled).is_disabled(), view)

    def test_an_author_is_not_offered_to_publish_alone(self):
        page = self.log_in("Bob")
        self.show("/rules/draft", page)
        page.get_by_text("Your role does not allow publishing.").wait_for()
        self.assertEqual(page.get_by_role("main").get_by_role("button", name="Publish").count(), 0)
        self.assertEqual(page.get_by_role("button", name="Discard the draft").count(), 1)

    def ask(self, page, reason):
        self.show("/rules/draft", page)
        page.get_by_label("Reason").fill(reason)
        page.get_by_role("button", name="Ask for approval").click()
        page.get_by_role("main").get_by_text("A second person must approve this now.").wait_for()

    def test_the_live_view_of_a_session_that_has_ended_asks_for_a_token(self):
        self.tokens["Tim"] = self.service.add_token("Tim", "read")
        page = self.log_in("Tim")
        self.show("/live", page)
        page.get_by_text("listening").wait_for()
        token = next(one for one in self.service.request("GET", "/v1/tokens")["tokens"] if one["name"] == "Tim")
        self.service.request("DELETE", f"/v1/tokens/{token['id']}")
        page.get_by_label("Token").wait_for()

    def test_a_download_of_a_session_that_has_ended_asks_for_a_token(self):
        page = self.log_in("Rea")
        for view, link in (("/plan", "CSV"), ("/drift", "Report (Markdown)")):
            self.show(view, page)
            with page.expect_download() as download:
                page.get_by_role("link", name=link, exact=True).click()
            self.assertTrue(download.value.path())
        page.context.clear_cookies()
        page.on("download", lambda _: self.errors.append("a refusal was saved as the file"))
        page.get_by_role("link", name="Report (Markdown)").click()
        page.get_by_label("Token").wait_for()

    def test_a_second_person_approves(self):
        self.service.request("PUT", "/v1/settings", {"approval": True})
        before = self.service.request("GET", "/v1/rulesets")["rulesets"][0]["version"]
        bob = self.log_in("Bob")
        self.ask(bob, "the start counts now")
        for name in ("Approve", "Reject", "Ask for approval", "Publish"):
            self.assertEqual(bob.get_by_role("main").get_by_role("button", name=name).count(), 0, name)
        self.assertEqual(self.service.request("GET", "/v1/rulesets")["rulesets"][0]["version"], before)

        eve = self.person("Eve")
        self.show("/rules/draft", eve)
        eve.get_by_text("Bob has asked to publish this.").wait_for()
        self.assertIn("the start counts now", eve.get_by_role("form", name="Publish").inner_text())
        eve.get_by_role("button", name="Approve").click()
        eve.get_by_role("heading", name="History").wait_for()
        newest = eve.get_by_role("main").locator("ol > li").first
        newest.get_by_text("the start counts now").wait_for()
        for text in (f"v{before + 1}", "in force", "Bob", "approved by Eve"):
            self.assertIn(text, newest.inner_text())

    def test_a_review_of_one_persons_changes_lists_these_alone(self):
        self.service.request("PUT", "/v1/settings", {"approval": True})
        for name in ("Bob", "Eve"):
            rule = {"include": {"event": name}}
            headers = {"Authorization": f"Bearer {self.tokens[name]}"}
            self.service.request("PUT", f"/v1/rulesets/default/draft/rules/by.{name}", rule, headers=headers)
        bob = self.log_in("Bob")
        self.show("/rules/draft", bob)
        bob.get_by_label("Only my changes").check()
        self.assertEqual(bob.locator(".change-list a", has_text="by.").all_inner_texts(), ["by.Bob", "by.Eve"])
        bob.get_by_label("Reason").fill("mine")
        bob.get_by_role("button", name="Ask for approval").click()
        bob.get_by_text("Only the changes of Bob are to be published").wait_for()
        bob.locator(".change-list").wait_for()
        self.assertEqual(bob.locator(".change-list a").all_inner_texts(), ["by.Bob"])

    def test_who_asks_may_not_approve_and_another_may_reject(self):
        self.service.request("PUT", "/v1/settings", {"approval": True})
        lin = self.log_in("Lin")
        self.ask(lin, "mine")
        self.assertEqual(lin.get_by_role("button", name="Approve").count(), 0)
        eve = self.person("Eve")
        self.show("/rules/draft", eve)
        eve.get_by_role("button", name="Reject").click()
        eve.get_by_role("button", name="Ask for approval").wait_for()
        self.assertNotIn("pending", self.service.request("GET", "/v1/rulesets")["rulesets"][0]["draft"])

    def test_what_has_changed_since_it_was_looked_at_is_not_approved(self):
        self.service.request("PUT", "/v1/settings", {"approval": True})
        before = self.service.request("GET", "/v1/rulesets")["rulesets"][0]["version"]
        bob = self.log_in("Bob")
        self.ask(bob, "first")
        eve = self.person("Eve")
        self.show("/rules/draft", eve)
        eve.get_by_role("button", name="Approve").wait_for()
        self.service.request("PUT", "/v1/rulesets/default/draft", (DRAFT + "# more\n").encode(), "application/yaml", {"If-Match": "*"})
        self.ask(bob, "second")
        eve.get_by_role("button", name="Approve").click()
        eve.get_by_text("Someone else has changed the draft in the meantime.").wait_for()
        self.assertEqual(self.service.request("GET", "/v1/rulesets")["rulesets"][0]["version"], before)


if __name__ == "__main__":
    unittest.main()
