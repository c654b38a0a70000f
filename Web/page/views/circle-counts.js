// What a clause selects: elements of the screen and of all stored ones, and stored events.

import { dotted } from "../core/bidi.js";
import { h } from "../core/dom.js";
import { number, percent, short } from "../core/format.js";
import { link } from "../core/router.js";
import { t } from "../core/strings.js";
import { periodName } from "../widgets/period.js";

/** The counts of an answer about the clauses of a rule of this kind. */
export function selectionCounts({ here = [], captures = [], total, captures_searched: searched, events }, kind) {
  // Elements and events that the draft excludes do not count; an exclude rule itself counts all of them.
  const excluded = kind === "exclude" ? 0 : (events?.excluded ?? 0);
  const inEvents = events ? events.count - excluded : null;
  return [
    h("div", {}, h("strong", {}, number(here.length)), h("span", { class: "small muted" }, t("matches_here"))),
    h(
      "div",
      {},
      h("strong", {}, number(total)),
      h("span", { class: "small muted" }, t("matches_all", { screens: captures.length, of: searched })),
    ),
    h(
      "div",
      {},
      h("strong", { title: number(inEvents) }, short(inEvents)),
      h(
        "span",
        { class: "small muted" },
        inEvents === null
          ? t("no_events_yet")
          : t("matches_events", {
              period: periodName(events.days),
              share: percent(events.of ? inEvents / events.of : 0),
            }),
      ),
    ),
    excluded > 0 && h("p", { class: "small muted" }, t("excluded_more", { count: excluded })),
  ];
}

/** The other captures with selected elements; null if there are none. */
export function otherCaptures({ captures = [] }, capture) {
  const others = captures.filter((one) => one.id !== capture.id);
  if (!others.length) return null;
  return h(
    "details",
    { class: "small" },
    h("summary", {}, t("also_on", { count: others.length })),
    h(
      "ul",
      { class: "divide" },
      others
        .slice(0, 20)
        .map((one) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: link(`/screen/${one.id}`, { element: one.elements[0] }) },
              dotted(one.name || one.page, one.app_version && `v${one.app_version}`),
            ),
            ` (${one.elements.length})`,
          ),
        ),
    ),
  );
}
