// Circles: chips that widen and narrow, suggestions, counts, and the rule that comes of it.

import { post } from "../core/api.js";
import { clauseName, clausesFor, isView, viewOf } from "../core/clauses.js";
import { attempts, debounced, h, put } from "../core/dom.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs } from "../core/prefs.js";
import { proposedID, RuleInput, viewID } from "../core/rule-input.js";
import { draftRule, freeID, rulesWith } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { keepUnsaved, unsaved } from "../core/unsaved.js";
import { field } from "../widgets/controls.js";
import { failure, loading, refusal, unsavedNotice } from "../widgets/states.js";
import { chipRows, suggestion } from "./circle-choices.js";
import { furtherClauses } from "./circle-clauses.js";
import { otherCaptures, selectionCounts } from "./circle-counts.js";
import { ruleForm } from "./circle-form.js";
import { CircledProperties } from "./circle-properties.js";
import { RuleSaving } from "./circle-saving.js";
import { RuleTrial } from "./circle-trial.js";
import { circledRules, tapsLine } from "./circled-element.js";
import { circledList } from "./circled-list.js";
import { elementHead } from "./element-details.js";

export class CirclePanel {
  /**
   * `capture` may be a screen of a running app. `matches` gets the numbers of the elements on it that the clause selects;
   * `saved` is called once a rule has been saved. `circled`: the rules about the screen; `open(rule)` selects
   * an element of such a rule. `reading` is called with `true` while the next click chooses the element that a property
   * is read from, rather than the element to circle.
   */
  constructor({ capture, matches, signal, saved = () => {}, circled = null, open = () => {}, reading = () => {} }) {
    Object.assign(this, { capture, matches, signal, circled, open });
    this.input = new RuleInput();
    this.beginShowing = attempts();
    this.beginChips = attempts();
    this.beginCount = attempts();
    this.properties = new CircledProperties({
      capture,
      signal,
      whenReading: reading,
      changed: () => this.inputChanged(),
      redraw: () => this.show(),
    });
    this.saving = new RuleSaving({
      signal,
      current: () => ({ input: this.input, unsavedKey: this.unsavedKey, isCurrent: this.whileShown() }),
      keep: () => this.keep(),
      forget: () => this.forget(),
      whenSaved: saved,
    });
    this.node = h("div", { class: "circle-panel" });
    const counted = debounced(120, (isCurrent) => isCurrent() && this.countMatches());
    /** Counts what the clause selects, unless another element, or none, is selected meanwhile. */
    this.count = () => counted(this.whileShown());
    this.select(null);
  }

  /** Returns a function that says later whether the element that is shown now still is. */
  whileShown() {
    return this.isShown;
  }

  // MARK: Selecting

  /** Returns whether the element is shown. `again` tries again if it could not be read. */
  async select(element, again = () => this.readChips()) {
    if (element && this.isAdding) return this.addClause(element);
    if (element && this.isReading) return this.readOff(element);
    this.element = element;
    this.again = again;
    this.beginTurn();
    this.input = new RuleInput();
    this.kept = null;
    if (!element) {
      this.showOverview();
      return true;
    }
    this.showLoading();
    const isCurrent = this.whileShown();
    // This opens an element with the rule that circles it.
    await this.circled?.isReady;
    if (!isCurrent()) return false;
    this.kept = unsaved(this.unsavedKey);
    const rules = this.rulesToEdit(element);
    // Unsaved input for another rule than the first continues with that rule.
    const editing = this.kept ? rules.find((rule) => rule.id === this.kept.editing) : rules[0];
    this.input = new RuleInput(editing ?? null);
    return this.begin();
  }

  /** Leaves the element that is shown: what is still awaited for it will not be shown. */
  beginTurn() {
    this.isShown = this.beginShowing();
    this.isAdding = false;
    this.properties.setReading(false);
    this.properties.drop();
    this.isRestored = false;
  }

  /** The rules about an element that can be edited on it, the narrowest first. */
  rulesToEdit(element) {
    return (this.circled?.of(element.element) ?? []).filter(
      (rule) => rule.stage !== "removed" && !this.circled.isBroad(rule),
    );
  }

  /** Begins with the rule that circles the element already, else with a new one. Returns whether it is shown. */
  async begin() {
    const isCurrent = this.whileShown();
    const { input } = this;
    this.properties.drop();
    if (input.editing) {
      if (!(await this.readEdited(isCurrent))) return false;
    } else {
      input.propose(proposedID(this.element, this.capture), (this.element.content ?? "").trim().slice(0, 40));
      try {
        input.set("id", await freeID(input.form.id, { signal: this.signal }));
      } catch (error) {
        if (error.name === "AbortError") return false;
        // Saving says whether there is such a rule.
      }
    }
    return isCurrent() && this.readChips();
  }

  /** Reads which rule saving replaces: the one that is shown, not one that somebody has written meanwhile. */
  async readEdited(isCurrent) {
    const { input } = this;
    const { id } = input.editing;
    try {
      const { etag } = await draftRule(id);
      if (!isCurrent()) return false;
      input.see(id, etag);
    } catch (error) {
      // Otherwise saving reports the error.
      if (error.name === "AbortError") return false;
    }
    return isCurrent();
  }

  /** Goes on with another rule about the same element, or with a new one. */
  edit(rule) {
    this.isShown = this.beginShowing();
    this.again = () => this.readChips();
    this.forget();
    this.input = new RuleInput(rule);
    // The present content belongs to the other rule.
    this.showLoading();
    return this.begin();
  }

  /** The page itself is circled: the event is that it is viewed. */
  async selectPage(page) {
    this.beginTurn();
    const isCurrent = this.whileShown();
    this.chips = [];
    this.suggestions = [];
    this.told = null;
    this.element = {
      element: -1,
      class: page,
      content: t("page_viewed", { page: this.capture.title || page }),
      page,
      type: null,
      isPage: true,
    };
    this.input = new RuleInput();
    this.showLoading();
    await this.circled?.isReady;
    if (!isCurrent()) return;
    // This opens the page with the rule that circles it.
    const known = await rulesWith(page, { signal: this.signal }).catch(() => []);
    if (!isCurrent()) return;
    // The page of another platform may have the same name.
    const isThis = ({ clauses }) => clauses.length === 1 && clausesFor(this.circled?.style, clauses).length === 1;
    const editing = known.find((rule) => isThis(rule) && isView(rule.clauses[0], page)) ?? null;
    this.input = new RuleInput(editing);
    this.input.setClause(editing?.clauses[0] ?? viewOf(page, this.circled?.style));
    if (editing) {
      if (!(await this.readEdited(isCurrent))) return;
      this.input.noteShown();
    } else {
      const id = viewID(page);
      this.input.propose(await freeID(id, { signal: this.signal }).catch(() => id), this.element.content);
      if (!isCurrent()) return;
    }
    this.kept = unsaved(this.unsavedKey);
    this.restore();
    this.show();
  }

  // MARK: Several clauses

  /** Takes a further element into the rule: its clause joins the present one. */
  async addClause(element) {
    this.isAdding = false;
    if (element === this.element) return this.show();
    this.input.putAside(clauseName(this.element, this.input.clause));
    this.forget();
    this.element = element;
    this.isShown = this.beginShowing();
    this.isFurther = true;
    this.busy(true);
    return this.readChanged();
  }

  /** One rule about several elements. Elements with equal clauses, as in the rows of a list, share one. */
  async selectSeveral(elements) {
    const [first, ...rest] = elements.slice(0, maximumSeveral);
    if (!(await this.select(first, () => this.selectSeveral(elements)))) return;
    const isCurrent = this.whileShown();
    try {
      for (const element of rest) {
        const { clause } = await post(
          "/v1/chips",
          { capture: this.capture.id, element: element.element, ruleset: prefs.ruleset },
          { signal: this.signal },
        );
        if (!isCurrent()) return;
        this.input.addFurther(clauseName(element, clause), clause);
      }
      this.again = () => this.readChips();
      this.inputChanged();
    } catch (error) {
      this.showFailure(error, isCurrent);
    }
  }

  // MARK: Properties

  /** True while the next click chooses the element that a property is read from. */
  get isReading() {
    return this.properties.isReading;
  }

  /** Names the element that was clicked from the one that is circled. */
  readOff(element) {
    return this.properties.readOff(element, this.element, this.whileShown());
  }

  // MARK: Unsaved input

  /** The name under which the tab keeps the input about the element. */
  get unsavedKey() {
    return `circle:${prefs.ruleset}:${this.capture.id}:${this.element.element}`;
  }

  /** Keeps what is written here until it is saved, over other views and a reload. */
  keep() {
    if (!this.element) return;
    this.trial?.end();
    keepUnsaved(this.unsavedKey, this.input.kept);
  }

  /** Keeps a change of the input that was made beside its fields, and shows it. */
  inputChanged() {
    this.keep();
    this.show();
  }

  forget() {
    keepUnsaved(this.unsavedKey, null);
    this.kept = null;
    this.isRestored = false;
  }

  /** Continues with the kept input, in place of the values of the rule or the element. */
  restore() {
    if (!this.kept) return;
    this.input.restore(this.kept);
    this.kept = null;
    this.isRestored = true;
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

  // MARK: Reading the choices

  /** Reads the choices after a change, which is kept once they are shown, perhaps at another attempt. */
  async readChanged() {
    this.again = () => this.readChanged();
    const isCurrent = this.whileShown();
    const isShown = await this.readChips();
    if (isShown && isCurrent()) this.keep();
    return isShown;
  }

  /** Returns whether the element and its choices are shown now. */
  async readChips() {
    const isCurrent = this.whileShown();
    // Another choice may be made before the answer to this one comes.
    const isNewest = this.beginChips();
    const isOvertaken = () => !isCurrent() || !isNewest();
    const { input } = this;
    if (this.kept) input.choose(this.kept.choices);
    try {
      const body = { capture: this.capture.id, element: this.element.element, ruleset: prefs.ruleset, draft: true };
      if (Object.keys(input.choices).length) body.choices = input.choices;
      const edited = input.editing && !this.isFurther && !body.choices ? await this.editedClause(isCurrent) : null;
      if (isOvertaken()) return false;
      if (edited) body.clause = edited;
      const answer = await post("/v1/chips", body, { signal: this.signal });
      if (isOvertaken()) return false;
      const known = !edited || answer.known;
      input.setClause(known ? answer.clause : edited, known);
      this.isFurther = false;
      this.told = answer.told;
      this.chips = answer.chips ?? [];
      this.suggestions = answer.suggestions ?? [];
      if (!this.suggestions.length) await this.readSuggestions(isCurrent);
      if (isOvertaken()) return false;
      input.noteShown();
      this.restore();
      this.show();
      return true;
    } catch (error) {
      if (!isOvertaken()) this.showFailure(error, isCurrent);
      return false;
    }
  }

  /** The clause of the edited rule that is about the element; its other clauses become the further ones. */
  async editedClause(isCurrent) {
    const { input } = this;
    const { clauses } = input.editing;
    if (clauses.length < 2) return clauses[0];
    const candidates = clausesFor(this.circled?.style, clauses);
    let mine = candidates[0]?.[0] ?? 0;
    for (const [index, clause] of candidates) {
      const { here } = await post(
        "/v1/select",
        { clause, ruleset: prefs.ruleset, capture: this.capture.id },
        { signal: this.signal },
      ).catch(() => ({ here: [] }));
      if (!isCurrent()) return null;
      if (here.includes(this.element.element)) {
        mine = index;
        break;
      }
    }
    input.setFurther(
      clauses.map((clause) => ({ name: clauseName(null, clause), clause })),
      mine,
    );
    return clauses[mine];
  }

  async readSuggestions(isCurrent) {
    const answer = await post(
      "/v1/suggest",
      { capture: this.capture.id, element: this.element.element, limit: 5, ruleset: prefs.ruleset, draft: true },
      { signal: this.signal },
    );
    if (isCurrent()) this.suggestions = answer.suggestions ?? [];
  }

  chooseChip(chip, value) {
    this.busy(true);
    // The answer to an earlier choice may still be on its way: that choice counts, too.
    chip.value = value;
    this.input.choose(Object.fromEntries(this.chips.map((one) => [one.id, one.value])));
    this.readChanged();
  }

  // MARK: Showing

  /** True while the panel waits for the service. */
  busy(isBusy) {
    this.node.setAttribute("aria-busy", String(isBusy));
  }

  showLoading() {
    this.busy(true);
    put(this.node, elementHead(this.element), loading(90, 2));
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

  /** Shows why the element cannot be circled now, if it still is the one that is shown, and a way to try again. */
  showFailure(error, isCurrent) {
    if (error.name === "AbortError" || !isCurrent()) return;
    const retry = () => {
      this.showLoading();
      this.again();
    };
    put(this.node, elementHead(this.element), failure(error, retry));
    this.busy(false);
  }

  show() {
    const { input, element } = this;
    const focused = this.node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.counts = h("div", { class: "counts", "aria-live": "polite" });
    this.selectorProblem = h("div", {});
    this.trial = new RuleTrial({ capture: this.capture, element, input, signal: this.signal });
    this.readCircled();
    put(
      this.node,
      elementHead(element),
      this.restoredPart(),
      this.taps,
      this.circledNow,
      h(
        "div",
        { class: "section" },
        h("h3", {}, t("what_counts")),
        !input.known && h("p", { class: "small muted" }, t("written_by_hand")),
        chipRows({
          chips: this.chips,
          known: input.known,
          choose: (chip, value) => this.chooseChip(chip, value),
        }),
        this.counts,
        this.selectorProblem,
        this.toldLine(),
        !element.isPage &&
          furtherClauses({
            input,
            begin: () => {
              this.isAdding = true;
            },
            changed: () => this.inputChanged(),
          }),
      ),
      ruleForm({
        input,
        changed: () => this.keep(),
        kindChanged: () => {
          this.properties.node?.toggleAttribute("hidden", input.form.kind === "exclude");
          this.keep();
        },
        save: (button) => this.saving.save(button),
        saved: this.saving.renew(),
      }),
      this.properties.part(input, element),
      !element.isPage && this.advancedPart(),
      this.trial.node,
    );
    if (focused) this.node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    this.count();
  }

  /** Details that only some people need: the selector, the path, other selectors. */
  advancedPart() {
    const { input } = this;
    const selectors = h("textarea", {
      rows: 2,
      spellcheck: "false",
      class: "mono",
      value: asLines(input.clause.selector),
      oninput: () => {
        input.setSelector(selectors.value);
        this.keep();
        this.count();
      },
    });
    const list = h("div", { class: "stack tight" });
    const take = (one) => {
      input.take(one);
      selectors.value = asLines(input.clause.selector);
      this.keep();
      showSuggestions();
      this.count();
    };
    const showSuggestions = () =>
      put(
        list,
        this.suggestions.map((one) => suggestion(one, input.clause, () => take(one))),
      );
    showSuggestions();
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
      field(t("selector"), selectors),
      h("details", {}, h("summary", {}, t("suggestions", { count: this.suggestions.length })), list),
    );
    return node;
  }

  /** The path that is compared as it is sent, where the clause has no selector. */
  pathLine() {
    const { clause } = this.input;
    const path = clause.selector === undefined ? clause.where?.$element_path?.equals : null;
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

  // MARK: Counts

  /** Makes the parts with counts of what is circled, and notes their period. */
  readCircled() {
    const { circled, element } = this;
    this.days = circled?.days;
    this.taps = tapsLine(circled, element);
    this.circledNow = circledRules({
      circled,
      element,
      editing: this.input.editing,
      edit: (rule) => this.edit(rule),
    });
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

  async countMatches() {
    const isNewest = this.beginCount();
    const isCurrent = this.whileShown();
    const isOvertaken = () => !isNewest() || !isCurrent();
    const { input } = this;
    this.busy(true);
    try {
      const body = {
        clause: input.clauses(),
        ...(input.isStored ? { rule: input.id } : {}),
        ruleset: prefs.ruleset,
        draft: true,
        capture: this.capture.id,
        days: prefs.days,
      };
      const answer = await post("/v1/select", body, { signal: this.signal });
      if (isOvertaken()) return;
      put(this.selectorProblem);
      this.matches(answer.here ?? []);
      this.showCounts(answer);
    } catch (error) {
      if (error.name === "AbortError" || isOvertaken()) return;
      this.matches([]);
      put(this.counts);
      put(this.selectorProblem, refusal(error));
    }
    this.busy(false);
  }

  showCounts(answer) {
    put(this.counts, selectionCounts(answer, this.input.form.kind));
    this.others?.remove();
    this.others = otherCaptures(answer, this.capture);
    if (this.others) this.counts.after(this.others);
  }
}

/** Selectors as the box has them, one a line, because a selector may contain commas. */
const asLines = (selector) => [selector ?? []].flat().join("\n");

/** The largest number of elements that one box can choose: for more there are wider rules. */
export const maximumSeveral = 20;
