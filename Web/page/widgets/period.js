// The period that all counts are about. It is chosen once, and kept for all views.

import { dotted } from "../core/bidi.js";
import { h } from "../core/dom.js";
import { prefs, setPref } from "../core/prefs.js";
import { t } from "../core/strings.js";
import { segmented } from "./controls.js";

const periods = [1, 7, 30];

/** The period in words: "24 hours", "7 days". */
export const periodName = (days = prefs.days) => (days === 1 ? t("days_1") : t("days_n", { days }));

/** The period of a rule's curve and, where a project is chosen, that it is not about this project. */
export const periodOfAll = () => dotted(periodName(), prefs.project && t("all_projects"));

/** Says beside counts and curves of rules that they are not about the project that is chosen. */
export const allProjectsNote = () => prefs.project && h("span", { class: "muted small" }, t("counts_of_all_projects"));

/** The choice of the period; `change` is called with the days once they are kept. */
export const periodPicker = (change) =>
  segmented({
    label: t("period"),
    hideLabel: true,
    value: String(prefs.days),
    options: periods.map((days) => [String(days), periodName(days)]),
    change: (value) => {
      setPref("days", Number(value));
      change(prefs.days);
    },
  });
