"""The page that `encircle board` writes, in a browser and on paper."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from playwright.sync_api import sync_playwright
from support import CHROMIUM, ROOT


class Board(unittest.TestCase):
    def test_it_needs_nothing_else_and_prints_a_screen_on_each_sheet(self):
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
            file = pathlib.Path(folder) / "board.html"
            captures = [f"--captures=ViewTrees/{name}.xml" for name in ["home-feed", "cart", "order-v5.1"]]
            subprocess.run(
                [os.environ["ENCIRCLE"], "board", "--rules", "Rules/shop.yaml", *captures, "--events", "Rules/events/shop.ndjson", "-o", file],
                cwd=ROOT, check=True)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page()
            problems, requests = [], []
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("console", lambda message: problems.append(message.text))
            page.on("request", lambda request: requests.append(request.url))
            page.goto(file.as_uri())
            self.assertEqual(problems, [])
            self.assertEqual([url for url in requests if not url.startswith(("file:", "data:"))], [])
            sheets = page.locator("section").count()
            self.assertEqual(sheets, page.locator("nav li").count())
            self.assertGreaterEqual(sheets, 3)
            # A ring is where its element is in the picture, and each number of a table has one.
            for number in range(sheets):
                sheet = page.locator("section").nth(number)
                rings = sheet.locator("text.badge").all_text_contents()
                self.assertEqual(sorted(rings), sorted(sheet.locator("td.number b").all_text_contents()))
                if not sheet.locator("figure").count():
                    continue
                picture = sheet.locator("figure svg").first.bounding_box()
                for ring in sheet.locator(".ring").all():
                    box = ring.bounding_box()
                    self.assertLess(picture["x"] - 4, box["x"])
                    self.assertLess(box["x"] + box["width"], picture["x"] + picture["width"] + 4)
            # What the table does not say stands below it.
            self.assertLess(page.locator("td.count").first.bounding_box()["y"], page.locator(".people").first.bounding_box()["y"])
            self.assertEqual(page.locator(".people").first.bounding_box()["x"], page.locator("table").first.bounding_box()["x"])
            paper = page.pdf(prefer_css_page_size=True)
            sizes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", paper)
            self.assertTrue(sizes and all(abs(float(wide) - 842) < 2 and abs(float(high) - 595) < 2 for wide, high in sizes), sizes)
            # The contents, and each screen.
            self.assertEqual(len(re.findall(rb"/Type\s*/Page\b", paper)), sheets + 1)
            browser.close()
            # As a browser prints whose usual paper is narrower.
            printed = pathlib.Path(folder) / "board.pdf"
            subprocess.run(
                [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={printed}", file.as_uri()],
                check=True, capture_output=True)
            self.assertEqual(len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes())), sheets + 1)


if __name__ == "__main__":
    unittest.main()
