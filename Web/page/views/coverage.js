// Coverage: the share of each screen that rules take, and the tapped elements without a rule, the most tapped first.
// A click on one, in the list or on the picture, opens its screen, where it can be circled.

import { get, may, post, request } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { h, put, whileDisabled } from "../core/dom.js";
import { number, percent } from "../core/format.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { t } from "../core/strings.js";
import { field } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { empty, filled, notice, refusal } from "../widgets/states.js";
import { complain } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";
import { openPicture } from "./open-picture.js";

const maximumOpen = 1000;
const maximumListed = 200;

export function coverageView({ place, title, signal }) {
  title(t("coverage"));
  const body = h("div", { class: "stack" });
  let picture = null;
  const load = () =>
    filled(
      body,
      async () => {
        const asked = {
          ruleset: prefs.ruleset,
          project: prefs.project,
          days: prefs.days,
          draft: "true",
          limit: maximumOpen,
        };
        const coverage = await get("/v1/coverage", asked, { signal });
        return [coverage, (await get(aside(), {}, { signal })).items];
      },
      ([coverage, items]) => {
        picture?.close();
        const isShown = coverage.open.some((element) => element.capture);
        picture = isShown ? openPicture(coverage, signal, picture?.capture) : null;
        put(body, report(coverage, picture, items, load));
      },
      200,
    );
  put(
    place,
    h(
      "div",
      { class: "view" },
      viewHead({ title: t("coverage"), back: ["/screens", "nav_screens"], period: load }),
      body,
    ),
  );
  load();
  return () => picture?.close();
}

const aside = () => `/v1/rulesets/${encodeURIComponent(prefs.ruleset)}/set-aside`;

function report(coverage, picture, items, again) {
  if (!coverage.screens.length) {
    return empty(
      t("coverage_none"),
      t("coverage_none_text"),
      h("a", { class: "button primary", href: link("/screens") }, t("nav_screens")),
    );
  }
  const { taps, elements } = coverage;
  return [
    notice(
      taps.open ? "warn" : "good",
      h(
        "strong",
        {},
        taps.share === null
          ? t("coverage_elements", { share: percent(elements.share ?? 1) })
          : t("coverage_taps", { taps: percent(taps.share), elements: percent(elements.share ?? 1) }),
      ),
    ),
    card(
      t("coverage_open"),
      coverage.open.length ? openTable(coverage, again) : h("p", { class: "muted" }, t("coverage_all")),
    ),
    picture?.node,
    card(t("coverage_screens"), screenTable(coverage)),
    items.length > 0 && card(t("coverage_aside"), asideTable(items, again)),
  ];
}

const card = (heading, content) =>
  h(
    "section",
    { class: "card" },
    h("div", { class: "card-head" }, h("h2", {}, heading)),
    h(
      "div",
      { class: "card-body" },
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": heading }, content),
    ),
  );

const end = (text) => h("td", { class: "end nowrap" }, text);
const head = (...names) =>
  h(
    "thead",
    {},
    h(
      "tr",
      {},
      names.map(([name, kind]) => h("th", kind ? { class: kind } : {}, name)),
    ),
  );

/** Asks for the reason, and sets the element aside. */
function setAside(element, again) {
  const clause = Object.fromEntries(
    Object.entries({ page: element.page, selector: element.selector }).filter(([, value]) => value),
  );
  ask({
    title: t("coverage_reason"),
    fields: [field(t("coverage_why"), h("input", { name: "reason", required: true, maxlength: "500" }))],
    key: `aside:${prefs.ruleset}:${JSON.stringify(clause)}`,
    confirm: t("coverage_set_aside"),
    run: async (form) => {
      await post(aside(), { clause, reason: form.get("reason").trim() });
      again();
    },
  });
}

const takeBack = (button, item, again) =>
  whileDisabled(button, async () => {
    try {
      await request("DELETE", `${aside()}/${item.id}`);
      again();
    } catch (error) {
      complain(refusal(error));
    }
  });

const small = (name, onclick) => h("button", { class: "button small", type: "button", onclick }, t(name));

const asideTable = (items, again) =>
  h(
    "table",
    { class: "coverage-aside" },
    head([t("page")], [t("element")], [t("coverage_why")], [t("coverage_by")], [t("coverage_action")]),
    h(
      "tbody",
      {},
      items.map((item) =>
        h(
          "tr",
          {},
          h("td", { class: "wrap-anywhere" }, item.clause.page ?? "–"),
          h("td", { class: "fill mono wrap-anywhere" }, item.clause.selector ?? "–"),
          h(
            "td",
            { class: "wrap-anywhere" },
            item.reason,
            item.problem && [
              h("div", {}, t("coverage_unreadable")),
              h("div", { class: "small muted", lang: "en" }, item.problem),
            ],
          ),
          h("td", {}, item.by),
          h(
            "td",
            {},
            may("author") && small("coverage_take_back", (event) => takeBack(event.currentTarget, item, again)),
          ),
        ),
      ),
    ),
  );

function openTable(coverage, again) {
  const listed = coverage.open.slice(0, maximumListed);
  const left = coverage.open_count - listed.length;
  return [
    h(
      "table",
      { class: "coverage-open" },
      head(
        [t("element")],
        [t("page")],
        [t("coverage_without"), "end"],
        [t("measure_people"), "end"],
        [t("coverage_versions")],
        [t("coverage_with"), "end"],
        [t("coverage_action")],
      ),
      h(
        "tbody",
        {},
        listed.map((element) =>
          h(
            "tr",
            {},
            h("td", { class: "fill" }, elementLink(element)),
            h("td", { class: "wrap-anywhere" }, element.page ?? "–"),
            end(number(element.taps.open)),
            end(element.people === undefined ? "–" : number(element.people)),
            h("td", { class: "nowrap", title: element.versions.join(", ") }, versions(element.versions)),
            end(number(element.taps.taken)),
            h(
              "td",
              {},
              may("author") && element.capture && small("coverage_set_aside", () => setAside(element, again)),
            ),
          ),
        ),
      ),
    ),
    left > 0 && h("p", { class: "muted" }, t("coverage_more", { count: left })),
  ];
}

/** The first and the last version, as the oldest comes first. */
const versions = (list) => (list.length > 1 ? `${list[0]} – ${list.at(-1)}` : (list[0] ?? "–"));

/** The element by its text. If a stored capture shows it, a link leads to its screen; else only its events name it. */
function elementLink(element) {
  const isEventID = /^[0-9a-f]{64}$/.test(element.selector);
  const known = isEventID ? `${t("event_id")} ${element.selector.slice(0, 12)}…` : element.selector.slice(0, 80);
  const name = h(
    "span",
    { class: "ellipsis", style: { display: "block" }, title: element.selector },
    element.text || known,
  );
  if (!element.capture) return [name, h("span", { class: "small muted" }, t("no_known_screen"))];
  return h("a", { href: link(`/screen/${element.capture}`, { element: element.element }) }, name);
}

function screenTable(coverage) {
  return h(
    "table",
    {},
    head(
      [t("page")],
      [t("coverage_tap_count"), "end"],
      [t("coverage_share"), "end"],
      [t("coverage_element_share"), "end"],
    ),
    h(
      "tbody",
      {},
      coverage.screens.map((screen) =>
        h(
          "tr",
          {},
          h(
            "td",
            { class: "fill" },
            h(
              "a",
              { class: "ellipsis", style: { display: "block" }, href: link("/screens", { search: screen.page ?? "" }) },
              dotted(screen.title, screen.page) || "–",
            ),
          ),
          end(number(screen.taps.taken + screen.taps.open)),
          end(share(screen.taps)),
          end(share(screen.elements)),
        ),
      ),
    ),
  );
}

const share = (counts) => (counts.share === null ? "–" : percent(counts.share));
