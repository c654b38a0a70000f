// Rules that are proposed for many elements at once, as they are edited until they are saved.

import { post, postNewest } from "./api.js";
import { prefs } from "./prefs.js";
import { addRules } from "./rulesets.js";
import { keepUnsaved, unsaved } from "./unsaved.js";

export const standardNames = "{page}_{element}_{action}";

/** The words of a text, a `text: word` a line; lines without a colon are answered as `wrong`. */
export function wordsOf(text) {
  const words = {};
  const wrong = [];
  for (const line of text.split("\n")) {
    if (!line.trim()) continue;
    const found = /^\s*(.+?)\s*[:：]\s*(\S+)\s*$/.exec(line);
    if (found) words[found[1]] = found[2];
    else wrong.push(line.trim());
  }
  return { words, wrong };
}

const key = (capture) => `many:${prefs.ruleset}:${capture}`;

export class Proposals {
  /** `rows`: rules with their editable values; `style`: that of their selectors; `others`, `impossible`: the elements that get none. */
  constructor(capture, { rows, style, others = [], impossible = [], beyond = 0 }) {
    Object.assign(this, { capture, rows, style, others, impossible, beyond });
  }

  /** Asks the service for rules, by default for all elements of the screen. */
  static async read({ capture, elements, names, words, signal }) {
    const answer = await postNewest(
      "/v1/suggest/all",
      { capture, names, words, draft: true, ruleset: prefs.ruleset, ...(elements ? { elements } : {}) },
      { signal },
    );
    const rows = answer.rules.map((rule) => ({
      ...rule,
      name: rule.name ?? "",
      isIn: true,
      proposed: rule.selector,
    }));
    const { style, others, impossible, beyond_limit: beyond } = answer;
    const proposals = new Proposals(capture, { rows, style, others, impossible, beyond });
    proposals.keep();
    return proposals;
  }

  /** The unsaved edits, or `null`. */
  static kept(capture) {
    const kept = unsaved(key(capture));
    return kept && new Proposals(capture, kept);
  }

  keep() {
    const { rows, style, others, impossible, beyond } = this;
    keepUnsaved(key(this.capture), rows.length ? { rows, style, others, impossible, beyond } : null);
  }

  forget() {
    keepUnsaved(key(this.capture), null);
  }

  get chosen() {
    return this.rows.filter((row) => row.isIn);
  }

  /** The first row that cannot be saved, and why: its id is missing, or another has it. */
  problem() {
    const ids = new Set();
    for (const row of this.chosen) {
      const id = row.id.trim();
      if (!id) return { row, code: "missing" };
      if (ids.has(id)) return { row, code: "twice" };
      ids.add(id);
    }
    return null;
  }

  /** Saves all as one change of the draft, and answers what is wrong with the draft then. */
  async save() {
    for (const { selector, proposed, clause } of this.chosen) {
      if (selector === proposed) continue;
      // One that cannot be read is refused before anything is written.
      await post("/v1/selectors/parse", { selector, style: this.style });
      clause.selector = selector;
    }
    const answer = await addRules(this.chosen.map(ruleOf));
    this.forget();
    return answer;
  }
}

const ruleOf = ({ id, name, emit, clause }) => ({
  id: id.trim(),
  ...(name.trim() ? { name: name.trim() } : {}),
  include: clause,
  ...(emit.trim() ? { emit: emit.trim() } : {}),
});
