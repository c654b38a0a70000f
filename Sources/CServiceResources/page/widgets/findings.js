// Findings of check, each with its fixes as buttons.

import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { draft, saveDraft } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { toast } from "./toast.js";

const kinds = { error: "warn", warning: "warn", note: "info" };

/**
 * `apply(text)` takes the whole new text of a fix; without it the draft is saved with it. `go(finding)` is called when the place
 * of a finding is chosen.
 */
export function findingsList(findings, { apply, go } = {}) {
  const save = apply ?? (async (text) => {
    const now = await draft();
    await saveDraft(text, now?.etag);
    toast(t("fixed"));
  });
  return h("ul", { class: "findings divide" }, findings.map((finding) =>
    h("li", {}, h("div", { class: `finding ${finding.severity}` }, icon(kinds[finding.severity] ?? "info", 17),
      h("div", {},
        h("div", { class: "row wrap small" }, h("span", { class: "visually-hidden" }, t(`severity_${finding.severity}`)),
          finding.location?.line && (go ? h("button", { class: "button quiet small", type: "button", onclick: () => go(finding) }, t("line", { line: finding.location.line })) : h("span", { class: "muted" }, t("line", { line: finding.location.line }))),
          finding.rule && h("code", {}, finding.rule), h("span", { class: "muted" }, finding.code)),
        h("div", {}, finding.message),
        finding.help && h("div", { class: "small muted" }, finding.help),
        finding.fixes?.length > 0 && h("div", { class: "row wrap" }, finding.fixes.map((fix) =>
          h("button", { class: "button small", type: "button", onclick: (event) => run(event.target, fix) }, icon("check", 14), fix.title))))))));

  async function run(button, fix) {
    button.disabled = true;
    try {
      await save(fix.text);
    } catch (error) {
      toast(error.message);
      button.disabled = false;
    }
  }
}
