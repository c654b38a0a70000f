// Numbers and times as people of the chosen language write them.

import { language, t } from "./strings.js";

const locale = () => (language() === "zh" ? "zh-CN" : "en-GB");

const maximumBytes = 200;
/** The start of a text that the service takes as a search. */
export const startOf = (text) => text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maximumBytes)).read);

/** A text, such as the title of a screen, as a name that the service takes: one line. */
export const asName = (text) => startOf(text.replace(/\p{Cc}+/gu, " "));

export const number = (value) =>
  value === null || value === undefined ? "–" : new Intl.NumberFormat(locale()).format(value);

/** A short form for axes and badges: 12.3k, 1.2万. */
export const short = (value) =>
  value === null || value === undefined
    ? "–"
    : new Intl.NumberFormat(locale(), { notation: "compact", maximumFractionDigits: 1 }).format(value);

export const percent = (share) =>
  new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(share || 0);

export const dateTime = (text) =>
  text ? new Date(text).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" }) : "–";

/** The time of day, after the date where that is not today. */
export function clock(text) {
  if (!text) return "–";
  const date = new Date(text);
  const now = new Date();
  const time = date.toLocaleTimeString(locale(), { hour12: false });
  if (date.toDateString() === now.toDateString()) return time;
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
  return `${date.toLocaleDateString(locale(), { month: "short", day: "numeric", ...year })} ${time}`;
}

/**
 * The label of a point on a time axis: an hour when the service counted hours, else a day; a text without a time is
 * a day of UTC.
 */
export function axisTime(text, hourly) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return String(text);
  return hourly
    ? date.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", hour12: false })
    : date.toLocaleDateString(locale(), {
        month: "short",
        day: "numeric",
        ...(/^\d{4}-\d\d-\d\d$/.test(text) ? { timeZone: "UTC" } : {}),
      });
}

/** The last `count` days up to today, as the service writes them: `2026-11-23`, in UTC. */
export const lastDays = (count) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.now() - (count - 1 - index) * 86400_000).toISOString().slice(0, 10),
  );

const steps = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/** The time since a moment, in the largest unit that fits. */
export function ago(text) {
  if (!text) return t("never");
  const seconds = (new Date(text).getTime() - Date.now()) / 1000;
  const relative = new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" });
  for (const [unit, length] of steps)
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  return t("just_now");
}

/** The text of an element, else its class: a name for people. */
export function elementName(element) {
  const text = (element.content ?? "").trim();
  return text ? text : element.class;
}
