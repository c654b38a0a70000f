// Addresses of the page are fragments: #/screens?search=cart. The service serves one file only.

import { query } from "./api.js";

const routes = [];
/** A path such as `/screen/:id` and the view that shows it. */
export const route = (pattern, name, view) => routes.push({ parts: pattern.split("/"), name, view });

/** The place of the page: the view, its parameters and the query. */
export function here() {
  const [path, search = ""] = location.hash.replace(/^#/, "").split("?");
  const parts = (path || "/").split("/");
  for (const candidate of routes) {
    const parameters = fits(candidate.parts, parts);
    if (parameters) return { ...candidate, parameters, query: Object.fromEntries(new URLSearchParams(search)) };
  }
  return { name: "missing", view: null, parameters: {}, query: {} };
}

function fits(pattern, parts) {
  if (pattern.length !== parts.length) return null;
  const parameters = {};
  for (const [index, part] of pattern.entries()) {
    if (part.startsWith(":")) {
      try {
        parameters[part.slice(1)] = decodeURIComponent(parts[index]);
      } catch {
        return null;
      }
    } else if (part !== parts[index]) return null;
  }
  return parameters;
}

/** The address of a view. */
export const link = (path, parameters) => `#${path}${query(parameters)}`;

export const go = (path, query) => {
  location.hash = link(path, query);
};

const changed = (query) => link((location.hash.split("?")[0] || "#/").slice(1), { ...here().query, ...query });

/** Changes the query of the address without leaving the view, and without a step in the history. */
export const note = (query) => history.replaceState(null, "", changed(query));

/** Changes the query as a step in the history, which going back undoes. A view that stays then must handle it in `moved`. */
export function step(query) {
  const address = changed(query);
  if (address !== location.hash) history.pushState(null, "", address);
}
