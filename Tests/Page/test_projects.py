"""Projects: with events of several stored, one is chosen for all reports."""

import unittest

from support import PageTest


class Projects(PageTest):
    def test_a_project_is_chosen_for_the_overview_the_live_view_and_the_analysis(self):
        event = {"type": "track", "event": "$AppClick", "properties": {"$screen_name": "HomeViewController"}}
        self.service.send({**event, "distinct_id": "in-default"})
        self.show("/")
        self.assertEqual(self.page.get_by_label("Project").count(), 0, "there is nothing to choose yet")
        self.service.request("POST", "/v1/collect?project=chat", [{**event, "distinct_id": "in-chat", "_track_id": 1}, {**event, "distinct_id": "in-chat", "_track_id": 2}])
        self.show("/live")
        self.page.wait_for_selector(".live-row >> nth=2")
        chooser = self.page.get_by_label("Project")
        self.assertEqual(chooser.locator("option").all_inner_texts(), ["All projects", "chat", "default"])
        chooser.select_option("chat")
        self.page.wait_for_function("() => document.querySelectorAll('.live-row').length === 2")
        self.assertNotIn("in-default", self.page.locator("main").inner_text())
        self.page.get_by_role("link", name="Analysis").click()
        self.page.wait_for_selector("section[aria-label=Totals] td:has-text('2')")
        self.assertIn("project=chat", self.page.url)
        self.assertEqual(self.page.locator("section[aria-label=Totals] td").all_inner_texts(), ["All events", "2", "1"])
        # Somebody else who opens the address sees the same project.
        other = self.open_page()
        other.goto(self.page.url)
        other.wait_for_selector("section[aria-label=Totals] td")
        self.assertEqual(other.locator("section[aria-label=Totals] td").all_inner_texts(), ["All events", "2", "1"])
        self.assertEqual(other.get_by_label("Project").input_value(), "chat")
        # Another choice holds, and all projects are shown to somebody who has chosen one.
        self.page.get_by_label("Project").select_option("")
        self.page.wait_for_selector("section[aria-label=Totals] td:has-text('3')")
        other.goto(self.page.url)
        other.wait_for_selector("section[aria-label=Totals] td:has-text('3')")
        other.context.close()
        self.page.get_by_label("Project").select_option("chat")
        self.service.request("POST", "/v1/collect?project=default", [7])
        self.page.get_by_role("link", name="Overview").click()
        self.page.wait_for_selector(".tile .figure:has-text('2')")
        rejected = self.page.locator(".tile:has-text('Rejected')")
        self.assertIn("of all projects", rejected.inner_text(), "what is rejected has no project")
        self.page.get_by_label("Project").select_option("")
        self.page.wait_for_selector(".tile .figure:has-text('3')")
        self.assertNotIn("of all projects", rejected.inner_text())
        # The rule set of a project has its name, and both are remembered.
        self.service.request("PUT", "/v1/rulesets/chat?reason=new", b"version: 1\nrules: []\n", "application/yaml", {"If-None-Match": "*"})
        self.show("/rules")
        self.page.get_by_label("Project").select_option("chat")
        for _ in range(2):
            self.page.wait_for_function("() => document.querySelector('select[aria-label=\"Rule set\"]')?.value === 'chat'")
            self.assertEqual(self.page.get_by_label("Project").input_value(), "chat")
            self.page.reload()

    def test_counts_of_all_projects_are_labelled_beside_counts_of_one(self):
        page = self.page
        rules = b"version: 1\nrules: [{ id: home, include: { event: $AppClick, page: HomeViewController } }]\n"
        self.service.request("PUT", "/v1/rulesets/default?reason=home", rules, "application/yaml", {"If-Match": "*"})
        event = {"type": "track", "event": "$AppClick", "distinct_id": "d", "properties": {"$screen_name": "HomeViewController"}}
        self.service.request("POST", "/v1/collect?project=busy", [{**event, "_track_id": 71}])
        self.service.request("POST", "/v1/collect?project=idle", [{**event, "event": "other", "_track_id": 72}])
        note = page.get_by_text("Counts and curves: all projects")
        screen = f"/screen/{self.service.capture('home-feed')['id']}?heat=1"
        self.show("/rules")
        for project, health in (("", "all is well"), ("busy", "all is well"), ("idle", "No matches for a day")):
            page.evaluate("project => localStorage.setItem('encircle', JSON.stringify({ project }))", project)
            self.show("/rules")
            line = page.locator(".rule-line")
            self.assertEqual(line.get_by_role("img").first.get_attribute("aria-label"), health, project)
            self.assertEqual(note.count(), int(project != ""))
            self.show(screen)
            page.locator(".heat-legend strong", has_text=f"7 days · {project}" if project else "7 days").wait_for()
            self.assertEqual(note.count(), int(project != ""))
            self.show("/rule/home")
            curve = page.get_by_role("region", name="The rule", exact=True)
            self.assertEqual(curve.get_by_text("7 days · All projects").count(), int(project != ""))
            counts = page.get_by_role("region", name="Health").locator(".counts strong")
            self.assertEqual(counts.nth(2).inner_text() == "never", project == "idle")

    def test_an_event_is_explained_by_the_rule_set_that_has_decided_it(self):
        page = self.page
        rules = b"version: 1\nrules: [{ id: own.home, include: { event: $AppClick, page: Own } }]\n"
        self.service.request("PUT", "/v1/rulesets/own?reason=new", rules, "application/yaml", {"If-Match": "*"})
        event = {"type": "track", "event": "$AppClick", "distinct_id": "of-own", "properties": {"$screen_name": "Own"}}
        self.service.request("POST", "/v1/collect?project=own", [{**event, "_track_id": 81}])
        self.show("/live?distinct_id=of-own")
        page.locator(".live-row").click()
        details = page.get_by_role("region", name="The chosen event")
        details.get_by_text("Decided by the rule set own:").wait_for()
        details.get_by_text("Selected: an include rule matches").wait_for()
        # The rules have changed since.
        none = b"version: 1\nrules: []\n"
        self.service.request("PUT", "/v1/rulesets/own?reason=none", none, "application/yaml", {"If-Match": "*"})
        page.reload()
        page.locator(".live-row").click()
        details.get_by_text("how the rule set own would decide it now").wait_for()
        self.service.request("PUT", "/v1/rulesets/own?reason=back", rules, "application/yaml", {"If-Match": "*"})
        details.get_by_role("link", name="own.home").click()
        page.get_by_role("region", name="The rule", exact=True).wait_for()
        self.assertEqual(page.get_by_label("Rule set").input_value(), "own")

    def test_a_running_app_is_circled_with_the_rule_set_of_its_project(self):
        page = self.page
        rules = b"version: 1\nrules: []\n"
        self.service.request("PUT", "/v1/rulesets/phone?reason=new", rules, "application/yaml", {"If-Match": "*"})
        self.show("/connect")
        page.get_by_label("URL scheme of the app").fill("sa1234")
        page.get_by_role("main").get_by_label("Project").fill("phone")
        page.get_by_role("main").get_by_label("Address for the phone").fill("192.168.1.5:8080")
        page.get_by_role("button", name="Create the QR code").click()
        page.wait_for_url("**/#/connection/**")
        page.wait_for_function("() => document.querySelector('select[aria-label=\"Rule set\"]')?.value === 'phone'")
        self.assertEqual(self.service.request("GET", "/v1/connections")["connections"][0]["ruleset"], "phone")

    def test_a_link_is_for_the_chosen_project_not_for_the_former_one(self):
        page = self.page
        self.show("/connect")
        page.evaluate("() => sessionStorage.setItem('encircle-connect', JSON.stringify({ scheme: 'sa1', project: 'former' }))")
        for chosen, project in (("", "former"), ("chosen", "chosen")):
            page.evaluate("project => localStorage.setItem('encircle', JSON.stringify({ project }))", chosen)
            self.show("/connect")
            self.assertEqual(page.get_by_role("main").get_by_label("Project").input_value(), project)

    def test_rules_circled_beside_rules_of_another_platform_select_the_events_of_their_own(self):
        page = self.page
        both = {"version": 1, "style": "sensors", "rules": [{"id": "buy", "include": [
            {"selector": "UIButton"}, {"style": "sensors-android", "selector": "android.widget.Button"}]}]}
        self.service.request("PUT", "/v1/rulesets/both?reason=first", both, headers={"If-None-Match": "*"})
        capture = self.service.capture("android-shop")
        self.show_screen("android-shop")
        page.get_by_label("Rule set").select_option("both")
        page.wait_for_function("() => window.encirclePicture?.size.width > 0")
        element = self.element(capture, type="gestureTapEvent")
        for circle, rule in ((lambda: page.mouse.click(*self.place_of(element["element"])), "tap"), (lambda: page.locator(".title-button").click(), "view")):
            circle()
            self.wait_for_counts()
            page.get_by_label("Rule id").fill(rule)
            page.get_by_role("button", name="Save as draft").click()
            page.get_by_text(f"{rule} is in the draft.").wait_for()
        self.show("/rules/draft")
        self.publish("two rules")
        asked = {"text": "version: 1\nstyle: sensors-android\nrules: []\n", "capture": capture["id"], "element": element["element"]}
        tap = self.service.request("POST", "/v1/rules/explain", asked)["event"]
        view = {"event": "$AppViewScreen", "properties": {"$lib": "Android", "$screen_name": capture["page"]}}
        self.service.request("POST", "/v1/collect?project=both", [{"distinct_id": "u", **event} for event in (tap, view)])
        events = self.service.request("GET", "/v1/events?project=both")["events"]
        self.assertEqual({event["event"]: event["rules"] for event in events}, {"$AppClick": ["tap"], "$AppViewScreen": ["view"]})

    def test_a_rule_for_two_platforms_is_edited_in_the_clause_for_the_screen(self):
        page = self.page
        capture = self.service.capture("android-shop")
        element = next(one for one in self.service.request("GET", f"/v1/captures/{capture['id']}/elements")["elements"]
                       if one["content"] and one["tracked"] == one["element"])
        text = {"event": "$AppClick", "where": {"$element_content": element["content"]}}
        rules = {"version": 1, "style": "sensors", "rules": [{"id": "text", "include": [text, {"style": "sensors-android", **text}]}]}
        self.service.request("PUT", "/v1/rulesets/both-texts?reason=first", rules, headers={"If-None-Match": "*"})
        self.show_screen("android-shop")
        page.get_by_label("Rule set").select_option("both-texts")
        page.wait_for_function("() => window.encirclePicture?.rings.length > 0")
        page.mouse.click(*self.place_of(element["element"]))
        self.wait_for_counts()
        page.locator(".chips label:has-text('This page')").click()
        self.wait_for_counts()
        page.get_by_role("button", name="Save the changes as draft").click()
        page.get_by_text("text is in the draft.").wait_for()
        first, second = self.service.request("GET", "/v1/rulesets/both-texts/draft/rules/text")["include"]
        self.assertEqual(first, text)
        self.assertEqual((second["style"], second["page"]), ("sensors-android", element["page"]))


if __name__ == "__main__":
    unittest.main()
