// A chart of events over time: all that came, and in front of it what was selected.

import { h, put, s } from "../core/dom.js";
import { axisTime, number, short } from "../core/format.js";
import { t } from "../core/strings.js";

const margins = { left: 44, right: 8, top: 10, bottom: 24 };

/** A round number that is not below `value`, for the top of an axis. */
export function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value);
}

/** A small chart of one number by day, for a cell of a table. `points`: `[{at, events}]`. */
export function dayBars(points) {
  const text = ({ at, events }) => `${axisTime(at)}: ${number(events)}`;
  const most = Math.max(1, ...points.map((point) => point.events));
  return s(
    "svg",
    {
      class: "day-bars",
      viewBox: `0 0 ${points.length * 12} 30`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": points.map(text).join(", "),
    },
    points.map((point, index) => {
      const height = Math.max(2, 30 * (point.events / most));
      return s(
        "rect",
        {
          class: point.events > 0 ? "bar-selected" : "bar-all",
          x: index * 12 + 1,
          y: 30 - height,
          width: 10,
          height,
          rx: 1.5,
        },
        s("title", {}, text(point)),
      );
    }),
  );
}

/** `points`: `[{at, events, selected}]`. A table has the same numbers for people who cannot see the chart. */
export function timeChart(points, hourly) {
  const tip = h("div", { class: "chart-tip", hidden: true });
  const place = h("div", {});
  const table = h(
    "table",
    { class: "visually-hidden" },
    h("caption", {}, t("over_time")),
    h("thead", {}, h("tr", {}, h("th", {}, t("time")), h("th", {}, t("events")), h("th", {}, t("selected_events")))),
    h(
      "tbody",
      {},
      points.map((point) =>
        h("tr", {}, h("td", {}, axisTime(point.at, hourly)), h("td", {}, point.events), h("td", {}, point.selected)),
      ),
    ),
  );
  const box = h("div", { class: "chart-box" }, place, tip, table);
  let plan = null;
  // Drawn for the width that there is, so that texts keep their size on a phone.
  new ResizeObserver(() => {
    if (!box.clientWidth || plan?.width === box.clientWidth) return;
    plan = layOut(points, box.clientWidth, box.clientWidth < 500 ? 170 : 230);
    put(place, draw(points, hourly, plan));
  }).observe(box);
  box.addEventListener("pointermove", (event) => {
    if (!plan) return;
    const index = Math.floor((event.clientX - box.getBoundingClientRect().left - margins.left) / plan.step);
    const point = points[index];
    tip.hidden = !point;
    if (!point) return;
    put(
      tip,
      `${axisTime(point.at, hourly)} · ${number(point.events)} ${t("events")} · ${number(point.selected)} ${t("selected")}`,
    );
    tip.style.left = `${Math.min(0.8, Math.max(0.2, plan.x(index) / plan.width)) * 100}%`;
  });
  box.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  return box;
}

function layOut(points, width, height) {
  const top = roundUp(Math.max(1, ...points.map((point) => point.events)));
  const inner = { width: width - margins.left - margins.right, height: height - margins.top - margins.bottom };
  const step = inner.width / Math.max(1, points.length);
  return {
    width,
    height,
    top,
    inner,
    step,
    bar: Math.max(1.5, Math.min(44, step * 0.7)),
    x: (index) => margins.left + step * (index + 0.5),
    y: (value) => margins.top + inner.height * (1 - value / top),
  };
}

function draw(points, hourly, { width, height, top, inner, bar, x, y }) {
  const chart = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
  for (const part of [0, 0.5, 1]) {
    chart.append(
      s("line", {
        x1: margins.left,
        x2: width - margins.right,
        y1: y(top * part),
        y2: y(top * part),
        class: "grid-line",
      }),
      s("text", { x: margins.left - 8, y: y(top * part) + 4, "text-anchor": "end" }, short(top * part)),
    );
  }
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(width / 90))));
  for (const [index, point] of points.entries()) {
    const high = Math.max(point.events > 0 ? 1.5 : 0, inner.height * (point.events / top));
    const front = inner.height * (point.selected / top);
    const bottom = margins.top + inner.height;
    chart.append(
      s("rect", {
        class: "bar-all",
        x: x(index) - bar / 2,
        y: bottom - high,
        width: bar,
        height: high,
        rx: Math.min(4, bar / 4),
      }),
      s("rect", {
        class: "bar-selected",
        x: x(index) - bar / 2,
        y: bottom - front,
        width: bar,
        height: front,
        rx: Math.min(4, bar / 4),
      }),
    );
    if (index % every === 0)
      chart.append(s("text", { x: x(index), y: height - 6, "text-anchor": "middle" }, axisTime(point.at, hourly)));
  }
  return chart;
}
