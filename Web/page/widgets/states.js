// The states of a view without content: nothing yet, an error, or an answer on its way.

import { attempts, h, s } from "../core/dom.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { t } from "../core/strings.js";

/** A screen with a circle drawn around its button. */
function art() {
  return s(
    "svg",
    { class: "art", viewBox: "0 0 128 96", "aria-hidden": "true" },
    s("rect", { x: 38, y: 4, width: 52, height: 88, rx: 8, fill: "none", stroke: "currentColor", "stroke-width": 2 }),
    s("path", {
      d: "M46 18h36M46 28h24M46 42h36M46 52h18",
      stroke: "currentColor",
      "stroke-width": 3,
      "stroke-linecap": "round",
      opacity: 0.5,
    }),
    s("rect", { x: 48, y: 66, width: 32, height: 12, rx: 6, fill: "currentColor", opacity: 0.4 }),
    s("path", {
      class: "pen",
      fill: "none",
      "stroke-width": 3.5,
      "stroke-linecap": "round",
      d: "M88 62C70 54 36 56 35 72c-1 15 28 18 44 13 16-5 20-20 2-25-6-2-14-2-20 0",
    }),
  );
}

/** An empty place, with a hint about the next step. */
export const empty = (title, text, ...actions) =>
  h(
    "div",
    { class: "state" },
    art(),
    h("h2", {}, title),
    text && h("p", {}, text),
    actions.length > 0 && h("div", { class: "row wrap" }, actions),
  );

/** The service's own words, if they differ from the message above. */
export const detailOf = (error) =>
  messages.errorDetail(error) && h("span", { class: "small muted said", lang: "en" }, messages.errorDetail(error));

/** A failure, with the service's message and a button to try again. */
export function failure(error, retry) {
  const unreachable = error.status === 0;
  const where = error.location?.line
    ? t("at_line", { line: error.location.line, column: error.location.column ?? 1 })
    : "";
  return h(
    "div",
    { class: "state", role: "alert" },
    icon("warn", 34),
    h("h2", {}, unreachable ? t("unreachable") : t("went_wrong")),
    h("p", {}, unreachable ? t("unreachable_text") : [messages.error(error), where && ` (${where})`, detailOf(error)]),
    retry && h("button", { class: "button", onclick: retry }, t("try_again")),
  );
}

export const loading = (height = 120, count = 1) =>
  h(
    "div",
    { class: "stack", role: "status" },
    h("span", { class: "visually-hidden" }, t("loading")),
    Array.from({ length: count }, () => h("div", { class: "skeleton", style: { height: `${height}px` } })),
  );

/** A remark in a coloured box. `kind`: good, warn, bad or nothing. */
export const notice = (kind, ...children) =>
  h(
    "div",
    { class: `notice ${kind}`, role: kind === "bad" ? "alert" : null },
    icon(kind === "good" ? "check" : kind === "bad" || kind === "warn" ? "warn" : "info"),
    h("div", {}, children),
  );

/** Says that unsaved input is back; `forget` removes it. */
export const unsavedNotice = (forget) =>
  notice(
    "warn",
    t("unsaved_restored"),
    h("div", { class: "row" }, h("button", { class: "button small", type: "button", onclick: forget }, t("drop_mine"))),
  );

/** A refusal of the service, with each of its findings that says more than the sentence above it. */
export function refusal(error) {
  const details = (error.details ?? []).filter((one) => one.location?.line || one.message !== error.message);
  return notice(
    "bad",
    h("strong", {}, error.status === 0 ? t("unreachable") : messages.error(error)),
    detailOf(error),
    details.length > 0 &&
      h(
        "ul",
        {},
        details
          .slice(0, 20)
          .map((detail) =>
            h(
              "li",
              {},
              detail.location?.line ? `${t("line", { line: detail.location.line })}${t("colon")}` : "",
              detail.message === error.message && !messages.errorDetail(error)
                ? messages.error(error)
                : h("span", { lang: "en" }, detail.message),
            ),
          ),
      ),
  );
}

/** Begins an attempt to fill a place. */
const fillings = new WeakMap();

/**
 * Fills `place` with what `read` answers: a skeleton first, then the content, or the failure with another try. An answer
 * that comes after the place is being filled anew, as with another period, is dropped.
 */
export async function filled(place, read, show, height) {
  if (!fillings.has(place)) fillings.set(place, attempts());
  const attempt = async () => {
    const isNewest = fillings.get(place)();
    place.replaceChildren(loading(height));
    try {
      const answer = await read();
      if (!isNewest()) return;
      place.replaceChildren();
      show(answer, place);
    } catch (error) {
      if (error.name !== "AbortError" && isNewest()) place.replaceChildren(failure(error, attempt));
    }
  };
  await attempt();
}
