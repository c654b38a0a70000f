"""The settings of the service, its tokens and its audit log."""

import unittest
import urllib.error

from support import PageTest


class Settings(PageTest):
    captures = False

    def now(self):
        return self.service.request("GET", "/v1/settings")

    def save(self):
        self.page.get_by_role("main").get_by_role("button", name="Save").click()

    def test_what_is_changed_is_saved_and_the_rest_stays(self):
        page = self.page
        page.goto(self.service.address)
        page.get_by_role("link", name="Settings").click()
        page.wait_for_selector("form")
        self.assertTrue(page.get_by_role("button", name="Save").is_disabled())
        self.service.request("PUT", "/v1/settings", {"retention_rows": 777_000})
        page.get_by_label("Properties that are never stored").fill("$element_content\n\n  /identities\n")
        page.get_by_label("A second person must approve").check()
        self.save()
        page.wait_for_selector(".toast:has-text('Settings saved')")
        now = self.now()
        self.assertEqual(now["redact"], ["$element_content", "/identities"])
        self.assertTrue(now["approval"])
        self.assertEqual(now["retention_rows"], 777_000, "somebody else has changed this meanwhile")
        self.assertTrue(page.get_by_role("button", name="Save").is_disabled())

    def test_what_is_not_saved_survives_another_language(self):
        page = self.page
        before = self.now()
        self.service.request("PUT", "/v1/settings", {"approval": False, "redact": ["token"]})
        self.show("/settings")
        page.get_by_label("Properties that are never stored").fill("token\nphone\n")
        page.get_by_label("A second person must approve").check()
        page.get_by_label("Days to keep events").fill("")
        self.change_language_and_back()
        self.assertEqual(page.get_by_label("Properties that are never stored").input_value(), "token\nphone\n")
        self.assertEqual(page.get_by_label("Days to keep events").input_value(), "")
        page.get_by_label("Days to keep events").fill(str(before["retention_days"]))
        self.save()
        page.wait_for_selector(".toast:has-text('Settings saved')")
        now = self.now()
        self.assertEqual((now["approval"], now["redact"], now["retention_days"]), (True, ["token", "phone"], before["retention_days"]))
        self.show("/settings")
        self.assertEqual(page.get_by_text("Your unsaved changes are back.").count(), 0)

        page.get_by_label("Properties that are never stored").fill("other")
        page.reload()
        page.get_by_role("button", name="Discard mine and load theirs").click()
        page.wait_for_function("() => document.querySelector('main textarea')?.value === 'token\\nphone'")
        self.service.request("PUT", "/v1/settings", {"approval": before["approval"], "redact": before["redact"]})

    def test_fewer_events_are_asked_about(self):
        page = self.page
        before = self.now()["retention_days"]
        self.show("/settings")
        page.get_by_label("Days to keep events").fill(str(before - 1))
        self.save()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        self.assertEqual(self.now()["retention_days"], before)
        self.save()
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        page.wait_for_selector(".toast:has-text('Settings saved')")
        self.assertEqual(self.now()["retention_days"], before - 1)

    def test_a_dialog_ends_with_the_view_that_it_belongs_to(self):
        page = self.page
        self.show("/rules")
        page.get_by_role("link", name="Settings").click()
        page.get_by_role("button", name="Add a token").click()
        page.get_by_role("dialog").wait_for()
        page.go_back()
        page.get_by_role("heading", name="Rules", exact=True).wait_for()
        self.assertEqual(page.get_by_role("dialog").count(), 0)

    def test_what_the_service_refuses_is_said_at_its_field(self):
        page = self.page
        self.show("/settings")
        alpha = page.get_by_label("Significance level")
        alpha.fill("0")
        self.save()
        page.wait_for_selector(".field:has(#" + alpha.get_attribute("id") + ") .problem:has-text('above 0')")
        self.assertTrue(alpha.evaluate("field => field === document.activeElement"))
        self.assertEqual(alpha.get_attribute("aria-invalid"), "true")
        alpha.fill("0.01")
        self.assertEqual(page.locator(".problem").count(), 0)
        properties = page.get_by_label("Properties that are never stored")
        properties.fill("fine\n" + "x" * 1_001)
        self.save()
        page.wait_for_selector(".problem:has-text('must be the name of a property')")
        self.assertNotEqual(self.now()["health_alpha"], 0.01, "all is refused, or nothing")

    def test_the_audit_log_has_pages(self):
        page = self.page
        for number in range(25):
            self.service.request("PUT", "/v1/settings", {"redact": [f"property-{number}"]})
        total = self.service.request("GET", "/v1/audit")["total"]
        self.show("/settings")
        log = page.get_by_role("region", name="Audit log")
        log.get_by_text(f"1–20 of {total}").wait_for()
        self.assertIn("property-24", log.locator("li").first.inner_text())
        self.assertIn("Settings changed", log.locator("li").first.inner_text())
        self.assertTrue(log.get_by_role("button", name="Newer").is_disabled())
        log.get_by_role("button", name="Older").click()
        log.get_by_text(f"21–{min(40, total)} of {total}").wait_for()
        self.assertIn("property-4", log.locator("li").first.inner_text())
        log.get_by_role("button", name="Newer").click()
        log.get_by_text(f"1–20 of {total}").wait_for()


class Choices(PageTest):
    def test_a_choice_in_one_tab_does_not_affect_another(self):
        page = self.page
        self.show("/settings")
        other = page.context.new_page()
        other.goto(f"{self.service.address}/#/settings")
        other.get_by_role("button", name="中文").click()
        other.wait_for_selector("html[lang=zh-CN]")
        page.get_by_role("button", name="Theme: system").click()
        page.wait_for_selector("html[data-theme=light]")
        page.reload()
        page.wait_for_selector("html[lang=zh-CN][data-theme=light]")


class Tokens(PageTest):
    captures = False

    def add(self, name, role=None, days=None):
        """Makes a token by keyboard as far as a form goes; returns what is shown once."""
        page = self.page
        page.get_by_role("button", name="Add a token").click()
        if role:
            page.get_by_role("dialog").get_by_label("Role").select_option(role)
        if days:
            page.get_by_role("dialog").get_by_label("Days until it expires").fill(str(days))
        page.get_by_role("dialog").get_by_label("Who or what is it for?").fill(name)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".notice:has-text('The token of {name}')")
        page.wait_for_function("() => document.activeElement.getAttribute('aria-label') === 'Copy'")
        return page.locator(".secret code").inner_text()

    def test_tokens_are_made_shown_once_used_and_removed(self):
        page = self.page
        self.show("/settings")
        page.wait_for_selector("text=No tokens yet")
        first = self.add("lin")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.service.request("GET", "/v1/settings")
        refused.exception.close()
        self.assertEqual(refused.exception.code, 401)
        allowed = {"Authorization": f"Bearer {first}"}
        self.assertEqual([one["name"] for one in self.service.request("GET", "/v1/tokens", headers=allowed)["tokens"]], ["lin"])

        page.get_by_role("button", name="I have copied it").click()
        page.get_by_role("button", name="Log out").wait_for()
        page.wait_for_selector(".token:has-text('lin'):has-text('yours')")
        self.assertNotIn(first, page.content())
        self.assertNotIn(first, page.evaluate("() => JSON.stringify({...localStorage, ...sessionStorage})"))

        reader = self.add("mei", "read", 30)
        line = page.locator(".token:has-text('mei')")
        self.assertIn("reader", line.inner_text())
        self.assertIn("until", line.inner_text())
        page.get_by_role("button", name="Add a token").click()
        page.get_by_role("dialog").get_by_label("Who or what is it for?").fill("mei")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog [role=alert]:has-text('already')")
        page.keyboard.press("Escape")

        other = self.open_page()
        other.goto(self.service.address)
        other.get_by_label("Token").fill(reader)
        other.keyboard.press("Enter")
        other.get_by_role("link", name="Settings").click()
        other.wait_for_selector("text=Your role only allows viewing.")
        self.assertTrue(other.get_by_label("Days to keep events").is_disabled())
        self.assertEqual(other.get_by_role("region").count(), 1, "neither tokens nor the audit log")
        self.assertEqual(other.get_by_role("button", name="Save").count(), 0)

        page.get_by_role("button", name="Remove mei").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        page.wait_for_selector(".toast:has-text('mei was removed')")
        line.wait_for(state="detached")
        other.get_by_role("link", name="Rules").click()
        other.get_by_label("Token").wait_for()
        other.context.close()

        # On a phone, all parts of the header have room beside each other: the draft's note, and the way out, too.
        self.service.request("PUT", "/v1/rulesets/default/draft", b"version: 1\nrules: []\n", "application/yaml", allowed)
        page.set_viewport_size({"width": 390, "height": 844})
        for language in ("中文", "English"):
            page.get_by_role("button", name=language).click()
            page.wait_for_selector(".draft-note")
            edges = page.locator(".header").locator("select, .draft-note, .button").evaluate_all(
                "nodes => nodes.map(node => node.getBoundingClientRect()).map(box => [box.left, box.right])")
            self.assertEqual(len(edges), 6)
            self.assertEqual([edge for pair in edges for edge in pair], sorted(edge for pair in edges for edge in pair), language)
            self.assertLessEqual(edges[-1][1], 390)

        page.get_by_role("button", name="Remove lin").click()
        page.wait_for_selector("dialog:has-text('will be logged out'):has-text('Without tokens')")
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        self.assertEqual(self.service.request("GET", "/v1/tokens", headers=allowed)["total"], 1)


if __name__ == "__main__":
    unittest.main()
