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
  /** The nodes in the document, by the index of their items. */
  const drawn = new Map();
  let first = -1;
  let last = -1;

  function paint(force) {
    const from = Math.max(0, Math.floor(node.scrollTop / height) - 6);
    const to = Math.min(items.length, Math.ceil((node.scrollTop + (node.clientHeight || 600)) / height) + 6);
    if (!force && from === first && to === last) return;
    first = from;
    last = to;
    if (force) drawAll();
    else drawNew();
    if (more && to >= items.length - 20 && items.length < total) more(items.length);
  }

  function holder(index) {
    const line = row(items[index], index);
    line.classList.add("line");
    line.style.top = `${index * height}px`;
    line.style.height = `${height}px`;
    line.dataset.index = index;
    return h("div", { role: rowRole, "aria-setsize": total, "aria-posinset": index + 1 }, line);
  }

  function drawAll() {
    // A line may be a control itself, or have several.
    const focused = document.activeElement;
    const former = space.contains(focused) ? focused.closest("[data-index]") : null;
    const control = former && partsOf(former).indexOf(focused);
    drawn.clear();
    for (let index = first; index < last; index += 1) drawn.set(index, holder(index));
    space.replaceChildren(...drawn.values());
    if (former) {
      const successor = space.querySelector(`[data-index="${former.dataset.index}"]`);
      if (successor) partsOf(successor)[control]?.focus({ preventScroll: true });
    }
  }

  /** Lines that stay in sight stay in the document: a key or a button of the mouse may be held down on one. */
  function drawNew() {
    for (const [index, one] of drawn) {
      if (index >= first && index < last) continue;
      one.remove();
      drawn.delete(index);
    }
    const after = [];
    const before = [];
    const lowest = Math.min(...drawn.keys());
    for (let index = first; index < last; index += 1) {
      if (drawn.has(index)) continue;
      drawn.set(index, holder(index));
      (index < lowest ? before : after).push(drawn.get(index));
    }
    space.prepend(...before);
    space.append(...after);
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
