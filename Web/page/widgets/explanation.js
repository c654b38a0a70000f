// Why an event is, or is not, selected: as the service explains it.

import { h } from "../core/dom.js";
import { t } from "../core/strings.js";
import { decisionBadge } from "./controls.js";

/** The decision and the explanation. Lines that begin with a mark get its colour; the indentation is kept. */
export function explanation({ decision, text }) {
  const lines = (text ?? "").split("\n").filter((line) => line.trim());
  return h("div", { class: "stack tight explain" },
    decision && h("div", { class: "row wrap" }, decisionBadge(decision), (decision.emit ?? []).map((name) => h("span", { class: "badge accent" }, name)),
      (decision.rules ?? []).map((rule) => h("span", { class: "badge info" }, rule)),
      (decision.excluded_by ?? []).map((rule) => h("span", { class: "badge warn" }, rule))),
    lines.length > 0 && h("ul", { "aria-label": t("explanation") }, lines.map((line) => {
      const body = line.trimStart();
      const mark = /^[✓✗]/.test(body) ? body[0] : "";
      return h("li", { class: mark === "✓" ? "yes" : mark === "✗" ? "no" : "", style: { "margin-left": `${(line.length - body.length) * 5}px`, "list-style": "none" } },
        mark && h("span", { class: "mark", "aria-hidden": "true" }, mark), mark ? body.slice(1).trim() : body);
    })));
}
