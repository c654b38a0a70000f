// The texts of the page in the language that is chosen. `{name}` in a text is replaced by what is given.

import { isolated } from "./bidi.js";
import { prefs } from "./prefs.js";
import { analysisTexts } from "./texts/analysis.js";
import { circledTexts } from "./texts/circled.js";
import { definitionTexts } from "./texts/definitions.js";
import { driftTexts } from "./texts/drift.js";
import { frameTexts } from "./texts/frame.js";
import { liveTexts } from "./texts/live.js";
import { manyTexts } from "./texts/many.js";
import { planTexts } from "./texts/plan.js";
import { rulesTexts } from "./texts/rules.js";
import { screensTexts } from "./texts/screens.js";
import { settingsTexts } from "./texts/settings.js";

const texts = {
  ...circledTexts,
  ...definitionTexts,
  ...manyTexts,
  ...frameTexts,
  ...analysisTexts,
  ...screensTexts,
  ...rulesTexts,
  ...liveTexts,
  ...settingsTexts,
  ...planTexts,
  ...driftTexts,
};

/** The language that is chosen, else the browser's. */
export const language = () => prefs.language ?? (/^zh/i.test(navigator.language) ? "zh" : "en");

export const has = (key) => Object.hasOwn(texts, key);

/** The text of this key in the language that is chosen. Where there are two, the first is for a count of one. */
export function t(key, given = {}) {
  if (!has(key)) return key;
  const text = [texts[key][language() === "zh" ? 1 : 0]].flat();
  return text[String(given.count) === "1" ? 0 : text.length - 1].replace(/\{(\w+)\}/g, (whole, name) =>
    name in given ? isolated(given[name]) : whole,
  );
}

export function applyLanguage() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
}
