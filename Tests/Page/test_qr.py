"""The QR codes of the page, compared with those of segno (PyPI)."""

import unittest

import segno
from support import PageTest

LINK = "sa12345678://visualized?feature_code=%s&url=http%%253A%%252F%%252F192.168.1.20%%253A8080%%252Fv1%%252Fvisualized%%252F%s"


class QRCodes(PageTest):
    captures = False

    def test_codes_are_those_of_another_implementation_with_every_mask(self):
        self.show("/connect")
        texts = ["a", "圈选", LINK % ("a" * 32, "b" * 32), *("x" * length for length in (14, 62, 106, 122, 180, 213, 251, 331, 450, 560, 660))]
        for text in texts:
            for mask in range(8):
                ours = self.page.evaluate(
                    "async ([text, mask]) => (await import('/widgets/qr.js')).qrMatrix(text, mask).map(row => row.map(Number))",
                    [text, mask])
                theirs = segno.make(text, error="m", mode="byte", encoding="utf-8", boost_error=False, micro=False, mask=mask, eci=False)
                self.assertEqual(ours, [list(row) for row in theirs.matrix], f"{len(text)} characters, mask {mask}")

    def test_a_link_that_is_too_long_is_refused(self):
        self.show("/connect")
        message = self.page.evaluate("async () => { try { (await import('/widgets/qr.js')).qrMatrix('x'.repeat(5000)); } catch (error) { return error.message; } }")
        self.assertIn("too long", message)


if __name__ == "__main__":
    unittest.main()
