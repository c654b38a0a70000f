// Incoming events, how many of them are selected, and the health of rules.

import { get, may } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { h, put, redraw } from "../core/dom.js";
import { ago, axisTime, lastDays, number, percent, short } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { t } from "../core/strings.js";
import { seriesChart } from "../widgets/chart.js";
import { countWithCurve } from "../widgets/sparkline.js";
import { empty, filled } from "../widgets/states.js";
import { viewHead } from "../widgets/view-head.js";
import { driftNote } from "./drift.js";
import { thumbnail, uploadButton } from "./screens.js";

export function overviewView({ place, title, signal, reload }) {
  title(t("nav_overview"));
  const { days } = prefs;
  const body = h("div", { class: "stack" });
  const drift = h("div", {});
  driftNote(drift, signal);
  put(place, h("div", { class: "view" }, viewHead({ title: t("nav_overview"), period: reload }), drift, body));
  const counts = (ruleset) => get("/v1/reports/overview", { days, project: prefs.project, ruleset }, { signal });
  filled(
    body,
    async () => {
      const [overview, captures] = await Promise.all([
        // If the rules cannot be read, the events are still there.
        counts(prefs.ruleset).catch((error) => {
          if (error.code === "unreadable-rules" || error.status === 404) return counts();
          throw error;
        }),
        get("/v1/captures", { limit: 6 }, { signal }),
      ]);
      return { overview, captures };
    },
    async ({ overview, captures }) => {
      if (!overview.events && !captures.total) {
        put(body, welcome(reload, signal));
        return;
      }
      put(body, report(overview, captures, null, days));
      // Health compares releases over all stored events: the figures need not wait for it.
      const [health] = await Promise.all([
        get("/v1/reports/health", { ruleset: prefs.ruleset, project: prefs.project }, { signal }).catch(() => ({})),
        nameElements(overview.elements ?? [], signal),
      ]);
      if (!signal.aborted) redraw(body, () => put(body, report(overview, captures, health, days)));
    },
    220,
  );
}

/** Adds to event IDs what stored screens know of their elements. */
const nameElements = (rows, signal) =>
  Promise.all(
    rows
      .slice(0, 8)
      .filter((row) => row.stored)
      .map(async (row) => {
        const found = await get(`/v1/elements/${row.event_id}`, {}, { signal }).catch(() => ({ elements: [] }));
        Object.assign(row, found.elements[0]);
      }),
  );

/** The points of a chart, including days and hours without events. */
function everyPart(overview, days) {
  const rows = overview.days ?? [];
  const points = rows.map((row) => ({ at: row.day ?? row.hour, events: row.events, selected: row.selected }));
  const known = new Set(points.map((point) => point.at));
  // The period begins within a day.
  const times = rows[0]?.hour === undefined ? lastDays(days + 1) : overview.starts;
  // An event may come from a clock that is ahead, after the last of these times.
  return [...points, ...times.filter((at) => !known.has(at)).map((at) => ({ at, events: 0, selected: 0 }))].sort(
    (one, other) => (one.at < other.at ? -1 : 1),
  );
}

/** The text of a new service: the three steps to the first selected event. */
const welcome = (reload, signal) =>
  h(
    "div",
    { class: "card" },
    empty(
      t("welcome"),
      t("welcome_text"),
      may("author") && uploadButton(reload, signal),
      h("a", { class: "button", href: link("/connect") }, icon("phone"), t("connect_app")),
    ),
    h(
      "div",
      { class: "card-body" },
      h(
        "ol",
        { class: "columns steps" },
        [1, 2, 3].map((step) =>
          h(
            "li",
            {},
            h("span", { class: "digit", "aria-hidden": "true" }, step),
            h(
              "span",
              {},
              h("strong", {}, t(`step_${step}`)),
              h("br", {}),
              h("span", { class: "muted" }, t(`step_${step}_text`)),
            ),
          ),
        ),
      ),
    ),
  );

/** `health` is `null` until it is read, and has no rules where it could not be read. */
function report(overview, captures, health, days) {
  const points = everyPart(overview, days);
  const hourly = overview.days?.[0]?.hour !== undefined;
  const alarms = health?.rules?.filter((rule) => rule.alarm);
  return [
    h(
      "div",
      { class: "tiles" },
      tile(t("events"), short(overview.events), days === 1 ? t("in_a_day") : t("in_days", { days })),
      tile(
        t("selected_events"),
        short(overview.selected),
        t("share_of_all", { share: percent(overview.events ? overview.selected / overview.events : 0) }),
      ),
      tile(t("nav_screens"), number(overview.captures ?? captures.total), t("captures_stored"), link("/screens")),
      tile(
        t("rules_with_alarm"),
        alarms ? number(alarms.length) : health ? "–" : "…",
        alarms ? (alarms.length ? t("look_at_them") : t("all_well")) : health ? t("went_wrong") : "",
        link("/rules", alarms?.length ? { health: "alarm" } : {}),
        alarms && (alarms.length ? "bad" : "good"),
      ),
      overview.rejects > 0 &&
        tile(
          t("rejects"),
          number(overview.rejects),
          t(prefs.project ? "rejects_text_all" : "rejects_text"),
          link("/live"),
        ),
    ),
    h(
      "div",
      { class: "card" },
      h(
        "div",
        { class: "card-head" },
        h("h2", {}, t("over_time")),
        h("span", { class: "spring" }),
        h(
          "div",
          { class: "legend", "aria-hidden": "true" },
          h("span", {}, h("i", { class: "swatch series-all" }), t("events")),
          h("span", {}, h("i", { class: "swatch series-selected" }), t("selected_events")),
        ),
      ),
      h(
        "div",
        { class: "card-body" },
        overview.events
          ? overTime(points, hourly)
          : empty(
              t("no_events"),
              t("no_events_text"),
              h("a", { class: "button", href: link("/connect") }, t("connect_app")),
            ),
      ),
    ),
    h(
      "div",
      { class: "columns tables" },
      rulesCard(overview, health),
      topPages(overview),
      topNames(overview),
      topElements(overview),
    ),
    h(
      "div",
      { class: "card" },
      h(
        "div",
        { class: "card-head" },
        h("h2", {}, t("latest_screens")),
        h("span", { class: "spring" }),
        h("a", { href: link("/screens") }, t("all")),
      ),
      h(
        "div",
        { class: "card-body" },
        captures.captures.length
          ? h("div", { class: "shelf" }, captures.captures.map(thumbnail))
          : h("p", { class: "muted" }, t("no_captures")),
      ),
    ),
  ];
}

/** All events, and in front of them those that were selected. People who cannot see the chart read the table. */
const overTime = (points, hourly) => [
  seriesChart({
    times: points.map((point) => point.at),
    hourly,
    shape: "overlay",
    label: t("over_time"),
    series: [
      { name: t("events"), colour: "series-all", values: points.map((point) => point.events) },
      { name: t("selected_events"), colour: "series-selected", values: points.map((point) => point.selected) },
    ],
  }),
  h(
    "table",
    { class: "visually-hidden" },
    h("caption", {}, t("over_time")),
    h("thead", {}, h("tr", {}, h("th", {}, t("time")), h("th", {}, t("events")), h("th", {}, t("selected_events")))),
    h(
      "tbody",
      {},
      points.map((point) =>
        h("tr", {}, h("td", {}, axisTime(point.at, hourly)), h("td", {}, point.events), h("td", {}, point.selected)),
      ),
    ),
  ),
];

const tile = (label, figure, of, href, kind) =>
  h(
    href ? "a" : "div",
    { class: "card tile", href, style: { "text-decoration": "none" } },
    h("div", { class: "muted small" }, label),
    h("div", { class: "figure" }, figure),
    h("div", { class: "of row" }, kind && h("span", { class: `dot ${kind}` }), of),
  );

function rulesCard(overview, health) {
  const byID = new Map((health?.rules ?? []).map((rule) => [rule.id, rule]));
  const rows = (overview.rules ?? []).slice(0, 8);
  return h(
    "div",
    { class: "card" },
    h(
      "div",
      { class: "card-head" },
      h("h2", {}, t("top_rules")),
      h("span", { class: "spring" }),
      h("a", { href: link("/rules") }, t("all")),
    ),
    h(
      "div",
      { class: "card-body" },
      rows.length === 0
        ? h("p", { class: "muted" }, t("no_rules_hit"))
        : h(
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
                h("th", { class: "end" }, t("last_seen")),
              ),
            ),
            h(
              "tbody",
              {},
              rows.map((row) => {
                const { id } = row;
                const state = byID.get(id);
                return h(
                  "tr",
                  {},
                  h(
                    "td",
                    { class: "fill" },
                    h(
                      "a",
                      { class: "row", href: link(`/rule/${encodeURIComponent(id)}`) },
                      h("span", {
                        class: `dot ${!state ? "" : state.alarm ? "bad" : "good"}`,
                        title: state ? (state.alarm ? messages.alarm(state.alarm) : t("all_well")) : null,
                      }),
                      h("span", { class: "ellipsis" }, id),
                    ),
                  ),
                  h("td", { class: "end" }, countWithCurve(row.events, row.series, overview.starts)),
                  h("td", { class: "end small muted nowrap" }, ago(state?.last_seen ?? row.last_seen)),
                );
              }),
            ),
          ),
    ),
  );
}

/** A table of names, each with its events and their curve. `name(row)` answers what stands for it. */
const topCard = (title, kind, rows, starts, name) =>
  h(
    "div",
    { class: "card" },
    h("div", { class: "card-head" }, h("h2", {}, title)),
    h(
      "div",
      { class: "card-body" },
      rows.length === 0
        ? h("p", { class: "muted" }, t("nothing_yet"))
        : h(
            "table",
            {},
            h("thead", {}, h("tr", {}, h("th", {}, kind), h("th", { class: "end" }, t("events")))),
            h(
              "tbody",
              {},
              rows
                .slice(0, 8)
                .map((row) =>
                  h(
                    "tr",
                    {},
                    h("td", { class: "fill" }, name(row)),
                    h("td", { class: "end" }, countWithCurve(row.events, row.series, starts)),
                  ),
                ),
            ),
          ),
    ),
  );

const nameLink = (href, name) => h("a", { class: "ellipsis", style: { display: "block" }, href }, name);

const topPages = ({ pages, starts }) =>
  topCard(t("top_pages"), t("page"), pages, starts, ({ page }) => nameLink(link("/screens", { search: page }), page));

const topNames = ({ names, starts }) =>
  topCard(t("top_names"), t("kind_event"), names, starts, ({ event }) =>
    nameLink(link("/analysis", { event, days: prefs.days }), event),
  );

const topElements = ({ elements, starts }) =>
  topCard(t("top_elements"), t("element"), elements, starts, (row) => {
    const name = row.content || row.path || dotted(row.page, row.event_id.slice(0, 8));
    const label = h(
      "span",
      { class: "ellipsis", style: { display: "block" }, title: row.path ?? row.event_id },
      String(name).slice(0, 80),
    );
    return row.capture ? h("a", { href: link(`/screen/${row.capture}`, { element: row.element }) }, label) : label;
  });
