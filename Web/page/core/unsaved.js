// Unsaved input. It survives another view, another language and a reload, but only in this tab.

import { session } from "./api.js";

const prefix = "encircle:unsaved:";
/** Several people may log in in a tab, one after another: each sees only their own input. */
const name = (key) => prefix + JSON.stringify([session.name, key]);

/** The value that is kept under a key, or `null`. */
export function unsaved(key) {
  try {
    return JSON.parse(sessionStorage.getItem(name(key)) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value; `null` forgets it, as after saving. */
export function keepUnsaved(key, value) {
  try {
    if (value === null) sessionStorage.removeItem(name(key));
    else sessionStorage.setItem(name(key), JSON.stringify(value));
  } catch {
    // Without room or storage, only the page has the input.
  }
}

/** True if something of this person is kept. */
const hasUnsaved = () => {
  const start = `${JSON.stringify([session.name]).slice(0, -1)},`;
  try {
    return Object.keys(sessionStorage).some((key) => key.startsWith(prefix + start));
  } catch {
    return false;
  }
};

// The input goes with its tab, so the browser asks before the tab is closed.
addEventListener("beforeunload", (event) => {
  if (session.authenticated && hasUnsaved()) event.preventDefault();
});
