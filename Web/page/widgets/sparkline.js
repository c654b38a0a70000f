// A small curve of a count over the period, to stand beside the count.

import { h, s } from "../core/dom.js";
import { axisTime, number, short } from "../core/format.js";
import { t } from "../core/strings.js";

const [width, height] = [72, 22];

/** `values`: the events of each part of the period; `starts`: when the parts begin. */
export function sparkline(values, starts = []) {
  if (!values.some((value) => value > 0))
    return s(
      "svg",
      { class: "spark", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("trend_none") },
      s("path", { class: "spark-none", d: `M1 ${height - 2}H${width - 1}` }),
    );
  const most = Math.max(...values);
  const step = (width - 4) / Math.max(1, values.length - 1);
  const points = values.map((value, index) => [2 + step * index, height - 2 - (height - 5) * (value / most)]);
  const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  const hourly = values.length > 7 && starts.length > 1 && new Date(starts[1]) - new Date(starts[0]) < 86400_000;
  const spoken = t("trend", { numbers: values.slice(-31).map(number).join(", ") });
  return s(
    "svg",
    { class: "spark", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": spoken },
    s("path", { class: "spark-area", d: `M2 ${height - 2}L${line}L${width - 2} ${height - 2}Z` }),
    s("path", { class: "spark-line", d: `M${line}` }),
    s("circle", { class: "spark-end", cx: points.at(-1)[0], cy: points.at(-1)[1], r: 2 }),
    // Each part of the curve says its number under the pointer.
    values.map((value, index) =>
      s(
        "rect",
        { x: 2 + step * (index - 0.5), y: 0, width: Math.max(1, step), height, fill: "transparent" },
        s("title", {}, [starts[index] && axisTime(starts[index], hourly), number(value)].filter(Boolean).join(": ")),
      ),
    ),
  );
}

/** A count with its curve. */
export const countWithCurve = (count, values, starts) =>
  h(
    "span",
    { class: "with-curve" },
    h("strong", { class: "number", title: number(count) }, short(count)),
    sparkline(values ?? [], starts),
  );
