"""The live view says what an element is, also where its event carries nothing but the event ID."""

import unittest

from support import PageTest


class LiveNames(PageTest):
    def test_an_event_of_hubbledata_has_the_text_of_its_stored_element(self):
        capture = self.service.capture("home-feed")
        element = next(one for one in self.service.request("GET", f"/v1/captures/{capture['id']}/elements")["elements"] if one.get("content") and one.get("type") == "buttonEvent")
        self.service.send({"eventId": element["event_id"], "type": "buttonEvent", "deviceUdid": "d1", "attributes": {"type": "buttonEvent", "page": "HomeViewController"}},
                          {"eventId": "cd" * 32, "type": "buttonEvent", "deviceUdid": "d2", "attributes": {"title": "关注"}})
        self.show("/live")
        rows = self.page.locator(".live-row")
        self.page.wait_for_function("text => [...document.querySelectorAll('.live-row')].some((row) => row.innerText.includes(text))", arg=element["content"][:20])
        self.assertTrue(any("关注" in row for row in rows.all_inner_texts()), rows.all_inner_texts())


if __name__ == "__main__":
    unittest.main()
