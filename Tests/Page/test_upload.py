"""Files dropped on the screens: captures with their pictures, and other files."""

import base64
import io
import unittest

from PIL import Image
from support import PageTest

TREE = """<viewTree version="1" app="com.example.drop" os="iOS" screen="390 844"><view class="UIWindow" frame="0 0 390 844">
  <view class="UIView" frame="0 0 390 844" controller="DroppedViewController">
  <view class="UIButton" frame="10 90 200 60" title="Buy" actions="buy:"/></view></view></viewTree>"""


def png():
    file = io.BytesIO()
    Image.new("RGB", (390, 844), "#fc8").save(file, "PNG")
    return file.getvalue()


class Upload(PageTest):
    captures = False

    def drop(self, files):
        """Drops files on the view, as a file manager does."""
        content = {name: base64.b64encode(data).decode() for name, data in files.items()}
        transfer = self.page.evaluate_handle("""files => {
          const transfer = new DataTransfer();
          for (const [name, content] of Object.entries(files))
            transfer.items.add(new File([Uint8Array.from(atob(content), one => one.charCodeAt(0))], name));
          return transfer;
        }""", content)
        main = self.page.locator("main")
        main.dispatch_event("dragover", {"dataTransfer": transfer})
        self.assertIn("drop", main.get_attribute("class"), "the view shows that files can be dropped")
        main.dispatch_event("drop", {"dataTransfer": transfer})

    def stored(self):
        return {one["name"]: one for one in self.service.request("GET", "/v1/captures")["captures"]}

    def complaint(self):
        node = self.page.locator("#toasts .toast.bad")
        node.wait_for()
        text = node.inner_text()
        node.get_by_role("button", name="OK").click()
        self.assertEqual(node.count(), 0)
        return text

    def test_a_file_that_was_mended_can_be_chosen_again(self):
        page = self.page
        self.show("/screens")
        for content in (b"{", TREE.replace("Buy", "Rent").encode()):
            with page.expect_response("**/v1/captures"):
                page.locator("input[type=file]").first.set_input_files({"name": "mended.xml", "mimeType": "application/xml", "buffer": content})
            self.assertEqual(page.locator("input[type=file]").first.input_value(), "", "a browser reports no choice of the same file")
        page.wait_for_selector("text=1 uploaded")

    def test_a_capture_and_its_picture_become_a_screen(self):
        self.show("/screens")
        self.drop({"dropped.png": png(), "dropped.xml": TREE.encode()})
        self.page.wait_for_selector("text=1 uploaded")
        card = self.page.locator(".screen-card:has-text('DroppedViewController')")
        card.wait_for()
        self.assertTrue(self.stored()["dropped"]["has_screenshot"])
        card.get_by_role("link").first.click()
        self.page.wait_for_function("() => window.encirclePicture?.image?.naturalWidth === 390")
        self.show("/screens")
        self.drop({"again.xml": TREE.encode(), "new.xml": TREE.replace("Buy", "Lend").encode()})
        self.page.wait_for_selector("text=1 uploaded · 1 was there already")

    def test_a_file_with_a_long_name_is_named_by_its_start(self):
        self.show("/screens")
        self.drop({"屏" * 70 + ".xml": TREE.replace("com.example.drop", "com.example.long").encode()})
        self.page.locator("#toasts").get_by_text("uploaded").wait_for()
        self.assertIn("屏" * 66, self.stored())

    def test_a_screen_is_found_by_a_name_that_is_longer_than_a_search(self):
        page = "全" * 66 + "屏幕ViewController"
        self.service.request("POST", "/v1/captures?name=long", TREE.replace("DroppedViewController", page).encode(), "application/xml")
        self.show(f"/screens?search={page}")
        self.page.locator(".screen-card").wait_for()
        self.page.get_by_label("Search pages, titles, apps").fill("无" * 100)
        self.page.get_by_text("Nothing found").wait_for()

    def test_files_that_are_no_captures_are_named_and_the_rest_is_stored(self):
        self.show("/screens")
        self.drop({"notes.txt": b"hello", "empty.xml": b"", "alone.png": png(), "good.xml": TREE.replace("Buy", "Sell").encode()})
        text = self.complaint()
        for part in ("Not uploaded: 3", "notes.txt is not a screen capture.", "empty.xml is empty.", "alone.png is a screenshot without its capture."):
            self.assertIn(part, text)
        self.page.wait_for_selector("text=1 uploaded")
        self.assertTrue({"notes", "empty", "alone"}.isdisjoint(self.stored()))
        self.assertIn("good", self.stored())

    def test_the_pages_of_android_dumps_are_asked_for(self):
        page = self.page
        dump = '<hierarchy><node package="com.x" class="android.widget.Button" text="%s" bounds="[0,0][99,99]"/></hierarchy>'
        self.show("/screens")
        self.drop({"home.xml": (dump % "Home").encode(), "cart.xml": (dump % "Cart").encode(), "named.xml": TREE.replace("Buy", "Named").encode()})
        dialog = page.get_by_role("dialog", name="Which pages are these?")
        dialog.wait_for()
        self.assertEqual(dialog.get_by_role("textbox").count(), 2, "the other capture names its page")
        dialog.get_by_label("home · Activity").fill(".HomeActivity")
        dialog.get_by_role("button", name="Save the names").click()
        dialog.wait_for(state="detached")
        stored = self.stored()
        self.assertEqual([stored[name]["page"] for name in ("home", "cart")], ["com.x.HomeActivity", None])
        self.show(f"/screen/{stored['cart']['id']}")
        page.get_by_role("button", name="Name its page").click()
        dialog.get_by_role("textbox").fill("com.x.CartActivty")
        dialog.get_by_role("button", name="Save the names").click()
        page.locator(".about", has_text="com.x.CartActivty").wait_for()
        self.assertEqual(page.get_by_role("button", name="Name its page").count(), 0)
        page.get_by_role("button", name="Rename this screen").click()
        page.get_by_label("Activity").fill("com.x.CartActivity")
        page.get_by_role("button", name="Rename", exact=True).click()
        page.locator(".about", has_text="com.x.CartActivity").wait_for()
        self.assertEqual(self.stored()["cart"]["page"], "com.x.CartActivity")

    def test_a_picture_that_is_none_is_named(self):
        self.show("/screens")
        self.drop({"shot.png": b"no picture", "shot.xml": TREE.replace("Buy", "Rent").encode()})
        self.assertIn("shot.png: The screenshot is neither PNG nor JPEG.", self.complaint())
        self.assertNotIn("shot", self.stored())

    def test_a_file_that_nothing_takes_is_not_opened_in_place_of_the_page(self):
        for view, place in (("/settings", "main"), ("/screens", "nav"), ("/rules/text", "main h1")):
            self.show(view)
            prevented = self.page.locator(place).first.evaluate("""node => {
              const transfer = new DataTransfer();
              transfer.items.add(new File(["hello"], "notes.txt"));
              return ["dragover", "drop"].map((name) =>
                !node.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: transfer })));
            }""")
            self.assertEqual(prevented, [True, True], f"{view} {place}")

    def test_a_dragged_text_uploads_nothing(self):
        self.show("/screens")
        before = self.stored()
        self.drop({})
        self.page.wait_for_timeout(300)
        self.assertEqual(self.page.locator("#toasts .toast").count(), 0)
        self.assertEqual(self.stored(), before)


if __name__ == "__main__":
    unittest.main()
