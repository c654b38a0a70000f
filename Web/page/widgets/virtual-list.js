// A list of any length that keeps only the rows in sight in the document.

import { h } from "../core/dom.js";

/** A line and everything in it, in order. */
const partsOf = (line) => [line, ...line.querySelectorAll("*")];

/**
 * `row(item, index)` returns the node of a row of `height` pixels. `more(index)` is called when rows near the end come
 * into sight, for lists that are read page by page.
 */
export function virtualList({ height, row, more, label, role = "list", rowRole = "listitem" }) {
  let items = [];
  let total = 0;
  const space = h("div", { class: "space", role: "presentation" });
  const node = h("div", { class: "list", role, "aria-label": label, tabindex: "0" }, space);
  let first = -1;
  let last = -1;

  function paint(force) {
    const from = Math.max(0, Math.floor(node.scrollTop / height) - 6);
    const to = Math.min(items.length, Math.ceil((node.scrollTop + (node.clientHeight || 600)) / height) + 6);
    if (!force && from === first && to === last) return;
    // A line may be a control itself, or have several.
    const focused = document.activeElement;
    const former = space.contains(focused) ? focused.closest("[data-index]") : null;
    const control = former && partsOf(former).indexOf(focused);
    first = from;
    last = to;
    const rows = [];
    for (let index = from; index < to; index += 1) {
      const line = row(items[index], index);
      line.classList.add("line");
      line.style.top = `${index * height}px`;
      line.style.height = `${height}px`;
      line.dataset.index = index;
      const holder = h("div", { role: rowRole, "aria-setsize": total, "aria-posinset": index + 1 }, line);
      rows.push(holder);
    }
    space.replaceChildren(...rows);
    if (former) {
      const successor = space.querySelector(`[data-index="${former.dataset.index}"]`);
      if (successor) partsOf(successor)[control]?.focus({ preventScroll: true });
    }
    if (more && to >= items.length - 20 && items.length < total) more(items.length);
  }

  node.addEventListener("scroll", () => paint(false), { passive: true });
  const observer = new ResizeObserver(() => paint(false));
  observer.observe(node);
  return {
    node,
    set(list, count = list.length) {
      items = list;
      total = count;
      space.style.height = `${items.length * height}px`;
      paint(true);
    },
    scrollTo(index) {
      node.scrollTop = index * height;
      paint(true);
    },
  };
}
