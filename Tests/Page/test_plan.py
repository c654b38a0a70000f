"""The tracking plan on the page: the states of its events, exported and imported tables, and added events."""

import tempfile
import unittest
import zipfile
from pathlib import Path

from support import HeldRequests, PageTest

PATH = "/v1/rulesets/default/plan"
PLAN = """version: 1
events:
  - event: order_paid
    owner: money
    platforms: [server]
    properties:
      - { property: amount, type: number }
  - { event: gift_card, status: planned }
  - { event: coupon, since: "7.0", properties: [{ property: amount, type: number }] }
"""


class Plan(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.put()
        for number, (event, properties) in enumerate([
            ("order_paid", {"$lib": "Java", "amount": "much"}), ("surprise", {"$lib": "js", "page": 3}),
        ]):
            cls.service.send({"event": event, "distinct_id": "u", "_track_id": 900 + number, "properties": properties})

    @classmethod
    def put(cls):
        cls.service.request("PUT", PATH, PLAN.encode(), "application/yaml", {"If-Match": "*"})

    def setUp(self):
        super().setUp()
        self.put()

    def row(self, event, page=None):
        return (page or self.page).locator(f'tr[data-event="{event}"]').first

    def plan(self):
        return self.service.request("GET", PATH).decode()

    def test_events_have_their_status_with_the_evidence(self):
        page = self.page
        self.show("/rules")
        page.get_by_role("link", name="Plan", exact=True).click()
        page.wait_for_selector("table.plan tbody tr")
        wrong = self.row("order_paid")
        self.assertEqual(wrong.get_attribute("data-status"), "wrong")
        text = wrong.inner_text()
        self.assertIn("money", text)
        self.assertIn("amount: no number in 1 of 1", text)
        self.assertNotIn("much", text)
        self.assertTrue(wrong.get_by_role("link", name="Example for amount").get_attribute("href").startswith("/v1/events/"))
        self.assertEqual(self.row("surprise").get_attribute("data-status"), "unexpected")
        page.get_by_label("Search events").fill("GIFT_C")
        page.wait_for_function("() => document.querySelectorAll('table.plan tbody tr').length === 1")
        self.assertEqual(self.row("gift_card").get_attribute("data-status"), "planned")
        page.get_by_label("Search events").fill("GIFT_CARDS")
        page.get_by_text("Nothing found").wait_for()
        page.get_by_label("Search events").fill("")
        page.get_by_label("Status").select_option("unexpected")
        page.wait_for_selector('tr[data-event="surprise"]')
        page.wait_for_function("() => !document.querySelector('tr[data-event=\"gift_card\"]')")
        # Somebody who reads Chinese has no English left but names and what the service found.
        chinese = self.show("/plan", self.open_page(locale="zh-CN"))
        chinese.wait_for_selector("table.plan tbody tr")
        self.assertEqual(
            chinese.locator("table.plan th").all_inner_texts(), ["事件", "平台", "版本", "状态", "依据", "负责人"])
        self.assertIn("错埋", self.row("order_paid", chinese).inner_text())
        chinese.context.close()

    def test_an_unexpected_event_is_taken_into_the_plan(self):
        page = self.page
        self.show("/plan")
        page.wait_for_selector("table.plan tbody tr")
        page.get_by_label("Choose surprise").check()
        taken = []
        page.on("request", lambda request: taken.append(request.url) if request.method == "POST" else None)
        page.get_by_role("button", name="Take 1 event into the plan").dblclick()
        page.wait_for_selector('tr[data-event="surprise"][data-status="live"]')
        self.assertEqual(len(taken), 1)
        plan = self.plan()
        self.assertTrue(plan.startswith(PLAN.rstrip("\n")[:40]))
        self.assertIn("surprise", plan)
        self.assertIn("property: page", plan)

    def test_a_planned_event_ticks_on_the_checklist_as_it_arrives(self):
        page = self.page
        self.show("/plan")
        page.get_by_role("link", name="Acceptance").click()
        page.get_by_label("Tester").fill("Lin")
        page.get_by_role("button", name="Begin").click()
        page.wait_for_selector('tr[data-event="coupon"][data-state="waiting"]')
        self.service.send({"event": "coupon", "distinct_id": "t", "_track_id": 950, "properties": {"$lib": "Java", "amount": 3}})
        page.wait_for_selector('tr[data-event="coupon"][data-state="accepted"]')
        self.assertIn("1 of 3 arrived as planned", page.locator("main .notice").first.inner_text())
        self.service.send({"event": "coupon", "distinct_id": "t", "_track_id": 951, "properties": {"$lib": "Java", "amount": "a lot"}})
        wrong = page.locator('tr[data-event="coupon"][data-state="wrong"]')
        wrong.wait_for()
        self.assertIn('amount: no number, but "a lot"', wrong.inner_text())
        # A reload goes on with the same trial.
        page.reload()
        wrong.wait_for()
        with page.expect_download() as download:
            page.get_by_role("link", name="Report (HTML)").click()
        self.assertIn("<dd>Lin</dd>", download.value.path().read_text())

    def download(self, kind):
        """Downloads the plan by the link of that name, and returns the path of the file."""
        self.show("/plan")
        self.page.wait_for_selector("table.plan tbody tr")
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name=kind, exact=True).click()
        return download.value.path()

    def test_a_table_is_shown_before_it_is_applied(self):
        page = self.page
        downloaded = self.download("CSV")
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "plan.csv"
            text = downloaded.read_text("utf-8-sig")
            self.assertIn("order_paid", text)
            table.write_text(text.replace("money", "billing").replace("server", "sever", 1), "utf-8")
            page.get_by_label("Upload a table").set_input_files(table)
            page.wait_for_selector(".plan-import tbody tr")
            self.assertIn("did you mean 'server'?", page.locator('tr[data-outcome="rejected"]').inner_text())
            self.assertEqual(page.get_by_role("button", name="Apply", exact=True).count(), 0)
            page.get_by_role("button", name="Cancel").click()
            table.write_text(text.replace("money", "billing"), "utf-8")
            page.get_by_label("Upload a table").set_input_files(table)
            page.wait_for_selector('tr[data-outcome="changed"]')
            changed = page.locator('tr[data-outcome="changed"]').inner_text()
            self.assertIn("money", changed)
            self.assertIn("billing", changed)
            self.assertEqual(self.plan(), PLAN, "nothing is written before it is applied")
            page.get_by_role("button", name="Apply", exact=True).click()
            page.wait_for_function(
                "() => document.querySelector('tr[data-event=\"order_paid\"]')?.innerText.includes('billing')")
        self.assertEqual(self.plan(), PLAN.replace("money", "billing"))

    def test_columns_that_are_unknown_are_named(self):
        page = self.page
        self.show("/plan")
        page.wait_for_selector("table.plan tbody tr")
        table = {"name": "own.csv", "mimeType": "text/csv", "buffer": b"Event Name,Since,Platforms,Property Type\nshare,5.3,ios,number\n"}
        page.get_by_label("Upload a table").set_input_files(table)
        page.locator(".plan-import .notice.warn", has_text="only kept: Since, Property Type.").wait_for()

    def test_the_table_that_was_chosen_last_is_shown(self):
        page = self.page
        text = self.download("CSV").read_bytes()
        late = HeldRequests(page, "**/plan/import*", limit=1)
        first, second = ({"name": f"{name}.csv", "mimeType": "text/csv", "buffer": text} for name in ("first", "second"))
        with page.expect_request("**/plan/import*"):
            page.get_by_label("Upload a table").set_input_files(first)
        page.get_by_label("Upload a table").set_input_files(second)
        page.get_by_role("heading", name="second.csv").wait_for()
        with page.expect_response("**/plan/import*"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(page.locator(".plan-import h2").count(), 1)
        self.assertEqual(page.get_by_role("heading", name="first.csv").count(), 0)

    def test_a_table_is_not_applied_to_another_draft_than_was_shown(self):
        page = self.page
        self.discard_draft_at_end()
        downloaded = self.download("CSV")
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "plan.csv"
            table.write_text(downloaded.read_text("utf-8-sig").replace("money", "billing"), "utf-8")
            page.get_by_label("Upload a table").set_input_files(table)
            page.wait_for_selector('tr[data-outcome="changed"]')
            self.service.request("PUT", "/v1/rulesets/default/draft/rules/tried.late", {"include": {"event": "late"}})
            page.get_by_role("button", name="Apply", exact=True).click()
            page.locator(".plan-import").get_by_text("The draft has changed").wait_for()
        self.assertEqual(self.plan(), PLAN)

    def test_numbers_of_thirty_days_are_called_lower_bounds_where_days_had_too_many_names(self):
        page = self.page
        note = page.get_by_text("numbers of 30 days are lower bounds")
        self.show("/plan")
        page.wait_for_selector("table.plan tbody tr")
        self.assertEqual(note.count(), 0)
        page.route("**/plan/status*", lambda route: route.fulfill(json={**route.fetch().json(), "recent_complete": False}))
        page.reload()
        note.wait_for()

    def test_the_screen_board_shows_each_screen_with_its_events(self):
        board = self.download("Screen board").read_text("utf-8")
        self.assertIn("add_to_cart", board)
        self.assertIn('class="badge"', board)

    def test_a_workbook_is_imported_with_its_changes(self):
        page = self.page
        downloaded = self.download("XLSX")
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "plan.xlsx"
            with zipfile.ZipFile(downloaded) as old, zipfile.ZipFile(table, "w", zipfile.ZIP_DEFLATED) as new:
                self.assertIsNone(old.testzip())
                self.assertIn('name="undefined"', old.read("xl/workbook.xml").decode())
                for name in old.namelist():
                    new.writestr(name, old.read(name).replace(b">money<", b">billing<"))
            page.get_by_label("Upload a table").set_input_files(table)
            page.wait_for_selector('tr[data-outcome="changed"]')
            changed = page.locator('tr[data-outcome="changed"]').inner_text()
            self.assertIn("events 2", changed)
            page.get_by_role("button", name="Apply", exact=True).click()
            page.wait_for_function(
                "() => document.querySelector('tr[data-event=\"order_paid\"]')?.innerText.includes('billing')")
        self.assertEqual(self.plan(), PLAN.replace("money", "billing"))

    def test_a_release_has_its_people_and_is_accepted_from_the_checklist(self):
        page = self.page
        self.show("/plan")
        page.get_by_role("link", name="Releases").click()
        page.wait_for_selector('tr[data-event="coupon"][data-state="draft"]')
        page.get_by_label("Reviewer").fill("Wang")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("The release was changed").wait_for()
        page.reload()
        page.wait_for_function("() => document.querySelector('main form input:nth-of-type(1)')")
        self.assertEqual(page.get_by_label("Reviewer").input_value(), "Wang")
        # What is not saved survives another language.
        page.get_by_label("Owner").fill("Half a na")
        self.change_language_and_back()
        self.assertEqual(page.get_by_label("Owner").input_value(), "Half a na")
        page.get_by_role("button", name="Discard mine and load theirs").click()
        page.get_by_text("Your unsaved changes are back.").wait_for(state="detached")
        self.assertEqual(page.get_by_label("Owner").input_value(), "")
        # What somebody else changes meanwhile stays.
        release = "/v1/rulesets/default/plan/releases/7.0"
        self.service.request("PUT", release, {"reviewer": "Zhou"})
        page.get_by_label("Owner").fill("Lin")
        page.get_by_role("button", name="Save").click()
        page.wait_for_function("() => [...document.querySelectorAll('main form input')].some((field) => field.value === 'Zhou')")
        people = self.service.request("GET", release)
        self.assertEqual((people["owner"], people["reviewer"]), ("Lin", "Zhou"))
        self.assertEqual(page.get_by_text("Your unsaved changes are back.").count(), 0)
        # Of a person whom both have changed, the page shows what the other has saved, and asks.
        self.service.request("PUT", release, {"owner": "Chen", "reviewer": "Zhou"})
        page.get_by_label("Owner").fill("Ma")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("Owner of the release: Chen").wait_for()
        self.assertEqual(self.service.request("GET", release)["owner"], "Chen")
        self.change_language_and_back()
        self.assertEqual(page.get_by_label("Owner").input_value(), "Ma")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name="Overwrite with mine").click()
        page.get_by_text("Owner of the release: Chen").wait_for(state="detached")
        self.assertEqual(self.service.request("GET", release)["owner"], "Ma")
        self.service.request("PUT", release, {"owner": "Chen", "reviewer": "Zhou"})
        page.get_by_label("Owner").fill("Lin")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("status").get_by_role("button", name="Discard mine and load theirs").click()
        page.get_by_text("Owner of the release: Chen").wait_for(state="detached")
        self.assertEqual(page.get_by_label("Owner").input_value(), "Chen")
        # It is to be sent by code, so that no rule is missing.
        self.service.request(
            "PUT", PATH, PLAN.replace("coupon, since", "coupon, tracking: code, since").encode(), "application/yaml", {"If-Match": "*"})
        page.reload()
        page.wait_for_selector('tr[data-event="coupon"][data-state="circled"]')
        page.get_by_role("link", name="Acceptance").click()
        page.get_by_role("button", name="Begin").click()
        page.wait_for_selector('tr[data-event="coupon"][data-state="waiting"]')
        self.service.send({"event": "coupon", "distinct_id": "t", "_track_id": 960, "properties": {"$lib": "Java", "$app_version": "7.0", "amount": 3}})
        page.wait_for_selector('tr[data-event="coupon"][data-state="accepted"]')
        page.get_by_role("button", name="Accept what has arrived").click()
        page.get_by_text("Accepted: 1 of 1 events of 7.0").wait_for()
        chinese = self.show("/plan/releases", self.open_page(locale="zh-CN"))
        chinese.wait_for_selector('tr[data-event="coupon"][data-state="accepted"]')
        self.assertEqual(chinese.locator("main th").all_inner_texts(), ["事件", "平台", "状态", "规则", "负责人"])
        self.assertIn("验收人", chinese.locator("main").inner_text())
        chinese.context.close()

    def test_a_checklist_that_is_left_follows_no_more_events(self):
        page = self.page
        self.show("/plan/acceptance?after=0")
        page.wait_for_selector('tr[data-event="coupon"]')
        followed = []
        page.on("request", lambda request: followed.append(request.url) if "/v1/live" in request.url else None)
        # One step, because the stream begins a moment after the last key.
        page.evaluate("""() => {
          const input = document.querySelector("main form input");
          input.value = "7.1";
          input.dispatchEvent(new Event("input", { bubbles: true }));
          location.hash = "#/plan";
        }""")
        page.wait_for_selector("table.plan tbody tr")
        page.wait_for_timeout(500)
        self.assertEqual(followed, [])

    def test_the_release_of_the_list_is_accepted_not_one_that_is_typed_meanwhile(self):
        page = self.page
        self.service.request(
            "PUT", PATH, PLAN.replace("coupon, since", "coupon, tracking: code, since").encode(), "application/yaml", {"If-Match": "*"})
        self.show("/plan/acceptance?app_version=7.0")
        page.get_by_role("button", name="Begin").click()
        page.wait_for_selector('tr[data-event="coupon"][data-state="waiting"]')
        self.service.send({"event": "coupon", "distinct_id": "t", "_track_id": 970, "properties": {"$lib": "Java", "$app_version": "7.0", "amount": 3}})
        button = page.get_by_role("button", name="Accept what has arrived")
        button.wait_for()
        waiting = []
        page.route("**/plan/acceptance*", lambda route: waiting.append(route))
        with page.expect_request("**/plan/acceptance*"):
            page.get_by_label("Version of the app").fill("8.0")
        with page.expect_request("**/plan/releases/*/acceptance*") as request:
            button.click()
        self.assertIn("/releases/7.0/", request.value.url)

    def test_no_cell_of_the_table_lies_over_the_next_one(self):
        page = self.page
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            self.show("/plan")
            page.wait_for_selector("table.plan tbody tr")
            wide = page.evaluate("() => [...document.querySelectorAll('table.plan td')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)")
            self.assertEqual(wide, [], width)


if __name__ == "__main__":
    unittest.main()
