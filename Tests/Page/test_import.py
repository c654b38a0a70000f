"""Definitions of another tool on the page: a file, the rules that it gives, and the draft of the chosen ones."""

import base64
import json
import struct
import tempfile
import unittest
import zlib
from pathlib import Path

from support import HeldRequests, PageTest

ACTIONS = [
    {"id": 1, "name": "paid", "steps": [{"event": "order_paid"}]},
    {"id": 2, "name": "seen", "steps": [{"event": "seen"}]},
    {"id": 3, "name": "vip", "steps": [{"event": "v", "properties": [{"key": "email", "type": "person", "value": "x"}]}]},
]
# A circle of GrowingIO, but for its picture.
CIRCLE = {
    "id": "Qa7x",
    "name": "加购",
    "platform": "iOS",
    "eventType": "elem",
    "filter": {"path": "Home", "xpath": "/UIView[0]/UIButton[0]"},
    "screenshot": {"x": "10", "y": "2", "w": "30", "h": "4"},
}


def picture(width, height):
    def chunk(name, data):
        whole = name + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))

    lines = (b"\0" + b"\xff\0\0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(png).decode()


class Import(PageTest):
    def choose(self, content, page=None):
        page = page or self.page
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "actions.json"
            file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
            page.get_by_label("File with definitions of another tool").set_input_files(file)
            page.wait_for_selector(".rule-import, main .notice.bad")

    def test_chosen_definitions_become_a_draft_of_a_rule_set_of_their_own(self):
        page = self.page
        self.show("/rules")
        self.choose(ACTIONS)
        self.assertIn("2 exact, 1 skipped", page.locator(".rule-import").inner_text())
        skipped = page.locator('tr[data-result="skipped"]')
        self.assertIn("It asks who the person is", skipped.inner_text())
        self.assertTrue(skipped.get_by_role("checkbox").is_disabled())
        page.get_by_label("Also rules that take more than the definition did").check()
        page.wait_for_selector('tr[data-result="wider"]')
        page.get_by_label("Choose vip").uncheck()
        page.get_by_label("Choose seen").uncheck()
        self.assertIn("pages, fields", page.locator(".rule-import .notice").inner_text())
        page.get_by_label("Name of the new rule set").fill("imported")
        page.get_by_role("button", name="Save as draft (1)").click()
        page.get_by_text("1 rule is in the draft.").wait_for()
        page.wait_for_selector(".rule-import", state="detached")
        draft = self.service.request("GET", "/v1/rulesets/imported/draft").decode()
        self.assertIn("id: posthog.1", draft)
        self.assertNotIn("posthog.2", draft)
        # The page goes on with the new rule set; a second import says what is there already.
        page.get_by_text("paid", exact=True).first.wait_for()
        self.choose(ACTIONS)
        row = page.locator('tr[data-rule="posthog.1"]')
        self.assertIn("the same", row.inner_text())
        self.assertFalse(row.get_by_role("checkbox").is_checked())
        page.get_by_role("button", name="Save as draft (1)").click()
        page.wait_for_selector(".rule-import", state="detached")
        self.assertIn("posthog.2", self.service.request("GET", "/v1/rulesets/imported/draft").decode())

    def test_circles_are_shown_on_their_pictures(self):
        self.show("/rules")
        shown = {**CIRCLE["screenshot"], "viewport": picture(390, 8)}
        none = {**CIRCLE["screenshot"], "viewport": "data:image/svg+xml;base64,PHN2Zy8+"}
        self.choose([{**CIRCLE, "screenshot": shown}, {**CIRCLE, "id": "b", "screenshot": none}])
        drawn = self.page.get_by_role("img", name="Where 加购 was circled")
        self.assertEqual(drawn.count(), 1)
        ring, image = drawn.locator("rect").bounding_box(), drawn.locator("image").bounding_box()
        # The box of the ring has its line around it.
        center = ring["x"] + ring["width"] / 2
        self.assertAlmostEqual((center - image["x"]) / image["width"], 25 / 390, places=2)
        self.assertAlmostEqual(ring["width"] / image["width"], 30 / 390, places=1)

    def test_the_newest_choice_counts_and_keeps_the_keyboard_and_the_name(self):
        page = self.page
        self.show("/rules")
        self.choose(ACTIONS)
        page.get_by_label("Name of the new rule set").fill("mine")
        late = HeldRequests(page, "**/import?allow=wider")
        wider = page.get_by_label("Also rules that take more than the definition did")
        with page.expect_request("**/import?allow=wider"):
            wider.check()
        with page.expect_response("**/import"):
            wider.uncheck()
        with page.expect_response("**/import?allow=wider"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(page.locator('tr[data-result="wider"]').count(), 0, "an earlier answer is dropped")
        page.unroute("**/import?allow=wider")
        wider.press("Space")
        page.wait_for_selector('tr[data-result="wider"]')
        self.assertEqual(page.evaluate("() => document.activeElement.type"), "checkbox")
        page.route("**/import", lambda route: route.abort())
        wider.press("Space")
        page.locator(".rule-import").get_by_text("The service cannot be reached").wait_for()
        self.assertTrue(wider.is_checked(), "the choice is the one of the rules that are shown")
        self.assertEqual(page.get_by_label("Name of the new rule set").input_value(), "mine")

    def test_the_file_that_was_chosen_last_is_shown(self):
        page = self.page
        self.show("/rules")
        # The rules go into a set of their own, which has the settings that they need, but for one.
        self.choose(ACTIONS)
        page.get_by_label("Choose seen").uncheck()
        page.get_by_label("Name of the new rule set").fill("quick")
        page.get_by_role("button", name="Save as draft (1)").click()
        page.wait_for_selector(".rule-import", state="detached")
        page.get_by_text("paid", exact=True).first.wait_for()
        file = page.get_by_label("File with definitions of another tool")
        first, second = ({"name": f"{name}.json", "mimeType": "application/json", "buffer": json.dumps(ACTIONS).encode()} for name in ("first", "second"))
        late = HeldRequests(page, "**/import", limit=1)
        with page.expect_request("**/import"):
            file.set_input_files(first)
        file.set_input_files(second)
        page.get_by_role("heading", name="second.json").wait_for()
        with page.expect_response("**/import"):
            late[0].continue_()
        page.wait_for_timeout(200)
        self.assertEqual(page.locator(".rule-import h2").all_inner_texts(), ["Definitions of second.json"])
        # Nor does a file that is still being saved.
        saving = HeldRequests(page, "**/import/draft*")
        with page.expect_request("**/import/draft*"):
            page.get_by_role("button", name="Save as draft (1)").click()
        file.set_input_files(first)
        page.get_by_role("heading", name="first.json").wait_for()
        saving[0].continue_()
        page.get_by_text("1 rule is in the draft.").last.wait_for()
        page.wait_for_timeout(200)
        self.assertEqual(page.locator(".rule-import h2").all_inner_texts(), ["Definitions of first.json"])

    def test_an_invalid_file_is_reported_and_nothing_is_english_in_chinese(self):
        self.show("/rules")
        self.choose("no json")
        self.assertEqual(self.page.locator(".rule-import").count(), 0)
        self.choose("[]")
        self.page.wait_for_selector("main .notice.bad:has-text('is not recognized')")
        self.assertEqual(self.page.locator("main .notice.bad").inner_text().count("is not recognized"), 1)
        chinese = self.show("/rules", self.open_page(locale="zh-CN"))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "actions.json"
            file.write_text(json.dumps(ACTIONS), "utf-8")
            chinese.get_by_label("其他工具的定义文件").set_input_files(file)
            chinese.wait_for_selector(".rule-import tbody tr")
        self.assertIn("条件涉及用户属性（email）", chinese.locator('tr[data-result="skipped"]').inner_text())
        self.assertEqual(chinese.locator(".rule-import th").all_inner_texts()[1:], ["规则", "结果", "本地", "原因"])
        for content, said in (("[]", "无法识别这个文件：它不是 Sensors、PostHog、GrowingIO、Pendo 的定义。"), ("[", "文件不完整：值没有写完。")):
            chinese.get_by_label("其他工具的定义文件").set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": content.encode()})
            chinese.locator("main .notice.bad").get_by_text(said).first.wait_for()
            self.assertEqual(chinese.locator("main .notice.bad [lang=en]").count(), 0)
        chinese.context.close()


if __name__ == "__main__":
    unittest.main()
