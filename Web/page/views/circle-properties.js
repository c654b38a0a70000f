// The properties that a rule gives its events, and how one is read off another element of the screen.

import { post } from "../core/api.js";
import { h, put } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { t } from "../core/strings.js";
import { field, removeButton, textInput } from "../widgets/controls.js";
import { refusal } from "../widgets/states.js";

export class CircledProperties {
  /**
   * `whenReading` is called with `true` while the next click chooses the element that a property is read from.
   * `changed` is called after a property of the input has changed, `redraw` to show this part anew.
   */
  constructor({ capture, signal, whenReading, changed, redraw }) {
    Object.assign(this, { capture, signal, whenReading, changed, redraw });
    this.isReading = false;
    /** What was read off an element and what is written about it, until it is added. */
    this.draft = null;
    this.node = null;
  }

  setReading(isReading) {
    this.isReading = isReading;
    this.whenReading(isReading);
  }

  /** Forgets what was read off an element and has not been added. */
  drop() {
    this.draft = null;
  }

  /** The part of the panel; null where rules give no properties. */
  part(input, element) {
    this.node = element.isPage || input.form.kind === "exclude" ? null : this.section(input);
    return this.node;
  }

  section(input) {
    const status = h("p", { class: "small muted", role: "status" });
    const begin = () => {
      this.setReading(true);
      put(status, t("read_off_now"));
    };
    const remove = (name) => {
      input.removeProperty(name);
      this.changed();
    };
    return h(
      "section",
      { class: "section", "data-part": "properties", "aria-label": t("given_properties") },
      h("h3", {}, t("given_properties")),
      h("p", { class: "small muted" }, t("given_properties_text")),
      Object.entries(input.properties).map(([name, property]) =>
        h(
          "div",
          { class: "row" },
          h("strong", {}, name),
          h("span", { class: "mono small ellipsis spring" }, asSource(property)),
          removeButton(t("property_remove", { name }), () => remove(name)),
        ),
      ),
      this.draft
        ? this.form(input)
        : h("button", { class: "button small", type: "button", onclick: begin }, icon("plus", 14), t("read_off")),
      status,
    );
  }

  /** Names the element `other`, which was clicked, from the one that is circled. */
  async readOff(other, element, isCurrent) {
    this.setReading(false);
    try {
      const { selector, text } = await post(
        "/v1/relative",
        {
          capture: this.capture.id,
          element: element.element,
          other: other.element,
          ruleset: prefs.ruleset,
          draft: true,
        },
        { signal: this.signal },
      );
      if (!isCurrent()) return;
      this.draft = { selector, text, name: "", extract: "", isNumber: false };
      this.redraw();
      this.node?.querySelector('[data-key="property-name"]')?.focus();
    } catch (error) {
      if (error.name === "AbortError" || !isCurrent()) return;
      this.redraw();
      this.node?.querySelector('[role="status"]')?.replaceWith(refusal(error));
    }
  }

  form(input) {
    const { draft } = this;
    const written = (key, more) =>
      textInput(
        draft[key],
        (value) => {
          draft[key] = value;
        },
        { spellcheck: "false", ...more },
      );
    const cancel = () => {
      this.drop();
      this.redraw();
    };
    const node = h(
      "form",
      { class: "stack tight", "aria-label": t("read_off") },
      h("p", { class: "small" }, draft.text ? t("read_off_text", { text: draft.text }) : t("read_off_nothing")),
      field(t("property_name"), written("name", { required: true, pattern: "[^$].*", "data-key": "property-name" })),
      field(t("property_extract"), written("extract", { class: "mono" }), t("property_extract_hint")),
      h(
        "label",
        { class: "row small" },
        h("input", {
          type: "checkbox",
          checked: draft.isNumber,
          onchange: (event) => {
            draft.isNumber = event.target.checked;
          },
        }),
        t("property_number"),
      ),
      h(
        "div",
        { class: "row wrap" },
        h("button", { class: "button small primary", type: "submit" }, t("property_add")),
        h("button", { class: "button small", type: "button", onclick: cancel }, t("property_cancel")),
      ),
    );
    node.addEventListener("submit", (event) => {
      event.preventDefault();
      const property = { element: draft.selector };
      if (draft.extract.trim()) property.extract = draft.extract.trim();
      if (draft.isNumber) property.type = "number";
      input.setProperty(draft.name.trim(), property);
      this.drop();
      this.changed();
    });
    return node;
  }
}

/** The source of a property, in a few words. */
const asSource = (property) =>
  property === null || typeof property !== "object"
    ? String(property)
    : Object.entries(property)
        .map(([key, value]) => `${key}: ${value}`)
        .join(", ");
