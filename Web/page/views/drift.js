// The rules that a new version of the app breaks, as their elements are elsewhere or gone, with both screens side by
// side.

import { get, may, post } from "../core/api.js";
import { dotted, isolated } from "../core/bidi.js";
import { attempts, h, put, s } from "../core/dom.js";
import { number, percent } from "../core/format.js";
import * as messages from "../core/messages.js";
import { prefs } from "../core/prefs.js";
import { link, note } from "../core/router.js";
import { changeRule, draftRule } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { downloadLink, moreLine } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { Picture } from "../widgets/picture.js";
import { empty, filled, notice, refusal } from "../widgets/states.js";
import { toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";

const days = 30;
/** The largest number of rules, and of changes of a screen, that are listed. */
const maximumListed = 300;

export function driftView({ place, title, query, signal, reload }) {
  title(t("drift"));
  const body = h("div", { class: "stack" });
  const report = `/v1/drift?${new URLSearchParams({ ruleset: prefs.ruleset, format: "markdown" })}`;
  put(
    place,
    h(
      "div",
      { class: "view" },
      viewHead({
        title: t("drift"),
        back: ["/rules", "back_to_rules"],
        tools: downloadLink(report, "drift.md", t("drift_report")),
      }),
      body,
    ),
  );
  let comparison = null;
  filled(
    body,
    async () => {
      const [drift, health] = await Promise.all([
        get("/v1/drift", { ruleset: prefs.ruleset }, { signal }),
        get("/v1/reports/health", { ruleset: prefs.ruleset }, { signal }).catch(() => null),
      ]);
      return { drift, health: health && new Map(health.rules.map((rule) => [rule.id, rule])) };
    },
    ({ drift, health }) => {
      if (!drift.screens.length) {
        put(
          body,
          empty(
            t("drift_none"),
            t("drift_none_text"),
            h("a", { class: "button primary", href: link("/screens") }, t("nav_screens")),
          ),
        );
        return;
      }
      comparison = new Comparison(signal);
      const pairs = drift.screens;
      const asked = drift.rules.find((rule) => rule.id === query.rule);
      const listed = drift.rules.filter((rule, place) => place < maximumListed || rule === asked);
      const chooser = h(
        "select",
        { "aria-label": t("drift_screens"), onchange: (event) => comparison.show(pairs[Number(event.target.value)]) },
        pairs.map((pair, place) =>
          h(
            "option",
            { value: place },
            `${isolated(pair.new.title || pair.new.page || pair.new.name)}${t("colon")}${arrow(versionOf(pair.old), versionOf(pair.new))}`,
          ),
        ),
      );
      const show = (rule, missed, gone = rule.gone[0]) => {
        const capture = (missed ?? gone ?? rule.wrong[0])?.capture;
        const found = pairs.findIndex((pair) => pair.new.id === capture || pair.old.id === capture);
        if (found < 0) return;
        const wrong = rule.wrong.find((one) => one.capture === pairs[found].new.id);
        chooser.value = String(found);
        note({ rule: rule.id });
        comparison.show(
          pairs[found],
          missed
            ? { old: missed.before.element, new: missed.element }
            : { old: gone?.element ?? null, new: wrong?.element ?? null },
        );
      };
      put(
        body,
        notice(
          drift.broken ? "warn" : "good",
          h(
            "strong",
            {},
            drift.broken
              ? t("drift_broken", { count: drift.broken, versions: brokenVersions(drift) })
              : t("drift_well"),
          ),
          drift.broken_in_draft !== undefined &&
            drift.broken > drift.broken_in_draft &&
            h(
              "p",
              {},
              t("drift_in_draft", { count: drift.broken - drift.broken_in_draft }),
              " ",
              h("a", { href: link("/rules/draft") }, t("review_publish")),
            ),
        ),
        query.rule && !asked && notice("", t("drift_not_among", { id: query.rule })),
        listed.map((rule) => ruleCard(rule, health && (health.get(rule.id) ?? {}), show)),
        moreLine(drift.rules.length - listed.length),
        h(
          "section",
          { class: "card", "aria-label": t("drift_screens") },
          h("div", { class: "card-head" }, h("h2", {}, t("drift_screens")), h("span", { class: "spring" }), chooser),
          comparison.node,
        ),
      );
      const wanted = query.rule ? asked : drift.rules[0];
      if (wanted) show(wanted, wanted.missed[0]);
      else comparison.show(pairs[0]);
    },
    200,
  );

  function ruleCard(rule, health, show) {
    const isDone = rule.broken_in_draft === false;
    return h(
      "section",
      { class: "card card-body stack tight", "aria-label": rule.id },
      h(
        "div",
        { class: "row wrap" },
        h(
          "a",
          { class: "wrap-anywhere", href: link(`/rule/${encodeURIComponent(rule.id)}`) },
          h("strong", {}, rule.name || rule.id),
        ),
        h("code", { class: "muted small wrap-anywhere" }, rule.id),
        h("span", { class: "badge bad" }, t(`drift_kind_${rule.kind}`)),
        h("span", { class: "muted small" }, arrow(rule.old_version ?? "–", rule.version ?? "–")),
        h("span", { class: "spring" }),
        isDone && h("span", { class: "badge good" }, t("drift_done")),
      ),
      rule.missed.map((missed) =>
        h(
          "button",
          { class: "button quiet drift-change", type: "button", onclick: () => show(rule, missed) },
          h(
            "span",
            { class: "wrap-anywhere" },
            dotted(arrow(missed.before.title, missed.title), sure(missed.confidence)),
            " · ",
            h("span", { class: "muted small" }, reasons(missed)),
          ),
        ),
      ),
      rule.gone.map((gone) =>
        h(
          "button",
          { class: "button quiet drift-change", type: "button", onclick: () => show(rule, null, gone) },
          t("drift_gone_element", { title: gone.title }),
        ),
      ),
      rule.wrong.map((wrong) => h("p", { class: "muted small" }, t("drift_wrong_element", { title: wrong.title }))),
      h("p", { class: "muted small" }, storedEvents(health)),
      may("author") &&
        !isDone &&
        h(
          "div",
          { class: "row wrap" },
          rule.repaired &&
            h(
              "button",
              { class: "button primary small", type: "button", onclick: () => confirm(rule, "repaired", health) },
              t("drift_repair"),
            ),
          rule.retired &&
            h(
              "button",
              { class: "button small", type: "button", onclick: () => confirm(rule, "retired", health) },
              t("drift_retire"),
            ),
        ),
    );
  }

  /** Shows the change, and its effect on stored events, before it goes to the draft. */
  function confirm(rule, change, health) {
    const effect = h("div", { role: "status" });
    const clause = rule[change].include;
    // The change is one of the rule in force. The draft may have another one already.
    let drafted = null;
    const differs = h("div", { role: "status" });
    filled(
      differs,
      () => (drafted = draftRule(rule.id)),
      ({ etag }) => put(differs, etag !== rule.etag && notice("warn", t("drift_draft_differs"))),
      0,
    );
    if (change === "repaired" && clause) {
      filled(
        effect,
        () => post("/v1/reports/retroactive", { clause, ruleset: prefs.ruleset, days }, { signal }),
        (answer) =>
          put(
            effect,
            h("p", {}, t("drift_repaired_events", { events: number(answer.events), of: number(answer.of), days })),
          ),
        24,
      );
    }
    ask({
      title: t(`drift_${change}_ask`, { id: rule.id, version: rule.version }),
      fields: [
        change === "repaired" &&
          h(
            "p",
            {},
            t(rule.repair.replaces ? "drift_replaces" : rule.repair.since ? "drift_since" : "drift_adds", {
              version: rule.repair.since ?? "",
            }),
          ),
        change === "repaired"
          ? h("pre", { class: "mono small" }, rule.repair.values.join("\n"))
          : h("p", { class: "muted" }, t("drift_retired_text", { version: rule.version })),
        h("p", { class: "muted small" }, storedEvents(health)),
        effect,
        differs,
      ],
      confirm: t("save_draft"),
      run: async () => {
        // Only the changed members, so that the draft keeps all other edits.
        const { include, exclude, unless } = rule[change];
        try {
          const { etag } = await drafted;
          await changeRule(rule.id, change === "retired" ? { unless } : include ? { include } : { exclude }, etag);
        } catch (error) {
          // The refusal may say that the rule was changed. Saving again replaces what the rule is now.
          drafted = draftRule(rule.id);
          throw error;
        }
        toast(t("saved_draft", { id: rule.id }));
        reload();
      },
    });
  }

  return () => comparison?.close();
}

/** What was there before, and what is there now. */
const arrow = (before, now) => `${isolated(before)} → ${isolated(now)}`;

const versionOf = (capture) => (capture.app_version ? `v${capture.app_version}` : capture.name);

/** A confidence, rounded down: nothing is certain. */
const sure = (confidence) => percent(Math.floor(confidence * 100) / 100);

/** The weightiest reasons of a match. */
const reasons = (match) =>
  match.reasons
    .filter((reason) => reason.value > 0 && reason.text !== "to begin with")
    .slice(0, 3)
    .map((reason) => `${messages.match(reason)} +${reason.value.toFixed(1)}`)
    .join(t("comma"));

/** The number of stored events of each version that a rule selects. Without `health` they could not be read. */
function storedEvents(health) {
  if (!health) return t("drift_events_unread");
  const versions = (health.versions ?? []).filter((version) => version.all > 0).slice(-4);
  if (!versions.length) return t("drift_no_events");
  return t("drift_events", {
    list: dotted(
      ...versions.map(
        (version) => `${isolated(version.app_version || "–")}: ${number(version.events)} (${percent(version.rate)})`,
      ),
    ),
  });
}

const brokenVersions = (drift) => [...new Set(drift.rules.map((rule) => rule.version).filter(Boolean))].join(", ");

/** An old and a new screen, what differs between them, and a line from an element to its successor. */
class Comparison {
  constructor(signal) {
    this.signal = signal;
    this.begin = attempts();
    this.old = new Picture({ label: t("drift_old"), select: (element) => this.choose("old", element) });
    this.new = new Picture({ label: t("drift_new"), select: (element) => this.choose("new", element) });
    this.line = s("svg", { class: "drift-line", "aria-hidden": "true" });
    this.text = h("div", { class: "small", role: "status" });
    this.list = h("ul", { class: "divide small" });
    this.pictures = h("div", { class: "drift-pictures" }, this.old.node, this.new.node, this.line);
    this.node = h("div", { class: "card-body stack" }, this.pictures, this.text, this.list);
    for (const name of ["pointermove", "wheel", "keydown", "click"])
      this.pictures.addEventListener(name, () => this.connect(), { passive: true });
    this.observer = new ResizeObserver(() => this.connect());
    this.observer.observe(this.pictures);
  }

  close() {
    this.observer.disconnect();
    this.old.close();
    this.new.close();
  }

  /** Shows a pair of captures, with these elements selected. */
  async show(pair, selected = { old: null, new: null }) {
    const isNewest = this.begin();
    try {
      const [old, now, changes] = await Promise.all([
        this.screen(pair.old.id),
        this.screen(pair.new.id),
        get("/v1/drift/screens", { old: pair.old.id, new: pair.new.id }, { signal: this.signal }),
      ]);
      // Another pair, or other elements of this one, may have been chosen meanwhile.
      if (!isNewest()) return;
      this.changes = changes;
      this.old.show(old);
      this.new.show(now);
      this.old.setMatches(
        changes.changes.map((change) => change.before.element).concat(changes.gone.map((gone) => gone.element)),
      );
      this.new.setMatches(
        changes.changes.map((change) => change.now.element).concat(changes.added.map((added) => added.element)),
      );
      put(this.list, this.rows());
      this.select(selected);
    } catch (error) {
      if (error.name === "AbortError" || !isNewest()) return;
      // The former pair would be taken for the one that was asked for.
      this.changes = null;
      for (const picture of [this.old, this.new]) picture.show({ elements: [] });
      put(this.list);
      put(this.line);
      put(this.text, refusal(error));
    }
  }

  async screen(id) {
    const path = `/v1/captures/${encodeURIComponent(id)}`;
    const { capture, elements } = await get(`${path}/elements`, {}, { signal: this.signal });
    return {
      elements,
      width: capture.width,
      height: capture.height,
      image: capture.has_screenshot ? `${path}/screenshot` : null,
    };
  }

  rows() {
    const row = ([kind, text, selected]) =>
      h(
        "li",
        {},
        h(
          "button",
          { class: "button quiet small drift-change", type: "button", onclick: () => this.select(selected) },
          h("span", { class: "badge" }, kind),
          " ",
          h("span", { class: "wrap-anywhere" }, text),
        ),
      );
    const rows = [
      ...this.changes.changes.map((change) => [
        change.kinds.map((kind) => t(`drift_${kind}`)).join(t("comma")),
        dotted(arrow(change.before.title, change.now.title), sure(change.confidence)),
        { old: change.before.element, new: change.now.element },
      ]),
      ...this.changes.gone.map((gone) => [t("drift_gone"), gone.title, { old: gone.element, new: null }]),
      ...this.changes.added.map((added) => [t("drift_added"), added.title, { old: null, new: added.element }]),
      ...this.changes.takeovers.map((taken) => [
        t("drift_reused"),
        arrow(taken.before.title, taken.now.title),
        { old: taken.before.element, new: taken.now.element },
      ]),
    ];
    return [rows.slice(0, maximumListed).map(row), moreLine(rows.length - maximumListed, "li")];
  }

  /** An element that was clicked, with its counterpart where that is known to be another place. */
  choose(side, element) {
    if (!this.changes) return;
    const key = side === "old" ? "before" : "now";
    const change = element && this.changes.changes.find((one) => one[key].element === element.element);
    this.select(
      change
        ? { old: change.before.element, new: change.now.element }
        : { old: null, new: null, [side]: element?.element ?? null },
    );
  }

  select(selected) {
    this.selected = selected;
    this.old.setSelected(selected.old);
    this.new.setSelected(selected.new);
    const change = this.changes.changes.find(
      (one) => one.before.element === selected.old && one.now.element === selected.new,
    );
    put(
      this.text,
      change && dotted(arrow(change.before.title, change.now.title), sure(change.confidence), reasons(change)),
    );
    this.connect();
  }

  /** Draws the line once the pictures have been painted. */
  connect() {
    requestAnimationFrame(() => {
      const ends = [this.end(this.old), this.end(this.new)];
      put(this.line, ends.every(Boolean) && s("line", { x1: ends[0].x, y1: ends[0].y, x2: ends[1].x, y2: ends[1].y }));
    });
  }

  /** The place of the selected element of a picture, within both pictures. */
  end(picture) {
    const frame = picture.selected?.frame;
    if (!frame) return null;
    const [around, box] = [this.pictures.getBoundingClientRect(), picture.stage.getBoundingClientRect()];
    const { scale, x, y } = picture.view;
    return {
      x: box.left - around.left + x + (frame[0] + frame[2] / 2) * scale,
      y: box.top - around.top + y + (frame[1] + frame[3] / 2) * scale,
    };
  }
}

/** Fills a place with the number of rules that break, if any do; the figures of a view need not wait for it. */
export async function driftNote(place, signal) {
  try {
    const drift = await get("/v1/drift", { ruleset: prefs.ruleset }, { signal });
    const open = drift.broken_in_draft ?? drift.broken;
    if (open > 0)
      put(
        place,
        notice(
          "warn",
          h("a", { href: link("/drift") }, t("drift_broken", { count: open, versions: brokenVersions(drift) })),
        ),
      );
  } catch {
    // The view is complete without it.
  }
}

/** The link from the alarm of a rule to what a new version has done to its element. */
export const driftLink = (id) => h("a", { class: "button small", href: link("/drift", { rule: id }) }, t("drift_look"));
