// The tree of a screen's elements (the ARIA pattern of a tree), with only the rows in sight in the document.

import { h, uniqueID } from "../core/dom.js";
import { t } from "../core/strings.js";

const height = 26;

export class Tree {
  /** `select(element)` is called when a row is chosen, `hover(element)` when the pointer is above one. */
  constructor({ select, hover }) {
    this.onSelect = select;
    this.onHover = hover ?? (() => {});
    this.prefix = uniqueID("tree");
    this.space = h("div", { class: "space", role: "presentation" });
    this.node = h("div", { class: "tree", role: "tree", tabindex: "0", "aria-label": t("tree_label") }, this.space);
    this.node.addEventListener("scroll", () => this.paint(), { passive: true });
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.node.addEventListener("click", (event) => this.click(event));
    this.node.addEventListener("pointerleave", () => this.onHover(null));
    new ResizeObserver(() => this.paint()).observe(this.node);
    this.rows = [];
    this.closed = new Set();
    this.current = null;
    this.matches = new Set();
  }

  show(elements) {
    this.byNumber = new Map(elements.map((element) => [element.element, element]));
    this.children = new Map();
    for (const element of elements) {
      const parent = element.parent ?? -1;
      const list = this.children.get(parent);
      if (list) list.push(element);
      else this.children.set(parent, [element]);
    }
    this.elements = elements;
    // Chains of only children, which screens have many of, take no room: a step to the right means a choice.
    this.indents = new Map();
    for (const element of elements) {
      const parent = element.parent ?? -1;
      const before = this.indents.get(parent) ?? -1;
      this.indents.set(element.element, before + (before < 0 || this.children.get(parent).length > 1 ? 1 : 0));
    }
    this.lay();
  }

  /** The rows that are open, in order. */
  lay() {
    this.rows = [];
    let closedDepth = Infinity;
    for (const element of this.elements) {
      if (element.depth > closedDepth) continue;
      closedDepth = this.closed.has(element.element) ? element.depth : Infinity;
      this.rows.push(element);
    }
    this.positions = new Map(this.rows.map((element, index) => [element.element, index]));
    this.space.style.height = `${this.rows.length * height}px`;
    this.paint();
  }

  setMatches(numbers) {
    this.matches = new Set(numbers);
    this.paint();
  }

  /** Marks an element, opens the elements around it and brings it into sight. */
  setSelected(number) {
    this.current = number;
    let isClosed = false;
    let parent = this.byNumber?.get(number)?.parent;
    while (parent !== null && parent !== undefined && this.byNumber.has(parent)) {
      isClosed = this.closed.delete(parent) || isClosed;
      parent = this.byNumber.get(parent).parent;
    }
    if (isClosed) this.lay();
    const position = this.positions?.get(number);
    if (position !== undefined) {
      const top = position * height;
      if (top < this.node.scrollTop || top + height > this.node.scrollTop + this.node.clientHeight) {
        this.node.scrollTop = Math.max(0, top - this.node.clientHeight / 2);
      }
    }
    this.paint();
  }

  paint() {
    const from = Math.max(0, Math.floor(this.node.scrollTop / height) - 4);
    const to = Math.min(
      this.rows.length,
      Math.ceil((this.node.scrollTop + (this.node.clientHeight || 400)) / height) + 4,
    );
    const shown = [];
    for (let index = from; index < to; index += 1) shown.push(this.row(this.rows[index], index));
    // The current row stays in the document, since the tree names it as its active descendant.
    const position = this.positions?.get(this.current);
    if (position !== undefined && (position < from || position >= to))
      shown.push(this.row(this.rows[position], position));
    this.space.replaceChildren(...shown);
    if (position === undefined) this.node.removeAttribute("aria-activedescendant");
    else this.node.setAttribute("aria-activedescendant", `${this.prefix}-${this.current}`);
  }

  row(element, index) {
    const children = this.children.get(element.element);
    const siblings = this.children.get(element.parent ?? -1) ?? [];
    const isOpen = children ? !this.closed.has(element.element) : null;
    const isTracked = element.tracked === element.element;
    const classes = [
      "tree-row",
      isTracked && "tracked",
      this.matches.has(element.element) && "match",
      element.hidden && "unseen",
    ];
    return h(
      "div",
      {
        class: classes.filter(Boolean).join(" "),
        id: `${this.prefix}-${element.element}`,
        role: "treeitem",
        "aria-level": element.depth + 1,
        "aria-setsize": siblings.length,
        "aria-posinset": siblings.indexOf(element) + 1,
        "aria-expanded": isOpen,
        "aria-selected": String(element.element === this.current),
        "data-number": element.element,
        style: {
          top: `${index * height}px`,
          "padding-left": `${4 + Math.min(this.indents.get(element.element), 18) * 9}px`,
        },
        onpointerenter: () => this.onHover(element),
      },
      h("span", { class: "twist", "aria-hidden": "true" }, isOpen === null ? "" : isOpen ? "▾" : "▸"),
      h("span", { class: "tree-class" }, element.class),
      element.content && isTracked && h("span", { class: "tree-text" }, element.content.slice(0, 60)),
    );
  }

  click(event) {
    const row = event.target.closest("[data-number]");
    if (!row) return;
    const number = Number(row.dataset.number);
    if (event.target.classList.contains("twist") && this.children.has(number)) this.toggle(number);
    else this.onSelect(this.byNumber.get(number));
  }

  toggle(number) {
    if (!this.closed.delete(number)) this.closed.add(number);
    this.lay();
  }

  key(event) {
    const index = this.positions?.get(this.current) ?? -1;
    const element = this.rows[index];
    const to = (place) => this.rows[place] && this.onSelect(this.rows[place]);
    const page = Math.max(1, Math.floor(this.node.clientHeight / height) - 1);
    switch (event.key) {
      case "ArrowDown":
        to(Math.min(this.rows.length - 1, index + 1));
        break;
      case "ArrowUp":
        to(Math.max(0, index - 1));
        break;
      case "PageDown":
        to(Math.min(this.rows.length - 1, index + page));
        break;
      case "PageUp":
        to(Math.max(0, index - page));
        break;
      case "Home":
        to(0);
        break;
      case "End":
        to(this.rows.length - 1);
        break;
      case "ArrowRight":
        if (element && this.closed.has(element.element)) this.toggle(element.element);
        else if (element && this.children.has(element.element)) to(index + 1);
        break;
      case "ArrowLeft":
        if (element && this.children.has(element.element) && !this.closed.has(element.element))
          this.toggle(element.element);
        else if (element && this.byNumber.has(element.parent)) this.onSelect(this.byNumber.get(element.parent));
        break;
      default: {
        if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
        this.find(event.key, index);
      }
    }
    event.preventDefault();
  }

  /** Letters typed in a second go to the next row whose class or text begins with them. */
  find(letter, index) {
    const now = performance.now();
    this.typed = now - (this.typedAt ?? 0) < 1000 ? this.typed + letter : letter;
    this.typedAt = now;
    const wanted = this.typed.toLowerCase();
    for (let step = this.typed.length > 1 ? 0 : 1; step <= this.rows.length; step += 1) {
      const element = this.rows[(index + step + this.rows.length) % this.rows.length];
      if (element.class.toLowerCase().startsWith(wanted) || (element.content ?? "").toLowerCase().startsWith(wanted)) {
        this.onSelect(element);
        return;
      }
    }
  }
}
