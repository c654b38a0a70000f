// The rules about a screen's elements, as a list, with more details than the rings on the picture.

import { h } from "../core/dom.js";
import { ruleName } from "../core/circled.js";
import { number } from "../core/format.js";
import { t } from "../core/strings.js";
import { countWithCurve } from "../widgets/sparkline.js";

const kinds = { published: "good", draft: "info", changed: "info", removed: "bad" };

/** The stage of a rule, in words beside the colour. */
export const stageBadge = (rule) => h("span", { class: `badge ${kinds[rule.stage]}` }, t(`stage_${rule.stage}`));

/**
 * `open(rule)` is called for a click, `hover(rule)` while the pointer or the focus is on one, and without a rule
 * after it.
 */
export function circledList(circled, { open, hover }) {
  if (!circled.rules.length) return h("p", { class: "muted small" }, t("circled_none"));
  return h(
    "ul",
    { class: "circled-list" },
    circled.rules.map((rule) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "circled-rule",
            onclick: () => open(rule),
            onpointerenter: () => hover(rule),
            onpointerleave: () => hover(null),
            onfocus: () => hover(rule),
            onblur: () => hover(null),
          },
          h(
            "span",
            { class: "stack tight" },
            h("strong", { class: "ellipsis" }, ruleName(rule)),
            h(
              "span",
              { class: "row wrap small" },
              stageBadge(rule),
              rule.kind === "exclude" && h("span", { class: "badge warn" }, t("exclude_short")),
              h(
                "span",
                { class: "muted" },
                circled.isBroad(rule)
                  ? t("circled_whole_page")
                  : t("circled_elements", { count: number(rule.elements.length) }),
              ),
            ),
          ),
          countWithCurve(rule.events, rule.series, circled.starts),
        ),
      ),
    ),
  );
}
