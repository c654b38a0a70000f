// The fields of a rule that is circled.

import { may } from "../core/api.js";
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { t } from "../core/strings.js";
import { field, segmented, textInput } from "../widgets/controls.js";

/**
 * `changed` is called for each input, `kindChanged` for another kind. `save(button)` is called with the button that
 * was pressed; `saved` is the node for what came of it.
 */
export function ruleForm({ input, changed, kindChanged, save, saved }) {
  const { form } = input;
  const written = (key, more) => textInput(form[key], (value) => input.set(key, value), more);
  const submit = h(
    "button",
    { class: "button accent", type: "submit" },
    icon("circle", 17),
    t(input.editing ? "save_changes" : "save_draft"),
  );
  const mayWrite = may("author");
  submit.disabled = !mayWrite;
  const emit = field(
    t("emit"),
    written("emit", { placeholder: form.id, spellcheck: "false", class: "mono" }),
    t("emit_help"),
  );
  emit.hidden = form.kind === "exclude";
  const node = h(
    "form",
    { class: "section", "aria-label": t("the_rule") },
    h("h3", {}, t("the_rule")),
    segmented({
      label: t("kind"),
      hideLabel: true,
      value: form.kind,
      options: [
        ["include", t("include")],
        ["exclude", t("exclude")],
      ],
      change: (kind) => {
        input.set("kind", kind);
        emit.hidden = kind === "exclude";
        kindChanged();
      },
    }),
    h(
      "div",
      { class: "fields" },
      field(t("rule_id"), written("id", { required: true, spellcheck: "false", class: "mono" })),
      field(t("rule_name"), written("name")),
    ),
    h(
      "details",
      { open: Boolean(form.description || form.owner || form.tags) },
      h("summary", { class: "small" }, t("more_fields")),
      h(
        "div",
        { class: "stack" },
        field(t("description"), written("description", { placeholder: t("description_hint") })),
        h(
          "div",
          { class: "fields" },
          field(t("owner"), written("owner")),
          field(t("tags"), written("tags"), t("tags_hint")),
        ),
      ),
    ),
    emit,
    h("div", { class: "row wrap" }, submit, !mayWrite && h("span", { class: "muted small" }, t("may_not_write"))),
    saved,
  );
  // After the listeners of the fields, which set what they say.
  node.addEventListener("input", changed);
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    save(submit);
  });
  return node;
}
