// The checklist of a release: each planned event is ticked off as it arrives from a tester.

import { follow, get, may, query as asQuery, request } from "../core/api.js";
import { attempts, debounced, h, put, redraw, whileDisabled } from "../core/dom.js";
import { number } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs } from "../core/prefs.js";
import { note } from "../core/router.js";
import { t } from "../core/strings.js";
import { downloadLink, field, select } from "../widgets/controls.js";
import { empty, loading, notice, refusal } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";

const platforms = ["ios", "android", "web", "mini-program", "server", "other"];
const names = ["app_version", "platform", "distinct_id", "tester"];
const marks = { accepted: "✓", wrong: "✗", waiting: "·" };
const kinds = { accepted: "good", wrong: "bad", waiting: "" };

export function acceptanceView({ place, title, query, signal }) {
  title(t("acceptance"));
  const path = `/v1/rulesets/${encodeURIComponent(prefs.ruleset)}/plan/acceptance`;
  const state = Object.fromEntries(names.map((name) => [name, query[name] ?? ""]));
  // The event after which the trial began; it is in the address, so that a reload goes on.
  let after = query.after ?? "";
  let leaveStream = null;
  const beginReading = attempts();
  const body = h("div", { class: "stack" });
  const text = (name) =>
    field(
      t(`acceptance_${name}`),
      h("input", { value: state[name], oninput: (event) => change(name, event.target.value) }),
    );
  const changed = debounced(300, () => {
    // Nothing would end a stream that begins after the view was left.
    if (after !== "" && !signal.aborted) watch();
  });
  // The query is kept at once, so that two quick changes do not lose the first.
  const change = (name, value) => {
    state[name] = value.trim();
    note({ ...state, after });
    changed();
  };
  put(
    place,
    h(
      "div",
      { class: "view" },
      viewHead({ title: t("acceptance"), back: ["/plan", "plan"] }),
      h(
        "form",
        { class: "ask", onsubmit: begin },
        text("app_version"),
        field(
          t("plan_platform"),
          select(
            [["", t("all")], ...platforms.map((one) => [one, one])],
            state.platform,
            (value) => change("platform", value),
            t("plan_platform"),
          ),
        ),
        text("distinct_id"),
        text("tester"),
        h("button", { class: "button primary", type: "submit" }, icon("play", 16), t("acceptance_begin")),
      ),
      body,
    ),
  );
  if (after === "") put(body, empty(t("acceptance_none"), t("acceptance_none_text")));
  else {
    put(body, loading(200));
    watch();
  }
  return () => leaveStream?.();

  async function begin(event) {
    event.preventDefault();
    try {
      after = String((await get(path, parameters(), { signal })).last_event);
      note({ ...state, after });
      watch();
    } catch (error) {
      if (error.name !== "AbortError") put(body, refusal(error));
    }
  }

  function parameters() {
    return { ...state, project: prefs.project, draft: "true", after };
  }

  /** Reads the list, and again whenever events come. */
  function watch() {
    leaveStream?.();
    const { distinct_id } = state;
    const again = debounced(200, read);
    const asked = { distinct_id, project: prefs.project, last_event_id: after };
    leaveStream = follow("/v1/live", asked, { decision: again, missed: again });
    read();
  }

  /** Accepts what has arrived of the release, by the rules in force. `asked` are the parameters of the list that is shown. */
  async function accept({ app_version: version, platform, distinct_id, project, after }) {
    const trial = { platform, distinct_id, project, after };
    const release = `/v1/rulesets/${encodeURIComponent(prefs.ruleset)}/plan/releases/${encodeURIComponent(version)}`;
    try {
      // A pre-release belongs to the release that the answer names.
      const answer = await request("POST", `${release}/acceptance${asQuery(trial)}`);
      const { draft, circled, accepted } = answer.counts;
      toast(t("release_taken", { count: accepted, all: draft + circled + accepted, version: answer.version }));
    } catch (error) {
      complain(refusal(error));
    }
  }

  async function read() {
    const isNewest = beginReading();
    const asked = parameters();
    try {
      const report = await get(path, asked, { signal });
      const address = (format) => path + asQuery({ ...asked, format });
      if (!isNewest()) return;
      const content = list(report, address, () => accept(asked));
      redraw(body, () => put(body, content));
    } catch (error) {
      if (error.name !== "AbortError" && isNewest()) put(body, refusal(error));
    }
  }
}

function list(report, address, accept) {
  const arrived = report.items.filter((item) => item.state === "accepted").length;
  const heads = [
    "acceptance_state",
    "plan_event",
    "plan_platform",
    "acceptance_arrived",
    "acceptance_what",
    "plan_owner",
  ];
  return [
    notice(
      report.accepted ? "good" : report.items.some((item) => item.wrong) ? "bad" : "",
      h("strong", { role: "status" }, t("acceptance_count", { arrived, all: report.items.length })),
      " ",
      t("acceptance_read", { count: number(report.read_events) }),
    ),
    report.missed > 0 && notice("warn", t("acceptance_missed", { count: number(report.missed) })),
    h(
      "div",
      { class: "card scroll", tabindex: "0", role: "region", "aria-label": t("acceptance") },
      h(
        "table",
        { class: "acceptance" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((name) => h("th", {}, t(name))),
          ),
        ),
        h("tbody", {}, report.items.map(row)),
      ),
    ),
    report.unexpected.length > 0 &&
      h(
        "p",
        { class: "muted" },
        t("acceptance_unexpected"),
        " ",
        report.unexpected.map((one) => `${one.event} (${one.events})`).join(", "),
      ),
    h(
      "div",
      { class: "row wrap" },
      report.version &&
        arrived > 0 &&
        may("author") &&
        h(
          "button",
          {
            class: "button primary small",
            type: "button",
            onclick: (event) => whileDisabled(event.currentTarget, accept),
          },
          t("release_accept"),
        ),
      ["html", "markdown"].map((format) =>
        downloadLink(address(format), "", icon("download", 16), t(`acceptance_${format}`)),
      ),
    ),
  ];
}

function row(item) {
  const state = item.optional && item.state === "waiting" ? "optional" : item.state;
  return h(
    "tr",
    { "data-event": item.event, "data-state": item.state },
    h(
      "td",
      {},
      h("span", { class: `badge ${kinds[state] ?? ""}` }, `${marks[state] ?? "–"} ${t(`acceptance_${state}`)}`),
    ),
    h("td", { class: "fill" }, h("span", { class: "mono" }, item.event), item.name && ` ${item.name}`),
    h("td", {}, item.platform ?? ""),
    h("td", { class: "end" }, number(item.arrived)),
    h(
      "td",
      { class: "wrap-anywhere" },
      item.state === "waiting" ? messages.trigger(item.trigger ?? "") : item.samples.map(sample),
    ),
    h("td", {}, item.owner ?? ""),
  );
}

const sample = (one) =>
  h(
    "div",
    {},
    one.problems.map((problem) => h("div", {}, messages.problem(problem))),
    h("a", { class: "mono small", href: `/v1/events/${one.line}`, target: "_blank" }, one.event),
  );
