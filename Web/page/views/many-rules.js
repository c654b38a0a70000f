// Many rules of the list at once: owner, tags and status, as one change of the draft.

import { h, put } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { changeRules, rulesNow, tagsOf } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { field, segmented } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { toast } from "../widgets/toast.js";

export class ManyRules {
  /** `shown()` answers the rules of the list, `changed()` is called when it has to be drawn anew, `saved()` once rules are. */
  constructor({ shown, changed, saved }) {
    Object.assign(this, { shown, changed, whenSaved: saved });
    this.isOn = false;
    this.chosen = new Map();
    this.button = h(
      "button",
      { class: "button small", type: "button", "aria-pressed": "false", onclick: () => this.toggle() },
      icon("check", 16),
      t("rules_several"),
    );
    this.bar = h("div", { class: "row wrap", hidden: true });
  }

  toggle() {
    this.isOn = !this.isOn;
    this.chosen.clear();
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.show();
    this.changed();
  }

  /** The box before a rule of the list. */
  box(rule) {
    return h("input", {
      type: "checkbox",
      "aria-label": t("rules_choose", { name: rule.name || rule.id }),
      checked: this.chosen.has(rule.id),
      onchange: (event) => {
        if (event.target.checked) this.chosen.set(rule.id, rule);
        else this.chosen.delete(rule.id);
        this.show();
      },
    });
  }

  show() {
    const choice = (text, rules) =>
      h(
        "button",
        {
          class: "button small",
          type: "button",
          onclick: () => {
            this.chosen = new Map(rules().map((rule) => [rule.id, rule]));
            this.show();
            this.changed();
          },
        },
        text,
      );
    this.bar.hidden = !this.isOn;
    put(
      this.bar,
      h("strong", { "aria-live": "polite" }, t("rules_chosen", { count: this.chosen.size })),
      choice(t("rules_all_shown"), this.shown),
      choice(t("many_none"), () => []),
      h("span", { class: "spring" }),
      h(
        "button",
        { class: "button primary small", type: "button", disabled: !this.chosen.size, onclick: () => this.edit() },
        t("rules_edit_chosen"),
      ),
    );
  }

  edit() {
    const form = { status: "", owner: "", add: "", remove: "" };
    const input = (key, label, help) =>
      field(
        label,
        h("input", {
          type: "text",
          oninput: (event) => {
            form[key] = event.target.value;
          },
        }),
        help,
      );
    ask({
      title: t("rules_edit_title", { count: this.chosen.size }),
      fields: [
        segmented({
          label: t("rules_status"),
          options: [
            ["", t("rules_leave")],
            ["on", t("rules_on")],
            ["off", t("rules_off")],
          ],
          value: "",
          change: (value) => {
            form.status = value;
          },
        }),
        input("owner", t("owner"), t("rules_owner_hint")),
        input("add", t("rules_tags_add"), t("tags_hint")),
        input("remove", t("rules_tags_remove"), t("tags_hint")),
      ],
      key: `rules:${prefs.ruleset}`,
      confirm: t("rules_save_chosen"),
      run: async () => {
        // Others may have changed the rules since they were listed.
        const { known, revision } = await rulesNow();
        const changes = changesOf(
          known.filter((rule) => this.chosen.has(rule.id)),
          form,
        );
        const count = Object.keys(changes).length;
        if (!count) throw new Error(t("rules_nothing_changes"));
        await changeRules(changes, revision);
        toast(t("rules_changed_many", { count }), {
          label: t("review_publish"),
          run: () => {
            location.hash = link("/rules/draft");
          },
        });
        // It may have been ended while the answer was awaited.
        if (this.isOn) this.toggle();
        this.whenSaved();
      },
    });
  }
}

/** The changes of each rule; a rule that already has the values does not change. */
function changesOf(rules, { status, owner, add, remove }) {
  const [added, removed] = [tagsOf(add), new Set(tagsOf(remove))];
  const changes = {};
  for (const rule of rules) {
    const members = {};
    const isOn = rule.enabled !== false;
    if (status && isOn !== (status === "on")) members.enabled = status === "on" ? null : false;
    if (owner.trim() && owner.trim() !== rule.owner) members.owner = owner.trim();
    const before = rule.tags ?? [];
    const tags = [...new Set([...before, ...added])].filter((tag) => !removed.has(tag));
    if (tags.join("\n") !== before.join("\n")) members.tags = tags.length ? tags : null;
    if (Object.keys(members).length) changes[rule.id] = members;
  }
  return changes;
}
