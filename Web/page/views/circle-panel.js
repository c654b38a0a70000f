// Circles: chips that widen and narrow, suggestions, counts, and the rule that comes of it.

import { may, post } from "../core/api.js";
import { debounced, h, put } from "../core/dom.js";
import { number, percent, short } from "../core/format.js";
import { icon } from "../core/icons.js";
import { link } from "../core/router.js";
import { prefs } from "../core/prefs.js";
import { addRule, changeRule, checkedRules, draftOrPublished, draftRule, freeID, ruleSets } from "../core/rulesets.js";
import { has, t } from "../core/strings.js";
import { field, segmented } from "../widgets/controls.js";
import { explanation } from "../widgets/explanation.js";
import { findingsList } from "../widgets/findings.js";
import { loading, notice, refusal } from "../widgets/states.js";
import { elementHead, propertyList } from "./element-details.js";

export class CirclePanel {
  /** `matches` gets the numbers of the elements on this capture that the clause selects. */
  /** `capture` may be a screen of a running app; `saved` is called once a rule has been saved. */
  constructor({ capture, matches, signal, saved = () => {} }) {
    Object.assign(this, { capture, matches, signal, whenSaved: saved });
    this.node = h("div", { class: "circle-panel" });
    this.count = debounced(120, () => this.countMatches());
    this.select(null);
  }

  async select(element) {
    this.element = element;
    this.turn = (this.turn ?? 0) + 1;
    if (!element) {
      this.matches([]);
      put(this.node, h("div", { class: "hint" }, icon("circle", 34), h("p", {}, t("choose_element")), h("p", { class: "small" }, t("choose_element_text"))));
      return;
    }
    this.busy(true);
    this.choices = {};
    this.form = { kind: "include", id: proposedID(element, this.capture), name: (element.content ?? "").trim().slice(0, 40), description: "", emit: "" };
    put(this.node, elementHead(element), loading(90, 2));
    this.seen = null;
    const turn = this.turn;
    try {
      this.form.id = await freeID(this.form.id, { signal: this.signal });
    } catch (error) {
      if (error.name === "AbortError") return;
      // Saving says whether there is such a rule.
    }
    if (turn === this.turn) await this.readChips();
  }

  async readChips() {
    const turn = this.turn;
    try {
      const body = { capture: this.capture.id, element: this.element.element, ruleset: prefs.ruleset, draft: true };
      if (Object.keys(this.choices).length) body.choices = this.choices;
      const answer = await post("/v1/chips", body, { signal: this.signal });
      if (turn !== this.turn) return;
      this.clause = answer.clause;
      this.told = answer.told;
      this.chips = answer.chips ?? [];
      this.suggestions = answer.suggestions ?? [];
      if (!this.suggestions.length) await this.readSuggestions(turn);
      this.show();
    } catch (error) {
      if (error.name !== "AbortError" && turn === this.turn) {
        put(this.node, elementHead(this.element), refusal(error));
        this.busy(false);
      }
    }
  }

  async readSuggestions(turn) {
    const answer = await post("/v1/suggest", { capture: this.capture.id, element: this.element.element, limit: 5, ruleset: prefs.ruleset, draft: true }, { signal: this.signal });
    if (turn === this.turn) this.suggestions = answer.suggestions ?? [];
  }

  show() {
    const focused = this.node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.counts = h("div", { class: "counts", "aria-live": "polite" });
    this.selectorBox = h("textarea", { rows: 2, spellcheck: "false", class: "mono", value: asText(this.clause.selector), oninput: (event) => this.editSelector(event.target.value) });
    this.selectorProblem = h("div", {});
    this.saved = h("div", {});
    this.suggestionList = h("div", { class: "stack tight" });
    this.showSuggestions();
    put(this.node, elementHead(this.element),
      h("div", { class: "section" }, h("h3", {}, t("what_counts")), this.chipRows(), this.counts, this.toldLine()),
      h("div", { class: "section" }, this.pathLine(), field(t("selector"), this.selectorBox), this.selectorProblem,
        h("details", {}, h("summary", {}, t("suggestions", { count: this.suggestions.length })), this.suggestionList)),
      this.ruleForm(),
      this.tryPart());
    if (focused) this.node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    this.count();
  }

  /** Whether what is shown still waits for the service. */
  busy(isBusy) {
    this.node.setAttribute("aria-busy", String(isBusy));
  }

  /** The path that is compared as it is sent, where the clause has no selector. */
  pathLine() {
    const path = this.clause.selector === undefined ? this.clause.where?.$element_path?.equals : null;
    return path ? h("div", { class: "stack tight" }, h("span", { class: "label" }, t("path_as_sent")), h("code", { class: "wrap-anywhere small" }, path)) : null;
  }

  /** Whether the app can be told of the rule, where the element is one of an app that could be. */
  toldLine() {
    if (!this.capture.connected || !this.told) return null;
    return h("p", { class: "small muted" }, this.told.possible ? t("told_possible") : t("told_impossible", { reason: this.told.reason ?? "" }));
  }

  chipRows() {
    const rows = h("div", { class: "chips" });
    for (const chip of this.chips) {
      const title = has(`chip_${chip.id}`) ? t(`chip_${chip.id}`) : chip.title;
      rows.append(h("div", { class: "chip-row", role: "group", "aria-label": title }, h("span", { class: "label", "aria-hidden": "true" }, title),
        this.chipOptions(chip, title)));
    }
    return rows;
  }

  chipOptions(chip, title) {
    const node = segmented({
      label: title, hideLabel: true, accent: true, value: chip.value,
      options: (chip.options ?? []).map((option) => [option.value, has(`chip_${chip.id}_${option.value}`) ? t(`chip_${chip.id}_${option.value}`) : option.title, option.total]),
      change: (value) => {
        this.busy(true);
        this.choices = { ...Object.fromEntries(this.chips.map((one) => [one.id, one.value])), [chip.id]: value };
        this.readChips();
      },
    });
    for (const input of node.querySelectorAll("input")) input.dataset.key = `chip-${chip.id}-${input.value}`;
    return node;
  }

  showSuggestions() {
    put(this.suggestionList, this.suggestions.map((one) => {
      const level = one.stability >= 75 ? "" : one.stability >= 50 ? "middling" : "low";
      return h("div", {},
        h("button", { class: "suggestion", type: "button", "aria-pressed": String(nameOf(this.clause) === nameOf(one.clause ?? one)), onclick: () => this.take(one) },
          h("span", { class: "selector" }, nameOf(one.clause ?? one)), h("br", {}),
          h("span", { class: "small muted" }, one.summary), " ",
          h("span", { class: "small nowrap" }, h("span", { class: `stability ${level}`, "aria-hidden": "true" }, h("i", { style: { width: `${one.stability}%` } })), ` ${t("stability", { points: one.stability })}`)),
        one.reasons?.length > 0 && h("details", { class: "small muted" }, h("summary", {}, t("why")), h("ul", {}, one.reasons.map((reason) => h("li", {}, `−${Math.abs(reason.points ?? 0)} ${reason.text}`)))));
    }));
  }

  /** Takes a suggested selector in place of the present one; other parts of the clause stay. */
  take(suggestion) {
    this.clause = suggestion.clause ?? { ...this.clause, selector: suggestion.selector, ...(suggestion.page ? { page: suggestion.page } : {}) };
    this.selectorBox.value = asText(this.clause.selector);
    this.showSuggestions();
    this.count();
  }

  editSelector(text) {
    this.clause = { ...this.clause, selector: text.trim() };
    if (!text.trim()) delete this.clause.selector;
    this.count();
  }

  async countMatches() {
    const turn = (this.countTurn = (this.countTurn ?? 0) + 1);
    this.busy(true);
    try {
      const body = { clause: this.clause, ruleset: prefs.ruleset, draft: true, capture: this.capture.id };
      const answer = await post("/v1/select", body, { signal: this.signal });
      if (turn !== this.countTurn) return;
      put(this.selectorProblem);
      this.matches(answer.here ?? []);
      this.showCounts(answer);
    } catch (error) {
      if (error.name === "AbortError" || turn !== this.countTurn) return;
      this.matches([]);
      put(this.counts);
      put(this.selectorProblem, refusal(error));
    }
    this.busy(false);
  }

  showCounts({ here = [], captures = [], total, captures_searched: searched, events }) {
    // What an exclusion of the draft takes away does not count; a rule that excludes itself takes all of it.
    const excluded = this.form.kind === "exclude" ? 0 : events?.excluded ?? 0;
    const inEvents = events ? events.count - excluded : null;
    const others = captures.filter((one) => one.id !== this.capture.id);
    put(this.counts,
      h("div", {}, h("strong", {}, number(here.length)), h("span", { class: "small muted" }, t("matches_here"))),
      h("div", {}, h("strong", {}, number(total)), h("span", { class: "small muted" }, t("matches_all", { screens: captures.length, of: searched }))),
      h("div", {}, h("strong", { title: number(inEvents) }, short(inEvents)),
        h("span", { class: "small muted" }, inEvents === null ? t("no_events_yet") : t("matches_events", { days: events.days, share: percent(events.of ? inEvents / events.of : 0) }))),
      excluded > 0 && h("p", { class: "small muted" }, t("excluded_more", { count: excluded })));
    this.others?.remove();
    if (!others.length) return;
    this.others = h("details", { class: "small" }, h("summary", {}, t("also_on", { count: others.length })),
      h("ul", { class: "divide" }, others.slice(0, 20).map((one) => h("li", {}, h("a", { href: link(`/screen/${one.id}`, { element: one.elements[0] }) },
        [one.name || one.page, one.app_version && `v${one.app_version}`].filter(Boolean).join(" · ")), ` (${one.elements.length})`))));
    this.counts.after(this.others);
  }

  ruleForm() {
    const form = this.form;
    const id = h("input", { value: form.id, required: true, spellcheck: "false", class: "mono", oninput: (event) => { form.id = event.target.value; } });
    const submit = h("button", { class: "button accent", type: "submit" }, icon("circle", 17), t("save_draft"));
    const mayWrite = may("author");
    submit.disabled = !mayWrite;
    const node = h("form", { class: "section", "aria-label": t("the_rule") },
      h("h3", {}, t("the_rule")),
      segmented({ label: t("kind"), hideLabel: true, value: form.kind, options: [["include", t("include")], ["exclude", t("exclude")]], change: (kind) => { form.kind = kind; emit.hidden = kind === "exclude"; } }),
      h("div", { class: "fields" }, field(t("rule_id"), id),
        field(t("rule_name"), h("input", { value: form.name, oninput: (event) => { form.name = event.target.value; } }))),
      field(t("description"), h("input", { value: form.description, placeholder: t("description_hint"), oninput: (event) => { form.description = event.target.value; } })));
    const emit = field(t("emit"), h("input", { value: form.emit, placeholder: form.id, spellcheck: "false", class: "mono", oninput: (event) => { form.emit = event.target.value; } }), t("emit_help"));
    emit.hidden = form.kind === "exclude";
    node.append(emit, h("div", { class: "row wrap" }, submit, !mayWrite && h("span", { class: "muted small" }, t("may_not_write"))), this.saved);
    node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save(submit);
    });
    return node;
  }

  rule() {
    const { kind, name, description, emit } = this.form;
    const rule = { [kind]: this.clause };
    if (name.trim()) rule.name = name.trim();
    if (description.trim()) rule.description = description.trim();
    if (emit.trim() && kind === "include") rule.emit = emit.trim();
    return rule;
  }

  async save(button) {
    button.disabled = true;
    put(this.saved, loading(40));
    const id = this.form.id.trim();
    try {
      // A rule that is there already keeps what is not shown here: its owner, tags, days and exceptions.
      const etag = this.seen?.id === id ? this.seen.etag : null;
      this.seen = { id, etag: etag ? await changeRule(id, this.changes(), etag) : await addRule(id, this.rule()) };
      await this.whenSaved(id);
      this.findings = h("div", { class: "stack tight" });
      put(this.saved, notice("good", h("strong", {}, t("saved_draft", { id })),
        h("div", { class: "row" }, h("a", { class: "button small primary", href: link("/rules/draft") }, t("review_publish")), h("a", { class: "button small", href: link(`/rule/${encodeURIComponent(id)}`) }, t("open_rule")))), this.findings);
      this.checkRule(id);
    } catch (error) {
      if (error.status === 412) await this.showConflict(id, button);
      else put(this.saved, refusal(error));
    }
    button.disabled = false;
  }

  /** The members that this panel writes into a rule that exists. */
  changes() {
    const rule = this.rule();
    return this.form.kind === "exclude" ? { ...rule, include: null, emit: null } : { ...rule, exclude: null };
  }

  /** What another rule of this id selects, and what this one would, until somebody chooses. */
  async showConflict(id, button) {
    try {
      const { rule, etag } = await draftRule(id);
      const replace = () => {
        this.seen = { id, etag };
        this.save(button);
      };
      const side = (title, clauses) => h("div", {}, h("strong", {}, title), [clauses].flat().map((clause) => propertyList(clause)));
      put(this.saved, notice("warn", h("strong", {}, t("rule_exists", { id })), rule.name && h("p", {}, rule.name),
        side(t("theirs"), rule.exclude ?? rule.include ?? {}), side(t("mine"), this.clause),
        h("p", { class: "small muted" }, t("replace_keeps")),
        h("div", { class: "row" }, h("button", { class: "button small", type: "button", onclick: replace }, t("replace_rule")))));
    } catch (error) {
      put(this.saved, refusal(error));
    }
  }

  /** The findings about this rule, at the rule. */
  async checkRule(id) {
    try {
      const { findings, etag } = await checkedRules({ signal: this.signal });
      const mine = findings.filter((finding) => finding.rule === id);
      put(this.findings, mine.length > 0 && [h("h3", {}, t("findings")), findingsList(mine, { etag, fixed: () => this.checkRule(id) })]);
    } catch {
      // The draft is saved; the review shows what check finds, or why it cannot say.
    }
  }

  /** Tries the rule as it stands, with the others, on this element or on an event that is pasted. */
  tryPart() {
    const result = h("div", {});
    const event = h("textarea", { rows: 3, class: "mono", spellcheck: "false", placeholder: '{"event":"$AppClick","event_id":"…"}' });
    const run = async (given) => {
      put(result, loading(60));
      try {
        const answer = await post("/v1/rules/explain", { ...(await this.rulesWithThis()), ...given() }, { signal: this.signal });
        put(result, explanation(answer));
      } catch (error) {
        put(result, error instanceof SyntaxError ? notice("bad", t("no_json")) : refusal(error));
      }
    };
    return h("details", { class: "section" }, h("summary", {}, h("strong", {}, t("try_it"))),
      h("p", { class: "small muted" }, t("try_text")),
      h("div", { class: "row wrap" }, h("button", { class: "button small", type: "button", onclick: () => run(() => ({ capture: this.capture.id, element: this.element.element })) }, t("try_element"))),
      field(t("try_event"), event),
      h("div", { class: "row wrap" }, h("button", { class: "button small", type: "button", onclick: () => run(() => ({ event: JSON.parse(event.value) })) }, t("try_this_event"))),
      result);
  }

  /** The rules that it would go to, with this one. */
  async rulesWithThis() {
    const hasDraft = (await ruleSets()).find((one) => one.name === prefs.ruleset)?.has_draft;
    return { ...draftOrPublished(hasDraft), rule: { id: this.form.id.trim() || "rule", ...this.rule() } };
  }
}

/** What a clause names its element by: the selector or, where events have no path, the values that it asks for. */
const nameOf = (clause) => asText(clause.selector) || Object.entries(clause.where ?? {}).map(([place, test]) => `${place}: ${test?.equals ?? "–"}`).join(", ") || (clause.identity ?? clause.eventID ?? "");
const asText = (selector) => (Array.isArray(selector) ? selector.join(", ") : (selector ?? ""));

/** An id as people write them: the page and the element, in lower case. */
function proposedID(element, capture) {
  const word = (text) => (text ?? "").replace(/(ViewController|Controller|Activity|Fragment)$/, "").replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  const page = word(element.page ?? capture.page) || "screen";
  const what = word(element.content) || word(element.class.replace(/^(UI|RCT|AX)/, "")) || "element";
  return `${page}.${what}`.slice(0, 60);
}
