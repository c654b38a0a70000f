// What is circled about one element: its uses, and the rules about it.

import { ruleName } from "../core/circled.js";
import { h } from "../core/dom.js";
import { link } from "../core/router.js";
import { t } from "../core/strings.js";
import { periodName } from "../widgets/period.js";
import { countWithCurve } from "../widgets/sparkline.js";
import { stageBadge } from "./circled-list.js";

/** The uses of an element, whatever the rules say about it. */
export function tapsLine(circled, element) {
  if (!circled || element.isPage || !element.type) return null;
  const { events, series } = circled.taps.get(element.element) ?? { events: 0, series: [] };
  return h(
    "p",
    { class: "row small taps" },
    h("span", { class: "muted" }, t("taps_of_element", { period: periodName(circled.days) })),
    countWithCurve(events, series, circled.starts),
  );
}

/**
 * The rules that are about an element already, each with its events. `edit(rule)` is called to go on with another
 * rule than `editing`, or without a rule for a new one.
 */
export function circledRules({ circled, element, editing, edit }) {
  if (element.isPage) return editing && circledPage(editing);
  const rules = circled?.of(element.element) ?? [];
  if (!rules.length) return null;
  return h(
    "div",
    { class: "section", "data-part": "circled" },
    rules.slice(0, 5).map((rule) => circledCard(rule, circled, rule.id !== editing?.id && (() => edit(rule)))),
    editing &&
      h(
        "div",
        {},
        h("button", { class: "button small", type: "button", onclick: () => edit(null) }, t("new_rule_instead")),
      ),
  );
}

function circledCard(rule, circled, edit) {
  return h(
    "div",
    { class: "circled-card" },
    h(
      "div",
      { class: "row" },
      h("strong", { class: "spring wrap-anywhere" }, t("circled_as", { name: ruleName(rule) })),
      countWithCurve(rule.events, rule.series, circled.starts),
    ),
    h(
      "div",
      { class: "row wrap small" },
      stageBadge(rule),
      rule.kind === "exclude" && h("span", { class: "badge warn" }, t("exclude_short")),
      h(
        "span",
        { class: "muted" },
        circled.isBroad(rule) ? t("circled_whole_page") : t("circled_elements", { count: rule.elements.length }),
      ),
      h("span", { class: "spring" }),
      edit &&
        rule.stage !== "removed" &&
        h("button", { class: "button small", type: "button", onclick: edit }, t("edit_rule")),
      ruleLink(rule.id),
    ),
  );
}

/** The rule that circles a page already. */
const circledPage = (rule) =>
  h(
    "div",
    { class: "section row wrap" },
    h("strong", { class: "spring wrap-anywhere" }, t("circled_as", { name: ruleName(rule) })),
    ruleLink(rule.id),
  );

const ruleLink = (id) =>
  h("a", { class: "button small", href: link(`/rule/${encodeURIComponent(id)}`) }, t("open_rule"));
