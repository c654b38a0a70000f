// The head of a view: the way back, its title, its subject, and at its end the actions on the whole view.

import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { link } from "../core/router.js";
import { t } from "../core/strings.js";
import { periodPicker } from "./period.js";

/**
 * `back`: the address of the view above, and the key of its name. `about` stands behind the title. `period` is called
 * once another period has been chosen; without it there is no choice. `tools` are at the end.
 */
export function viewHead({ title, back, about, period, tools }) {
  const [address, name] = back ?? [];
  return h(
    "div",
    { class: "view-head" },
    back &&
      h(
        "a",
        { class: "button quiet icon-only", href: link(address), "aria-label": t(name), title: t(name) },
        icon("back"),
      ),
    h("h1", { class: "wrap-anywhere" }, title),
    about,
    h("span", { class: "spring" }),
    period && periodPicker(period),
    tools,
  );
}
