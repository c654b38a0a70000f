// The period that all counts are about. It is chosen once, and kept for all views.

import { prefs, setPref } from "../core/prefs.js";
import { t } from "../core/strings.js";
import { segmented } from "./controls.js";

export const periods = [1, 7, 30];

/** The period in words: "24 hours", "7 days". */
export const periodName = (days = prefs.days) => (days === 1 ? t("days_1") : t("days_n", { days }));

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
