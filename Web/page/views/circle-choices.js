// The choices for a clause: chips that widen and narrow it, and suggested selectors.

import { clauseSubject } from "../core/clauses.js";
import { h } from "../core/dom.js";
import * as messages from "../core/messages.js";
import { has, t } from "../core/strings.js";
import { segmented } from "../widgets/controls.js";

/** `known`: whether the chips make the present clause. `choose(chip, value)` is called for another choice. */
export function chipRows({ chips, known, choose }) {
  const rows = h("div", { class: "chips" });
  for (const chip of chips) {
    const words = chipWords(chip);
    rows.append(
      h(
        "div",
        { class: "chip-row", role: "group", "aria-label": words.title },
        h("span", { class: "label", "aria-hidden": "true" }, words.title),
        chipOptions(chip, words, known, choose),
      ),
    );
  }
  return rows;
}

function chipOptions(chip, words, known, choose) {
  const node = segmented({
    // A condition that was written by hand matches no choice.
    label: words.title,
    hideLabel: true,
    accent: true,
    value: known ? chip.value : null,
    options: (chip.options ?? []).map((option) => [option.value, words.option(option), option.total]),
    change: (value) => choose(chip, value),
  });
  for (const input of node.querySelectorAll("input")) input.dataset.key = `chip-${chip.id}-${input.value}`;
  return node;
}

/**
 * The words for a chip: those of the field in its title, as cells of collections have items where others have rows. The
 * title of an outer list names its cells.
 */
function chipWords({ title }) {
  const [, field, cell] = /^(\S+) of (.+)$/s.exec(title) ?? [null, title];
  const words = (key, otherwise) => (has(key) ? t(key) : otherwise);
  const key = `chip_${field.toLowerCase()}`;
  const chip = words(key, field);
  return {
    title: cell ? t("chip_of", { chip, cell }) : chip,
    option: ({ value, title }) => words(`${key}_${value}`, title),
  };
}

/** A suggested selector; `clause` is the present one, and `take` is called to take this one in its place. */
export function suggestion(one, clause, take) {
  const level = one.stability >= 75 ? "" : one.stability >= 50 ? "middling" : "low";
  const subject = clauseSubject(one.clause ?? one);
  return h(
    "div",
    {},
    h(
      "button",
      {
        class: "suggestion",
        type: "button",
        "aria-pressed": String(clauseSubject(clause) === subject),
        onclick: take,
      },
      h("span", { class: "selector" }, subject),
      h("br", {}),
      h("span", { class: "small muted" }, messages.summary(one)),
      " ",
      h(
        "span",
        { class: "small nowrap" },
        h(
          "span",
          { class: `stability ${level}`, "aria-hidden": "true" },
          h("i", { style: { width: `${one.stability}%` } }),
        ),
        ` ${t("stability", { points: one.stability })}`,
      ),
    ),
    one.reasons?.length > 0 &&
      h(
        "details",
        { class: "small muted" },
        h("summary", {}, t("why")),
        h(
          "ul",
          {},
          one.reasons.map((reason) => h("li", {}, `−${Math.abs(reason.points ?? 0)} ${messages.reason(reason)}`)),
        ),
      ),
  );
}
