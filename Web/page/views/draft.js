// The changes that the draft would make, in the file and in the selected events; then publishing it.

import { get, may, post, session } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { h, put, whileDisabled } from "../core/dom.js";
import { ago, lastDays, number, percent } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs } from "../core/prefs.js";
import { go, link } from "../core/router.js";
import {
  approve,
  checkedRules,
  discardDraft,
  draftChanges,
  publish,
  reject,
  revertChange,
  ruleSets,
} from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { keepUnsaved, unsaved } from "../core/unsaved.js";
import { field, moreLine } from "../widgets/controls.js";
import { diffView } from "../widgets/diff-view.js";
import { ask } from "../widgets/dialog.js";
import { findingsList } from "../widgets/findings.js";
import { periodName } from "../widgets/period.js";
import { sparkline } from "../widgets/sparkline.js";
import { empty, filled, notice } from "../widgets/states.js";
import { complainIn, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";
import { changedRules } from "./changed-rules.js";
import { ruleTabs } from "./rules.js";

/** This is true if the view is outdated: the draft was changed, discarded or published meanwhile. */
const isOvertaken = (error) => error.status === 412 || ["no-draft", "outdated-draft"].includes(error.code);

/** The largest number of rules in one request. */
const maximumRules = 100;
/** The largest number of changes that are listed. */
const maximumListed = 1000;

export function draftView({ place, title, signal, reload, leaveFor }) {
  const { days } = prefs;
  title(t("rules_draft"));
  const body = h("div", { class: "stack" });
  put(
    place,
    h("div", { class: "view" }, viewHead({ title: t("rules_draft"), period: reload, tools: ruleTabs("draft") }), body),
  );
  filled(
    body,
    async () => {
      const { draft, version } = (await ruleSets()).find((one) => one.name === prefs.ruleset) ?? {};
      return { draft, version, settings: draft && (await get("/v1/settings", {}, { signal })) };
    },
    ({ draft, version, settings }) =>
      put(
        body,
        draft
          ? show(draft, version, settings)
          : empty(
              t("no_draft"),
              t("no_draft_text"),
              h("a", { class: "button primary", href: link("/screens") }, icon("circle"), t("go_circle")),
            ),
      ),
    160,
  );

  // Parts that take long, because they decide stored events twice, appear when they are ready; the rest does not wait for them.
  function show(draft, version, settings) {
    const difference = h("div", { class: "stack" });
    const findings = h("div", {});
    const file = h("div", {});
    // The person whose changes are reviewed: a request for approval may cover one person's changes only.
    let by = draft.pending?.own ? draft.pending.by : null;
    const form = publishForm(draft, version, settings.approval, (own) => {
      by = own ? session.name : null;
      compare();
    });
    const changes = h("div", { class: "card-body" });
    filled(
      changes,
      () => draftChanges({ signal }),
      (answer) => {
        form.setAuthors(new Set(answer.changes.map((change) => change.by)));
        const reviewed = answer.changes.filter((change) => !draft.pending?.own || change.by === draft.pending.by);
        put(changes, changeList({ ...answer, changes: reviewed }));
      },
      60,
    );
    function compare() {
      const rules = { ruleset: prefs.ruleset, draft: true, ...(by ? { by } : {}) };
      filled(
        difference,
        () => post("/v1/rules/diff", { old: { ruleset: prefs.ruleset }, new: rules }, { signal }),
        (answer) => {
          put(difference, effect(answer), changedRules(answer.rules, signal), retroactive(answer.rules, rules));
          put(
            file,
            h(
              "section",
              { class: "stack tight" },
              h("h2", {}, t("yaml_diff")),
              answer.unified ? diffView(answer.unified) : h("p", { class: "muted" }, t("same_text")),
            ),
          );
        },
      );
    }
    compare();
    filled(
      findings,
      () => checkedRules({ signal }),
      (answer) => {
        form.setErrors(answer.errors);
        put(
          findings,
          answer.findings.length > 0 &&
            h(
              "section",
              { class: "card card-body" },
              h("h2", {}, t("findings")),
              findingsList(answer.findings, {
                total: answer.total,
                etag: answer.etag,
                fixed: reload,
                go: (finding) => go("/rules/text", { line: finding.location.line }),
              }),
            ),
        );
      },
      60,
    );
    return [
      h(
        "section",
        { class: "card", "aria-label": t("changes") },
        h("div", { class: "card-head" }, h("h2", {}, t("changes"))),
        changes,
      ),
      difference,
      findings,
      form.node,
      file,
    ];
  }

  /** Every change with its author, and a button that takes it back. */
  function changeList({ changes, revision }) {
    if (!changes.length) return h("p", { class: "muted" }, t("same_text"));
    const kinds = { added: "good", changed: "info", removed: "bad", rest: "" };
    return h(
      "ul",
      { class: "divide change-list" },
      changes.slice(0, maximumListed).map((change) => {
        const name = change.rule ?? t("change_rest_text");
        const back = h(
          "button",
          {
            class: "button small",
            type: "button",
            "aria-label": t("revert_change", { id: name }),
            onclick: () => revert(back, change, revision),
          },
          icon("history", 15),
          t("revert"),
        );
        return h(
          "li",
          { class: "row wrap" },
          h("span", { class: `badge ${kinds[change.change]}` }, t(`change_${change.change}`)),
          change.rule === undefined || change.change === "removed"
            ? h("span", { class: "wrap-anywhere" }, name)
            : h("a", { class: "wrap-anywhere", href: link(`/rule/${encodeURIComponent(change.rule)}`) }, name),
          h("span", { class: "muted small" }, dotted(change.by, ago(change.at))),
          h("span", { class: "spring" }),
          may("author") && back,
        );
      }),
      moreLine(changes.length - maximumListed, "li"),
    );
  }

  function revert(button, change, revision) {
    return whileDisabled(button, async () => {
      try {
        await revertChange(change, revision);
        toast(t("reverted", { id: change.rule ?? t("change_rest_text") }));
      } catch (error) {
        toast(isOvertaken(error) ? t("draft_changed_look") : messages.error(error));
      }
      reload();
    });
  }

  function effect({ rules = [], events = {}, elements = {} }) {
    return h(
      "div",
      { class: "tiles" },
      tile(
        t("rules_changed"),
        number(rules.length),
        rules.slice(0, 4).map((rule) =>
          h(
            "span",
            {
              class: `badge wrap-anywhere ${rule.change === "added" ? "good" : rule.change === "removed" ? "bad" : "info"}`,
              title: rule.id,
            },
            `${rule.change === "added" ? "+" : rule.change === "removed" ? "−" : "~"} ${rule.id}`,
          ),
        ),
      ),
      tile(
        t("events_change"),
        [
          h("span", { style: { color: "var(--good)" } }, `+${number(events.more ?? 0)}`),
          " ",
          h("span", { style: { color: "var(--bad)" } }, `−${number(events.fewer ?? 0)}`),
        ],
        t("events_change_text", {
          more: number(events.more ?? 0),
          fewer: number(events.fewer ?? 0),
          compared: number(events.compared ?? 0),
          renamed: number(events.renamed ?? 0),
        }),
      ),
      tile(
        t("elements_change"),
        [`+${number(elements.more ?? 0)}`, ` −${number(elements.fewer ?? 0)}`],
        t("on_stored_screens"),
      ),
    );
  }

  /** The stored events that new and changed rules would have selected. */
  function retroactive(rules, of) {
    const changes = new Map(rules.filter((rule) => rule.change !== "removed").map((rule) => [rule.id, rule.change]));
    if (!changes.size) return null;
    const asked = [...changes.keys()].slice(0, maximumRules);
    const place = h("div", { class: "card-body stack tight" });
    filled(
      place,
      () => post("/v1/reports/retroactive", { ...of, days, rules: asked }, { signal }),
      (report) => {
        const known = new Map(report.by_rule.map((rule) => [rule.id, rule]));
        const rows = asked
          .map((id) => known.get(id) ?? { id, events: 0, days: [] })
          .sort((one, other) => other.events - one.events);
        put(
          place,
          report.of === 0
            ? h("p", { class: "muted" }, t("retroactive_none"))
            : [
                h(
                  "p",
                  { class: "muted small" },
                  t("retroactive_text", { of: number(report.of), period: periodName(days) }),
                  changes.size > asked.length &&
                    ` ${t("retroactive_first", { shown: asked.length, of: number(changes.size) })}`,
                ),
                h(
                  "table",
                  {},
                  h(
                    "thead",
                    {},
                    h(
                      "tr",
                      {},
                      h("th", {}, t("rule")),
                      h("th", { class: "end" }, t("events")),
                      h("th", { class: "end" }, t("share")),
                      h("th", {}, t("by_day")),
                    ),
                  ),
                  h(
                    "tbody",
                    {},
                    rows.map((row) =>
                      h(
                        "tr",
                        {},
                        h(
                          "td",
                          { class: "fill" },
                          h("a", { class: "wrap-anywhere", href: link(`/rule/${encodeURIComponent(row.id)}`) }, row.id),
                        ),
                        h("td", { class: "end number" }, number(row.events)),
                        h("td", { class: "end number" }, percent(row.events / report.of)),
                        h("td", {}, sparkline(everyDay(row.days), lastDays(days + 1))),
                      ),
                    ),
                  ),
                ),
              ],
        );
      },
      90,
    );
    return h(
      "section",
      { class: "card", "aria-label": t("retroactive") },
      h("div", { class: "card-head" }, h("h2", {}, t("retroactive"))),
      place,
    );
  }

  /** The points of a chart: one more than the days, because the days begin at some hour of the first of them. */
  function everyDay(rows) {
    const known = new Map(rows.map((row) => [row.day, row.events]));
    return lastDays(days + 1).map((at) => known.get(at) ?? 0);
  }

  const tile = (label, figure, text) =>
    h(
      "div",
      { class: "card tile" },
      h("div", { class: "muted small" }, label),
      h("div", { class: "figure" }, figure),
      h("div", { class: "of row wrap" }, text),
    );

  /**
   * What this person may do with the draft: publish it, ask for approval, or, of another's request, approve or
   * reject it. `version` is in force; where the draft was made from an earlier one, publishing says which it replaces.
   */
  function publishForm({ pending, revision, base_version }, version, needsApproval, whenOwn) {
    const isOutdated = base_version !== version;
    const key = `reason:${prefs.ruleset}`;
    const reason = h("input", {
      name: "reason",
      required: true,
      maxlength: 500,
      placeholder: t("reason_hint"),
      autocomplete: "off",
      value: unsaved(key) ?? "",
      oninput: () => keepUnsaved(key, reason.value || null),
    });
    const own = h("input", { type: "checkbox", name: "own", onchange: () => whenOwn(own.checked) });
    const ownLine = h("label", { class: "row", hidden: true }, own, t("only_mine"));
    const result = h("div", {});
    const problem = h("div", {});
    const mayPublish = !pending && may(needsApproval ? "author" : "publish");
    const maySecond = pending && may("publish") && pending.by !== session.name;
    const button = h(
      "button",
      { class: "button accent", type: "submit" },
      t(needsApproval ? "ask_approval" : isOutdated ? "publish_instead" : "publish", { version }),
    );
    const form = h(
      "form",
      { class: "card card-body stack", "aria-label": t("publish") },
      h("h2", {}, t("publish")),
      problem,
      isOutdated &&
        notice(
          "warn",
          h("strong", {}, t("draft_overtaken", { base: base_version, version })),
          h("p", {}, t("draft_overtaken_text", { version })),
        ),
      pending &&
        notice(
          "warn",
          h("strong", {}, pending.by === session.name ? t("pending") : t("pending_by", { name: pending.by })),
          h("p", { class: "wrap-anywhere" }, pending.reason),
          pending.own && h("p", {}, t("pending_own", { name: pending.by })),
        ),
      mayPublish && field(t("reason"), reason, t("reason_help")),
      mayPublish && ownLine,
      !pending && !mayPublish && h("p", { class: "muted" }, t("may_not_publish")),
      h(
        "div",
        { class: "row wrap" },
        mayPublish && button,
        maySecond &&
          h(
            "button",
            { class: "button primary", type: "button", onclick: (event) => run(event.target, approveIt) },
            t("approve"),
          ),
        maySecond &&
          h(
            "button",
            { class: "button", type: "button", onclick: (event) => run(event.target, rejectIt) },
            t("reject"),
          ),
        h("span", { class: "spring" }),
        may("author") &&
          h(
            "button",
            { class: "button danger", type: "button", onclick: () => discard(revision) },
            icon("rubbish", 16),
            t("discard_draft"),
          ),
      ),
      result,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      run(button, publishIt);
    });
    const run = (pressed, action) =>
      whileDisabled(pressed, async () => {
        try {
          await action();
        } catch (error) {
          complainIn(result, error);
          // The draft or the version in force has changed meanwhile: the differences are shown before publishing.
          if (isOvertaken(error)) {
            toast(t("draft_changed_look"));
            reload();
          }
        }
      });
    async function publishIt() {
      const answer = await publish(reason.value.trim(), revision, version, own.checked);
      keepUnsaved(key, null);
      if (answer.pending) {
        toast(t("pending"));
        reload();
      } else {
        toast(t("published", { version: answer.version }));
        leaveFor("/rules/history");
      }
    }
    async function approveIt() {
      await approve(revision, version);
      toast(t("approved"));
      leaveFor("/rules/history");
    }
    async function rejectIt() {
      await reject(revision, version);
      toast(t("rejected"));
      reload();
    }
    const setErrors = (count) => {
      button.disabled = count > 0;
      put(problem, count > 0 && notice("bad", t("errors_first", { count })));
    };
    const setAuthors = (authors) => {
      ownLine.hidden = !(authors.size > 1 && authors.has(session.name));
    };
    return { node: form, setErrors, setAuthors };
  }

  function discard(revision) {
    ask({
      title: t("discard_ask"),
      fields: [h("p", { class: "muted" }, t("discard_text"))],
      confirm: t("discard_draft"),
      danger: true,
      run: async () => {
        try {
          await discardDraft(revision);
        } catch (error) {
          if (!isOvertaken(error)) throw error;
          toast(t("draft_changed_look"));
        }
        reload();
      },
    });
  }
}
