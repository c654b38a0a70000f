"""Makes the picture of the page that the README shows, docs/images/circling.png.

usage: Scripts/page-test picture
"""

import os
import subprocess
import sys

from playwright.sync_api import sync_playwright

from support import CHROMIUM, ROOT, Service


def main():
    service = Service()
    try:
        day = subprocess.run(
            [sys.executable, ROOT / "Rules" / "events" / "make-day.py", os.environ["ENCIRCLE"]], check=True, stdout=subprocess.PIPE).stdout
        service.request("POST", "/v1/collect?project=default", day, "application/x-ndjson")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce").new_page()
            page.goto(f"{service.address}/#/screen/{service.capture('home-feed')['id']}?element=35")
            page.locator(".chips label:has-text('Any row')").click()
            page.wait_for_function("() => document.querySelector('.circle-panel[aria-busy=false] .counts strong')")
            page.screenshot(path=ROOT / "docs" / "images" / "circling.png")
            browser.close()
    finally:
        service.stop()


if __name__ == "__main__":
    main()
