"""The time to highlight a screen of 5,000 elements. Printed, not judged: machines differ."""

import unittest

from support import PageTest


class Speed(PageTest):
    def test_a_screen_of_5000_elements(self):
        capture = self.show_screen("big-list")
        self.assertEqual(capture["elements"], 5000)
        times = self.page.evaluate("""() => {
          const picture = window.encirclePicture;
          const time = (count, run) => {
            const all = [];
            for (let turn = 0; turn < count; turn += 1) {
              const started = performance.now();
              run(turn);
              // Reading a pixel waits until the canvas has been painted.
              picture.layers[1].getContext('2d').getImageData(0, 0, 1, 1);
              picture.layers[2].getContext('2d').getImageData(0, 0, 1, 1);
              all.push(performance.now() - started);
            }
            return all.sort((one, other) => one - other);
          };
          const every = picture.index.elements.map(element => element.element);
          const hover = time(200, turn => picture.hoverAt((turn * 37) % 390, 100 + (turn * 53) % 700));
          const highlight = time(20, () => picture.setMatches(every));
          return {hover, highlight};
        }""")
        for name, values in times.items():
            print(f"\n{name}: median {values[len(values) // 2]:.1f} ms, worst {values[-1]:.1f} ms", end="")
        self.page.get_by_role("tab", name="Tree").click()
        rows = self.page.locator("[role=treeitem]").count()
        self.assertLess(rows, 100, "the tree keeps only what is in sight in the document")


if __name__ == "__main__":
    unittest.main()
