// Short messages at the corner, read out by screen readers.

import { h, put } from "../core/dom.js";
import { t } from "../core/strings.js";
import { refusal } from "./states.js";

/** Says `text` for some seconds, with an action where one is given: `{label, run}`. */
export function toast(text, action) {
  const node = h(
    "div",
    { class: "toast" },
    h("span", { class: "spring" }, text),
    action &&
      h(
        "button",
        {
          class: "button small",
          onclick: () => {
            node.remove();
            action.run();
          },
        },
        action.label,
      ),
  );
  document.getElementById("toasts").append(node);
  setTimeout(() => node.remove(), action ? 9000 : 4500);
}

/** Shows a failure until somebody has read it. */
export function complain(...content) {
  const node = h(
    "div",
    { class: "toast bad" },
    h("div", { class: "spring" }, content),
    h("button", { class: "button small", type: "button", onclick: () => node.remove() }, t("ok")),
  );
  document.getElementById("toasts").append(node);
}

/** Shows a refusal in its place, or, if that is gone meanwhile, until somebody has read it. */
export function complainIn(place, error) {
  if (place.isConnected) put(place, refusal(error));
  // Without a session, the page asks for one.
  else if (error.status !== 401) complain(refusal(error));
}
