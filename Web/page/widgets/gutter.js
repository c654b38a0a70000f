// The numbers beside the lines of a text, with its findings. Only lines in sight are in the document, however long
// the text is.

import { h } from "../core/dom.js";
import * as messages from "../core/messages.js";
import { t } from "../core/strings.js";

/** Lines above and below those in sight, so that scrolling does not show gaps. */
const spare = 20;

/**
 * `scroller` is what scrolls the text, whose lines are `height` pixels; `go(line)` is called when a marked line is
 * chosen.
 */
export function gutter({ scroller, height, go }) {
  const node = h("div", { class: "gutter", role: "presentation" });
  let count = 0;
  let marks = new Map();
  let shown = "";

  function paint() {
    const first = Math.max(0, Math.floor(scroller.scrollTop / height) - spare);
    const last = Math.min(count, Math.ceil((scroller.scrollTop + scroller.clientHeight) / height) + spare);
    if (shown === `${first} ${last}`) return;
    shown = `${first} ${last}`;
    const lines = [];
    for (let line = first + 1; line <= last; line += 1) {
      const finding = marks.get(line);
      const style = { top: `${10 + (line - 1) * height}px` };
      lines.push(
        finding
          ? h(
              "button",
              {
                type: "button",
                class: finding.severity,
                style,
                title: messages.finding(finding),
                "aria-label": `${t("line", { line })}${t("colon")}${messages.finding(finding)}`,
                onclick: () => go(line),
              },
              line,
            )
          : h("span", { "aria-hidden": "true", style }, line),
      );
    }
    node.replaceChildren(...lines);
  }

  scroller.addEventListener("scroll", paint, { passive: true });
  const observer = new ResizeObserver(paint);
  observer.observe(scroller);
  return {
    node,
    /** Shows so many lines, some with findings. */
    set(lines, findings) {
      if (lines === count && findings === marks) return;
      count = lines;
      marks = findings;
      shown = "";
      node.style.minWidth = `${String(lines).length + 4}ch`;
      paint();
    },
    close: () => observer.disconnect(),
  };
}
