"""A running app: its QR code, its screen as the SDK posts it, its events, and circling on the kept screen."""

import base64
import gzip
import io
import json
import unittest
import urllib.parse

import zxingcpp
from PIL import Image, ImageDraw
from support import HeldRequests, PageTest

PAGE = "HomeViewController"
PATH = "UIView/UITableView[0]/UITableViewCell[0][-]"


def view(number, name, path, frame, content="", subelements=(), **others):
    """A view as the SDK lists it."""
    return {"id": f"${number}", "class": [name, "UIView", "UIResponder", "NSObject"], "properties": {
        "subelements": [f"${one}" for one in subelements], "element_level": number, "element_path": path, "element_content": content,
        "screen_name": PAGE, "enableAppClick": False, "frame": dict(zip(("X", "Y", "Width", "Height"), frame)), **others}}


def message(title="Home", typed="my-secret", events=()):
    """The SDK's message about a screen with a field, a button, and a list of two rows."""
    tap = {"enableAppClick": True}
    objects = [
        view(1, "UIWindow", "UIWindow", (0, 0, 390, 844), f"Buy-{typed}-First-Second", [2]),
        {"id": "$2", "class": [PAGE, "UIViewController", "UIResponder", "NSObject"], "properties": {"subelements": ["$3"], "element_level": 2}},
        view(3, "UIView", "UIView", (0, 0, 390, 844), f"Buy-{typed}-First-Second", [4, 5, 6]),
        view(4, "UIButton", "UIView/UIButton[0]", (20, 100, 160, 48), "Buy", **tap),
        view(5, "UITextField", "UIView/UITextField[0]", (20, 170, 350, 40), typed),
        view(6, "UITableView", "UIView/UITableView[0]", (0, 240, 390, 600), "First-Second", [7, 8]),
        view(7, "UITableViewCell", PATH, (0, 240, 390, 60), "First", element_position="0:0", **tap),
        view(8, "UITableViewCell", PATH, (0, 300, 390, 60), "Second", element_position="0:1", **tap),
    ]
    picture = Image.new("RGB", (390, 844), "#fff")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((20, 100, 180, 148), fill="#d03010")
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=50)
    payload = {"image_hash": title, "screenshot": base64.b64encode(file.getvalue()).decode(), "event_debug": list(events),
               "serialized_objects": {"rootObject": "$1", "objects": objects}}
    return json.dumps({
        "type": "snapshot_response", "feature_code": "x", "os": "iOS", "lib": "iOS", "lib_version": "4.8.3", "app_id": "com.example.shop",
        "app_version": "5.2.1", "page_name": PAGE, "screen_name": PAGE, "title": title, "app_enablevisualizedproperties": True,
        "gzip_payload": base64.b64encode(gzip.compress(json.dumps(payload).encode())).decode()}).encode()


def tap(path, content, position=None):
    """A tap as the SDK sends it beside the screen."""
    properties = {"$element_path": path, "$screen_name": PAGE, "$element_content": content, "$element_type": "UIButton"}
    if position:
        properties["$element_position"] = position
    return {"type": "track", "event": "$AppClick", "distinct_id": "phone-1", "time": 1_795_000_000_000, "properties": properties}


class Connection(PageTest):
    def connect(self):
        """Makes a link on the page, reads its QR code, and returns the address for the app's messages."""
        page = self.page
        self.show("/connect")
        page.get_by_label("URL scheme of the app").fill("sa12345678")
        page.get_by_label("Address for the phone").fill(self.service.address.removeprefix("http://"))
        page.get_by_role("button", name="Create the QR code").click()
        code = page.locator(".qr")
        code.wait_for()
        # Other formats are sometimes found in the noise of a QR code.
        read = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())), formats=zxingcpp.BarcodeFormat.QRCode)
        link = page.locator("code:has-text('sa12345678://')").inner_text()
        self.assertEqual([one.text for one in read], [link])
        url = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["url"][0]
        return urllib.parse.unquote(url).removeprefix(self.service.address)

    def post(self, path, body):
        return self.service.request("POST", path, body, "text/plain")

    def element_on_screen(self, **wanted):
        """The number of the element with these members on the live screen."""
        connection = self.page.url.rsplit("/", 1)[1]
        screen = self.service.request("GET", f"/v1/connections/{connection}")["connection"]["screen"]
        return next(one["element"] for one in screen["elements"] if all(one[key] == value for key, value in wanted.items()))

    def selected(self):
        return self.page.evaluate("() => window.encirclePicture.selected?.element ?? null")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rule = {"include": {"event": "$AppClick", "where": {"$element_content": "Buy"}}, "emit": "home_buy"}
        cls.service.request("PUT", "/v1/rulesets/default/draft/rules/home.buy", rule)
        cls.service.request("POST", "/v1/rulesets/default/draft/publish", {"reason": "a button"})

    def test_a_screen_appears_with_its_events_and_is_kept_and_circled_on(self):
        page = self.page
        path = self.connect()
        page.wait_for_selector("text=Waiting for the phone")
        self.assertIn("delay", self.post(path, message()))
        page.get_by_role("heading", name="com.example.shop").wait_for()
        page.locator(".badge:text-is('connected')").wait_for()
        page.wait_for_selector("text=Home · HomeViewController")
        page.wait_for_function("() => window.encirclePicture?.image?.naturalWidth === 390")

        row = self.element_on_screen(element_position="0:1")
        buy = self.element_on_screen(element_path="UIView/UIButton[0]")
        page.mouse.click(*self.place_of(buy))
        self.assertEqual(self.selected(), buy)
        page.get_by_role("heading", name="Buy").wait_for()
        page.wait_for_selector("text=Screen is held")
        # It is circled already, and ringed.
        page.wait_for_selector("text=Already circled as home_buy")
        self.assertIn(["home.buy", buy], page.evaluate("() => window.encirclePicture.rings.map(one => [one.rule.id, one.element])"))
        self.circle_once_more()
        page.wait_for_selector("text=Once published, this rule is sent to the app")

        # What the app sends stands beside its screen, the newest first, with the decision of the rules in force.
        self.post(path, message(events=[tap("UIView/UIButton[0]", "Buy")]))
        page.locator(".live-row").first.wait_for()
        self.post(path, message(events=[tap(PATH, "Second", "0:1")]))
        page.wait_for_function("() => document.querySelectorAll('.live-row').length === 2")
        shown = page.locator(".live-row .badge").all_inner_texts()
        self.assertEqual(shown, ["not selected", "selected"])
        page.locator(".live-row").last.click()
        page.wait_for_selector(".badge.accent:text-is('home_buy')")
        page.wait_for_selector(".explain li")
        self.assertEqual(self.selected(), buy, "the element of the event is shown on the picture")
        page.locator(".live-row").first.click()
        page.wait_for_function("row => window.encirclePicture.selected?.element === row", arg=row)
        page.mouse.click(*self.place_of(row))
        page.get_by_role("heading", name="Second").wait_for()
        self.assertEqual(self.selected(), row, "a click on the element of the event circles it")

        # The screen is held while somebody circles on it, and another one comes in place of it then.
        self.post(path, message(title="Home again"))
        page.wait_for_selector("text=the app shows another one by now")
        self.assertNotIn("Home again · HomeViewController", page.content())
        page.get_by_role("button", name="Go on live").click()
        page.wait_for_selector("text=Home again · HomeViewController")
        self.assertNotIn("my-secret", page.content())

        page.mouse.click(*self.place_of(row))
        page.get_by_role("button", name="Keep and circle").first.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("Home of the test")
        dialog.get_by_role("button", name="Keep and circle").click()
        page.wait_for_url("**/#/screen/**")
        page.wait_for_function("() => window.encirclePicture?.image?.naturalWidth === 390")
        self.wait_for_counts()
        self.assertEqual(self.selected(), row)
        self.assertEqual(self.service.capture("Home of the test")["page"], PAGE)

        # Two rows match while any row is meant, one while this row is.
        here = page.locator(".counts strong").first
        page.locator(".chips label:has-text('Any row')").click()
        page.wait_for_function("() => document.querySelector('.counts strong')?.textContent === '2'")
        page.locator(".chips label:has-text('This row')").click()
        page.wait_for_function("() => document.querySelector('.counts strong')?.textContent === '1'")
        # The rule set has another style than the app, so that the path is compared as it is sent.
        page.locator("summary:has-text('Advanced')").click()
        page.locator(f".circle-panel code:text-is('{PATH}')").wait_for()
        page.locator("summary:has-text('suggestion')").first.click()
        page.locator(".suggestion").first.click()
        self.assertEqual(page.get_by_label("Selector", exact=True).input_value(), "")
        self.wait_for_counts()
        self.assertGreaterEqual(int(here.inner_text()), 1)

    def test_a_rule_is_circled_on_the_phone_and_reaches_the_phone(self):
        page = self.page
        path = self.connect()
        self.post(path, message(title="Live"))
        page.wait_for_selector("text=Live · HomeViewController")
        page.wait_for_function("() => window.encirclePicture?.image?.naturalWidth === 390")
        row = self.element_on_screen(element_position="0:0")
        failures = [503]
        page.route("**/hold", lambda route: route.fulfill(status=failures.pop()) if failures else route.fallback())
        page.mouse.click(*self.place_of(row))
        page.wait_for_selector("text=HTTP 503")
        # A further click tries again.
        page.mouse.click(*self.place_of(row))
        page.wait_for_selector("text=Screen is held")
        # The app goes on, and the element stays the one that was clicked.
        self.post(path, message(title="Later"))
        self.wait_for_counts()
        page.locator(".chips label:has-text('This row')").click()
        page.wait_for_function("() => document.querySelector('.counts strong')?.textContent === '1'")
        counts = page.locator(".counts").inner_text()
        page.get_by_label("Rule id").fill("live.first")
        page.get_by_role("button", name="Save as draft").click()
        page.wait_for_selector("text=live.first")
        page.wait_for_selector("text=Review and publish")
        page.wait_for_function("row => window.encirclePicture.rings.some(one => one.rule.id === 'live.first' && one.rule.stage === 'draft' && one.element === row)", arg=row)
        # The screen of the rule is kept, not the later one.
        self.assertEqual(self.service.capture("Live")["page"], PAGE)
        for chip, count in (("Any", "2"), ("This", "1")):
            page.locator(f".chips label:has-text('{chip} row')").click()
            page.wait_for_function("count => document.querySelector('.counts strong')?.textContent === count", arg=count)
        self.assertEqual(page.locator(".counts").inner_text(), counts, "it counts once")
        self.service.request("POST", "/v1/rulesets/default/draft/publish", {"reason": "a row"})
        told = self.post(path, message(title="Later"))["visualized_sdk_config"]["events"]
        mine = [one["event"] for one in told if one["event_name"] == "live.first"]
        self.assertEqual([(one["element_path"], one["element_position"]) for one in mine], [(PATH, "0:0")])
        page.get_by_role("button", name="Go on live").click()
        page.wait_for_selector("text=Later · HomeViewController")

    def test_a_screen_is_kept_whatever_its_title(self):
        page = self.page
        path = self.connect()
        self.post(path, message(title="Two\n" + "行" * 70))
        page.wait_for_function("() => window.encirclePicture?.image?.naturalWidth === 390")
        page.mouse.click(*self.place_of(self.element_on_screen(element_position="0:0")))
        self.wait_for_counts()
        # Another test may have circled the row already.
        page.get_by_label("Event name").fill("titled")
        with page.expect_response("**/keep"):
            page.locator(".circle-panel form button[type=submit]").click()
        self.assertEqual(self.service.capture("Two")["name"], "Two " + "行" * 65)

    def test_the_element_that_is_clicked_while_a_screen_is_not_yet_held_is_circled(self):
        page = self.page
        path = self.connect()
        self.post(path, message(title="Slow"))
        page.wait_for_selector("text=Slow · HomeViewController")
        page.wait_for_function("() => window.encirclePicture?.image?.naturalWidth === 390")
        page.wait_for_function("() => window.encirclePicture.rings.length > 0")
        late = HeldRequests(page, "**/hold")
        with page.expect_request("**/hold"):
            page.mouse.click(*self.place_of(self.element_on_screen(element_position="0:0")))
        asked = []
        page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/v1/chips") else None)
        page.mouse.click(*self.place_of(self.element_on_screen(element_path="UIView/UIButton[0]")))
        page.wait_for_timeout(700)
        self.assertEqual(asked, [], "nothing is asked about a screen that has no name yet")
        late[0].continue_()
        page.get_by_role("heading", name="Buy").wait_for()
        self.wait_for_counts()

    def test_the_keyboard_stays_where_it_is_while_the_app_goes_on(self):
        page = self.page
        path = self.connect()
        self.post(path, message(title="First"))
        page.wait_for_selector("text=First · HomeViewController")
        has_focus = "button => button === document.activeElement"
        keep = page.get_by_role("button", name="Keep and circle").first
        keep.focus()
        self.post(path, message(title="Second"))
        page.wait_for_selector("text=Second · HomeViewController")
        self.assertTrue(keep.evaluate(has_focus))
        page.wait_for_function("() => window.encirclePicture?.image?.naturalWidth === 390")
        page.mouse.click(*self.place_of(self.element_on_screen(element_position="0:0")))
        go_on = page.get_by_role("button", name="Go on live")
        go_on.focus()
        self.post(path, message(title="Third"))
        page.get_by_text("the app shows another one by now").wait_for()
        self.assertTrue(go_on.evaluate(has_focus))

    def test_a_screen_that_is_kept_late_leaves_another_view_alone(self):
        page = self.page
        path = self.connect()
        self.post(path, message(title="Late"))
        page.wait_for_selector("text=Late · HomeViewController")
        late = HeldRequests(page, "**/keep")
        page.get_by_role("button", name="Keep and circle").first.click()
        with page.expect_request("**/keep"):
            page.get_by_role("dialog").get_by_role("button", name="Keep and circle").click()
        page.keyboard.press("Escape")
        page.get_by_role("link", name="Settings").click()
        late[0].continue_()
        page.locator(".toast").get_by_text("kept").wait_for()
        page.get_by_role("heading", name="Settings", exact=True).wait_for()
        page.wait_for_timeout(200)
        self.assertTrue(page.url.endswith("#/settings"))

    def test_notices_of_the_sdk_are_shown(self):
        page = self.page
        path = self.connect()
        body = json.loads(message())
        body["app_alert_infos"] = [{"title": "No script", "message": "This page lacks it.", "link_text": "More", "link_url": "javascript:alert(1)"}]
        self.post(path, json.dumps(body).encode())
        page.wait_for_selector("text=This page lacks it.")
        self.assertEqual(page.locator("a:text-is('More')").count(), 0, "a link that is none of the web is not shown")

    def test_an_ended_connection_says_so(self):
        page = self.page
        path = self.connect()
        self.post(path, message())
        page.get_by_role("button", name="End", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="End").click()
        page.get_by_role("heading", name="Connect", exact=True).wait_for()
        self.assertLess(self.post(path, message())["delay"], 0, "the app is told to stop")

    def test_a_screen_still_appears_after_the_stream_was_answered_with_an_error(self):
        page = self.page
        refused = []
        page.route("**/v1/connections/*/stream", lambda route: [refused.append(1), route.fulfill(status=502) if len(refused) == 1 else route.continue_()])
        path = self.connect()
        page.wait_for_selector("text=Waiting for the phone")
        self.post(path, message())
        page.wait_for_selector("text=Home · HomeViewController")

    def test_a_screen_that_may_be_outdated_is_said_to_be(self):
        page = self.page
        path = self.connect()
        self.post(path, message())
        page.wait_for_selector("text=Home · HomeViewController")
        lost = page.locator("main").get_by_role("alert").get_by_text("The service cannot be reached")
        is_lost = [True]
        page.route("**/v1/connections/**", lambda route: route.abort() if is_lost else route.fallback())
        self.post(path, message(title="Unseen"))
        lost.wait_for()
        is_lost.clear()
        self.post(path, message(title="Seen"))
        page.wait_for_selector("text=Seen · HomeViewController")
        self.assertEqual(lost.count(), 0)

    def test_a_link_is_shown_in_the_tab_that_made_it_only(self):
        self.connect()
        other = self.open_page()
        self.addCleanup(other.context.close)
        other.goto(self.page.url)
        other.wait_for_selector("text=The code is shown once")
        self.assertNotIn("sa12345678://", other.content())


if __name__ == "__main__":
    unittest.main()
