// The question of the event-analysis view: in the address, and as the service is asked. Both have the same parameters.

import { prefs } from "../core/prefs.js";
import { t } from "../core/strings.js";

const kinds = ["rule", "event", "event_id"];
/** The address that this page has written itself. */
let written = null;

/** The question that the address has. */
export function readQuestion() {
  const search = new URLSearchParams(location.hash.split("?").slice(1).join("?"));
  const subjects = [...search]
    .filter(([kind, name]) => kinds.includes(kind) && name)
    .map(([kind, name]) => ({ kind, name }));
  const days = Number(search.get("days"));
  // Opening the address chooses the project that it names; a later choice replaces it.
  if (search.has("project") && location.hash !== written) prefs.project = search.get("project");
  return {
    subjects,
    days: Number.isInteger(days) && days > 0 ? days : 7,
    from: search.get("from") ?? "",
    to: search.get("to") ?? "",
    interval: search.get("interval") ?? "",
    by: search.get("by") ?? "",
    where: search.getAll("where"),
    compare: search.get("compare") === "previous",
    measure: search.get("measure") === "people" ? "people" : "events",
    shape: search.get("shape") === "bars" ? "bars" : "curve",
  };
}

/** The parameters that the service and the address have in common. */
function parameters(question) {
  const search = new URLSearchParams();
  for (const { kind, name } of question.subjects) search.append(kind, name);
  if (question.from) {
    search.set("from", question.from);
    if (question.to) search.set("to", question.to);
  } else if (question.days !== 7) search.set("days", question.days);
  if (question.interval) search.set("interval", question.interval);
  if (question.by) search.set("by", question.by);
  for (const condition of question.where) search.append("where", condition);
  if (question.compare) search.set("compare", "previous");
  if (prefs.project) search.set("project", prefs.project);
  return search;
}

export function requestOf(question, ruleSet) {
  const search = parameters(question);
  // Fields of rules are where this rule set has them; other places need no rule set.
  search.set("ruleset", ruleSet);
  return search;
}

/** Puts the question into the address, without a step in the history. */
export function writeQuestion(question) {
  const search = parameters(question);
  if (question.measure !== "events") search.set("measure", question.measure);
  if (question.shape !== "curve") search.set("shape", question.shape);
  // The choice of all projects is in the address, too: its reader may have chosen one project.
  search.set("project", prefs.project);
  history.replaceState(null, "", `#/analysis?${search}`);
  written = location.hash;
}

/** The name of a subject for people; `names` has the names of elements. A row of an answer is a subject, too. */
export function subjectName(subject, names) {
  const kind = subject.kind ?? kinds.find((one) => subject[one] !== undefined);
  if (!kind) return t("all_events");
  const name = subject.kind ? subject.name : subject[kind];
  return kind === "event_id" ? (names.get(name) ?? `${name.slice(0, 12)}…`) : name;
}
