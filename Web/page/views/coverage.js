// What people tap that no rule is about: the share of each screen that is circled, and the elements without a rule, the
// most tapped first. A click on one, in the list or on the picture, opens its screen, where it can be circled.

import { get } from "../core/api.js";
import { h, put } from "../core/dom.js";
import { number, percent } from "../core/format.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { t } from "../core/strings.js";
import { empty, filled, notice } from "../widgets/states.js";
import { viewHead } from "../widgets/view-head.js";
import { openPicture } from "./open-picture.js";

const most = 1000;
const mostListed = 200;

export function coverageView({ place, title, signal }) {
  title(t("coverage"));
  const body = h("div", { class: "stack" });
  let close = () => {};
  const load = () =>
    filled(
      body,
      () =>
        get(
          "/v1/coverage",
          { ruleset: prefs.ruleset, project: prefs.project, days: prefs.days, draft: "true", limit: most },
          { signal },
        ),
      (coverage) => {
        close();
        const picture = coverage.open.some((element) => element.capture) ? openPicture(coverage, signal) : null;
        close = () => picture?.close();
        put(body, report(coverage, picture));
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
  return () => close();
}

function report(coverage, picture) {
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
      coverage.open.length ? openTable(coverage) : h("p", { class: "muted" }, t("coverage_all")),
    ),
    picture?.node,
    card(t("coverage_screens"), screenTable(coverage)),
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

function openTable(coverage) {
  const listed = coverage.open.slice(0, mostListed);
  const left = coverage.open_count - listed.length;
  return [
    h(
      "table",
      { class: "coverage-open" },
      head([t("element")], [t("page")], [t("coverage_without"), "end"], [t("coverage_with"), "end"]),
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
            end(number(element.taps.taken)),
          ),
        ),
      ),
    ),
    left > 0 && h("p", { class: "muted" }, t("coverage_more", { count: left })),
  ];
}

/** The element by what it says. One that a stored capture shows leads to its screen. */
function elementLink(element) {
  const name = h(
    "span",
    { class: "ellipsis", style: { display: "block" }, title: element.selector },
    element.text || element.selector.slice(0, 80),
  );
  if (!element.capture) return name;
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
              [screen.title, screen.page].filter(Boolean).join(" · ") || "–",
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
