// A chart of events over time: all that came, and in front of it what was selected.

import { h, put, s } from "../core/dom.js";
import { axisTime, number, short } from "../core/format.js";
import { t } from "../core/strings.js";

const size = { width: 760, height: 210, left: 44, right: 8, top: 10, bottom: 24 };

/** A round number that is not below `value`, for the top of an axis. */
export function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value);
}

/** `points`: `[{at, events, selected}]`. A table with the same numbers is there for those who do not see the chart. */
export function timeChart(points, hourly) {
  const top = roundUp(Math.max(1, ...points.map((point) => point.events)));
  const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };
  const step = inner.width / Math.max(1, points.length);
  const bar = Math.max(1.5, Math.min(40, step * 0.72));
  const y = (value) => size.top + inner.height * (1 - value / top);
  const x = (index) => size.left + step * (index + 0.5);
  const chart = s("svg", { class: "chart", viewBox: `0 0 ${size.width} ${size.height}`, "aria-hidden": "true" });
  for (const part of [0, 0.5, 1]) {
    chart.append(
      s("line", { x1: size.left, x2: size.width - size.right, y1: y(top * part), y2: y(top * part), class: "grid-line" }),
      s("text", { x: size.left - 8, y: y(top * part) + 4, "text-anchor": "end" }, short(top * part)));
  }
  const every = Math.ceil(points.length / 8);
  for (const [index, point] of points.entries()) {
    const high = Math.max(point.events > 0 ? 1.5 : 0, inner.height * (point.events / top));
    const front = inner.height * (point.selected / top);
    chart.append(
      s("rect", { class: "bar-all", x: x(index) - bar / 2, y: size.top + inner.height - high, width: bar, height: high, rx: Math.min(4, bar / 4) }),
      s("rect", { class: "bar-selected", x: x(index) - bar / 2, y: size.top + inner.height - front, width: bar, height: front, rx: Math.min(4, bar / 4) }));
    if (index % every === 0) chart.append(s("text", { x: x(index), y: size.height - 6, "text-anchor": "middle" }, axisTime(point.at, hourly)));
  }
  const tip = h("div", { class: "chart-tip", hidden: true });
  const box = h("div", { class: "chart-box" }, chart, tip,
    h("table", { class: "visually-hidden" }, h("caption", {}, t("over_time")),
      h("tr", {}, h("th", {}, t("time")), h("th", {}, t("events")), h("th", {}, t("selected"))),
      points.map((point) => h("tr", {}, h("td", {}, axisTime(point.at, hourly)), h("td", {}, point.events), h("td", {}, point.selected)))));
  box.addEventListener("pointermove", (event) => {
    const bounds = box.getBoundingClientRect();
    const place = ((event.clientX - bounds.left) / bounds.width) * size.width;
    const index = Math.floor((place - size.left) / step);
    const point = points[index];
    tip.hidden = !point;
    if (!point) return;
    put(tip, `${axisTime(point.at, hourly)} · ${number(point.events)} ${t("events")} · ${number(point.selected)} ${t("selected")}`);
    const share = x(index) / size.width;
    tip.style.left = `${Math.min(0.82, Math.max(0.18, share)) * 100}%`;
  });
  box.addEventListener("pointerleave", () => { tip.hidden = true; });
  return box;
}

/** Small bars in a row, for the course of one rule. */
export function sparkline(values, label) {
  const most = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length);
  return s("svg", { viewBox: "0 0 100 24", width: 100, height: 24, role: "img", "aria-label": label }, values.map((value, index) =>
    s("rect", { class: "bar-selected", x: index * step + 0.5, y: 24 - (22 * value) / most, width: Math.max(1, step - 1), height: (22 * value) / most, rx: 1 })));
}
