// The picture of a screen: three canvases, one above the other. The lowest has the screenshot or the wireframe, the
// next what matches, and the highest what is selected or under the pointer. So moving the pointer repaints a rectangle
// or two, whatever the number of elements.

import { h, put } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { short } from "../core/format.js";
import { colour, whenPrefsChange } from "../core/prefs.js";
import { t } from "../core/strings.js";
import { HitIndex } from "./hit-index.js";
import { paintChosen, paintOpenRings, paintRings } from "./rings.js";
import { outlined } from "./outline.js";
import { drawWireframe, planWireframe } from "./wireframe.js";

const margin = 14;

export class Picture {
  /**
   * `select(element, index, count)` is called for a click, `hover(element)` as the pointer moves, `several(elements)`
   * once a box has been drawn with the Shift key around tracked elements, and `toggle(element)` for a click with Control
   * or ⌘ on one. `step(element)` is called instead of `select` when keys go to the next element.
   */
  constructor({ select, hover, label, several, toggle, step }) {
    this.onSelect = select ?? (() => {});
    this.onStep = step ?? ((element) => this.onSelect(element, 0, 1));
    this.onToggle = toggle ?? null;
    this.onSeveral = several ?? null;
    this.onHover = hover ?? (() => {});
    this.layers = ["base", "marks", "top"].map((name) =>
      h("canvas", { class: `layer ${name}`, "aria-hidden": "true" }),
    );
    this.tag = h("div", { class: "picture-tag", hidden: true });
    this.stage = h(
      "div",
      {
        class: "stage",
        tabindex: "0",
        role: "application",
        "aria-label": label ?? t("picture_label"),
        "aria-roledescription": t("picture_role"),
      },
      this.layers,
      this.tag,
    );
    this.tools = h(
      "div",
      { class: "picture-tools", role: "group", "aria-label": t("zoom") },
      this.tool("minus", t("zoom_out"), () => this.zoomBy(1 / 1.25)),
      this.tool("plus", t("zoom_in"), () => this.zoomBy(1.25)),
      this.tool("fit", t("zoom_fit"), () => this.fit()),
    );
    this.node = h("div", { class: "picture" }, this.stage, this.tools);
    this.view = { scale: 1, x: 0, y: 0 };
    this.isFitted = true;
    this.size = { width: 0, height: 0 };
    this.matches = [];
    this.rings = [];
    this.openRings = [];
    this.chosen = new Set();
    this.heat = null;
    this.selected = null;
    this.hovered = null;
    this.index = new HitIndex([]);
    this.plan = [];
    this.tracked = [];
    /** True if the topmost element is chosen rather than the one that a tap would report, such as a label in a row. */
    this.picksAny = false;
    this.last = null;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.stage);
    this.stopPrefs = whenPrefsChange((names) => names.includes("colours") && this.paint());
    this.listen();
  }

  tool(name, label, run) {
    return h(
      "button",
      { class: "button small icon-only", type: "button", "aria-label": label, title: label, onclick: run },
      icon(name, 16),
    );
  }

  close() {
    this.observer.disconnect();
    this.stopPrefs();
  }

  /** Shows these elements on a screen of this size; `image` is the address of a screenshot, or nothing. */
  show({ elements, width, height, image }) {
    // A saved web page does not say where its elements are.
    const outline = image ? null : outlined(elements);
    if (outline) ({ width, height } = outline);
    const drawn = elements.toSorted((one, other) => one.z_order - other.z_order);
    this.index = new HitIndex(drawn);
    this.plan = planWireframe(drawn);
    this.tracked = elements.filter(
      (element) => element.tracked === element.element && element.frame && !element.hidden,
    );
    let size = { width, height };
    if (!(width > 0 && height > 0)) {
      const root = elements.find((element) => element.frame && element.frame[2] > 0)?.frame;
      size = { width: root ? root[0] + root[2] : 390, height: root ? root[1] + root[3] : 844 };
    }
    const changed = size.width !== this.size.width || size.height !== this.size.height;
    this.size = size;
    if (this.selected) this.selected = this.index.byNumber.get(this.selected.element) ?? null;
    this.hovered = null;
    if (image !== this.imageAddress) {
      this.imageAddress = image;
      if (image) {
        const loaded = new Image();
        const take = (shown) => {
          if (this.imageAddress !== image) return;
          this.image = shown;
          this.paint();
        };
        loaded.onload = () => take(loaded);
        loaded.onerror = () => take(null);
        loaded.src = image;
      } else this.image = null;
    }
    if (changed || this.isFitted) this.fit();
    else this.paint();
  }

  setMatches(numbers) {
    this.matches = numbers ?? [];
    this.paintMarks();
  }

  /** The circled elements: `[{element, rule, more}]`. */
  setRings(rings) {
    this.rings = rings ?? [];
    this.paintMarks();
  }

  /** Elements without a rule: `[{element, taps}]`. */
  setOpenRings(rings) {
    this.openRings = rings ?? [];
    this.paintMarks();
  }

  /** The elements that are chosen together, by number. */
  setChosen(numbers) {
    this.chosen = numbers;
    this.paintMarks();
  }

  setSelected(number) {
    this.selected = number === null || number === undefined ? null : (this.index.byNumber.get(number) ?? null);
    this.paintTop();
    if (this.rings.length) this.paintMarks();
  }

  /** Taps to show: `{points:[{x,y,count}], elements:[{element,count}]}`, or nothing. */
  setHeat(heat) {
    this.heat = heat;
    this.paintMarks();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    for (const layer of this.layers) {
      layer.width = Math.round(width * ratio);
      layer.height = Math.round(height * ratio);
    }
    if (this.isFitted) this.fit();
    else this.paint();
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height || !this.size.width) return;
    const scale = Math.min((width - 2 * margin) / this.size.width, (height - 2 * margin) / this.size.height);
    this.view = {
      scale: Math.max(0.02, scale),
      x: (width - this.size.width * scale) / 2,
      y: (height - this.size.height * scale) / 2,
    };
    this.isFitted = true;
    this.paint();
  }

  zoomBy(factor, at) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const point = at ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(12, Math.max(0.05, this.view.scale * factor));
    const real = scale / this.view.scale;
    this.view = { scale, x: point.x - (point.x - this.view.x) * real, y: point.y - (point.y - this.view.y) * real };
    this.isFitted = false;
    this.paint();
  }

  panBy(x, y) {
    this.view = { ...this.view, x: this.view.x + x, y: this.view.y + y };
    this.isFitted = false;
    this.paint();
  }

  /** Moves the view so that an element is in sight. */
  reveal(element) {
    if (!element?.frame || this.isFitted) return;
    const [x, y, w, high] = element.frame;
    const { scale } = this.view;
    const centre = { x: this.view.x + (x + w / 2) * scale, y: this.view.y + (y + high / 2) * scale };
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (centre.x < 0 || centre.y < 0 || centre.x > width || centre.y > height)
      this.panBy(width / 2 - centre.x, height / 2 - centre.y);
  }

  toScreen(event) {
    const box = this.stage.getBoundingClientRect();
    const at = { x: event.clientX - box.left, y: event.clientY - box.top };
    return { at, x: (at.x - this.view.x) / this.view.scale, y: (at.y - this.view.y) / this.view.scale };
  }

  listen() {
    let drag = null;
    const fingers = new Map();
    this.stage.addEventListener("pointerdown", (event) => {
      if (event.button > 1) return;
      fingers.set(event.pointerId, event);
      drag = { x: event.clientX, y: event.clientY, moved: false };
      this.box = event.shiftKey && this.onSeveral ? { from: this.toScreen(event), to: this.toScreen(event) } : null;
      this.stage.setPointerCapture(event.pointerId);
    });
    this.stage.addEventListener("pointermove", (event) => {
      if (fingers.size === 2 && fingers.has(event.pointerId)) return this.pinch(fingers, event);
      if (drag && fingers.has(event.pointerId)) {
        const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
        if (this.box) {
          drag.moved = drag.moved || Math.hypot(x, y) > 5;
          this.box.to = this.toScreen(event);
          this.paintTop();
        } else if (drag.moved || Math.hypot(x, y) > 5) {
          drag = { x: event.clientX, y: event.clientY, moved: true };
          this.panBy(x, y);
        }
        return undefined;
      }
      const point = this.toScreen(event);
      this.hoverAt(point.x, point.y);
      return undefined;
    });
    const up = (event) => {
      const wasClick = drag && !drag.moved && fingers.size === 1 && event.type === "pointerup";
      fingers.delete(event.pointerId);
      if (this.box) this.closeBox(drag?.moved && event.type === "pointerup");
      if (fingers.size === 0) drag = null;
      if (wasClick) {
        const point = this.toScreen(event);
        if ((event.ctrlKey || event.metaKey) && this.onToggle) this.toggleAt(point.x, point.y);
        else this.clickAt(point.x, point.y);
      }
    };
    this.stage.addEventListener("pointerup", up);
    this.stage.addEventListener("pointercancel", up);
    this.stage.addEventListener("pointerleave", () => this.setHovered(null));
    this.stage.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoomBy(Math.exp(-event.deltaY / (event.ctrlKey ? 90 : 360)), this.toScreen(event).at);
      },
      { passive: false },
    );
    this.stage.addEventListener("keydown", (event) => this.key(event));
  }

  /** The frame of the box that is being drawn, in the coordinates of the screen. */
  boxFrame() {
    const { from, to } = this.box;
    return [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  }

  /** Ends the box. It chooses the tracked elements whose middle is inside and uncovered; among nested ones, the inner ones. */
  closeBox(isChosen) {
    const [x, y, w, high] = this.boxFrame();
    this.box = null;
    this.paintTop();
    if (!isChosen) return;
    const inside = this.tracked.filter((element) => {
      const { frame } = element;
      const [left, top] = [frame[0] + frame[2] / 2, frame[1] + frame[3] / 2];
      return (
        left >= x &&
        left <= x + w &&
        top >= y &&
        top <= y + high &&
        frame[2] <= w * 1.2 &&
        frame[3] <= high * 1.2 &&
        this.index.isUncovered(element, left, top)
      );
    });
    const around = new Set();
    for (const element of inside) {
      for (
        let parent = element.parent;
        parent !== null && parent !== undefined;
        parent = this.index.byNumber.get(parent)?.parent
      )
        around.add(parent);
    }
    const chosen = inside.filter((element) => !around.has(element.element));
    if (chosen.length) this.onSeveral(chosen);
  }

  pinch(fingers, event) {
    const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    const before = fingers.get(event.pointerId);
    const factor =
      Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY) /
      Math.max(1, Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY));
    fingers.set(event.pointerId, event);
    const box = this.stage.getBoundingClientRect();
    this.zoomBy(factor, {
      x: (event.clientX + other.clientX) / 2 - box.left,
      y: (event.clientY + other.clientY) / 2 - box.top,
    });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (moves[event.key]) this.panBy(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoomBy(1.25);
    else if (event.key === "-") this.zoomBy(1 / 1.25);
    else if (event.key === "0") this.fit();
    else if (event.key === "n" || event.key === "p") this.step(event.key === "n" ? 1 : -1);
    else if (event.key === "Enter" && this.selected?.frame) this.beneath();
    else if (event.key === "Escape") this.onSelect(null);
    else return;
    event.preventDefault();
  }

  /** Goes to the next tracked element, in the order of the tree. */
  step(by) {
    if (!this.tracked?.length) return;
    const now = this.tracked.findIndex((element) => element === this.selected);
    const next = this.tracked.at(now < 0 && by < 0 ? -1 : (now + by) % this.tracked.length);
    this.onStep(next);
    this.reveal(next);
  }

  /** Goes on to the element beneath the selected one, where it was clicked or, after other ways to it, in its middle. */
  beneath() {
    const [x, y, w, high] = this.selected.frame;
    const point = this.isLast() ? this.last : { x: x + w / 2, y: y + high / 2 };
    const candidates = this.index.candidates(point.x, point.y);
    this.take(point, candidates, candidates.indexOf(this.selected) + 1);
  }

  /** This is true if the selected element is the one that was clicked last. */
  isLast() {
    return Boolean(this.last) && this.last.element === this.selected?.element;
  }

  hoverAt(x, y) {
    const started = performance.now();
    const element = this.picksAny ? (this.index.at(x, y)[0] ?? null) : this.index.trackedAt(x, y);
    if (element !== this.hovered) this.setHovered(element);
    this.lastHoverTime = performance.now() - started;
  }

  setHovered(element) {
    if (element === this.hovered) return;
    this.hovered = element;
    this.stage.style.cursor = element ? "pointer" : "";
    this.paintTop();
    this.onHover(element);
  }

  clickAt(x, y) {
    const candidates = this.picksAny ? this.index.at(x, y) : this.index.candidates(x, y);
    const again = this.isLast() && Math.hypot(this.last.x - x, this.last.y - y) < 4 / Math.min(1, this.view.scale);
    this.take(again ? this.last : { x, y }, candidates, again ? this.last.place + 1 : 0);
  }

  /** Selects one of the candidates at a point; after the last comes the first. */
  take({ x, y }, candidates, wanted) {
    if (!candidates.length) {
      this.last = null;
      this.onSelect(null);
      return;
    }
    const place = wanted % candidates.length;
    this.last = { x, y, place, element: candidates[place].element };
    this.onSelect(candidates[place], place, candidates.length);
  }

  toggleAt(x, y) {
    const element = this.index.trackedAt(x, y);
    if (element) this.onToggle(element);
  }

  context(layer) {
    const context = this.layers[layer].getContext("2d");
    const ratio = devicePixelRatio || 1;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.layers[layer].width, this.layers[layer].height);
    const { scale, x, y } = this.view;
    context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
    return context;
  }

  /** Repaints all at the next frame. */
  paint() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paintBase();
      this.paintMarks();
      this.paintTop();
    });
  }

  paintBase() {
    const context = this.context(0);
    const { width, height } = this.size;
    if (!width) return;
    context.save();
    context.shadowColor = "rgb(0 0 0 / 22%)";
    context.shadowBlur = 22;
    context.fillStyle = colour("wire-screen");
    context.beginPath();
    context.roundRect(0, 0, width, height, 14);
    context.fill();
    context.restore();
    context.save();
    context.clip();
    if (this.image) context.drawImage(this.image, 0, 0, width, height);
    else drawWireframe(context, this.plan, width, height, this.view.scale);
    context.strokeStyle = colour("hover");
    context.globalAlpha = this.image ? 0.5 : 0.22;
    context.lineWidth = 1 / this.view.scale;
    for (const [x, y, w, high] of this.inSight(this.tracked)) context.strokeRect(x, y, w, high);
    context.globalAlpha = 1;
    context.restore();
    context.strokeStyle = colour("line");
    context.lineWidth = 1 / this.view.scale;
    context.beginPath();
    context.roundRect(0, 0, width, height, 14);
    context.stroke();
  }

  paintMarks() {
    const started = performance.now();
    const context = this.context(1);
    // Elements scrolled out of the screen are not drawn beside it.
    context.beginPath();
    context.roundRect(-1, -1, this.size.width + 2, this.size.height + 2, 14);
    context.clip();
    if (this.heat) this.paintHeat(context);
    if (this.matches.length) {
      context.fillStyle = context.strokeStyle = colour("accent");
      context.lineWidth = 1.75 / this.view.scale;
      const frames = this.inSight(this.matches.map((number) => this.index.byNumber.get(number)));
      context.globalAlpha = 0.16;
      for (const [x, y, w, high] of frames) context.fillRect(x, y, w, high);
      context.globalAlpha = 1;
      for (const [x, y, w, high] of frames) context.strokeRect(x, y, w, high);
    }
    const place = {
      view: this.view,
      ratio: devicePixelRatio || 1,
      size: this.size,
      faint: this.selected !== null,
      frameOf: (number) => {
        const element = this.index.byNumber.get(number);
        return element?.hidden ? undefined : this.inSight([element])[0];
      },
    };
    if (this.rings.length && !this.heat) paintRings(context, this.rings, place);
    if (this.openRings.length) paintOpenRings(context, this.openRings, { ...place, faint: false });
    if (this.chosen.size) paintChosen(context, [...this.chosen], place);
    this.lastMarksTime = performance.now() - started;
  }

  /** The frames of those elements that are within the screen and the window. */
  inSight(elements) {
    const { scale, x, y } = this.view;
    const right = Math.min(this.size.width, (this.stage.clientWidth - x) / scale);
    const bottom = Math.min(this.size.height, (this.stage.clientHeight - y) / scale);
    const [left, top] = [Math.max(0, -x / scale), Math.max(0, -y / scale)];
    return elements.flatMap((element) => {
      const frame = element?.frame;
      return frame && frame[0] < right && frame[1] < bottom && frame[0] + frame[2] > left && frame[1] + frame[3] > top
        ? [frame]
        : [];
    });
  }

  paintHeat(context) {
    const { points = [], elements = [] } = this.heat;
    const spots = points.length
      ? gathered(points)
      : elements.flatMap(({ element, count }) => {
          const frame = this.index.byNumber.get(element)?.frame;
          return frame
            ? [
                {
                  x: frame[0] + frame[2] / 2,
                  y: frame[1] + frame[3] / 2,
                  count,
                  radius: Math.max(18, Math.min(frame[2], 120) * 0.6),
                },
              ]
            : [];
        });
    const most = spots.reduce((value, spot) => Math.max(value, spot.count), 1);
    for (const spot of spots) {
      const strength = Math.sqrt(spot.count / most);
      const radius = spot.radius * (0.7 + 0.5 * strength);
      const gradient = context.createRadialGradient(spot.x, spot.y, 0, spot.x, spot.y, radius);
      gradient.addColorStop(0, `rgb(${190 + 35 * strength} ${150 - 105 * strength} 20 / ${0.1 + 0.5 * strength})`);
      gradient.addColorStop(0.5, `rgb(250 160 30 / ${0.04 + 0.24 * strength})`);
      gradient.addColorStop(1, "rgb(250 200 60 / 0%)");
      context.fillStyle = gradient;
      context.beginPath();
      context.arc(spot.x, spot.y, radius, 0, 7);
      context.fill();
    }
    this.paintHeatNumbers(context, elements);
  }

  /** The taps of each element as a number at its corner; the rarer ones give way where there is no room. */
  paintHeatNumbers(context, elements) {
    const { scale } = this.view;
    const size = 11 / scale;
    context.font = `700 ${size}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    const placed = [];
    for (const { element, count } of [...elements].sort((one, other) => other.count - one.count)) {
      const shown = this.index.byNumber.get(element);
      const frame = shown && !shown.hidden && this.inSight([shown])[0];
      if (!frame || !count) continue;
      const text = short(count);
      const [w, high] = [context.measureText(text).width + 8 / scale, size * 1.45];
      const [x, y] = [Math.max(0, Math.min(frame[0] + frame[2], this.size.width) - w), Math.max(0, frame[1])];
      if (placed.some((one) => x < one[0] + one[2] && one[0] < x + w && y < one[1] + high && one[1] < y + high))
        continue;
      placed.push([x, y, w]);
      context.fillStyle = "rgb(122 28 8 / 92%)";
      context.beginPath();
      context.roundRect(x, y, w, high, 4 / scale);
      context.fill();
      context.fillStyle = "#fff";
      context.fillText(text, x + 4 / scale, y + high / 2);
    }
  }

  paintTop() {
    const context = this.context(2);
    if (this.hovered?.frame && this.hovered !== this.selected)
      this.outline(context, this.hovered.frame, colour("hover"), 2, 0.1);
    if (this.selected?.frame) this.encircle(context, this.selected.frame);
    if (this.box) this.outline(context, this.boxFrame(), colour("accent"), 1.5, 0.12);
    this.placeTag();
  }

  outline(context, [x, y, w, high], ink, width, fill) {
    context.fillStyle = context.strokeStyle = ink;
    context.globalAlpha = fill;
    context.fillRect(x, y, w, high);
    context.globalAlpha = 1;
    context.lineWidth = width / this.view.scale;
    context.strokeRect(x, y, w, high);
  }

  /** A stroke like a pen's around the selected element, and its exact outline. */
  encircle(context, [x, y, w, high]) {
    const ink = colour("accent");
    const { scale } = this.view;
    this.outline(context, [x, y, w, high], ink, 2.5, 0.1);
    const out = 7 / scale;
    context.lineWidth = 2 / scale;
    context.setLineDash([7 / scale, 5 / scale]);
    context.strokeStyle = ink;
    context.beginPath();
    context.roundRect(x - out, y - out, w + 2 * out, high + 2 * out, Math.min(14 / scale + out, high / 2 + out));
    context.stroke();
    context.setLineDash([]);
  }

  placeTag() {
    const element = this.hovered;
    this.tag.hidden = !element;
    if (!element) return;
    put(this.tag, h("strong", {}, element.class), element.content ? ` ${element.content.slice(0, 40)}` : "");
    const { scale, x, y } = this.view;
    const top = y + element.frame[1] * scale - 30;
    this.tag.style.left = `${Math.max(4, Math.min(x + element.frame[0] * scale, this.stage.clientWidth - 160))}px`;
    this.tag.style.top = `${top < 2 ? y + (element.frame[1] + element.frame[3]) * scale + 6 : top}px`;
  }
}

/**
 * Taps that are near each other as one spot, so that thousands of them show where there are more, not only where
 * there are any.
 */
function gathered(points) {
  const side = 16;
  const spots = new Map();
  for (const { x, y, count } of points) {
    const key = `${Math.round(x / side)},${Math.round(y / side)}`;
    const spot = spots.get(key) ?? { x: 0, y: 0, count: 0, radius: 20 };
    spot.x += x * count;
    spot.y += y * count;
    spot.count += count;
    spots.set(key, spot);
  }
  return [...spots.values()]
    .filter((spot) => spot.count > 0)
    .map((spot) => ({ ...spot, x: spot.x / spot.count, y: spot.y / spot.count }));
}
