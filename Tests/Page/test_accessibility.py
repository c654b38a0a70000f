"""axe-core on every view, light and dark: nothing serious."""

import re
import unittest

from axe_playwright_python.sync_playwright import Axe
from support import ROOT, PageTest


class Accessibility(PageTest):
    def test_no_view_has_a_serious_finding(self):
        capture = self.service.capture("home-feed")["id"]
        rule = self.service.request("GET", "/v1/rulesets/default/rules?limit=1")["rules"][0]["id"]
        self.service.send({"type": "track", "event": "$AppClick", "distinct_id": "axe", "properties": {}})
        views = ["/", "/analysis", "/screens", "/coverage", f"/screen/{capture}?element=35", "/rules", f"/rule/{rule}", "/rules/text", "/rules/draft",
                 "/rules/history", "/drift", "/plan", "/plan/acceptance", "/plan/releases", "/live", "/connect", "/settings"]
        serious = []
        for scheme, size in (("light", (1280, 800)), ("dark", (390, 844))):
            page = self.open_page(color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
            for view in views:
                self.show(view, page)
                page.wait_for_timeout(250)
                for finding in Axe().run(page).response["violations"]:
                    if finding["impact"] in ("serious", "critical"):
                        nodes = [node["html"][:160] for node in finding["nodes"][:3]]
                        serious.append(f"{view} {scheme}: {finding['id']}: {finding['help']}: {nodes}")
            page.context.close()
        self.assertEqual(serious, [], "\n".join(serious))

    def test_neither_has_the_table_of_many_rules(self):
        page = self.open_page()
        self.show_screen("settings.wda", page)
        page.get_by_role("tab", name="Several").click()
        page.get_by_role("button", name="All tracked of this screen").click()
        page.locator("summary:has-text('How rules are named')").click()
        page.get_by_role("button", name="A rule for each").click()
        page.wait_for_selector("dialog tbody tr")
        serious = [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in Axe().run(page).response["violations"]
                   if one["impact"] in ("serious", "critical")]
        self.assertEqual(serious, [])
        page.context.close()

    def test_nothing_is_wider_than_a_phone(self):
        page = self.open_page(viewport={"width": 390, "height": 844})
        capture = self.service.capture("home-feed")["id"]
        for view in ("/", "/analysis", "/screens", "/coverage", f"/screen/{capture}?element=35", "/rules", "/rules/text", "/rules/history", "/drift", "/plan", "/plan/acceptance", "/plan/releases", "/live", "/connect", "/settings"):
            self.show(view, page)
            self.assertLessEqual(page.evaluate("() => document.querySelector('main').scrollWidth"), 390, view)
        page.context.close()

    def test_all_tabs_of_a_screen_have_room_beside_each_other_on_the_narrowest_phone(self):
        for locale in ("en-GB", "zh-CN"):
            page = self.open_page(viewport={"width": 320, "height": 640}, locale=locale)
            self.show_screen("home-feed", page)
            tabs = page.get_by_role("tablist")
            self.assertLessEqual(tabs.evaluate("tabs => tabs.scrollWidth"), tabs.evaluate("tabs => tabs.clientWidth"), locale)
            page.context.close()

    def test_a_low_window_scrolls_rather_than_hiding_the_main_content(self):
        # As a window of 1280 by 800 is at a zoom of 200 %.
        page = self.open_page(viewport={"width": 640, "height": 400})
        for view, part in (("/rules", ".list"), ("/rules/text", ".editor")):
            self.show(view, page)
            page.locator(part).scroll_into_view_if_needed()
            self.assertGreater(page.locator(part).bounding_box()["height"], 200, view)
        page.context.close()

    def test_the_hint_above_the_picture_is_shown_whole(self):
        for locale in ("en-GB", "zh-CN"):
            page = self.open_page(locale=locale)
            self.show_screen("home-feed", page)
            for node in page.locator(".keys, .keys > span").all():
                self.assertTrue(node.evaluate("node => node.scrollWidth <= node.clientWidth || getComputedStyle(node).display === 'inline'"), locale)
                box, pane = node.bounding_box(), page.locator(".picture-pane").bounding_box()
                self.assertLessEqual(box["x"] + box["width"], pane["x"] + pane["width"])
            page.context.close()

    def test_latin_code_is_in_a_latin_font_and_chinese_code_in_a_sans(self):
        for locale in ("en-GB", "zh-CN"):
            page = self.open_page(locale=locale)
            self.show("/rules", page)
            tools = page.context.new_cdp_session(page)
            tools.send("DOM.enable")
            tools.send("CSS.enable")
            fonts = {}
            for text in ("UIButton", "按钮"):
                page.evaluate("text => { document.querySelector('main').innerHTML = '<pre id=probe></pre>'; document.getElementById('probe').textContent = text; }", text)
                root = tools.send("DOM.getDocument")["root"]["nodeId"]
                node = tools.send("DOM.querySelector", {"nodeId": root, "selector": "#probe"})["nodeId"]
                fonts[text] = [font["familyName"] for font in tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]]
            self.assertNotIn("CJK", " ".join(fonts["UIButton"]), locale)
            self.assertNotIn("Mono", " ".join(fonts["按钮"]), locale)
            page.context.close()

    def test_every_text_is_there_in_both_languages(self):
        files = [file.read_text(encoding="utf-8") for file in (ROOT / "Web" / "page").rglob("*.js")]
        keys = sorted({key for text in files for key in re.findall(r'\bt\(\s*"(\w+)"', text)})
        self.assertGreater(len(keys), 500)
        page = self.open_page(locale="zh-CN")
        texts = []
        for one in (self.page, page):
            self.show("/connect", one)
            texts.append(one.evaluate(
                """async keys => {
                  const { has, t } = await import("/core/strings.js");
                  return keys.map((key) => (has(key) ? t(key) : null));
                }""", keys))
        english, chinese = (dict(zip(keys, one)) for one in texts)
        self.assertEqual([key for key in keys if not english[key]], [], "English")
        # One is the name of a format, the others are signs.
        self.assertEqual([key for key in keys if not re.search("[一-鿿]", chinese[key] or "")], ["clause_between", "colon", "comma", "evidence_and", "plan_headers"], "Chinese")
        for view in ("/", "/analysis", "/screens", "/rules", "/live", "/settings", "/connect"):
            self.show(view, page)
            self.assertEqual(page.evaluate("() => document.documentElement.lang"), "zh-CN")
            self.assertRegex(page.locator("h1").inner_text(), "[一-鿿]")
        page.get_by_role("button", name="English").click()
        page.wait_for_selector("h1:has-text('Connect')")
        page.context.close()


if __name__ == "__main__":
    unittest.main()
