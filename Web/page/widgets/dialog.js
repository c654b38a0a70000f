// A dialog that keeps the keyboard inside and gives it back.

import * as messages from "../core/messages.js";
import { h, put, uniqueID } from "../core/dom.js";
import { t } from "../core/strings.js";
import { detailOf, refusal } from "./states.js";
import { complain } from "./toast.js";

/**
 * Asks for a confirmation. `run` gets the dialog's form data; where it throws, the dialog stays open and says why.
 * `fields` are nodes of the form.
 */
export function ask({ title, fields = [], confirm, danger = false, run }) {
  const id = uniqueID("dialog");
  const problem = h("p", { class: "notice bad", role: "alert", hidden: true });
  const button = h("button", { class: `button ${danger ? "accent" : "primary"}`, type: "submit" }, confirm ?? t("ok"));
  const form = h(
    "form",
    { class: "dialog-body", method: "dialog" },
    h("h2", { id }, title),
    fields,
    problem,
    h(
      "div",
      { class: "dialog-foot" },
      h("button", { class: "button", type: "button", onclick: () => dialog.close() }, t("cancel")),
      button,
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // Keys in a table submit the form without its button, even while the first submission is awaited.
    if (button.disabled) return;
    button.disabled = true;
    try {
      await run(new FormData(form));
      dialog.close();
    } catch (error) {
      put(problem, messages.error(error), detailOf(error));
      problem.hidden = false;
      // A dialog that was closed meanwhile says nothing any more. Without a session, the page asks for one.
      if (!dialog.open && error.status !== 401) complain(refusal(error));
    }
    button.disabled = false;
  });
  const dialog = h("dialog", { "aria-labelledby": id }, form);
  dialog.addEventListener("close", () => {
    dialog.remove();
    // If the control that opened the dialog has been redrawn, the focus goes to the view, not to the navigation.
    if (document.activeElement === document.body) document.getElementById("content")?.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes the question, for example when its view is left. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}
