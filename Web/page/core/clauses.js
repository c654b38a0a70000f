// Clauses of rules in words.

import { elementName } from "./format.js";

const asText = (selector) => (Array.isArray(selector) ? selector.join(", ") : (selector ?? ""));

/** The way a clause names its element: the selector or, if events have no path, the values that it tests. */
export const clauseSubject = (clause) =>
  asText(clause.selector) ||
  Object.entries(clause.where ?? {})
    .map(([place, test]) => `${place}: ${test?.equals ?? "–"}`)
    .join(", ") ||
  (clause.identity ?? clause.eventID ?? "");

/** A clause in a few words: the element on which it was circled, else its conditions. */
export const clauseName = (element, clause) =>
  (element ? elementName(element) : clauseSubject(clause) || clause.page || "–").slice(0, 60);

/** The clause that says that the page is viewed, and nothing else; it names a style if the rules have several. */
export const viewOf = (page, style) => ({ ...(style && { style }), event: "$AppViewScreen", page });

/** This is true of that clause. */
export const isView = ({ style, ...clause }, page) =>
  clause.event === "$AppViewScreen" && clause.page === page && Object.keys(clause).length === 2;

/**
 * The clauses of a rule, with their places, that may be about a screen whose events have this style, those that name it first.
 * Without a style, the rules have only one, and all may.
 */
export const clausesFor = (style, clauses) =>
  [...clauses.entries()]
    .filter(([, clause]) => !style || [undefined, "any", style].includes(clause.style))
    .sort(([, one], [, other]) => Number(other.style === style) - Number(one.style === style));
