"""The site of the manuals, served at /docs/: search in both languages, both colours, and no request to other hosts."""

import unittest

from support import ROOT, PageTest

SITE = ROOT / ".build/site/html"


@unittest.skipUnless((SITE / "index.html").exists(), "make site has not made the site")
class Manuals(PageTest):
    captures = False
    options = ("--manuals", str(SITE))

    def setUp(self):
        super().setUp()
        self.page.on("request", lambda request: self.errors.append(f"it asks for {request.url}")
                     if not request.url.startswith((self.service.address + "/docs/", "data:", "blob:")) else None)

    def open(self, path):
        self.page.goto(self.service.address + "/docs/" + path)
        self.page.wait_for_load_state("networkidle")

    def test_search_finds_english_and_chinese_words(self):
        for word, title in (("backup", "The tool"), ("圈选", "圈选"), ("埋点方案", "Glossary 词汇表")):
            self.open("docs/service.html")
            self.page.fill("input.md-search__input", word)
            # What is filled in makes no events of keys, which the site waits for.
            self.page.press("input.md-search__input", "End")
            self.page.wait_for_selector(".md-search-result__item h1")
            titles = self.page.locator(".md-search-result__item h1").all_inner_texts()
            self.assertIn(title, [text.replace("\u200b", "") for text in titles], word)

    def test_it_is_light_and_dark_as_the_system_is(self):
        seen = set()
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            self.open("docs/first-steps/product.html")
            seen.add(self.page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(seen), 2)

    def test_a_picture_is_light_or_dark_as_the_page_is(self):
        for page, name in (("index.html", "circling"), ("README.zh-CN.html", "circling-zh")):
            for scheme, shown in (("light", f"{name}.png"), ("dark", f"{name}-dark.png")):
                self.page.emulate_media(color_scheme=scheme)
                self.open(page)
                visible = [image.get_attribute("src").partition("#")[0].rpartition("/")[2]
                           for image in self.page.locator("article img").all() if image.is_visible()]
                self.assertEqual(visible, [shown], scheme)

    def test_buttons_and_search_are_in_the_language_of_the_page(self):
        for path, language, placeholder, nothing in (
                ("docs/rules.html", "en", "Search", "No matching documents"),
                ("docs/zh/rules.html", "zh", "搜索", "没有找到符合条件的结果"), ("README.zh-CN.html", "zh", "搜索", "没有找到符合条件的结果")):
            self.open(path)
            self.assertEqual(self.page.get_attribute("html", "lang"), language)
            self.assertEqual(self.page.get_attribute("input.md-search__input", "placeholder"), placeholder)
            self.page.fill("input.md-search__input", "qqqxxyyzz")
            self.page.press("input.md-search__input", "End")
            self.page.wait_for_function("text => document.querySelector('.md-search-result__meta').textContent.trim() === text", arg=nothing)

    def test_on_paper_there_is_the_text_alone(self):
        self.open("docs/rules.html")
        self.page.emulate_media(media="print")
        self.assertFalse(self.page.locator(".md-header").is_visible())
        self.assertFalse(self.page.locator(".md-sidebar--primary").is_visible())
        self.assertTrue(self.page.locator("article h1").is_visible())

    def test_the_api_can_be_browsed(self):
        self.open("reference/index.html")
        self.page.get_by_role("link", name="POST /v1/captures", exact=True).first.click()
        self.page.wait_for_url("**/reference/captures.html#post-v1captures")
        self.assertTrue(self.page.locator("#post-v1captures").is_visible())

    def test_pages_link_to_both_languages(self):
        self.open("docs/first-steps/index.html")
        self.page.get_by_role("link", name="产品、运营").first.click()
        self.page.wait_for_url("**/docs/zh/first-steps/product.html")


if __name__ == "__main__":
    unittest.main()
