// What somebody writes about a rule on a screen, apart from how it is shown, and the change that it makes.

import { fieldText, namesOf, tagsOf } from "./rulesets.js";

const keptKeys = ["form", "properties", "choices", "clause", "known", "further", "place", "seen", "shown"];

export class RuleInput {
  /** `editing`: the rule that is edited, or null for a new one. */
  constructor(editing = null) {
    this.editing = editing;
    this.form = editing ? formOf(editing) : newForm("", "");
    this.properties = { ...(editing?.properties ?? {}) };
    /** The chosen values of chips, by the ids of the chips. */
    this.choices = {};
    this.clause = null;
    /** False if the clause was written by hand, so that no choice of chips makes it. */
    this.known = true;
    /** The other clauses of the rule, with names, and the place of this one among them; null is the last. */
    this.further = [];
    this.place = null;
    /** The id and the etag of the stored rule that saving replaces. */
    this.seen = null;
    /** The values as they were when the edited rule was shown. */
    this.shown = null;
  }

  get id() {
    return this.form.id.trim();
  }

  /** The values to keep in the tab. */
  get kept() {
    const written = Object.fromEntries(keptKeys.map((key) => [key, this[key]]));
    return { editing: this.editing?.id ?? null, ...written };
  }

  restore(kept) {
    for (const key of keptKeys) if (key in kept) this[key] = kept[key];
  }

  // MARK: Fields

  /** Begins a new rule. */
  propose(id, name) {
    this.form = newForm(id, name);
  }

  /** Sets a field of the form. */
  set(key, value) {
    this.form[key] = value;
  }

  setProperty(name, property) {
    this.properties[name] = property;
  }

  removeProperty(name) {
    delete this.properties[name];
  }

  // MARK: Clauses

  setClause(clause, known = true) {
    this.clause = clause;
    this.known = known;
  }

  choose(choices) {
    this.choices = choices;
  }

  /** Takes a suggested selector in place of the present one; other parts of the clause stay. */
  take(suggestion) {
    this.clause = suggestion.clause ?? {
      ...this.clause,
      selector: suggestion.selector,
      ...(suggestion.page ? { page: suggestion.page } : {}),
    };
  }

  /** Takes the selectors of a text that has one a line. */
  setSelector(text) {
    const selectors = text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    this.clause = { ...this.clause, selector: selectors.length > 1 ? selectors : selectors[0] };
    if (!selectors.length) delete this.clause.selector;
  }

  /** Sets the further clauses: all of these but the one at `place`, which is the one to go on with. */
  setFurther(clauses, place) {
    this.place = place;
    this.further = clauses.filter((_, index) => index !== place);
  }

  /** Makes the present clause a further one, so that the clause of another element can follow. */
  putAside(name) {
    this.further.splice(this.place ?? this.further.length, 0, { name, clause: this.clause });
    this.place = null;
    this.choices = {};
  }

  /** Adds a clause, unless the rule has it. */
  addFurther(name, clause) {
    const isKnown = [this.clause, ...this.further.map((one) => one.clause)].some(
      (one) => JSON.stringify(one) === JSON.stringify(clause),
    );
    if (!isKnown) this.further.push({ name, clause });
  }

  removeFurther(one) {
    if (this.place !== null && this.further.indexOf(one) < this.place) this.place -= 1;
    this.further = this.further.filter((other) => other !== one);
  }

  /** The clauses of the rule: one as it is, several as a list. */
  clauses() {
    if (!this.further.length) return this.clause;
    const clauses = this.further.map((one) => one.clause);
    clauses.splice(this.place ?? clauses.length, 0, this.clause);
    return clauses;
  }

  // MARK: The stored rule

  /** Notes the stored rule that saving replaces. */
  see(id, etag) {
    this.seen = { id, etag };
  }

  /** The etag of the stored rule with the id in the form; null if none has been seen. */
  get seenTag() {
    return this.seen?.id === this.id ? this.seen.etag : null;
  }

  /** Goes on as a new rule: the stored one is gone. */
  becomeNew() {
    this.editing = null;
    this.seen = null;
  }

  /** Notes the values of the edited rule, once. */
  noteShown() {
    if (this.editing) this.shown ??= this.written();
  }

  /** Notes that the values of a moment have been saved. */
  noteSaved(id, etag, written) {
    this.see(id, etag);
    this.shown = written;
  }

  /** True if saving changes a rule that is there already, which keeps what is not shown here, such as exceptions. */
  get isStored() {
    return this.editing?.id === this.id || this.seen?.id === this.id;
  }

  /** The values that would be written, to find later changes of them. */
  written() {
    return {
      form: { ...this.form },
      properties: JSON.stringify(this.properties),
      clauses: JSON.stringify(this.clauses()),
    };
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

  /** The members that are written into an existing rule: the changed ones, if the rule is edited here. */
  changes() {
    const rule = this.rule();
    const { kind } = this.form;
    const asOther = kind === "exclude" ? { include: null, emit: null, properties: null } : { exclude: null };
    if (this.editing?.id !== this.id || !this.shown) return { ...rule, ...asOther };
    const { form, properties, clauses } = this.shown;
    const changes = {};
    for (const key of ["name", "description", "emit", "owner", "tags"])
      if (this.form[key] !== form[key]) changes[key] = rule[key] ?? null;
    if (JSON.stringify(this.properties) !== properties) changes.properties = rule.properties ?? null;
    if (JSON.stringify(this.clauses()) !== clauses || kind !== form.kind) changes[kind] = rule[kind];
    return kind === form.kind ? changes : { ...changes, ...asOther };
  }
}

const newForm = (id, name) => ({ kind: "include", id, name, description: "", emit: "", owner: "", tags: "" });

const formOf = ({ id, kind, name, description, emit, owner, tags }) => ({
  id,
  kind,
  name: fieldText(name),
  description: fieldText(description),
  emit: emit === id ? "" : fieldText(emit),
  owner: fieldText(owner),
  tags: fieldText(tags),
});

/** An id as people write them: the page and the element, in lower case. */
export function proposedID(element, capture) {
  const page = wordsOf(ownName(element.page ?? capture.page)) || "screen";
  const what = wordsOf(element.content) || wordsOf(ownName(element.class).replace(/^(UI|RCT|AX)/, "")) || "element";
  return [...`${page}.${what}`].slice(0, 60).join("");
}

/** The id for the view of a page. */
export const viewID = (page) => `${wordsOf(ownName(page))}.view`;

/** A class without its package or module; of a fragment in an activity, the fragment. An address stays whole. */
const ownName = (name) => (name?.includes("/") ? name : name?.split(/[.|]/).findLast(Boolean));

/** A name of a class or a text as words with dashes; Chinese stays as it is. */
const wordsOf = (text) =>
  (text ?? "")
    .replace(/(ViewController|Controller|Activity|Fragment)$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
