// Circles: chips that widen and narrow, suggestions, counts, and the rule that comes of it.

import { may, post } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { debounced, h, put } from "../core/dom.js";
import { elementName, number, percent, short } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { link } from "../core/router.js";
import { prefs } from "../core/prefs.js";
import { ruleName } from "../core/circled.js";
import {
  addRule,
  changeRule,
  checkedRules,
  draftOrPublished,
  draftRule,
  fieldText,
  freeID,
  namesOf,
  ruleSets,
  rulesWith,
  tagsOf,
} from "../core/rulesets.js";
import { has, t } from "../core/strings.js";
import { keepUnsaved, unsaved } from "../core/unsaved.js";
import { field, segmented } from "../widgets/controls.js";
import { explanation } from "../widgets/explanation.js";
import { findingsList } from "../widgets/findings.js";
import { periodName } from "../widgets/period.js";
import { countWithCurve } from "../widgets/sparkline.js";
import { failure, loading, notice, refusal, unsavedNotice } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";
import { circledList, stageBadge } from "./circled-list.js";
import { elementHead, propertyList } from "./element-details.js";

export class CirclePanel {
  /**
   * `capture` may be a screen of a running app. `matches` gets the numbers of the elements on it that the clause selects;
   * `saved` is called once a rule has been saved. `circled`: the rules about the screen; `open(rule)` selects
   * an element of such a rule. `reading` is called with `true` while the next click chooses the element that a property
   * is read from, rather than the element to circle.
   */
  constructor({ capture, matches, signal, saved = () => {}, circled = null, open = () => {}, reading = () => {} }) {
    Object.assign(this, { capture, matches, signal, whenSaved: saved, circled, open, whenReading: reading });
    this.further = [];
    this.node = h("div", { class: "circle-panel" });
    const counted = debounced(120, (turn) => turn === this.turn && this.countMatches());
    /** Counts what the clause selects, unless another element, or none, is selected meanwhile. */
    this.count = () => counted(this.turn);
    this.select(null);
  }

  /** Returns whether the element is shown. `again` tries again if it could not be read. */
  async select(element, again = () => this.readChips()) {
    if (element && this.isAdding) return this.addClause(element);
    if (element && this.isReading) return this.readOff(element);
    this.element = element;
    this.again = again;
    this.turn = (this.turn ?? 0) + 1;
    this.isAdding = false;
    this.setReading(false);
    this.reading = null;
    this.further = [];
    this.kept = null;
    this.isRestored = false;
    if (!element) {
      this.showOverview();
      return true;
    }
    this.busy(true);
    this.choices = {};
    put(this.node, elementHead(element), loading(90, 2));
    this.seen = null;
    const turn = this.turn;
    // This opens an element with the rule that circles it.
    await this.circled?.isReady;
    if (turn !== this.turn) return false;
    this.kept = unsaved(this.unsavedKey);
    this.editing = this.rulesToEdit(element)[0] ?? null;
    // Unsaved input for another rule than the first continues with that rule.
    if (this.kept) this.editing = this.rulesToEdit(element).find((rule) => rule.id === this.kept.editing) ?? null;
    return this.begin();
  }

  /** The rules about an element that can be edited on it, the narrowest first. */
  rulesToEdit(element) {
    return (this.circled?.of(element.element) ?? []).filter(
      (rule) => rule.stage !== "removed" && !this.circled.isBroad(rule),
    );
  }

  // MARK: Unsaved input

  /** The name under which the tab keeps the input about the element. */
  get unsavedKey() {
    return `circle:${prefs.ruleset}:${this.capture.id}:${this.element.element}`;
  }

  /** Keeps what is written here until it is saved, over other views and a reload. */
  keep() {
    if (!this.element) return;
    // It was a trial of what was written before.
    this.endTrial?.();
    keepUnsaved(this.unsavedKey, {
      editing: this.editing?.id ?? null,
      form: this.form,
      properties: this.properties,
      choices: this.choices,
      clause: this.clause,
      known: this.known,
      further: this.further,
      place: this.place,
      seen: this.seen,
      shown: this.shown,
    });
  }

  forget() {
    keepUnsaved(this.unsavedKey, null);
    this.kept = null;
    this.isRestored = false;
  }

  /** Continues with the kept input, in place of the values of the rule or the element. */
  restore() {
    if (!this.kept) return;
    const { editing, ...written } = this.kept;
    Object.assign(this, written, { kept: null, isRestored: true });
  }

  /** Says that the input is from before, and offers to discard it. */
  restoredPart() {
    if (!this.isRestored) return null;
    const drop = () => {
      this.forget();
      if (this.element.isPage) this.selectPage(this.element.page);
      else this.select(this.element);
    };
    return unsavedNotice(drop);
  }

  /** Begins with the rule that circles the element already, else with a new one. Returns whether it is shown. */
  async begin() {
    const turn = this.turn;
    this.known = true;
    this.reading = null;
    this.shown = null;
    this.place = null;
    this.properties = { ...(this.editing?.properties ?? {}) };
    if (this.editing) {
      if (!(await this.readEdited(turn))) return false;
    } else {
      this.form = {
        kind: "include",
        id: proposedID(this.element, this.capture),
        name: (this.element.content ?? "").trim().slice(0, 40),
        description: "",
        emit: "",
        owner: "",
        tags: "",
      };
      try {
        this.form.id = await freeID(this.form.id, { signal: this.signal });
      } catch (error) {
        if (error.name === "AbortError") return false;
        // Saving says whether there is such a rule.
      }
    }
    return turn === this.turn && this.readChips();
  }

  /** Fills the form with the rule that is edited. Returns whether it is still the one to show. */
  async readEdited(turn) {
    const { id, kind, name, description, emit, owner, tags } = this.editing;
    this.form = {
      id,
      kind,
      name: fieldText(name),
      description: fieldText(description),
      emit: emit === id ? "" : fieldText(emit),
      owner: fieldText(owner),
      tags: fieldText(tags),
    };
    // Saving replaces the rule that was shown, not one that somebody has written meanwhile.
    try {
      const { etag } = await draftRule(id);
      if (turn !== this.turn) return false;
      this.seen = { id, etag };
    } catch (error) {
      // Otherwise saving reports the error.
      if (error.name === "AbortError") return false;
    }
    return turn === this.turn;
  }

  /** Shows, while nothing is selected, what to do and the rules about the screen. */
  showOverview() {
    this.matches([]);
    this.busy(false);
    const list =
      this.circled &&
      h(
        "div",
        { class: "section" },
        h("h3", {}, t("circled_here")),
        circledList(this.circled, { open: this.open, hover: (rule) => this.matches(rule?.elements ?? []) }),
      );
    put(
      this.node,
      h(
        "div",
        { class: "hint" },
        icon("circle", 34),
        h("p", {}, t("choose_element")),
        h("p", { class: "small" }, t("choose_element_text")),
      ),
      list,
    );
  }

  /** Shows what is circled anew, once it has been read. Beside an element, another period changes the counts only. */
  circledChanged() {
    if (!this.element) {
      this.showOverview();
      return;
    }
    if (this.days === this.circled.days || !this.node.contains(this.counts)) return;
    const former = [this.taps, this.circledNow];
    this.readCircled();
    [this.taps, this.circledNow].forEach((node, place) => former[place]?.replaceWith(node ?? ""));
    this.count();
  }

  /** Makes the parts with counts of what is circled, and notes their period. */
  readCircled() {
    this.days = this.circled?.days;
    this.taps = this.tapsLine();
    this.circledNow = this.circledPart();
  }

  /** The uses of the element, whatever the rules say about it. */
  tapsLine() {
    if (!this.circled || this.element.isPage || !this.element.type) return null;
    const { events, series } = this.circled.taps.get(this.element.element) ?? { events: 0, series: [] };
    return h(
      "p",
      { class: "row small taps" },
      h("span", { class: "muted" }, t("taps_of_element", { period: periodName(this.days) })),
      countWithCurve(events, series, this.circled.starts),
    );
  }

  /** The rules that are about the element already: each with its events, to be edited here. */
  circledPart() {
    if (this.element.isPage) return this.circledPage();
    const rules = this.circled?.of(this.element.element) ?? [];
    if (!rules.length) return null;
    return h(
      "div",
      { class: "section", "data-part": "circled" },
      rules
        .slice(0, 5)
        .map((rule) =>
          h(
            "div",
            { class: "circled-card" },
            h(
              "div",
              { class: "row" },
              h("strong", { class: "spring wrap-anywhere" }, t("circled_as", { name: ruleName(rule) })),
              countWithCurve(rule.events, rule.series, this.circled.starts),
            ),
            h(
              "div",
              { class: "row wrap small" },
              stageBadge(rule),
              rule.kind === "exclude" && h("span", { class: "badge warn" }, t("exclude_short")),
              h(
                "span",
                { class: "muted" },
                this.circled.isBroad(rule)
                  ? t("circled_whole_page")
                  : t("circled_elements", { count: rule.elements.length }),
              ),
              h("span", { class: "spring" }),
              rule.id !== this.editing?.id &&
                rule.stage !== "removed" &&
                h("button", { class: "button small", type: "button", onclick: () => this.edit(rule) }, t("edit_rule")),
              h("a", { class: "button small", href: link(`/rule/${encodeURIComponent(rule.id)}`) }, t("open_rule")),
            ),
          ),
        ),
      this.editing &&
        h(
          "div",
          {},
          h("button", { class: "button small", type: "button", onclick: () => this.edit(null) }, t("new_rule_instead")),
        ),
    );
  }

  /** The rule that circles the page already. */
  circledPage() {
    if (!this.editing) return null;
    const { id } = this.editing;
    return h(
      "div",
      { class: "section row wrap" },
      h("strong", { class: "spring wrap-anywhere" }, t("circled_as", { name: ruleName(this.editing) })),
      h("a", { class: "button small", href: link(`/rule/${encodeURIComponent(id)}`) }, t("open_rule")),
    );
  }

  /** Goes on with another rule about the same element, or with a new one. */
  edit(rule) {
    this.turn += 1;
    this.forget();
    this.editing = rule;
    this.choices = {};
    this.further = [];
    this.seen = null;
    this.busy(true);
    // The present content belongs to the other rule.
    put(this.node, elementHead(this.element), loading(90, 2));
    return this.begin();
  }

  // MARK: Several clauses

  /** Takes a further element into the rule: its clause joins the present one. */
  async addClause(element) {
    this.isAdding = false;
    if (element === this.element) return this.show();
    const present = { name: clauseName(this.element, this.clause), clause: this.clause };
    this.further.splice(this.place ?? this.further.length, 0, present);
    this.place = null;
    this.forget();
    this.element = element;
    this.turn += 1;
    this.choices = {};
    this.isFurther = true;
    this.busy(true);
    const { turn } = this;
    const isShown = await this.readChips();
    if (isShown && turn === this.turn) this.keep();
    return isShown;
  }

  /** One rule about several elements. Elements with equal clauses, as in the rows of a list, share one. */
  async selectSeveral(elements) {
    const [first, ...rest] = elements.slice(0, maximumSeveral);
    if (!(await this.select(first, () => this.selectSeveral(elements)))) return;
    const turn = this.turn;
    try {
      for (const element of rest) {
        const { clause } = await post(
          "/v1/chips",
          { capture: this.capture.id, element: element.element, ruleset: prefs.ruleset },
          { signal: this.signal },
        );
        if (turn !== this.turn) return;
        const isKnown = [this.clause, ...this.further.map((one) => one.clause)].some(
          (one) => JSON.stringify(one) === JSON.stringify(clause),
        );
        if (!isKnown) this.further.push({ name: clauseName(element, clause), clause });
      }
      this.again = () => this.readChips();
      this.keep();
      this.show();
    } catch (error) {
      this.showFailure(error, turn);
    }
  }

  /** The page itself is circled: the event is that it is viewed. */
  async selectPage(page) {
    this.turn = (this.turn ?? 0) + 1;
    const turn = this.turn;
    this.isAdding = false;
    this.setReading(false);
    this.further = [];
    this.chips = [];
    this.suggestions = [];
    this.reading = null;
    this.told = null;
    this.element = {
      element: -1,
      class: page,
      content: t("page_viewed", { page: this.capture.title || page }),
      page,
      type: null,
      isPage: true,
    };
    this.clause = { event: "$AppViewScreen", page };
    this.shown = null;
    this.place = null;
    this.seen = null;
    this.choices = {};
    this.known = true;
    this.isRestored = false;
    this.busy(true);
    put(this.node, elementHead(this.element), loading(90, 2));
    // This opens the page with the rule that circles it.
    const known = await rulesWith(page, { signal: this.signal }).catch(() => []);
    if (turn !== this.turn) return;
    this.editing = known.find((rule) => rule.clauses.length === 1 && isView(rule.clauses[0], page)) ?? null;
    this.properties = { ...(this.editing?.properties ?? {}) };
    if (this.editing) {
      if (!(await this.readEdited(turn))) return;
      this.shown = this.written();
    } else {
      const id = `${wordsOf(page)}.view`;
      this.form = {
        kind: "include",
        id: await freeID(id, { signal: this.signal }).catch(() => id),
        name: this.element.content,
        description: "",
        emit: "",
        owner: "",
        tags: "",
      };
      if (turn !== this.turn) return;
    }
    this.kept = unsaved(this.unsavedKey);
    this.restore();
    this.show();
  }

  /** The further clauses of the rule, and how to add one. */
  clausesPart() {
    if (this.element.isPage) return null;
    const begin = () => {
      this.isAdding = true;
      put(hint, t("or_too_now"));
    };
    const hint = h("p", { class: "small muted", role: "status" });
    return h(
      "div",
      { class: "stack tight" },
      this.further.length > 0 && h("span", { class: "label" }, t("or_others")),
      this.further.map((one) =>
        h(
          "div",
          { class: "row" },
          h("span", { class: "ellipsis spring" }, one.name),
          h(
            "button",
            {
              class: "button quiet small icon-only",
              type: "button",
              "aria-label": t("or_remove", { name: one.name }),
              title: t("or_remove", { name: one.name }),
              onclick: () => {
                if (this.place !== null && this.further.indexOf(one) < this.place) this.place -= 1;
                this.further = this.further.filter((other) => other !== one);
                this.keep();
                this.show();
              },
            },
            icon("cross", 14),
          ),
        ),
      ),
      h(
        "div",
        { class: "row wrap" },
        h("button", { class: "button small", type: "button", onclick: begin }, icon("plus", 14), t("or_too")),
      ),
      hint,
    );
  }

  // MARK: Properties

  /** The properties that the rule gives its events, and how to read one off another element. */
  propertiesPart() {
    if (this.element.isPage || this.form.kind === "exclude") return null;
    const status = h("p", { class: "small muted", role: "status" });
    const begin = () => {
      this.setReading(true);
      put(status, t("read_off_now"));
    };
    return h(
      "section",
      { class: "section", "data-part": "properties", "aria-label": t("given_properties") },
      h("h3", {}, t("given_properties")),
      h("p", { class: "small muted" }, t("given_properties_text")),
      Object.entries(this.properties).map(([name, property]) =>
        h(
          "div",
          { class: "row" },
          h("strong", {}, name),
          h("span", { class: "mono small ellipsis spring" }, asSource(property)),
          h(
            "button",
            {
              class: "button quiet small icon-only",
              type: "button",
              "aria-label": t("property_remove", { name }),
              title: t("property_remove", { name }),
              onclick: () => {
                delete this.properties[name];
                this.keep();
                this.show();
              },
            },
            icon("cross", 14),
          ),
        ),
      ),
      this.reading
        ? this.propertyForm()
        : h("button", { class: "button small", type: "button", onclick: begin }, icon("plus", 14), t("read_off")),
      status,
    );
  }

  setReading(isReading) {
    this.isReading = isReading;
    this.whenReading(isReading);
  }

  /** Names the element that was clicked from the one that is circled. */
  async readOff(element) {
    this.setReading(false);
    const turn = this.turn;
    try {
      const { selector, text } = await post(
        "/v1/relative",
        {
          capture: this.capture.id,
          element: this.element.element,
          other: element.element,
          ruleset: prefs.ruleset,
          draft: true,
        },
        { signal: this.signal },
      );
      if (turn !== this.turn) return;
      this.reading = { selector, text, name: "", extract: "", isNumber: false };
      this.show();
      this.node.querySelector('[data-key="property-name"]')?.focus();
    } catch (error) {
      if (error.name === "AbortError" || turn !== this.turn) return;
      this.show();
      this.node.querySelector('[data-part="properties"] [role="status"]')?.replaceWith(refusal(error));
    }
  }

  propertyForm() {
    const { reading } = this;
    const input = (key, more = {}) =>
      h("input", {
        value: reading[key],
        spellcheck: "false",
        oninput: (event) => {
          reading[key] = event.target.value;
        },
        ...more,
      });
    const node = h(
      "form",
      { class: "stack tight", "aria-label": t("read_off") },
      h("p", { class: "small" }, reading.text ? t("read_off_text", { text: reading.text }) : t("read_off_nothing")),
      field(t("property_name"), input("name", { required: true, pattern: "[^$].*", "data-key": "property-name" })),
      field(t("property_extract"), input("extract", { class: "mono" }), t("property_extract_hint")),
      h(
        "label",
        { class: "row small" },
        h("input", {
          type: "checkbox",
          checked: reading.isNumber,
          onchange: (event) => {
            reading.isNumber = event.target.checked;
          },
        }),
        t("property_number"),
      ),
      h(
        "div",
        { class: "row wrap" },
        h("button", { class: "button small primary", type: "submit" }, t("property_add")),
        h(
          "button",
          {
            class: "button small",
            type: "button",
            onclick: () => {
              this.reading = null;
              this.show();
            },
          },
          t("property_cancel"),
        ),
      ),
    );
    node.addEventListener("submit", (event) => {
      event.preventDefault();
      const property = { element: reading.selector };
      if (reading.extract.trim()) property.extract = reading.extract.trim();
      if (reading.isNumber) property.type = "number";
      this.properties[reading.name.trim()] = property;
      this.reading = null;
      this.keep();
      this.show();
    });
    return node;
  }

  /** The clauses of the rule: one as it is, several as a list. */
  clauses() {
    if (!this.further.length) return this.clause;
    const clauses = this.further.map((one) => one.clause);
    clauses.splice(this.place ?? clauses.length, 0, this.clause);
    return clauses;
  }

  /** The values that the panel would write, to find later changes of them. */
  written() {
    return {
      form: { ...this.form },
      properties: JSON.stringify(this.properties),
      clauses: JSON.stringify(this.clauses()),
    };
  }

  /** Returns whether the element and its choices are shown now. */
  async readChips() {
    const turn = this.turn;
    // Another choice may be made before the answer to this one comes.
    const mine = (this.chipsTurn = (this.chipsTurn ?? 0) + 1);
    const isOvertaken = () => turn !== this.turn || mine !== this.chipsTurn;
    if (this.kept) this.choices = this.kept.choices;
    try {
      const body = { capture: this.capture.id, element: this.element.element, ruleset: prefs.ruleset, draft: true };
      if (Object.keys(this.choices).length) body.choices = this.choices;
      const edited = this.editing && !this.isFurther && !body.choices ? await this.editedClause(turn) : null;
      if (isOvertaken()) return false;
      if (edited) body.clause = edited;
      const answer = await post("/v1/chips", body, { signal: this.signal });
      if (isOvertaken()) return false;
      this.known = !edited || answer.known;
      this.clause = this.known ? answer.clause : edited;
      this.isFurther = false;
      this.told = answer.told;
      this.chips = answer.chips ?? [];
      this.suggestions = answer.suggestions ?? [];
      if (!this.suggestions.length) await this.readSuggestions(turn);
      if (isOvertaken()) return false;
      if (this.editing) this.shown ??= this.written();
      this.restore();
      this.show();
      return true;
    } catch (error) {
      if (!isOvertaken()) this.showFailure(error, turn);
      return false;
    }
  }

  /** Shows why the element of this turn cannot be circled now, and a way to try again. */
  showFailure(error, turn) {
    if (error.name === "AbortError" || turn !== this.turn) return;
    const retry = () => {
      this.busy(true);
      put(this.node, elementHead(this.element), loading(90, 2));
      this.again();
    };
    put(this.node, elementHead(this.element), failure(error, retry));
    this.busy(false);
  }

  /** The clause of the edited rule that is about the element; its other clauses become the further ones. */
  async editedClause(turn) {
    const { clauses } = this.editing;
    if (clauses.length < 2) return clauses[0];
    let mine = 0;
    for (const [index, clause] of clauses.entries()) {
      const { here } = await post(
        "/v1/select",
        { clause, ruleset: prefs.ruleset, capture: this.capture.id },
        { signal: this.signal },
      ).catch(() => ({ here: [] }));
      if (turn !== this.turn) return null;
      if (here.includes(this.element.element)) {
        mine = index;
        break;
      }
    }
    this.place = mine;
    this.further = clauses
      .filter((_, index) => index !== mine)
      .map((clause) => ({ name: clauseName(null, clause), clause }));
    return clauses[mine];
  }

  async readSuggestions(turn) {
    const answer = await post(
      "/v1/suggest",
      { capture: this.capture.id, element: this.element.element, limit: 5, ruleset: prefs.ruleset, draft: true },
      { signal: this.signal },
    );
    if (turn === this.turn) this.suggestions = answer.suggestions ?? [];
  }

  show() {
    const focused = this.node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.counts = h("div", { class: "counts", "aria-live": "polite" });
    this.selectorBox = h("textarea", {
      rows: 2,
      spellcheck: "false",
      class: "mono",
      value: asLines(this.clause.selector),
      oninput: (event) => this.editSelector(event.target.value),
    });
    this.selectorProblem = h("div", {});
    this.saved = h("div", {});
    this.suggestionList = h("div", { class: "stack tight" });
    this.showSuggestions();
    this.readCircled();
    put(
      this.node,
      elementHead(this.element),
      this.restoredPart(),
      this.taps,
      this.circledNow,
      h(
        "div",
        { class: "section" },
        h("h3", {}, t("what_counts")),
        !this.known && h("p", { class: "small muted" }, t("written_by_hand")),
        this.chipRows(),
        this.counts,
        this.selectorProblem,
        this.toldLine(),
        this.clausesPart(),
      ),
      this.ruleForm(),
      this.propertiesPart(),
      this.advancedPart(),
      this.tryPart(),
    );
    if (focused) this.node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    this.count();
  }

  /** Details that only some people need: the selector, the path, other selectors. */
  advancedPart() {
    if (this.element.isPage) return null;
    const node = h(
      "details",
      {
        class: "section advanced",
        open: this.isAdvanced,
        ontoggle: () => {
          this.isAdvanced = node.open;
        },
      },
      h("summary", {}, h("strong", {}, t("advanced"))),
      this.pathLine(),
      field(t("selector"), this.selectorBox),
      h("details", {}, h("summary", {}, t("suggestions", { count: this.suggestions.length })), this.suggestionList),
    );
    return node;
  }

  /** True while the panel waits for the service. */
  busy(isBusy) {
    this.node.setAttribute("aria-busy", String(isBusy));
  }

  /** The path that is compared as it is sent, where the clause has no selector. */
  pathLine() {
    const path = this.clause.selector === undefined ? this.clause.where?.$element_path?.equals : null;
    return path
      ? h(
          "div",
          { class: "stack tight" },
          h("span", { class: "label" }, t("path_as_sent")),
          h("code", { class: "wrap-anywhere small" }, path),
        )
      : null;
  }

  /** Shows whether the SDK of a running app can get the rule; nothing for other screens. */
  toldLine() {
    if (!this.capture.connected || !this.told) return null;
    return h(
      "p",
      { class: "small muted" },
      this.told.possible ? t("told_possible") : t("told_impossible", { reason: messages.told(this.told) }),
    );
  }

  chipRows() {
    const rows = h("div", { class: "chips" });
    for (const chip of this.chips) {
      const words = chipWords(chip);
      rows.append(
        h(
          "div",
          { class: "chip-row", role: "group", "aria-label": words.title },
          h("span", { class: "label", "aria-hidden": "true" }, words.title),
          this.chipOptions(chip, words),
        ),
      );
    }
    return rows;
  }

  chipOptions(chip, words) {
    const node = segmented({
      // A condition that was written by hand matches no choice.
      label: words.title,
      hideLabel: true,
      accent: true,
      value: this.known ? chip.value : null,
      options: (chip.options ?? []).map((option) => [option.value, words.option(option), option.total]),
      change: (value) => {
        this.busy(true);
        // The answer to an earlier choice may still be on its way: that choice counts, too.
        chip.value = value;
        this.choices = Object.fromEntries(this.chips.map((one) => [one.id, one.value]));
        const { turn } = this;
        this.readChips().then((isShown) => isShown && turn === this.turn && this.keep());
      },
    });
    for (const input of node.querySelectorAll("input")) input.dataset.key = `chip-${chip.id}-${input.value}`;
    return node;
  }

  showSuggestions() {
    put(
      this.suggestionList,
      this.suggestions.map((one) => {
        const level = one.stability >= 75 ? "" : one.stability >= 50 ? "middling" : "low";
        return h(
          "div",
          {},
          h(
            "button",
            {
              class: "suggestion",
              type: "button",
              "aria-pressed": String(nameOf(this.clause) === nameOf(one.clause ?? one)),
              onclick: () => this.take(one),
            },
            h("span", { class: "selector" }, nameOf(one.clause ?? one)),
            h("br", {}),
            h("span", { class: "small muted" }, messages.summary(one)),
            " ",
            h(
              "span",
              { class: "small nowrap" },
              h(
                "span",
                { class: `stability ${level}`, "aria-hidden": "true" },
                h("i", { style: { width: `${one.stability}%` } }),
              ),
              ` ${t("stability", { points: one.stability })}`,
            ),
          ),
          one.reasons?.length > 0 &&
            h(
              "details",
              { class: "small muted" },
              h("summary", {}, t("why")),
              h(
                "ul",
                {},
                one.reasons.map((reason) => h("li", {}, `−${Math.abs(reason.points ?? 0)} ${messages.reason(reason)}`)),
              ),
            ),
        );
      }),
    );
  }

  /** Takes a suggested selector in place of the present one; other parts of the clause stay. */
  take(suggestion) {
    this.clause = suggestion.clause ?? {
      ...this.clause,
      selector: suggestion.selector,
      ...(suggestion.page ? { page: suggestion.page } : {}),
    };
    this.selectorBox.value = asLines(this.clause.selector);
    this.keep();
    this.showSuggestions();
    this.count();
  }

  editSelector(text) {
    const selectors = text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    this.clause = { ...this.clause, selector: selectors.length > 1 ? selectors : selectors[0] };
    if (!selectors.length) delete this.clause.selector;
    this.keep();
    this.count();
  }

  async countMatches() {
    const turn = (this.countTurn = (this.countTurn ?? 0) + 1);
    const element = this.turn;
    this.busy(true);
    try {
      const body = {
        clause: this.clauses(),
        ...(this.isStored() ? { rule: this.form.id.trim() } : {}),
        ruleset: prefs.ruleset,
        draft: true,
        capture: this.capture.id,
        days: prefs.days,
      };
      const answer = await post("/v1/select", body, { signal: this.signal });
      if (turn !== this.countTurn || element !== this.turn) return;
      put(this.selectorProblem);
      this.matches(answer.here ?? []);
      this.showCounts(answer);
    } catch (error) {
      if (error.name === "AbortError" || turn !== this.countTurn || element !== this.turn) return;
      this.matches([]);
      put(this.counts);
      put(this.selectorProblem, refusal(error));
    }
    this.busy(false);
  }

  showCounts({ here = [], captures = [], total, captures_searched: searched, events }) {
    // Elements and events that the draft excludes do not count; an exclude rule itself counts all of them.
    const excluded = this.form.kind === "exclude" ? 0 : (events?.excluded ?? 0);
    const inEvents = events ? events.count - excluded : null;
    const others = captures.filter((one) => one.id !== this.capture.id);
    put(
      this.counts,
      h("div", {}, h("strong", {}, number(here.length)), h("span", { class: "small muted" }, t("matches_here"))),
      h(
        "div",
        {},
        h("strong", {}, number(total)),
        h("span", { class: "small muted" }, t("matches_all", { screens: captures.length, of: searched })),
      ),
      h(
        "div",
        {},
        h("strong", { title: number(inEvents) }, short(inEvents)),
        h(
          "span",
          { class: "small muted" },
          inEvents === null
            ? t("no_events_yet")
            : t("matches_events", { days: events.days, share: percent(events.of ? inEvents / events.of : 0) }),
        ),
      ),
      excluded > 0 && h("p", { class: "small muted" }, t("excluded_more", { count: excluded })),
    );
    this.others?.remove();
    if (!others.length) return;
    this.others = h(
      "details",
      { class: "small" },
      h("summary", {}, t("also_on", { count: others.length })),
      h(
        "ul",
        { class: "divide" },
        others
          .slice(0, 20)
          .map((one) =>
            h(
              "li",
              {},
              h(
                "a",
                { href: link(`/screen/${one.id}`, { element: one.elements[0] }) },
                dotted(one.name || one.page, one.app_version && `v${one.app_version}`),
              ),
              ` (${one.elements.length})`,
            ),
          ),
      ),
    );
    this.counts.after(this.others);
  }

  ruleForm() {
    const form = this.form;
    const id = h("input", {
      value: form.id,
      required: true,
      spellcheck: "false",
      class: "mono",
      oninput: (event) => {
        form.id = event.target.value;
      },
    });
    const submit = h(
      "button",
      { class: "button accent", type: "submit" },
      icon("circle", 17),
      t(this.editing ? "save_changes" : "save_draft"),
    );
    const mayWrite = may("author");
    submit.disabled = !mayWrite;
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
          form.kind = kind;
          emit.hidden = kind === "exclude";
          this.node.querySelector('[data-part="properties"]')?.toggleAttribute("hidden", kind === "exclude");
          this.keep();
        },
      }),
      h(
        "div",
        { class: "fields" },
        field(t("rule_id"), id),
        field(
          t("rule_name"),
          h("input", {
            value: form.name,
            oninput: (event) => {
              form.name = event.target.value;
            },
          }),
        ),
      ),
      h(
        "details",
        { open: Boolean(form.description || form.owner || form.tags) },
        h("summary", { class: "small" }, t("more_fields")),
        h(
          "div",
          { class: "stack" },
          field(
            t("description"),
            h("input", {
              value: form.description,
              placeholder: t("description_hint"),
              oninput: (event) => {
                form.description = event.target.value;
              },
            }),
          ),
          h(
            "div",
            { class: "fields" },
            field(
              t("owner"),
              h("input", {
                value: form.owner,
                oninput: (event) => {
                  form.owner = event.target.value;
                },
              }),
            ),
            field(
              t("tags"),
              h("input", {
                value: form.tags,
                oninput: (event) => {
                  form.tags = event.target.value;
                },
              }),
              t("tags_hint"),
            ),
          ),
        ),
      ),
    );
    const emit = field(
      t("emit"),
      h("input", {
        value: form.emit,
        placeholder: form.id,
        spellcheck: "false",
        class: "mono",
        oninput: (event) => {
          form.emit = event.target.value;
        },
      }),
      t("emit_help"),
    );
    emit.hidden = form.kind === "exclude";
    node.append(
      emit,
      h("div", { class: "row wrap" }, submit, !mayWrite && h("span", { class: "muted small" }, t("may_not_write"))),
      this.saved,
    );
    // After the listeners of the fields, which set what they say.
    node.addEventListener("input", () => this.keep());
    node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save(submit);
    });
    return node;
  }

  /** Whether saving changes a rule that is there already, which keeps what is not shown here, such as exceptions. */
  isStored() {
    const id = this.form.id.trim();
    return this.editing?.id === id || this.seen?.id === id;
  }

  rule() {
    const { kind, name, description, emit, owner, tags } = this.form;
    const rule = { [kind]: this.clauses() };
    if (name.trim()) rule.name = name.trim();
    if (description.trim()) rule.description = description.trim();
    if (owner.trim()) rule.owner = owner.trim();
    const words = tagsOf(tags, this.editing?.tags ?? []);
    if (words.length) rule.tags = words;
    if (emit.trim() && kind === "include") rule.emit = namesOf(emit, this.editing?.emit);
    if (Object.keys(this.properties).length && kind === "include") rule.properties = this.properties;
    return rule;
  }

  async save(button) {
    button.disabled = true;
    put(this.saved, loading(40));
    const id = this.form.id.trim();
    // While the answer is awaited, people may write on or select another element: none of that is saved with this request.
    const { turn, unsavedKey } = this;
    const written = this.written();
    try {
      // A rule that is there already keeps what is not shown here, such as exceptions and time limits.
      const etag = this.seen?.id === id ? this.seen.etag : null;
      const saved = etag ? await changeRule(id, this.changes(), etag) : await addRule(id, this.rule());
      if (turn !== this.turn) {
        keepUnsaved(unsavedKey, null);
        toast(t("saved_draft", { id }));
        await this.whenSaved(id);
        return;
      }
      this.seen = { id, etag: saved };
      this.shown = written;
      this.forget();
      if (JSON.stringify(this.written()) !== JSON.stringify(written)) this.keep();
      await this.whenSaved(id);
      this.findings = h("div", { class: "stack tight" });
      put(
        this.saved,
        notice(
          "good",
          h("strong", {}, t("saved_draft", { id })),
          h(
            "div",
            { class: "row" },
            h("a", { class: "button small primary", href: link("/rules/draft") }, t("review_publish")),
            h("a", { class: "button small", href: link(`/rule/${encodeURIComponent(id)}`) }, t("open_rule")),
          ),
        ),
        this.findings,
      );
      this.checkRule(id);
    } catch (error) {
      if (turn !== this.turn) complain(h("strong", {}, t("not_saved", { id })), refusal(error));
      else if (error.status === 412) await this.showConflict(id, button);
      else put(this.saved, refusal(error));
    }
    button.disabled = false;
  }

  /** The members that this panel writes into an existing rule: the changed ones, if the rule is edited here. */
  changes() {
    const rule = this.rule();
    const { kind } = this.form;
    const asOther = kind === "exclude" ? { include: null, emit: null, properties: null } : { exclude: null };
    if (this.editing?.id !== this.form.id.trim() || !this.shown) return { ...rule, ...asOther };
    const { form, properties, clauses } = this.shown;
    const changes = {};
    for (const key of ["name", "description", "emit", "owner", "tags"])
      if (this.form[key] !== form[key]) changes[key] = rule[key] ?? null;
    if (JSON.stringify(this.properties) !== properties) changes.properties = rule.properties ?? null;
    if (JSON.stringify(this.clauses()) !== clauses || kind !== form.kind) changes[kind] = rule[kind];
    return kind === form.kind ? changes : { ...changes, ...asOther };
  }

  /** The selections of another rule of this id and of this one, until somebody chooses. */
  async showConflict(id, button) {
    try {
      const { rule, etag } = await draftRule(id);
      const replace = () => {
        this.seen = { id, etag };
        this.save(button);
      };
      const side = (title, clauses) =>
        h(
          "div",
          {},
          h("strong", {}, title),
          [clauses].flat().map((clause) => propertyList(clause)),
        );
      put(
        this.saved,
        notice(
          "warn",
          h("strong", {}, t(this.editing?.id === id ? "rule_changed" : "rule_exists", { id })),
          rule.name && h("p", {}, rule.name),
          side(t("theirs"), rule.exclude ?? rule.include ?? {}),
          side(t("mine"), this.clauses()),
          this.editing?.id !== id && h("p", { class: "small muted" }, t("replace_keeps")),
          h(
            "div",
            { class: "row" },
            h("button", { class: "button small", type: "button", onclick: replace }, t("replace_rule")),
          ),
        ),
      );
    } catch (error) {
      put(this.saved, error.status === 404 ? this.goneNotice(id, button) : refusal(error));
    }
  }

  /** Says that the rule that was edited is gone, and offers to add it with what is written here. */
  goneNotice(id, button) {
    const add = () => {
      this.editing = null;
      this.seen = null;
      this.save(button);
    };
    return notice(
      "warn",
      h("strong", {}, t("rule_gone", { id })),
      h("p", { class: "small muted" }, t("rule_gone_text")),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button small", type: "button", onclick: add }, t("rule_add_again")),
      ),
    );
  }

  /** The findings about this rule, at the rule. */
  async checkRule(id) {
    try {
      const { findings, etag } = await checkedRules({ signal: this.signal });
      const mine = findings.filter((finding) => finding.rule === id);
      put(
        this.findings,
        mine.length > 0 && [h("h3", {}, t("findings")), findingsList(mine, { etag, fixed: () => this.checkRule(id) })],
      );
    } catch {
      // The draft is saved; the review shows what check finds, or why it cannot say.
    }
  }

  /** Tries the rule as it stands, with the others, on this element or on an event that is pasted. */
  tryPart() {
    const result = h("div", {});
    const event = h("textarea", {
      rows: 3,
      class: "mono",
      spellcheck: "false",
      placeholder: '{"event":"$AppClick","event_id":"…"}',
    });
    let newest = null;
    this.endTrial = () => {
      newest = null;
      put(result);
    };
    const run = async (given) => {
      newest = given;
      put(result, loading(60));
      try {
        // Both as they are now: people may write on while the service is asked.
        const [tried, rules] = [given(), this.rulesWithThis()];
        const answer = await post("/v1/rules/explain", { ...(await rules), ...tried }, { signal: this.signal });
        if (newest === given) put(result, explanation(answer));
      } catch (error) {
        if (newest !== given) return;
        put(result, error instanceof SyntaxError ? notice("bad", t("no_json")) : refusal(error));
      }
    };
    return h(
      "details",
      { class: "section" },
      h("summary", {}, h("strong", {}, t("try_it"))),
      h("p", { class: "small muted" }, t("try_text")),
      h(
        "div",
        { class: "row wrap" },
        !this.element.isPage &&
          h(
            "button",
            {
              class: "button small",
              type: "button",
              onclick: () => run(() => ({ capture: this.capture.id, element: this.element.element })),
            },
            t("try_element"),
          ),
      ),
      field(t("try_event"), event),
      h(
        "div",
        { class: "row wrap" },
        h(
          "button",
          { class: "button small", type: "button", onclick: () => run(() => ({ event: JSON.parse(event.value) })) },
          t("try_this_event"),
        ),
      ),
      result,
    );
  }

  /** The rules that it would go to, with this one. */
  async rulesWithThis() {
    const id = this.form.id.trim() || "rule";
    const [changes, isStored] = [this.changes(), this.isStored()];
    const hasDraft = (await ruleSets()).find((one) => one.name === prefs.ruleset)?.has_draft;
    const stored = isStored ? (await draftRule(id)).rule : {};
    const members = Object.entries({ ...stored, id, ...changes }).filter(([, value]) => value !== null);
    return { ...draftOrPublished(hasDraft), rule: Object.fromEntries(members) };
  }
}

/** The way a clause names its element: the selector or, if events have no path, the values that it tests. */
const nameOf = (clause) =>
  asText(clause.selector) ||
  Object.entries(clause.where ?? {})
    .map(([place, test]) => `${place}: ${test?.equals ?? "–"}`)
    .join(", ") ||
  (clause.identity ?? clause.eventID ?? "");
/** A clause in a few words: the element on which it was circled, else its conditions. */
const clauseName = (element, clause) =>
  (element ? elementName(element) : nameOf(clause) || clause.page || "–").slice(0, 60);

/**
 * The words for a chip: those of the field in its title, as cells of collections have items where others have rows. The
 * title of an outer list names its cells.
 */
function chipWords({ title }) {
  const [, field, cell] = /^(\S+) of (.+)$/s.exec(title) ?? [null, title];
  const words = (key, otherwise) => (has(key) ? t(key) : otherwise);
  const key = `chip_${field.toLowerCase()}`;
  const chip = words(key, field);
  return {
    title: cell ? t("chip_of", { chip, cell }) : chip,
    option: ({ value, title }) => words(`${key}_${value}`, title),
  };
}

/** The largest number of elements that one box can choose: for more there are wider rules. */
export const maximumSeveral = 20;

/** The source of a property, in a few words. */
const asSource = (property) =>
  property === null || typeof property !== "object"
    ? String(property)
    : Object.entries(property)
        .map(([key, value]) => `${key}: ${value}`)
        .join(", ");

/** This is true of a clause that says that the page is viewed, and nothing else. */
const isView = (clause, page) =>
  clause.event === "$AppViewScreen" && clause.page === page && Object.keys(clause).length === 2;

/** Selectors as the box has them, one a line, because a selector may contain commas. */
const asLines = (selector) => [selector ?? []].flat().join("\n");

const asText = (selector) => (Array.isArray(selector) ? selector.join(", ") : (selector ?? ""));

/** An id as people write them: the page and the element, in lower case. */
function proposedID(element, capture) {
  const page = wordsOf(element.page ?? capture.page) || "screen";
  const what = wordsOf(element.content) || wordsOf(element.class.replace(/^(UI|RCT|AX)/, "")) || "element";
  return [...`${page}.${what}`].slice(0, 60).join("");
}

/** A name of a class or a text as words with dashes; Chinese stays as it is. */
const wordsOf = (text) =>
  (text ?? "")
    .replace(/(ViewController|Controller|Activity|Fragment)$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
