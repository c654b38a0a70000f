// Many elements of a screen at once: which are chosen, how their rules are named, and the way to the table of them.

import { may } from "../core/api.js";
import { h, put, whileDisabled } from "../core/dom.js";
import { elementName, number } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs, setPref } from "../core/prefs.js";
import { Proposals, standardNames, wordsOf } from "../core/proposals.js";
import { link } from "../core/router.js";
import { has, t } from "../core/strings.js";
import { field, fieldProblem } from "../widgets/controls.js";
import { detailOf, notice, refusal } from "../widgets/states.js";
import { virtualList } from "../widgets/virtual-list.js";
import { proposalTable } from "./proposal-table.js";

const lineHeight = 34;

export class ManyPanel {
  /** `chosen`: the choice, which the picture shows as well; `circled`: the rules about the screen. */
  constructor({ capture, chosen, circled, hover, signal }) {
    Object.assign(this, { capture, chosen, circled, hover, signal });
    this.list = virtualList({
      height: lineHeight,
      label: t("many_list"),
      row: (element) => this.line(element),
    });
    this.list.node.classList.add("many-list");
    this.count = h("strong", { "aria-live": "polite" });
    this.names = h("input", { type: "text", value: prefs.names, placeholder: standardNames, spellcheck: "false" });
    this.words = h("textarea", { rows: "4", value: prefs.words, spellcheck: "false", placeholder: "首页: home" });
    this.names.addEventListener("change", () => setPref("names", this.names.value.trim()));
    this.words.addEventListener("change", () => setPref("words", this.words.value));
    this.below = h("div", { class: "stack tight" });
    this.goOn = h("span", {});
    this.proposeButton = h(
      "button",
      { class: "button primary", type: "button", onclick: () => this.propose() },
      icon("circle", 16),
      t("many_propose"),
    );
    this.node = h("div", { class: "many-panel stack" }, this.parts());
    chosen.whenChanged(() => this.showChosen());
    this.showChosen();
    this.showKept();
  }

  parts() {
    const choice = (text, elements) =>
      h("button", { class: "button small", type: "button", onclick: () => this.chosen.set(elements()) }, text);
    return [
      h(
        "div",
        { class: "row wrap" },
        this.count,
        h("span", { class: "spring" }),
        choice(t("many_all"), () => this.chosen.all),
        choice(t("many_none"), () => []),
      ),
      h("p", { class: "muted small" }, t("many_hint")),
      this.list.node,
      may("author") && [
        h(
          "details",
          { class: "stack tight", open: Boolean(prefs.names || prefs.words) },
          h("summary", {}, h("strong", {}, t("many_naming"))),
          field(t("many_names"), this.names, t("many_names_hint")),
          field(t("many_words"), this.words, t("many_words_hint")),
        ),
        h("div", { class: "row wrap" }, this.proposeButton, this.goOn),
      ],
      this.below,
    ];
  }

  /** Shows the list; its height is known only then. */
  shown() {
    this.list.set(this.chosen.all);
  }

  line(element) {
    const rule = this.circled.of(element.element)[0];
    return h(
      "label",
      { onpointerenter: () => this.hover(element), onpointerleave: () => this.hover(null) },
      h("input", {
        type: "checkbox",
        "data-element": element.element,
        checked: this.chosen.has(element.element),
        onchange: () => this.chosen.toggle(element),
      }),
      h("span", { class: "ellipsis spring" }, elementName(element).slice(0, 80)),
      rule && h("span", { class: "badge good" }, t("many_circled")),
      h("span", { class: "muted small nowrap" }, typeName(element)),
    );
  }

  showChosen() {
    for (const box of this.list.node.querySelectorAll("input"))
      box.checked = this.chosen.has(Number(box.dataset.element));
    this.count.textContent = t("many_count", { count: this.chosen.size, of: number(this.chosen.all.length) });
    this.proposeButton.disabled = this.chosen.size === 0;
  }

  /** Shows anew which elements rules are about. */
  circledChanged() {
    this.list.set(this.chosen.all);
  }

  // MARK: Rules

  async propose() {
    const { words, wrong } = wordsOf(this.words.value);
    if (wrong.length) {
      this.words.closest("details").open = true;
      fieldProblem(this.words, t("many_words_wrong", { line: wrong[0] }));
      return;
    }
    setPref("names", this.names.value.trim());
    setPref("words", this.words.value);
    let proposals = null;
    await whileDisabled(this.proposeButton, async () => {
      proposals = await this.readProposals(words);
    });
    this.proposeButton.disabled = this.chosen.size === 0;
    if (proposals) this.showTable(proposals);
  }

  /** Returns null after a failure, which it shows. */
  async readProposals(words) {
    put(this.below);
    try {
      return await Proposals.read({
        capture: this.capture.id,
        elements: [...this.chosen.numbers],
        names: prefs.names || standardNames,
        words,
        signal: this.signal,
      });
    } catch (error) {
      if (error.name !== "AbortError") put(this.below, refusal(error));
      return null;
    }
  }

  showTable(proposals) {
    if (!proposals.rows.length) {
      put(this.below, notice("", t("many_nothing")));
      return;
    }
    const dialog = proposalTable(proposals, (answer) => this.saved(proposals.chosen.length, answer));
    dialog.addEventListener("close", () => this.showKept());
  }

  /** Offers what was edited and not saved. */
  showKept() {
    const kept = Proposals.kept(this.capture.id);
    put(
      this.goOn,
      kept &&
        h(
          "button",
          { class: "button", type: "button", onclick: () => this.showTable(kept) },
          t("many_go_on", { count: kept.rows.length }),
        ),
    );
  }

  saved(count, answer) {
    const [error] = answer.errors ?? [];
    put(
      this.below,
      notice(
        error ? "warn" : "good",
        error ? [messages.error(error), detailOf(error)] : t("many_saved", { count }),
        h("div", { class: "row" }, h("a", { class: "button small", href: link("/rules/draft") }, t("review_publish"))),
      ),
    );
    this.chosen.set([]);
  }
}

const typeName = ({ type }) => (type ? (has(`type_${type}`) ? t(`type_${type}`) : type) : "");
