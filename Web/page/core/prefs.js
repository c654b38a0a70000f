// A person's choices for this browser: language, theme, rule set, project.

const key = "encircle";
const fallback = {
  language: null,
  theme: "auto",
  ruleset: "default",
  project: "",
  heat: false,
  days: 7,
  rings: true,
  openRings: true,
  names: "",
  words: "",
};

function read() {
  try {
    return { ...fallback, ...JSON.parse(localStorage.getItem(key) ?? "{}") };
  } catch {
    return { ...fallback };
  }
}

export const prefs = read();

const listeners = new Set();
export const whenPrefsChange = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const setPref = (name, value) => setPrefs({ [name]: value });

/** Makes several choices at once. */
export function setPrefs(values) {
  Object.assign(prefs, values);
  try {
    // Other tabs may have stored other choices meanwhile.
    localStorage.setItem(key, JSON.stringify({ ...read(), ...values }));
  } catch {
    // A browser without storage forgets: nothing depends on it.
  }
  if ("theme" in values) applyTheme();
  for (const listener of listeners) listener(Object.keys(values));
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

/** Sets the theme that is chosen, or the system's. */
export function applyTheme() {
  const isDark = prefs.theme === "dark" || (prefs.theme === "auto" && darkSystem.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  for (const listener of listeners) listener(["colours"]);
}
darkSystem.addEventListener("change", applyTheme);

/** The value of a colour of base.css, for what is painted on a canvas. */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
