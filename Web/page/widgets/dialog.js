// A dialog that keeps the keyboard inside and gives it back.

import * as messages from "../core/messages.js";
import { focusView, h, put, uniqueID, whileDisabled } from "../core/dom.js";
import { t } from "../core/strings.js";
import { keepUnsaved, unsaved } from "../core/unsaved.js";
import { detailOf, refusal, unsavedNotice } from "./states.js";
import { complain } from "./toast.js";

/**
 * Asks for a confirmation. `run` gets the dialog's form data; where it throws, the dialog stays open and says why.
 * `fields` are nodes of the form. The tab keeps what is written in them under `key`, until the person cancels or it is
 * saved: the session may end meanwhile.
 */
export function ask({ title, fields = [], key = null, confirm, danger = false, run }) {
  const id = uniqueID("dialog");
  const problem = h("p", { class: "notice bad", role: "alert", hidden: true });
  const button = h("button", { class: `button ${danger ? "accent" : "primary"}`, type: "submit" }, confirm ?? t("ok"));
  const remembered = h("div", {});
  const form = h(
    "form",
    { class: "dialog-body", method: "dialog" },
    h("h2", { id }, title),
    fields,
    remembered,
    problem,
    h(
      "div",
      { class: "dialog-foot" },
      h("button", { class: "button", type: "button", onclick: () => dialog.close() }, t("cancel")),
      button,
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // Keys in a table submit the form without its button, even while the first submission is awaited.
    if (!button.disabled) whileDisabled(button, submit);
  });
  const submit = async () => {
    try {
      await run(new FormData(form));
      // The view may have been drawn anew, which closes the dialog as if nothing were saved.
      if (key) keepUnsaved(key, null);
      dialog.close();
    } catch (error) {
      put(problem, messages.error(error), detailOf(error));
      problem.hidden = false;
      // A dialog that was closed meanwhile says nothing any more. Without a session, the page asks for one.
      if (!dialog.open && error.status !== 401) complain(refusal(error));
    }
  };
  const dialog = h("dialog", { "aria-labelledby": id }, form);
  if (key) keepInput(key, form, remembered);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (key && dialog.returnValue !== left) keepUnsaved(key, null);
    // If the control that opened the dialog has been redrawn, the focus goes to the view, not to the navigation.
    focusView();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const left = "left";

/** Closes the question, for example when its view is left. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close(left);
}

/** Keeps what is written in a form under `key`, and begins with what is kept there. */
function keepInput(key, form, remembered) {
  const controls = [...form.elements].filter((control) => control.matches("input, select, textarea"));
  const property = (control) => (["checkbox", "radio"].includes(control.type) ? "checked" : "value");
  const values = () => controls.map((control) => control[property(control)]);
  const write = (written) => {
    for (const [index, control] of controls.entries()) {
      control[property(control)] = written[index];
      // Views listen to what people choose. Of radio buttons, only the chosen one says so.
      if (control.type === "radio" && !control.checked) continue;
      for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true }));
    }
  };
  const initial = values();
  const kept = unsaved(key);
  form.addEventListener("input", () => {
    const written = values();
    keepUnsaved(key, JSON.stringify(written) === JSON.stringify(initial) ? null : written);
  });
  if (!kept) return;
  write(kept);
  put(
    remembered,
    unsavedNotice(() => {
      write(initial);
      put(remembered);
      controls[0].focus();
    }),
  );
}
