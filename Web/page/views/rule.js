// One rule: its selection, its health, and editing it.

import { get, may, post } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { h, put, whileDisabled } from "../core/dom.js";
import { ago, clock, number, percent, short } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import {
  changeRule,
  checkedRules,
  draftRule,
  fieldText,
  namesOf,
  removeRule,
  ruleSets,
  rules,
  tagsOf,
} from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { keepUnsaved, unsaved } from "../core/unsaved.js";
import { field } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { findingsList } from "../widgets/findings.js";
import { empty, filled, notice, refusal, unsavedNotice } from "../widgets/states.js";
import { complainIn, toast } from "../widgets/toast.js";
import { periodOfAll } from "../widgets/period.js";
import { rulePlace } from "../widgets/rule-place.js";
import { countWithCurve } from "../widgets/sparkline.js";
import { viewHead } from "../widgets/view-head.js";
import { driftLink } from "./drift.js";
import { propertyList } from "./element-details.js";

export function ruleView({ place, title, parameters, signal, reload, leaveFor }) {
  const { id } = parameters;
  title(id);
  const body = h("div", { class: "stack" });
  put(
    place,
    h("div", { class: "view" }, viewHead({ title: id, back: ["/rules", "back_to_rules"], period: reload }), body),
  );
  const read = async () => {
    const hasDraft = (await ruleSets()).find((one) => one.name === prefs.ruleset)?.has_draft ?? false;
    let isBroken = false;
    const rule = await find(id, hasDraft, signal).catch((error) => {
      if (!hasDraft || error.code !== "broken-rules") throw error;
      isBroken = true;
      return null;
    });
    // If the draft removes the rule, or cannot be read, only the version in force is left.
    if (!rule) return { rule: hasDraft ? await find(id, false, signal) : null, seen: null, isBroken };
    return { rule, seen: await draftRule(id) };
  };
  filled(
    body,
    () =>
      read().catch((error) => {
        // Between two requests, the draft may have been published or discarded, and the rule removed.
        if (error.status !== 404) throw error;
        return read();
      }),
    ({ rule, seen, isBroken }) => {
      const missing = isBroken ? brokenDraft() : notice("warn", t("rule_removed_in_draft"));
      put(
        body,
        rule
          ? show(rule, seen, missing)
          : [isBroken && brokenDraft(), empty(t("no_such_rule"), t("no_such_rule_text"))],
      );
    },
  );

  /** Parts appear as they become known, because findings about a rule take longer to get than the rule. */
  function show(rule, seen, missing) {
    const alarm = h("div", {});
    const findings = h("div", {});
    const health = h("div", { class: "card-body stack" });
    const events = h("div", { class: "card-body" });
    filled(
      health,
      () => get("/v1/reports/health", { ruleset: prefs.ruleset, project: prefs.project }, { signal }),
      (report) => {
        const mine = report.rules.find((one) => one.id === id);
        put(
          alarm,
          mine?.alarm &&
            notice(
              "bad",
              h("strong", {}, t(`alarm_${mine.alarm.kind}`)),
              h("p", {}, messages.alarm(mine.alarm)),
              driftLink(id),
            ),
        );
        put(health, healthOf(rule, mine));
      },
      60,
    );
    filled(
      events,
      () => get("/v1/events", { rule: id, limit: 12, project: prefs.project }, { signal }),
      (answer) => put(events, eventList(answer.events)),
      60,
    );
    checkedRules({ signal }).then(
      (answer) => {
        const mine = answer.findings.filter((finding) => finding.rule === id);
        put(
          findings,
          mine.length > 0 && [h("h3", {}, t("findings")), findingsList(mine, { etag: answer.etag, fixed: reload })],
        );
      },
      (error) => {
        if (error.name !== "AbortError") put(findings, refusal(error));
      },
    );
    const card = (title, content, more) =>
      h(
        "section",
        { class: "card", "aria-label": title },
        h("div", { class: "card-head" }, h("h2", {}, title), h("span", { class: "spring" }), more),
        content,
      );
    return [
      alarm,
      h(
        "div",
        { class: "columns" },
        definition(rule, seen, findings, missing),
        card(t("health"), health, h("a", { href: link("/analysis", { rule: id }) }, t("analyse"))),
      ),
      h(
        "div",
        { class: "columns" },
        screensCard(rule, seen),
        card(t("latest_events"), events, h("a", { href: link("/live", { rule: id }) }, t("nav_live"))),
      ),
    ];
  }

  function definition(rule, seen, findings, missing) {
    const key = `rule:${prefs.ruleset}:${id}`;
    const kept = unsaved(key);
    // Kept input belongs to the rule as it was at that time: `shown` has the values of the fields, `etag` names the
    // rule.
    let { shown, etag } = kept ?? { shown: shownOf(seen?.rule ?? rule), etag: seen?.etag };
    const form = { ...shown, ...kept?.form };
    const changed = () => keepUnsaved(key, Object.keys(changesOf(form, shown)).length ? { form, shown, etag } : null);
    // Nobody writes what cannot be saved.
    const disabled = !seen || !may("author");
    const text = (key, props = {}) =>
      h("input", {
        ...props,
        disabled,
        value: form[key],
        oninput: (event) => {
          form[key] = event.target.value;
          changed();
        },
      });
    const result = h("div", { role: "status" });
    const button = h("button", { class: "button primary", type: "submit" }, t("save_draft"));
    const remembered = h("div", {}, kept && unsavedNotice(forget));
    const disabledBadge = h("span", { class: "badge", hidden: rule.enabled !== false }, t("disabled"));
    const node = h(
      "form",
      { class: "card-body stack" },
      h(
        "div",
        { class: "row wrap" },
        h("span", { class: `badge ${rule.kind === "exclude" ? "warn" : "good"}` }, t(rule.kind)),
        disabledBadge,
      ),
      h(
        "div",
        { class: "row wrap" },
        rulePlace(rule.place, { width: 260, height: 160, linked: true }),
        h(
          "span",
          { class: "stack tight" },
          countWithCurve(rule.events, rule.series, rule.starts),
          h("span", { class: "small muted" }, periodOfAll()),
          rule.place &&
            may("author") &&
            h(
              "a",
              { class: "button small", href: link(`/screen/${rule.place.capture}`, { element: rule.place.element }) },
              icon("circle", 16),
              t("edit_on_screen"),
            ),
        ),
      ),
      h(
        "div",
        { class: "fields" },
        field(t("rule_name"), text("name")),
        rule.kind === "include" && field(t("emit"), text("emit", { class: "mono" })),
      ),
      field(t("description"), text("description")),
      h("div", { class: "fields" }, field(t("owner"), text("owner")), field(t("tags"), text("tags"), t("tags_hint"))),
      originOf(rule.origin),
      h(
        "label",
        { class: "row" },
        h("input", {
          type: "checkbox",
          checked: form.enabled,
          disabled,
          onchange: (event) => {
            form.enabled = event.target.checked;
            changed();
          },
        }),
        t("enabled"),
      ),
      h(
        "details",
        {},
        h("summary", {}, t("advanced")),
        (rule.clauses ?? []).map((clause) => h("div", { class: "card card-body" }, propertyList(clause))),
      ),
      findings,
      remembered,
      !seen && missing,
      !disabled &&
        h(
          "div",
          { class: "row wrap" },
          button,
          h(
            "button",
            { class: "button danger", type: "button", onclick: () => remove(seen) },
            icon("rubbish", 16),
            t("remove_rule"),
          ),
        ),
      result,
    );
    node.addEventListener("submit", async (event) => {
      event.preventDefault();
      await save();
    });
    // A second click would be a change of a rule that has changed meanwhile: a conflict with oneself.
    const save = () => whileDisabled(button, saveIt);
    async function saveIt() {
      const changes = changesOf(form, shown);
      if (!Object.keys(changes).length) {
        put(result, notice("", t("nothing_to_save")));
        return;
      }
      const saved = { ...form };
      try {
        etag = await changeRule(id, changes, etag);
        seen.etag = etag;
        // Input made while the answer was on its way is not saved yet.
        shown = saved;
        disabledBadge.hidden = shown.enabled;
        changed();
        put(remembered);
        put(
          result,
          notice(
            "good",
            t("saved_draft", { id }),
            h(
              "div",
              { class: "row" },
              h("a", { class: "button small primary", href: link("/rules/draft") }, t("review_publish")),
            ),
          ),
        );
      } catch (error) {
        if (error.status === 412 && result.isConnected) await showConflict();
        else complainIn(result, error);
      }
    }
    /** Both sides of a conflict, which stays until one of them is chosen. */
    async function showConflict() {
      try {
        const now = await draftRule(id);
        const theirs = shownOf(now.rule);
        const keep = () => {
          ({ etag } = now);
          shown = theirs;
          save();
        };
        put(
          result,
          notice(
            "warn",
            h("strong", {}, t("rule_changed", { id })),
            sides(theirs, form),
            h(
              "div",
              { class: "row" },
              h("button", { class: "button small", type: "button", onclick: keep }, t("save_mine")),
              h("button", { class: "button small", type: "button", onclick: forget }, t("drop_mine")),
            ),
          ),
        );
      } catch (error) {
        put(result, error.status === 404 ? await goneNotice() : refusal(error));
      }
    }
    /** Says where a rule has gone that can be saved no longer: out of the draft, or with the draft. */
    async function goneNotice() {
      try {
        if (await find(id, false, signal)) return notice("bad", t("rule_removed_in_draft"));
      } catch (error) {
        if (error.status !== 404) return refusal(error);
      }
      return notice("bad", h("strong", {}, t("no_such_rule")), h("p", {}, t("no_such_rule_text")));
    }
    function forget() {
      keepUnsaved(key, null);
      reload();
    }
    return h(
      "section",
      { class: "card", "aria-label": t("the_rule") },
      h("div", { class: "card-head" }, h("h2", {}, t("the_rule"))),
      node,
    );
  }

  function remove(seen) {
    ask({
      title: t("remove_rule_ask", { id }),
      fields: [h("p", { class: "muted" }, t("remove_rule_text"))],
      confirm: t("remove_rule"),
      danger: true,
      run: async () => {
        try {
          await removeRule(id, seen.etag);
        } catch (error) {
          if (error.status !== 412) throw error;
          toast(t("rule_changed", { id }));
          reload();
          return;
        }
        toast(t("removed", { id }));
        leaveFor("/rules/draft");
      },
    });
  }

  function healthOf(rule, health) {
    const versions = health?.versions ?? [];
    return [
      h(
        "div",
        { class: "counts" },
        h(
          "div",
          {},
          h("strong", {}, short(health?.events_24h ?? rule.events_24h ?? 0)),
          h("span", { class: "small muted" }, t("last_24h")),
        ),
        h(
          "div",
          {},
          h("strong", {}, short(health?.events_7d ?? null)),
          h("span", { class: "small muted" }, t("last_7d")),
        ),
        h(
          "div",
          {},
          h("strong", { style: { "font-size": "15px" } }, ago((health ?? rule).last_seen)),
          h("span", { class: "small muted" }, t("last_seen")),
        ),
      ),
      health?.alarm?.since && h("p", { class: "small muted" }, t("versions_all_events")),
      versions.length > 0 &&
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", {}, t("app_version")),
              h("th", { class: "end" }, t("events")),
              h("th", { class: "end" }, t("rate")),
            ),
          ),
          h(
            "tbody",
            {},
            versions.map((row) =>
              h(
                "tr",
                {},
                h("td", { class: "wrap-anywhere" }, row.app_version || "–"),
                h("td", { class: "end number" }, number(row.events)),
                h("td", { class: "end number" }, percent(row.rate)),
              ),
            ),
          ),
        ),
    ];
  }

  function screensCard(rule, seen) {
    const place = h("div", { class: "card-body" });
    filled(
      place,
      () =>
        post(
          "/v1/select",
          {
            clause: rule.clauses.length === 1 ? rule.clauses[0] : rule.clauses,
            rule: id,
            ruleset: prefs.ruleset,
            draft: Boolean(seen),
            days: prefs.days,
          },
          { signal },
        ),
      ({ captures }) =>
        put(
          place,
          captures.length === 0
            ? h("p", { class: "muted" }, t("on_no_screen"))
            : h(
                "ul",
                { class: "divide" },
                captures
                  .slice(0, maximumScreens)
                  .map((one) =>
                    h(
                      "li",
                      { class: "row wrap", style: { padding: "7px 0" } },
                      icon("screens"),
                      h(
                        "a",
                        { class: "ellipsis spring", href: link(`/screen/${one.id}`, { element: one.elements[0] }) },
                        one.name || one.page,
                      ),
                      one.app_version && h("span", { class: "badge wrap-anywhere" }, `v${one.app_version}`),
                      h("span", { class: "muted small number" }, t("elements_count", { count: one.elements.length })),
                    ),
                  ),
                captures.length > maximumScreens &&
                  h("li", { class: "muted small" }, t("more_captures", { count: captures.length - maximumScreens })),
              ),
        ),
      60,
    );
    return h(
      "section",
      { class: "card", "aria-label": t("on_screens") },
      h("div", { class: "card-head" }, h("h2", {}, t("on_screens"))),
      place,
    );
  }

  const eventList = (events) =>
    events.length === 0
      ? h("p", { class: "muted" }, t("nothing_yet"))
      : h(
          "ul",
          { class: "divide" },
          events.map((event) =>
            h(
              "li",
              { class: "row small", style: { padding: "6px 0" } },
              h("span", { class: "number muted" }, clock(event.time ?? event.received_at)),
              h("strong", {}, event.event),
              h(
                "span",
                { class: "muted ellipsis" },
                dotted(event.page, event.app_version && `v${event.app_version}`, event.distinct_id),
              ),
            ),
          ),
        );
}

/** The definition in another tool from which the rule was made. */
function originOf(origin) {
  if (!origin?.tool || !origin.id) return null;
  const words = [`${origin.tool} `, h("span", { class: "mono" }, String(origin.id))];
  const followed = /^https?:\/\//.test(origin.url ?? "");
  return h(
    "p",
    { class: "small muted origin wrap-anywhere" },
    `${t("origin")}${t("colon")}`,
    followed ? h("a", { href: origin.url, target: "_blank", rel: "noopener noreferrer" }, words) : words,
  );
}

/** The largest number of stored screens on which a rule is shown. */
const maximumScreens = 12;

const textKeys = ["name", "description", "emit", "owner", "tags"];

/** The values of a rule in the fields of the form, and its lists, which a field shows as one text. */
const shownOf = (rule) => ({
  ...Object.fromEntries(textKeys.map((key) => [key, fieldText(rule[key])])),
  enabled: rule.enabled !== false,
  lists: { emit: rule.emit, tags: rule.tags ?? [] },
});

/** The members of the rule that the form changes, and nothing else; `null` takes one away. */
function changesOf(form, shown) {
  const changes = {};
  const { emit, tags } = shown.lists ?? {};
  const valueOf = (key) => {
    if (key === "tags") return tagsOf(form.tags, tags);
    return key === "emit" ? namesOf(form.emit, emit) : form[key].trim();
  };
  for (const key of textKeys.filter((key) => form[key] !== shown[key])) {
    const value = valueOf(key);
    changes[key] = value.length > 0 ? value : null;
  }
  if (form.enabled !== shown.enabled) changes.enabled = form.enabled ? null : false;
  return changes;
}

/** The fields that differ between two versions of a rule, side by side. */
function sides(theirs, mine) {
  const title = {
    name: "rule_name",
    description: "description",
    emit: "emit",
    owner: "owner",
    tags: "tags",
    enabled: "enabled",
  };
  const words = (value) => (typeof value === "boolean" ? t(value ? "enabled" : "disabled") : value || "–");
  const rows = Object.keys(title).filter((key) => theirs[key] !== mine[key]);
  return h(
    "table",
    { class: "small" },
    h("thead", {}, h("tr", {}, h("th", {}), h("th", {}, t("theirs")), h("th", {}, t("mine")))),
    h(
      "tbody",
      {},
      rows.map((key) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, t(title[key])),
          h("td", { class: "wrap-anywhere" }, words(theirs[key])),
          h("td", { class: "wrap-anywhere" }, words(mine[key])),
        ),
      ),
    ),
  );
}

/** Says that the rules of the draft cannot be read, and leads to where they can be corrected. */
const brokenDraft = () =>
  notice(
    "bad",
    h("p", {}, t("rule_draft_broken")),
    h("a", { class: "button small", href: link("/rules/text") }, t("rule_draft_correct")),
  );

/** The rule of this id. The list is searched, because an id may contain another one. */
async function find(id, isDraft, signal) {
  let offset = 0;
  for (;;) {
    const answer = await rules(
      { search: id, days: prefs.days, offset, limit: 500, ...(isDraft ? { draft: true } : {}) },
      { signal },
    );
    const found = answer.rules.find((rule) => rule.id === id);
    offset += answer.rules.length;
    if (found) return { ...found, starts: answer.starts };
    if (!answer.rules.length || offset >= answer.total) return null;
  }
}
