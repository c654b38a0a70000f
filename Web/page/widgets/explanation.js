// The service's explanation why an event is selected or not, rule by rule and test by test.

import { h } from "../core/dom.js";
import * as messages from "../core/messages.js";
import { t } from "../core/strings.js";
import { decisionBadge } from "./controls.js";
import { givenProperties } from "./given-properties.js";

/** Rules that do not match and are not near to it are counted only. */
const maximumRules = 6;

/** The decision, and the tests of the rules that match or are the nearest to it. */
export function explanation({ decision, explanation: told, rules_left_out: left = 0 }) {
  const all = told?.explanations ?? [];
  const matching = all.filter((rule) => rule.matches);
  const shown = [...matching, ...all.filter((rule) => !rule.matches)].slice(0, Math.max(matching.length, maximumRules));
  const others = all.length - shown.length + left;
  return h(
    "div",
    { class: "stack tight explain" },
    decision &&
      h(
        "div",
        { class: "row wrap" },
        decisionBadge(decision),
        (decision.emit ?? []).map((name) => h("span", { class: "badge accent wrap-anywhere" }, name)),
        (decision.rules ?? []).map((rule) => h("span", { class: "badge info wrap-anywhere" }, rule)),
        (decision.excluded_by ?? []).map((rule) => h("span", { class: "badge warn wrap-anywhere" }, rule)),
        givenProperties(decision.properties),
      ),
    h(
      "p",
      { class: "small" },
      t(
        told?.selected
          ? "explained_selected"
          : told?.excluded_by?.length
            ? "explained_excluded"
            : matching.length
              ? "explained_not"
              : "explained_none",
      ),
    ),
    told?.event_style &&
      h("p", { class: "small" }, t("explained_style", { event: told.event_style, rules: told.rules_style })),
    shown.length > 0 && h("ul", { "aria-label": t("explanation") }, shown.map(ruleLine)),
    others > 0 && h("p", { class: "small muted" }, t("rules_left", { count: others })),
  );
}

const line = (passed, ...children) =>
  h(
    "li",
    { class: passed ? "yes" : "no", style: { "list-style": "none" } },
    h("span", { class: "mark", "aria-hidden": "true" }, passed ? "✓" : "✗"),
    children,
  );

function ruleLine(rule) {
  const tests = [...(rule.clauses ?? []).flatMap((clause) => clause.tests ?? []), ...(rule.besides ?? [])];
  return line(
    rule.matches,
    t(rule.matches ? "rule_matches" : "rule_matches_not", { rule: rule.rule }),
    rule.effect === "exclude" && [" ", h("span", { class: "badge warn" }, t("exclude_short"))],
    h(
      "ul",
      {},
      tests.map((test) => line(test.passed, messages.test(test))),
      (rule.unless ?? []).map((clause) =>
        line(
          !clause.holds,
          t("unless_holds"),
          h(
            "ul",
            {},
            (clause.tests ?? []).map((test) => line(test.passed, messages.test(test))),
          ),
        ),
      ),
    ),
  );
}
