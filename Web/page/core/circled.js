// The rules about a screen's elements, from the version in force and from the draft, with their events.

import { get } from "./api.js";
import { prefs } from "./prefs.js";

export class Circled {
  /** `capture`: the id of the capture, or of a running app's screen; without one, until `begin`, nothing is circled. */
  constructor(capture = null, elements = []) {
    this.begin(capture, elements);
  }

  /** Switches to another screen, before anything is read about it. */
  begin(capture, elements) {
    // Callers that wait for the former screen continue without it.
    this.ready?.();
    this.capture = capture;
    /** The number of readings that have begun, and the number of the reading that is shown. */
    this.readings = 0;
    this.shown = 0;
    /** The number of tracked elements on the screen. */
    this.tracked = elements.filter((element) => element.tracked === element.element && !element.hidden).length;
    this.style = null;
    this.foreignStyle = null;
    this.rules = [];
    this.starts = [];
    this.byElement = new Map();
    /** The events of the elements themselves, whatever the rules. */
    this.taps = new Map();
    /** Fulfilled once it has been read for the first time, or could not be. */
    this.isReady = new Promise((fulfil) => {
      this.ready = fulfil;
    });
  }

  async read(signal) {
    const { capture } = this;
    const { days } = prefs;
    const mine = (this.readings += 1);
    const answer = await get(
      `/v1/captures/${encodeURIComponent(capture)}/rules`,
      { ruleset: prefs.ruleset, days },
      { signal },
    );
    // A later reading, as of another period, may have been answered first.
    if (capture !== this.capture || mine < this.shown) return this;
    this.shown = mine;
    /** The period of the counts. */
    this.days = days;
    /** The style that clauses about the screen must name, as the rules have several, or null. */
    this.style = answer.style ?? null;
    /** The style of the rules, if it is for another platform, or null. */
    this.foreignStyle = answer.foreign_style ?? null;
    this.rules = answer.rules;
    this.starts = answer.starts;
    this.taps = new Map((answer.elements ?? []).map((one) => [one.element, one]));
    this.byElement = new Map();
    // Rules about the fewest elements come first, because they say the most about each.
    for (const rule of [...answer.rules].sort((one, other) => one.elements.length - other.elements.length)) {
      for (const element of rule.elements) {
        const list = this.byElement.get(element);
        if (list) list.push(rule);
        else this.byElement.set(element, [rule]);
      }
    }
    return this;
  }

  /** The rules about an element, the narrowest first. */
  of(element) {
    return this.byElement.get(element) ?? [];
  }

  /** True if a rule is about so much of the screen that rings around all of it would say nothing. */
  isBroad(rule) {
    return rule.elements.length > 8 && rule.elements.length > this.tracked / 3;
  }

  /** The rings to draw: one for each element that some rule which is not about everything names. */
  rings() {
    return [...this.byElement].flatMap(([element, rules]) => {
      const narrow = rules.filter((rule) => !this.isBroad(rule));
      if (!narrow.length) return [];
      const [rule] = narrow;
      return [{ element, rule, more: narrow.length - 1 }];
    });
  }
}

/** The name of a rule for people. */
export const ruleName = (rule) => String(rule.name || rule.emit || rule.id);
