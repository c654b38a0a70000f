"""A service with the shipped captures and rules, and a browser on its page."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: The whole browser, which can take pictures of its tabs.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
#: The browser for most tests: without windows, it takes two thirds of the processor time.
HEADLESS_CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or CHROMIUM


class Service:
    """The built tool, serving a new directory on a free port."""

    def __init__(self, captures=True, options=()):
        self.directory = tempfile.mkdtemp(prefix="encircle-page-")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.headers = {}
        command = [os.environ["ENCIRCLE"], "serve", "--data", self.directory, "--port", str(port), *options]
        self.log = open(pathlib.Path(self.directory) / "log", "wb")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        for _ in range(300):
            if self.process.poll() is not None:
                break
            try:
                self.request("GET", "/readyz")
                if captures:
                    self.fill()
                return
            except OSError:
                time.sleep(0.1)
        self.log.flush()
        raise RuntimeError((pathlib.Path(self.directory) / "log").read_text()[-2000:])

    def fill(self):
        """Stores the captures and the shop's rules of this repository, as a client would."""
        for file in sorted((ROOT / "ViewTrees").glob("*.xml")):
            self.request("POST", f"/v1/captures?name={file.stem}", file.read_bytes(), "application/xml")
        self.request("PUT", "/v1/rulesets/default?reason=first", (ROOT / "Rules" / "shop.yaml").read_bytes(),
                     "application/yaml", {"If-Match": "*"})

    def request(self, method, path, body=None, type="application/json", headers={}):
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method, headers={"Content-Type": type, **self.headers, **headers})
        with urllib.request.urlopen(request, timeout=20) as answer:
            content = answer.read()
            return json.loads(content) if "json" in (answer.headers.get("Content-Type") or "") else content

    def add_token(self, name, role):
        """Makes a token as the operator of the service does."""
        command = [os.environ["ENCIRCLE"], "token", "add", name, "--role", role, "--data", self.directory]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def wait_for_tokens(self):
        """Waits until tokens are asked for: the service notices a while later that there are some."""
        for _ in range(50):
            try:
                self.request("GET", "/v1/rulesets", headers={"Authorization": "Bearer none"})
            except urllib.error.HTTPError:
                break
            time.sleep(0.1)

    def send(self, *events):
        """Sends events as a backend would."""
        self.request("POST", "/v1/collect?project=default", list(events))

    def capture(self, name):
        """The stored capture with this name."""
        captures = self.request("GET", "/v1/captures?limit=500")["captures"]
        return next(capture for capture in captures if name in capture["name"])

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)


class HeldRequests:
    """Requests of a page that wait for a test to answer them, in the order in which the page sends them."""

    def __init__(self, page, pattern, wanted="", method=None, limit=None):
        """Holds requests with a text in the address and with a method, at most a number of them."""
        self.page, self.routes = page, []

        def hold(route):
            is_wanted = wanted in route.request.url and method in (None, route.request.method)
            if is_wanted and len(self.routes) != limit:
                self.routes.append(route)
            else:
                route.fallback()

        page.route(pattern, hold)

    def __getitem__(self, number):
        """The request with a number. The browser reports a request before it lets a test answer it."""
        end = time.monotonic() + 60
        while len(self.routes) <= number:
            if time.monotonic() > end:
                raise IndexError(f"the page has sent {len(self.routes)} requests")
            self.page.wait_for_timeout(10)
        return self.routes[number]


class PageTest(unittest.TestCase):
    """Tests of one service in one browser; every test has its own page, in English."""

    captures = True
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.service = Service(cls.captures, cls.options)
        cls.addClassCleanup(cls.service.stop)
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(executable_path=HEADLESS_CHROMIUM, args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.errors = []
        self.page = self.open_page()

    def tearDown(self):
        self.page.context.close()
        self.assertEqual(self.errors, [], "the page reported errors")

    def open_page(self, **options):
        options = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce", **options}
        page = self.browser.new_context(**options).new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        # Nothing is asked for that there cannot be; other refusals are what some tests are about.
        page.on("console", lambda message: self.errors.append(f"{message.text} {message.location.get('url', '')}")
                if "Content Security" in message.text or "404 (Not Found)" in message.text else None)
        return page

    def discard_draft_at_end(self):
        """Removes the draft once the page is closed: until then, the page may still read rules that it has listed."""
        self.addCleanup(self.service.request, "DELETE", "/v1/rulesets/default/draft")

    def publish(self, reason):
        """Publishes the draft that is shown, once all of it is there: afterwards, its rules can no longer be listed."""
        self.page.wait_for_selector(".changed-rule")
        self.page.get_by_label("Reason").fill(reason)
        self.page.get_by_role("main").get_by_role("button", name="Publish", exact=True).click()
        self.page.wait_for_selector(f"text={reason}")

    def write_text(self, text):
        """Replaces the text in the editor of rules, as a person does."""
        self.page.locator(".editor .CodeMirror-lines").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def read_text(self):
        """The whole text in the editor of rules; the document has only the visible lines."""
        return self.page.evaluate("() => document.querySelector('.CodeMirror').CodeMirror.getValue()")

    def show(self, path, page=None):
        """Opens a view by its address and waits until nothing is loading."""
        page = page or self.page
        page.goto("about:blank")
        page.goto(f"{self.service.address}/#{path}")
        page.wait_for_selector("main h1, main .state")
        page.wait_for_function("() => !document.querySelector('.skeleton')")
        return page

    def change_language_and_back(self):
        """Shows the view in Chinese, and in English again; unsaved input survives both."""
        self.page.get_by_role("button", name="中文").click()
        self.page.get_by_text("已恢复未保存的更改。").wait_for()
        self.page.get_by_role("button", name="English").click()
        self.page.get_by_text("Your unsaved changes are back.").wait_for()

    def show_screen(self, name, page=None):
        capture = self.service.capture(name)
        page = self.show(f"/screen/{capture['id']}", page)
        page.wait_for_function("() => window.encirclePicture?.size.width > 0")
        return capture

    def element(self, capture, **wanted):
        """The first element of a capture with these members."""
        elements = self.service.request("GET", f"/v1/captures/{capture['id']}/elements")["elements"]
        return next(one for one in elements if all(one.get(key) == value for key, value in wanted.items()))

    def place_of(self, number, page=None):
        """Where the middle of an element is in the window."""
        return (page or self.page).evaluate(
            """number => {
              const picture = window.encirclePicture;
              const [x, y, width, height] = picture.index.byNumber.get(number).frame;
              const box = picture.stage.getBoundingClientRect();
              return [box.left + picture.view.x + (x + width / 2) * picture.view.scale,
                box.top + picture.view.y + (y + height / 2) * picture.view.scale];
            }""", number)

    def circle_once_more(self, page=None):
        """Begins a new rule about an element that already has rules."""
        page = page or self.page
        page.get_by_role("button", name="Circle it once more").click()
        self.wait_for_counts(page)

    def wait_for_counts(self, page=None):
        (page or self.page).wait_for_function("() => document.querySelector('.circle-panel[aria-busy=false] .counts strong')")
