// Findings of check, each with its fixes as buttons.

import { may } from "../core/api.js";
import { h, whileDisabled } from "../core/dom.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { saveDraft } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { moreLine } from "./controls.js";
import { toast } from "./toast.js";

/** "Write X": the text of the fix is the same in all languages. */
const fixTitle = (fix) => fix.title.replace(/^Write /, `${t("fix_write")} `);

const maximumListed = 200;
const kinds = { error: "warn", warning: "warn", note: "info" };

/**
 * `apply(text)` takes the whole new text of a fix. Without it, the text becomes the draft, in place of the one with
 * `etag`, which the findings are about, and `fixed` is called. `go(finding)` is called when the place of a finding is
 * chosen. `total` is the number of all findings, if `findings` has not all of them.
 */
export function findingsList(findings, { apply, etag, fixed, go, total = findings.length } = {}) {
  const save =
    apply ??
    (async (text) => {
      await saveDraft(text, etag);
      toast(t("fixed"));
      fixed?.();
    });
  return h(
    "ul",
    { class: "findings divide" },
    findings.slice(0, maximumListed).map((finding) =>
      h(
        "li",
        {},
        h(
          "div",
          { class: `finding ${finding.severity}` },
          icon(kinds[finding.severity] ?? "info", 17),
          h(
            "div",
            {},
            h(
              "div",
              { class: "row wrap small" },
              h("span", { class: "visually-hidden" }, t(`severity_${finding.severity}`)),
              finding.location?.line &&
                (go
                  ? h(
                      "button",
                      { class: "button quiet small", type: "button", onclick: () => go(finding) },
                      t("line", { line: finding.location.line }),
                    )
                  : h("span", { class: "muted" }, t("line", { line: finding.location.line }))),
              finding.rule && h("code", {}, finding.rule),
              h("span", { class: "muted" }, finding.code),
            ),
            h("div", {}, messages.finding(finding)),
            messages.findingDetail(finding) &&
              h("div", { class: "small muted", lang: "en" }, messages.findingDetail(finding)),
            finding.help && h("div", { class: "small muted" }, messages.help(finding.help)),
            may("author") &&
              finding.fixes?.length > 0 &&
              h(
                "div",
                { class: "row wrap" },
                finding.fixes.map((fix) =>
                  h(
                    "button",
                    { class: "button small", type: "button", onclick: (event) => run(event.currentTarget, fix) },
                    icon("check", 14),
                    fixTitle(fix),
                  ),
                ),
              ),
          ),
        ),
      ),
    ),
    moreLine(total - Math.min(findings.length, maximumListed), "li"),
  );

  function run(button, fix) {
    return whileDisabled(button, async () => {
      try {
        await save(fix.text);
      } catch (error) {
        toast(messages.error(error));
      }
    });
  }
}
