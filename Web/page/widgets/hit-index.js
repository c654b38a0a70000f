// Finds the elements at a point: a grid over the screen, so that a screen of thousands answers within a frame.

const cell = 32;

/** True if an element is the view that UIKit puts between a page and an alert or a sheet above it. */
const dims = (element) => /(^|\.)_?UIDimmingView$/.test(element.class ?? "");

export class HitIndex {
  /** `elements` as the service answers them, in drawing order: later ones lie on top. */
  constructor(elements) {
    this.elements = elements;
    this.byNumber = new Map(elements.map((element) => [element.element, element]));
    this.cells = new Map();
    this.large = [];
    for (const [order, element] of elements.entries()) {
      const frame = element.frame;
      if (!frame || element.hidden || !(frame[2] > 0 && frame[3] > 0)) continue;
      const [left, top] = [Math.floor(frame[0] / cell), Math.floor(frame[1] / cell)];
      const [right, bottom] = [Math.floor((frame[0] + frame[2]) / cell), Math.floor((frame[1] + frame[3]) / cell)];
      // Very large elements are tested for every point instead, so that hostile frames cannot fill the memory.
      if ((right - left + 1) * (bottom - top + 1) > 900) {
        this.large.push(order);
        continue;
      }
      // Far from the screen, adding 1 to a number may not change it.
      for (let column = 0; column <= right - left; column += 1) {
        for (let row = 0; row <= bottom - top; row += 1) {
          const key = `${left + column},${top + row}`;
          const list = this.cells.get(key);
          if (list) list.push(order);
          else this.cells.set(key, [order]);
        }
      }
    }
  }

  /** The elements at a point, topmost first. */
  at(x, y) {
    const near = [...(this.cells.get(`${Math.floor(x / cell)},${Math.floor(y / cell)}`) ?? []), ...this.large];
    return near
      .filter((order) => {
        const [left, top, width, height] = this.elements[order].frame;
        return x >= left && y >= top && x < left + width && y < top + height;
      })
      .sort((one, other) => other - one)
      .map((order) => this.elements[order]);
  }

  /** The element that a tap at a point would report. The dimming view beneath an alert takes the taps. */
  trackedAt(x, y) {
    for (const element of this.at(x, y)) {
      if (element.tracked === element.element) return element;
      if (dims(element)) return null;
    }
    return null;
  }

  /** This is true if a tap at a point meets an element, or a tracked one inside it. */
  isUncovered(element, x, y) {
    let hit = this.trackedAt(x, y);
    while (hit && hit !== element) hit = this.byNumber.get(hit.parent);
    return Boolean(hit);
  }

  /** The elements that repeated clicks at a point go through: first the tracked ones, then all that lie beneath. */
  candidates(x, y) {
    const all = this.at(x, y);
    const first = this.trackedAt(x, y);
    return first ? [first, ...all.filter((element) => element !== first)] : all;
  }
}
