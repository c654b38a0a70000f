// The details of an element: its event ID, the components of its path, its properties.

import { get } from "../core/api.js";
import { h, put } from "../core/dom.js";
import { elementName } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { link } from "../core/router.js";
import { has, t } from "../core/strings.js";
import { copyable, copyButton } from "../widgets/controls.js";
import { failure, loading, notice, refusal } from "../widgets/states.js";
import { complain } from "../widgets/toast.js";

/** The heading of both tabs: the selected element, and the ID of its events. */
export const elementHead = (element) =>
  h(
    "div",
    { class: "stack tight" },
    h(
      "div",
      { class: "row wrap" },
      h("h2", { class: "wrap-anywhere" }, elementName(element).slice(0, 120)),
      element.isPage
        ? null
        : element.type
          ? h(
              "span",
              { class: "badge good" },
              t("tracked_as", { type: has(`type_${element.type}`) ? t(`type_${element.type}`) : element.type }),
            )
          : h("span", { class: "badge" }, t("not_tracked")),
    ),
    h(
      "div",
      { class: "row wrap muted small" },
      h("code", { class: "wrap-anywhere" }, element.class),
      element.page && h("span", { class: "wrap-anywhere" }, `· ${element.page}`),
    ),
    element.event_id &&
      h(
        "div",
        { class: "row" },
        h("span", { class: "muted small nowrap" }, t("event_id")),
        copyable(element.event_id, `${element.event_id.slice(0, 20)}…`),
        h("a", { class: "small nowrap", href: link("/analysis", { event_id: element.event_id }) }, t("analyse")),
      ),
  );

export async function elementDetails(asked) {
  const { place, path, element, signal, choose, matches } = asked;
  place.dataset.element = element?.element ?? "";
  if (!element) {
    put(place, h("div", { class: "hint" }, icon("circle", 34), t("choose_element")));
    return;
  }
  const isLeft = () => place.dataset.element !== String(element.element);
  put(place, elementHead(element), loading(180));
  let answer;
  try {
    answer = await get(`${path}/elements/${element.element}`, {}, { signal });
  } catch (error) {
    if (error.name === "AbortError" || isLeft()) return;
    put(
      place,
      elementHead(element),
      failure(error, () => elementDetails(asked)),
    );
    return;
  }
  if (isLeft()) return;
  const steps = answer.components ?? [];
  put(
    place,
    elementHead(answer.element ?? element),
    answer.collides_with?.length > 0 &&
      h(
        "div",
        { class: "section" },
        notice(
          "warn",
          t("collides", { count: answer.collides_with.length }),
          h(
            "div",
            { class: "row wrap" },
            answer.collides_with
              .slice(0, 12)
              .map((number) =>
                h("button", { class: "button small", type: "button", onclick: () => choose(number) }, `#${number}`),
              ),
          ),
        ),
      ),
    h(
      "div",
      { class: "section" },
      h(
        "div",
        { class: "row" },
        h("h3", { class: "spring" }, t("path")),
        copyButton((answer.element ?? element).path ?? ""),
      ),
      h(
        "ol",
        { class: "path-list" },
        steps.map((step) =>
          h(
            "li",
            {},
            h("code", { class: "wrap-anywhere" }, step.text),
            step.meaning && h("span", { class: "meaning" }, messages.step(step)),
          ),
        ),
      ),
      h("div", {}, h("button", { class: "button small", type: "button", onclick: sameKind }, t("same_kind"))),
    ),
    h(
      "div",
      { class: "section" },
      h("h3", {}, t("properties")),
      propertyList({
        ...answer.properties,
        ...(element.frame ? { frame: element.frame.map((one) => Math.round(one * 10) / 10).join(", ") } : {}),
      }),
    ),
    answer.identity &&
      h(
        "div",
        { class: "section" },
        h("div", { class: "row" }, h("h3", { class: "spring" }, t("identity")), copyButton(answer.identity)),
        h("pre", { class: "small" }, answer.identity),
      ),
    answer.styles &&
      Object.keys(answer.styles).length > 0 &&
      h(
        "details",
        { class: "section" },
        h("summary", {}, h("strong", {}, t("other_styles"))),
        propertyList(answer.styles),
      ),
  );

  async function sameKind() {
    try {
      const { elements } = await get(`${path}/elements/${element.element}/same-kind`, {}, { signal });
      if (!isLeft()) matches(elements);
    } catch (error) {
      if (error.name !== "AbortError") complain(refusal(error));
    }
  }
}

/** Names and values. Values that are objects are shown as JSON. */
export const propertyList = (values) =>
  h(
    "dl",
    { class: "properties" },
    Object.entries(values ?? {}).map(([name, value]) => [
      h("dt", {}, name),
      h("dd", {}, value !== null && typeof value === "object" ? h("code", {}, JSON.stringify(value)) : String(value)),
    ]),
  );
