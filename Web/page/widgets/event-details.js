// One event: the decision about it with the reasons, the element on its screen, and the event itself.

import { get, post } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { h, put } from "../core/dom.js";
import { dateTime } from "../core/format.js";
import { prefs, setPref } from "../core/prefs.js";
import { go, link } from "../core/router.js";
import { t } from "../core/strings.js";
import { copyable, copyButton, decisionBadge } from "./controls.js";
import { explanation } from "./explanation.js";
import { givenProperties } from "./given-properties.js";
import { Picture } from "./picture.js";
import { filled, notice } from "./states.js";

/** Fills `place`; the rule set explains the event. Returns a function that ends the picture inside. */
export function eventDetails(place, event, signal, ruleset) {
  let picture = null;
  let isLeft = false;
  const why = h("div", {});
  const screen = h("div", {});
  const json = JSON.stringify(event.event_json ?? event, null, 2);
  const ruleLink = (id, kind) => {
    const path = `/rule/${encodeURIComponent(id)}`;
    const open = (click) => {
      click.preventDefault();
      setPref("ruleset", ruleset);
      go(path);
    };
    return h(
      "a",
      { class: `badge ${kind} wrap-anywhere`, href: link(path), onclick: ruleset === prefs.ruleset ? null : open },
      id,
    );
  };
  put(
    place,
    h(
      "div",
      { class: "section" },
      h("div", { class: "row wrap" }, h("h2", { class: "wrap-anywhere" }, event.event), decisionBadge(event)),
      h(
        "div",
        { class: "muted small" },
        dotted(
          dateTime(event.time ?? event.received_at),
          event.page,
          event.app_version && `v${event.app_version}`,
          event.distinct_id,
        ),
      ),
      event.emit?.length > 0 &&
        h(
          "div",
          { class: "row wrap" },
          event.emit.map((name) => h("span", { class: "badge accent wrap-anywhere" }, name)),
          givenProperties(event.properties),
        ),
      (event.rules?.length > 0 || event.excluded_by?.length > 0) &&
        h(
          "div",
          { class: "row wrap" },
          (event.rules ?? []).map((id) => ruleLink(id, "info")),
          (event.excluded_by ?? []).map((id) => ruleLink(id, "warn")),
        ),
      event.event_id &&
        h(
          "div",
          { class: "row" },
          h("span", { class: "muted small nowrap" }, t("event_id")),
          copyable(event.event_id, `${event.event_id.slice(0, 16)}…`),
        ),
    ),
    event.event_id && h("div", { class: "section" }, h("h3", {}, t("on_its_screen")), screen),
    h("div", { class: "section" }, h("h3", {}, t("explanation")), why),
    h(
      "details",
      { class: "section", open: !event.event_id },
      h("summary", {}, h("strong", {}, t("the_event"))),
      h("div", { class: "row" }, copyButton(json)),
      h("pre", { class: "small" }, json),
    ),
  );
  filled(
    why,
    () =>
      post(
        "/v1/rules/explain",
        { ruleset, event: event.event_json ?? { event: event.event, event_id: event.event_id } },
        { signal },
      ),
    (answer) =>
      put(
        why,
        isSame(answer.decision, event)
          ? ruleset !== prefs.ruleset && h("p", { class: "small" }, t("explained_by", { name: ruleset }))
          : notice("", t("explained_now", { name: ruleset })),
        explanation({ ...answer, decision: null }),
      ),
    60,
  );
  if (event.event_id) {
    filled(
      screen,
      async () => {
        // Unlike the element of an ID, what a clause selects may be nothing.
        const { captures } = await post(
          "/v1/select",
          { clause: { eventID: event.event_id }, ruleset, days: 1 },
          { signal },
        );
        const best = captures.find((one) => one.app_version === event.app_version) ?? captures[0];
        return best ? { best, answer: await get(`/v1/captures/${best.id}/elements`, {}, { signal }) } : null;
      },
      (found) => {
        // A picture that is made now would never be closed.
        if (isLeft) return;
        if (!found) {
          put(screen, h("p", { class: "muted small" }, t("no_known_screen")));
          return;
        }
        const { best, answer } = found;
        picture = new Picture({ label: t("on_its_screen") });
        put(
          screen,
          h("div", { class: "mini" }, picture.node),
          h(
            "a",
            { class: "small", href: link(`/screen/${best.id}`, { element: best.elements[0] }) },
            t("open_screen", { name: best.name || best.page || "" }),
          ),
        );
        picture.show({
          elements: answer.elements,
          width: answer.capture.width,
          height: answer.capture.height,
          image: answer.capture.has_screenshot ? `/v1/captures/${best.id}/screenshot` : null,
        });
        picture.setSelected(best.elements[0]);
      },
      120,
    );
  }
  return () => {
    isLeft = true;
    picture?.close();
  };
}

/** Returns whether a decision is the one that was made when the event arrived. */
const isSame = (decision, event) =>
  decision.selected === event.selected && JSON.stringify(decision.emit) === JSON.stringify(event.emit ?? []);
