"""Makes the pictures of the page that the READMEs and the site show, docs/images/circling*.png: in both languages, light and dark.

usage: Scripts/page-test picture
"""

import io
import os
import subprocess
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

from support import CHROMIUM, ROOT, Service


def take(browser, service, screen, locale, scheme, file):
    """Saves a picture of the page with a screen, in few colours, as drawings have few."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=locale, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(service.address)
    page.evaluate("() => localStorage.setItem('encircle', JSON.stringify({days: 1}))")
    page.goto("about:blank")
    page.goto(f"{service.address}/#/screen/{screen}")
    page.wait_for_function("() => window.encirclePicture?.rings.length > 5 && window.encirclePicture.image")
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(192, dither=Image.Dither.NONE)
    picture.save(file, optimize=True)
    context.close()


def main():
    service = Service()
    try:
        day = subprocess.run(
            [sys.executable, ROOT / "Rules" / "events" / "make-day.py", os.environ["ENCIRCLE"]], check=True, stdout=subprocess.PIPE).stdout
        service.request("POST", "/v1/collect?project=default", day, "application/x-ndjson")
        home = service.capture("home-feed")["id"]
        picture = (ROOT / "ViewTrees" / "screenshots" / "home-feed.png").read_bytes()
        service.request("PUT", f"/v1/captures/{home}/screenshot", picture, "image/png")
        service.request("PUT", "/v1/rulesets/default/draft/rules/home.drinks", {
            "name": "酒水加入购物车", "owner": "feed", "tags": ["cart"],
            "include": {"event": "$AppClick", "page": "HomeViewController", "selector": "ProductCell(section:1 row:0)/**/UIButton"}})
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for name, locale in (("circling", "en-GB"), ("circling-zh", "zh-CN")):
                for scheme, end in (("light", ""), ("dark", "-dark")):
                    take(browser, service, home, locale, scheme, ROOT / "docs" / "images" / f"{name}{end}.png")
            browser.close()
    finally:
        service.stop()


if __name__ == "__main__":
    main()
