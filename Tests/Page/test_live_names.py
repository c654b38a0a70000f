"""The live view: the names of elements, even for events with only an event ID, and interruptions of its stream."""

import unittest

from support import PageTest


class Live(PageTest):
    def test_an_event_of_hubbledata_has_the_text_of_its_stored_element(self):
        capture = self.service.capture("home-feed")
        element = next(one for one in self.service.request("GET", f"/v1/captures/{capture['id']}/elements")["elements"] if one.get("content") and one.get("type") == "buttonEvent")
        self.service.send({"eventId": element["event_id"], "type": "buttonEvent", "deviceUdid": "d1", "attributes": {"type": "buttonEvent", "page": "HomeViewController"}},
                          {"eventId": "cd" * 32, "type": "buttonEvent", "deviceUdid": "d2", "attributes": {"title": "关注"}})
        self.show("/live")
        rows = self.page.locator(".live-row")
        self.page.wait_for_function("text => [...document.querySelectorAll('.live-row')].some((row) => row.innerText.includes(text))", arg=element["content"][:20])
        self.assertTrue(any("关注" in row for row in rows.all_inner_texts()), rows.all_inner_texts())

    def test_rejects_are_listed_with_their_reasons_as_they_come(self):
        self.show("/live")
        rejects = self.page.locator("details", has_text="rejected")
        self.page.get_by_text("listening").wait_for()
        self.service.request("POST", "/v1/collect", [{"type": "track", "distinct_id": "nameless"}])
        rejects.get_by_text("1 event was rejected").click()
        rejects.get_by_text("event is missing").wait_for()
        self.assertIn("nameless", rejects.locator("pre").inner_text())
        self.service.request("POST", "/v1/collect", [7])
        rejects.get_by_text("2 events were rejected").wait_for()
        self.assertEqual(rejects.locator("pre").all_inner_texts()[0], "7", "the list stays open")
        self.show("/")
        self.page.locator("a.tile", has_text="Rejected").click()
        rejects.get_by_text("2 events were rejected").wait_for()

    def test_it_asks_again_after_the_stream_was_answered_with_an_error(self):
        page = self.page
        refused = []
        page.route("**/v1/live?*", lambda route: [refused.append(route.request.url), route.fulfill(status=502)])
        self.show("/live")
        page.get_by_text("reconnecting…").wait_for()
        self.service.send({"event": "AfterTheBreak", "distinct_id": "u"})
        page.wait_for_timeout(2_000)
        self.assertEqual(len(refused), 2, "at once and after a second, not more often")
        page.unroute("**/v1/live?*")
        page.get_by_text("listening").wait_for()
        page.locator(".live-row:has-text('AfterTheBreak')").wait_for()

    def test_the_later_of_two_filters_counts_and_other_days_have_their_date(self):
        page = self.page
        self.show("/live")
        page.get_by_text("listening").wait_for()
        # The answer to the first filter comes after the second was asked for.
        page.evaluate("""() => {
          const ask = window.fetch;
          window.fetch = async (...asked) => {
            if (String(asked[0]).includes("distinct_id=first")) await new Promise((go) => setTimeout(go, 1500));
            return ask(...asked);
          };
        }""")
        user = page.get_by_label("User", exact=True)
        user.fill("first")
        page.wait_for_timeout(600)
        user.fill("second")
        page.wait_for_timeout(2_500)
        self.service.send({"event": "$AppStart", "distinct_id": "first"}, {"event": "$AppStart", "distinct_id": "second", "time": 1_704_110_400_000})
        page.locator(".live-row:has-text('second')").wait_for()
        page.wait_for_timeout(500)
        rows = page.locator(".live-row").all_inner_texts()
        self.assertEqual(len(rows), 1, rows)
        self.assertIn("1 Jan 2024", rows[0])


if __name__ == "__main__":
    unittest.main()
