"""A web page beside the app: sent by the bookmark, circled on its rectangles, published, and a real click decided."""

import http.server
import json
import os
import subprocess
import sys
import threading
import unittest

from support import CHROMIUM, ROOT, PageTest

# What sa-sdk-javascript sends of a click, by the facts of docs/styles.md.
CLICK = """
document.addEventListener('click', (event) => {
  event.preventDefault();
  const target = event.target.closest('a, button, input, textarea');
  if (!target) return;
  const path = [], selector = [];
  for (let view = target; ; view = view.parentElement) {
    if (view === document.body) { path.unshift('body'); selector.unshift('body'); break; }
    const like = [...view.parentElement.children].filter((other) => other.tagName === view.tagName);
    if (view.id) { path.unshift(`${view.localName}#${view.id}`); selector.unshift(`#${view.id}`); break; }
    path.unshift(view.localName);
    selector.unshift(`${view.localName}:nth-of-type(${like.indexOf(view) + 1})`);
  }
  window.clicked = { event: '$WebClick', time: Date.now(), distinct_id: 'visitor', properties: { $lib: 'js',
    $element_type: target.localName, $element_class_name: target.className, $element_path: path.join(' > '),
    $element_selector: selector.join(' > '), $element_content: target.textContent.trim(), $url: location.href,
    $url_path: decodeURI(location.pathname) } };
});
"""


class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        page = (ROOT / "ViewTrees" / "flowers.html").read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


SHOP = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
SNAPSHOT = (ROOT / "Probe" / "web" / "snapshot.js").read_text(encoding="utf-8")
ORIGIN = f"http://127.0.0.1:{SHOP.server_address[1]}"


class WebPages(PageTest):
    captures = False
    options = ("--allowed-origin", ORIGIN)

    @classmethod
    def setUpClass(cls):
        threading.Thread(target=SHOP.serve_forever, daemon=True).start()
        cls.addClassCleanup(SHOP.shutdown)
        super().setUpClass()
        rules = b"version: 1\nstyle: sensors-web\nrules:\n  - id: help\n    include: { selector: 'footer > a' }\n"
        cls.service.request("PUT", "/v1/rulesets/default?reason=first", rules, "application/yaml", {"If-Match": "*"})

    def send(self, page):
        """Opens the bookmark on a page, and returns what it says then."""
        bookmark = subprocess.run([sys.executable, ROOT / "Probe" / "web" / "bookmarklet.py", self.service.address],
                                  check=True, capture_output=True, text=True).stdout.strip()
        with page.expect_event("dialog") as dialog:
            page.once("dialog", lambda dialog: dialog.accept())
            page.evaluate("script => { location.href = script }", bookmark)
        return dialog.value.message

    def test_a_page_is_sent_circled_and_its_click_decided(self):
        shop = self.open_page(viewport={"width": 700, "height": 600})
        shop.goto(f"{ORIGIN}/flowers/today")
        self.assertEqual(self.send(shop), "Encircle: 今日花束")

        page = self.page
        capture = self.show_screen("今日花束")
        button = self.element(capture, element=27)
        box = shop.locator("button.add").first.bounding_box()
        self.assertEqual([round(number) for number in button["frame"]],
                         [round(box[key]) for key in ("x", "y", "width", "height")], "rectangles are those of the browser")
        page.mouse.click(*self.place_of(button["element"]))
        page.wait_for_selector(".circle-panel h2:has-text('加入花篮')")
        self.wait_for_counts()
        page.get_by_label("Rule id").fill("web.add")
        page.get_by_role("button", name="Save as draft").click()
        page.get_by_role("link", name="Review and publish").click()
        page.wait_for_selector(".diff .add:has-text('web.add')")
        self.publish("the page beside the app")

        shop.evaluate(CLICK)
        for place, expected in [("button.add svg >> nth=1", ["web.add"]), ("button.favourite >> nth=0", []), ("footer a", ["help"])]:
            shop.locator(place).click()
            decision = self.service.request("POST", "/v1/match", shop.evaluate("() => window.clicked"))
            self.assertEqual(decision["rules"], expected, f"{place}: {json.dumps(shop.evaluate('() => window.clicked'), ensure_ascii=False)}")

    def test_selectors_of_several_rules_are_read_in_the_style_of_the_rules(self):
        page = self.page
        # Another test stores the same page, under the same name.
        self.service.request("POST", "/v1/captures?name=saved", (ROOT / "ViewTrees" / "flowers.html").read_bytes(), "text/html")
        self.show_screen("saved")
        page.get_by_role("tab", name="Several").click()
        page.get_by_role("button", name="All tracked of this screen").click()
        page.get_by_role("button", name="A rule for each").click()
        dialog = page.get_by_role("dialog")
        dialog.locator("tbody tr").first.wait_for()
        row = dialog.locator("[data-row='0']")
        row.and_(dialog.locator("[data-column=id]")).fill("edited")
        selector = row.and_(dialog.locator("[data-column=selector]"))
        selector.fill("nav/a")
        dialog.get_by_role("button", name="Save all as draft").click()
        dialog.get_by_text("are CSS").wait_for()
        selector.fill("nav > a:nth-of-type(1)")
        dialog.get_by_role("button", name="Save all as draft").click()
        dialog.wait_for(state="detached")
        rule = self.service.request("GET", "/v1/rulesets/default/draft/rules/edited")
        self.assertEqual(rule["include"]["selector"], "nav > a:nth-of-type(1)")
        self.discard_draft_at_end()

    def test_a_page_is_sent_with_a_picture_of_the_part_that_is_seen(self):
        browser = self.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--auto-accept-this-tab-capture"])
        self.addCleanup(browser.close)
        shop = browser.new_page(viewport={"width": 600, "height": 500})
        shop.goto(f"{ORIGIN}/flowers/picture")
        shop.evaluate("() => { document.title = 'with a picture'; document.querySelector('h1').id = 'mark'; }")
        said = []
        shop.on("dialog", lambda dialog: (said.append(dialog.message), dialog.accept()))
        bookmark = subprocess.run(
            [sys.executable, ROOT / "Probe" / "web" / "bookmarklet.py", self.service.address, "--picture"],
            check=True, capture_output=True, text=True).stdout.strip()
        # A picture is taken only shortly after something was clicked.
        shop.evaluate("script => document.querySelector('h1').addEventListener('click', () => { location.href = script })", bookmark)
        shop.click("h1")
        for _ in range(200):
            if said:
                break
            shop.wait_for_timeout(50)
        self.assertEqual(said, ["Encircle: with a picture"])
        capture = self.service.capture("with a picture")
        self.assertTrue(capture["has_screenshot"], capture)

    def test_a_bookmark_has_the_whole_address_of_the_service(self):
        for address in ("encircle.example.com", "localhost:8080", "/", ""):
            run = subprocess.run([sys.executable, ROOT / "Probe" / "web" / "bookmarklet.py", address], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout), (2, ""), address)
            self.assertIn("begins with http:// or https://", run.stderr)

    def test_names_of_fields_hide_no_property_of_their_form_or_page(self):
        names = ["prefix", "localName", "namespaceURI", "shadowRoot", "isContentEditable", "attributes", "childNodes"]
        fields = "".join(f"<input name={name}>" for name in names)
        self.page.set_content(f"<title>Order</title><body><img name=title><form name=documentElement>{fields}</form>")
        snapshot = json.loads(self.page.evaluate(SNAPSHOT))
        self.assertEqual((snapshot["title"], snapshot["root"][0]), ("Order", "html"))
        form = snapshot["root"][2][1][2][1]
        self.assertEqual(form[:2], ["form", {"name": "documentElement"}])
        self.assertEqual([field[:2] for field in form[2]], [["input", {"name": name}] for name in names])

    def test_typed_text_is_not_in_a_snapshot(self):
        self.page.set_content("<textarea>typed</textarea><div contenteditable>typed<b>typed</b></div><input value=typed><p>open</p>")
        written = self.page.evaluate(SNAPSHOT)
        self.assertNotIn("typed", written)
        self.assertIn("open", written)

    def test_a_page_is_sent_under_its_title_whatever_that_is(self):
        shop = self.open_page()
        shop.goto(f"{ORIGIN}/flowers/title")
        shop.evaluate("() => { document.title = '花 & 束\\ud83d'; document.body.append(Object.assign(new Image(), { name: 'title' })); }")
        self.assertEqual(self.send(shop), "Encircle: 花 & 束\ufffd")
        self.assertEqual(self.service.capture("花 & 束")["name"], "花 & 束\ufffd")

    def test_a_saved_page_is_drawn_as_an_outline(self):
        self.service.request("POST", "/v1/captures?name=saved", (ROOT / "ViewTrees" / "flowers.html").read_bytes(), "text/html")
        capture = self.show_screen("saved")
        self.assertEqual(capture["page"], "/flowers/today")
        self.assertEqual(self.page.get_by_role("button", name="Name its page").count(), 0)
        self.assertEqual(self.page.locator(".title-button").count(), 0, "its views are no $AppViewScreen")
        button = self.element(capture, **{"class": "button", "content": "清空"})
        self.page.mouse.click(*self.place_of(button["element"]))
        self.page.wait_for_selector(".circle-panel h2:has-text('清空')")


class TwelveEvents(PageTest):
    """The events of the flower shop, circled on its page; WebRules/flowers.yaml has the same by hand."""

    captures = False
    # By event: elements, and the suggestion that is taken where the first one is about this element alone.
    EVENTS = {
        "flowers.filter": ([8], None), "flowers.plants": ([13], None), "flowers.ad": ([15], None),
        "flowers.bouquet.open": ([20], "#bouquets > li > a"), "flowers.bouquet.favourite": ([24], None),
        "flowers.bouquet.add": ([27], None), "flowers.extra": ([32, 33], None), "flowers.occasion": ([53], "a.occasion"),
        "flowers.occasion.look": ([54], None), "flowers.gift": ([60], None), "flowers.clear": ([65], None),
        "flowers.keep": ([64], None),
    }

    def test_the_twelve_events_of_the_shop_are_circled_by_clicks_and_decide_its_taps(self):
        page = self.page
        rules = b"version: 1\nstyle: sensors-web\nrules:\n  - { id: other, include: { page: /other } }\n"
        self.service.request("PUT", "/v1/rulesets/default?reason=first", rules, "application/yaml", {"If-Match": "*"})
        self.service.request("POST", "/v1/captures?name=shop", (ROOT / "ViewTrees" / "flowers.html").read_bytes(), "text/html")
        self.show_screen("shop")
        for event, (elements, suggestion) in self.EVENTS.items():
            with self.subTest(event):
                page.mouse.click(*self.place_of(elements[0]))
                page.wait_for_function("number => location.hash.includes(`=${number}`)", arg=elements[0])
                self.wait_for_counts()
                if suggestion:
                    for closed in ("Advanced", "suggestion"):
                        summary = page.locator(f"details:not([open]) > summary:has-text('{closed}')")
                        if summary.count():
                            summary.click()
                    page.locator(".suggestion", has=page.get_by_text(suggestion, exact=True)).click()
                    self.wait_for_counts()
                for further in elements[1:]:
                    page.get_by_role("button", name="Or this element, too").click()
                    page.mouse.click(*self.place_of(further))
                    page.wait_for_selector("text=It also matches")
                    self.wait_for_counts()
                page.get_by_label("Event name").fill(event)
                page.get_by_role("button", name="Save as draft").click()
                page.get_by_role("link", name="Review and publish").wait_for()
        page.get_by_role("link", name="Review and publish").click()
        self.publish("the twelve events")

        lines = (ROOT / "WebRules" / "events" / "flowers.ndjson").read_bytes().splitlines(keepends=True)
        taps = [line for line in lines if b"$WebClick" in line]
        by_hand = subprocess.run([os.environ["ENCIRCLE"], "match", "--rules", ROOT / "WebRules" / "flowers.yaml", "-"],
                                 input=b"".join(taps), capture_output=True, check=True).stdout.splitlines()
        self.assertEqual(len(by_hand), 23)
        for tap, decision in zip(taps, by_hand):
            self.assertEqual(self.service.request("POST", "/v1/match", tap)["emit"], json.loads(decision)["emit"], tap.decode())


if __name__ == "__main__":
    unittest.main()
