// Definitions of another tool: the rules that a file becomes, and the chosen ones as one change of the draft.

import { may, query, request } from "../core/api.js";
import { attempts, h, put, redraw, s, whileDisabled } from "../core/dom.js";
import * as messages from "../core/messages.js";
import { prefs, setPref } from "../core/prefs.js";
import { link } from "../core/router.js";
import { keepDefinitions } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { field, scrollTable } from "../widgets/controls.js";
import { loading, notice, refusal } from "../widgets/states.js";
import { complainIn, toast } from "../widgets/toast.js";

const maximumListed = 1000;
// The largest number of bytes of pictures, as text, that are shown together.
const maximumPictureBytes = 32 << 20;
const kinds = { exact: "good", unverified: "info", narrower: "warn", wider: "warn", skipped: "bad" };
const base = () => `/v1/rulesets/${encodeURIComponent(prefs.ruleset)}/import`;

/** The button that takes a file, and the files that are dropped on `place`; `incoming` shows them. */
export function ruleImportButton(place, incoming, signal, done) {
  let newest = null;
  const read = (file) => {
    if (!file) return;
    newest?.end();
    newest = new RuleImport(file, incoming, done);
    put(incoming, loading(120));
    newest.ask();
  };
  const input = h("input", {
    type: "file",
    accept: ".json,.conf,application/json",
    class: "visually-hidden",
    "aria-label": t("definitions_file"),
    onchange: () => {
      const [file] = input.files;
      input.value = "";
      read(file);
    },
  });
  const mark = (on) => place.classList.toggle("drop", on);
  const listen = (name, action) => place.addEventListener(name, action, { signal });
  listen("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  listen("dragleave", () => mark(false));
  listen("drop", (event) => {
    event.preventDefault();
    mark(false);
    read(event.dataTransfer.files[0]);
  });
  return [
    input,
    h("button", { class: "button small", type: "button", onclick: () => input.click() }, t("definitions_import")),
  ];
}

class RuleImport {
  constructor(file, incoming, done) {
    Object.assign(this, { file, incoming, done });
    this.allow = "";
    this.chosen = new Set();
    /** True once the import is cancelled, saved, or replaced by one of another file: its answers show nothing any more. */
    this.isOver = false;
    this.begin = attempts();
  }

  /** Ends the import, and takes it away if nothing else has taken its place. */
  end() {
    if (!this.isOver) put(this.incoming);
    this.isOver = true;
  }

  /** Asks for the rules that the file becomes, and shows them. Nothing is stored. */
  async ask(allow = "") {
    // Another choice may be made meanwhile, whose answer is the one to show.
    const isNewest = this.begin();
    try {
      // The text is read once: the import is what was shown, even if the file changes meanwhile.
      this.text ??= await this.file.text();
      const answer = await request("POST", base() + query({ allow }), { body: this.text, type: "application/json" });
      if (this.isOver || !isNewest()) return;
      Object.assign(this, { answer, allow });
      const isNew = ({ taken, change }) => taken && (change === "added" || change === "updated");
      this.chosen = new Set(this.answer.definitions.filter(isNew).map((one) => one.rule));
      redraw(this.incoming, () => this.show());
    } catch (error) {
      if (!this.isOver && isNewest()) this.refuse(error);
    }
  }

  /** Says why the rules cannot be shown. What would be saved is still what was shown before. */
  refuse(error) {
    if (this.answer) redraw(this.incoming, () => this.show());
    put(this.answer ? this.said : this.incoming, refusal(error));
  }

  show() {
    const { counts, definitions, settings } = this.answer;
    const isApart = settings && !settings.fit;
    this.said = h("div", { class: "stack" });
    this.button = h("button", { class: "button primary", type: "button", onclick: () => this.keep() });
    const name = this.name?.value ?? definitions[0]?.tool ?? "";
    this.name = isApart && may("publish") && h("input", { type: "text", value: name });
    this.count();
    const words = Object.entries(counts).filter(([, count]) => count > 0);
    const close = () => {
      this.end();
      this.goOn();
    };
    put(
      this.incoming,
      h(
        "section",
        { class: "card rule-import" },
        h("div", { class: "card-head" }, h("h2", {}, t("definitions_title", { name: this.file.name }))),
        h(
          "div",
          { class: "card-body stack" },
          h(
            "p",
            { role: "status" },
            words.map(([word, count]) => `${count} ${t(`definitions_${word}`)}`).join(t("comma")) ||
              t("definitions_none"),
          ),
          definitions.length > 0 && this.table(definitions),
          h(
            "label",
            { class: "row" },
            h("input", {
              type: "checkbox",
              checked: this.allow === "wider",
              onchange: (event) => this.ask(event.target.checked ? "wider" : ""),
            }),
            t("definitions_wider_too"),
          ),
          isApart && notice("warn", t("definitions_apart", { keys: settings.differing.join(", ") })),
          this.name && field(t("definitions_set"), this.name),
          this.said,
          h(
            "div",
            { class: "row wrap" },
            settings && (!isApart || this.name) && this.button,
            h("button", { class: "button", type: "button", onclick: close }, t("cancel")),
          ),
        ),
      ),
    );
  }

  count() {
    this.button.textContent = t("definitions_save", { count: this.chosen.size });
    this.button.disabled = this.chosen.size === 0;
  }

  async keep() {
    await whileDisabled(this.button, () => this.keepChosen());
    this.count();
  }

  async keepChosen() {
    try {
      if (this.name && !this.isMade) await this.makeSet(this.name.value.trim());
      const body = `{"file":${this.text},"keep":${JSON.stringify([...this.chosen])}}`;
      const { rules } = await keepDefinitions(body, query({ allow: this.allow }));
      const held = rules.filter((rule) => rule.change === "conflict").length;
      const count = rules.filter((rule) => rule.change === "added" || rule.change === "updated").length;
      toast(held ? t("definitions_held", { count, held }) : t("definitions_saved", { count }), {
        label: t("review_publish"),
        run: () => {
          location.hash = link("/rules/draft");
        },
      });
      this.end();
      this.done();
      this.goOn();
    } catch (error) {
      complainIn(this.said, error);
    }
  }

  /** Makes a rule set that says what these rules need, and goes on with it. */
  async makeSet(name) {
    await request("PUT", `/v1/rulesets/${encodeURIComponent(name)}${query({ reason: t("definitions_reason") })}`, {
      body: this.answer.settings.text,
      type: "application/yaml",
      headers: { "if-none-match": "*" },
    });
    prefs.ruleset = name;
    this.isMade = true;
  }

  /** Shows the new rule set, if one was made: the whole page is about it. */
  goOn() {
    if (this.isMade) setPref("ruleset", prefs.ruleset);
  }

  /** The picture on which a definition was circled, from the file, with a ring around its element; nothing where there is none. */
  picture({ name, rule, picture }) {
    if (!picture) return false;
    this.parsed ??= JSON.parse(this.text);
    let url = this.parsed;
    for (const key of picture.pointer.split("/").slice(1)) url = url?.[key.replaceAll("~1", "/").replaceAll("~0", "~")];
    const data = typeof url === "string" ? url.slice(url.indexOf(",") + 1) : "";
    if (!data || this.shown + data.length > maximumPictureBytes) return false;
    this.shown += data.length;
    const { width, height, rectangle } = picture;
    return s(
      "svg",
      {
        class: "circled-picture",
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": t("definitions_picture", { name: name || rule }),
      },
      s("image", { href: `data:${picture.type};base64,${data}`, width, height }),
      rectangle && s("rect", { class: "circled-ring", ...rectangle, "vector-effect": "non-scaling-stroke" }),
    );
  }

  table(definitions) {
    this.shown = 0;
    const names = ["definitions_rule", "definitions_result", "definitions_here", "definitions_why"];
    const take = h("span", { class: "visually-hidden" }, t("definitions_take"));
    return scrollTable({
      label: t("definitions_table"),
      heads: [take, ...names.map((name) => t(name))],
      items: definitions,
      line: (one) => this.line(one),
      maximum: maximumListed,
    });
  }

  line(one) {
    const box = h("input", {
      type: "checkbox",
      checked: this.chosen.has(one.rule),
      disabled: !one.taken,
      "aria-label": t("plan_choose", { event: one.name || one.rule }),
      onchange: () => {
        this.chosen[box.checked ? "add" : "delete"](one.rule);
        this.count();
      },
    });
    return h(
      "tr",
      { "data-rule": one.rule, "data-result": one.result },
      h("td", {}, box),
      h(
        "td",
        { class: "wrap-anywhere" },
        h("strong", {}, one.name || one.rule),
        h("br"),
        h("code", { class: "muted small" }, one.rule),
        this.picture(one),
      ),
      h("td", {}, h("span", { class: `badge ${kinds[one.result]}` }, t(`definitions_${one.result}`))),
      h(
        "td",
        { class: "wrap-anywhere" },
        one.change ? t(`definitions_change_${one.problem ? "blocked" : one.change}`) : "",
        one.problem && h("div", { class: "muted small" }, one.problem),
      ),
      h(
        "td",
        { class: "wrap-anywhere small" },
        one.reasons.map((reason) => h("div", {}, messages.definition(reason))),
      ),
    );
  }
}
