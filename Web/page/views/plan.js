// The tracking plan: its events with their status, and the plan as a table, to export and to import. An import is shown
// before it is written.

import { get, may, post, query } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { attempts, debounced, h, put, whileDisabled } from "../core/dom.js";
import { number } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs } from "../core/prefs.js";
import { link, note } from "../core/router.js";
import { t } from "../core/strings.js";
import { downloadLink, moreLine, searchField, select } from "../widgets/controls.js";
import { empty, filled, loading, notice, refusal } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";
import { planImport } from "./plan-import.js";
import { ruleTabs } from "./rules.js";

const base = () => `/v1/rulesets/${encodeURIComponent(prefs.ruleset)}/plan`;
const maximumListed = 300;

/** The most important ones come first. */
const statuses = ["wrong", "missing", "unexpected", "live", "stale", "defined", "planned", "deprecated", "archived"];
const kinds = { wrong: "bad", missing: "bad", unexpected: "warn", live: "good", stale: "warn" };

export function planView({ place, title, query: asked, signal }) {
  title(t("plan"));
  let state = { search: asked.search ?? "", status: asked.status ?? "" };
  let status = null;
  const beginImport = attempts();
  const chosen = new Set();
  const counts = h("div", { class: "row wrap plan-counts" });
  const body = h("div", { class: "stack" });
  const incoming = h("div", { class: "stack" });
  const shown = debounced(120, show);
  // The query is kept at once, so that two quick changes do not lose the first.
  const change = (part) => {
    state = { ...state, ...part };
    note(state);
    shown();
  };
  const load = () =>
    filled(
      body,
      () => get(`${base()}/status`, { draft: "true" }, { signal }),
      (answer) => {
        status = answer;
        chosen.clear();
        show();
      },
      200,
    );
  const upload = h("input", {
    type: "file",
    accept: ".csv,.xlsx,text/csv",
    class: "visually-hidden",
    "aria-label": t("plan_upload"),
    onchange: () => read(),
  });
  put(
    place,
    h(
      "div",
      { class: "view" },
      viewHead({ title: t("plan"), tools: ruleTabs("plan") }),
      h(
        "div",
        { class: "row wrap" },
        searchField(t("plan_search"), state.search, (search) => change({ search })),
        h(
          "span",
          {},
          select(
            [["", t("plan_all")], ...statuses.map((word) => [word, t(`plan_${word}`)])],
            state.status,
            (word) => change({ status: word }),
            t("plan_status"),
          ),
        ),
        h("span", { class: "spring" }),
        h("a", { class: "button small", href: link("/plan/releases") }, t("releases")),
        h("a", { class: "button small", href: link("/plan/acceptance") }, icon("check", 16), t("acceptance")),
        ["en", "zh"].map((headers) =>
          downloadLink(
            base() + query({ format: "csv", headers }),
            `${prefs.ruleset}.plan.csv`,
            icon("download", 16),
            t(`plan_download_${headers}`),
          ),
        ),
        downloadLink(
          base() + query({ format: "xlsx", headers: t("plan_headers") }),
          `${prefs.ruleset}.plan.xlsx`,
          icon("download", 16),
          "XLSX",
        ),
        downloadLink(
          base() + query({ format: "html" }),
          `${prefs.ruleset}.board.html`,
          icon("download", 16),
          t("plan_board"),
        ),
        may("author") && [
          upload,
          h("button", { class: "button small", type: "button", onclick: () => upload.click() }, t("plan_upload")),
        ],
      ),
      counts,
      incoming,
      body,
    ),
  );
  load();

  async function read() {
    const [file] = upload.files;
    upload.value = "";
    if (!file) return;
    // The answer about an earlier file does not take the place of the newest one.
    const isNewest = beginImport();
    const fill = (...content) => isNewest() && put(incoming, content);
    const done = () => {
      fill();
      load();
    };
    fill(loading(120));
    try {
      fill(await planImport(base(), file, done));
    } catch (error) {
      fill(refusal(error));
    }
  }

  async function take() {
    try {
      const answer = await post(`${base()}/events`, { events: [...chosen] });
      toast(t("plan_taken", { count: answer.events.length }));
      load();
    } catch (error) {
      complain(refusal(error));
    }
  }

  function show() {
    if (!status) return;
    put(
      counts,
      statuses
        .filter((word) => status.counts[word] > 0)
        .map((word) =>
          h("span", { class: `badge ${kinds[word] ?? ""}` }, `${t(`plan_${word}`)} ${number(status.counts[word])}`),
        ),
    );
    if (!status.events.length) {
      put(body, empty(t("plan_none"), t("plan_none_text")));
      return;
    }
    const search = state.search.toLowerCase();
    const events = status.events.filter(
      (event) =>
        (!state.status || event.status === state.status) &&
        [event.event, event.name, event.owner].some((text) => text?.toLowerCase().includes(search)),
    );
    const press = () => whileDisabled(button, take);
    const button = h("button", { class: "button primary small", type: "button", disabled: true, onclick: press });
    const choose = () => {
      button.textContent = t("plan_take", { count: chosen.size });
      button.disabled = chosen.size === 0;
    };
    choose();
    put(
      body,
      status.revision === null && notice("", t("plan_absent")),
      !status.recent_complete && notice("", t("plan_lower_bounds")),
      status.errors.length > 0 && notice("warn", t("plan_errors"), h("ul", {}, status.errors.map(error))),
      events.length
        ? table(events.slice(0, maximumListed), chosen, choose)
        : empty(t("nothing_found"), t("nothing_found_text")),
      moreLine(events.length - maximumListed),
      may("author") &&
        status.events.some((event) => !event.planned) &&
        h("div", { class: "row wrap" }, button, h("span", { class: "muted small" }, t("plan_take_text"))),
    );
  }
}

const error = (detail) =>
  h(
    "li",
    {},
    detail.location?.line ? `${t("line", { line: detail.location.line })}${t("colon")}` : "",
    h("span", { lang: "en" }, detail.message),
  );

function table(events, chosen, choose) {
  const names = ["plan_event", "plan_platform", "plan_versions", "plan_status", "plan_evidence", "plan_owner"];
  return h(
    "div",
    { class: "card scroll", tabindex: "0", role: "region", "aria-label": t("plan") },
    h(
      "table",
      { class: "plan" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          names.map((name) => h("th", {}, t(name))),
        ),
      ),
      h(
        "tbody",
        {},
        events.map((event) => rows(event, chosen, choose)),
      ),
    ),
  );
}

/** Rows of one platform and status are one, with their versions; the first has the event. */
function rows(event, chosen, choose) {
  const joined = [];
  for (const row of event.rows) {
    const last = joined.at(-1);
    if (last && last.platform === row.platform && last.status === row.status && row.status === "live") {
      last.versions.push(row.version);
      last.events += row.events;
      last.last = Math.max(last.last ?? 0, row.last ?? 0);
    } else {
      joined.push({ ...row, versions: [row.version] });
    }
  }
  return joined.map((row, place) =>
    h(
      "tr",
      { "data-event": event.event, "data-status": row.status },
      h("td", { class: "fill" }, place === 0 && head(event, chosen, choose)),
      h("td", { class: "nowrap" }, row.platform ?? ""),
      h("td", {}, row.versions.filter(Boolean).join(", ")),
      h("td", {}, h("span", { class: `badge ${kinds[row.status] ?? ""}` }, t(`plan_${row.status}`))),
      h("td", { class: "wrap-anywhere" }, evidence(row)),
      h("td", {}, place === 0 ? (event.owner ?? "") : ""),
    ),
  );
}

function evidence(row) {
  const samples = row.faults.filter((fault) => fault.file === "event");
  return [
    row.versions.length > 1 ? t("plan_events", { count: number(row.events) }) : messages.evidence(row.evidence ?? ""),
    samples.map((fault) => [
      " ",
      h("a", { href: `/v1/events/${fault.line}`, target: "_blank" }, t("plan_sample", { property: fault.property })),
    ]),
  ];
}

function head(event, chosen, choose) {
  const name = event.rules[0]
    ? h("a", { class: "mono", href: link(`/rule/${encodeURIComponent(event.rules[0])}`) }, event.event)
    : h("span", { class: "mono" }, event.event);
  const more = dotted(event.name, messages.trigger(event.trigger ?? ""));
  const text = h("div", {}, name, more && h("div", { class: "muted small" }, more));
  if (event.planned || !may("author")) return text;
  const box = h("input", {
    type: "checkbox",
    "aria-label": t("plan_choose", { event: event.event }),
    checked: chosen.has(event.event),
    onchange: () => {
      if (box.checked) chosen.add(event.event);
      else chosen.delete(event.event);
      choose();
    },
  });
  return h("div", { class: "row" }, box, text);
}
