"""Scripts in the names of captures and in events stay texts."""

import unittest

from support import PageTest

SCRIPTS = ["<img src=x onerror=\"window.harmed=1\">", "<script>window.harmed=1</script>", "\"><svg onload=window.harmed=1>",
           "javascript:window.harmed=1"]


class HostileTexts(PageTest):
    def setUp(self):
        super().setUp()
        self.page.add_init_script("window.harmed = 0")

    def unharmed(self, where):
        self.page.wait_for_timeout(150)
        self.assertEqual(self.page.evaluate("() => window.harmed"), 0, where)
        self.assertEqual(self.page.locator("main img[src=x], main script, main svg[onload]").count(), 0, where)

    def test_texts_of_captures_do_not_execute(self):
        for number, script in enumerate(SCRIPTS):
            text = script.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;")
            tree = f"""<viewTree version="1" app="{text}" appVersion="{number}{text}" os="iOS" screen="390 844">
              <view class="UIWindow" frame="0 0 390 844"><view class="UIView" frame="0 0 390 844" controller="{text}" controllerTitle="{text}">
              <view class="UIButton" frame="10 90 200 60" title="{text}" identifier="{text}" actions="a:"/></view></view></viewTree>"""
            answer = self.service.request("POST", "/v1/captures?name=hostile-" + str(number), tree.encode(), "application/xml")
            capture = answer["capture"]["id"]
            self.show("/screens?search=hostile")
            self.unharmed("screens")
            self.show(f"/screen/{capture}?element=2")
            self.unharmed("screen")
            self.page.get_by_role("tab", name="Element").click()
            self.page.wait_for_selector(".path-list li")
            self.unharmed("details")

    def test_texts_of_events_do_not_execute(self):
        self.show("/live")
        self.page.wait_for_selector("text=listening")
        for script in SCRIPTS:
            self.service.send({"type": "track", "event": script, "distinct_id": script, "properties": {
                "$screen_name": script, "$element_content": script, "$element_path": script, "$app_version": script}})
        self.page.wait_for_function(f"() => document.querySelectorAll('.live-row').length >= {len(SCRIPTS)}")
        self.unharmed("live")
        self.page.locator(".live-row").first.click()
        self.page.wait_for_selector(".explain")
        self.unharmed("details of an event")
        self.show("/")
        self.unharmed("overview")

    def test_a_name_does_not_turn_the_words_around_it(self):
        page = self.page
        # Marks to write from right to left; the last name ends an isolate that it has not begun.
        names = [f"{mark}abc" for mark in ("\u202e", "\u2067", "\u05d0\u05d1", "\u2069\u202e")]

        def place(locator, text):
            """Where the text begins and ends in the window."""
            return locator.evaluate("""(node, text) => {
              const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
              while (walker.nextNode()) {
                const start = walker.currentNode.data.indexOf(text);
                if (start < 0) continue;
                const range = document.createRange();
                return [start, start + text.length - 1].map((index) => {
                  range.setStart(walker.currentNode, index);
                  range.setEnd(walker.currentNode, index + 1);
                  return range.getBoundingClientRect().left;
                });
              }
            }""", text)

        for number, name in enumerate(names):
            rule = f"rule-{number}"
            rules = f"version: 1\nrules: [{{ id: any, name: \"{name}\", include: {{ event: '{name}' }}, emit: '{name}' }}]\n"
            self.service.request("PUT", f"/v1/rulesets/{rule}", rules.encode(), "application/yaml", {"If-Match": "*"})
            tree = f"""<viewTree version="1" app="x" appVersion="{number}.1" os="iOS" osVersion="17" screen="390 844">
              <view class="UIWindow" frame="0 0 390 844"><view class="UIView" frame="0 0 390 844" controller="{name}"/></view></viewTree>"""
            capture = self.service.request("POST", f"/v1/captures?name=turned-{number}", tree.encode(), "application/xml")["capture"]["id"]
            self.service.send({"event": name, "distinct_id": "person", "properties": {"$screen_name": "Somewhere", "$element_content": "content"}})
            page.goto(self.service.address)
            page.evaluate("set => localStorage.setItem('encircle', JSON.stringify({ruleset: set}))", rule)
            # A sentence.
            self.show("/screens")
            with page.expect_file_chooser() as chooser:
                page.get_by_role("button", name="Upload").first.click()
            chooser.value.set_files([{"name": f"{name}.xml", "mimeType": "text/xml", "buffer": b""}])
            first, last = place(page.locator(".toast.bad"), "is empty")
            self.assertLess(first, last, f"a sentence, {number}")
            # A line of several names, and names in elements of their own.
            self.show(f"/screen/{capture}")
            first, last = place(page.locator(".view-head .about"), "iOS 17")
            self.assertLess(first, last, f"a line, {number}")
            self.show("/live")
            first, last = place(page.locator(".live-row").first, "content")
            self.assertLess(first, last, f"elements, {number}")
            page.evaluate("() => localStorage.clear()")

    def test_long_names_stay_within_the_window(self):
        # SwiftUI names controllers by their views, and web pages are named by their addresses.
        name = "UIHostingController<" + "ModifiedContent<AnyView,_" * 12
        version = "1." + "0" * 148
        text = name.replace("<", "&lt;")
        tree = f"""<viewTree version="1" app="long" appVersion="{version}" os="iOS" screen="390 844">
          <view class="UIWindow" frame="0 0 390 844"><view class="{text}" frame="0 0 390 844" controller="{text}">
          <view class="{text}" superclasses="UIButton UIControl UIView" frame="10 90 200 60" title="x" actions="a:"/></view></view></viewTree>"""
        capture = self.service.request("POST", "/v1/captures?name=long", tree.encode(), "application/xml")["capture"]["id"]
        rule = f"{{ id: any, include: {{ event: long }}, emit: {'e' * 150} }}, {{ id: {'i' * 150}, include: {{ page: '{name}' }}, tags: [{'t' * 150}] }}"
        rules = f"version: 1\nrules: [{rule}]\n".encode()
        self.service.request("PUT", "/v1/rulesets/long", rules, "application/yaml", {"If-Match": "*"})
        self.service.request("PUT", "/v1/rulesets/long/draft", rules.replace(b"include: { page", b"owner: lin, include: { page"), "application/yaml")
        self.service.request("POST", "/v1/collect?project=long", [
            {"event": "long", "distinct_id": "u", "properties": {"$screen_name": name, "$app_version": version}}])
        page = self.open_page(viewport={"width": 390, "height": 844})
        page.goto(self.service.address)
        page.evaluate("() => localStorage.setItem('encircle', JSON.stringify({ruleset: 'long', project: 'long'}))")
        for view, shown in ((f"/screen/{capture}?element=2", ".circle-panel .counts strong"), ("/analysis?by=page", ".legend .swatch"),
                            ("/screens?search=ModifiedContent", ".screen-card .badge"), ("/rules", ".rule-line"), ("/rules/draft", ".changed-rule"),
                            ("/rule/any", "section[aria-label=Health] tbody tr"), (f"/rule/{'i' * 150}", "section[aria-label='On stored screens'] .badge"),
                            ("/live", ".live-row")):
            self.show(view, page)
            page.locator(shown).first.wait_for()
            self.assertLessEqual(page.evaluate("() => document.querySelector('main').scrollWidth"), 390, view)
            # What is cut at the edge of a card cannot be scrolled to.
            cut = page.evaluate("""() => [...document.querySelectorAll("main .badge")].filter((one) => {
              const box = one.parentElement.closest(".card, .pane-body")?.getBoundingClientRect();
              return !one.closest(".line") && box && one.getBoundingClientRect().right > box.right + 1;
            }).map((one) => one.textContent)""")
            self.assertEqual(cut, [], view)
        page.locator(".live-row").first.click()
        page.locator(".explain li").first.wait_for()
        self.assertLessEqual(page.evaluate("() => document.querySelector('main').scrollWidth"), 390, "an event")
        page.context.close()

    def test_texts_of_settings_do_not_execute(self):
        self.service.request("PUT", "/v1/settings", {"redact": SCRIPTS})
        self.show("/settings")
        self.page.get_by_role("region", name="Audit log").get_by_text("window.harmed=1").wait_for()
        self.unharmed("settings")


if __name__ == "__main__":
    unittest.main()
