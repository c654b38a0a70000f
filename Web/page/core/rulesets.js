// The chosen rule set: the version in force, its draft, and changes of both.

import { get, post, postNewest, query, request } from "./api.js";
import { prefs, setPref } from "./prefs.js";

const base = () => `/v1/rulesets/${encodeURIComponent(prefs.ruleset)}`;
const listeners = new Set();
/** Calls `listener` when the draft, or what is in force, has changed. */
export const whenRulesChange = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** Returns the answer to a request that changes rules, once it has told the listeners. */
const changing = async (request) => {
  const answer = await request;
  for (const listener of listeners) listener();
  return answer;
};

/** All rule sets. If the chosen one is gone, the first is chosen. */
export async function ruleSets() {
  const { rulesets } = await get("/v1/rulesets");
  if (rulesets.length && !rulesets.some((one) => one.name === prefs.ruleset)) setPref("ruleset", rulesets[0].name);
  return rulesets;
}

/** The name of the rule set that decides the events of a project: the one of that name. Without one, all do, and this is the chosen one. */
export const ruleSetOf = (project, sets) =>
  project !== "default" && sets.some((one) => one.name === project) ? project : prefs.ruleset;

/** What the list says of the chosen rule set; undefined if there is none. */
const chosen = async () => (await ruleSets()).find((one) => one.name === prefs.ruleset);

/**
 * The draft's text and revision, or `null` where there is none. It is asked for only where the list says that there
 * is one.
 */
export async function draft() {
  if (!(await chosen())?.has_draft) return null;
  try {
    const answer = await request("GET", `${base()}/draft`, { text: true, whole: true });
    return { text: answer.body, etag: answer.etag };
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** The text and `etag` of the draft, or where there is none, of what is in force; `isDraft` says which. */
export async function currentText() {
  const now = await draft();
  if (now) return { ...now, isDraft: true };
  const answer = await request("GET", base(), { text: true, whole: true });
  return { text: answer.body, etag: answer.etag, isDraft: false };
}

/**
 * The findings of check in the draft, and the draft's `etag`, which a fix needs: it is the whole text. Without a draft,
 * in what is in force.
 */
export async function checkedRules(options) {
  const now = await draft();
  // As a text, since the draft may be published before it is looked up.
  const checked = now ? { text: now.text, name: "rules.yaml" } : { ruleset: prefs.ruleset };
  const inForce = { text: true, whole: true, signal: options?.signal };
  const etag = now?.etag ?? (await request("HEAD", base(), inForce)).etag;
  const answer = await postNewest("/v1/rules/check", checked, options);
  return { ...answer, etag };
}

/** Saves the whole text of the draft; `etag` names the draft, or the version in force, that it was made from. */
export async function saveDraft(text, etag) {
  const answer = await changing(
    request("PUT", `${base()}/draft`, {
      body: text,
      type: "application/yaml",
      headers: etag ? { "if-match": etag } : {},
      whole: true,
    }),
  );
  return {
    ...answer.body,
    etag: answer.etag ?? (answer.body?.revision !== undefined ? `"${answer.body.revision}"` : null),
  };
}

/** A rule of the draft. In a path, `.` and `..` would be steps, however they are encoded: the query has these ids. */
const rulePath = (id) => `${base()}/draft/rules/${/^\.{1,2}$/.test(id) ? `-${query({ id })}` : encodeURIComponent(id)}`;

/** The rule of the draft, or of what is in force, with all its keys, and its `etag`. */
export async function draftRule(id) {
  const answer = await request("GET", rulePath(id), { whole: true });
  return { rule: answer.body, etag: answer.etag };
}

/** The rules that contain a text, for example in their ids and pages, at most 500. */
export async function rulesWith(text, options) {
  const hasDraft = (await chosen())?.has_draft;
  return (await rules({ search: text, limit: 500, ...(hasDraft ? { draft: true } : {}) }, options)).rules;
}

/** Adds a rule to the draft and returns its `etag`. If a rule has the id, the service refuses with 412. */
export async function addRule(id, rule) {
  const headers = { "if-none-match": "*" };
  return (await changing(request("PUT", rulePath(id), { body: rule, headers, whole: true }))).etag;
}

/**
 * Changes members of a rule in the draft (`null` removes one), and returns its new `etag`. Everything else in the rule
 * stays as it is written. With `etag`, the change is refused if the rule is no longer the one that was seen.
 */
export async function changeRule(id, members, etag) {
  const headers = etag ? { "if-match": etag } : {};
  return (await changing(request("PATCH", rulePath(id), { body: members, headers, whole: true }))).etag;
}

/** Adds rules to the draft, all in one change, or none where one has an id that is taken. */
export const addRules = (add) => changeMany({ add });

/**
 * Changes members of many rules in the draft at once: `members` by the id of the rule. It is refused if the draft is no
 * longer of this revision; 0 is none.
 */
export const changeRules = (change, revision) => changeMany({ change }, { "if-match": `"${revision}"` });

/** Puts chosen definitions of another tool's file into the draft: `body` is JSON with the file and the ids. */
export const keepDefinitions = (body, parameters) =>
  changing(request("POST", `${base()}/import/draft${parameters}`, { body, type: "application/json" }));

const changeMany = (body, headers) => changing(request("PATCH", `${base()}/draft/rules`, { body, headers }));

/** The id, or with a number behind it where a rule has it. */
export async function freeID(id, options) {
  const taken = new Set((await rulesWith(id, options)).map((rule) => rule.id));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? id : `${id}-${number}`;
    if (!taken.has(free)) return free;
  }
}

/** Removes the rule that was seen with this `etag` from the draft; one that has changed since is refused with 412. */
export async function removeRule(id, etag) {
  await changing(request("DELETE", rulePath(id), { headers: { "if-match": etag } }));
}

/** Removes the draft of this revision; one that has changed since is refused with 412. */
export async function discardDraft(revision) {
  await changing(request("DELETE", `${base()}/draft`, { headers: { "if-match": `"${revision}"` } }));
}

/** The changes of the draft, by rule, with their authors. */
export const draftChanges = (options) => get(`${base()}/draft/changes`, {}, options);

/** Takes back a change that `draftChanges` has returned, in the draft of this revision. */
export const revertChange = ({ rule }, revision) =>
  changing(
    post(`${base()}/draft/revert`, rule === undefined ? { rest: true } : { rule }, {
      headers: { "if-match": `"${revision}"` },
    }),
  );

/**
 * Publishes the draft of this revision, the one that was looked at, or only what this person has changed in it, in
 * place of the version that it was compared with. The answer has `pending` if a second person must approve.
 */
export const publish = (reason, revision, version, own = false) =>
  changing(post(`${base()}/draft/publish`, { reason, revision, version, own }));

/** Approves the draft of this revision, which another person has asked to publish, in place of this version. */
export const approve = (revision, version) => changing(post(`${base()}/draft/approve`, { revision, version }));

/** Refuses the draft of this revision, which another person has asked to publish in place of this version. */
export const reject = (revision, version) => changing(post(`${base()}/draft/reject`, { revision, version }));

/** Publishes the text of a version again, in place of the one that was seen to be in force; refused with 412 if another is. */
export const rollBack = (version, current, reason) =>
  changing(post(`${base()}/rollback`, { version, reason }, { headers: { "if-match": `"${current}"` } }));

/** Versions, newest first. */
export const history = (parameters) => get(`${base()}/history`, parameters);
export const rules = (parameters, options) => get(`${base()}/rules`, parameters, options);
export const expressible = () => get(`${base()}/expressible`);

/** All rules of the draft, or where there is none, of what is in force, and the draft's revision: 0 is none. */
export async function rulesNow() {
  const { draft } = (await chosen()) ?? {};
  const known = [];
  for (;;) {
    const answer = await rules({ offset: known.length, limit: 500, ...(draft ? { draft: true } : {}) });
    known.push(...answer.rules);
    if (!answer.rules.length || known.length >= answer.total) return { known, revision: draft?.revision ?? 0 };
  }
}

/** The rules to work on: the draft if there is one, else those in force. */
export const draftOrPublished = (hasDraft) =>
  hasDraft ? { ruleset: prefs.ruleset, draft: true } : { ruleset: prefs.ruleset };

/** The text of a field, for a list its members with commas between them. */
export const fieldText = (value) => [value ?? ""].flat().join(", ");

/**
 * The tags of a field: the words between commas, of either width. A tag of before that has commas itself stays whole
 * where it stands between the commas of the field.
 */
export function tagsOf(text, before = []) {
  const whole = before
    .filter((tag) => /[,，、]/.test(tag))
    .sort((a, b) => b.length - a.length)
    .map((tag) => tag.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const word = new RegExp(`\\s*(${[...whole, "[^,，、]*"].join("|")})\\s*(?:[,，、]|$)`, "gy");
  return [...text.matchAll(word)].map((match) => match[1].trim()).filter(Boolean);
}

/** The names of events of a field: several where the rule has a list of them, else one, whatever it contains. */
export const namesOf = (text, before) => (Array.isArray(before) ? tagsOf(text, before) : text.trim());
