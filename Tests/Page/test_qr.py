"""The QR codes of the page, compared with those of segno and read by zxing-cpp (both from PyPI)."""

import unittest

import segno
import zxingcpp
from PIL import Image
from support import PageTest

LINK = "sa12345678://visualized?feature_code=%s&url=http%%253A%%252F%%252F192.168.1.20%%253A8080%%252Fv1%%252Fvisualized%%252F%s"


class QRCodes(PageTest):
    captures = False

    def test_codes_are_those_of_another_implementation_with_every_mask(self):
        # Texts that fill their version: after shorter ones, segno writes a byte of padding more than ours.
        self.show("/connect")
        for length in (14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666):
            text = "".join(chr(33 + (place * 7) % 90) for place in range(length))
            for mask in range(8):
                ours = self.page.evaluate(
                    "async ([text, mask]) => (await import('/widgets/qr.js')).qrMatrix(text, mask).map(row => row.map(Number))",
                    [text, mask])
                theirs = segno.make(text, error="m", mode="byte", encoding="utf-8", boost_error=False, micro=False, mask=mask, eci=False)
                self.assertEqual(ours, [list(row) for row in theirs.matrix], f"{length} characters, mask {mask}")

    def test_codes_can_be_read(self):
        self.show("/connect")
        for text in ("a", "圈选", LINK % ("a" * 32, "b" * 32), *("x" * length for length in range(1, 660, 37))):
            rows = self.page.evaluate("async text => (await import('/widgets/qr.js')).qrMatrix(text).map(row => row.map(Number))", text)
            self.assertEqual(zxingcpp.read_barcode(self.picture(rows)).text, text)

    @staticmethod
    def picture(rows):
        """The code with its quiet zone, four pixels a module."""
        size = len(rows) + 8
        image = Image.new("L", (size, size), 255)
        for y, row in enumerate(rows):
            for x, dark in enumerate(row):
                if dark:
                    image.putpixel((x + 4, y + 4), 0)
        return image.resize((size * 4, size * 4), Image.NEAREST)

    def test_a_link_that_is_too_long_is_refused(self):
        self.show("/connect")
        message = self.page.evaluate("async () => { try { (await import('/widgets/qr.js')).qrMatrix('x'.repeat(5000)); } catch (error) { return error.message; } }")
        self.assertIn("too long", message)


if __name__ == "__main__":
    unittest.main()
