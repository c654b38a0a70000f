// The further clauses of a rule that is circled, and how to add one.

import { h, put } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { t } from "../core/strings.js";
import { removeButton } from "../widgets/controls.js";

/** `begin` is called to make the next element that is clicked a further one, `changed` after one has been removed. */
export function furtherClauses({ input, begin, changed }) {
  const hint = h("p", { class: "small muted", role: "status" });
  const add = () => {
    begin();
    put(hint, t("or_too_now"));
  };
  const remove = (one) => {
    input.removeFurther(one);
    changed();
  };
  return h(
    "div",
    { class: "stack tight" },
    input.further.length > 0 && h("span", { class: "label" }, t("or_others")),
    input.further.map((one) =>
      h(
        "div",
        { class: "row" },
        h("span", { class: "ellipsis spring" }, one.name),
        removeButton(t("or_remove", { name: one.name }), () => remove(one)),
      ),
    ),
    h(
      "div",
      { class: "row wrap" },
      h("button", { class: "button small", type: "button", onclick: add }, icon("plus", 14), t("or_too")),
    ),
    hint,
  );
}
