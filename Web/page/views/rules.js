// All rules of the rule set, with search and health.

import { get, may } from "../core/api.js";
import { isolated } from "../core/bidi.js";
import { attempts, debounced, h, put } from "../core/dom.js";
import { ago, number } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs } from "../core/prefs.js";
import { link, note } from "../core/router.js";
import { ruleSets, rules } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { searchField, segmented } from "../widgets/controls.js";
import { allProjectsNote, periodPicker } from "../widgets/period.js";
import { rulePlace } from "../widgets/rule-place.js";
import { countWithCurve } from "../widgets/sparkline.js";
import { empty, failure, loading, notice } from "../widgets/states.js";
import { virtualList } from "../widgets/virtual-list.js";
import { viewHead } from "../widgets/view-head.js";
import { driftNote } from "./drift.js";
import { ManyRules } from "./many-rules.js";
import { ruleImportButton } from "./rule-import.js";

const pageSize = 500;

/** The links to the other views of the rule set. */
export const ruleTabs = (current) =>
  h(
    "nav",
    { class: "row wrap", "aria-label": t("rule_views") },
    [
      ["list", "/rules", "rules"],
      ["text", "/rules/text", "edit"],
      ["draft", "/rules/draft", "check"],
      ["history", "/rules/history", "history"],
      ["plan", "/plan", "info"],
    ].map(([key, path, picture]) =>
      h(
        "a",
        { class: "button small", href: link(path), "aria-current": key === current ? "page" : null },
        icon(picture, 16),
        t(`rules_${key}`),
      ),
    ),
  );

export function rulesView({ place, title, query, signal }) {
  title(t("nav_rules"));
  let state = { search: query.search ?? "", health: query.health ?? "" };
  let items = [];
  let total = 0;
  let starts = [];
  let reading = false;
  const begin = attempts();
  /** Says of the list that is shown whether it still is the one that was asked for last. */
  let current = begin();
  let health = new Map();
  let useDraft = false;
  const count = h("span", { class: "muted number", role: "status" });
  const below = h("div", {});
  const list = virtualList({ height: 84, row: line, more: () => read(), label: t("nav_rules") });
  const body = h("div", { class: "card pane", style: { flex: "1", "min-height": "260px" } }, list.node);
  const many = new ManyRules({
    shown: () => items.filter((rule) => fits(rule)),
    changed: () => setList(),
    saved: () => start(),
  });
  const incoming = h("div", { class: "stack" });
  const drift = h("div", {});
  driftNote(drift, signal);
  const alarms = h("div", {});
  const restart = debounced(180, start);
  // The query is kept at once, so that two quick changes do not lose the first.
  const change = (part) => {
    state = { ...state, ...part };
    note(state);
    restart();
  };
  put(
    place,
    h(
      "div",
      { class: "view full" },
      viewHead({ title: t("nav_rules"), about: count, tools: ruleTabs("list") }),
      h(
        "div",
        { class: "row wrap" },
        searchField(t("search_rules"), state.search, (search) => change({ search })),
        segmented({
          label: t("health"),
          hideLabel: true,
          value: state.health,
          options: [
            ["", t("all")],
            ["alarm", t("with_alarm")],
            ["silent", t("silent")],
          ],
          change: (value) => change({ health: value }),
        }),
        periodPicker(start),
        allProjectsNote(),
        may("author") && [many.button, ruleImportButton(place, incoming, signal, () => start())],
      ),
      incoming,
      many.bar,
      drift,
      alarms,
      body,
      below,
    ),
  );

  async function start() {
    // An answer still on its way belongs to an earlier query, and is dropped.
    const isNewest = begin();
    current = isNewest;
    reading = false;
    items = [];
    total = 0;
    list.set([], 0);
    // An empty frame would push what is said below it to the end of the window.
    body.hidden = true;
    put(below, loading(58, 4));
    try {
      const [sets, report] = await Promise.all([
        ruleSets(),
        get("/v1/reports/health", { ruleset: prefs.ruleset, project: prefs.project }, { signal }).catch((error) => ({
          rules: [],
          error,
        })),
      ]);
      if (!isNewest()) return;
      health = new Map((report.rules ?? []).map((rule) => [rule.id, rule]));
      const asksForAlarms = state.health === "alarm";
      put(alarms, report.error && !asksForAlarms && notice("warn", t("alarms_unread")));
      // Without alarms nobody knows which rules have one.
      if (report.error && asksForAlarms) throw report.error;
      useDraft = sets.find((one) => one.name === prefs.ruleset)?.has_draft ?? false;
      await read();
    } catch (error) {
      if (error.name !== "AbortError" && isNewest()) put(below, failure(error, start));
    }
  }

  async function read() {
    if (reading) return;
    const isNewest = current;
    reading = true;
    try {
      const parameters = {
        search: state.search,
        days: prefs.days,
        offset: items.length,
        limit: pageSize,
        ...(useDraft ? { draft: true } : {}),
      };
      const answer = await rules(parameters, { signal }).catch((error) => {
        // A draft that does not parse has no rules to list: the version in force is listed instead.
        if (!useDraft || error.name === "AbortError" || error.status === 0) throw error;
        useDraft = false;
        return rules({ ...parameters, draft: "" }, { signal });
      });
      if (!isNewest()) return;
      items = items.concat(answer.rules);
      total = answer.total;
      starts = answer.starts ?? [];
      const wanted = items.filter((rule) => fits(rule));
      // A filter that the page applies needs all rules.
      if (state.health && items.length < total) {
        reading = false;
        await read();
        return;
      }
      put(below);
      setList();
      count.textContent = number(state.health ? wanted.length : total);
      body.hidden = wanted.length === 0;
      if (!wanted.length) {
        put(
          below,
          state.search || state.health
            ? empty(t("nothing_found"), t("nothing_found_text"))
            : empty(
                t("no_rules"),
                t("no_rules_text"),
                h("a", { class: "button primary", href: link("/screens") }, icon("circle"), t("go_circle")),
                may("author") && h("a", { class: "button", href: link("/rules/text") }, t("write_rules")),
              ),
        );
      }
    } catch (error) {
      if (!isNewest()) return;
      if (error.name !== "AbortError") put(below, failure(error, start));
    }
    reading = false;
  }

  function setList() {
    const wanted = items.filter((rule) => fits(rule));
    list.set(wanted, state.health ? wanted.length : total);
  }

  const eventsOfDay = (rule) => health.get(rule.id)?.events_24h ?? rule.events_24h ?? null;

  const fits = (rule) => {
    if (state.health === "alarm") return Boolean(health.get(rule.id)?.alarm);
    if (state.health === "silent") return !(eventsOfDay(rule) > 0);
    return true;
  };

  function line(rule) {
    const state = health.get(rule.id);
    const daily = eventsOfDay(rule);
    const kind = rule.enabled === false ? "" : state?.alarm ? "bad" : daily > 0 ? "good" : "warn";
    const health_text =
      rule.enabled === false
        ? t("disabled")
        : state?.alarm
          ? t(`alarm_${state.alarm.kind}`)
          : daily > 0
            ? t("all_well")
            : t("silent");
    const summary = messages.ruleSummary(rule);
    const node = h(
      "a",
      { href: link(`/rule/${encodeURIComponent(rule.id)}`) },
      h(
        "span",
        { class: "rule-line" },
        h("span", {
          class: `dot ${kind}`,
          role: "img",
          "aria-label": health_text,
          title: state?.alarm ? messages.alarm(state.alarm) : health_text,
        }),
        rulePlace(rule.place),
        h(
          "span",
          { class: "stack tight", style: { gap: "1px" } },
          h(
            "span",
            { class: "ellipsis" },
            h("strong", {}, rule.name || rule.id),
            " ",
            rule.kind === "exclude" && h("span", { class: "badge warn" }, t("exclude_short")),
          ),
          h(
            "code",
            { class: "muted small ellipsis", title: summary },
            rule.emit === rule.id ? rule.id : `${isolated(rule.id)} → ${isolated(rule.emit)}`,
          ),
          h(
            "span",
            { class: "row small", style: { overflow: "hidden" } },
            rule.owner && h("span", { class: "muted nowrap" }, rule.owner),
            (rule.tags ?? []).slice(0, 4).map((tag) => h("span", { class: "badge" }, `# ${tag}`)),
          ),
        ),
        h("span", { class: "muted small two-lines hide-small", title: summary }, rule.description || pagesOf(rule)),
        countWithCurve(rule.events ?? daily, rule.series, starts),
        h("span", { class: "small muted hide-small nowrap" }, ago((state ?? rule).last_seen)),
      ),
    );
    return many.isOn ? h("div", { class: "pick" }, many.box(rule), node) : node;
  }
  start();
}

/** The pages that a rule names, which say more to people than its selectors. */
const pagesOf = (rule) =>
  [...new Set(rule.clauses.map((clause) => clause?.page).filter((page) => typeof page === "string"))].join(", ");
