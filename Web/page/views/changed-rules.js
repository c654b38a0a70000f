// The rules that a draft changes, each with its place on the screen before and after.

import { dotted } from "../core/bidi.js";
import { h, put } from "../core/dom.js";
import { ruleName } from "../core/circled.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { rules } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { rulePlace } from "../widgets/rule-place.js";
import { countWithCurve } from "../widgets/sparkline.js";
import { filled } from "../widgets/states.js";
import { stageBadge } from "./circled-list.js";

const stages = { added: "draft", removed: "removed", changed: "changed" };
/** Nobody looks at more than this one by one; the diff has all of them. */
const maximumShown = 60;

/** `changes`: `[{id, change}]` as the service compares rules. */
export function changedRules(changes, signal) {
  if (!changes.length) return null;
  const list = h("ul", { class: "divide" });
  const place = h("div", { class: "card-body" }, list);
  const shown = changes.slice(0, maximumShown);
  filled(
    place,
    async () => {
      const [before, after] = await Promise.all([known({}, signal), known({ draft: true }, signal)]);
      return shown.map(({ id, change }) => ({
        id,
        stage: stages[change] ?? "changed",
        before: before.rules.get(id),
        after: after.rules.get(id),
        starts: after.starts,
      }));
    },
    (rows) => put(place, put(list, rows.map(row))),
    90,
  );
  return h(
    "section",
    { class: "card", "aria-label": t("rules_changed") },
    h("div", { class: "card-head" }, h("h2", {}, t("rules_changed"))),
    place,
  );
}

/** All rules of one side by id. */
async function known(parameters, signal) {
  const found = new Map();
  let starts = [];
  for (;;) {
    const answer = await rules({ ...parameters, days: prefs.days, offset: found.size, limit: 1000 }, { signal });
    starts = answer.starts;
    for (const rule of answer.rules) found.set(rule.id, rule);
    if (!answer.rules.length || found.size >= answer.total) return { rules: found, starts };
  }
}

function row({ id, stage, before, after, starts }) {
  const rule = after ?? before ?? { id };
  const figure = (side, name, kind) =>
    h(
      "figure",
      {},
      rulePlace(side?.place, { width: 150, height: 92, kind, linked: true }),
      h("figcaption", {}, dotted(t(name), side && ruleName(side))),
    );
  return h(
    "li",
    { class: "changed-rule" },
    h(
      "div",
      { class: "stack tight" },
      h(
        "a",
        { class: "wrap-anywhere", href: link(`/rule/${encodeURIComponent(id)}`) },
        h("strong", {}, ruleName(rule)),
      ),
      h(
        "span",
        { class: "row wrap small" },
        stageBadge({ stage }),
        h("code", { class: "muted wrap-anywhere" }, id),
        rule.owner && h("span", { class: "badge wrap-anywhere" }, rule.owner),
        (rule.tags ?? []).map((tag) => h("span", { class: "badge wrap-anywhere" }, `# ${tag}`)),
      ),
      rule.series && countWithCurve(rule.events, rule.series, starts),
    ),
    h(
      "div",
      { class: "before-after" },
      before && figure(before, "before", after ? "published" : "removed"),
      after && figure(after, "after", before ? "changed" : "draft"),
    ),
  );
}
