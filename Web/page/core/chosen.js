// The elements of a screen that are chosen together; the picture, the list and the table share them.

export class Chosen {
  /** `elements`: all elements of the screen. Only tracked ones can be chosen. */
  constructor(elements) {
    this.all = elements.filter((element) => element.tracked === element.element && !element.hidden);
    this.numbers = new Set();
    this.listeners = new Set();
  }

  /** Calls `listener` whenever the choice changes. */
  whenChanged(listener) {
    this.listeners.add(listener);
  }

  get size() {
    return this.numbers.size;
  }

  has(number) {
    return this.numbers.has(number);
  }

  /** Chooses these elements and no others. */
  set(elements) {
    this.numbers = new Set(elements.map((element) => element.element));
    this.changed();
  }

  /** Chooses an element, or removes it from the choice. */
  toggle(element) {
    if (!this.numbers.delete(element.element)) this.numbers.add(element.element);
    this.changed();
  }

  changed() {
    for (const listener of this.listeners) listener();
  }
}
