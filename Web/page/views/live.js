// Events as they come in, with the decision about each.

import { follow, get } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { attempts, debounced, h, put } from "../core/dom.js";
import { storedElement } from "../core/stored-elements.js";
import { ago, clock } from "../core/format.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { note } from "../core/router.js";
import { ruleSetOf, ruleSets } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { decisionBadge, select } from "../widgets/controls.js";
import { eventDetails } from "../widgets/event-details.js";
import { givenProperties } from "../widgets/given-properties.js";
import { empty, failure, loading } from "../widgets/states.js";
import { viewHead } from "../widgets/view-head.js";

const kept = 300;
/** Rejects that are listed, and the milliseconds between two looks for new ones, which no stream has. */
const listedRejects = 20;
const rejectInterval = 5_000;

export function liveView({ place, title, query, signal }) {
  title(t("nav_live"));
  const filters = {
    rule: query.rule ?? "",
    page: query.page ?? "",
    distinct_id: query.distinct_id ?? "",
    selected: query.selected ?? "",
  };
  let leaveStream = null;
  let isPaused = false;
  let waiting = [];
  // Events that are not in the list: the service could not send them, or too many came while the list was paused.
  let missed = 0;
  let leaveDetails = null;
  let chosen = null;
  let sets = [];
  let count = 0;
  const begin = attempts();
  const pulse = h("span", { class: "pulse off", "aria-hidden": "true" });
  const state = h("span", { class: "small muted", role: "status" });
  const rows = h("div", {});
  const rejects = h("div", {});
  let newestReject = null;
  const list = h(
    "div",
    { class: "pane-body", style: { padding: "0" }, tabindex: "0", role: "region", "aria-label": t("live_events") },
    rows,
  );
  const details = h("div", { class: "pane-body" });
  const pause = h("button", { class: "button", type: "button", "aria-pressed": "false", onclick: togglePause });
  const text = (key, label) =>
    h("input", {
      type: "search",
      "aria-label": label,
      placeholder: label,
      value: filters[key],
      oninput: (event) => change(key, event.target.value.trim()),
    });
  const restart = debounced(300, start);
  // The query is kept at once, so that two quick changes do not lose the first.
  const change = (key, value) => {
    filters[key] = value;
    note(filters);
    restart();
  };
  put(
    place,
    h(
      "div",
      { class: "view full long" },
      viewHead({ title: t("nav_live"), about: [pulse, state], tools: pause }),
      h(
        "div",
        { class: "filters" },
        text("rule", t("rule")),
        text("page", t("page")),
        text("distinct_id", t("user")),
        h(
          "span",
          {},
          select(
            [
              ["", t("all_events")],
              ["true", t("selected")],
              ["false", t("not_selected")],
            ],
            filters.selected,
            (value) => change("selected", value),
            t("decision"),
          ),
        ),
      ),
      rejects,
      h(
        "div",
        { class: "live-grid" },
        h("div", { class: "card pane" }, list),
        h("section", { class: "card pane panel-pane", "aria-label": t("event_details") }, details),
      ),
    ),
  );
  labelPause();
  put(details, h("div", { class: "hint" }, icon("live", 30), t("choose_event")));

  async function start() {
    const isNewest = begin();
    leaveStream?.();
    pulse.classList.add("off");
    state.textContent = "";
    waiting = [];
    missed = 0;
    labelPause();
    put(rows, loading(40, 4));
    let newest = 0;
    try {
      const [{ events }, known] = await Promise.all([
        get("/v1/events", { ...filters, project: prefs.project, limit: 60 }, { signal }),
        ruleSets(),
      ]);
      if (!isNewest()) return;
      sets = known;
      put(
        rows,
        events.map((event) => row(event, false)),
      );
      count = events.length;
      newest = events[0]?.id ?? 0;
      showEmpty();
    } catch (error) {
      if (error.name === "AbortError" || !isNewest()) return;
      put(rows, failure(error, start));
      return;
    }
    // From the newest event that is shown on.
    const asked = { ...filters, project: prefs.project, last_event_id: newest };
    leaveStream = follow("/v1/live", asked, {
      open: () => {
        pulse.classList.remove("off");
        state.textContent = t("live_on");
      },
      error: () => {
        pulse.classList.add("off");
        state.textContent = t("live_off");
      },
      missed: (message) => {
        missed += readCount(message.data);
        if (isPaused) labelPause();
        else flush();
      },
      decision: (message) => {
        let event;
        try {
          event = JSON.parse(message.data);
        } catch {
          return;
        }
        waiting.push(event);
        if (waiting.length > kept) {
          waiting.shift();
          missed += 1;
        }
        if (isPaused) labelPause();
        else flush();
      },
    });
  }

  // Events of one frame are shown together, so that a burst costs one layout.
  let planned = 0;
  function flush() {
    if (planned) return;
    planned = requestAnimationFrame(() => {
      planned = 0;
      if ((!waiting.length && !missed) || isPaused) return;
      if (count === 0) put(rows);
      // Missed events are older than the ones that have come.
      if (missed) rows.prepend(h("p", { class: "notice warn small live-missed" }, t("live_missed", { count: missed })));
      missed = 0;
      rows.prepend(...waiting.reverse().map((event) => row(event, true)));
      waiting = [];
      while (rows.childElementCount > kept) rows.lastElementChild.remove();
      count = rows.childElementCount;
    });
  }

  function readCount(data) {
    try {
      return JSON.parse(data).missed ?? 0;
    } catch {
      return 0;
    }
  }

  function row(event, isFresh) {
    const name =
      event.content ??
      event.event_json?.properties?.$element_content ??
      event.event_json?.$element_content ??
      event.event_json?.attributes?.title ??
      "";
    const text = h("span", { class: "muted" }, name && ` ${String(name).slice(0, 60)}`);
    // Some SDKs send an event ID alone; a stored screen knows the element.
    if (!name && event.event_id)
      storedElement(event.event_id).then((found) => found?.content && put(text, ` ${found.content.slice(0, 60)}`));
    return h(
      "button",
      {
        class: `live-row${isFresh ? " fresh" : ""}`,
        type: "button",
        "aria-pressed": "false",
        onclick: (click) => choose(click.currentTarget, event),
      },
      h("span", { class: "number muted small" }, clock(event.time ?? event.received_at)),
      h("span", {}, decisionBadge(event)),
      h(
        "span",
        { class: "ellipsis" },
        h("strong", {}, event.emit?.length ? event.emit.join(", ") : event.event),
        text,
        givenProperties(event.properties).map((one) => [" ", one]),
      ),
      h("span", { class: "muted small ellipsis" }, dotted(event.page, event.distinct_id)),
    );
  }

  function choose(button, event) {
    chosen?.setAttribute("aria-pressed", "false");
    chosen = button;
    button.setAttribute("aria-pressed", "true");
    leaveDetails?.();
    leaveDetails = eventDetails(details, event, signal, ruleSetOf(event.project, sets));
    // On a phone the details are below the list.
    if (details.getBoundingClientRect().top > innerHeight - 120)
      details.parentElement.scrollIntoView({ block: "start" });
  }

  function togglePause() {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
    labelPause();
    if (!isPaused) flush();
  }

  function labelPause() {
    put(
      pause,
      icon(isPaused ? "play" : "pause", 16),
      isPaused ? (waiting.length ? t("go_on_count", { count: waiting.length + missed }) : t("go_on")) : t("pause"),
    );
  }

  /** Lists what came in place of events, with the reasons, if it is not listed yet. */
  async function showRejects() {
    const { rejects: found, total } = await get("/v1/rejects", { limit: listedRejects }, { signal });
    if (total === 0 || found[0].id === newestReject) return;
    newestReject = found[0].id;
    put(
      rejects,
      h(
        "details",
        { class: "card card-body", open: rejects.firstElementChild?.open },
        h("summary", {}, t("rejects_count", { count: total, ago: ago(found[0].received_at) })),
        h(
          "div",
          { tabindex: "0", role: "region", "aria-label": t("rejects"), style: { maxHeight: "40vh", overflow: "auto" } },
          found.map(({ received_at: time, reason, text }) => [
            h("p", { class: "wrap-anywhere" }, h("span", { class: "muted small number" }, clock(time)), ` ${reason}`),
            text && h("pre", { class: "small" }, text.slice(0, 1_000)),
          ]),
        ),
      ),
    );
  }

  const lookForRejects = () => showRejects().catch(() => {});
  const looks = setInterval(lookForRejects, rejectInterval);
  lookForRejects();
  const showEmpty = () => {
    if (count === 0) put(rows, empty(t("no_live"), t("no_live_text")));
  };
  start();
  return () => {
    clearInterval(looks);
    leaveStream?.();
    leaveDetails?.();
    cancelAnimationFrame(planned);
  };
}
