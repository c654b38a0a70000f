// Controls that several views use.

import { sessionGoesOn } from "../core/api.js";
import { h, uniqueID } from "../core/dom.js";
import { number } from "../core/format.js";
import { icon } from "../core/icons.js";
import { t } from "../core/strings.js";
import { refusal } from "./states.js";
import { complain, toast } from "./toast.js";

/**
 * A choice of few: radio buttons that look like one control. `options`: `[value, title]` pairs, perhaps with a
 * count.
 */
export function segmented({ label, options, value, change, accent = false, hideLabel = false }) {
  const name = uniqueID("choice");
  return h(
    "fieldset",
    {},
    h("legend", { class: hideLabel ? "visually-hidden" : null }, label),
    h(
      "div",
      { class: `segmented${accent ? " accent" : ""}` },
      options.map(([key, title, count]) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => change(key) }),
          h("span", {}, title),
          count !== undefined && count !== null && h("span", { class: "count number" }, number(count)),
        ),
      ),
    ),
  );
}

/** An input for a text. `change(text)` is called for each input. */
export const textInput = (value, change, more) =>
  h("input", { value, oninput: (event) => change(event.target.value), ...more });

/** A labelled field. */
export function field(label, control, help) {
  const id = control.id || uniqueID("field");
  control.id = id;
  if (help) control.setAttribute("aria-describedby", `${id}-help`);
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    control,
    help && h("span", { class: "help", id: `${id}-help` }, help),
  );
}

/** Refuses what is too long for the service, which counts bytes and not characters, before the form is sent. */
export function limitBytes(control, maximum) {
  const check = () => {
    const isLonger = new TextEncoder().encode(control.value.trim()).length > maximum;
    control.setCustomValidity(isLonger ? t("too_many_bytes", { count: maximum }) : "");
  };
  control.addEventListener("input", check);
  return control;
}

/** Shows the fault of a field beneath it, until the next input. */
export function fieldProblem(control, message) {
  clearProblem(control);
  const id = `${control.id}-problem`;
  control.after(h("span", { class: "problem", id, role: "alert" }, message));
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-errormessage", id);
  control.addEventListener("input", () => clearProblem(control), { once: true });
  control.focus();
}

function clearProblem(control) {
  document.getElementById(`${control.id}-problem`)?.remove();
  control.removeAttribute("aria-invalid");
  control.removeAttribute("aria-errormessage");
}

export const searchField = (label, value, change) =>
  h(
    "div",
    { class: "search" },
    icon("search"),
    h("input", {
      type: "search",
      "aria-label": label,
      placeholder: label,
      value: value ?? "",
      oninput: (event) => change(event.target.value),
    }),
  );

/** A text with a button that copies it. */
export function copyable(text, shown = text) {
  return h("span", { class: "row" }, h("code", { class: "ellipsis", title: text }, shown), copyButton(text));
}

export const copyButton = (text) =>
  h(
    "button",
    {
      class: "button quiet small icon-only",
      type: "button",
      "aria-label": t("copy"),
      title: t("copy"),
      onclick: () => copy(text),
    },
    icon("copy", 16),
  );

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without HTTPS there is no clipboard: a selection in a field still can be copied.
    const box = h("textarea", { value: text, class: "visually-hidden" });
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
  toast(t("copied"));
}

/** A small cross that removes a line of a list. */
export const removeButton = (label, remove) =>
  h(
    "button",
    { class: "button quiet small icon-only", type: "button", "aria-label": label, title: label, onclick: remove },
    icon("cross", 14),
  );

/** A link to a file of the service, which is saved as `name`. */
export const downloadLink = (href, name, ...children) =>
  h("a", { class: "button small", href, download: name, onclick: download }, children);

async function download(event) {
  event.preventDefault();
  const { href, download } = event.currentTarget;
  try {
    // If the session has ended, the browser would save the refusal as the file.
    if (await sessionGoesOn()) h("a", { href, download }).click();
  } catch (error) {
    complain(refusal(error));
  }
}

/** A select; `options`: `[value, title]` pairs. */
export const select = (options, value, change, label) =>
  h(
    "select",
    { "aria-label": label, onchange: (event) => change(event.target.value) },
    options.map(([key, title]) => h("option", { value: key, selected: key === value }, title)),
  );

/** The decision about an event as a badge. */
export function decisionBadge(event) {
  if (event.selected) return h("span", { class: "badge good" }, icon("check", 13), t("selected"));
  if (event.excluded_by?.length) return h("span", { class: "badge warn" }, t("excluded"));
  return h("span", { class: "badge" }, t("not_selected"));
}

/** A table that scrolls inside its frame, with the first `maximum` items. `line(item)` makes a row, or several. */
export function scrollTable({ label, heads, items, line, maximum }) {
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head) => h("th", {}, head)),
        ),
      ),
      h("tbody", {}, items.slice(0, maximum).map(line)),
    ),
    moreLine(items.length - maximum),
  );
}

/** Says beneath a list how many more there are than it has, if there are any. */
export const moreLine = (count, tag = "p") =>
  count > 0 && h(tag, { class: "muted" }, t("plan_more", { count: number(count) }));
